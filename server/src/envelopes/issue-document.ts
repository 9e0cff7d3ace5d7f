import { COPY_MARK, copySealReason, PAPER_MARK, PARTIAL_MARK } from "@countersign/evidence";
import { appendAudit } from "../audit/append-audit.ts";
import type { Read, Tx } from "../db/sql.ts";
import { asPdfProblem } from "../documents/pdf-problems.ts";
import { readStored } from "../documents/read-stored.ts";
import type { FileAnswer } from "../http/endpoint.ts";
import type { Caller } from "../shared/caller.ts";
import { type EnvelopeId, type IssuedCopyId, newId, type OrgId } from "../shared/ids.ts";
import { nameFile } from "../shared/name-file.ts";
import { Problem } from "../shared/problems.ts";
import { sha256 } from "../shared/secrets.ts";
import { notingMismatch } from "../signing/noting-mismatch.ts";
import { sha512InTurns } from "../storage/hash.ts";
import { joinFiles } from "./combine-documents.ts";
import { type EnvelopeDocument, insertIssue, listDocuments, lookUpDocument } from "./document-store.ts";
import type { Envelope, EnvelopeDeps } from "./envelope.ts";
import { provenNow, resumeFinishing, signedMarks } from "./finish-document.ts";
import { recordDeps } from "./on-submission.ts";
import { findEnvelope } from "./store.ts";

/** Who gets a document, and how a copy names them. */
export interface Reader {
  readonly caller: Pick<Caller, "org" | "actor" | "ip" | "user_agent" | "request_id">;
  /** an e-mail address, or the id of a key or user */
  readonly named: string;
  /** before everyone has signed: with what was signed so far, the same to sign in ink, or as it was sent */
  readonly early: "partial" | "paper" | "prepared";
  /** afterwards: a marked copy also where the sealed document could be handed out */
  readonly marked?: boolean;
}

/**
 * The document in the form that its reader can have now. Before the last signature, it is the prepared version, or that version with the
 * values so far, marked as unfinished. Afterwards it is the sealed document; with auto-vault, and once it is vaulted, only a copy that
 * is marked on every page. Anything that could be mistaken for the signed document is recorded before its first byte is sent.
 */
export async function issueDocument(deps: EnvelopeDeps, reader: Reader, envelope_id: EnvelopeId): Promise<FileAnswer> {
  const { org } = reader.caller;
  const now = await deps.db.tx(org, (tx) => readWithDocument(tx, org, envelope_id));
  const { envelope, document } = now;
  if (document === null) throw new Problem("envelope_without_document");
  if (envelope.status !== "completed" && envelope.status !== "vaulted") {
    if (reader.early === "prepared") return asPdf(await preparedBytes(deps, org, now), envelope.envelope_name, preparedWords(envelope));
    return issuePartial(deps, reader, envelope);
  }
  const { stamped, signed } = await finishedVersions(deps, org, envelope, document);
  const isMarked = envelope.auto_vault_enabled || envelope.status === "vaulted" || reader.marked === true;
  if (stamped === null || (!isMarked && signed === null)) return notReady(deps, org, envelope_id);
  if (!isMarked) return issueSigned(deps, reader, envelope, document, signed as string);
  await deps.requireUndamaged(org, envelope_id);
  const made = await makeCopy(deps, reader, envelope, stamped);
  await deps.db.tx(org, (tx) => recordIssue(tx, reader, envelope_id, made.issue));
  return made.file;
}

/** Several documents of a draft are combined for this reader alone. */
async function preparedBytes(deps: EnvelopeDeps, org: OrgId, { document, documents }: WithDocument): Promise<Uint8Array> {
  if (document === null) throw new Error("the envelope has no document");
  if (document.document_no === 0 || documents.length === 1) return bytesOf(deps, org, document.pdf_sha256);
  const parts: { bytes: Uint8Array; title: string }[] = [];
  for (const { pdf_sha256, name } of documents) parts.push({ bytes: await bytesOf(deps, org, pdf_sha256), title: name });
  return (await joinFiles(deps.pdf, org, parts)).bytes;
}

/** Throws document_not_ready. If the record was changed, record_mismatch. */
export async function notReady(deps: EnvelopeDeps, org: OrgId, envelope_id: EnvelopeId): Promise<never> {
  await resumeFinishing(deps, org, envelope_id);
  const details = [{ location: "path", field: null, code: "conflict", message: "the signed document is not ready yet" }] as const;
  throw new Problem("document_not_ready", "", { retryAfterSeconds: RETRY_AFTER_SECONDS, details });
}

/** A new marked copy. The caller must record it before handing it out. */
export interface MadeCopy {
  readonly file: FileAnswer;
  readonly issue: Issue;
}

/** A copy of a vaulted document, for callers that hand out the same copy several times. */
export async function makeVaultedCopy(deps: EnvelopeDeps, reader: Reader, envelope_id: EnvelopeId): Promise<MadeCopy> {
  const { org } = reader.caller;
  const { envelope, document } = await deps.db.tx(org, (tx) => readWithDocument(tx, org, envelope_id));
  if (document === null || envelope.status !== "vaulted") throw new Error("the envelope is not vaulted or has no document");
  await deps.requireUndamaged(org, envelope_id);
  const { stamped } = await finishedVersions(deps, org, envelope, document);
  if (stamped === null) throw new Error("a vaulted envelope has no stamped version");
  return makeCopy(deps, reader, envelope, stamped);
}

/** The document with everything that was signed and without a seal, from which copies and the paper are made. */
export async function readFinished(deps: EnvelopeDeps, org: OrgId, envelope_id: EnvelopeId): Promise<Uint8Array> {
  const { envelope, document } = await deps.db.tx(org, (tx) => readWithDocument(tx, org, envelope_id));
  if (document === null) throw new Error("the envelope has no document");
  const { stamped } = await finishedVersions(deps, org, envelope, document);
  if (stamped === null) throw new Error("a vaulted envelope has no stamped version");
  return bytesOf(deps, org, stamped);
}

interface FinishedVersions {
  /** the version that copies are made from */
  readonly stamped: string | null;
  /** the sealed version */
  readonly signed: string | null;
}

/** The hashes of the signed versions, compared with the audit chain, because rows alone could name any document. Throws record_mismatch. */
async function finishedVersions(deps: EnvelopeDeps, org: OrgId, envelope: Envelope, document: EnvelopeDocument): Promise<FinishedVersions> {
  // An upload was not signed here. Copies are made from the deposited file.
  if (envelope.submission_id === null) return { stamped: document.pdf_sha256, signed: null };
  const record = await notingMismatch(recordDeps(deps), org, () => provenNow(deps, org, envelope.envelope_id));
  return { stamped: record.document.stamped_sha256, signed: record.document.signed_sha256 };
}

// Stamping and sealing take a second or two.
const RETRY_AFTER_SECONDS = 2;

interface WithDocument {
  readonly envelope: Envelope;
  readonly document: EnvelopeDocument | null;
  readonly documents: readonly EnvelopeDocument[];
}

async function readWithDocument(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<WithDocument> {
  return {
    envelope: await findEnvelope(read, org, envelope_id),
    document: await lookUpDocument(read, org, envelope_id),
    documents: await listDocuments(read, org, envelope_id),
  };
}

export const bytesOf = (deps: EnvelopeDeps, org: OrgId, sha256: string): Promise<Uint8Array> =>
  readStored(deps, org, sha256, "document_unavailable");

export const turnOf = ({ caller }: Reader) => ({ key: caller.org, priority: "interactive", give_up_bytes: true }) as const;

async function issuePartial(deps: EnvelopeDeps, reader: Reader, envelope: Envelope): Promise<FileAnswer> {
  const { org } = reader.caller;
  const { prepared_sha256, marks } = await signedMarks(deps, org, envelope.envelope_id);
  const issued_copy_id = newId("issuedCopy");
  const stamped = await deps.pdf.finish(await bytesOf(deps, org, prepared_sha256), { marks }, turnOf(reader)).catch(asPdfProblem);
  const band = bandOf(reader.early === "paper" ? PAPER_MARK : PARTIAL_MARK, reader, envelope, issued_copy_id, prepared_sha256);
  const { bytes, pages } = await deps.pdf.copy(stamped.bytes, { band }, turnOf(reader)).catch(asPdfProblem);
  const issue = { issued_copy_id, kind: "partial", bytes, sha512: await sha512InTurns(bytes), pages, marked_pages: pages } as const;
  await deps.db.tx(org, (tx) => recordIssue(tx, reader, envelope.envelope_id, issue));
  const what = reader.early === "paper" ? "to sign on paper" : "not all signed";
  return asPdf(bytes, envelope.envelope_name, what, { "x-copy-id": issued_copy_id, "x-document-rendition": "copy" });
}

async function makeCopy(deps: EnvelopeDeps, reader: Reader, envelope: Envelope, stamped_sha256: string): Promise<MadeCopy> {
  const { org } = reader.caller;
  const issued_copy_id = newId("issuedCopy");
  const band = bandOf(COPY_MARK, reader, envelope, issued_copy_id, stamped_sha256);
  const texts = envelope.status === "vaulted" ? { band, diagonal: "COPY" } : { band };
  const marked = await deps.pdf.copy(await bytesOf(deps, org, stamped_sha256), texts, turnOf(reader)).catch(asPdfProblem);
  const { bytes } = await deps.sealCopy(org, marked.bytes, copySealReason(envelope.envelope_id));
  const file = asPdf(bytes, envelope.envelope_name, "copy", { "x-copy-id": issued_copy_id, "x-document-rendition": "copy" });
  const { pages } = marked;
  return { file, issue: { issued_copy_id, kind: "copy", bytes, sha512: await sha512InTurns(bytes), pages, marked_pages: pages } };
}

async function issueSigned(
  deps: EnvelopeDeps,
  reader: Reader,
  envelope: Envelope,
  document: EnvelopeDocument,
  signed_sha256: string,
): Promise<FileAnswer> {
  const { org } = reader.caller;
  const bytes = await bytesOf(deps, org, signed_sha256);
  const issued_copy_id = newId("issuedCopy");
  const hashes = { sha256: signed_sha256, sha512: await sha512InTurns(bytes) };
  const issue = { issued_copy_id, kind: "signed", bytes, ...hashes, pages: document.pages.length, marked_pages: 0 } as const;
  await deps.db.tx(org, (tx) => recordIssue(tx, reader, envelope.envelope_id, issue));
  return asPdf(bytes, envelope.envelope_name, "signed", { "x-copy-id": issued_copy_id, "x-document-rendition": "signed" });
}

/** The label names the document, the copy, its recipient, the time and the hash. 16 hex digits of the hash are enough to find the bytes. */
export function bandOf(
  what: string,
  { named }: Reader,
  { envelope_id }: Envelope,
  issued_copy_id: IssuedCopyId,
  from_sha256: string,
): string {
  return [what, envelope_id, issued_copy_id, named, `${new Date().toISOString().slice(0, 19)}Z`, from_sha256.slice(0, 16)].join(" · ");
}

interface Issue {
  readonly issued_copy_id: IssuedCopyId;
  readonly kind: "partial" | "signed" | "copy";
  readonly bytes: Uint8Array;
  /** if it is already known */
  readonly sha256?: string;
  readonly sha512: string;
  readonly pages: number;
  readonly marked_pages: number;
  /** if it is one document of several */
  readonly document_no?: number;
}

/** MUST be committed before the document is sent. */
export async function recordIssue(tx: Tx, { caller, named }: Reader, envelope_id: EnvelopeId, issue: Issue): Promise<void> {
  const { issued_copy_id, kind, bytes, sha512, pages, marked_pages, document_no } = issue;
  const hash = issue.sha256 ?? sha256(bytes).toString("hex");
  const { actor } = caller;
  const row = { issued_copy_id, envelope_id, kind, sha256: hash, pages, marked_pages, actor, document_no: document_no ?? null };
  await insertIssue(tx, caller.org, row);
  const part = document_no === undefined ? {} : { document_no };
  const data = { copy_id: issued_copy_id, kind, sha256: hash, sha512, pages, marked_pages, issued_to: named, ...part };
  await appendAudit(tx, caller.org, { type: "copy.issued", by: caller, envelope_id, data });
}

/** What a file name says of the prepared version. Nothing of an upload, because it can be signed. */
export function preparedWords({ is_upload, sent_at }: Pick<Envelope, "is_upload" | "sent_at">): string | null {
  if (is_upload) return null;
  return sent_at === null ? "draft" : "as sent";
}

export function asPdf(bytes: Uint8Array, title: string, what: string | null, headers: Readonly<Record<string, string>> = {}): FileAnswer {
  return { type: "application/pdf", bytes, file_name: nameFile(title, "pdf", what), headers };
}
