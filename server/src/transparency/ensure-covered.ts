import type { Tx } from "../db/sql.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { advanceLog, lookUpCovering } from "./advance-log.ts";
import type { LogDeps, SignedCheckpoint, Stamp } from "./checkpoint.ts";
import { stampCheckpoint } from "./stamp-checkpoint.ts";
import { lookUpCheckpoint, lookUpToken } from "./store.ts";

/** A checkpoint that contains the entries, and the result of its time-stamp. */
export interface Covered {
  /** the earliest one that contains them, which stays the same however often the log is time-stamped later */
  readonly first: SignedCheckpoint;
  /** the earliest one with a token, or else `first` */
  readonly checkpoint: SignedCheckpoint;
  /** of `checkpoint` */
  readonly stamp: Stamp;
}

/**
 * Ensures that the entries with these hashes, which must be committed, are in a signed checkpoint. With TSA_URL the checkpoint is also
 * time-stamped, or the reason is recorded. Call it outside transactions. A repeated call uses what exists, and asks the authority only for
 * a missing token.
 */
export async function ensureCovered(deps: LogDeps, hashes: readonly string[]): Promise<Covered> {
  const found = (await checkpointCovering(deps, hashes)) ?? (await coverNow(deps, hashes));
  return found.stamp.token === null ? { ...found, stamp: await stampCheckpoint(deps, found.checkpoint) } : found;
}

async function coverNow(deps: LogDeps, hashes: readonly string[]): Promise<Covered> {
  await advanceLog(deps, hashes);
  const covered = await checkpointCovering(deps, hashes);
  if (covered === null) throw new Error("an entry is neither in the log nor in its queue");
  // In a job, because a witness may take its time. Waiting jobs are merged.
  if (deps.notes.witnesses.length > 0) await deps.db.system((tx) => enqueue(tx, "log.ask-witnesses", {}, "log.ask-witnesses"));
  return covered;
}

/** Null if no checkpoint contains all of these entries yet. */
export function checkpointCovering(deps: Pick<LogDeps, "db">, hashes: readonly string[]): Promise<Covered | null> {
  return deps.db.system(async (tx) => {
    const earliest = await lookUpCovering(tx, hashes);
    if (earliest === null) return null;
    const stamped = (await lookUpStamped(tx, earliest.tree_size)) ?? { checkpoint: earliest, stamp: { token: null, error: null } };
    return { first: earliest, ...stamped };
  });
}

async function lookUpStamped(tx: Tx, from_size: number): Promise<Omit<Covered, "first"> | null> {
  const found = await lookUpToken(tx, from_size);
  const checkpoint = found === null ? null : await lookUpCheckpoint(tx, found.tree_size);
  return found === null || checkpoint === null ? null : { checkpoint, stamp: { token: found.token, error: null } };
}
