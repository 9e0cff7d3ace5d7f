import { appendAudit } from "../audit/append-audit.ts";
import { findDocument, renumber } from "../documents/document-list.ts";
import type { Caller } from "../shared/caller.ts";
import type { DocumentId, EnvelopeId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { releaseBlobs } from "../storage/store.ts";
import type { ChangedDocuments } from "./add-document.ts";
import { lockDraft, touchDraft } from "./document-changes.ts";
import { deleteDocument, listDocuments, renumberDocuments } from "./document-store.ts";
import type { EnvelopeDeps } from "./envelope.ts";

/** Removes a document of a draft with its fields. Those after it move up. */
export function removeDocument(
  deps: Pick<EnvelopeDeps, "db">,
  caller: Caller,
  envelope_id: EnvelopeId,
  document_id: DocumentId,
): Promise<ChangedDocuments> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const { documents } = await lockDraft(tx, org, envelope_id);
    const { document_no, name, hash, pdf_sha256 } = findDocument(documents, document_id);
    if (documents.length === 1) throw new Problem("last_document");
    await deleteDocument(tx, org, envelope_id, document_no);
    await releaseBlobs(tx, org, [hash, pdf_sha256]);
    await renumberDocuments(tx, org, envelope_id, renumber(documents.filter((one) => one.document_id !== document_id)));
    await touchDraft(tx, org, envelope_id);
    const data = { document_id, document_no, name, sha256: pdf_sha256 };
    await appendAudit(tx, org, { type: "document.removed", by: caller, envelope_id, data });
    return { documents: await listDocuments(tx, org, envelope_id), warnings: [] };
  });
}
