import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import pg from "pg";
import { APP_ROLE } from "./connect.ts";
import { codeOf } from "./errors.ts";

const MIGRATIONS = new URL("../../migrations/", import.meta.url);

// Any number works as long as nobody else uses it; two migrating processes take turns on it.
const MIGRATION_LOCK = 5_012_001;

export interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** The files in order of number. A gap or a second file of one number is a mistake of ours. */
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

/** What a login that may not create roles has to have run for it, once. */
function roleStatements({ owner, exists }: { readonly owner: string; readonly exists: boolean }): string {
  return `${exists ? "" : `create role ${APP_ROLE} nologin;\n`}grant ${APP_ROLE} to ${pg.escapeIdentifier(owner)};`;
}

export class MigrationRefused extends Error {}

/** Brings the database to the newest version, each file in a transaction of its own. Returns the names that were applied. */
export async function migrate(url: string, migrations?: readonly Migration[]): Promise<string[]> {
  const wanted = migrations ?? (await readMigrations());
  const client = new pg.Client({ connectionString: url, application_name: "countersign migrate" });
  // The query that is running reports the loss too; with nobody listening it would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await ensureRole(client);
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

/** What is still to do; refuses a database that is newer than this program or whose history was edited. */
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

/** Roles belong to the whole cluster, so another database's migration may make it at the same moment. */
async function ensureRole(client: pg.Client): Promise<void> {
  const { rows } = await client
    .query<{ owner: string; exists: boolean; usable: boolean }>(
      `select current_user as owner, exists (select from pg_roles where rolname = $1) as exists,
            coalesce((select pg_has_role(current_user, oid, 'SET') from pg_roles where rolname = $1), false) as usable`,
      [APP_ROLE],
    )
    .catch(olderThan16(client));
  const found = rows[0];
  if (found === undefined || found.usable) return;
  try {
    if (!found.exists) await client.query(`create role ${APP_ROLE} nologin`).catch(ignoreExisting);
    await client.query(`grant ${APP_ROLE} to current_user`);
  } catch (cause) {
    if (codeOf(cause) !== "42501") throw cause;
    throw new MigrationRefused(
      `This database login may not ${found.exists ? "grant" : "create"} roles. Have an administrator run:\n${roleStatements(found)}\nthen start again.`,
      { cause },
    );
  }
}

/** PostgreSQL 15 has no SET privilege on roles: membership alone allows `set role`. */
function olderThan16(client: pg.Client) {
  return (error: unknown) => {
    if (codeOf(error) !== "22023") throw error;
    return client.query<{ owner: string; exists: boolean; usable: boolean }>(
      `select current_user as owner, exists (select from pg_roles where rolname = $1) as exists,
              coalesce((select pg_has_role(current_user, oid, 'MEMBER') from pg_roles where rolname = $1), false) as usable`,
      [APP_ROLE],
    );
  };
}

function ignoreExisting(error: unknown): void {
  if (codeOf(error) !== "42710" && codeOf(error) !== "23505") throw error;
}
