import type { JobHandlers } from "../jobs/catalogue.ts";
import type { JobLog } from "../shared/job-log.ts";
import { push } from "./push.ts";
import { recordSignIns } from "./record-sign-ins.ts";
import type { SinkDeps } from "./sink.ts";
import type { AuditSinkDeps } from "./stream-log.ts";

type AuditSinkJob = "audit-sinks.record-sign-ins" | "audit-sinks.push";

export const auditSinkJobs = (deps: AuditSinkDeps & SinkDeps, log?: JobLog): Pick<JobHandlers, AuditSinkJob> => ({
  "audit-sinks.push": () => push(deps),
  "audit-sinks.record-sign-ins": async () => {
    const { dropped, unknown } = await recordSignIns(deps);
    if (unknown > 0) log?.warn({ attempts: unknown }, "failed log-ins with addresses that have no account");
    if (dropped > 0) log?.warn({ rows: dropped }, "more failed log-ins and refusals in a minute than are kept for an organization");
  },
});
