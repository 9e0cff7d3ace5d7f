import type { Actor, Json } from "@countersign/evidence";
import { join, type Read, type Sql, sql } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { Problem } from "../shared/problems.ts";
import type { AuditType } from "./catalogue.ts";
import type { TrailItem } from "./read-chain.ts";

/** The chain of an organization by person, act and date. */

export interface ActivityFilter {
  /** the id of a member or a key */
  readonly actor_id?: string | undefined;
  readonly type?: AuditType | undefined;
  /** inclusive */
  readonly from?: Date | undefined;
  /** exclusive */
  readonly to?: Date | undefined;
}

// Counting stops here. Further back, a date finds an entry sooner than a page number.
const MAX_COUNTED = 10_000;

interface Row {
  seq: number;
  type: string;
  at: Date;
  actor: Actor;
  hash: string;
  data: Json | null;
}

export const isFiltered = (filter: ActivityFilter): boolean => Object.values(filter).some((given) => given !== undefined);

/**
 * Newest first. Sorted by time and number, as the indexes have them, which is the order of the chain. Only entries in the chain of an
 * organization have an `actor_id`, and only these are indexed.
 */
export async function listActivity(read: Read, org: OrgId, filter: ActivityFilter, { page, limit }: PageRequest): Promise<Page<TrailItem>> {
  const offset = (page - 1) * limit;
  if (offset >= MAX_COUNTED) throw new Problem("page_too_deep");
  const which = sql`from audit_entries e where e.org_id = ${org} and e.actor_id is not null ${conditionsOf(filter)}`;
  const { rows: counted } = await read.query<{ n: number }>(sql`
    select count(*)::int as n from (select ${which} limit ${MAX_COUNTED + 1}) counted`);
  const { rows } = await read.query<Row>(sql`
    with page as materialized (
      select e.org_id, e.subject, e.seq, e.type, e.at, e.actor, e.hash ${which} order by e.at desc, e.seq desc limit ${limit} offset ${offset}
    )
    select p.seq, p.type, p.at, p.actor, p.hash, d.data from page p left join audit_entry_data d using (org_id, subject, seq)
    order by p.seq desc`);
  const found = counted[0]?.n ?? 0;
  const items = rows.map(({ seq, type, at, actor, data, hash }) => ({ seq, type, at: at.toISOString(), actor, data, hash }));
  return { items, total: Math.min(found, MAX_COUNTED), ...(found > MAX_COUNTED && { total_capped: true }) };
}

function conditionsOf({ actor_id, type, from, to }: ActivityFilter): Sql {
  const conditions = [
    ...(actor_id === undefined ? [] : [sql`and e.actor_id = ${actor_id}`]),
    ...(type === undefined ? [] : [sql`and e.type = ${type}`]),
    ...(from === undefined ? [] : [sql`and e.at >= ${from}`]),
    ...(to === undefined ? [] : [sql`and e.at < ${to}`]),
  ];
  return conditions.length === 0 ? sql`` : join(conditions, " ");
}
