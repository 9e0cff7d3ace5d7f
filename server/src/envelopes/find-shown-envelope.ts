import type { ShownDocument } from "../documents/show-page.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { lookUpDocument } from "./document-store.ts";
import type { Envelope, EnvelopeDeps } from "./envelope.ts";
import { findEnvelope, wrongStatus } from "./store.ts";

/**
 * The document as its sender prepared it, which nobody has signed: to look at it is no act and leaves no trace, also once everybody has
 * signed a version of it. What was signed elsewhere and deposited here is only ever seen as a copy, marked and recorded.
 */
export async function findShownEnvelope(
  { db }: Pick<EnvelopeDeps, "db">,
  { org }: Caller,
  envelope_id: EnvelopeId,
): Promise<ShownDocument> {
  const { envelope, document } = await db.tx(org, async (tx) => ({
    envelope: await findEnvelope(tx, org, envelope_id),
    document: await lookUpDocument(tx, org, envelope_id),
  }));
  if (document === null) throw new Problem("envelope_without_document");
  if (isDeposited(envelope)) throw wrongStatus("show", envelope.status);
  return { sha256: document.pdf_sha256, pages: document.pages.length, unavailable: "document_unavailable" };
}

const isDeposited = ({ status, submission_id }: Envelope): boolean =>
  submission_id === null && (status === "completed" || status === "vaulted");
