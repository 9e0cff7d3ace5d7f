import { type Read, sql, type Tx } from "../db/sql.ts";
import type { ConnectionId, OrgId, SessionId, UserId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { Claims } from "./claims.ts";
import type { Connection, ConnectionSettings } from "./connection.ts";

/** The SQL of single sign-on. `org` is in every WHERE; row-level security is the second fence. */

// Connections ----------------------------------------------------------------------------------------------------------

const columns = sql`connection_id, name, issuer, client_id, client_secret_enc, scopes, role_claim, role_map, default_role, trust_email,
  required_acr, required_amr, max_hours, provision, state, tested_at, tested_by, created_at, updated_at`;

export async function listConnections(read: Read, org: OrgId): Promise<Connection[]> {
  const { rows } = await read.query<Connection>(sql`
    select ${columns} from sso_connections where org_id = ${org} order by connection_id desc`);
  return rows;
}

export async function lookUpConnection(read: Read, org: OrgId, connection_id: ConnectionId): Promise<Connection | null> {
  const { rows } = await read.query<Connection>(sql`
    select ${columns} from sso_connections where org_id = ${org} and connection_id = ${connection_id}`);
  return rows[0] ?? null;
}

export async function findConnection(read: Read, org: OrgId, connection_id: ConnectionId): Promise<Connection> {
  const connection = await lookUpConnection(read, org, connection_id);
  if (connection === null) throw new Problem("connection_not_found");
  return connection;
}

/**
 * The last steps of log-ins and changes of the connection take turns: a change ends every session that began before it, and two first
 * log-ins of a person make one member.
 */
export async function lookUpLockedConnection(tx: Tx, org: OrgId, connection_id: ConnectionId): Promise<Connection | null> {
  await tx.query(sql`select from sso_connections where org_id = ${org} and connection_id = ${connection_id} for no key update`);
  return lookUpConnection(tx, org, connection_id);
}

export async function lockConnection(tx: Tx, org: OrgId, connection_id: ConnectionId): Promise<Connection> {
  const connection = await lookUpLockedConnection(tx, org, connection_id);
  if (connection === null) throw new Problem("connection_not_found");
  return connection;
}

type NewConnection = ConnectionSettings & Pick<Connection, "connection_id" | "client_secret_enc">;

export async function insertConnection(tx: Tx, org: OrgId, connection: NewConnection): Promise<void> {
  const { connection_id, client_secret_enc } = connection;
  await tx.query(sql`
    insert into sso_connections (org_id, connection_id, name, issuer, client_id, client_secret_enc, scopes)
    values (${org}, ${connection_id}, ${connection.name}, ${connection.issuer}, ${connection.client_id}, ${client_secret_enc},
      ${[...connection.scopes]})`);
  await updateConnection(tx, org, { ...connection, state: "draft" });
}

export async function updateConnection(tx: Tx, org: OrgId, connection: NewConnection & Pick<Connection, "state">): Promise<void> {
  const { connection_id, required_amr } = connection;
  await tx.query(sql`
    update sso_connections set name = ${connection.name}, issuer = ${connection.issuer}, client_id = ${connection.client_id},
      client_secret_enc = ${connection.client_secret_enc}, scopes = ${[...connection.scopes]}, role_claim = ${connection.role_claim},
      role_map = ${JSON.stringify(connection.role_map)}, default_role = ${connection.default_role}, trust_email = ${connection.trust_email},
      required_acr = ${connection.required_acr}, required_amr = ${required_amr === null ? null : [...required_amr]},
      max_hours = ${connection.max_hours}, provision = ${connection.provision}, state = ${connection.state}, updated_at = now()
    where org_id = ${org} and connection_id = ${connection_id}`);
}

export async function deleteConnection(tx: Tx, org: OrgId, connection_id: ConnectionId): Promise<void> {
  await tx.query(sql`delete from sso_connections where org_id = ${org} and connection_id = ${connection_id}`);
}

/** Null: it was changed in a way that a test says nothing about. */
export async function setTested(tx: Tx, org: OrgId, connection_id: ConnectionId, by: UserId | null): Promise<void> {
  await tx.query(sql`
    update sso_connections set tested_at = ${by === null ? null : tx.now}, tested_by = ${by}
    where org_id = ${org} and connection_id = ${connection_id}`);
}

/** Whether this person tested an active connection within the last hour. */
export async function hasTested(read: Read, org: OrgId, user_id: UserId): Promise<boolean> {
  const { rows } = await read.query(sql`
    select from sso_connections
    where org_id = ${org} and state = 'active' and tested_by = ${user_id} and tested_at > now() - interval '1 hour'`);
  return rows.length > 0;
}

/** What the organization's connection for addresses of a domain is; null if no one offers single sign-on for it. */
export async function lookUpByDomain(read: Read, domain: string): Promise<{ org_id: OrgId; connection_id: ConnectionId } | null> {
  const { rows } = await read.query<{ org_id: OrgId; connection_id: ConnectionId }>(sql`
    select org_id, connection_id from find_sso_by_domain(${domain})`);
  return rows[0] ?? null;
}

export async function lookUpOrgOfConnection(read: Read, connection_id: ConnectionId): Promise<OrgId | null> {
  const { rows } = await read.query<{ org_id: OrgId | null }>(sql`select org_of_sso_connection(${connection_id}) as org_id`);
  return rows[0]?.org_id ?? null;
}

export async function endSessionsOfConnection(tx: Tx, org: OrgId, connection_id: ConnectionId): Promise<number> {
  const { rowCount } = await tx.query(sql`
    update sessions set ended_at = now()
    where org_id = ${org} and via = ${`sso:${connection_id}`} and ended_at is null and expires_at > now()`);
  return rowCount ?? 0;
}

// People ---------------------------------------------------------------------------------------------------------------

export interface Identity {
  readonly subject: string;
  readonly user_id: UserId;
  readonly email: string;
}

export async function lookUpIdentity(read: Read, org: OrgId, connection_id: ConnectionId, subject: string): Promise<Identity | null> {
  const { rows } = await read.query<Identity>(sql`
    select subject, user_id, email from sso_identities
    where org_id = ${org} and connection_id = ${connection_id} and subject = ${subject}`);
  return rows[0] ?? null;
}

export async function hasIdentity(read: Read, org: OrgId, connection_id: ConnectionId, user_id: UserId): Promise<boolean> {
  const { rows } = await read.query(sql`
    select from sso_identities where org_id = ${org} and connection_id = ${connection_id} and user_id = ${user_id}`);
  return rows.length > 0;
}

/** In place of an earlier one of the same person. */
export async function replaceIdentity(tx: Tx, org: OrgId, connection_id: ConnectionId, identity: Identity): Promise<void> {
  const { subject, user_id, email } = identity;
  await tx.query(sql`
    delete from sso_identities where org_id = ${org} and connection_id = ${connection_id} and user_id = ${user_id}`);
  await tx.query(sql`
    insert into sso_identities (org_id, connection_id, subject, user_id, email)
    values (${org}, ${connection_id}, ${subject}, ${user_id}, ${email})`);
}

/**
 * A subject is someone at one issuer, and some providers give each client others. For another client, members whom an admin removed stay
 * known, so that they are not made again.
 */
export async function forgetIdentities(tx: Tx, org: OrgId, connection_id: ConnectionId, { removed }: { readonly removed: boolean }) {
  await tx.query(sql`
    delete from sso_identities i where i.org_id = ${org} and i.connection_id = ${connection_id}
      and (${removed} or exists (select from members m where m.org_id = i.org_id and m.user_id = i.user_id))`);
}

export async function noteLogIn(tx: Tx, org: OrgId, connection_id: ConnectionId, { subject, email }: Identity): Promise<void> {
  await tx.query(sql`
    update sso_identities set last_login_at = now(), email = ${email}
    where org_id = ${org} and connection_id = ${connection_id} and subject = ${subject}`);
}

// Attempts -------------------------------------------------------------------------------------------------------------

export const purposes = ["login", "confirm", "test"] as const;
export type Purpose = (typeof purposes)[number];

export interface NewAttempt {
  readonly state_hash: Buffer;
  readonly connection_id: ConnectionId;
  readonly nonce: string;
  readonly verifier_enc: Buffer;
  readonly browser_hash: Buffer;
  readonly purpose: Purpose;
  readonly session_id: SessionId | null;
  readonly user_id: UserId | null;
  readonly expires_at: Date;
}

export interface Attempt extends NewAttempt {
  readonly created_at: Date;
}

export async function insertAttempt(tx: Tx, org: OrgId, attempt: NewAttempt): Promise<void> {
  await tx.query(sql`delete from sso_attempts where org_id = ${org} and expires_at < now() - interval '1 hour'`);
  const { state_hash, connection_id, nonce, verifier_enc, browser_hash, purpose, session_id, user_id, expires_at } = attempt;
  await tx.query(sql`
    insert into sso_attempts (org_id, state_hash, connection_id, nonce, verifier_enc, browser_hash, purpose, session_id, user_id, expires_at)
    values (${org}, ${state_hash}, ${connection_id}, ${nonce}, ${verifier_enc}, ${browser_hash}, ${purpose}, ${session_id}, ${user_id},
      ${expires_at})`);
}

/** By the hash of its state, or of the code with which the page finishes it. */
export async function lookUpOrgOfAttempt(read: Read, hash: Buffer): Promise<OrgId | null> {
  const { rows } = await read.query<{ org_id: OrgId | null }>(sql`select org_of_sso_attempt(${hash}) as org_id`);
  return rows[0]?.org_id ?? null;
}

const attemptColumns = sql`state_hash, connection_id, nonce, verifier_enc, browser_hash, purpose, session_id, user_id, created_at, expires_at`;

/** Once, and only in the browser in which it began. Null otherwise. */
export async function takeReturned(tx: Tx, org: OrgId, state_hash: Buffer, browser_hash: Buffer): Promise<Attempt | null> {
  const { rows } = await tx.query<Attempt>(sql`
    update sso_attempts set returned_at = now()
    where org_id = ${org} and state_hash = ${state_hash} and browser_hash = ${browser_hash} and returned_at is null and expires_at > now()
    returning ${attemptColumns}`);
  return rows[0] ?? null;
}

export interface Handoff {
  readonly hash: Buffer;
  readonly until: Date;
  readonly claims: Claims;
}

export async function keepHandoff(tx: Tx, org: OrgId, state_hash: Buffer, { hash, until, claims }: Handoff): Promise<void> {
  await tx.query(sql`
    update sso_attempts set handoff_hash = ${hash}, handoff_until = ${until}, claims = ${JSON.stringify(claims)}
    where org_id = ${org} and state_hash = ${state_hash}`);
}

/** Once, and only in the browser in which it began. Null otherwise. What the provider said is forgotten. */
export async function takeHandoff(
  tx: Tx,
  org: OrgId,
  handoff_hash: Buffer,
  browser_hash: Buffer,
): Promise<(Attempt & { readonly claims: Claims }) | null> {
  const { rows } = await tx.query<Attempt & { claims: Claims }>(sql`
    select ${attemptColumns}, claims from sso_attempts
    where org_id = ${org} and handoff_hash = ${handoff_hash} and browser_hash = ${browser_hash} and used_at is null
      and handoff_until > now() for update`);
  await tx.query(sql`
    update sso_attempts set used_at = now(), claims = null
    where org_id = ${org} and handoff_hash = ${handoff_hash} and browser_hash = ${browser_hash} and used_at is null`);
  return rows[0] ?? null;
}
