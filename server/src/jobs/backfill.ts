import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "../db/connect.ts";
import { sql, type Tx } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";
import type { JobHandlers } from "./catalogue.ts";
import { enqueue } from "./enqueue.ts";

/**
 * Fills in, for the rows of one organization, what a migration could not: rows may be many, and a migration must not hold them. `fill` locks
 * and fills the next rows after the given id, in the order of ids, and returns the last id, or null if none was left.
 */
export type Backfill = (tx: Tx, org: OrgId, after: string, limit: number) => Promise<string | null>;

/** Every backfill of this version by its name in the table `backfills`, to which a migration adds a row for each organization. */
export type Backfills = Readonly<Record<string, Backfill>>;

interface Limits {
  /** A transaction takes about a second, for which changes of these rows wait. Smaller ones spend more on commits. */
  readonly atOnce?: number;
  /** Other jobs of the worker get its place in between. */
  readonly stopAfter_ms?: number;
  /** The database has as much time for others as for this job. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

const ORGS_AT_ONCE = 100;

/**
 * The job `db.backfill`. Each batch moves the cursor in its own transaction, so a job that is killed goes on where it stopped. Continues with
 * another job while there is more.
 */
export async function backfill({ db }: { readonly db: Db }, backfills: Backfills, limits: Limits = {}): Promise<void> {
  const { atOnce = 1_000, stopAfter_ms = 10_000, pause = delay } = limits;
  const stopAt = performance.now() + stopAfter_ms;
  const open = await db.system((tx) => findOpen(tx, Object.keys(backfills)));
  let left = open.length === ORGS_AT_ONCE;
  for (const { org_id, name } of open) {
    const fill = backfills[name] ?? unknownBackfill(name);
    let more = true;
    while (more && performance.now() < stopAt) {
      const began = performance.now();
      more = await fillSome(db, { org_id, name }, fill, atOnce);
      await pause(performance.now() - began);
    }
    left ||= more;
  }
  if (left) await db.system((tx) => enqueue(tx, "db.backfill", {}, "db.backfill"));
}

export function backfillJobs(deps: { readonly db: Db }, backfills: Backfills): Pick<JobHandlers, "db.backfill" | "envelopes.index-words"> {
  const run = () => backfill(deps, backfills);
  return { "db.backfill": run, "envelopes.index-words": run };
}

interface OpenBackfill {
  readonly org_id: OrgId;
  readonly name: string;
}

function unknownBackfill(name: string): never {
  throw new Error(`the backfill ${name} was not asked for`);
}

/** False once nothing is left. A second worker waits for the row and then goes on from where the first stopped. */
function fillSome(db: Db, { org_id, name }: OpenBackfill, fill: Backfill, atOnce: number): Promise<boolean> {
  return db.tx(org_id, async (tx) => {
    const { rows } = await tx.query<{ cursor: string }>(sql`
      select cursor from backfills where org_id = ${org_id} and name = ${name} and done_at is null for no key update`);
    const [at] = rows;
    if (at === undefined) return false;
    const last = await fill(tx, org_id, at.cursor, atOnce);
    await tx.query(sql`
      update backfills set cursor = coalesce(${last}, cursor), done_at = case when ${last}::text is null then now() end
      where org_id = ${org_id} and name = ${name}`);
    return last !== null;
  });
}

/** Others are left to the version that declares them. */
async function findOpen(tx: Tx, names: readonly string[]): Promise<OpenBackfill[]> {
  const { rows } = await tx.query<OpenBackfill & { [column: string]: unknown }>(sql`
    select org_id, name from find_open_backfills(${names}, ${ORGS_AT_ONCE})`);
  return rows;
}
