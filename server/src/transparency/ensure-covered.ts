import type { Tx } from "../db/sql.ts";
import { advanceLog, lookUpCovering } from "./advance-log.ts";
import type { LogDeps, SignedCheckpoint, Stamp } from "./checkpoint.ts";
import { stampCheckpoint } from "./stamp-checkpoint.ts";
import { lookUpCheckpoint, lookUpToken } from "./store.ts";

/** A checkpoint that entries are in, and what the authority says about it. */
export interface Covered {
  readonly checkpoint: SignedCheckpoint;
  readonly stamp: Stamp;
}

/**
 * The entries with these hashes, which must be committed, are in a signed checkpoint and, with TSA_URL, in a stamped one or the reason
 * is on record. Not for inside a transaction. Called again it finds what is there, and asks the authority only for what it failed to give.
 */
export async function ensureCovered(deps: LogDeps, hashes: readonly string[]): Promise<Covered> {
  const found = (await checkpointCovering(deps, hashes)) ?? (await coverNow(deps, hashes));
  return found.stamp.token === null ? { ...found, stamp: await stampCheckpoint(deps, found.checkpoint) } : found;
}

async function coverNow(deps: LogDeps, hashes: readonly string[]): Promise<Covered> {
  await advanceLog(deps, hashes);
  const covered = await checkpointCovering(deps, hashes);
  if (covered === null) throw new Error("an entry is neither in the log nor in its queue");
  return covered;
}

/**
 * The checkpoint that speaks for all of these entries: the earliest that has them and a token, without a token the earliest. Null while
 * there is none.
 */
export function checkpointCovering(deps: Pick<LogDeps, "db">, hashes: readonly string[]): Promise<Covered | null> {
  return deps.db.system(async (tx) => {
    const earliest = await lookUpCovering(tx, hashes);
    if (earliest === null) return null;
    return (await lookUpStamped(tx, earliest.tree_size)) ?? { checkpoint: earliest, stamp: { token: null, error: null } };
  });
}

async function lookUpStamped(tx: Tx, from_size: number): Promise<Covered | null> {
  const found = await lookUpToken(tx, from_size);
  const checkpoint = found === null ? null : await lookUpCheckpoint(tx, found.tree_size);
  return found === null || checkpoint === null ? null : { checkpoint, stamp: { token: found.token, error: null } };
}
