import type { JobHandlers } from "../jobs/catalogue.ts";
import type { JobLog } from "../shared/job-log.ts";
import type { BulkDeps } from "./batch.ts";
import { checkBatch } from "./check-batch.ts";
import { eraseBatches } from "./erase-batches.ts";
import { runBatch } from "./run-batch.ts";

export const bulkJobs = (deps: BulkDeps, log?: JobLog): Pick<JobHandlers, "bulk.check" | "bulk.run" | "bulk.clean-up"> => ({
  "bulk.check": (payload) => checkBatch(deps, payload),
  "bulk.run": (payload) => runBatch({ ...deps, log }, payload),
  "bulk.clean-up": () => eraseBatches(deps),
});
