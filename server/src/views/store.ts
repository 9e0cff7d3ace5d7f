import { lockRecord } from "../db/locks.ts";
import { type Read, sql, type Tx } from "../db/sql.ts";
import type { OrgId, UserId, ViewId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { MAX_VIEWS, type View } from "./view.ts";

const columns = sql`view_id, user_id, name, query, position`;

/** A person's own views and the shared ones. */
export async function listViews(read: Read, org: OrgId, user_id: UserId): Promise<View[]> {
  const { rows } = await read.query<View>(sql`
    select ${columns} from saved_views where org_id = ${org} and (user_id = ${user_id} or user_id is null) order by position, view_id`);
  return rows;
}

/** Locks it. The view of another person counts as missing. */
export async function findView(tx: Tx, org: OrgId, user_id: UserId, view_id: ViewId): Promise<View> {
  const { rows } = await tx.query<View>(sql`
    select ${columns} from saved_views
    where org_id = ${org} and view_id = ${view_id} and (user_id = ${user_id} or user_id is null) for no key update`);
  if (rows[0] === undefined) throw new Problem("view_not_found");
  return rows[0];
}

/** Counted under a lock: two requests at once must not make one too many. Returns the position after the last. */
export async function reserveView(tx: Tx, org: OrgId, user_id: UserId | null): Promise<number> {
  await lockRecord(tx, "views", `${org} ${user_id ?? ""}`);
  const { rows } = await tx.query<{ n: number; next: number }>(sql`
    select count(*)::int as n, coalesce(max(position), 0) + 1 as next from saved_views
    where org_id = ${org} and user_id is not distinct from ${user_id}`);
  if ((rows[0]?.n ?? 0) >= MAX_VIEWS) throw new Problem("too_many_views");
  return rows[0]?.next ?? 1;
}

export async function insertView(tx: Tx, org: OrgId, { view_id, user_id, name, query, position }: View): Promise<void> {
  await tx.query(sql`
    insert into saved_views (org_id, view_id, user_id, name, query, position)
    values (${org}, ${view_id}, ${user_id}, ${name}, ${JSON.stringify(query)}, ${position})`);
}

export async function updateView(tx: Tx, org: OrgId, { view_id, user_id, name, query, position }: View): Promise<void> {
  await tx.query(sql`
    update saved_views set user_id = ${user_id}, name = ${name}, query = ${JSON.stringify(query)}, position = ${position}
    where org_id = ${org} and view_id = ${view_id}`);
}

export async function deleteView(tx: Tx, org: OrgId, view_id: ViewId): Promise<void> {
  await tx.query(sql`delete from saved_views where org_id = ${org} and view_id = ${view_id}`);
}
