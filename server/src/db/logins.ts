// The logins that a running service uses, and the statements that make them. The owner of the tables is not among them: what serves
// requests or runs jobs logs in as one of these two, so row-level security holds for every statement that it can be made to run.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import pg from "pg";
import { codeOf } from "./errors.ts";

/** What the app may do with tables; migrations grant to it. It cannot log in: `countersign_serve` is its member. */
export const APP_ROLE = "countersign_app";
/** Serves requests and runs the code of jobs. */
export const SERVE_LOGIN = "countersign_serve";
/** Moves jobs: the queue's own tables, `outbox` and `worker_heartbeats`, nothing else. */
export const QUEUE_LOGIN = "countersign_queue";

export type Login = typeof SERVE_LOGIN | typeof QUEUE_LOGIN;
export const LOGINS: readonly Login[] = [SERVE_LOGIN, QUEUE_LOGIN];

/** Kept with the login in the database: a pooler that drops startup parameters cannot lose them. */
const LOGIN_SETTINGS = {
  statement_timeout: "30s",
  idle_in_transaction_session_timeout: "60s",
  TimeZone: "UTC",
} as const;

/** The owner may not change roles, so an administrator has to; the message says how. */
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

async function look(client: pg.Client): Promise<Found> {
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

/** What is missing, as statements. `secrets` holds the passwords to set, of the logins that get one. */
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
 * How PostgreSQL stores a password (RFC 5802 and 7677). It is made here, so the password itself stands in no statement and in no log of
 * the server.
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
  /** what the logins got that had no password, or were to get another */
  readonly passwords: ReadonlyMap<Login, string>;
  /** in the order in which they were run, or are to be run */
  readonly statements: readonly string[];
}

export interface LoginOptions {
  /** what a login that is made gets; without it, a random one */
  readonly wanted?: Partial<Record<Login, string>>;
  /** a random password for each, also where there is one */
  readonly newPasswords?: boolean;
}

/** Makes both logins as they have to be. Those that are there keep their passwords, unless new ones are asked for. */
export async function ensureLogins(ownerUrl: string, options: LoginOptions = {}): Promise<MadeLogins> {
  return asOwner(ownerUrl, async (client) => run(client, await plan(client, options)));
}

/** The same, not run: for an administrator where the owner may not change roles. */
export async function planLogins(ownerUrl: string, options: LoginOptions = {}): Promise<MadeLogins> {
  return asOwner(ownerUrl, (client) => plan(client, options));
}

/** For the embedded database, whose owner reads what is stored: a login whose password is another one gets the one that is given. */
export async function ensureEmbeddedLogins(ownerUrl: string, wanted: Readonly<Record<Login, string>>): Promise<void> {
  await asOwner(ownerUrl, async (client) => {
    // A command may do the same beside a service that starts; two at once could not both change a role.
    await client.query("select pg_advisory_lock($1)", [LOGINS_LOCK]);
    const stored = await client.query<{ name: Login; verifier: string | null }>(
      "select rolname as name, rolpassword as verifier from pg_authid where rolname = any($1) and rolcanlogin",
      [LOGINS],
    );
    const right = new Set(stored.rows.filter(({ name, verifier }) => isVerifierOf(verifier, wanted[name])).map(({ name }) => name));
    const passwords = new Map(LOGINS.filter((login) => !right.has(login)).map((login) => [login, wanted[login]]));
    await run(client, { passwords, statements: statements(await look(client), passwords) });
  });
}

// Of one connection, so it ends with it.
const LOGINS_LOCK = 5_012_006;

async function plan(client: pg.Client, { wanted = {}, newPasswords = false }: LoginOptions): Promise<MadeLogins> {
  const found = await look(client);
  const without = LOGINS.filter((login) => newPasswords || found.roles.get(login)?.can_login !== true);
  const passwords = new Map(without.map((login) => [login, (newPasswords ? undefined : wanted[login]) ?? newPassword()]));
  return { passwords, statements: statements(found, passwords) };
}

// Letters, digits, - and _: it stands in a URL as it is.
const newPassword = (): string => randomBytes(24).toString("base64url");

async function run(client: pg.Client, made: MadeLogins): Promise<MadeLogins> {
  if (made.statements.length === 0) return made;
  try {
    // Sent as one, they are one transaction: both logins, or none.
    await client.query(made.statements.join(";\n"));
    return made;
  } catch (cause) {
    throw codeOf(cause) === "42501" ? new LoginsRefused(cause) : cause;
  }
}

/** The roles that migrations grant to. Roles belong to the whole server, so another database's migration may make them meanwhile. */
export async function ensureRoles(client: pg.Client): Promise<void> {
  const { roles } = await look(client);
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
  // The query that is running reports the loss too; with no listener it would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
