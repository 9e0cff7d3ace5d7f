import { SealUnavailable } from "../seals/seal.ts";
import type { JobLog } from "../shared/job-log.ts";
import { advanceLog } from "./advance-log.ts";
import { askWitnesses } from "./ask-witnesses.ts";
import { type LogDeps, LogFault, LogStopped } from "./checkpoint.ts";
import { keepCheckpoint } from "./keep-checkpoint.ts";
import { type RenewalDeps, renewEvidence } from "./renew-evidence.ts";
import { ensureNote } from "./sign-note.ts";
import { stampLatest } from "./stamp-checkpoint.ts";
import { verifyLogWhenDue } from "./verify-log.ts";

/** The names are older than the folder's, and must stay because queued jobs have them. */
export const transparencyJobs = (deps: LogDeps, log?: JobLog) => ({
  "log.checkpoint": () =>
    alerting(log, async () => {
      await advanceLog(deps);
      await ensureNote(deps);
    }),
  "log.stamp": async () => {
    const stamp = await stampLatest(deps);
    if (stamp !== null && stamp.error !== null)
      log?.warn({ error: stamp.error }, "the log was not time-stamped; it is tried again in an hour");
  },
  "log.ask-witnesses": () =>
    alerting(log, async () => {
      for (const error of await askWitnesses(deps)) log?.warn({ error }, "a witness did not cosign the log; it is asked again in an hour");
    }),
  "log.verify": () => alerting(log, () => verifyLogWhenDue(deps)),
});

/** For the worker alone: what the request code of the log does not need. */
export const renewalJobs = (deps: RenewalDeps, log?: JobLog) => ({
  "log.keep-checkpoint": () => keepCheckpoint(deps),
  "log.renew-evidence": () =>
    alerting(log, async () => {
      const { stamp_error } = await renewEvidence(deps);
      if (stamp_error !== null) log?.warn({ error: stamp_error }, "the evidence was not renewed; it is tried again in a day");
    }),
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
