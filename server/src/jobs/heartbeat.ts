import type { Pool } from "pg";
import { type Program, SILENT_SECONDS } from "../db/heartbeats.ts";
import { newId } from "../shared/ids.ts";
import { keyedJobs } from "./catalogue.ts";

/** Without a program the heartbeat does not say which one it is, and it counts as an earlier one. */
export async function beat(queue: Pool, workerId: string, program?: Program): Promise<void> {
  await queue.query({
    name: "worker-beat",
    text: `insert into worker_heartbeats (worker_id, beat_at, role, version, migration) values ($1, clock_timestamp(), 'worker', $2, $3)
           on conflict (worker_id) do update set beat_at = excluded.beat_at`,
    values: [workerId, program?.version ?? null, program?.migration ?? null],
  });
}

/** Unlocks the jobs of workers without a recent heartbeat, and of those that never had one. Returns their ids. Forgets all that are silent. */
export async function unlockSilentWorkers(queue: Pool, silentSeconds: number = SILENT_SECONDS): Promise<string[]> {
  const { rows } = await queue.query<{ worker_id: string }>({
    name: "unlock-silent-workers",
    text: `with silent as (
             delete from worker_heartbeats where beat_at < clock_timestamp() - make_interval(secs => $1) returning worker_id, role
           ), unknown as (
             select distinct locked_by as worker_id from graphile_worker.jobs j
             where locked_at < clock_timestamp() - make_interval(secs => $1)
               and not exists (select from worker_heartbeats h where h.worker_id = j.locked_by)
           ), gone as (select worker_id from silent where role is distinct from 'serve' union select worker_id from unknown)
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

// More would need many workers to fail at the same moment; the rest is noted five seconds later.
const NOTED_AT_ONCE = 100;

/** Records jobs that failed this often, and does what was asked for about recorded ones. Returns how many were new. */
export async function noteFailedJobs(queue: Pool, afterFailures: number): Promise<number> {
  const { rows } = await queue.query<{ added: number }>({
    name: "note-failed-jobs",
    text: "select note_failed_jobs($1, $2, $3) as added",
    values: [Array.from({ length: NOTED_AT_ONCE }, () => newId("problem")), afterFailures, keyedJobs],
  });
  return rows[0]?.added ?? 0;
}

export async function removeHeartbeat(queue: Pool, workerId: string): Promise<void> {
  await queue.query("delete from worker_heartbeats where worker_id = $1", [workerId]);
}

/** The jobs that a worker runs, or whose result it has not recorded. */
export async function countLocked(queue: Pool, workerId: string): Promise<number> {
  const { rows } = await queue.query<{ locked: number }>({
    name: "count-locked-jobs",
    text: "select count(*)::int as locked from graphile_worker.jobs where locked_by = $1",
    values: [workerId],
  });
  return rows[0]?.locked ?? 0;
}
