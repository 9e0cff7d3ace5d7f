import { FENCED } from "../db/fence.ts";
import { type Leased, type Read, sql, type Tx } from "../db/sql.ts";
import type { CodeMail } from "../http/shapes.ts";
import type { Origin } from "../shared/caller.ts";
import { type ConnectionId, type DeviceId, isSandbox, type MessageId, type OrgId, type SessionId, type UserId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import type { Role } from "../shared/scopes.ts";
import type { Membership, Org, OwnDetails, Proof, Session, User, Via } from "./account.ts";

/** The SQL of people, sessions and links. For rows of an org, `org` is in every WHERE; row-level security is the second fence. */

// People --------------------------------------------------------------------------------------------------------------

export interface NewUser extends User {
  /** null: only single sign-on or a passkey opens the account */
  readonly password_hash: string | null;
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

export async function findOwnDetails(read: Read, user_id: UserId): Promise<OwnDetails> {
  const { rows } = await read.query<OwnDetails>(sql`
    select user_id, email, name, locale, email_verified_at is not null as email_verified, has_password(user_id) as has_password
    from users where user_id = ${user_id}`);
  return rows[0] ?? gone("user");
}

/** Locks the person's row, so that of two changes at once the second sees the first. */
export async function lockOwnDetails(tx: Tx, user_id: UserId): Promise<OwnDetails> {
  await tx.query(sql`select from users where user_id = ${user_id} for no key update`);
  return findOwnDetails(tx, user_id);
}

export async function updateOwnDetails(tx: Tx, { user_id, name, locale }: Pick<OwnDetails, "user_id" | "name" | "locale">): Promise<void> {
  await tx.query(sql`update users set name = ${name}, locale = ${locale}, updated_at = now() where user_id = ${user_id}`);
}

/** True if the address was not verified before. */
export async function verifyEmail(tx: Tx, user_id: UserId, by: Proof): Promise<boolean> {
  const { rows } = await tx.query<{ done: boolean }>(sql`select verify_email(${user_id}, ${by}) as done`);
  return rows[0]?.done === true;
}

export async function addEmailCode(tx: Tx, user_id: UserId, code_hash: Buffer, life_seconds: number): Promise<void> {
  await tx.query(sql`select add_email_code(${user_id}, ${code_hash}, make_interval(secs => ${life_seconds}))`);
}

/** Which message has the code that was just added. */
export async function noteCodeMail(tx: Tx, user_id: UserId, message_id: MessageId): Promise<void> {
  await tx.query(sql`select note_code_mail(${user_id}, ${message_id})`);
}

/** What became of the message with the person's code; null without a mailed code that has not expired. */
export async function lookUpCodeMail(read: Read, user_id: UserId): Promise<CodeMail["state"]> {
  const { rows } = await read.query<CodeMail>(sql`select state_of_code_mail(${user_id}) as state`);
  return rows[0]?.state ?? null;
}

export type CodeOutcome = "right" | "wrong" | "over";

/** Counts a wrong attempt, so the transaction must commit. `over` means that the code no longer works, whatever is entered. */
export async function tryEmailCode(tx: Tx, user_id: UserId, code_hashes: readonly Buffer[], failures: number): Promise<CodeOutcome> {
  const { rows } = await tx.query<{ outcome: CodeOutcome }>(sql`
    select try_email_code(${user_id}, ${code_hashes}::bytea[], ${failures}) as outcome`);
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

export interface Login {
  readonly user_id: UserId;
  /** null: the person has no password */
  readonly password_hash: string | null;
}

export async function lookUpLogin(read: Read, email: string): Promise<Login | null> {
  const { rows } = await read.query<Login>(sql`select user_id, password_hash from find_login(${email})`);
  return rows[0] ?? null;
}

export async function hasPassword(read: Read, user_id: UserId): Promise<boolean> {
  const { rows } = await read.query<{ has: boolean | null }>(sql`select has_password(${user_id}) as has`);
  return rows[0]?.has === true;
}

/** False if the person has fewer passkeys than this, or no unused recovery code. */
export async function deletePassword(tx: Tx, user_id: UserId, passkeys: number): Promise<boolean> {
  const { rows } = await tx.query<{ done: boolean }>(sql`select remove_password(${user_id}, ${passkeys}) as done`);
  return rows[0]?.done === true;
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

/** Every org of a person and its sandboxes, the one used last first. */
export async function listOrgsOf(read: Read, user_id: UserId): Promise<Required<Membership>[]> {
  const { rows } = await read.query<Required<Membership>>(sql`
    select m.org_id, m.name, m.role, o.sandbox_of
    from orgs_of_user(${user_id}) with ordinality as m (org_id, name, role, needs_sso, admits, nth) join orgs o using (org_id) order by m.nth`);
  return rows;
}

/** Whether it is a sandbox whose data are being removed. */
export async function isResetting(read: Read, org: OrgId): Promise<boolean> {
  const { rows } = await read.query(sql`select from orgs where org_id = ${org} and resetting_since is not null`);
  return rows.length > 0;
}

/** The organization that a sandbox belongs to; every other one is its own. */
export async function lookUpLiveOrg(read: Read, org: OrgId): Promise<OrgId> {
  const { rows } = await read.query<{ org_id: OrgId }>(sql`select coalesce(sandbox_of, org_id) as org_id from orgs where org_id = ${org}`);
  return rows[0]?.org_id ?? org;
}

/** Whether the connection still lets the person into the organization, as when the session began. */
export async function isLetInBySso(read: Read, org: OrgId, user_id: UserId, connection_id: string): Promise<boolean> {
  const { rows } = await read.query(sql`
    select from sso_identities i join sso_connections c using (org_id, connection_id)
    where i.org_id = ${org} and i.user_id = ${user_id} and i.connection_id = ${connection_id} and c.state = 'active'`);
  return rows.length > 0;
}

/** Every org of a person but sandboxes, the one used last first. */
export async function listMemberships(read: Read, user_id: UserId): Promise<(Membership & { readonly needs_sso: boolean })[]> {
  const { rows } = await read.query<Membership & { needs_sso: boolean }>(sql`
    select org_id, name, role, needs_sso from orgs_of_user(${user_id})`);
  return rows.filter(({ org_id }) => !isSandbox(org_id));
}

export interface WayIn extends Membership {
  readonly needs_sso: boolean;
  /** whether the org can be used from the address */
  readonly admits: boolean;
}

/** The same for a log-in from an address. No log-in ends in a sandbox: from its organization, a session switches to it. */
export async function listWaysIn(read: Read, user_id: UserId, ip: string): Promise<WayIn[]> {
  const { rows } = await read.query<WayIn>(sql`
    select org_id, name, role, needs_sso, admits from orgs_of_user(${user_id}, ${ip})`);
  return rows.filter(({ org_id }) => !isSandbox(org_id));
}

/** Null removes the password. */
export async function setPasswordHash(tx: Tx, user_id: UserId, password_hash: string | null): Promise<void> {
  await tx.query(sql`update users set password_hash = ${password_hash}, updated_at = now() where user_id = ${user_id}`);
}

// Sessions ------------------------------------------------------------------------------------------------------------

export interface NewSession extends Session {
  readonly via: Via;
  readonly device_id: DeviceId | null;
  /** what proved the second factor; empty if there was none */
  readonly factors: readonly string[];
  /** when the person last proved who they are */
  readonly confirmed_at: Date | null;
  readonly cookie_without_prefix: boolean;
}

export async function insertSession(tx: Tx, org: OrgId, session: NewSession): Promise<void> {
  const { session_id, user_id, ip, user_agent, expires_at, device_id, factors, confirmed_at, via, cookie_without_prefix } = session;
  await tx.query(sql`
    insert into sessions (org_id, session_id, user_id, ip, user_agent, expires_at, device_id, factors, confirmed_at, via, cookie_without_prefix)
    values (${org}, ${session_id}, ${user_id}, ${ip}, ${user_agent}, ${expires_at}, ${device_id}, ${[...factors]}, ${confirmed_at},
      ${via}, ${cookie_without_prefix})`);
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

/** The tokens of a session among these hashes. */
export async function listKnownTokens(tx: Tx, org: OrgId, session_id: SessionId, hashes: readonly Buffer[]): Promise<Buffer[]> {
  const { rows } = await tx.query<{ token_hash: Buffer }>(sql`
    select token_hash from refresh_tokens where org_id = ${org} and session_id = ${session_id} and token_hash = any(${hashes}::bytea[])`);
  return rows.map(({ token_hash }) => token_hash);
}

export async function lookUpRefreshToken(read: Read, token_hash: Buffer): Promise<{ org_id: OrgId; session_id: SessionId } | null> {
  const { rows } = await read.query<{ org_id: OrgId; session_id: SessionId }>(sql`
    select org_id, session_id from find_refresh_token(${token_hash})`);
  return rows[0] ?? null;
}

/** The person of a session, before the session itself. */
export async function lockPersonOf(tx: Tx, { org_id, session_id }: { org_id: OrgId; session_id: SessionId }): Promise<void> {
  await tx.query(sql`
    select from users where user_id = (select user_id from sessions where org_id = ${org_id} and session_id = ${session_id})
    for no key update`);
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
  readonly factors: readonly string[];
  readonly confirmed_at: Date | null;
  readonly via: Via;
  /** whether the limits of the org let the session go on */
  readonly holds: boolean;
  /** whether its cookie can have the name without the prefix, because an earlier version or a service without https began the session */
  readonly cookie_without_prefix: boolean;
}

/** Locks the session's row, so that of two refreshes with the same token the second one finds it used. */
export async function lockRefresh(tx: Tx, org: OrgId, token_hash: Buffer): Promise<LockedRefresh | null> {
  await tx.query(sql`
    select from sessions where org_id = ${org} and session_id = (select session_id from refresh_tokens where token_hash = ${token_hash})
    for no key update`);
  const { rows } = await tx.query<LockedRefresh>(sql`
    select s.session_id, s.user_id, s.expires_at, s.ended_at, s.device_id, s.factors, s.confirmed_at, s.via, s.cookie_without_prefix,
      t.used_at, t.idle_until, m.role,
      session_holds(s.org_id, s.created_at, s.last_used_at)
        and (s.via like 'sso:%' or (m.entry = 'any' and (o.sso_mode <> 'required' or m.break_glass))) as holds
    from refresh_tokens t join sessions s using (org_id, session_id) join org_security o using (org_id)
      left join members m on m.org_id = s.org_id and m.user_id = s.user_id
    where t.org_id = ${org} and t.token_hash = ${token_hash}`);
  return rows[0] ?? null;
}

export async function markRefreshTokenUsed(tx: Tx, org: OrgId, token_hash: Buffer): Promise<void> {
  await tx.query(sql`update refresh_tokens set used_at = now() where org_id = ${org} and token_hash = ${token_hash}`);
}

export async function markSessionConfirmed(tx: Tx, org: OrgId, session_id: SessionId): Promise<void> {
  await tx.query(sql`update sessions set confirmed_at = now() where org_id = ${org} and session_id = ${session_id}`);
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
  const live = sql`org_id = ${org} and user_id = ${user_id} and ended_at is null and expires_at > now()
    and session_holds(org_id, created_at, last_used_at)`;
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

/** Ends the person's sessions in the org and its sandboxes, or all but one. Returns how many ended. */
export async function endSessionsOfMember(tx: Tx, org: OrgId, user_id: UserId, but: SessionId | null = null): Promise<number> {
  const { rows } = await tx.query<{ ended: number }>(sql`
    with ended as (
      update sessions set ended_at = now()
      where org_id = ${org} and user_id = ${user_id} and session_id is distinct from ${but} and ended_at is null and expires_at > now()
      returning user_id)
    select ((select count(*) from ended) + (select count(*) from end_sandbox_sessions(${org}, ${user_id}, ${but})))::int as ended`);
  return rows[0]?.ended ?? 0;
}

export async function isSessionLive(read: Read, org: OrgId, session_id: SessionId): Promise<boolean> {
  const { rows } = await read.query<{ live: boolean }>(sql`
    select exists (select from sessions where org_id = ${org} and session_id = ${session_id} and ended_at is null and expires_at > now())
      as live`);
  return rows[0]?.live === true;
}

/** The role of the session's person, by the rules of `authenticate_member`. Null if the session has ended. Counts and records nothing. */
export async function lookUpLiveRole(read: Read, org: OrgId, session_id: SessionId, ip: string): Promise<Role | null> {
  const { rows } = await read.query<{ role: Role }>(sql`
    select m.role from sessions se join members m on m.org_id = se.org_id and m.user_id = se.user_id
      join org_security o on o.org_id = se.org_id
    where se.org_id = ${org} and se.session_id = ${session_id} and se.ended_at is null and se.expires_at > now()
      and session_holds(se.org_id, se.created_at, se.last_used_at) and admits_address(o.allowed_cidrs, ${ip})
      and (se.via like 'sso:%' or (m.entry = 'any' and (o.sso_mode <> 'required' or m.break_glass)))`);
  return rows[0]?.role ?? null;
}

/** Ends every session of the org and its sandboxes but one. Returns how many of each person. */
export async function endSessionsOfOrg(tx: Tx, org: OrgId, but: SessionId): Promise<{ user_id: UserId; ended: number }[]> {
  const { rows } = await tx.query<{ user_id: UserId; ended: number }>(sql`
    with ended as (
      update sessions set ended_at = now()
      where org_id = ${org} and session_id <> ${but} and ended_at is null and expires_at > now() returning user_id)
    select user_id, count(*)::int as ended
    from (select user_id from ended union all select * from end_sandbox_sessions(${org}, null, ${but})) both_of (user_id)
    group by user_id order by user_id`);
  return rows;
}

/** Ends the person's oldest sessions in the org beyond this many. */
export async function endOldestSessions(tx: Tx, org: OrgId, user_id: UserId, most: number): Promise<SessionId[]> {
  const live = sql`org_id = ${org} and user_id = ${user_id} and ended_at is null and expires_at > now()`;
  const { rows } = await tx.query<{ session_id: SessionId }>(sql`
    update sessions set ended_at = now() where ${live} and session_id in (
      select session_id from sessions where ${live} order by created_at desc, session_id desc offset ${most}) returning session_id`);
  return rows.map(({ session_id }) => session_id);
}

/** Returns how many ended. */
export async function endSessionsOfUser(tx: Tx, user_id: UserId): Promise<number> {
  const { rows } = await tx.query<{ ended: string }>(sql`select end_sessions_of_user(${user_id}) as ended`);
  return Number(rows[0]?.ended ?? 0);
}

// Password resets -----------------------------------------------------------------------------------------------------

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

/** Whose link it is. Does not mark it as used. Null if the link is not valid. */
export async function lookUpPasswordReset(read: Read, token_hash: Buffer): Promise<User | null> {
  const { rows } = await read.query<User>(sql`select user_id, email, name from find_password_reset(${token_hash})`);
  return rows[0] ?? null;
}

export async function usePasswordReset(tx: Tx, token_hash: Buffer): Promise<UserId | null> {
  const { rows } = await tx.query<{ user_id: UserId | null }>(sql`select use_password_reset(${token_hash}) as user_id`);
  return rows[0]?.user_id ?? null;
}

export interface UsedSession {
  org_id: OrgId;
  user_id: UserId;
  role: Role;
  accepted: boolean;
  quota: number;
  remaining: number;
  reset_at: string;
  confirmed: boolean;
  limited: boolean;
  /** null if the session did not begin with single sign-on */
  sso_connection: ConnectionId | null;
}

/** Finds the session, counts the request and sets the org of the connection. Null if there is no such session, or its org does not admit the address. */
export async function useSession(
  read: Leased,
  session_id: SessionId,
  calls_per_minute: number,
  { ip, user_agent }: Pick<Origin, "ip" | "user_agent">,
): Promise<UsedSession | null> {
  const { rows } = await read.query<UsedSession>({
    name: "authenticate-session",
    text: `select *, ${FENCED} from authenticate_member($1, $2, $3, $4, $5)`,
    values: [session_id, calls_per_minute, read.isShared, ip, user_agent],
  });
  return rows[0] ?? null;
}
