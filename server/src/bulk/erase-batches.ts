import type { BulkDeps } from "./batch.ts";
import { eraseRows } from "./row-store.ts";
import { countRows, deleteFile, findOldBatches, lockBatch, setErased } from "./store.ts";

const AT_ONCE = 100;

/**
 * Removes the contents of rows some time after the last change of their batch. Numbers and envelope ids stay. A batch that was checked or
 * paused for so long is cancelled: what it would have sent is gone.
 */
export async function eraseBatches({ db, retentionDays }: Pick<BulkDeps, "db" | "retentionDays">): Promise<void> {
  const old = await db.system((tx) => findOldBatches(tx, retentionDays, AT_ONCE));
  for (const { org_id: org, batch_id } of old) {
    await db.tx(org, async (tx) => {
      const { state } = await lockBatch(tx, org, batch_id);
      if (state === "checking" || state === "queued" || state === "running") return;
      await eraseRows(tx, org, batch_id);
      await countRows(tx, org, batch_id);
      await deleteFile(tx, org, batch_id);
      await setErased(tx, org, batch_id);
    });
  }
}
