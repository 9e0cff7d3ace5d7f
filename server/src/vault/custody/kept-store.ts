import { type Read, type Sql, sql } from "../../db/sql.ts";
import type { KeptRecord } from "../../http/endpoint.ts";
import type { OrgId, UserId } from "../../shared/ids.ts";

/**
 * The one rule of what a member with the role custodian sees: records of which they are the present custodian, or are asked to become it. It
 * ends with their custody, and with a request that was answered, withdrawn or is overdue.
 */
export const isKeptBy = (org: OrgId, user_id: UserId, envelope_id: Sql): Sql => sql`exists (
  select from custodian_permissions k where k.org_id = ${org} and k.envelope_id = ${envelope_id} and k.user_id = ${user_id}
    and (k.state = 'active' or k.state = 'pending' and k.expires_at > clock_timestamp()))`;

/** An act `a` on such a record, or an open one that asks them: as the next custodian of many records they decide before they keep one. */
export const isActFor = (org: OrgId, user_id: UserId): Sql => sql`(${isKeptBy(org, user_id, sql`a.envelope_id`)}
  or a.closed_at is null and exists (
    select from act_needs n where n.org_id = a.org_id and n.act_id = a.act_id and n.user_id = ${user_id}))`;

const isTheirs: Record<KeptRecord, (org: OrgId, user_id: UserId, id: string) => Sql> = {
  envelope_id: (org, user_id, id) => isKeptBy(org, user_id, sql`${id}`),
  permission_id: (org, user_id, id) => {
    const envelope_id = sql`(select p.envelope_id from custodian_permissions p where p.org_id = ${org} and p.permission_id = ${id})`;
    return isKeptBy(org, user_id, envelope_id);
  },
  act_id: (org, user_id, id) => sql`exists (
    select from control_acts a where a.org_id = ${org} and a.act_id = ${id} and ${isActFor(org, user_id)})`,
};

/** Implements the port of http/ that guards what a custodian asks for by an id. */
export async function keepsRecord(
  read: Read,
  org: OrgId,
  user_id: UserId,
  { param, id }: { readonly param: KeptRecord; readonly id: string },
): Promise<boolean> {
  const { rows } = await read.query<{ kept: boolean }>(sql`select ${isTheirs[param](org, user_id, id)} as kept`);
  return rows[0]?.kept ?? false;
}
