import type { Config } from "./config.ts";
import { connectDb, type Db } from "./db/connect.ts";
import { migrate, pendingAfter, readMigrations } from "./db/migrate.ts";
import { type OpenDatabase, openForCommand } from "./db/open.ts";
import { sql } from "./db/sql.ts";

/** The tables that this program needs, its own and the queue's: whether they are there, and making them. */

/** `countersign migrate`: the names of what was missing, which `record` is told on the migrated database. */
export async function migrateDatabase(config: Config, record: (db: Db, applied: readonly string[]) => Promise<void>): Promise<string[]> {
  const database = await openForCommand({ ...config, log: () => undefined, fatal: () => undefined });
  try {
    const applied = await migrateAll(database.url);
    if (applied.length > 0) await withDb(database.url, (db) => record(db, applied));
    return applied;
  } finally {
    await database.close();
  }
}

async function withDb(url: string, run: (db: Db) => Promise<void>): Promise<void> {
  const db = connectDb({ url, poolSize: 1 });
  try {
    await run(db);
  } finally {
    await db.end();
  }
}

/** The embedded database belongs to this program alone; an external one is migrated when its operator says so. */
export async function bringUpToDate(database: OpenDatabase): Promise<void> {
  if (database.embedded) await migrateAll(database.url);
}

async function migrateAll(url: string): Promise<string[]> {
  const applied = await migrate(url);
  // The queue's library takes longer to load than most commands take to run, and on an external database they do not need it.
  const { migrateQueue } = await import("./jobs/worker.ts");
  await migrateQueue(url);
  return applied;
}

export async function refuseOldSchema(db: Db): Promise<void> {
  const reason = await migrationsReason(db);
  if (reason !== null) throw new Error(`The database is not ready: ${reason}`);
}

/** What is missing, in a sentence; null when the database is as this program needs it. */
export async function migrationsReason(db: Db): Promise<string | null> {
  const wanted = await readMigrations();
  const applied = await db.system((tx) =>
    tx.query<{ name: string; checksum: string }>(sql`select name, checksum from schema_migrations order by name`),
  );
  const pending = pendingAfter(applied.rows, wanted);
  return pending.length === 0 ? null : `${pending.length} migrations are missing: run countersign migrate`;
}
