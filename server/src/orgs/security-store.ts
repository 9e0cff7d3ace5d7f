import { type Read, type SystemTx, sql, type Tx } from "../db/sql.ts";
import type { OrgId, UserId } from "../shared/ids.ts";
import { listBreakGlass } from "./store.ts";

/** What the organization demands of log-ins, sessions, passwords and keys. */
export interface Security {
  readonly second_factor: "off" | "required";
  readonly grace_days: number;
  readonly remember_device_days: number;
  readonly idle_minutes: number;
  readonly max_hours: number;
  readonly min_password: number;
  readonly max_key_days: number | null;
  readonly sso_mode: "off" | "optional" | "required";
  /** what everyone who acts on an envelope must at least prove; 0: nothing */
  readonly min_identity_level: number;
  /** whether people with an embed token are asked for it too */
  readonly embed_identity: "partner" | "same";
  /** the addresses from which members use the organization; empty: all */
  readonly allowed_cidrs: readonly string[];
  /** admins who can log in without single sign-on where it is required */
  readonly break_glass: readonly UserId[];
}

export type SecurityRow = Security & { readonly second_factor_since: Date | null; readonly updated_at: Date };

export async function findSecurity(read: Read, org: OrgId): Promise<SecurityRow> {
  const { rows } = await read.query<SecurityRow>(sql`
    select second_factor, second_factor_since, grace_days, remember_device_days, idle_minutes, max_hours, min_password, max_key_days, sso_mode,
      allowed_cidrs::text[], min_identity_level, embed_identity, updated_at
    from org_security where org_id = ${org}`);
  const row = rows[0];
  if (row === undefined) throw new Error("the security settings of an organization are gone");
  return { ...row, break_glass: await listBreakGlass(read, org) };
}

export async function lockSecurity(tx: Tx, org: OrgId): Promise<SecurityRow> {
  await tx.query(sql`select from org_security where org_id = ${org} for no key update`);
  return findSecurity(tx, org);
}

/** The days of grace count from the moment at which a second factor becomes required. */
export async function updateSecurity(tx: Tx, org: OrgId, security: Security): Promise<void> {
  const { second_factor, grace_days, remember_device_days, idle_minutes, max_hours, min_password, max_key_days, sso_mode, allowed_cidrs } =
    security;
  const { min_identity_level, embed_identity } = security;
  await tx.query(sql`
    update org_security set second_factor = ${second_factor},
      second_factor_since = case when ${second_factor} = 'required' then coalesce(second_factor_since, now()) end,
      grace_days = ${grace_days}, remember_device_days = ${remember_device_days}, idle_minutes = ${idle_minutes},
      max_hours = ${max_hours}, min_password = ${min_password}, max_key_days = ${max_key_days},
      sso_mode = ${sso_mode}, allowed_cidrs = ${[...allowed_cidrs]}::cidr[],
      min_identity_level = ${min_identity_level}, embed_identity = ${embed_identity}, updated_at = now()
    where org_id = ${org}`);
}

/** Members of all orgs who need a second factor within a day and were not reminded of it. */
export async function listFactorReminders(tx: SystemTx): Promise<{ org_id: OrgId; user_id: UserId }[]> {
  const { rows } = await tx.query<{ org_id: OrgId; user_id: UserId }>(sql`select org_id, user_id from find_factor_reminders()`);
  return rows;
}

/** False if the member was reminded since a factor was required. */
export async function markReminded(tx: Tx, org: OrgId, user_id: UserId): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update members m set factor_reminded_at = now() from org_security o
    where m.org_id = ${org} and m.user_id = ${user_id} and o.org_id = m.org_id and o.second_factor = 'required'
      and coalesce(m.factor_reminded_at < o.second_factor_since, true)`);
  return rowCount === 1;
}

/** The members who must add a second factor, by now or later. */
export async function listMembersInNeed(tx: Tx, org: OrgId): Promise<UserId[]> {
  const { rows } = await tx.query<{ user_id: UserId }>(sql`
    select user_id from members where org_id = ${org} and factor_due_at(org_id, user_id) is not null order by user_id`);
  return rows.map(({ user_id }) => user_id);
}

/** The members of the connection's org who have a second factor. */
export async function listMembersWithFactor(read: Read): Promise<ReadonlySet<UserId>> {
  const { rows } = await read.query<{ user_id: UserId }>(sql`select user_id from members_with_factor()`);
  return new Set(rows.map(({ user_id }) => user_id));
}
