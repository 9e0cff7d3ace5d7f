import { asPdfProblem } from "../documents/pdf-problems.ts";
import { readStored } from "../documents/read-stored.ts";
import type { Caller } from "../shared/caller.ts";
import { type EnvelopeId, newId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { Field } from "../signing/field.ts";
import { valueFrom } from "../signing/provider-answer.ts";
import { storeBlob } from "../storage/store-blob.ts";
import { createTemplate, type PreparedTemplate } from "../templates/create-template.ts";
import { keptDefaults, type TemplateDefaults } from "../templates/defaults.ts";
import { keyFields } from "../templates/key-fields.ts";
import { type TemplateRole, wholeRole } from "../templates/role.ts";
import { remindersOf } from "./choices.ts";
import { countDocuments, type EnvelopeField, listUploaded, listUploadedFields, type UploadedAgain } from "./document-store.ts";
import { peopleAgain, refuseOriginal } from "./duplicate-envelope.ts";
import type { Envelope, EnvelopeDeps } from "./envelope.ts";
import { orderNow } from "./plan-recipients.ts";
import { savedRecipients } from "./recipient-input.ts";
import { refuseSentToDrafter } from "./require-own-draft.ts";
import { findEnvelope } from "./store.ts";

export interface SaveRequest {
  readonly name: string;
  /** names and addresses become part of the template; otherwise only kinds, roles and steps do */
  readonly keep_people?: boolean;
}

// The role of fields without one, if the envelope has no signer yet.
const ONLY_ROLE = "Signer";

/** A template with the document as it was uploaded, its fields, its people's places and the sender's choices. */
async function prepareTemplate(deps: EnvelopeDeps, caller: Caller, from: EnvelopeId, request: SaveRequest): Promise<PreparedTemplate> {
  const { org } = caller;
  const { envelope, documents, uploaded, placed } = await deps.db.tx(org, async (tx) => ({
    envelope: await findEnvelope(tx, org, from),
    documents: await countDocuments(tx, org, from),
    uploaded: await listUploaded(tx, org, from),
    placed: await listUploadedFields(tx, org, from),
  }));
  refuseOriginal(envelope);
  refuseSentToDrafter(caller, envelope);
  if (documents === 0) throw new Problem("envelope_without_document");
  if (uploaded.length !== documents) throw new Problem("document_not_reusable");
  const role_rows = rolesOf(envelope, request.keep_people ?? false);
  const fields = fieldsFor(placed, role_rows);
  const cleaned: NonNullable<PreparedTemplate["template"]["documents"]>[number][] = [];
  for (const one of uploaded) {
    const { document_no, pages } = one;
    // The only document is called as the template is.
    const name = uploaded.length === 1 ? request.name : one.name;
    cleaned.push({ document_no, name, pages, pdf_sha256: await cleanedPdf(deps, caller, one) });
  }
  const document_sha256 = cleaned[0]?.pdf_sha256 ?? "";
  const { provider_template_id } = valueFrom(
    await deps.provider.createTemplate(org, { name: request.name, external_id: null, document: { sha256: document_sha256 }, fields }),
  );
  return {
    template: {
      template_id: newId("template"),
      name: request.name,
      external_id: null,
      document_sha256,
      pages: cleaned.flatMap(({ pages }) => pages),
      documents: cleaned,
      maker_roles: envelope.maker_roles,
      role_rows,
      defaults: defaultsOf(envelope),
      provider: deps.provider.name,
      provider_template_id,
      created_by: caller.actor.id,
    },
    fields,
    warnings: [],
    origin: { envelope_id: from },
  };
}

/** Every document of a template is clean. A signed upload is kept as it came, so it is cleaned first. */
async function cleanedPdf(deps: EnvelopeDeps, { org }: Caller, { sha256, byte_for_byte }: UploadedAgain): Promise<string> {
  if (!byte_for_byte) return sha256;
  const bytes = await readStored(deps, org, sha256, "document_unavailable");
  const turn = { key: org, priority: "interactive", give_up_bytes: true } as const;
  const cleaned = await deps.pdf.ingest(bytes, { tags: "discard" }, turn).catch(asPdfProblem);
  return (await storeBlob(deps.storage, org, cleaned.bytes)).sha256;
}

function fieldsFor(fields: readonly EnvelopeField[], roles: readonly TemplateRole[]): Field[] {
  const first = roles.find(({ kind }) => kind === "signer")?.role ?? ONLY_ROLE;
  const named = fields.map(({ prefilled: _, ...field }): Field => ({ ...field, role: field.role ?? first }));
  return keyFields(named, []);
}

/** A place for each person who acts. People who act without a role, and those who get a copy, are nothing but their names: only kept people are. */
function rolesOf(envelope: Envelope, keepPeople: boolean): TemplateRole[] {
  const people = savedRecipients(peopleAgain(envelope).signers);
  if (keepPeople) return people.map(wholeRole);
  return people.flatMap(({ kind, role, step, delivery }) => {
    if (role == null) return [];
    return [wholeRole({ kind, role, step: step ?? null, ...(delivery !== undefined && { delivery }) })];
  });
}

function defaultsOf(envelope: Envelope): TemplateDefaults {
  const { message, mail_subject, expires_in_days, kba_required, auto_vault_enabled } = envelope;
  const signing_order = orderNow(envelope);
  const reminders = remindersOf(envelope);
  return keptDefaults({
    ...(message !== null && message !== "" && { message }),
    ...(mail_subject !== null && { mail_subject }),
    ...(signing_order !== "steps" && { signing_order }),
    expires_in_days,
    ...(reminders !== null && { reminders }),
    kba_required,
    auto_vault_enabled,
  });
}

/** The steps of the operation, in the order in which the endpoint runs them. */
export const saveAsTemplate = { prepare: prepareTemplate, save: createTemplate.save, discard: createTemplate.discard };
