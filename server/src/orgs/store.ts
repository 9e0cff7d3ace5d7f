import { FENCED } from "../db/fence.ts";
import { type Read, sql, type Tx } from "../db/sql.ts";
import type { DeviceId, InvitationId, OrgId, SessionId, UserId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { Problem } from "../shared/problems.ts";
import type { Role } from "../shared/scopes.ts";
import type { Invitation, MemberRow, Membership, Org, Proof, Session, Settings, User } from "./org.ts";

/** All the SQL of this feature. `org` is in every WHERE; row-level security is the second fence. */

// Set-up ---------------------------------------------------------------------------------------------------------------

export interface Setup {
  readonly nonce: string;
  readonly done: boolean;
  readonly link_printed_at: Date | null;
  readonly link_printed_by: string | null;
}

export async function readSetup(read: Read): Promise<Setup> {
  const { rows } = await read.query<Setup>(sql`
    select nonce, done_at is not null as done, link_printed_at, link_printed_by from instance_setup`);
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

// Orgs and people ------------------------------------------------------------------------------------------------------

export async function insertOrg(tx: Tx, org: OrgId, name: string): Promise<void> {
  await tx.query(sql`insert into orgs (org_id, name) values (${org}, ${name})`);
  await tx.query(sql`insert into org_settings (org_id) values (${org})`);
}

export interface NewUser extends User {
  readonly password_hash: string;
  /** what verified the address; null if it is unverified */
  readonly verified_by?: Proof | null;
  /** the only org that an unverified account can be in */
  readonly bound_org_id?: OrgId | null;
}

export async function insertUser(tx: Tx, user: NewUser): Promise<void> {
  const { verified_by = null, bound_org_id = null } = user;
  await tx.query(sql`
    insert into users (user_id, email, name, password_hash, email_verified_by, email_verified_at, bound_org_id)
    values (${user.user_id}, ${user.email}, ${user.name}, ${user.password_hash}, ${verified_by},
      ${verified_by === null ? null : tx.now}, ${bound_org_id})`);
}

/** Replaces name, password and proof of an account that is in no org. Does nothing and returns false if it is in one. */
export async function renewAccount(tx: Tx, user: NewUser): Promise<boolean> {
  const { verified_by = null, bound_org_id = null } = user;
  const { rows } = await tx.query<{ done: boolean }>(sql`
    select renew_account(${user.user_id}, ${user.name}, ${user.password_hash}, ${verified_by}, ${bound_org_id}) as done`);
  return rows[0]?.done === true;
}

export async function isEmailVerified(read: Read, user_id: UserId): Promise<boolean> {
  const { rows } = await read.query<{ verified: boolean }>(sql`
    select email_verified_at is not null as verified from users where user_id = ${user_id}`);
  return rows[0]?.verified === true;
}

/** True if the address was not verified before. */
export async function verifyEmail(tx: Tx, user_id: UserId, by: Proof): Promise<boolean> {
  const { rows } = await tx.query<{ done: boolean }>(sql`select verify_email(${user_id}, ${by}) as done`);
  return rows[0]?.done === true;
}

export async function addEmailCode(tx: Tx, user_id: UserId, code_hash: Buffer, life_seconds: number): Promise<void> {
  await tx.query(sql`select add_email_code(${user_id}, ${code_hash}, make_interval(secs => ${life_seconds}))`);
}

export type CodeOutcome = "right" | "wrong" | "over";

/** Counts a wrong attempt, so the transaction must commit. `over` means that the code no longer works, whatever is entered. */
export async function tryEmailCode(tx: Tx, user_id: UserId, code_hash: Buffer, failures: number): Promise<CodeOutcome> {
  const { rows } = await tx.query<{ outcome: CodeOutcome }>(sql`
    select try_email_code(${user_id}, ${code_hash}, ${failures}) as outcome`);
  return rows[0]?.outcome ?? "over";
}

export interface SessionPerson extends User {
  readonly verified: boolean;
  readonly bound_org_id: OrgId | null;
}

/** The person of a live session; null if it has ended. Sign-out and password changes wait until this transaction ends. */
export async function confirmSession(tx: Tx, session_id: SessionId): Promise<SessionPerson | null> {
  const { rows } = await tx.query<SessionPerson>(sql`
    select user_id, email, name, verified, bound_org_id from confirm_session(${session_id})`);
  return rows[0] ?? null;
}

export async function findOrg(read: Read, org: OrgId): Promise<Org> {
  const { rows } = await read.query<Org>(sql`select org_id, name from orgs where org_id = ${org}`);
  return rows[0] ?? gone("org");
}

export async function findUser(read: Read, user_id: UserId): Promise<User> {
  const { rows } = await read.query<User>(sql`select user_id, email, name from users where user_id = ${user_id}`);
  return rows[0] ?? gone("user");
}

function gone(what: string): never {
  throw new Error(`${what} of an authenticated caller is gone`);
}

export async function lookUpLogin(read: Read, email: string): Promise<{ user_id: UserId; password_hash: string } | null> {
  const { rows } = await read.query<{ user_id: UserId; password_hash: string }>(
    sql`select user_id, password_hash from find_login(${email})`,
  );
  return rows[0] ?? null;
}

/** Whether the password that was checked is still the person's. A password change waits until this transaction ends. */
export async function confirmLogin(tx: Tx, user_id: UserId, password_hash: string): Promise<boolean> {
  const { rows } = await tx.query<{ holds: boolean }>(sql`select confirm_login(${user_id}, ${password_hash}) as holds`);
  return rows[0]?.holds === true;
}

/** False if the password was changed in the meantime. */
export async function renewPasswordHash(tx: Tx, user_id: UserId, old: string, renewed: string): Promise<boolean> {
  const { rows } = await tx.query<{ done: boolean }>(sql`select renew_password_hash(${user_id}, ${old}, ${renewed}) as done`);
  return rows[0]?.done === true;
}

/** Every org of a person, the one used last first. */
export async function listMemberships(read: Read, user_id: UserId): Promise<Membership[]> {
  const { rows } = await read.query<Membership>(sql`select org_id, name, role from orgs_of_user(${user_id})`);
  return rows;
}

export async function setPasswordHash(tx: Tx, user_id: UserId, password_hash: string): Promise<void> {
  await tx.query(sql`update users set password_hash = ${password_hash}, updated_at = now() where user_id = ${user_id}`);
}

// Members --------------------------------------------------------------------------------------------------------------

export async function insertMember(tx: Tx, org: OrgId, user_id: UserId, role: Role): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    insert into members (org_id, user_id, role) values (${org}, ${user_id}, ${role}) on conflict do nothing`);
  return rowCount === 1;
}

export async function listMembers(read: Read, org: OrgId, { page, limit }: PageRequest): Promise<Page<MemberRow>> {
  const { rows } = await read.query<MemberRow>(sql`
    select m.user_id, u.email, u.name, m.role, m.created_at from members m join users u using (user_id)
    where m.org_id = ${org} order by m.user_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`select count(*)::int as total from members where org_id = ${org}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}

/** Locks every admin's row before the member's own, so that two admins who demote each other at once wait for each other. */
export async function lockMember(tx: Tx, org: OrgId, user_id: UserId): Promise<MemberRow & { readonly other_admins: number }> {
  const { rows: admins } = await tx.query<{ user_id: UserId }>(sql`
    select user_id from members where org_id = ${org} and role = 'admin' order by user_id for no key update`);
  const { rows } = await tx.query<MemberRow>(sql`
    select m.user_id, u.email, u.name, m.role, m.created_at from members m join users u using (user_id)
    where m.org_id = ${org} and m.user_id = ${user_id} for no key update of m`);
  const member = rows[0];
  if (member === undefined) throw new Problem("member_not_found");
  return { ...member, other_admins: admins.filter((admin) => admin.user_id !== user_id).length };
}

export async function setRole(tx: Tx, org: OrgId, user_id: UserId, role: Role): Promise<void> {
  await tx.query(sql`update members set role = ${role} where org_id = ${org} and user_id = ${user_id}`);
}

export async function deleteMember(tx: Tx, org: OrgId, user_id: UserId): Promise<void> {
  await tx.query(sql`delete from members where org_id = ${org} and user_id = ${user_id}`);
}

export async function isMember(read: Read, org: OrgId, email: string): Promise<boolean> {
  const { rows } = await read.query(sql`
    select from members m join users u using (user_id) where m.org_id = ${org} and email_key(u.email) = email_key(${email})`);
  return rows.length > 0;
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

// Sessions -------------------------------------------------------------------------------------------------------------

export async function insertSession(tx: Tx, org: OrgId, session: Session & { readonly device_id: DeviceId | null }): Promise<void> {
  const { session_id, user_id, ip, user_agent, expires_at, device_id } = session;
  await tx.query(sql`
    insert into sessions (org_id, session_id, user_id, ip, user_agent, expires_at, device_id)
    values (${org}, ${session_id}, ${user_id}, ${ip}, ${user_agent}, ${expires_at}, ${device_id})`);
}

export async function insertRefreshToken(tx: Tx, org: OrgId, session_id: SessionId, token_hash: Buffer, idle_until: Date): Promise<void> {
  await tx.query(sql`
    insert into refresh_tokens (token_hash, org_id, session_id, idle_until) values (${token_hash}, ${org}, ${session_id}, ${idle_until})`);
}

/** The same for a token that may already exist; then it does not change. */
export async function ensureRefreshToken(tx: Tx, org: OrgId, session_id: SessionId, token_hash: Buffer, idle_until: Date): Promise<void> {
  await tx.query(sql`
    insert into refresh_tokens (token_hash, org_id, session_id, idle_until)
    values (${token_hash}, ${org}, ${session_id}, ${idle_until}) on conflict (token_hash) do nothing`);
}

export async function lookUpRefreshToken(read: Read, token_hash: Buffer): Promise<{ org_id: OrgId; session_id: SessionId } | null> {
  const { rows } = await read.query<{ org_id: OrgId; session_id: SessionId }>(sql`
    select org_id, session_id from find_refresh_token(${token_hash})`);
  return rows[0] ?? null;
}

export interface LockedRefresh {
  readonly session_id: SessionId;
  readonly user_id: UserId;
  readonly expires_at: Date;
  readonly ended_at: Date | null;
  readonly used_at: Date | null;
  readonly idle_until: Date;
  readonly role: Role | null;
  readonly device_id: DeviceId | null;
}

/** Locks the session's row, so that of two refreshes with the same token the second one finds it used. */
export async function lockRefresh(tx: Tx, org: OrgId, token_hash: Buffer): Promise<LockedRefresh | null> {
  await tx.query(sql`
    select from sessions where org_id = ${org} and session_id = (select session_id from refresh_tokens where token_hash = ${token_hash})
    for no key update`);
  const { rows } = await tx.query<LockedRefresh>(sql`
    select s.session_id, s.user_id, s.expires_at, s.ended_at, s.device_id, t.used_at, t.idle_until, m.role
    from refresh_tokens t join sessions s using (org_id, session_id) left join members m on m.org_id = s.org_id and m.user_id = s.user_id
    where t.org_id = ${org} and t.token_hash = ${token_hash}`);
  return rows[0] ?? null;
}

export async function markRefreshTokenUsed(tx: Tx, org: OrgId, token_hash: Buffer): Promise<void> {
  await tx.query(sql`update refresh_tokens set used_at = now() where org_id = ${org} and token_hash = ${token_hash}`);
}

export async function recordMove(tx: Tx, org: OrgId, session_id: SessionId, to: { org_id: OrgId; session_id: SessionId }): Promise<void> {
  await tx.query(sql`
    update sessions set moved_to_org_id = ${to.org_id}, moved_to_session_id = ${to.session_id}
    where org_id = ${org} and session_id = ${session_id}`);
}

/** The session that the person switched to from this one, or null. */
export async function lookUpMove(tx: Tx, org: OrgId, session_id: SessionId): Promise<{ org_id: OrgId; session_id: SessionId } | null> {
  const { rows } = await tx.query<{ org_id: OrgId | null; session_id: SessionId }>(sql`
    select moved_to_org_id as org_id, moved_to_session_id as session_id from sessions where org_id = ${org} and session_id = ${session_id}`);
  const row = rows[0];
  return row === undefined || row.org_id === null ? null : { org_id: row.org_id, session_id: row.session_id };
}

export async function listSessions(read: Read, org: OrgId, user_id: UserId, { page, limit }: PageRequest): Promise<Page<Session>> {
  const live = sql`org_id = ${org} and user_id = ${user_id} and ended_at is null and expires_at > now()`;
  const { rows } = await read.query<Session>(sql`
    select session_id, user_id, ip, user_agent, created_at, last_used_at, expires_at from sessions where ${live}
    order by session_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`select count(*)::int as total from sessions where ${live}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}

/** The person whose session ended, or null if there was no such live session. */
export async function endSession(tx: Tx, org: OrgId, session_id: SessionId, only_of: UserId | null = null): Promise<UserId | null> {
  const { rows } = await tx.query<{ user_id: UserId }>(sql`
    update sessions set ended_at = now()
    where org_id = ${org} and session_id = ${session_id} and ended_at is null and user_id = coalesce(${only_of}, user_id) returning user_id`);
  return rows[0]?.user_id ?? null;
}

export async function endSessionsOfMember(tx: Tx, org: OrgId, user_id: UserId): Promise<void> {
  await tx.query(sql`update sessions set ended_at = now() where org_id = ${org} and user_id = ${user_id} and ended_at is null`);
}

export async function endSessionsOfUser(tx: Tx, user_id: UserId): Promise<void> {
  await tx.query(sql`select end_sessions_of_user(${user_id})`);
}

// Password resets ------------------------------------------------------------------------------------------------------

/** The person and their stored address, or null if no account has it. */
export async function addPasswordReset(
  tx: Tx,
  email: string,
  token_hash: Buffer,
  life_seconds: number,
): Promise<{ user_id: UserId; email: string } | null> {
  const { rows } = await tx.query<{ user_id: UserId; email: string }>(sql`
    select user_id, email from add_password_reset(${email}, ${token_hash}, make_interval(secs => ${life_seconds}))`);
  return rows[0] ?? null;
}

/** Records that the link was printed on the command line, so using it proves that the operator gave it to the person. */
export async function markResetPrinted(tx: Tx, token_hash: Buffer): Promise<void> {
  await tx.query(sql`select mark_reset_printed(${token_hash})`);
}

/** What using this link proves about the address. */
export async function proofOfReset(read: Read, token_hash: Buffer): Promise<Proof> {
  const { rows } = await read.query<{ proof: Proof | null }>(sql`select proof_of_reset(${token_hash}) as proof`);
  return rows[0]?.proof ?? gone("reset link");
}

/** Whether the link is valid now. Does not mark it as used. */
export async function isPasswordReset(read: Read, token_hash: Buffer): Promise<boolean> {
  const { rows } = await read.query<{ good: boolean }>(sql`select is_password_reset(${token_hash}) as good`);
  return rows[0]?.good === true;
}

export async function usePasswordReset(tx: Tx, token_hash: Buffer): Promise<UserId | null> {
  const { rows } = await tx.query<{ user_id: UserId | null }>(sql`select use_password_reset(${token_hash}) as user_id`);
  return rows[0]?.user_id ?? null;
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
  return rows[0] ?? gone("settings");
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

export interface UsedSession {
  org_id: OrgId;
  user_id: UserId;
  role: Role;
  accepted: boolean;
  quota: number;
  remaining: number;
  reset_at: string;
}

/** Finds the session, counts the request and sets the org of the connection. Null if there is no such session. */
export async function useSession(read: Read, session_id: SessionId, calls_per_minute: number): Promise<UsedSession | null> {
  const { rows } = await read.query<UsedSession>({
    name: "authenticate-session",
    text: `select *, ${FENCED} from authenticate_session($1, $2)`,
    values: [session_id, calls_per_minute],
  });
  return rows[0] ?? null;
}

export interface DeletedCounts {
  readonly sessions: number;
  readonly answers: number;
  readonly quotas: number;
  readonly mail_bodies: number;
  readonly recipients: number;
  readonly notifications: number;
  readonly form_starts: number;
}

/** Deletes old rows and returns how many of each kind. */
export async function deleteExpired(tx: Tx): Promise<DeletedCounts> {
  const { rows } = await tx.query<DeletedCounts>(sql`
    select forget_sessions('1 day')::int as sessions, forget_idempotent_answers('24 hours')::int as answers,
           forget_quotas()::int as quotas, forget_mail_bodies()::int as mail_bodies, forget_recent_recipients('2 years') as recipients,
           forget_notifications('90 days') as notifications, forget_form_starts('24 hours') as form_starts`);
  return rows[0] ?? { sessions: 0, answers: 0, quotas: 0, mail_bodies: 0, recipients: 0, notifications: 0, form_starts: 0 };
}

export async function listOrgs(tx: Tx): Promise<{ org_id: OrgId; name: string; members: string }[]> {
  const { rows } = await tx.query<{ org_id: OrgId; name: string; members: string }>(sql`select org_id, name, members from list_orgs()`);
  return rows;
}

export async function isOrg(tx: Tx, org: OrgId): Promise<boolean> {
  const { rows } = await tx.query(sql`select from orgs where org_id = ${org}`);
  return rows.length > 0;
}
