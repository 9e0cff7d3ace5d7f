import { appendAudit } from "../audit/append-audit.ts";
import { findDocument, moveDocument } from "../documents/document-list.ts";
import type { Caller } from "../shared/caller.ts";
import type { DocumentId, EnvelopeId } from "../shared/ids.ts";
import type { ChangedDocuments } from "./add-document.ts";
import { documentPath } from "./document.ts";
import { refuseSent, touchDraft } from "./document-changes.ts";
import { type ListedDocument, listDocuments, nameDocument, renumberDocuments } from "./document-store.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import { lockRow } from "./store.ts";

export interface DocumentChange {
  readonly name?: string;
  /** its new place; the others move up or down */
  readonly document_no?: number;
}

export function changeDocument(
  deps: Pick<EnvelopeDeps, "db">,
  caller: Caller,
  envelope_id: EnvelopeId,
  document_id: DocumentId,
  { name, document_no }: DocumentChange,
  unchanged: (now: readonly ListedDocument[]) => void,
): Promise<ChangedDocuments> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const envelope = await lockRow(tx, org, envelope_id);
    const documents = await listDocuments(tx, org, envelope_id);
    findDocument(documents, document_id);
    unchanged(documents);
    refuseSent(envelope);
    if (name !== undefined) await nameDocument(tx, org, envelope_id, { document_id, name, path: documentPath(org, envelope_id, name) });
    if (document_no !== undefined) await renumberDocuments(tx, org, envelope_id, moveDocument(documents, document_id, document_no));
    const after = await listDocuments(tx, org, envelope_id);
    const changed = findDocument(after, document_id);
    await touchDraft(tx, org, envelope_id);
    const data = { document_id, name: changed.name, document_no: changed.document_no };
    await appendAudit(tx, org, { type: "document.changed", by: caller, envelope_id, data });
    return { documents: after, warnings: [] };
  });
}
