import { canonicalize, rules2 } from "@countersign/evidence";
import { appendAudit, type NewEntry } from "../audit/append-audit.ts";
import { type Envelope, routeOf } from "../envelopes/envelope.ts";
import { lockRow, moveEnvelope, updateEnvelope } from "../envelopes/store.ts";
import { appendEvent } from "../events/append-event.ts";
import type { Cause } from "../jobs/catalogue.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { sha512InTurns } from "../storage/hash.ts";
import { keepBlob } from "../storage/store.ts";
import { storeBlob } from "../storage/store-blob.ts";
import { writeCertificate } from "./certificate.ts";
import { coverStoring } from "./cover-storing.ts";
import { gatherFacts } from "./gather-facts.ts";
import { type Certificate, insertCertificate, lookUpCertificate, lookUpCertificateOf, setVerified } from "./store.ts";
import { type PipelineDeps, vaultPath } from "./vault.ts";

// Another evaluation at the same moment may take the revision. Its result is used if it was made after this request, which is the case by the
// second attempt unless the clocks of several machines differ.
const ATTEMPTS = 5;

/** When a new certificate is made. Without any of these, always. */
export interface Wanted {
  /** one certificate for each cause: a repeated call returns the one that exists */
  readonly cause?: Cause;
  /** false: the latest certificate stays, and nothing is read or evaluated */
  readonly isDue?: (latest: Certificate) => boolean;
  /** false: the latest certificate stays, because this evaluation says nothing new */
  readonly isNews?: (latest: Certificate, evaluation: rules2.GradedEvaluation) => boolean;
}

/**
 * One evaluation: covers the trail with a signed checkpoint, gathers all facts again, evaluates them and certifies the result as the next
 * revision. The first one vaults the envelope. Runs outside transactions except for its last step, because it reads the store and waits for
 * seals and time-stamps.
 */
export async function issueCertificate(
  deps: PipelineDeps,
  org: OrgId,
  envelope_id: EnvelopeId,
  by: NewEntry["by"],
  wanted: Wanted = {},
): Promise<Certificate> {
  const asked_at = new Date();
  for (let attempt = 1; ; attempt++) {
    const made = await attemptCertificate(deps, org, envelope_id, by, wanted);
    if (made !== null) return made;
    const theirs = await deps.db.tx(org, (tx) => lookUpCertificate(tx, org, envelope_id));
    if (wanted.cause === undefined && theirs !== null && theirs.evaluated_at >= asked_at) return theirs;
    if (attempt === ATTEMPTS) throw new Error("another evaluation always came first");
  }
}

async function attemptCertificate(
  deps: PipelineDeps,
  org: OrgId,
  envelope_id: EnvelopeId,
  by: NewEntry["by"],
  { cause, isDue, isNews }: Wanted,
): Promise<Certificate | null> {
  const { before, made } = await deps.db.tx(org, async (tx) => ({
    before: await lookUpCertificate(tx, org, envelope_id),
    made: cause === undefined ? null : await lookUpCertificateOf(tx, org, envelope_id, cause.hash),
  }));
  if (made !== null) return made;
  if (before !== null && isDue?.(before) === false) return before;
  const revision = (before?.revision ?? 0) + 1;
  const path = vaultPath(org, envelope_id, `certificate-r${revision}.pdf`);
  const covered = await coverStoring(deps, org, envelope_id);
  const facts = await gatherFacts(deps, org, envelope_id, { certificate: { revision, path }, covered });
  const evaluation = rules2.evaluate(facts);
  if (before !== null && isNews?.(before, evaluation) === false) return before;
  const written = await writeCertificate(deps, org, facts, evaluation);
  const factsJson = Buffer.from(canonicalize(facts));
  const names = {
    facts: await storeBlob(deps.storage, org, factsJson),
    json: await storeBlob(deps.storage, org, written.json),
    pdf: await storeBlob(deps.storage, org, written.pdf),
  };
  const bySha512 = {
    pdf_sha512: await sha512InTurns(written.pdf),
    json_sha512: await sha512InTurns(written.json),
    facts_sha512: await sha512InTurns(factsJson),
  };
  const certificate: Certificate = {
    revision,
    path,
    facts_sha256: names.facts.sha256,
    json_sha256: names.json.sha256,
    pdf_sha256: names.pdf.sha256,
    score: evaluation.score,
    passed: evaluation.passed,
    rules: evaluation.rules,
    proven_score: evaluation.proven_score,
    standing: evaluation.standing ?? "not_assessed",
    result: { ...evaluation },
    evaluated_at: new Date(facts.evaluated_at),
  };
  return deps.db.tx(org, async (tx) => {
    const envelope = await lockRow(tx, org, envelope_id);
    const isFirst = envelope.status === "completed";
    // Of two concurrent first evaluations, one vaults the envelope; the other returns that certificate and sends no event.
    if (revision === 1 && !isFirst) return lookUpCertificate(tx, org, envelope_id);
    for (const { sha256 } of Object.values(names)) await keepBlob(tx, org, sha256);
    if (!(await insertCertificate(tx, org, envelope_id, certificate, cause?.hash ?? null))) return null;
    const change = { certificate_path: path };
    if (isFirst) await moveEnvelope(tx, org, envelope_id, "vault", change);
    else await updateEnvelope(tx, org, envelope_id, change);
    if (facts.copy !== null && facts.copy.found_sha256 === facts.copy.sha256) {
      await setVerified(tx, org, facts.copy.copy_id as Parameters<typeof setVerified>[2], new Date(facts.copy.read_at));
    }
    const { score, facts_sha256, json_sha256, pdf_sha256 } = certificate;
    const hashes = { pdf_sha256, json_sha256, facts_sha256, ...bySha512 };
    const data = { revision, score, passed: evaluation.passed, path, ...hashes, ...(cause !== undefined && { cause: { ...cause } }) };
    await appendAudit(tx, org, { type: "vault.certificate.issued", by, envelope_id, data });
    await appendComplianceEvent(tx, org, envelope, evaluation, path);
    return certificate;
  });
}

async function appendComplianceEvent(
  tx: Parameters<typeof appendEvent>[0],
  org: OrgId,
  envelope: Envelope,
  { score, passed, missing_requirements, rules, proven_score, standing }: rules2.GradedEvaluation,
  certificate_path: string,
): Promise<void> {
  const { envelope_id } = envelope;
  const about = { certificate_path, rules, proven_score, standing: standing ?? "not_assessed", ...routeOf(envelope) };
  if (passed) await appendEvent(tx, org, { type: "vault.compliance.passed", envelope_id, data: { score, ...about } });
  else {
    const data = { score, missing_requirements: [...missing_requirements], ...about };
    await appendEvent(tx, org, { type: "vault.compliance.failed", envelope_id, data });
  }
}
