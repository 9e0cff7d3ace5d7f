import type { JobLog } from "../shared/job-log.ts";
import type { StorageDeps } from "./store-blob.ts";
import { sweepStorage } from "./sweep-storage.ts";

export const storageJobs = (deps: StorageDeps, log?: JobLog) => ({
  "storage.sweep": async () => {
    const { away } = await sweepStorage(deps);
    if (away !== null) log?.warn({ err: away }, "the sweep of the blob store stopped; the next one goes on");
  },
});
