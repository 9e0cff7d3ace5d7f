import { X509Certificate } from "node:crypto";
import { type AlgorithmPolicy, canonicalize, recordObject } from "@countersign/evidence";
import type { Tx } from "../db/sql.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { authorityRevocations, describeToken, isOfAuthority } from "../seals/long-term.ts";
import type { SealDeps } from "../seals/seal.ts";
import { listRoots } from "../seals/store.ts";
import { DAY_MS } from "../shared/durations.ts";
import { sha256 } from "../shared/secrets.ts";
import type { StorageDeps } from "../storage/store-blob.ts";
import { advanceLog } from "./advance-log.ts";
import type { LogDeps } from "./checkpoint.ts";
import { keepInLog } from "./keep-in-log.ts";
import { renewHashes } from "./renew-hashes.ts";
import {
  hasObject,
  insertLogRecords,
  insertNotice,
  listOrgIds,
  listUnrecordedTokens,
  lookUpLatestObject,
  lookUpNewestToken,
  type TokenRow,
} from "./renewal-store.ts";
import { stampCheckpoint } from "./stamp-checkpoint.ts";
import { readClock } from "./store.ts";
import { signTrust } from "./trust.ts";

export interface RenewalDeps extends Omit<LogDeps, "seals"> {
  readonly seals: SealDeps;
  readonly storage: StorageDeps;
  /** the statuses of this release; tests pass those of a later one */
  readonly algorithms: AlgorithmPolicy;
  readonly now: () => Date;
}

export interface Renewed {
  /** whether the newest checkpoint was time-stamped again */
  readonly stamped: boolean;
  /** why it was not, although it is due */
  readonly stamp_error: string | null;
}

// A token is renewed while its authority's certificate is valid and its algorithms are strong. A year leaves time to find another authority.
const RENEWED_AFTER_DAYS = 365;
const AUTHORITY_DAYS_LEFT = 365;
// If the authority still stamps with the same certificate, a new token changes nothing until it has another.
const ASKED_AGAIN_DAYS = 30;

// The organization's seals renew without help; the root does not, and outsiders have to learn the new one.
const ROOT_DAYS_LEFT = [180, 30] as const;

const RECORDS_AT_ONCE = 1_000;

/**
 * Keeps evidence verifiable for decades. Records what evidence rests on as leaves of the log, has the newest checkpoint time-stamped before
 * the newest token ages, tells admins before the root ends, and records everything under SHA-512 once SHA-256 is for existing records only.
 * Daily; a second run finds nothing to do.
 */
export async function renewEvidence(deps: RenewalDeps): Promise<Renewed> {
  await recordTokens(deps);
  await recordTrust(deps);
  await recordOwnCrl(deps);
  const renewed = await maybeStamp(deps);
  await deps.db.system((tx) => maybeTellRoot(tx, deps.now()));
  if (deps.algorithms["sha-256"] !== "accepted" && (await renewHashes(deps))) {
    await deps.db.system((tx) => enqueue(tx, "log.renew-evidence", {}, "log.renew-evidence"));
  }
  return renewed;
}

async function recordTokens(deps: RenewalDeps): Promise<void> {
  for (;;) {
    const count = await deps.db.system(async (tx) => {
      const tokens = await listUnrecordedTokens(tx, RECORDS_AT_ONCE);
      const at = (await readClock(tx)).toISOString();
      const records = tokens.map(({ checkpoint_token_id, tree_size, token }) => {
        const about = { kind: "token", tree_size } as const;
        return { ...recordObject(token, { ...about, at }), ...about, checkpoint_token_id };
      });
      if (records.length > 0) await insertLogRecords(tx, records);
      return tokens.length;
    });
    if (count < RECORDS_AT_ONCE) return;
  }
}

/** The list of keys, when it says something new. Only its time differs from day to day. */
async function recordTrust(deps: RenewalDeps): Promise<void> {
  const { bytes, signature } = await signTrust(deps);
  const document = Buffer.from(canonicalize({ keys: JSON.parse(bytes.toString()), signature: signature.toString("hex") }));
  await deps.db.system(async (tx) => {
    const latest = await lookUpLatestObject(tx, "trust");
    if (latest === null || contentOf(latest) !== contentOf(document)) await keepInLog(tx, "trust", document);
  });
}

function contentOf(document: Uint8Array): string {
  const { keys } = JSON.parse(Buffer.from(document).toString()) as { keys: Record<string, unknown> };
  return JSON.stringify({ ...keys, issued_at: null });
}

async function recordOwnCrl({ db, seals }: RenewalDeps): Promise<void> {
  const { ownCrl } = seals.longTerm;
  if (ownCrl === null) return;
  const list = await ownCrl();
  await db.system(async (tx) => {
    if (!(await hasObject(tx, list))) await keepInLog(tx, "crl", list);
  });
}

async function maybeStamp(deps: RenewalDeps): Promise<Renewed> {
  const newest = await deps.db.system(lookUpNewestToken);
  if (deps.seals.timeStamps.url === null || newest === null || !isDue(deps, newest)) return { stamped: false, stamp_error: null };
  // Before the new token, which then covers it: later it is not published any more.
  const roots = [...deps.seals.timeStamps.roots, ...deps.tsaRoots];
  const revocations = await authorityRevocations(deps.seals.longTerm, newest.token, roots);
  await deps.db.system(async (tx) => {
    for (const { kind, bytes } of revocations) if (!(await hasObject(tx, bytes))) await keepInLog(tx, kind, bytes);
  });
  const latest = await advanceLog(deps);
  if (latest === null) return { stamped: false, stamp_error: null };
  const { token, error } = await stampCheckpoint(deps, latest);
  return { stamped: token !== null, stamp_error: error };
}

function isDue({ seals, now }: RenewalDeps, { token }: TokenRow): boolean {
  const { at, authority_until } = describeToken(token);
  const age_days = (now().getTime() - at.getTime()) / DAY_MS;
  const days_left = (authority_until.getTime() - now().getTime()) / DAY_MS;
  if (age_days >= RENEWED_AFTER_DAYS || !isOfAuthority(token, seals.timeStamps.roots)) return true;
  return days_left <= AUTHORITY_DAYS_LEFT && age_days >= ASKED_AGAIN_DAYS;
}

/** Once at each number of days, to the admins of every organization. */
async function maybeTellRoot(tx: Tx, now: Date): Promise<void> {
  const root = (await listRoots(tx)).at(-1) ?? null;
  if (root === null) return;
  const ends = new Date(new X509Certificate(root).validTo);
  const days_left = Math.floor((ends.getTime() - now.getTime()) / DAY_MS);
  const passed = ROOT_DAYS_LEFT.filter((days) => days_left <= days).at(-1);
  if (passed === undefined || !(await insertNotice(tx, `root ${sha256(root).toString("hex")} ${passed}`))) return;
  for (const org_id of await listOrgIds(tx)) {
    await enqueue(tx, "orgs.notify-admins", {
      org_id,
      kind: "root_ends",
      subject: "The root certificate of this installation ends soon",
      text: [
        `The root certificate that issues the seals of this installation is valid until ${ends.toISOString().slice(0, 10)}.`,
        "Documents that are sealed until then stay valid. Ask the operator to run `countersign instance-keys rotate root` before that date, and tell those who verify your documents the new root.",
      ].join("\n\n"),
    });
  }
}
