import type { Source } from "@countersign/evidence";
import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { insertVersion, lookUpDocument, lookUpVersion } from "../envelopes/document-store.ts";
import { type Envelope, routeOf } from "../envelopes/envelope.ts";
import { recordDeps } from "../envelopes/on-submission.ts";
import { findEnvelope, lockRow, updateEnvelope } from "../envelopes/store.ts";
import { appendEvent } from "../events/append-event.ts";
import { DAY_MS } from "../shared/durations.ts";
import { type EnvelopeId, newId, type OrgId } from "../shared/ids.ts";
import { timeStep } from "../shared/time-step.ts";
import { notingMismatch } from "../signing/noting-mismatch.ts";
import { provenRecord, RecordMismatch } from "../signing/proven-record.ts";
import { sha512InTurns } from "../storage/hash.ts";
import { keepBlob } from "../storage/store.ts";
import { storeBlob } from "../storage/store-blob.ts";
import { controlOf } from "./acts/control.ts";
import { proposeDesignation } from "./acts/propose-designation.ts";
import { recordAssignee } from "./assignments/record-assignee.ts";
import { awaitsExternalTime } from "./awaits-external-time.ts";
import { vaultJobCaller, wireSource } from "./copy.ts";
import { lookUpCopy } from "./copy-store.ts";
import { readFingerprints, recordFingerprints } from "./fingerprints/ensure-fingerprints.ts";
import { issueCertificate } from "./issue-certificate.ts";
import {
  chooseCustodian,
  clock,
  findOrgSettings,
  hasAcceptance,
  hasAssignment,
  insertCopy,
  insertCustodian,
  lookUpCertificate,
  type NewCopy,
} from "./store.ts";
import { PIPELINE, type PipelineDeps, reasonOf, vaultPath } from "./vault.ts";

/**
 * Stores a completed envelope in the vault in two steps. Each does its work outside a transaction and records it in one. First the sealed
 * document becomes the authoritative copy, with its custodian and assignee; then it is evaluated and certified, and the envelope is
 * vaulted. After a crash, the next run continues from what was recorded; of two concurrent runs, the first to record wins. Rows that differ
 * from the audit chain are not sealed: the job ends and records the difference, because a retry would find the same.
 */
export async function storeEnvelope(deps: PipelineDeps, job: Job): Promise<void> {
  try {
    await notingMismatch(recordDeps(deps), job.org_id, () => store(deps, job));
  } catch (error) {
    if (!(error instanceof RecordMismatch)) throw error;
  }
}

interface Job {
  readonly org_id: OrgId;
  readonly envelope_id: EnvelopeId;
}

async function store(deps: PipelineDeps, { org_id: org, envelope_id }: Job): Promise<void> {
  const { envelope, copy, certificate, isAccepted } = await deps.db.tx(org, async (tx) => ({
    envelope: await findEnvelope(tx, org, envelope_id),
    copy: await lookUpCopy(tx, org, envelope_id),
    certificate: await lookUpCertificate(tx, org, envelope_id),
    isAccepted: await hasAcceptance(tx, org, envelope_id),
  }));
  // Nothing is vaulted without accepted terms, no matter who requests it. For a record that another vault released, they were accepted there.
  if (envelope.status !== "completed" || (!isAccepted && copy === null)) return;
  if (copy === null) await timeStep(deps, "store", () => storeCopy(deps, org, envelope));
  if (certificate !== null || (await awaitsExternalTime(deps, org, envelope_id))) return;
  await timeStep(deps, "certify", () => issueCertificate(deps, org, envelope_id, PIPELINE));
}

/** What is sealed: the document that was signed here, or the upload with its signatures. */
interface Content {
  readonly source: Source;
  readonly vault_in: "signed" | "upload" | null;
  /** the version that is sealed */
  readonly parent_sha256: string;
  readonly content_sha256: string;
}

async function storeCopy(deps: PipelineDeps, org: OrgId, { envelope_id }: Envelope): Promise<void> {
  const content = await deps.db.tx(org, (tx) => findContent(deps, tx, org, envelope_id));
  const copy_id = newId("authoritativeCopy");
  const bytes = await deps.storage.blobs.read(org, content.parent_sha256);
  const parent_size = bytes.length;
  const { bytes: sealed, seal } = await deps.seal(org, bytes, reasonOf(copy_id, envelope_id));
  const stored = await storeBlob(deps.storage, org, sealed);
  const sha512 = await sha512InTurns(sealed);
  const prints = await readFingerprints(deps, org, sealed, parent_size);
  await deps.db.tx(org, async (tx) => {
    const envelope = await lockRow(tx, org, envelope_id);
    if (envelope.status !== "completed") return;
    await keepBlob(tx, org, stored.sha256);
    const { min_retention_days } = await findOrgSettings(tx, org);
    const stored_at = await clock(tx);
    const { seal_id, level, sealed_at, tsa_error = null, level_error = tsa_error } = seal;
    const copy: NewCopy = {
      ...content,
      ...stored,
      copy_id,
      envelope_id,
      seal_id: seal_id as NewCopy["seal_id"],
      seal_level: level,
      sealed_at,
      tsa_error,
      stored_at,
      retention_until: new Date(stored_at.getTime() + min_retention_days * DAY_MS),
    };
    if (!(await insertCopy(tx, org, copy))) return;
    await recordFingerprints(tx, org, copy, prints);
    await insertVersion(tx, org, envelope_id, "authoritative", stored, content.parent_sha256);
    await record(tx, org, envelope, copy, { sha512, level_error });
  });
}

async function findContent(deps: PipelineDeps, tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<Content> {
  const { is_upload, auto_vault_enabled, submission_id, deposit_source } = await findEnvelope(tx, org, envelope_id);
  if (submission_id !== null) {
    const { stamped_sha256 } = (await provenRecord(recordDeps(deps), tx, org, envelope_id)).document;
    if (stamped_sha256 === null) throw new Error("the signed document is not stamped yet");
    const vault_in = auto_vault_enabled ? null : "signed";
    return { source: "signed_here", vault_in, parent_sha256: stamped_sha256, content_sha256: stamped_sha256 };
  }
  const document = await lookUpDocument(tx, org, envelope_id);
  const received = await lookUpVersion(tx, org, envelope_id, "received");
  if (!is_upload || document === null || received === null) throw new Error("there is no signed document to store");
  if (deposit_source === null) throw new Error("the upload was not deposited");
  return {
    source: deposit_source,
    vault_in: "upload",
    parent_sha256: document.pdf_sha256,
    content_sha256: received.sha256,
  };
}

/** Copy, custodian and assignee in one transaction, so that no evaluation finds a copy without a custodian. */
async function record(
  tx: Tx,
  org: OrgId,
  envelope: Envelope,
  copy: NewCopy,
  more: { readonly sha512: string; readonly level_error: string | null },
): Promise<void> {
  const { envelope_id, secured_party } = envelope;
  const { copy_id, sha256: hash, size, content_sha256, parent_sha256, source, seal_id, seal_level, retention_until } = copy;
  const document = await lookUpDocument(tx, org, envelope_id);
  const path = vaultPath(org, envelope_id, `${(document?.name ?? "document").replace(/\.(pdf|png|jpe?g)$/i, "")}.pdf`);
  await updateEnvelope(tx, org, envelope_id, { vault_file_path: path });
  const by = PIPELINE;
  const caller = { ...vaultJobCaller(org), ...by };
  const data = {
    copy_id,
    path,
    hash,
    sha512: more.sha512,
    size,
    content_sha256,
    parent_sha256,
    source,
    seal_id,
    seal_level,
    level_error: more.level_error,
    retention_until: retention_until.toISOString(),
  };
  await appendAudit(tx, org, { type: "vault.stored", by, envelope_id, data });

  const user_id = await chooseCustodian(tx, org, envelope_id);
  const permission_id = newId("custodianPermission");
  await appendAudit(tx, org, { type: "custody.assigned", by, envelope_id, data: { permission_id, user_id, copy_id } });
  // From the time of storing, so that custody has no gap.
  await insertCustodian(tx, org, { permission_id, copy_id, envelope_id, user_id, initiated_by: by.actor, at: copy.stored_at });

  if (secured_party !== null && !(await hasAssignment(tx, org, envelope_id))) {
    await recordAssignee(tx, caller, envelope_id, { party: secured_party, consent: null });
  }
  const stored = await lookUpCopy(tx, org, envelope_id);
  if (stored !== null) await proposeDesignation(tx, caller, await controlOf(tx, org, envelope, stored));
  const deposited_as = wireSource(copy);
  await appendEvent(tx, org, {
    type: "vault.stored",
    envelope_id,
    data: { path, hash, ...(deposited_as !== null && { source: deposited_as }), ...routeOf(envelope) },
  });
}
