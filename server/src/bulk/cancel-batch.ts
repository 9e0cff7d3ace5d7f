import { enqueue } from "../jobs/enqueue.ts";
import type { Caller } from "../shared/caller.ts";
import type { BatchId } from "../shared/ids.ts";
import type { Batch, BatchState, BulkDeps } from "./batch.ts";
import { endBatch } from "./finish-batch.ts";
import { skipRows } from "./row-store.ts";
import { wrongState } from "./start-batch.ts";
import { countRows, deleteFile, findBatch, lockBatch, lockOrg, setCancelled } from "./store.ts";

const cancellable: readonly BatchState[] = ["checking", "checked", "queued", "running", "paused"];

/** Rows that were not begun are skipped. A row whose envelope exists already is still sent; after it, the batch has ended. */
export function cancelBatch(deps: BulkDeps, caller: Caller, batch_id: BatchId): Promise<Batch> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    await lockOrg(tx, org);
    const batch = await lockBatch(tx, org, batch_id);
    if (!cancellable.includes(batch.state)) throw wrongState("cancelled", batch);
    await setCancelled(tx, org, batch_id);
    if (batch.state === "checking") await deleteFile(tx, org, batch_id);
    const isInHand = await skipRows(tx, org, batch_id);
    await countRows(tx, org, batch_id);
    // If a job is at work it does the same, and one of the two finds nothing left to do.
    if (isInHand) await enqueue(tx, "bulk.run", { org_id: org, batch_id, run_no: batch.run_no, tries: 0 });
    else await endBatch(deps, tx, org, batch_id);
    return findBatch(tx, org, batch_id);
  });
}
