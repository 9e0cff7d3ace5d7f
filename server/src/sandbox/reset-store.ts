import { type Read, sql, type Tx } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";

/** Up to `limit` rows of a sandbox that is to be reset. 0: nothing is left, and it is ready again. */
export async function removeRows(tx: Tx, org: OrgId, limit: number): Promise<number> {
  const { rows } = await tx.query<{ removed: number }>(sql`select reset_sandbox(${org}, ${limit})::float8 as removed`);
  return rows[0]?.removed ?? 0;
}

/** Envelopes of a sandbox from before a time, with everything about them. Returns how many there were, at most `limit`. */
export async function removeOldEnvelopes(tx: Tx, org: OrgId, days: number, limit: number): Promise<number> {
  const { rows } = await tx.query<{ removed: number }>(sql`
    select remove_old_envelopes(${org}, make_interval(days => ${days}::int), ${limit})::float8 as removed`);
  return rows[0]?.removed ?? 0;
}

/** The rows of deleted sandboxes whose data and files are gone. */
export async function dropDeleted(tx: Tx): Promise<number> {
  const { rows } = await tx.query<{ dropped: number }>(sql`select drop_deleted_sandboxes()::float8 as dropped`);
  return rows[0]?.dropped ?? 0;
}

export interface ResetState {
  readonly resetting_since: Date | null;
  readonly reset_at: Date | null;
  readonly deleted_at: Date | null;
}

/** Null for a sandbox whose row is gone. */
export async function lookUpReset(read: Read, org: OrgId): Promise<ResetState | null> {
  const { rows } = await read.query<ResetState>(sql`select resetting_since, reset_at, deleted_at from orgs where org_id = ${org}`);
  return rows[0] ?? null;
}

export interface ListedSandbox {
  readonly org_id: OrgId;
  readonly is_resetting: boolean;
}

/** All of the installation that are not deleted, or are still being removed. */
export async function listAllSandboxes(read: Read): Promise<ListedSandbox[]> {
  const { rows } = await read.query<ListedSandbox>(sql`
    select org_id, resetting_since is not null as is_resetting from orgs
    where sandbox_of is not null and (deleted_at is null or resetting_since is not null) order by org_id`);
  return rows;
}
