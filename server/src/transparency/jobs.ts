import { SealUnavailable } from "../seals/seal.ts";
import type { JobLog } from "../shared/job-log.ts";
import { advanceLog } from "./advance-log.ts";
import { type LogDeps, LogFault, LogStopped } from "./checkpoint.ts";
import { stampLatest } from "./stamp-checkpoint.ts";
import { verifyLogWhenDue } from "./verify-log.ts";

/** The names are older than the folder's, and must stay because queued jobs have them. */
export const transparencyJobs = (deps: LogDeps, log?: JobLog) => ({
  "log.checkpoint": () => alerting(log, () => advanceLog(deps)),
  "log.stamp": async () => {
    const stamp = await stampLatest(deps);
    if (stamp !== null && stamp.error !== null)
      log?.warn({ error: stamp.error }, "the log was not time-stamped; it is tried again in an hour");
  },
  "log.verify": () => alerting(log, () => verifyLogWhenDue(deps)),
});

/** A stopped or unsigned log is reported once per run and not retried, because a retry would find the same. The next run checks again. */
async function alerting(log: JobLog | undefined, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (err) {
    if (!(err instanceof LogFault || err instanceof LogStopped || err instanceof SealUnavailable)) throw err;
    log?.error?.({ err }, "the log cannot continue");
  }
}
