import { enqueue } from "../jobs/enqueue.ts";
import type { Caller } from "../shared/caller.ts";
import type { BatchId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { Batch, BulkDeps } from "./batch.ts";
import { putBackRows } from "./row-store.ts";
import { isAsChecked, wrongState } from "./start-batch.ts";
import { countRows, findBatch, lockBatch, setChecking } from "./store.ts";

/** Checks every row that was not sent against the template as it is now. The batch is then `checked` and can be started again. */
export function retryBatch({ db }: Pick<BulkDeps, "db">, caller: Caller, batch_id: BatchId): Promise<Batch> {
  const { org } = caller;
  return db.tx(org, async (tx) => {
    const batch = await lockBatch(tx, org, batch_id);
    if (!isRetried(batch)) throw wrongState("tried again", batch);
    if (batch.erased_at !== null) throw new Problem("batch_rows_erased");
    if (batch.state !== "refused" && batch.failed + batch.skipped + batch.ready === 0) throw new Problem("batch_without_rows_to_retry");
    await putBackRows(tx, org, batch_id, await isAsChecked(tx, org, batch));
    await setChecking(tx, org, batch_id);
    await countRows(tx, org, batch_id);
    await enqueue(tx, "bulk.check", { org_id: org, batch_id });
    return findBatch(tx, org, batch_id);
  });
}

/** A file that was refused has no rows, unless it was refused when it was tried again. */
function isRetried({ state, ended_at, rows }: Batch): boolean {
  if (state === "ended" || state === "paused") return true;
  return state === "cancelled" ? ended_at !== null && rows > 0 : state === "refused" && rows > 0;
}
