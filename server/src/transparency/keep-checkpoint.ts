import { readCheckpoint, rootOf } from "@countersign/evidence";
import type { Db } from "../db/connect.ts";
import type { Tx } from "../db/sql.ts";
import type { StorageDeps } from "../storage/store-blob.ts";
import { lookUpLatestCheckpoint, readSize } from "./store.ts";
import { readFrontier } from "./tree.ts";

/**
 * The latest checkpoint is kept in the document store too. A database that was restored from an older backup beside a newer store does not
 * continue it: it has fewer entries, or, once it has worked on its own, others in their place.
 */
const NOTE = "checkpoint";

interface KeepDeps {
  readonly db: Db;
  readonly storage: Pick<StorageDeps, "blobs">;
}

/** Runs every hour. What is kept stays if the log does not continue it, so that the contradiction can still be seen. */
export async function keepCheckpoint(deps: KeepDeps): Promise<void> {
  if ((await lookUpContradiction(deps)) === null) await replaceKept(deps);
}

/** After the operator has accepted the contradiction. */
export async function replaceKept({ db, storage }: KeepDeps): Promise<void> {
  const latest = await db.system(lookUpLatestCheckpoint);
  if (latest !== null) await storage.blobs.writeNote(NOTE, latest.bytes);
}

/** The number of entries of the kept checkpoint and of this log, if this log does not continue the kept one; otherwise null. */
export async function lookUpContradiction({ db, storage }: KeepDeps): Promise<{ readonly kept: number; readonly here: number } | null> {
  const bytes = await storage.blobs.readNote(NOTE);
  const kept = bytes === null ? null : readCheckpoint(bytes);
  if (kept === null) return null;
  return db.system(async (tx) => {
    const here = await readSize(tx);
    return here >= kept.tree_size && (await rootAt(tx, kept.tree_size)) === kept.root ? null : { kept: kept.tree_size, here };
  });
}

const rootAt = async (tx: Tx, tree_size: number): Promise<string> => rootOf(await readFrontier(tx, tree_size));
