import type { Pool } from "pg";
import { limitedJobs } from "./catalogue.ts";

const BATCH = 500;

/**
 * Moves a batch of outbox rows into the queue in one transaction, so that a crash loses none. Two relays skip each other's rows.
 * Returns how many rows were moved. Jobs of `limitedJobs` get their name as a flag, which a worker that has enough of them passes over, and
 * their key as a queue, whose jobs run one after another. What the job belongs to travels in its payload, which is all that the queue keeps
 * of it (meta.ts).
 */
export async function relayOnce(queue: Pool): Promise<number> {
  const { rows } = await queue.query<{ moved: number }>({
    name: "relay-outbox",
    text: `with due as (
             delete from outbox where outbox_id = any(array(select outbox_id from outbox order by outbox_id limit ${BATCH} for update skip locked))
             returning outbox_id, task, payload, job_key, run_at, traceparent, request_id
           ), ordered as (select *, case when traceparent is null and request_id is null then payload else payload || jsonb_build_object('_meta',
               jsonb_strip_nulls(jsonb_build_object('traceparent', traceparent, 'request_id', request_id))) end as passed from due order by outbox_id),
           queued as (select graphile_worker.add_job(task, passed::json, run_at => coalesce(run_at, now()), job_key => job_key,
               queue_name => case when task = any($1) then job_key end, flags => case when task = any($1) then array[task] end) from ordered)
           select count(*)::int as moved from queued`,
    values: [Object.keys(limitedJobs)],
  });
  return rows[0]?.moved ?? 0;
}
