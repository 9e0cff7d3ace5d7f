import {
  appendLeaves,
  type Checkpoint,
  consistencyProof,
  type Frontier,
  isConsistent,
  keyIdOf,
  rootOf,
  signRecord,
} from "@countersign/evidence";
import { isUniqueViolation } from "../db/errors.ts";
import type { Tx } from "../db/sql.ts";
import { ensureInstanceKeys } from "../seals/instance-keys.ts";
import { sha256 } from "../shared/secrets.ts";
import { type LogDeps, LogFault, openCheckpoint, type SignedCheckpoint } from "./checkpoint.ts";
import { recordingFault, refuseStopped } from "./faults.ts";
import {
  insertCheckpoint,
  insertNodes,
  lockLog,
  lookUpCheckpointFrom,
  lookUpLatestCheckpoint,
  lookUpLeaves,
  readClock,
  readSize,
  sequenceSome,
} from "./store.ts";
import { readFrontier, storedNodes } from "./tree.ts";

// Per transaction, which blocks others for a few hundred milliseconds. The rest is handled in the next one.
const ENTRIES_AT_ONCE = 5_000;

/**
 * Adds all queued entries to the log and signs the new state. Returns the previous checkpoint if there is nothing new, and null if there
 * has never been an entry. With `wanted`, a caller that waited for the lock and finds these entries covered is done, so that of many
 * concurrent calls only a few sign.
 */
export function advanceLog(deps: LogDeps, wanted: readonly string[] = []): Promise<SignedCheckpoint | null> {
  return recordingFault(deps, async () => {
    for (;;) {
      const done = await deps.db.system((tx) => advanceSome(deps, tx, wanted));
      if (done !== "more") return done;
    }
  });
}

/** Leaves, nodes and checkpoint commit together; an interrupted run leaves the queue unchanged. */
async function advanceSome(deps: LogDeps, tx: Tx, wanted: readonly string[]): Promise<SignedCheckpoint | null | "more"> {
  await lockLog(tx);
  await refuseStopped(tx);
  const covering = await lookUpCovering(tx, wanted);
  if (covering !== null) return covering;
  const size = await readSize(tx);
  const hashes = await sequenceSome(tx, ENTRIES_AT_ONCE);
  const latest = await lookUpLatestCheckpoint(tx);
  if (hashes.length === 0 && size === (latest?.tree_size ?? 0)) return latest;
  const frontier = await append(tx, await readFrontier(tx, size), hashes);
  return hashes.length === ENTRIES_AT_ONCE ? "more" : signState(deps, tx, latest, frontier);
}

async function append(tx: Tx, before: Frontier, hashes: readonly string[]): Promise<Frontier> {
  const { nodes, frontier } = appendLeaves(before, hashes);
  try {
    // Leaves have rows already.
    const above = nodes.filter(({ level }) => level > 0);
    if (above.length > 0) await insertNodes(tx, above);
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    throw new LogFault(`there is a node for leaves that come only now, from ${before.tree_size} on`, { cause });
  }
  return frontier;
}

async function signState(deps: LogDeps, tx: Tx, latest: SignedCheckpoint | null, frontier: Frontier): Promise<SignedCheckpoint> {
  const { root: ca, records } = await ensureInstanceKeys(deps.seals, tx);
  const before = latest === null ? null : openCheckpoint(latest, records.public_key);
  const state = { tree_size: frontier.tree_size, root: rootOf(frontier) };
  if (before !== null) await refuseInconsistent(tx, before, state);
  const now = (await readClock(tx)).toISOString();
  const checkpoint: Checkpoint = {
    type: "countersign/checkpoint/1",
    // Each root has one log, and outsiders identify the installation by its root.
    log_id: sha256(ca.certificate).toString("hex"),
    ...state,
    // If the clock was set back, the log's time does not go backwards.
    at: before !== null && before.at > now ? before.at : now,
    key_id: keyIdOf(records.public_key),
  };
  const { bytes, signature } = signRecord(checkpoint, records.key);
  const signed = { tree_size: state.tree_size, bytes: Buffer.from(bytes), signature: Buffer.from(signature) };
  await insertCheckpoint(tx, signed);
  return signed;
}

/** A signed state must stay true: the earlier tree is a prefix of the present one. */
async function refuseInconsistent(tx: Tx, before: Checkpoint, state: { readonly tree_size: number; readonly root: string }): Promise<void> {
  if (before.tree_size > state.tree_size) throw new LogFault(`${before.tree_size} leaves were signed and ${state.tree_size} are there`);
  const proof = await consistencyProof(before.tree_size, state.tree_size, storedNodes(tx));
  if (isConsistent(before, state, proof)) return;
  throw new LogFault(
    `the tree of ${state.tree_size} leaves, root ${state.root}, does not continue that of ${before.tree_size}, root ${before.root}`,
  );
}

/** The earliest checkpoint that contains all of these entries; null if there is none or no hashes are given. */
export async function lookUpCovering(tx: Tx, hashes: readonly string[]): Promise<SignedCheckpoint | null> {
  if (hashes.length === 0) return null;
  const places = await lookUpLeaves(tx, hashes);
  return hashes.every((hash) => places.has(hash)) ? lookUpCheckpointFrom(tx, Math.max(...places.values()) + 1) : null;
}
