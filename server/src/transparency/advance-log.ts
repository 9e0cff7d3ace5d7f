import {
  appendLeaves,
  type Checkpoint,
  canonicalize,
  consistencyProof,
  type Frontier,
  isConsistent,
  readCheckpoint,
  rootOf,
} from "@countersign/evidence";
import { isUniqueViolation } from "../db/errors.ts";
import type { Tx } from "../db/sql.ts";
import { ensureInstanceKeys } from "../seals/instance-keys.ts";
import { listRecordsKeys } from "../seals/store.ts";
import { type LogDeps, LogFault, openCheckpoint, type SignedCheckpoint } from "./checkpoint.ts";
import { recordingFault, refuseStopped } from "./faults.ts";
import { type RunLines, shareRuns } from "./share-runs.ts";
import { isUnderPresentName, signNote } from "./sign-note.ts";
import {
  insertCheckpoint,
  insertNodes,
  lockLog,
  lookUpCheckpointFrom,
  lookUpLatestCheckpoint,
  lookUpLeaves,
  readSize,
  sequenceSome,
} from "./store.ts";
import { readFrontier, storedNodes } from "./tree.ts";

// Per transaction, which blocks others for a few hundred milliseconds. The rest is handled in the next one.
const ENTRIES_AT_ONCE = 5_000;

const runs: RunLines<SignedCheckpoint | null> = new WeakMap();

/**
 * Adds all queued entries to the log and signs the new state. Returns the previous checkpoint if there is nothing new, and null if there
 * has never been an entry. With `wanted`, a caller that waited for the lock and finds these entries covered is done. Concurrent calls share
 * runs, so that of many only a few sign. Call it outside transactions: the signer may be another machine.
 */
export function advanceLog(deps: LogDeps, wanted: readonly string[] = []): Promise<SignedCheckpoint | null> {
  return shareRuns(runs, deps.db, wanted, (together) => recordingFault(deps, () => advance(deps, together)));
}

/**
 * Leaves and nodes commit together, then the state is signed without the log's lock, then its checkpoint is inserted. A run that ends in
 * between leaves leaves without a checkpoint, which the next run signs.
 */
async function advance(deps: LogDeps, wanted: readonly string[]): Promise<SignedCheckpoint | null> {
  for (;;) {
    const step = await deps.db.system((tx) => appendSome(tx, wanted));
    if (step === "more") continue;
    if ("done" in step) return step.done;
    const signed = await signState(deps, step);
    const latest = await deps.db.system((tx) => insertSigned(tx, step, signed));
    if (latest !== "again") return latest;
  }
}

/** A state to sign, and the time of the checkpoint before it. */
interface Unsigned {
  readonly state: LogState;
  readonly not_before: string | null;
}

type LogState = Pick<Checkpoint, "tree_size" | "root">;

async function appendSome(tx: Tx, wanted: readonly string[]): Promise<Unsigned | { done: SignedCheckpoint | null } | "more"> {
  await lockLog(tx);
  await refuseStopped(tx);
  const covering = await lookUpCovering(tx, wanted);
  if (covering !== null) return { done: covering };
  const size = await readSize(tx);
  const hashes = await sequenceSome(tx, ENTRIES_AT_ONCE);
  const latest = await lookUpLatestCheckpoint(tx);
  if (hashes.length === 0 && size === (latest?.tree_size ?? 0)) return { done: latest };
  const frontier = await append(tx, await readFrontier(tx, size), hashes);
  if (hashes.length === ENTRIES_AT_ONCE) return "more";
  const state = { tree_size: frontier.tree_size, root: rootOf(frontier) };
  // Checked before the leaves commit: after a fault nothing is appended.
  const before = latest === null ? null : await refuseInconsistent(tx, latest, state);
  return { state, not_before: before?.at ?? null };
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

async function signState(deps: LogDeps, { state, not_before }: Unsigned): Promise<SignedCheckpoint> {
  const keys = await ensureInstanceKeys({ ...deps.seals, db: deps.db });
  const { records, log_id, at } = keys;
  const now = at.toISOString();
  const checkpoint: Checkpoint = {
    type: "countersign/checkpoint/1",
    log_id,
    ...state,
    // If the clock was set back, the log's time does not go backwards.
    at: not_before !== null && not_before > now ? not_before : now,
    key_id: records.key_id,
  };
  const bytes = Buffer.from(canonicalize(checkpoint));
  // Together: a signer outside may take seconds for each.
  const [note, signature] = await Promise.all([signNote(deps, keys, state), records.sign(bytes)]);
  return { tree_size: state.tree_size, bytes, signature, note };
}

/** Inserts the checkpoint if it extends the latest one. If another process was faster, the result is its checkpoint, or another attempt. */
async function insertSigned(tx: Tx, { state }: Unsigned, signed: SignedCheckpoint): Promise<SignedCheckpoint | "again"> {
  await lockLog(tx);
  await refuseStopped(tx);
  const latest = await lookUpLatestCheckpoint(tx);
  if (latest !== null && latest.tree_size >= state.tree_size) return latest;
  const before = latest === null ? null : await refuseInconsistent(tx, latest, state);
  // Its time may not be earlier than that of a checkpoint which was inserted meanwhile.
  if (before !== null && before.at > timeOf(signed)) return "again";
  // The log may have been restarted meanwhile.
  if (!(await isUnderPresentName(tx, signed.note))) return "again";
  await insertCheckpoint(tx, signed);
  return signed;
}

const timeOf = ({ bytes }: SignedCheckpoint): string => readCheckpoint(bytes)?.at ?? "";

/** A signed state must stay true: the earlier tree is a prefix of the present one. Returns the earlier state. */
async function refuseInconsistent(tx: Tx, latest: SignedCheckpoint, state: LogState): Promise<Checkpoint> {
  const before = openCheckpoint(latest, await listRecordsKeys(tx));
  if (before.tree_size > state.tree_size) throw new LogFault(`${before.tree_size} leaves were signed and ${state.tree_size} are there`);
  const proof = await consistencyProof(before.tree_size, state.tree_size, storedNodes(tx));
  if (isConsistent(before, state, proof)) return before;
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
