import type { Pool } from "pg";

const BATCH = 500;

/**
 * Moves a batch of outbox rows into the queue in one transaction, so that a crash loses none. Two relays skip each other's rows.
 * Returns how many rows were moved. What the job belongs to travels in its payload, which is all that the queue keeps of it (meta.ts).
 */
export async function relayOnce(queue: Pool): Promise<number> {
  const { rows } = await queue.query<{ moved: number }>({
    name: "relay-outbox",
    text: `with due as (
             delete from outbox where outbox_id = any(array(select outbox_id from outbox order by outbox_id limit ${BATCH} for update skip locked))
             returning outbox_id, task, payload, job_key, run_at, traceparent, request_id
           ), ordered as (select *, case when traceparent is null and request_id is null then payload else payload || jsonb_build_object('_meta',
               jsonb_strip_nulls(jsonb_build_object('traceparent', traceparent, 'request_id', request_id))) end as passed from due order by outbox_id),
           queued as (select graphile_worker.add_job(task, passed::json, run_at => coalesce(run_at, now()), job_key => job_key) from ordered)
           select count(*)::int as moved from queued`,
  });
  return rows[0]?.moved ?? 0;
}
