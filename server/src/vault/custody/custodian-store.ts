import { type Read, sql, type Tx } from "../../db/sql.ts";
import type { OrgId, UserId } from "../../shared/ids.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import type { Role } from "../../shared/scopes.ts";

/** A current or possible custodian: every member, and former members who are still custodians. */
export interface Custodian {
  readonly user_id: UserId;
  readonly name: string;
  readonly email: string;
  /** null after they left the organization */
  readonly role: Role | null;
  readonly copies: number;
}

/** Only copies in the vault: an exported copy has no custodian, and a destroyed one needs none. */
const kept = (org: OrgId) => sql`
  select p.user_id from custodian_permissions p join authoritative_copies c on c.org_id = p.org_id and c.copy_id = p.copy_id
  where p.org_id = ${org} and p.state = 'active' and c.state not in ('exported', 'transferred', 'papered', 'destroying', 'destroyed')`;

/** By name, then by id. `only`: this person alone; null: all. */
export async function listCustodians(read: Read, org: OrgId, { page, limit }: PageRequest, only: UserId | null): Promise<Page<Custodian>> {
  const which = only === null ? sql`true` : sql`u.user_id = ${only}`;
  const { rows } = await read.query<Custodian & { total: number }>(sql`
    with held as (select k.user_id, count(*)::int as copies from (${kept(org)}) k group by k.user_id),
      people as (
        select m.user_id, m.role from members m where m.org_id = ${org}
        union all
        select h.user_id, null from held h where not exists (select from members m where m.org_id = ${org} and m.user_id = h.user_id)
      )
    select u.user_id, u.name, u.email, p.role, coalesce(h.copies, 0) as copies, count(*) over ()::int as total
    from people p join users u using (user_id) left join held h using (user_id) where ${which}
    order by lower(u.name), u.user_id limit ${limit} offset ${(page - 1) * limit}`);
  if (rows.length === 0 && page > 1) return { items: [], total: (await listCustodians(read, org, { page: 1, limit: 1 }, only)).total };
  return { items: rows, total: rows[0]?.total ?? 0 };
}

/** How many copies this person is custodian of. */
export async function countCopies(tx: Tx, org: OrgId, user_id: UserId): Promise<number> {
  const { rows } = await tx.query<{ copies: number }>(sql`
    select count(*)::int as copies from (${kept(org)}) k where k.user_id = ${user_id}`);
  return rows[0]?.copies ?? 0;
}
