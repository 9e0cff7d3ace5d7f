import { type Static, Type } from "typebox";
import { listEntries } from "../audit/read-chain.ts";
import { findCustomer } from "../customers/store.ts";
import { acceptDocument } from "../documents/file-kind.ts";
import { pdfProblems } from "../documents/pdf-problems.ts";
import { type Endpoint, endpoint, listing, reading, serving, uploading } from "../http/endpoint.ts";
import { Name } from "../http/shapes.ts";
import { isId } from "../shared/ids.ts";
import { invalidField, Problem } from "../shared/problems.ts";
import { wholeExample } from "../templates/examples.ts";
import { presentTemplate } from "../templates/present.ts";
import { TemplateView } from "../templates/shapes.ts";
import { findWholeTemplate } from "../templates/store.ts";
import { attachDocument } from "./attach-document.ts";
import { currentTerms } from "./certification.ts";
import { changeEnvelope, type EnvelopeChange } from "./change-envelope.ts";
import { serveCompletion } from "./completion-certificate.ts";
import { type Correction, correctSigner } from "./correct-signer.ts";
import { createEnvelope, type EnvelopeRequest } from "./create-envelope.ts";
import { duplicateEnvelope } from "./duplicate-envelope.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import * as examples from "./examples.ts";
import { exportAuditTrail } from "./export-audit-trail.ts";
import { documentEndpoints } from "./http-documents.ts";
import { fieldEndpoints } from "./http-fields.ts";
import { listingEnvelopes } from "./http-list.ts";
import { endpointsOfMany } from "./http-many.ts";
import { recipientEndpoints } from "./http-recipients.ts";
import { issueDocument } from "./issue-document.ts";
import {
  presentEnvelope,
  presentReminded,
  presentSent,
  presentSentSigner,
  presentStatus,
  presentTrailItem,
  presentUploaded,
  presentVoided,
} from "./present.ts";
import { remindSigners } from "./remind-signers.ts";
import { saveAsTemplate } from "./save-as-template.ts";
import { type SendRequest, sendEnvelope } from "./send-envelope.ts";
import {
  ChangeBody,
  CorrectBody,
  CreateBody,
  EnvelopeView,
  RemindBody,
  RemindedView,
  SendBody,
  SentSigner,
  SentView,
  StatusView,
  TermsView,
  TrailItemView,
  UploadedView,
  VoidBody,
  VoidedView,
} from "./shapes.ts";
import { SignerInputs } from "./signer-input.ts";
import { findEnvelope, findStatus } from "./store.ts";
import { uploadDocument } from "./upload-document.ts";
import { voidEnvelope } from "./void-envelope.ts";

const YesOrNo = Type.Enum(["true", "false"]);

const mayRead = { anyScope: ["envelopes:read"] } as const;
const mayReadOrDraft = { anyScope: ["envelopes:read", "drafts:write"] } as const;
const mayWrite = { anyScope: ["envelopes:write"] } as const;
const mayCreate = { anyScope: ["envelopes:write", "drafts:write"] } as const;
const mayDraft = { ...mayCreate, ownDraft: true } as const;
const maySend = { anyScope: ["envelopes:write", "esign:write"] } as const;
const oneEnvelope = { params: { envelope_id: "envelope" }, missing: "envelope_not_found" } as const;

const storedPdfProblems = [...pdfProblems, "storage_away"] as const;
const providerProblems = ["provider_rejected", "provider_unreachable", "provider_not_configured"] as const;

export function envelopeEndpoints(deps: EnvelopeDeps): Endpoint[] {
  return [
    ...endpointsOfMany(deps),
    ...makingEnvelopes(deps),
    ...readingEnvelopes(deps),
    ...preparingEnvelopes(deps),
    ...fieldEndpoints(deps),
    ...documentEndpoints(deps),
    ...sendingEnvelopes(deps),
    ...recipientEndpoints(deps),
  ];
}

function makingEnvelopes(deps: EnvelopeDeps): Endpoint[] {
  return [
    endpoint({
      name: "create_envelope",
      summary: "Create an envelope",
      description:
        "Creates an envelope for a customer, who is created if the e-mail address is new. With `template_id` the envelope has the template's document and fields and can be sent at once. Without it the envelope is `pending` until you attach a document. Nothing is sent to signers yet. A key with `drafts:write` alone can change the draft until it is sent, and cannot send it.",
      resource: "Envelopes",
      sdk: "envelopes.create",
      method: "POST",
      path: "/partner/envelopes",
      access: mayCreate,
      body: CreateBody,
      answer: [201, EnvelopeView],
      problems: [
        "template_not_found",
        "template_archived",
        "template_without_document",
        "several_customers",
        "unknown_roles",
        "too_many_tags",
      ],
      examples: { request: examples.create, answer: examples.envelope },
      run: async (caller, { body }) => presentEnvelope(await createEnvelope(deps, caller, requestOf(body)), caller),
    }),
    uploading({
      name: "upload_document",
      summary: "Create an envelope from a customer's document",
      description:
        "Stores a PDF, PNG or JPEG file for a customer and creates an envelope with it. Tags in the text of a PDF become fields. You can then add fields and send the envelope, or deposit an original that is already signed in the vault. The file can have at most 50 MB.",
      resource: "Envelopes",
      sdk: "customers.documents.create",
      path: "/partner/customers/:customer_id/documents",
      access: mayCreate,
      params: { customer_id: "customer" },
      missing: "customer_not_found",
      exists: (caller, { customer_id }, read) => findCustomer(read, caller.org, customer_id),
      form: {
        parts: Type.Object({
          name: Type.Optional(Name),
          signers: Type.Optional(SignerInputs),
          auto_vault_enabled: Type.Optional(YesOrNo),
          kba_required: Type.Optional(YesOrNo),
        }),
        json: { signers: "invalid" },
        accept: acceptDocument,
      },
      answer: [201, UploadedView],
      problems: ["not_a_document", "image_unreadable", "image_too_large", "unknown_roles", ...storedPdfProblems],
      examples: { request: examples.uploadForm, answer: examples.uploaded },
      prepare: (caller, { params, form, file }) => uploadDocument.prepare(deps, caller, params.customer_id, form, file),
      run: async (caller, _input, document) => presentUploaded(await uploadDocument.save(deps, caller, document)),
    }),
  ];
}

// Enough for callers to find their own record again, but not enough to use envelopes as a database.
const MAX_METADATA_BYTES = 4_096;

function requestOf({ template_id, metadata, ...body }: Static<typeof CreateBody>): EnvelopeRequest {
  if (template_id !== undefined && !isId("template", template_id)) throw new Problem("template_not_found", "not an id");
  if (metadata !== undefined && Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES) {
    throw invalidField("metadata", "too_long", "must have at most 4 KiB as JSON");
  }
  return {
    ...body,
    ...(template_id !== undefined && { template_id }),
    ...(metadata !== undefined && { metadata }),
  } as unknown as EnvelopeRequest;
}

function readingEnvelopes(deps: EnvelopeDeps): Endpoint[] {
  return [
    listingEnvelopes(),
    reading({
      name: "get_envelope",
      summary: "Get an envelope",
      description:
        "Returns an envelope with its settings. `metadata` contains the sender's options and, for a draft, the signers. Use `get_envelope_status` if you only need the status.",
      resource: "Envelopes",
      sdk: "envelopes.get",
      path: "/partner/envelopes/:envelope_id",
      access: mayReadOrDraft,
      ...oneEnvelope,
      answer: [200, EnvelopeView],
      examples: { answer: examples.envelope },
      run: async (caller, { params }, read) => presentEnvelope(await findEnvelope(read, caller.org, params.envelope_id), caller),
    }),
    reading({
      name: "get_envelope_status",
      summary: "Get the status of an envelope",
      description:
        "Returns only the status of an envelope and whether it is vaulted and certified. Use it for polling: the response is small, and with `If-None-Match` it is 304 while nothing has changed. Webhooks are faster.",
      resource: "Envelopes",
      sdk: "envelopes.getStatus",
      path: "/partner/envelopes/:envelope_id/status",
      access: mayReadOrDraft,
      ...oneEnvelope,
      answer: [200, StatusView],
      examples: { answer: examples.status },
      run: async (caller, { params }, read) => presentStatus(await findStatus(read, caller.org, params.envelope_id)),
    }),
    listing({
      name: "list_envelope_audit_trail",
      summary: "List the audit trail of an envelope",
      description:
        "Lists everything that happened to an envelope, newest first. Each entry is a link in the envelope's hash chain, so a changed entry can be detected.",
      resource: "Envelopes",
      sdk: "envelopes.auditTrail.list",
      path: "/partner/envelopes/:envelope_id/audit-trail",
      access: mayRead,
      ...oneEnvelope,
      item: TrailItemView,
      examples: { answer: examples.trailItem },
      run: async (caller, { params, page, limit }, read) => {
        await findStatus(read, caller.org, params.envelope_id);
        const { items, total } = await listEntries(read, caller.org, params.envelope_id, { page, limit });
        return { items: items.map((item) => presentTrailItem(item, caller)), total };
      },
    }),
    serving({
      name: "export_audit_trail",
      summary: "Export the audit trail of an envelope as CSV",
      description:
        "Returns the whole audit trail of an envelope as a CSV file in UTF-8, oldest entry first. Columns: seq, at, event (a sentence in English), type, actor_kind, actor_id, data (JSON, empty after it was erased), previous_hash, hash. A cell that a spreadsheet would run as a formula gets an apostrophe in front.",
      resource: "Envelopes",
      sdk: "envelopes.auditTrail.export",
      path: "/partner/envelopes/:envelope_id/audit-trail.csv",
      access: mayRead,
      ...oneEnvelope,
      types: ["text/csv"],
      run: (caller, { params }) => exportAuditTrail(deps, caller, params.envelope_id),
    }),
    serving({
      name: "get_envelope_document",
      summary: "Download the document of an envelope",
      description:
        "Returns the PDF of an envelope. Until everyone has signed, it is the prepared document without signatures. After that, it is the sealed document or, for a vaulted envelope or one with auto-vault, a copy that is marked on every page. Both downloads are recorded in the audit trail. Just after the last signature the response can be 409 with `Retry-After` while the document is sealed.",
      resource: "Envelopes",
      sdk: "envelopes.document.get",
      path: "/partner/envelopes/:envelope_id/document",
      access: mayRead,
      ...oneEnvelope,
      types: ["application/pdf"],
      problems: ["envelope_without_document", "document_not_ready", "record_mismatch", "document_unavailable", "pdf_busy"],
      run: (caller, { params }) => issueDocument(deps, { caller, named: caller.actor.id, early: "prepared" }, params.envelope_id),
    }),
    serving({
      name: "get_completion_certificate",
      summary: "Download the completion certificate of an envelope",
      description:
        "Returns a sealed PDF that says what the audit trail recorded about a finished envelope: who was asked to sign, who signed, when, how each person got access, the hashes of the document and every event up to the end. For `completed`, `vaulted`, `declined`, `voided` and `expired`; any other status returns 409. It is made on the first request and kept: the same status always returns the same bytes. A completed envelope that is vaulted later gets a second certificate. In English.",
      resource: "Envelopes",
      sdk: "envelopes.completionCertificate.get",
      path: "/partner/envelopes/:envelope_id/completion-certificate",
      access: mayRead,
      ...oneEnvelope,
      types: ["application/pdf"],
      problems: ["envelope_wrong_status", "document_not_ready", "record_mismatch", "document_unavailable", "pdf_busy"],
      run: ({ org }, { params }) => serveCompletion(deps, org, params.envelope_id),
    }),
    reading({
      name: "get_certification_terms",
      summary: "Get the certification terms",
      description:
        "Returns the current terms that must be accepted before an envelope with auto-vault is sent or a document is deposited in the vault. Show the text to the person who accepts the terms, and send `terms_version` in `certification`.",
      resource: "Envelopes",
      sdk: "certificationTerms.get",
      path: "/partner/certification-terms",
      access: mayRead,
      answer: [200, TermsView],
      examples: { answer: examples.terms },
      run: async () => currentTerms(deps.texts),
    }),
  ];
}

function preparingEnvelopes(deps: EnvelopeDeps): Endpoint[] {
  return [
    endpoint({
      name: "update_envelope",
      summary: "Update an envelope",
      description:
        "Changes a draft. Fields that you leave out keep their values, and null clears a value. An envelope that has been sent returns 409, with two exceptions: `expires_at` and `reminders` can be changed while it is `sent` or `viewed`, and `tags` and `owner_user_id` in any status. With `drafts:write` alone, nothing can be changed after sending.",
      resource: "Envelopes",
      sdk: "envelopes.update",
      method: "PATCH",
      path: "/partner/envelopes/:envelope_id",
      access: mayDraft,
      ...oneEnvelope,
      body: ChangeBody,
      answer: [200, EnvelopeView],
      problems: ["envelope_wrong_status", "unknown_roles", "secured_party_on_record", "too_many_tags"],
      ifMatch: true,
      examples: { request: examples.change, answer: examples.envelope },
      run: async (caller, { params, body, unchanged }) => {
        const change = body as unknown as EnvelopeChange;
        return presentEnvelope(
          await changeEnvelope(deps, caller, params.envelope_id, change, (now) => unchanged(presentEnvelope(now, caller))),
          caller,
        );
      },
    }),
    endpoint({
      name: "duplicate_envelope",
      summary: "Duplicate an envelope",
      description:
        "Creates a new draft for the same customer with the document as it was uploaded, the fields, recipients, settings and tags of an envelope in any status. Values that were filled in, signatures, accepted terms, identity questions, `external_id` and `metadata` are not copied, and which codes people must enter only from a draft.",
      resource: "Envelopes",
      sdk: "envelopes.duplicate",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/duplicate",
      access: mayDraft,
      ...oneEnvelope,
      answer: [201, EnvelopeView],
      problems: ["document_not_reusable"],
      examples: { answer: examples.envelope },
      run: async (caller, { params }) => presentEnvelope(await duplicateEnvelope(deps, caller, params.envelope_id), caller),
    }),
    endpoint({
      name: "save_envelope_as_template",
      summary: "Save an envelope as a template",
      description:
        "Creates a template with the document as it was uploaded, the fields and the settings of an envelope in any status. Its roles are those of the recipients. Their names and e-mail addresses become part of the template only with `keep_people`; people without a role, such as viewers and cc, are then included too. With `drafts:write` alone, a key saves drafts that it created.",
      resource: "Envelopes",
      sdk: "envelopes.saveAsTemplate",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/template",
      access: mayDraft,
      ...oneEnvelope,
      body: Type.Object({ name: Name, keep_people: Type.Optional(Type.Boolean({ default: false })) }),
      answer: [201, TemplateView],
      problems: [
        "envelope_without_document",
        "document_not_reusable",
        "document_unavailable",
        "template_not_saved",
        "envelope_wrong_status",
        ...storedPdfProblems,
        ...providerProblems,
      ],
      examples: { request: { name: "Lease", keep_people: false }, answer: wholeExample },
      prepare: (caller, { params, body }) => saveAsTemplate.prepare(deps, caller, params.envelope_id, body),
      discard: (caller, prepared) => saveAsTemplate.discard(deps, caller, prepared),
      run: async (caller, _input, prepared) => {
        const { template_id } = (await saveAsTemplate.save(deps, caller, prepared)).template;
        return deps.db.tx(caller.org, async (tx) => presentTemplate(await findWholeTemplate(tx, caller.org, template_id)));
      },
    }),
    endpoint({
      name: "discard_envelope",
      summary: "Discard an envelope",
      description:
        'Discards a draft. Its status becomes `voided` with the reason "discarded", and it stays in the list and the audit trail. Use `void_envelope` for an envelope that has been sent.',
      resource: "Envelopes",
      sdk: "envelopes.discard",
      method: "DELETE",
      path: "/partner/envelopes/:envelope_id",
      access: mayWrite,
      ...oneEnvelope,
      answer: [200, VoidedView],
      problems: ["envelope_wrong_status"],
      examples: { answer: { ...examples.voided, reason: "discarded" } },
      run: async (caller, { params }) => presentVoided(await voidEnvelope(deps, caller, params.envelope_id, "discarded", "discard")),
    }),
    uploading({
      name: "attach_document",
      summary: "Attach a document to an envelope",
      description:
        "Adds the document to a `pending` envelope: a PDF, PNG or JPEG file of at most 50 MB. Tags in the text of a PDF become fields. The envelope moves to `uploaded` and can be sent. More documents are added with `add_envelope_document`.",
      resource: "Envelopes",
      sdk: "envelopes.document.attach",
      path: "/partner/envelopes/:envelope_id/upload",
      access: mayDraft,
      ...oneEnvelope,
      exists: (caller, { envelope_id }, read) => findStatus(read, caller.org, envelope_id),
      form: { parts: Type.Object({}), accept: acceptDocument },
      answer: [200, EnvelopeView],
      problems: ["not_a_document", "image_unreadable", "image_too_large", "unknown_roles", "envelope_wrong_status", ...storedPdfProblems],
      examples: { request: examples.attachForm, answer: examples.attached },
      prepare: (caller, { params, file }) => attachDocument.prepare(deps, caller, params.envelope_id, file),
      run: async (caller, _input, attachment) => presentEnvelope(await attachDocument.save(deps, caller, attachment), caller),
    }),
  ];
}

function sendingEnvelopes(deps: EnvelopeDeps): Endpoint[] {
  return [
    endpoint({
      name: "send_envelope",
      summary: "Send an envelope",
      description:
        "Sends an envelope to its signers and freezes the document; several documents are combined into one. Settings that you leave out are taken from the draft, and so are its people with their `authentication` if you name none; 422 if one of those must enter an access code, which a draft does not keep. Signers without a signature field get one on an extra page at the end. Signers whose turn it is get an invitation. With auto-vault, `certification` is required.",
      resource: "Envelopes",
      sdk: "envelopes.send",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/send",
      access: maySend,
      ...oneEnvelope,
      body: SendBody,
      answer: [200, SentView],
      problems: [
        "envelope_wrong_status",
        "envelope_without_document",
        "envelope_changed",
        "unknown_roles",
        "provider_cannot",
        "certification_required",
        "certification_terms_outdated",
        "document_unavailable",
        "passwords_busy",
        ...storedPdfProblems,
        ...providerProblems,
      ],
      ifMatch: true,
      examples: { request: examples.send, answer: examples.sent },
      prepare: (caller, { params, body, unchanged }) =>
        sendEnvelope.prepare(deps, caller, params.envelope_id, body as SendRequest, (now) => unchanged(presentEnvelope(now, caller))),
      discard: (caller, prepared) => sendEnvelope.discard(deps, caller, prepared),
      run: async (caller, { unchanged }, prepared) =>
        presentSent(await sendEnvelope.save(deps, caller, prepared, (now) => unchanged(presentEnvelope(now, caller))), caller),
    }),
    endpoint({
      name: "remind_signers",
      summary: "Remind signers",
      description:
        "Sends a reminder by e-mail to the signers whose turn it is. Signers who were reminded a moment ago are skipped; if no signer is left, the response is 409 with `Retry-After`. For regular reminders, set `reminders` on the envelope instead.",
      resource: "Signers",
      sdk: "envelopes.remind",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/remind",
      access: maySend,
      ...oneEnvelope,
      body: RemindBody,
      answer: [200, RemindedView],
      problems: ["envelope_wrong_status", "nobody_to_remind", "reminded_already"],
      examples: { request: examples.remind, answer: examples.reminded },
      run: async (caller, { params, body }) => presentReminded(await remindSigners(deps, caller, params.envelope_id, body.emails)),
    }),
    endpoint({
      name: "correct_signer",
      summary: "Correct a signer",
      description:
        "Corrects the e-mail address, name or language of a signer who has not opened the document yet. With a new address the signer gets a new `slug` and a new link, and the old link stops working. A signer who has opened the document cannot be corrected. Void the envelope and send a new one.",
      resource: "Signers",
      sdk: "envelopes.signers.update",
      method: "PATCH",
      path: "/partner/envelopes/:envelope_id/signers/:slug",
      access: maySend,
      params: { envelope_id: "envelope", slug: "slug" },
      missing: "signer_not_found",
      body: CorrectBody,
      answer: [200, SentSigner],
      problems: ["envelope_wrong_status", "signer_opened", "record_mismatch"],
      examples: { request: examples.correct, answer: examples.corrected },
      run: async (caller, { params, body }) => {
        const { signer, order } = await correctSigner(deps, caller, params.envelope_id, params.slug, body as Correction);
        return presentSentSigner(signer, order);
      },
    }),
    endpoint({
      name: "void_envelope",
      summary: "Void an envelope",
      description:
        "Ends an envelope before everyone has signed. Links stop working, and invited signers who have not signed get an e-mail with the reason. An envelope that is completed, declined or expired returns 409. With `drafts:write` alone, a key can discard drafts that it created, and void nothing that was sent. This cannot be undone.",
      resource: "Envelopes",
      sdk: "envelopes.void",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/void",
      access: mayDraft,
      ...oneEnvelope,
      body: VoidBody,
      answer: [200, VoidedView],
      problems: ["envelope_wrong_status"],
      examples: { request: examples.voiding, answer: examples.voided },
      run: async (caller, { params, body }) => presentVoided(await voidEnvelope(deps, caller, params.envelope_id, body.reason)),
    }),
  ];
}
