import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import pg from "pg";
import { holdLock, locks } from "./locks.ts";
import { APP_ROLE, ensureRoles } from "./logins.ts";
import { sql, type Tx } from "./sql.ts";

const MIGRATIONS = new URL("../../migrations/", import.meta.url);

export interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** The files in the order of their numbers. A gap or a duplicate number is a bug. */
export async function readMigrations(folder: URL = MIGRATIONS): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name, index) => {
      if (Number(name.slice(0, 4)) !== index + 1) throw new Error(`migration ${name} is not number ${index + 1}`);
      const text = await readFile(new URL(name, folder), "utf8");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    }),
  );
}

export class MigrationRefused extends Error {}

/** Migrates the database to the newest version, each file in its own transaction. Returns the names of the applied files. */
export async function migrate(url: string, migrations?: readonly Migration[]): Promise<string[]> {
  const wanted = migrations ?? (await readMigrations());
  const client = new pg.Client({ connectionString: url, application_name: "countersign migrate" });
  // The running query reports a lost connection too. Without a listener the error would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await holdLock(client, locks.migration);
    await ensureRoles(client);
    await client.query(
      `create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now());
       grant select on schema_migrations to ${APP_ROLE}`,
    );
    const { rows } = await client.query<{ name: string; checksum: string }>("select name, checksum from schema_migrations order by name");
    const pending = pendingAfter(rows, wanted);
    for (const migration of pending) await apply(client, migration);
    return pending.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

/** The migrations to apply. Rejects a database that is newer than this program or whose history was edited. */
export function pendingAfter(applied: readonly { name: string; checksum: string }[], wanted: readonly Migration[]): readonly Migration[] {
  for (const [index, { name, checksum }] of applied.entries()) {
    const ours = wanted[index];
    if (ours === undefined)
      throw new MigrationRefused(`The database is newer than this program (it has ${name}). Start the newer version.`);
    if (ours.name !== name) throw new MigrationRefused(`The database has migration ${name} where this program has ${ours.name}.`);
    if (ours.checksum !== checksum) throw new MigrationRefused(`Migration ${name} was changed after it was applied. Restore the file.`);
  }
  return wanted.slice(applied.length);
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query(migration.text);
    await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [migration.name, migration.checksum]);
    await client.query("commit");
  } catch (cause) {
    await client.query("rollback");
    throw new Error(`migration ${migration.name} failed: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

export async function listApplied(tx: Tx): Promise<{ name: string; checksum: string }[]> {
  const { rows } = await tx.query<{ name: string; checksum: string }>(sql`select name, checksum from schema_migrations order by name`);
  return rows;
}
