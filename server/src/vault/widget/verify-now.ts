import { firstFault } from "@countersign/evidence";
import { readChain } from "../../audit/read-chain.ts";
import { lockHead } from "../../audit/read-head.ts";
import { asPdfProblem } from "../../documents/pdf-problems.ts";
import { lockRow } from "../../envelopes/store.ts";
import { takeQuota } from "../../http/quota.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { BlobDamaged, BlobMissing, StoreUnavailable } from "../../storage/blob-store.ts";
import { problemOfOutage } from "../../storage/problem-of-outage.ts";
import { type AuthoritativeCopy, type CopyState, live } from "../copy.ts";
import { findCopy, lockCopy } from "../copy-store.ts";
import { coverStoring } from "../cover-storing.ts";
import { timeMarks } from "../facts/log-facts.ts";
import { recordDamage, verifyCopy } from "../keeping/verify-copy.ts";
import { lookUpOrigin } from "../links/origin.ts";
import { verifySealOf } from "../verify-seal-of.ts";
import { type KnownFile, lookUpFile } from "./store.ts";
import { findVaulted, requireShown, type WidgetDeps } from "./visit.ts";

// Each verification reads every byte of the record and checks its seal. This is enough for a reader who repeats it, and too few to overload
// the service.
const VERIFICATIONS_PER_MINUTE = 6;

export interface Verification {
  readonly checked_at: Date;
  readonly recorded_sha256: string;
  /** null: nothing is stored under that hash */
  readonly found_sha256: string | null;
  /** `unread`: without the bytes the seal cannot be checked */
  readonly seal: "sound" | "broken" | "unread";
  readonly chain: "sound" | "broken";
  readonly entries: number;
  /** comparison of rows with entries; `unread` if the entries themselves cannot be trusted */
  readonly registers: "sound" | "different" | "unread";
  readonly timestamp: "external" | "broken" | "self_operated" | "unread";
  /** everything that was checked matches the record */
  readonly sound: boolean;
  /** of the copy, after this verification was recorded */
  readonly state: CopyState;
  readonly duration_ms: number;
  /** the file that was asked about; null if none was, or if it does not belong to this record */
  readonly file: KnownFile | null;
}

/**
 * Verifies the record as the sweep does while the reader waits, and returns each finding. A difference is recorded, reported to the admins,
 * and stops the handing out of copies, as if the sweep had found it.
 */
export async function verifyNow(deps: WidgetDeps, who: WidgetCaller, file_sha256: string | null): Promise<Verification> {
  try {
    return await verifyAll(deps, who, file_sha256);
  } catch (cause) {
    // A store that does not respond is an outage and says nothing about its content.
    throw cause instanceof StoreUnavailable ? problemOfOutage(cause) : cause;
  }
}

async function verifyAll(deps: WidgetDeps, who: WidgetCaller, file_sha256: string | null): Promise<Verification> {
  const { org, holder } = who;
  const { envelope_id } = holder;
  const began = performance.now();
  const copy = await deps.db.tx(org, async (tx) => {
    const found = await findVaulted(tx, org, envelope_id);
    requireShown(found, ...live, "tampered");
    const { accepted, ...quota } = await takeQuota(tx, `widget-verify:${holder.token_sha256}`, VERIFICATIONS_PER_MINUTE, 60);
    return { ...found, quota: accepted ? null : quota };
  });
  if (copy.quota !== null) throw new Problem("rate_limited", "verifications", { quota: copy.quota });
  const { found_sha256, bytes } = await readBack(deps, org, copy.sha256);
  const seal = bytes === null ? "unread" : await sealOf(deps, org, copy, bytes);
  const verdict = await verifyCopy(deps, org, envelope_id);
  const records = await verifyRecords(deps, org, envelope_id);
  const isSound = found_sha256 === copy.sha256 && seal === "sound" && records.chain === "sound" && records.registers === "sound";
  const after = await deps.db.tx(org, async (tx) => ({
    copy: await findCopy(tx, org, envelope_id),
    file: file_sha256 === null ? null : await lookUpFile(tx, org, envelope_id, file_sha256),
  }));
  return {
    checked_at: after.copy.now,
    recorded_sha256: copy.sha256,
    found_sha256,
    seal,
    ...records,
    timestamp: records.chain === "sound" ? await timestampOf(deps, org, envelope_id) : "unread",
    // The sweep also checks the certificates' bytes, and a copy that it marked earlier is not sound until it is restored.
    sound: isSound && verdict === "sound",
    state: after.copy.state,
    duration_ms: Math.round(performance.now() - began),
    file: after.file,
  };
}

/** The store hashes what it reads. */
async function readBack(
  { storage }: WidgetDeps,
  org: OrgId,
  sha256: string,
): Promise<{ found_sha256: string | null; bytes: Uint8Array | null }> {
  try {
    return { found_sha256: sha256, bytes: await storage.blobs.read(org, sha256) };
  } catch (error) {
    if (error instanceof BlobMissing) return { found_sha256: null, bytes: null };
    if (error instanceof BlobDamaged) return { found_sha256: error.found, bytes: null };
    throw error;
  }
}

async function sealOf(deps: WidgetDeps, org: OrgId, copy: AuthoritativeCopy, bytes: Uint8Array): Promise<"sound" | "broken"> {
  const origin = await lookUpOrigin(deps, org, copy.envelope_id);
  const { valid } = await verifySealOf(deps, org, copy, bytes, { origin }).catch(asPdfProblem);
  return valid ? "sound" : "broken";
}

type Records = Pick<Verification, "chain" | "entries" | "registers">;

function verifyRecords({ db }: WidgetDeps, org: OrgId, envelope_id: EnvelopeId): Promise<Records> {
  return db.tx(org, async (tx) => {
    const envelope = await lockRow(tx, org, envelope_id);
    const copy = await lockCopy(tx, org, envelope_id);
    const head = await lockHead(tx, org, envelope_id);
    const links = await readChain(tx, org, envelope_id);
    const isBroken = head === null || firstFault(links, { org_id: org, subject: envelope_id, head }) !== null;
    if (isBroken) return { chain: "broken", entries: links.length, registers: "unread" };
    // The entries refer to the state before the damage was found.
    const state = copy.state === "tampered" ? (copy.state_before_tamper ?? copy.state) : copy.state;
    const damage = await recordDamage(tx, org, envelope, { ...copy, state });
    return { chain: "sound", entries: links.length, registers: damage === null ? "sound" : "different" };
  });
}

async function timestampOf(deps: WidgetDeps, org: OrgId, envelope_id: EnvelopeId): Promise<Verification["timestamp"]> {
  const tokens = (await timeMarks(deps, await coverStoring(deps, org, envelope_id))).filter(({ kind }) => kind === "token");
  if (tokens.length === 0) return "self_operated";
  return tokens.some(({ valid }) => valid) ? "external" : "broken";
}
