// The logins of a running service, and the statements that create them. The service never uses the owner of the tables, so row-level
// security applies to every statement that it runs, even to one that an attacker injected.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import pg from "pg";
import { codeOf } from "./errors.ts";
import { holdLock, locks } from "./locks.ts";

/** The role that migrations grant table rights to. It cannot log in; `countersign_serve` is a member of it. */
export const APP_ROLE = "countersign_app";
/** Serves requests and runs the code of jobs. */
export const SERVE_LOGIN = "countersign_serve";
/** Moves jobs. It can only use the queue's tables, `outbox` and `worker_heartbeats`. */
export const QUEUE_LOGIN = "countersign_queue";

export type Login = typeof SERVE_LOGIN | typeof QUEUE_LOGIN;
export const LOGINS: readonly Login[] = [SERVE_LOGIN, QUEUE_LOGIN];

/** Stored with the login in the database, because a pooler may drop startup parameters. */
const LOGIN_SETTINGS = {
  statement_timeout: "30s",
  idle_in_transaction_session_timeout: "60s",
  TimeZone: "UTC",
} as const;

/** The owner cannot change roles, so an administrator has to. The message says how. */
export class LoginsRefused extends Error {
  constructor(cause: unknown) {
    super(
      "This database login cannot create or change these roles. Let an administrator run the output of: countersign database logins --print",
      { cause },
    );
  }
}

interface Found {
  readonly database: string;
  readonly roles: ReadonlyMap<string, Role>;
}

interface Role {
  readonly can_login: boolean;
  readonly has_risky_rights: boolean;
  readonly in_app_role: boolean;
  readonly may_connect: boolean;
  readonly settings: readonly string[];
}

async function readRoles(client: pg.Client): Promise<Found> {
  const { rows } = await client.query<Role & { database: string; name: string | null }>(
    `select current_database() as database, r.rolname as name, r.rolcanlogin as can_login,
       r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb or r.rolreplication as has_risky_rights,
       exists (select from pg_auth_members m join pg_roles app on app.oid = m.roleid where m.member = r.oid and app.rolname = $2) as in_app_role,
       has_database_privilege(r.oid, current_database(), 'connect') as may_connect,
       coalesce((select s.setconfig from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
                 where s.setrole = r.oid and d.datname = current_database()), '{}') as settings
     from (select) as always left join pg_roles r on r.rolname = any($1)`,
    [[APP_ROLE, ...LOGINS], APP_ROLE],
  );
  const database = rows[0]?.database ?? "";
  return { database, roles: new Map(rows.flatMap(({ name, ...role }) => (name === null ? [] : [[name, role]]))) };
}

/** The statements that create what is missing. `secrets` contains the passwords to set. */
function statements({ database, roles }: Found, secrets: ReadonlyMap<Login, string>): string[] {
  const inDatabase = pg.escapeIdentifier(database);
  const lines: string[] = [];
  if (!roles.has(APP_ROLE)) lines.push(`create role ${APP_ROLE} nologin`);
  for (const login of LOGINS) {
    const role = roles.get(login);
    const secret = secrets.get(login);
    if (secret !== undefined) lines.push(`${role === undefined ? "create" : "alter"} role ${login} login password '${verifierOf(secret)}'`);
    if (role?.has_risky_rights) lines.push(`alter role ${login} nosuperuser nobypassrls nocreaterole nocreatedb noreplication`);
    if (login === SERVE_LOGIN && role?.in_app_role !== true) lines.push(`grant ${APP_ROLE} to ${login}`);
    if (role?.may_connect !== true) lines.push(`grant connect on database ${inDatabase} to ${login}`);
    for (const [name, value] of Object.entries(LOGIN_SETTINGS)) {
      if (role?.settings.includes(`${name}=${value}`)) continue;
      lines.push(`alter role ${login} in database ${inDatabase} set ${name} = '${value}'`);
    }
  }
  return lines;
}

/**
 * The form in which PostgreSQL stores a password (RFC 5802 and 7677). It is computed here, so that the password itself is in no
 * statement and in no server log.
 */
function verifierOf(password: string, salt: Buffer = randomBytes(16), iterations = 4096): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256");
  const keyOf = (name: string) => createHmac("sha256", salted).update(name).digest();
  const stored = createHash("sha256").update(keyOf("Client Key")).digest("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${stored}:${keyOf("Server Key").toString("base64")}`;
}

function isVerifierOf(stored: string | null, password: string): boolean {
  const [, iterations, salt] = /^SCRAM-SHA-256\$(\d+):([^$]+)\$/.exec(stored ?? "") ?? [];
  return salt !== undefined && verifierOf(password, Buffer.from(salt, "base64"), Number(iterations)) === stored;
}

export interface MadeLogins {
  /** the passwords of logins that had none, or for which new ones were requested */
  readonly passwords: ReadonlyMap<Login, string>;
  /** in the order in which they were run, or must be run */
  readonly statements: readonly string[];
}

export interface LoginOptions {
  /** the passwords of new logins; random if not given */
  readonly wanted?: Partial<Record<Login, string>>;
  /** sets a new random password for each login, even if it has one */
  readonly newPasswords?: boolean;
}

/** Creates or corrects both logins. Existing logins keep their passwords unless new ones are requested. */
export async function ensureLogins(ownerUrl: string, options: LoginOptions = {}): Promise<MadeLogins> {
  return asOwner(ownerUrl, async (client) => run(client, await plan(client, options)));
}

/** The same without running the statements, for an administrator if the owner cannot change roles. */
export async function planLogins(ownerUrl: string, options: LoginOptions = {}): Promise<MadeLogins> {
  return asOwner(ownerUrl, (client) => plan(client, options));
}

/** For the embedded database, whose owner can read the stored passwords. A login with a different password gets the given one. */
export async function ensureEmbeddedLogins(ownerUrl: string, wanted: Readonly<Record<Login, string>>): Promise<void> {
  await asOwner(ownerUrl, async (client) => {
    // A command may do the same while a service starts, and PostgreSQL fails if two sessions change a role at the same time.
    await holdLock(client, locks.logins);
    const stored = await client.query<{ name: Login; verifier: string | null }>(
      "select rolname as name, rolpassword as verifier from pg_authid where rolname = any($1) and rolcanlogin",
      [LOGINS],
    );
    const right = new Set(stored.rows.filter(({ name, verifier }) => isVerifierOf(verifier, wanted[name])).map(({ name }) => name));
    const passwords = new Map(LOGINS.filter((login) => !right.has(login)).map((login) => [login, wanted[login]]));
    await run(client, { passwords, statements: statements(await readRoles(client), passwords) });
  });
}

async function plan(client: pg.Client, { wanted = {}, newPasswords = false }: LoginOptions): Promise<MadeLogins> {
  const found = await readRoles(client);
  const without = LOGINS.filter((login) => newPasswords || found.roles.get(login)?.can_login !== true);
  const passwords = new Map(without.map((login) => [login, (newPasswords ? undefined : wanted[login]) ?? newPassword()]));
  return { passwords, statements: statements(found, passwords) };
}

// Letters, digits, - and _, so that it needs no escaping in a URL.
const newPassword = (): string => randomBytes(24).toString("base64url");

async function run(client: pg.Client, made: MadeLogins): Promise<MadeLogins> {
  if (made.statements.length === 0) return made;
  try {
    // Sent together they are one transaction, so both logins are created or none.
    await client.query(made.statements.join(";\n"));
    return made;
  } catch (cause) {
    throw codeOf(cause) === "42501" ? new LoginsRefused(cause) : cause;
  }
}

/** The roles that migrations grant to. Roles belong to the whole server, so the migration of another database may create them too. */
export async function ensureRoles(client: pg.Client): Promise<void> {
  const { roles } = await readRoles(client);
  try {
    for (const role of [APP_ROLE, QUEUE_LOGIN]) {
      if (!roles.has(role)) await client.query(`create role ${role} nologin`).catch(ignoreExisting);
    }
  } catch (cause) {
    throw codeOf(cause) === "42501" ? new LoginsRefused(cause) : cause;
  }
}

function ignoreExisting(error: unknown): void {
  if (codeOf(error) !== "42710" && codeOf(error) !== "23505") throw error;
}

/** The same server and database for another login. */
export function urlFor(url: string, login: string, password: string): string {
  const changed = new URL(url);
  changed.username = encodeURIComponent(login);
  changed.password = encodeURIComponent(password);
  return changed.href;
}

async function asOwner<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: "countersign database" });
  // The running query reports a lost connection too. Without a listener the error would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
