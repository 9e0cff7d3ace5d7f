import { randomBytes } from "node:crypto";
import { enqueue } from "../../jobs/enqueue.ts";
import type { VaultDeps } from "../copy.ts";
import { reportLogFault } from "./report-log-fault.ts";
import { SWEEP_SLICES } from "./store.ts";
import { keyOfSlice } from "./verify-slice.ts";

/**
 * Runs each hour: reports faults of the log, and queues a job for each slice. A slice that is still waiting since an hour ago is not queued
 * twice.
 */
export async function startSweep(deps: Pick<VaultDeps, "db">): Promise<void> {
  await reportLogFault(deps);
  await deps.db.system(async (tx) => {
    const [seed, began_at] = [randomBytes(8).toString("hex"), tx.now.toISOString()];
    for (let slice = 0; slice < SWEEP_SLICES; slice++) {
      await enqueue(tx, "vault.verify-slice", { slice, seed, began_at }, keyOfSlice(slice));
    }
  });
}
