import { type Read, type Sql, sql, type Tx } from "../db/sql.ts";
import type { InvitationId, OrgId, UserId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { Problem } from "../shared/problems.ts";
import type { Role } from "../shared/scopes.ts";
import type { Invitation, MemberRow, Settings } from "./org.ts";

/** All the SQL of this feature. `org` is in every WHERE; row-level security is the second fence. */

// Set-up ---------------------------------------------------------------------------------------------------------------

export interface Setup {
  readonly nonce: string;
  readonly done: boolean;
  readonly link_printed_at: Date | null;
  readonly link_printed_by: string | null;
  /** it was printed more than a day ago */
  readonly link_expired: boolean;
}

// Long enough to send it to the person who sets the installation up; a link that was forgotten in a mailbox or a log opens nothing later.
const LINK_LIFE = "24 hours";

export async function readSetup(read: Read): Promise<Setup> {
  const { rows } = await read.query<Setup>(sql`
    select nonce, done_at is not null as done, link_printed_at, link_printed_by,
      coalesce(link_printed_at < now() - ${LINK_LIFE}::interval, false) as link_expired
    from instance_setup`);
  return rows[0] ?? missingSetupRow();
}

function missingSetupRow(): never {
  throw new Error("instance_setup has no row");
}

/** True for exactly one caller, ever. */
export async function claimSetup(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query<{ won: boolean }>(sql`select claim_setup() as won`);
  return rows[0]?.won === true;
}

/** True for exactly one process of the installation. */
export async function claimSetupLink(tx: Tx, by: string): Promise<boolean> {
  const { rows } = await tx.query<{ won: boolean }>(sql`select claim_setup_link(${by}) as won`);
  return rows[0]?.won === true;
}

/** False once the installation is set up. */
export async function renewSetupLink(tx: Tx, by: string): Promise<boolean> {
  const { rows } = await tx.query<{ renewed: boolean }>(sql`select renew_setup_link(${by}) as renewed`);
  return rows[0]?.renewed === true;
}

// Orgs ----------------------------------------------------------------------------------------------------------------

export async function insertOrg(tx: Tx, org: OrgId, name: string): Promise<void> {
  await tx.query(sql`insert into orgs (org_id, name) values (${org}, ${name})`);
  await tx.query(sql`insert into org_settings (org_id) values (${org})`);
  await tx.query(sql`insert into org_security (org_id) values (${org})`);
}

// Members --------------------------------------------------------------------------------------------------------------

export async function insertMember(tx: Tx, org: OrgId, user_id: UserId, role: Role, entry: MemberRow["entry"] = "any"): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    insert into members (org_id, user_id, role, entry) values (${org}, ${user_id}, ${role}, ${entry}) on conflict do nothing`);
  return rowCount === 1;
}

export async function listMembers(read: Read, org: OrgId, { page, limit }: PageRequest): Promise<Page<MemberRow>> {
  const { rows } = await read.query<MemberRow>(sql`
    select m.user_id, u.email, u.name, m.role, m.entry, m.break_glass, m.created_at from members m join users u using (user_id)
    where m.org_id = ${org} order by m.user_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`select count(*)::int as total from members where org_id = ${org}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}

export async function lockAdmins(tx: Tx, org: OrgId): Promise<Pick<MemberRow, "user_id" | "entry">[]> {
  const { rows } = await tx.query<Pick<MemberRow, "user_id" | "entry">>(sql`
    select user_id, entry from members where org_id = ${org} and role = 'admin' order by user_id for no key update`);
  return rows;
}

/** Locks every admin's row before the member's own, so that two admins who demote each other at once wait for each other. */
export async function lockMember(tx: Tx, org: OrgId, user_id: UserId): Promise<MemberRow & { readonly other_admins: number }> {
  const admins = await lockAdmins(tx, org);
  const { rows } = await tx.query<MemberRow>(sql`
    select m.user_id, u.email, u.name, m.role, m.entry, m.break_glass, m.created_at from members m join users u using (user_id)
    where m.org_id = ${org} and m.user_id = ${user_id} for no key update of m`);
  const member = rows[0];
  if (member === undefined) throw new Problem("member_not_found");
  return { ...member, other_admins: admins.filter((admin) => admin.user_id !== user_id).length };
}

export async function setRole(tx: Tx, org: OrgId, user_id: UserId, role: Role): Promise<void> {
  await tx.query(sql`update members set role = ${role} where org_id = ${org} and user_id = ${user_id}`);
}

/** Whether single sign-on gives the member their role at each log-in. */
export async function isRoleManaged(read: Read, org: OrgId, user_id: UserId): Promise<boolean> {
  const { rows } = await read.query(sql`
    select from sso_identities i join sso_connections c using (org_id, connection_id)
    where i.org_id = ${org} and i.user_id = ${user_id} and c.state = 'active' and c.role_claim is not null`);
  return rows.length > 0;
}

export async function setBreakGlass(tx: Tx, org: OrgId, user_id: UserId, break_glass: boolean): Promise<void> {
  await tx.query(sql`update members set break_glass = ${break_glass} where org_id = ${org} and user_id = ${user_id}`);
}

export async function deleteMember(tx: Tx, org: OrgId, user_id: UserId): Promise<void> {
  await tx.query(sql`delete from members where org_id = ${org} and user_id = ${user_id}`);
}

export async function isMember(read: Read, org: OrgId, email: string): Promise<boolean> {
  const { rows } = await read.query(sql`
    select from members m join users u using (user_id) where m.org_id = ${org} and email_key(u.email) = email_key(${email})`);
  return rows.length > 0;
}

export async function listBreakGlass(read: Read, org: OrgId): Promise<UserId[]> {
  const { rows } = await read.query<{ user_id: UserId }>(sql`
    select user_id from members where org_id = ${org} and break_glass order by user_id`);
  return rows.map(({ user_id }) => user_id);
}

export async function listAdminEmails(read: Read, org: OrgId): Promise<string[]> {
  const { rows } = await read.query<{ email: string }>(sql`
    select u.email from members m join users u using (user_id) where m.org_id = ${org} and m.role = 'admin' order by m.user_id`);
  return rows.map((row) => row.email);
}

export async function lookUpMemberEmail(read: Read, org: OrgId, user_id: UserId): Promise<string | null> {
  const { rows } = await read.query<{ email: string }>(sql`
    select u.email from members m join users u using (user_id) where m.org_id = ${org} and m.user_id = ${user_id}`);
  return rows[0]?.email ?? null;
}

// Invitations ----------------------------------------------------------------------------------------------------------

export async function insertInvitation(tx: Tx, org: OrgId, invitation: Invitation, token_hash: Buffer): Promise<void> {
  const { invitation_id, email, role, invited_by, expires_at } = invitation;
  await tx.query(sql`
    insert into invitations (org_id, invitation_id, email, role, token_hash, invited_by, proves, created_at, expires_at)
    values (${org}, ${invitation_id}, ${email}, ${role}, ${token_hash}, ${invited_by}, ${invitation.proves}, ${invitation.created_at},
      ${expires_at})`);
}

const invitationColumns = sql`invitation_id, email, role, invited_by, proves, created_at, expires_at, accepted_at, revoked_at`;

export async function listInvitations(read: Read, org: OrgId, { page, limit }: PageRequest): Promise<Page<Invitation>> {
  const { rows } = await read.query<Invitation>(sql`
    select ${invitationColumns} from invitations where org_id = ${org}
    order by invitation_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`select count(*)::int as total from invitations where org_id = ${org}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}

/** The org and id behind a link, before any org is known. */
export async function lookUpInvitation(read: Read, token_hash: Buffer): Promise<{ org_id: OrgId; invitation_id: InvitationId } | null> {
  const { rows } = await read.query<{ org_id: OrgId; invitation_id: InvitationId }>(sql`
    select org_id, invitation_id from find_invitation(${token_hash})`);
  return rows[0] ?? null;
}

export async function lockInvitation(tx: Tx, org: OrgId, invitation_id: InvitationId): Promise<Invitation> {
  const { rows } = await tx.query<Invitation>(sql`
    select ${invitationColumns} from invitations where org_id = ${org} and invitation_id = ${invitation_id} for no key update`);
  const invitation = rows[0];
  if (invitation === undefined) throw new Problem("invitation_not_found");
  return invitation;
}

export async function closeInvitation(tx: Tx, org: OrgId, invitation_id: InvitationId, how: "accepted" | "revoked"): Promise<void> {
  const column = how === "accepted" ? sql`accepted_at` : sql`revoked_at`;
  await tx.query(sql`update invitations set ${column} = now() where org_id = ${org} and invitation_id = ${invitation_id}`);
}

// Settings -------------------------------------------------------------------------------------------------------------

const settingsColumns = sql`s.embed_origins, s.min_retention_days, s.default_custodian_user_id, s.require_external_time, s.require_mailed_link, s.control_policy,
  s.status_shows_parties, s.default_locale, s.time_zone, s.contact_email, s.completed_mail,
  s.branding || case when s.logo is null then '{}' else jsonb_build_object('logo', translate(encode(s.logo, 'base64'), E'\\n', '')) end as branding,
  s.updated_at`;

export type SettingsRow = Settings & { readonly name: string; readonly updated_at: Date };

export async function findSettings(read: Read, org: OrgId): Promise<SettingsRow> {
  const { rows } = await read.query<SettingsRow>(sql`
    select o.name, ${settingsColumns} from org_settings s join orgs o using (org_id) where s.org_id = ${org}`);
  return rows[0] ?? missingSettings();
}

function missingSettings(): never {
  throw new Error("settings of an authenticated caller are gone");
}

export async function lockSettings(tx: Tx, org: OrgId): Promise<SettingsRow> {
  await tx.query(sql`select from org_settings where org_id = ${org} for no key update`);
  return findSettings(tx, org);
}

export async function updateSettings(tx: Tx, org: OrgId, settings: Settings & { readonly name: string }): Promise<void> {
  const { logo = null, ...branding } = settings.branding;
  await tx.query(sql`
    update org_settings set embed_origins = ${settings.embed_origins}, min_retention_days = ${settings.min_retention_days},
      default_custodian_user_id = ${settings.default_custodian_user_id}, require_external_time = ${settings.require_external_time},
      require_mailed_link = ${settings.require_mailed_link}, control_policy = ${settings.control_policy},
      status_shows_parties = ${settings.status_shows_parties},
      default_locale = ${settings.default_locale}, time_zone = ${settings.time_zone}, contact_email = ${settings.contact_email},
      completed_mail = ${settings.completed_mail}, branding = ${JSON.stringify(branding)},
      logo = ${logo === null ? null : Buffer.from(logo, "base64")}, updated_at = now()
    where org_id = ${org}`);
  await tx.query(sql`update orgs set name = ${settings.name}, updated_at = now() where org_id = ${org} and name <> ${settings.name}`);
}

/** For the signing page. */
export async function lookUpLogo(read: Read, org: OrgId): Promise<Uint8Array | null> {
  const { rows } = await read.query<{ logo: Buffer | null }>(sql`select logo from org_settings where org_id = ${org}`);
  return rows[0]?.logo ?? null;
}

/** Clears the default custodian if it is this person. True if it was. */
export async function clearCustodian(tx: Tx, org: OrgId, user_id: UserId): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update org_settings set default_custodian_user_id = null, updated_at = now()
    where org_id = ${org} and default_custodian_user_id = ${user_id}`);
  return rowCount === 1;
}

/** Whether a person is a member now. */
export async function hasMember(read: Read, org: OrgId, user_id: UserId): Promise<boolean> {
  const { rows } = await read.query(sql`select from members where org_id = ${org} and user_id = ${user_id}`);
  return rows.length > 0;
}

/**
 * Whether an admin removed the person from the org and they are no member now: the account `user_id`, or whichever account joined with this
 * address. The audit trail says so, also of people who were removed by an earlier version of the program.
 */
export async function wasRemoved(read: Read, org: OrgId, user_id: UserId | null, email: string): Promise<boolean> {
  const { rows } = await read.query(sql`
    with candidates as (
      select ${user_id}::text as user_id
      union
      select d.data ->> 'user_id' from audit_entries e join audit_entry_data d using (org_id, subject, seq)
      where e.org_id = ${org} and e.type = 'member.joined' and e.actor_id is not null
        and email_key(d.data ->> 'email') = email_key(${email}))
    select from candidates c
    where not exists (select from members m where m.org_id = ${org} and m.user_id = c.user_id)
      and exists (
        select from audit_entries e join audit_entry_data d using (org_id, subject, seq)
        where e.org_id = ${org} and e.type = 'member.removed' and e.actor_id is not null and d.data ->> 'user_id' = c.user_id)
    limit 1`);
  return rows.length > 0;
}

/** Deletes at most `limit` old rows of one kind and returns how many. */
const deletions = {
  sessions: (limit) => sql`select forget_sessions('1 day', ${limit}) as n`,
  log_ins: (limit) => sql`select forget_log_ins('1 day', ${limit}) as n`,
  answers: (limit) => sql`select forget_idempotent_answers('24 hours', ${limit}) as n`,
  quotas: (limit) => sql`select forget_quotas(${limit}) as n`,
  mail_bodies: (limit) => sql`select forget_mail_bodies(${limit}) as n`,
  recipients: (limit) => sql`select forget_recent_recipients('2 years', ${limit}) as n`,
  notifications: (limit) => sql`select forget_notifications('90 days', ${limit}) as n`,
  form_starts: (limit) => sql`select forget_form_starts('24 hours', ${limit}) as n`,
} satisfies Record<string, (limit: number) => Sql>;

export type ExpiredKind = keyof typeof deletions;
export const expiredKinds = Object.keys(deletions) as readonly ExpiredKind[];

export async function deleteExpired(tx: Tx, kind: ExpiredKind, limit: number): Promise<number> {
  const { rows } = await tx.query<{ n: string }>(deletions[kind](limit));
  return Number(rows[0]?.n);
}

/** Messages that are not about an envelope or an act: log-ins, invitations, notices to members. */
export async function deleteMail(tx: Tx, days: number, limit: number): Promise<number> {
  const { rows } = await tx.query<{ n: string }>(sql`select forget_mail(make_interval(days => ${days}), ${limit}) as n`);
  return Number(rows[0]?.n);
}

export async function listOrgs(tx: Tx): Promise<{ org_id: OrgId; name: string; members: string }[]> {
  const { rows } = await tx.query<{ org_id: OrgId; name: string; members: string }>(sql`select org_id, name, members from list_orgs()`);
  return rows;
}

export async function isOrg(tx: Tx, org: OrgId): Promise<boolean> {
  const { rows } = await tx.query(sql`select from orgs where org_id = ${org}`);
  return rows.length > 0;
}
