import type { Config } from "./config.ts";
import type { Db } from "./db/connect.ts";
import { ensureLogins, LOGINS, type Login, type LoginOptions, planLogins, SERVE_LOGIN, urlFor } from "./db/logins.ts";
import { listApplied, migrate, pendingAfter, readMigrations } from "./db/migrate.ts";
import { isExternal, type OpenDatabase, openForOwner } from "./db/open.ts";
import { ownerTx } from "./db/owner-tx.ts";
import type { Tx } from "./db/sql.ts";

/** The tables that this program needs, its own and the queue's: whether they are there, and making them. */

/** `countersign migrate`: the names of what was missing, which `record` notes as the owner. */
export async function migrateDatabase(config: Config, record: (tx: Tx, applied: readonly string[]) => Promise<void>): Promise<string[]> {
  return withOwner(config, async (url) => {
    const applied = await migrateAll(url);
    if (applied.length > 0) await ownerTx(url, (tx) => record(tx, applied));
    return applied;
  });
}

/** For commands that do what the login that serves may not. */
export async function withOwner<T>(config: Config, run: (ownerUrl: string) => Promise<T>): Promise<T> {
  const database = await openForOwner({ ...config, log: () => undefined, fatal: () => undefined });
  try {
    return await run(database.url);
  } finally {
    await database.close();
  }
}

/** The embedded database belongs to this program alone; an external one is migrated when its operator says so. */
export async function bringUpToDate(database: OpenDatabase): Promise<void> {
  if (database.ownerUrl !== null) await migrateAll(database.ownerUrl);
}

async function migrateAll(url: string): Promise<string[]> {
  const applied = await migrate(url);
  // The queue's library takes longer to load than most commands take to run, and on an external database they do not need it.
  const { migrateQueue } = await import("./jobs/queue-schema.ts");
  await migrateQueue(url);
  return applied;
}

export interface LoginsDone {
  /** lines for the service's settings, of the logins that got a new password; nothing else holds those passwords */
  readonly settings: readonly string[];
  /** the logins whose password is the one that they had, or that the settings name */
  readonly kept: readonly Login[];
  readonly statements: readonly string[];
}

const settingOf = (login: Login): "DATABASE_APP_URL" | "DATABASE_QUEUE_URL" =>
  login === SERVE_LOGIN ? "DATABASE_APP_URL" : "DATABASE_QUEUE_URL";

/** `countersign database logins`: makes them, or with `print` only says how. Null for the embedded database, which has its own. */
export async function databaseLogins(config: Config, wanted: { print: boolean; newPasswords: boolean }): Promise<LoginsDone | null> {
  if (!isExternal(config)) return null;
  const { url } = await openForOwner({ ...config, log: () => undefined, fatal: () => undefined });
  const known = passwordsIn(config);
  const options: LoginOptions = { newPasswords: wanted.newPasswords, wanted: known };
  const { passwords, statements } = wanted.print ? await planLogins(url, options) : await ensureLogins(url, options);
  const made = [...passwords].filter(([login, password]) => known[login] !== password);
  const settings = made.map(([login, password]) => `${settingOf(login)}=${urlFor(url, login, password)}`);
  return { settings, kept: LOGINS.filter((login) => made.every(([other]) => other !== login)), statements };
}

/** Of logins that the settings name already: made anew on another server, they are what the service goes on using. */
function passwordsIn({ databaseAppUrl, databaseQueueUrl }: Config): NonNullable<LoginOptions["wanted"]> {
  const given = [databaseAppUrl, databaseQueueUrl].flatMap((url) => (url !== null && URL.canParse(url) ? [new URL(url)] : []));
  return Object.fromEntries(
    given.filter(({ password }) => password !== "").map(({ username, password }) => [username, decodeURIComponent(password)]),
  );
}

export async function refuseOldSchema(db: Db): Promise<void> {
  const reason = await migrationsReason(db);
  if (reason !== null) throw new Error(`The database is not ready: ${reason}`);
}

/** What is missing, in a sentence; null when the database is as this program needs it. */
export async function migrationsReason(db: Db): Promise<string | null> {
  const wanted = await readMigrations();
  const pending = pendingAfter(await db.system(listApplied), wanted);
  return pending.length === 0 ? null : `${pending.length} migrations are missing: run countersign migrate`;
}
