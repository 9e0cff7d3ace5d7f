import { appendAudit } from "../audit/append-audit.ts";
import { findDocument, refuseTooLarge } from "../documents/document-list.ts";
import { stayOnPages } from "../documents/stay-on-pages.ts";
import type { ReceivedFile } from "../http/form.ts";
import type { Caller } from "../shared/caller.ts";
import type { DocumentId, EnvelopeId } from "../shared/ids.ts";
import { releaseBlobs } from "../storage/store.ts";
import { keyFields } from "../templates/key-fields.ts";
import type { ChangedDocuments } from "./add-document.ts";
import { lockDraft, refuseSent, refuseTooManyFields, touchDraft } from "./document-changes.ts";
import {
  deleteFieldsOf,
  findFields,
  insertFields,
  insertReceived,
  listDocuments,
  replaceDocument as replaceRow,
} from "./document-store.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import { findEnvelope } from "./store.ts";
import { fieldsOf, keepFiles, receivedData, rowOf, type TakenDocument, takeDocument } from "./take-document.ts";

/** Replaces the file of a draft's document. */
async function prepareReplacement(
  deps: EnvelopeDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  document_id: DocumentId,
  file: ReceivedFile,
): Promise<TakenDocument> {
  const { org } = caller;
  await deps.db.tx(org, async (tx) => {
    refuseSent(await findEnvelope(tx, org, envelope_id));
    findDocument(await listDocuments(tx, org, envelope_id), document_id);
  });
  return takeDocument(deps, caller, file, () => undefined);
}

/** Fields on pages that still exist stay. A tag of the new file becomes a field unless a field of that name and role is there. */
function saveReplacement(
  deps: EnvelopeDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  document_id: DocumentId,
  document: TakenDocument,
): Promise<ChangedDocuments> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const { documents } = await lockDraft(tx, org, envelope_id);
    const place = findDocument(documents, document_id);
    const { document_no, name, path } = place;
    const others = documents.filter((one) => one !== place);
    refuseTooLarge([...others, { pages: document.taken.pages, pdf_size: document.pdf.size }]);
    await releaseBlobs(tx, org, [place.hash, place.pdf_sha256]);
    await keepFiles(tx, org, document);
    await replaceRow(tx, org, envelope_id, rowOf(org, envelope_id, place, document));
    await insertReceived(tx, org, envelope_id, document_no, document);
    const before = await findFields(tx, org, envelope_id);
    const elsewhere = before.filter((field) => field.document_no !== document_no);
    const stay = stayOnPages(
      before.filter((field) => field.document_no === document_no),
      document.taken.pages.length,
    );
    const added = fieldsOf(document.taken, document_no).filter(
      (field) => !stay.fields.some((other) => other.name === field.name && other.role === field.role),
    );
    const fields = [...stay.fields, ...added];
    refuseTooManyFields(elsewhere.length + fields.length);
    await deleteFieldsOf(tx, org, envelope_id, document_no);
    await insertFields(tx, org, envelope_id, keyFields(fields, elsewhere));
    await touchDraft(tx, org, envelope_id);
    const data = { name, replaces_sha256: place.pdf_sha256, ...receivedData(path, place, document) };
    await appendAudit(tx, org, { type: "document.received", by: caller, envelope_id, data });
    return { documents: await listDocuments(tx, org, envelope_id), warnings: [...stay.warnings, ...document.warnings] };
  });
}

/** The steps of the operation, in the order in which the endpoint runs them. */
export const replaceDocument = { prepare: prepareReplacement, save: saveReplacement };
