import {
  type CompletionDetails,
  completionEnd,
  completionHashes,
  completionOf,
  completionStatuses,
  type Link,
} from "@countersign/evidence";
import { appendAudit } from "../audit/append-audit.ts";
import { readChain } from "../audit/read-chain.ts";
import type { Read } from "../db/sql.ts";
import { asPdfProblem } from "../documents/pdf-problems.ts";
import { readStored } from "../documents/read-stored.ts";
import type { FileAnswer } from "../http/endpoint.ts";
import { asSystem, systemOrigin } from "../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { nameFile } from "../shared/name-file.ts";
import { Problem } from "../shared/problems.ts";
import { notingMismatch } from "../signing/noting-mismatch.ts";
import { provenRecord } from "../signing/proven-record.ts";
import { readSigned } from "../signing/signed-store.ts";
import { isSigner, type Recipient, type Signer } from "../signing/submission.ts";
import { BlobDamaged, BlobMissing, KeyServiceUnavailable, StoreUnavailable } from "../storage/blob-store.ts";
import { sha512InTurns } from "../storage/hash.ts";
import { problemOfOutage } from "../storage/problem-of-outage.ts";
import { keepBlob } from "../storage/store.ts";
import { storeBlob } from "../storage/store-blob.ts";
import { listTexts } from "../texts/store.ts";
import { insertCompletion, lookUpCompletion } from "./completion-store.ts";
import type { Envelope, EnvelopeDeps } from "./envelope.ts";
import { resumeFinishing } from "./finish-document.ts";
import { recordDeps } from "./on-submission.ts";
import { findEnvelope, listMemberNames, orgName, wrongStatus } from "./store.ts";

const BY = asSystem(systemOrigin("countersign", "envelopes.completion-certificate"));

// Stamping and sealing take a second or two. The sweep that records an expiry runs every minute.
const RETRY_AFTER_SECONDS = { document: 2, expiry: 60 } as const;

/**
 * The sealed completion certificate of a finished envelope, as a PDF. It is made on the first request after each end (`completed`, then
 * `vaulted`; or `declined`, `voided`, `expired`) and kept, so that every later call returns the same bytes. It covers the audit trail up
 * to the entry of that end. Slow: call it outside transactions. Throws envelope_wrong_status for an envelope that has not ended,
 * document_not_ready while the signed document is being made, and record_mismatch if rows and audit chain differ.
 */
export async function completionCertificate(deps: EnvelopeDeps, org: OrgId, envelope_id: EnvelopeId): Promise<Uint8Array> {
  const envelope = await deps.db.tx(org, (tx) => findEnvelope(tx, org, envelope_id));
  const status = completionStatuses.find((one) => one === envelope.status);
  if (status === undefined) throw wrongStatus("completion-certificate", envelope.status);
  const kept = await deps.db.tx(org, (tx) => lookUpCompletion(tx, org, envelope_id, status));
  if (kept !== null) return readStored(deps, org, kept, "document_unavailable");
  const details = await gatherDetails(deps, org, envelope, status);
  if (details === null) throw await notReady(deps, org, envelope);
  const sha512 = await hashStored(deps, org, completionHashes(details.links));
  const { bytes } = await deps.pdf.typeset(completionOf({ ...details, sha512 }), { key: org, priority: "interactive" }).catch(asPdfProblem);
  const { bytes: sealed } = await deps.seal(org, bytes, `Completion certificate of ${envelope_id}`);
  const stored = await storeBlob(deps.storage, org, sealed);
  const data = { status, sha256: stored.sha256, sha512: await sha512InTurns(sealed) };
  const isFirst = await deps.db.tx(org, async (tx) => {
    await keepBlob(tx, org, stored.sha256);
    if (!(await insertCompletion(tx, org, envelope_id, status, stored.sha256))) return false;
    await appendAudit(tx, org, { type: "completion.certified", by: BY, envelope_id, data });
    return true;
  });
  // Of two requests at the same time, the certificate of the first is the one that both return.
  return isFirst ? sealed : completionCertificate(deps, org, envelope_id);
}

/** The certificate as a download. */
export async function serveCompletion(deps: EnvelopeDeps, org: OrgId, envelope_id: EnvelopeId): Promise<FileAnswer> {
  const bytes = await completionCertificate(deps, org, envelope_id);
  const { envelope_name } = await deps.db.tx(org, (tx) => findEnvelope(tx, org, envelope_id));
  return { type: "application/pdf", bytes, file_name: nameFile(envelope_name, "pdf", "completion certificate") };
}

type Gathered = Omit<CompletionDetails, "sha512">;

/** Rows that were compared with the audit chain, and the chain up to the end of the envelope. Null if the chain does not have it yet. */
function gatherDetails(deps: EnvelopeDeps, org: OrgId, envelope: Envelope, status: Gathered["status"]): Promise<Gathered | null> {
  const { envelope_id, envelope_name, external_id, kba_required, auto_vault_enabled, submission_id } = envelope;
  return notingMismatch(recordDeps(deps), org, () =>
    deps.db.tx(org, async (tx) => {
      // A draft and a deposit have no signers here.
      const record = submission_id === null ? null : await provenRecord(recordDeps(deps), tx, org, envelope_id);
      const all = await readChain(tx, org, envelope_id);
      const end = completionEnd(all, { status, envelope });
      if (end === null) return null;
      const links = all.filter(({ entry }) => entry.seq <= end.entry.seq);
      return {
        status,
        org: { org_id: org, name: await orgName(tx, org) },
        envelope: { envelope_id, envelope_name, external_id, kba_required, auto_vault_enabled },
        links,
        signers: (record?.recipients ?? []).filter(isSigner).map(namedSigner),
        recipients: (record?.recipients ?? []).filter((one) => !isSigner(one)).map(namedRecipient),
        marks: record === null ? [] : (await readSigned(deps, tx, org, envelope_id)).marks,
        texts: await acceptedTexts(tx, links),
        people: await listMemberNames(tx, org),
        root_sha256: await deps.lookUpRoot(tx, org),
        trust_address: deps.trustAddress(org),
        verifier_address: `${deps.publicUrl}/verify/`,
      };
    }),
  );
}

const namedSigner = ({ slug, email, name, role }: Signer, index: number) => ({ slug, email, name, role, order: index + 1 });
const namedRecipient = ({ recipient_id, slug, email, name, role, kind, step }: Recipient) => ({
  recipient_id,
  slug,
  email,
  name,
  role,
  kind: kind as Exclude<Recipient["kind"], "signer">,
  step,
});

/** The texts that signers accepted, in full, because the hash of a text is of little use to a reader. */
async function acceptedTexts(read: Read, links: readonly Link[]): Promise<Gathered["texts"]> {
  const hashes = links.flatMap(({ data }) => {
    const { disclosure_sha256, agreement_sha256, intent_sha256 } = Object(data?.data) as Record<string, unknown>;
    return [disclosure_sha256, agreement_sha256, intent_sha256].filter((hash) => typeof hash === "string");
  });
  const found = await listTexts(read, [...new Set(hashes)]);
  return found.flatMap(({ kind, version, sha256, text }) => (kind === "act" ? [] : [{ kind, version, sha256, text }]));
}

/** By SHA-256. A file that was cleaned before it was stored, or that was destroyed since, has none. */
async function hashStored({ storage }: EnvelopeDeps, org: OrgId, hashes: readonly string[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const sha256 of hashes) {
    const bytes = await storage.blobs.read(org, sha256).catch((error: unknown) => {
      if (error instanceof BlobMissing || error instanceof BlobDamaged) return null;
      if (error instanceof KeyServiceUnavailable) throw problemOfOutage(error);
      throw error instanceof StoreUnavailable ? new Problem("document_unavailable", error.name, { cause: error }) : error;
    });
    if (bytes !== null) found[sha256] = await sha512InTurns(bytes);
  }
  return found;
}

async function notReady(deps: EnvelopeDeps, org: OrgId, { envelope_id, status, submission_id }: Envelope): Promise<Problem> {
  if (status === "completed" && submission_id !== null) await resumeFinishing(deps, org, envelope_id);
  const message = status === "expired" ? "the expiry is recorded within a minute" : "the signed document is not ready yet";
  const details = [{ location: "path", field: null, code: "conflict", message }] as const;
  const retryAfterSeconds = status === "expired" ? RETRY_AFTER_SECONDS.expiry : RETRY_AFTER_SECONDS.document;
  return new Problem("document_not_ready", "", { retryAfterSeconds, details });
}
