import type { Pool } from "pg";
import { keyedJobs } from "./catalogue.ts";

export const BEAT_SECONDS = 5;

// A dead worker's job must run again within 60 s; the queue's own timeout is 4 hours. With a shorter limit, jobs of a worker that only
// stalled would run twice. Jobs tolerate that, but it is wasted work.
const SILENT_SECONDS = 30;

export async function beat(queue: Pool, workerId: string): Promise<void> {
  await queue.query({
    name: "worker-beat",
    text: `insert into worker_heartbeats (worker_id, beat_at) values ($1, clock_timestamp())
           on conflict (worker_id) do update set beat_at = excluded.beat_at`,
    values: [workerId],
  });
}

/** Unlocks the jobs of workers without a recent heartbeat, and of those that never had one. Returns their ids. */
export async function unlockSilentWorkers(queue: Pool, silentSeconds: number = SILENT_SECONDS): Promise<string[]> {
  const { rows } = await queue.query<{ worker_id: string }>({
    name: "unlock-silent-workers",
    text: `with silent as (
             delete from worker_heartbeats where beat_at < clock_timestamp() - make_interval(secs => $1) returning worker_id
           ), unknown as (
             select distinct locked_by as worker_id from graphile_worker.jobs j
             where locked_at < clock_timestamp() - make_interval(secs => $1)
               and not exists (select from worker_heartbeats h where h.worker_id = j.locked_by)
           ), gone as (select worker_id from silent union select worker_id from unknown)
           select worker_id, graphile_worker.force_unlock_workers(array[worker_id]) from gone`,
    values: [silentSeconds],
  });
  return rows.map((row) => row.worker_id);
}

/**
 * If a job with a key is enqueued again while it runs, the queue adds a new job, removes the key of the running one and sets its
 * attempts to the maximum. If the worker dies, that old job would stay in the queue forever, so this removes it.
 */
export async function removeReplaced(queue: Pool): Promise<void> {
  await queue.query({
    name: "remove-replaced-jobs",
    text: `select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
           where task_identifier = any($1) and key is null and attempts >= max_attempts and locked_at is null
           having count(*) > 0`,
    values: [keyedJobs],
  });
}

export async function removeHeartbeat(queue: Pool, workerId: string): Promise<void> {
  await queue.query("delete from worker_heartbeats where worker_id = $1", [workerId]);
}
