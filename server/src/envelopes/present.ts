import type { TrailItem } from "../audit/read-chain.ts";
import { presentPages } from "../documents/pages.ts";
import { iso, isoOrNull } from "../http/shapes.ts";
import { type Caller, maySeeSlugs } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { rolesOf } from "../signing/field.ts";
import { isSigner, type Recipient, type Signer, type SignerStatus } from "../signing/submission.ts";
import type { Tag } from "../tags/tag.ts";
import { presentPlacingDocuments, presentTried, presentWholeField } from "../templates/present.ts";
import type { ActedOn } from "./act-on-many.ts";
import type { ChangedDocuments } from "./add-document.ts";
import { remindersOf } from "./choices.ts";
import { type EnvelopeDocument, type EnvelopeField, type ListedDocument, withRoles } from "./document-store.ts";
import { type Envelope, isCompliant, isVaulted, type ListedEnvelope, type ShownRecipient } from "./envelope.ts";
import type { ExpandedEnvelope, Expansion } from "./expansion-store.ts";
import type { PreparedFields } from "./place-fields.ts";
import { orderNow } from "./plan-recipients.ts";
import { savedSigners } from "./recipient-input.ts";
import type { Reminded } from "./remind-signers.ts";
import type { Sent } from "./send-envelope.ts";
import type { EnvelopeStatus } from "./store.ts";
import type { UploadedDocument } from "./upload-document.ts";

/** Exactly the seven fields of the list. */
export const presentListed = (envelope: ListedEnvelope) => ({
  envelope_id: envelope.envelope_id,
  envelope_name: envelope.envelope_name,
  status: envelope.status,
  customer_id: envelope.customer_id,
  external_id: envelope.external_id,
  created_at: iso(envelope.created_at),
  updated_at: iso(envelope.updated_at),
});

/** With the requested expansions. Signers have no slugs here. */
export const presentExpanded = (
  envelope: ListedEnvelope,
  { recipients, customer, tags, owner }: ExpandedEnvelope,
  expand: readonly Expansion[],
  caller: Caller,
) => ({
  ...presentListed(envelope),
  ...(expand.includes("recipients") && {
    recipients: recipients.map((one) => presentShown(one, caller)),
  }),
  ...(expand.includes("tags") && { tags: [...tags] }),
  ...(expand.includes("owner") && { owner: owner === null ? null : { user_id: owner.user_id, name: owner.name } }),
  ...(expand.includes("signers") && {
    signers: recipients
      .filter(({ kind }) => kind === "signer")
      .map(({ name, email, role, status }, index) => ({ name, email, role: role ?? "", order: index + 1, status: status as SignerStatus })),
  }),
  ...(expand.includes("customer") && {
    customer: customer === null ? null : { customer_id: customer.customer_id, name: customer.name, email: customer.email },
  }),
});

/** A person of an envelope. A slug identifies a link, so that only callers who can send see it. */
export const presentShown = (one: ShownRecipient, caller: Caller) => ({
  recipient_id: one.recipient_id,
  kind: one.kind,
  email: one.email,
  name: one.name,
  role: one.role,
  step: one.step,
  status: one.status,
  slug: maySeeSlugs(caller) ? one.slug : null,
  delivery: one.delivery,
  acted_at: one.acted_at === null ? null : iso(new Date(one.acted_at)),
  locale: one.locale,
  message: one.message,
  ...(one.authentication != null && { authentication: one.authentication.map(({ method }) => ({ method })) }),
});

export const presentRecipient = (one: Recipient, caller: Caller) =>
  presentShown({ ...one, acted_at: one.acted_at?.toISOString() ?? null }, caller);

/** The single-envelope view. `metadata` has the other properties that partners can see. */
export const presentEnvelope = (envelope: Envelope, caller: Caller) => ({
  envelope_id: envelope.envelope_id,
  envelope_name: envelope.envelope_name,
  status: envelope.status,
  customer_id: envelope.customer_id,
  external_id: envelope.external_id,
  template_id: envelope.template_id,
  created_at: iso(envelope.created_at),
  updated_at: iso(envelope.updated_at),
  vaulted: isVaulted(envelope),
  compliant: isCompliant(envelope),
  metadata: {
    custom: envelope.custom,
    is_upload: envelope.is_upload,
    directory_id: envelope.directory_id,
    auto_vault_enabled: envelope.auto_vault_enabled,
    kba_required: envelope.kba_required,
    sent_at: isoOrNull(envelope.sent_at),
    expires_at: isoOrNull(envelope.expires_at),
    signer_count: envelope.signer_count,
    secured_party: envelope.secured_party,
    record_type: envelope.record_type,
    instrument: envelope.instrument,
    maker_roles: [...envelope.maker_roles],
    vault_file_path: isVaulted(envelope) ? envelope.vault_file_path : null,
    message: envelope.message,
    mail_subject: envelope.mail_subject,
    signing_order: orderNow(envelope),
    expires_in_days: envelope.expires_in_days,
    reminders: remindersOf(envelope),
    signers: envelope.submission_id === null ? savedSigners(envelope.signers) : null,
    recipients: envelope.recipients.map((one) => presentShown(one, caller)),
    tags: [...envelope.tags],
    owner_user_id: envelope.owner_user_id,
    form_id: envelope.form_id,
    batch_id: envelope.batch_id,
    prepared_by:
      envelope.prepared_by === null ? null : { key_id: envelope.prepared_by.key_id, partner_name: envelope.prepared_by.partner_name },
  },
});

export const presentStatus = (envelope: EnvelopeStatus) => ({
  envelope_id: envelope.envelope_id,
  status: envelope.status,
  vaulted: isVaulted(envelope),
  compliant: isCompliant(envelope),
  signed_at: isoOrNull(envelope.completed_at),
  updated_at: iso(envelope.updated_at),
});

/** The response to an upload, in the specification's spelling. */
export const presentUploaded = (document: UploadedDocument) => ({
  customer_id: document.customer_id,
  envelope_id: document.envelope_id,
  name: document.name,
  signers: document.signers.map(({ email, name, role }) => ({ email, name, role })),
  path: document.path,
  hash: document.kept.sha256,
  size: document.kept.size,
  contentType: document.content_type,
  auto_vault_enabled: document.auto_vault_enabled,
  kba_required: document.kba_required,
  ...(document.warnings.length > 0 && { warnings: [...document.warnings] }),
});

export const presentFieldsPlaced = (envelope_id: EnvelopeId, prepared: PreparedFields) => ({ envelope_id, ...presentTried(prepared) });

/** Empty lists if there is no document yet. */
export const presentFields = (envelope_id: EnvelopeId, documents: readonly EnvelopeDocument[], fields: readonly EnvelopeField[]) => ({
  envelope_id,
  roles: rolesOf(withRoles(fields)),
  pages: presentPages(documents.flatMap(({ pages }) => pages)),
  documents: presentPlacingDocuments(documents),
  fields: fields.map((field) => ({ ...presentWholeField(field), ...(field.prefilled !== null && { prefilled: field.prefilled }) })),
});

export const presentDocument = ({ document_id, document_no, name, pages, hash, size, content_type, first_page }: EnvelopeDocument) => ({
  document_id,
  document_no,
  name,
  pages: pages.length,
  hash,
  size,
  contentType: content_type,
  first_page,
});

export const presentDocuments = (envelope_id: EnvelopeId, documents: readonly ListedDocument[]) => ({
  envelope_id,
  documents: documents.map(presentDocument),
});

export const presentChangedDocuments = (envelope_id: EnvelopeId, { documents, warnings }: ChangedDocuments) => ({
  ...presentDocuments(envelope_id, documents),
  ...(warnings.length > 0 && { warnings: [...warnings] }),
});

export const presentSentSigner = ({ email, name, role, slug, status }: Signer, order: number) => ({
  email,
  name,
  role,
  order,
  slug,
  status,
});

export const presentSent = ({ envelope, recipients, certification, warnings }: Sent, caller: Caller) => ({
  envelope_id: envelope.envelope_id,
  status: envelope.status,
  submission_id: envelope.submission_id,
  sent_at: isoOrNull(envelope.sent_at),
  expires_at: isoOrNull(envelope.expires_at),
  signers: recipients.filter(isSigner).map((signer, index) => presentSentSigner(signer, index + 1)),
  recipients: recipients.map((one) => presentRecipient(one, caller)),
  certification:
    certification === null
      ? null
      : {
          accepted: true as const,
          terms_version: certification.terms_version,
          terms_sha256: certification.terms_sha256,
          accepted_by: certification.accepted_by,
        },
  warnings: [...warnings],
});

export const presentReminded = ({ envelope_id, reminded, reminded_at }: Reminded) => ({
  envelope_id,
  reminded: [...reminded],
  reminded_at: iso(reminded_at),
});

export const presentTag = ({ name, colour }: Tag) => ({ name, colour });

export const presentActedOn = ({ done, failed }: ActedOn) => ({
  done: [...done],
  failed: failed.map(({ envelope_id, code, error }) => ({ envelope_id, code, error })),
});

export const presentVoided = (envelope: Envelope) => ({
  envelope_id: envelope.envelope_id,
  status: envelope.status,
  voided_at: isoOrNull(envelope.ended_at),
  reason: envelope.reason,
});

/** A recipient's id is their slug. */
export const presentTrailItem = ({ seq, type, at, actor, data, hash }: TrailItem, caller: Caller) => ({
  seq,
  type,
  at,
  actor: { kind: actor.kind, id: (actor.kind === "signer" || actor.kind === "recipient") && !maySeeSlugs(caller) ? actor.kind : actor.id },
  data: data as Record<string, unknown> | null,
  hash,
});
