import type pg from "pg";
import { type SystemTx, sql } from "./sql.ts";

/** Every process says every few seconds that it runs, and what it is: workers with the queue's login, those that serve with the app's. */

export const BEAT_SECONDS = 5;

// A dead worker's job must run again within 60 s; the queue's own timeout is 4 hours. With a shorter limit, jobs of a worker that only
// stalled would run twice. Jobs tolerate that, but it is wasted work.
export const SILENT_SECONDS = 30;

/** What runs. `migration`: the number of the newest migration that it knows. */
export interface Program {
  readonly version: string;
  readonly migration: number;
}

export interface RunningProcess {
  readonly process: string;
  /** these three are null for a worker of a version that did not say */
  readonly role: "serve" | "worker" | null;
  readonly version: string | null;
  readonly migration: number | null;
  /** since its last heartbeat */
  readonly seconds: number;
}

/** Of a process that serves. */
export async function noteProcess(tx: SystemTx, process: string, { version, migration }: Program): Promise<void> {
  await tx.query(sql`select note_process(${process}, ${version}, ${migration})`);
}

export async function forgetProcess(tx: SystemTx, process: string): Promise<void> {
  await tx.query(sql`select forget_process(${process})`);
}

/** With the owner's login. A database from before the columns has null in them. */
export async function listProcesses(client: Pick<pg.ClientBase, "query">): Promise<RunningProcess[]> {
  const { rows } = await client.query<RunningProcess>(
    `select worker_id as process, to_jsonb(h) ->> 'role' as role, to_jsonb(h) ->> 'version' as version,
       (to_jsonb(h) ->> 'migration')::integer as migration, greatest(extract(epoch from clock_timestamp() - beat_at), 0)::integer as seconds
     from worker_heartbeats h where beat_at > clock_timestamp() - make_interval(secs => $1) order by 2, 3, 1`,
    [SILENT_SECONDS],
  );
  return rows;
}

export interface OpenBackfill {
  readonly name: string;
  readonly orgs: number;
}

/** With the owner's login: what jobs still fill in, and for how many organizations. */
export async function listOpenBackfills(client: Pick<pg.ClientBase, "query">): Promise<OpenBackfill[]> {
  const { rows } = await client.query<OpenBackfill>(
    "select name, count(*)::integer as orgs from backfills where done_at is null group by name order by name",
  );
  return rows;
}
