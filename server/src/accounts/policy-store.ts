import { type Read, sql } from "../db/sql.ts";
import type { ConnectionId, OrgId, UserId } from "../shared/ids.ts";

/** What organizations demand of log-ins and passwords. `orgs/` changes it. */

export interface SessionPolicy {
  readonly max_hours: number;
  /** 0: a browser never replaces a second factor */
  readonly remember_device_days: number;
  readonly second_factor: "off" | "required";
}

export async function findSessionPolicy(read: Read, org: OrgId): Promise<SessionPolicy> {
  const { rows } = await read.query<SessionPolicy>(sql`
    select max_hours, remember_device_days, second_factor from org_security where org_id = ${org}`);
  const policy = rows[0];
  if (policy === undefined) throw new Error("the security settings of an organization are gone");
  return policy;
}

/** Whether members can use the org from this address. */
export async function admitsAddress(read: Read, org: OrgId, ip: string): Promise<boolean> {
  const { rows } = await read.query<{ admits: boolean }>(sql`
    select admits_address(allowed_cidrs, ${ip}) as admits from org_security where org_id = ${org}`);
  return rows[0]?.admits === true;
}

/** Whether a member can log in without single sign-on. Null: no member. */
export interface LogInRule {
  readonly needs_sso: boolean;
  /** the org requires single sign-on, and this member is an exception */
  readonly break_glass: boolean;
  /** the oldest active one; null if the org has none */
  readonly connection_id: ConnectionId | null;
}

export async function lookUpLogInRule(read: Read, org: OrgId, user_id: UserId): Promise<LogInRule | null> {
  const { rows } = await read.query<LogInRule>(sql`
    select needs_sso, break_glass, connection_id from log_in_rule(${org}, ${user_id})`);
  return rows[0] ?? null;
}

/** Whether an organization that requires single sign-on relies on this person's second factor. */
export async function isBreakGlass(read: Read, user_id: UserId): Promise<boolean> {
  const { rows } = await read.query<{ is: boolean }>(sql`select is_break_glass(${user_id}) as is`);
  return rows[0]?.is === true;
}

/** When the member must have a second factor. Null if the org demands none, or the member has one. */
export async function lookUpFactorDue(read: Read, org: OrgId, user_id: UserId): Promise<Date | null> {
  const { rows } = await read.query<{ due: Date | null }>(sql`select factor_due_at(${org}, ${user_id}) as due`);
  return rows[0]?.due ?? null;
}

/** Whether the member has no second factor although the days of grace are over. */
export async function mustHaveFactor(read: Read, org: OrgId, user_id: UserId): Promise<boolean> {
  const { rows } = await read.query<{ must: boolean | null }>(sql`select factor_due_at(${org}, ${user_id}) <= now() as must`);
  return rows[0]?.must === true;
}

/** The organizations of the person that demand a second factor by now, which the person does not have. Those that demand single sign-on do not rely on it. */
export async function listOrgsDemandingFactor(read: Read, user_id: UserId): Promise<OrgId[]> {
  const { rows } = await read.query<{ org_id: OrgId }>(sql`
    select org_id from orgs_of_user(${user_id}) where not needs_sso and factor_due_at(org_id, ${user_id}) <= now() order by org_id`);
  return rows.map(({ org_id }) => org_id);
}

/** The fewest characters that all organizations of the person accept. */
export async function findMinPassword(read: Read, user_id: UserId): Promise<number> {
  const { rows } = await read.query<{ min: number }>(sql`select min_password_of(${user_id}) as min`);
  return rows[0]?.min ?? 0;
}
