import {
  type Checkpoint,
  type Inclusion,
  isConsistent,
  isIncluded,
  consistencyProof as proofOfConsistency,
  inclusionProof as proofOfInclusion,
  type ReadNodes,
} from "@countersign/evidence";
import type { Tx } from "../db/sql.ts";
import { listRecordsKeys } from "../seals/store.ts";
import { type LogDeps, LogFault, openCheckpoint, type SignedCheckpoint } from "./checkpoint.ts";
import { recordingFault } from "./faults.ts";
import { lookUpCheckpoint, lookUpLatestCheckpoint, lookUpLeaves } from "./store.ts";
import { combineReads, storedNodes } from "./tree.ts";

/** Every proof is verified before it is returned. An invalid one means that a row was changed, which is a fault. */

/** Null if there has never been an entry. */
export function latestCheckpoint(deps: Pick<LogDeps, "db">): Promise<SignedCheckpoint | null> {
  return deps.db.system(lookUpLatestCheckpoint);
}

/**
 * Proves that these entries are in the checkpoint of that size, in their order. Throws if one is not, or if there is no such checkpoint.
 */
export function inclusionProofs(deps: Pick<LogDeps, "db">, hashes: readonly string[], tree_size: number): Promise<Inclusion[]> {
  return recordingFault(deps, () =>
    deps.db.system(async (tx) => {
      const checkpoint = await findCheckpoint(tx, tree_size);
      const places = await lookUpLeaves(tx, hashes);
      const read = combineReads(storedNodes(tx));
      return Promise.all(hashes.map((hash) => proveOne(read, hash, places.get(hash), checkpoint)));
    }),
  );
}

async function proveOne(read: ReadNodes, hash: string, index: number | undefined, checkpoint: Checkpoint): Promise<Inclusion> {
  const { tree_size, root } = checkpoint;
  if (index === undefined || index >= tree_size) throw new Error(`an entry is not in the checkpoint of ${tree_size} leaves`);
  const included = { hash, index, proof: await proofOfInclusion(index, tree_size, read) };
  if (isIncluded(included, checkpoint)) return included;
  throw new LogFault(`leaf ${index} does not lead to the root ${root} of ${tree_size} leaves`);
}

/** Proves that the earlier checkpoint is a prefix of the later one. */
export function consistencyProof(deps: Pick<LogDeps, "db">, from_size: number, to_size: number): Promise<string[]> {
  return recordingFault(deps, () =>
    deps.db.system(async (tx) => {
      const [from, to] = [await findCheckpoint(tx, from_size), await findCheckpoint(tx, to_size)];
      const proof = await proofOfConsistency(from_size, to_size, storedNodes(tx));
      if (!isConsistent(from, to, proof)) throw new LogFault(`the checkpoint of ${to_size} leaves does not continue that of ${from_size}`);
      return proof;
    }),
  );
}

async function findCheckpoint(tx: Tx, tree_size: number): Promise<Checkpoint> {
  const found = await lookUpCheckpoint(tx, tree_size);
  if (found === null) throw new Error(`there is no checkpoint of ${tree_size} leaves`);
  return openCheckpoint(found, await listRecordsKeys(tx));
}
