import type { Config } from "./config.ts";
import type { Db } from "./db/connect.ts";
import { addPartitions } from "./db/keep-partitions.ts";
import { ensureLogins, LOGINS, type Login, type LoginOptions, planLogins, SERVE_LOGIN, urlFor } from "./db/logins.ts";
import { type Contract, listApplied, MigrationRefused, migrate, newestOf, readMigrations, reasonNotToRun } from "./db/migrate.ts";
import { isExternal, type OpenDatabase, openForOwner } from "./db/open.ts";
import { ownerTx } from "./db/owner-tx.ts";
import { requireSessions } from "./db/pooling.ts";
import { readSchemaStatus, type SchemaStatus } from "./db/read-schema-status.ts";
import type { Tx } from "./db/sql.ts";

/** Checks and creates the tables that this program needs, its own and the queue's. */

export interface Migrated {
  readonly applied: readonly string[];
  /** what `migrate --contract` would take away */
  readonly waiting: readonly string[];
}

/**
 * `countersign migrate`. `record` notes the names of the applied migrations, of which there can be none, as the owner. The embedded database has
 * one process, so nothing has to be left for later.
 */
export async function migrateDatabase(
  config: Config,
  record: (tx: Tx, applied: readonly string[]) => Promise<void>,
  contract: Contract = isExternal(config) ? "leave" : "if-safe",
): Promise<Migrated> {
  return withOwner(config, async (url) => {
    // What may be refused comes last, so that what was applied before it is recorded.
    const applied = await migrateAll(url, contract === "demand" ? "leave" : contract);
    await ownerTx(url, (tx) => record(tx, applied));
    if (contract === "demand") applied.push(...(await takeAway(url, record)));
    const { waiting } = await readSchemaStatus(url, await readMigrations());
    return { applied, waiting: waiting.map(({ name }) => name) };
  });
}

async function takeAway(url: string, record: (tx: Tx, applied: readonly string[]) => Promise<void>): Promise<string[]> {
  const taken: string[] = [];
  try {
    await migrate(url, undefined, { contract: "demand", onApplied: (name) => taken.push(name) });
  } finally {
    if (taken.length > 0) await ownerTx(url, (tx) => record(tx, taken));
  }
  return taken;
}

/** `countersign migrate --status` */
export async function schemaStatus(config: Config): Promise<SchemaStatus> {
  return withOwner(config, async (url) => readSchemaStatus(url, await readMigrations()));
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
export async function bringUpToDate(database: OpenDatabase, contract: "alone" | "if-safe"): Promise<void> {
  if (database.ownerUrl !== null) await migrateAll(database.ownerUrl, contract);
}

async function migrateAll(url: string, contract: Contract): Promise<string[]> {
  const applied = await migrate(url, undefined, { contract });
  await addPartitions((run) => ownerTx(url, run));
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

export async function refuseOtherSchema(db: Db): Promise<void> {
  const reason = await migrationsReason(db);
  if (reason !== null) throw new MigrationRefused(`The database is not ready: ${reason}`);
}

/** Why this program must not run on the database as it is, in a sentence; null if it may. */
export async function migrationsReason(db: Db): Promise<string | null> {
  return reasonNotToRun(await db.system(listApplied), await readMigrations());
}

/** The number by which versions of the program are compared. */
export const newestMigration = async (): Promise<number> => newestOf(await readMigrations());
