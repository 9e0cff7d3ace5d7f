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
import { noticing, refuseStopped } from "./faults.ts";
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

// Of one transaction, which others wait for: a few hundred milliseconds. What is left over is taken in the next.
const ENTRIES_AT_ONCE = 5_000;

/**
 * Takes in whatever waits, and signs the state after it; without anything new, the checkpoint before. Null: there was never an entry.
 * With `wanted` whoever waited for the lock and finds these entries covered is done: of many who come at once, few sign.
 */
export function advanceLog(deps: LogDeps, wanted: readonly string[] = []): Promise<SignedCheckpoint | null> {
  return noticing(deps, async () => {
    for (;;) {
      const done = await deps.db.system((tx) => advanceSome(deps, tx, wanted));
      if (done !== "more") return done;
    }
  });
}

/** Leaves, nodes and checkpoint commit together; whoever is cut off leaves the queue as it was. */
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
    // Leaves have their rows already.
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
    // There is one log to a root, and the root is what outsiders know the installation by.
    log_id: sha256(ca.certificate).toString("hex"),
    ...state,
    // A clock that was set back must not make the log look younger than it was.
    at: before !== null && before.at > now ? before.at : now,
    key_id: keyIdOf(records.public_key),
  };
  const { bytes, signature } = signRecord(checkpoint, records.key);
  const signed = { tree_size: state.tree_size, bytes: Buffer.from(bytes), signature: Buffer.from(signature) };
  await insertCheckpoint(tx, signed);
  return signed;
}

/** What was signed once must stay true: the tree then is the beginning of the tree now. */
async function refuseInconsistent(tx: Tx, before: Checkpoint, state: { readonly tree_size: number; readonly root: string }): Promise<void> {
  if (before.tree_size > state.tree_size) throw new LogFault(`${before.tree_size} leaves were signed and ${state.tree_size} are there`);
  const proof = await consistencyProof(before.tree_size, state.tree_size, storedNodes(tx));
  if (isConsistent(before, state, proof)) return;
  throw new LogFault(
    `the tree of ${state.tree_size} leaves, root ${state.root}, does not continue that of ${before.tree_size}, root ${before.root}`,
  );
}

/** The earliest checkpoint that all of these are in; null if there is none, or nothing to look for. */
export async function lookUpCovering(tx: Tx, hashes: readonly string[]): Promise<SignedCheckpoint | null> {
  if (hashes.length === 0) return null;
  const places = await lookUpLeaves(tx, hashes);
  return hashes.every((hash) => places.has(hash)) ? lookUpCheckpointFrom(tx, Math.max(...places.values()) + 1) : null;
}
