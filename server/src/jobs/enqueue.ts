import { named, type Sql, sql, type Tx } from "../db/sql.ts";
import { belonging } from "../shared/trace.ts";
import type { JobName, Jobs } from "./catalogue.ts";

/**
 * Writes an outbox row, so the job exists if and only if the caller's transaction commits. Waiting jobs with the same `key` are merged
 * into one, for jobs that process everything that is due. If one is already running, another one follows it.
 */
export async function enqueue<N extends JobName>(tx: Tx, job: N, payload: Jobs[N], key: string | null = null): Promise<void> {
  await tx.query(named("enqueue")`${queueing(job, payload, key)}`);
}

/** The same as a part of the statement that writes what the job is about. */
export function queueing<N extends JobName>(job: N, payload: Jobs[N], key: string | null = null): Sql {
  const { traceparent, request_id } = belonging();
  return sql`
    insert into outbox (task, payload, job_key, traceparent, request_id)
    values (${job}, ${JSON.stringify(payload)}, ${key}, ${traceparent}, ${request_id})`;
}

/** The same with a delay in seconds, for jobs that wait for an external event without blocking a worker. */
export async function enqueueLater<N extends JobName>(tx: Tx, job: N, payload: Jobs[N], seconds: number): Promise<void> {
  const { traceparent, request_id } = belonging();
  await tx.query(sql`
    insert into outbox (task, payload, run_at, traceparent, request_id)
    values (${job}, ${JSON.stringify(payload)}, clock_timestamp() + make_interval(secs => ${seconds}), ${traceparent}, ${request_id})`);
}
