import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { refuseTooLarge } from "../documents/document-list.ts";
import type { Warning } from "../documents/warnings.ts";
import type { ReceivedFile } from "../http/form.ts";
import type { Caller } from "../shared/caller.ts";
import { type EnvelopeId, newId, type TemplateId } from "../shared/ids.ts";
import { rolesOf } from "../signing/field.ts";
import { keyFields } from "../templates/key-fields.ts";
import { bringFromTemplate } from "./bring-from-template.ts";
import { usableTemplate } from "./create-envelope.ts";
import { documentPath, nameOfFile } from "./document.ts";
import { type LockedDraft, lockDraft, refuseSent, refuseTooManyFields, touchDraft } from "./document-changes.ts";
import { copyTemplateDocuments, findFields, insertFields, type ListedDocument, listDocuments, withRoles } from "./document-store.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import { refuseUnknownRecipientRoles, savedRecipients } from "./recipient-input.ts";
import { findEnvelope, moveEnvelope } from "./store.ts";
import { receivedData, recordDocument, type TakenDocument, takeDocument } from "./take-document.ts";

/** A file with the name that it gets, or a template whose documents and fields are added. */
export type AddedDocument = { readonly file: ReceivedFile; readonly name: string | undefined } | { readonly template_id: TemplateId };

export type PreparedDocument = { readonly name: string; readonly document: TakenDocument } | { readonly template_id: TemplateId };

/** The documents of the envelope after a change. */
export interface ChangedDocuments {
  readonly documents: readonly ListedDocument[];
  readonly warnings: readonly Warning[];
}

async function prepareDocument(
  deps: EnvelopeDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  given: AddedDocument,
): Promise<PreparedDocument> {
  if ("template_id" in given) return given;
  const { envelope, fields } = await deps.db.tx(caller.org, async (tx) => ({
    envelope: await findEnvelope(tx, caller.org, envelope_id),
    fields: await findFields(tx, caller.org, envelope_id),
  }));
  // Before the file is processed. The binding check is under the lock.
  refuseSent(envelope);
  const people = { field: "signers", people: savedRecipients(envelope.signers) } as const;
  const document = await takeDocument(deps, caller, given.file, ({ roles }) => {
    refuseUnknownRecipientRoles(people, { named: roles, placed: rolesOf(withRoles(fields)) }, "form");
  });
  return { document, name: given.name ?? nameOfFile(given.file.name, document.extension) };
}

function saveDocument(deps: EnvelopeDeps, caller: Caller, envelope_id: EnvelopeId, prepared: PreparedDocument): Promise<ChangedDocuments> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const draft = await lockDraft(tx, org, envelope_id);
    await ("template_id" in prepared
      ? addTemplate(tx, caller, draft, prepared.template_id)
      : addFile(tx, caller, draft, prepared.name, prepared.document));
    if (draft.envelope.status === "pending") await moveEnvelope(tx, org, envelope_id, "attach");
    else await touchDraft(tx, org, envelope_id);
    const warnings = "template_id" in prepared ? [] : prepared.document.warnings;
    return { documents: await listDocuments(tx, org, envelope_id), warnings };
  });
}

async function addFile(tx: Tx, caller: Caller, { envelope, documents }: LockedDraft, name: string, document: TakenDocument): Promise<void> {
  const { org } = caller;
  const { envelope_id } = envelope;
  refuseTooLarge([...documents, { pages: document.taken.pages, pdf_size: document.pdf.size }]);
  refuseTooManyFields((await findFields(tx, org, envelope_id)).length + document.taken.fields.length);
  const place = { document_id: newId("document", tx.now.getTime()), document_no: documents.length + 1, name };
  await recordDocument(tx, caller, envelope_id, place, document);
  const data = { name, ...receivedData(documentPath(org, envelope_id, name), place, document) };
  await appendAudit(tx, org, { type: "document.received", by: caller, envelope_id, data });
}

/** The documents of the template come last, with their fields, its people and its defaults. Keys that are taken are made again from the names. */
async function addTemplate(tx: Tx, caller: Caller, { envelope, documents }: LockedDraft, template_id: TemplateId): Promise<void> {
  const { org } = caller;
  const { envelope_id } = envelope;
  const template = await usableTemplate(tx, org, template_id);
  refuseTooLarge([...documents, ...template.documents]);
  const present = await findFields(tx, org, envelope_id);
  refuseTooManyFields(present.length + template.fields.length);
  const copied = template.documents.map(({ document_no, name }) => ({
    from_no: document_no,
    document_id: newId("document", tx.now.getTime()),
    document_no: documents.length + document_no,
    name,
    path: documentPath(org, envelope_id, name),
  }));
  await copyTemplateDocuments(tx, org, envelope_id, { template_id, documents: copied });
  const taken = new Set(present.map(({ field_key }) => field_key));
  const fields = template.fields.map((field) => ({
    ...field,
    document_no: documents.length + field.document_no,
    field_key: taken.has(field.field_key) ? null : field.field_key,
    prefilled: null,
  }));
  await insertFields(tx, org, envelope_id, keyFields(fields, present));
  await bringFromTemplate(tx, caller, envelope, template.template, rolesOf(template.fields));
  const data = {
    template_id,
    documents: copied.map(({ document_id, document_no, name, from_no }) => {
      const sha256 = template.documents.find((one) => one.document_no === from_no)?.pdf_sha256 ?? null;
      return { document_id, document_no, name, sha256 };
    }),
  };
  await appendAudit(tx, org, { type: "document.copied", by: caller, envelope_id, data });
}

/** The steps of the operation, in the order in which the endpoint runs them. */
export const addDocument = { prepare: prepareDocument, save: saveDocument };
