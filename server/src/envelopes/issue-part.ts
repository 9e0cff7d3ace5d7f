import { COPY_MARK, copySealReason } from "@countersign/evidence";
import { findDocument } from "../documents/document-list.ts";
import { asPdfProblem } from "../documents/pdf-problems.ts";
import type { FileAnswer } from "../http/endpoint.ts";
import { type DocumentId, type EnvelopeId, newId } from "../shared/ids.ts";
import { notingMismatch } from "../signing/noting-mismatch.ts";
import type { SentPart } from "../signing/submission.ts";
import { sha512InTurns } from "../storage/hash.ts";
import { listDocuments } from "./document-store.ts";
import type { Envelope, EnvelopeDeps } from "./envelope.ts";
import { marksOf, provenNow } from "./finish-document.ts";
import { asPdf, bandOf, bytesOf, issueDocument, notReady, preparedWords, type Reader, recordIssue, turnOf } from "./issue-document.ts";
import { marksOfPart } from "./marks-of-part.ts";
import { recordDeps } from "./on-submission.ts";
import { findEnvelope } from "./store.ts";

/**
 * One document in the form that its reader can have now: before everyone has signed its own PDF, afterwards its own sealed PDF or, where
 * the whole document is handed out only as a marked copy, a marked copy of this one.
 */
export async function issuePart(deps: EnvelopeDeps, reader: Reader, envelope_id: EnvelopeId, document_id: DocumentId): Promise<FileAnswer> {
  const { org } = reader.caller;
  const { envelope, documents } = await deps.db.tx(org, async (tx) => ({
    envelope: await findEnvelope(tx, org, envelope_id),
    documents: await listDocuments(tx, org, envelope_id),
  }));
  const document = findDocument(documents, document_id);
  // The only document is the whole envelope.
  if (documents.length === 1) return issueDocument(deps, reader, envelope_id);
  const isCompleted = envelope.status === "completed" || envelope.status === "vaulted";
  if (!isCompleted) return asPdf(await bytesOf(deps, org, document.pdf_sha256), document.name, preparedWords(envelope));
  const record = await notingMismatch(recordDeps(deps), org, () => provenNow(deps, org, envelope_id));
  const part = record.document.documents.find(({ document_no }) => document_no === document.document_no);
  if (part === undefined) throw new Error("a document that the record does not have");
  const isMarked = envelope.auto_vault_enabled || envelope.status === "vaulted" || reader.marked === true;
  if (record.document.stamped_sha256 === null || (!isMarked && part.part_sha256 === null)) return notReady(deps, org, envelope_id);
  if (!isMarked) return issueSealed(deps, reader, envelope_id, part);
  await deps.requireUndamaged(org, envelope_id);
  const marks = marksOfPart(marksOf(record, envelope_id), part);
  const stamped = await deps.pdf.finish(await bytesOf(deps, org, part.sha256), { marks }, turnOf(reader)).catch(asPdfProblem);
  return issueMarked(deps, reader, envelope, part, stamped.bytes);
}

async function issueSealed(deps: EnvelopeDeps, reader: Reader, envelope_id: EnvelopeId, part: SentPart): Promise<FileAnswer> {
  const { org } = reader.caller;
  const sha256 = part.part_sha256 as string;
  const bytes = await bytesOf(deps, org, sha256);
  const issued_copy_id = newId("issuedCopy");
  const { document_no, pages } = part;
  const hashes = { sha256, sha512: await sha512InTurns(bytes) };
  const issue = { issued_copy_id, kind: "signed", bytes, ...hashes, pages, marked_pages: 0, document_no } as const;
  await deps.db.tx(org, (tx) => recordIssue(tx, reader, envelope_id, issue));
  return asPdf(bytes, part.name, "signed", { "x-copy-id": issued_copy_id, "x-document-rendition": "signed" });
}

async function issueMarked(
  deps: EnvelopeDeps,
  reader: Reader,
  envelope: Envelope,
  part: SentPart,
  stamped: Uint8Array,
): Promise<FileAnswer> {
  const { org } = reader.caller;
  const { envelope_id } = envelope;
  const issued_copy_id = newId("issuedCopy");
  const band = bandOf(COPY_MARK, reader, envelope, issued_copy_id, part.sha256);
  const texts = envelope.status === "vaulted" ? { band, diagonal: "COPY" } : { band };
  const { bytes: marked, pages } = await deps.pdf.copy(stamped, texts, turnOf(reader)).catch(asPdfProblem);
  const { bytes } = await deps.sealCopy(org, marked, copySealReason(envelope_id));
  const { document_no } = part;
  const sha512 = await sha512InTurns(bytes);
  const issue = { issued_copy_id, kind: "copy", bytes, sha512, pages, marked_pages: pages, document_no } as const;
  await deps.db.tx(org, (tx) => recordIssue(tx, reader, envelope_id, issue));
  return asPdf(bytes, part.name, "copy", { "x-copy-id": issued_copy_id, "x-document-rendition": "copy" });
}
