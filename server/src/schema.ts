import type { Config } from "./config.ts";
import type { Db } from "./db/connect.ts";
import { ensureLogins, LOGINS, type Login, type LoginOptions, planLogins, SERVE_LOGIN, urlFor } from "./db/logins.ts";
import { listApplied, migrate, pendingAfter, readMigrations } from "./db/migrate.ts";
import { isExternal, type OpenDatabase, openForOwner } from "./db/open.ts";
import { ownerTx } from "./db/owner-tx.ts";
import { requireSessions } from "./db/pooling.ts";
import type { Tx } from "./db/sql.ts";

/** Checks and creates the tables that this program needs, its own and the queue's. */

/** `countersign migrate`: returns the names of the applied migrations, which `record` notes as the owner; there can be none. */
export async function migrateDatabase(config: Config, record: (tx: Tx, applied: readonly string[]) => Promise<void>): Promise<string[]> {
  return withOwner(config, async (url) => {
    const applied = await migrateAll(url);
    await ownerTx(url, (tx) => record(tx, applied));
    return applied;
  });
}

/** For commands that need rights that the serve login does not have. */
export async function withOwner<T>(config: Config, run: (ownerUrl: string) => Promise<T>): Promise<T> {
  const database = await openForOwner({ ...config, log: () => undefined, fatal: () => undefined });
  try {
    if (isExternal(config)) await requireSessions(database.url, "DATABASE_URL");
    return await run(database.url);
  } finally {
    await database.close();
  }
}

/** The embedded database belongs to this program, so it is migrated automatically. The operator migrates an external one. */
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
  /** lines for the service's settings, for the logins with a new password; the passwords are stored nowhere else */
  readonly settings: readonly string[];
  /** the logins whose password did not change, or is the one in the settings */
  readonly kept: readonly Login[];
  readonly statements: readonly string[];
}

const settingOf = (login: Login): "DATABASE_APP_URL" | "DATABASE_QUEUE_URL" =>
  login === SERVE_LOGIN ? "DATABASE_APP_URL" : "DATABASE_QUEUE_URL";

/**
 * `countersign database logins`: creates the logins, or with `print` only shows the statements. Null for the embedded database, which
 * has its own.
 */
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

/** The passwords of logins in the settings. If the logins are created on another server, they get the same passwords. */
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

/** What is missing, in a sentence; null if the database is up to date. */
export async function migrationsReason(db: Db): Promise<string | null> {
  const wanted = await readMigrations();
  const pending = pendingAfter(await db.system(listApplied), wanted);
  return pending.length === 0 ? null : `${pending.length} migrations are missing: run countersign migrate`;
}
