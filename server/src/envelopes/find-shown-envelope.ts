import type { ShownDocuments } from "../documents/show-page.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { listDocuments, lookUpDocument } from "./document-store.ts";
import type { Envelope, EnvelopeDeps } from "./envelope.ts";
import { findEnvelope, wrongStatus } from "./store.ts";

/**
 * The document as its sender prepared it, without signatures, even after everyone has signed. Looking at it is not recorded. A deposited
 * document was signed elsewhere, so it is only shown as a marked copy, which is recorded.
 */
export async function findShownEnvelope(
  { db }: Pick<EnvelopeDeps, "db">,
  { org }: Caller,
  envelope_id: EnvelopeId,
): Promise<ShownDocuments> {
  const { envelope, document, documents } = await db.tx(org, async (tx) => ({
    envelope: await findEnvelope(tx, org, envelope_id),
    document: await lookUpDocument(tx, org, envelope_id),
    documents: await listDocuments(tx, org, envelope_id),
  }));
  if (document === null) throw new Problem("envelope_without_document");
  if (isDeposited(envelope)) throw wrongStatus("show", envelope.status);
  // Once it is sent, what everyone sees: several documents are one.
  const shown = document.document_no === 0 ? [document] : documents;
  return { documents: shown.map(({ pdf_sha256: sha256, pages }) => ({ sha256, pages })), unavailable: "document_unavailable" };
}

const isDeposited = ({ status, submission_id }: Envelope): boolean =>
  submission_id === null && (status === "completed" || status === "vaulted");
