import { appendLeaves, EMPTY_LOG, type Frontier, type Node, rootOf } from "@countersign/evidence";
import type { Tx } from "../db/sql.ts";
import { listRecordsKeys, type PublicKeyRow } from "../seals/store.ts";
import { DAY_MS } from "../shared/durations.ts";
import { type LogDeps, LogFault, openCheckpoint, type SignedCheckpoint } from "./checkpoint.ts";
import { recordingFault } from "./faults.ts";
import {
  insertCleanCheck,
  listCheckpoints,
  lookUpLatestCheck,
  lookUpLatestCheckpoint,
  type NodeRange,
  readLeaves,
  readNodeRanges,
  readSize,
} from "./store.ts";

// Leaves between two turns of the event loop: 20 ms of hashing. A power of two, so that few subtrees end inside.
const LEAVES_AT_ONCE = 4_096;

// The latest time at which a changed row is found that no proof reads and no checkpoint builds on.
const COMPARED_EVERY_MS = DAY_MS;

/** Compares once a day, and on every run while a fault is open, because it may have been repaired. */
export async function verifyLogWhenDue(deps: Pick<LogDeps, "db">): Promise<void> {
  const isDue = await deps.db.system(async (tx) => {
    const latest = await lookUpLatestCheck(tx);
    return latest === null || latest.fault !== null || tx.now.getTime() - latest.checked_at.getTime() >= COMPARED_EVERY_MS;
  });
  if (isDue) await verifyLog(deps);
}

/** Recomputes every node from the leaves, and the root of every checkpoint. Rows are never changed, so concurrent appends do not matter. */
export function verifyLog(deps: Pick<LogDeps, "db">): Promise<void> {
  return recordingFault(deps, async () => {
    const since = await deps.db.system(lookUpLatestCheck);
    const size = await compareWholeLog(deps);
    await deps.db.system((tx) => insertCleanCheck(tx, size, since));
  });
}

/** The same without a record. Returns how many leaves there are. Throws LogFault. */
export async function compareWholeLog({ db }: Pick<LogDeps, "db">): Promise<number> {
  const size = await db.system(readSignedSize);
  let frontier = EMPTY_LOG;
  while (frontier.tree_size < size) {
    const to = Math.min(frontier.tree_size + LEAVES_AT_ONCE, size);
    const from = frontier;
    frontier = await db.system((tx) => verifySome(tx, from, to));
  }
  return size;
}

async function readSignedSize(tx: Tx): Promise<number> {
  // In this order, because the log may grow and be signed between the two statements.
  const latest = await lookUpLatestCheckpoint(tx);
  const size = await readSize(tx);
  if (latest !== null && latest.tree_size > size) throw new LogFault(`${latest.tree_size} leaves were signed and ${size} are there`);
  return size;
}

/** Verifies the leaves after a frontier that is known to be correct. */
async function verifySome(tx: Tx, before: Frontier, to: number): Promise<Frontier> {
  const hashes = await readLeaves(tx, before.tree_size, to);
  if (hashes.length !== to - before.tree_size)
    throw new LogFault(`of the leaves from ${before.tree_size} to ${to - 1} only ${hashes.length} are there`);
  const nodes: Node[] = [];
  let frontier = before;
  const goTo = (size: number): Frontier => {
    const more = appendLeaves(frontier, hashes.slice(frontier.tree_size - before.tree_size, size - before.tree_size));
    nodes.push(...more.nodes.filter(({ level }) => level > 0));
    frontier = more.frontier;
    return frontier;
  };
  const checkpoints = await listCheckpoints(tx, before.tree_size, to);
  const roots = checkpoints.map(({ tree_size }) => rootOf(goTo(tree_size)));
  goTo(to);
  await compareNodes(tx, nodes);
  if (checkpoints.length > 0) compareRoots(checkpoints, roots, await listRecordsKeys(tx));
  return frontier;
}

async function compareNodes(tx: Tx, nodes: readonly Node[]): Promise<void> {
  const stored = await readNodeRanges(tx, rangesOf(nodes));
  const found = new Map(stored.map(({ level, index, hash }) => [`${level}/${index}`, hash]));
  for (const { level, index, hash } of nodes) {
    const other = found.get(`${level}/${index}`);
    if (other !== hash) throw new LogFault(`node ${index} of level ${level} is ${other ?? "missing"}, and its leaves make ${hash}`);
  }
}

/** At each level, the nodes that neighbouring leaves complete are neighbours too. */
function rangesOf(nodes: readonly Node[]): NodeRange[] {
  const ranges = new Map<number, NodeRange>();
  for (const { level, index } of nodes) ranges.set(level, { level, first: ranges.get(level)?.first ?? index, last: index });
  return [...ranges.values()];
}

function compareRoots(checkpoints: readonly SignedCheckpoint[], roots: readonly string[], keys: readonly PublicKeyRow[]): void {
  for (const [n, checkpoint] of checkpoints.entries()) {
    const { tree_size, root } = openCheckpoint(checkpoint, keys);
    if (roots[n] !== root) throw new LogFault(`the first ${tree_size} leaves make the root ${roots[n]}, and ${root} was signed`);
  }
}
