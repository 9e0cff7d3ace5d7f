import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { codeOf } from "./errors.ts";
import { locks, tryHoldLock } from "./locks.ts";
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

/** A table was in use all the time. */
export class TableInUse extends MigrationRefused {}

// Limits that a login or a database sets for other work. A table can be so large that each attempt would end at the same point. What a lock may
// wait stays limited, because others wait behind it. Older servers do not have all of these.
const NO_TIME_LIMITS = `select set_config(name, '0', false) from pg_settings
  where name in ('statement_timeout', 'idle_session_timeout', 'transaction_timeout')`;

/** Migrates the database to the newest version, each file in its own transaction if it creates no index beside writers. Returns the names of the applied files. */
export async function migrate(url: string, migrations?: readonly Migration[], patience: Patience = PATIENCE): Promise<string[]> {
  const wanted = migrations ?? (await readMigrations());
  const client = new pg.Client({ connectionString: url, application_name: "countersign migrate" });
  // The running query reports a lost connection too. Without a listener the error would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query(NO_TIME_LIMITS);
    await takeTurn(client);
    await ensureRoles(client);
    await client.query(
      `create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now());
       grant select on schema_migrations to ${APP_ROLE}`,
    );
    const { rows } = await client.query<{ name: string; checksum: string }>("select name, checksum from schema_migrations order by name");
    const pending = pendingAfter(rows, wanted);
    for (const migration of pending) await apply(client, migration, patience);
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

const WAIT_MS = 200;

/** Asks again and again: a statement that waits for the lock would hold up the indexes that its holder creates without locking a table. */
async function takeTurn(client: pg.Client): Promise<void> {
  while (!(await tryHoldLock(client, locks.migration))) await delay(WAIT_MS);
}

/** How long a migration waits for a table, and how often. While it waits, everyone else who wants the table waits behind it. */
interface Patience {
  readonly lock_ms: number;
  readonly tries: number;
  /** between two tries, at random, so that it meets another moment */
  readonly pause_ms: readonly [number, number];
}

const PATIENCE: Patience = { lock_ms: 2_000, tries: 50, pause_ms: [1_000, 10_000] };

const CONCURRENT = /^-- mode: concurrent$/m;
const LOCK_NOT_AVAILABLE = "55P03";

async function apply(client: pg.Client, migration: Migration, patience: Patience): Promise<void> {
  if (CONCURRENT.test(migration.text)) return applyConcurrently(client, migration);
  const { lock_ms, tries, pause_ms } = patience;
  const [least, most] = pause_ms;
  for (let nth = 1; ; nth++) {
    try {
      return await applyAtOnce(client, migration, lock_ms);
    } catch (error) {
      if (codeOf((error as Error).cause) !== LOCK_NOT_AVAILABLE) throw error;
      if (nth === tries) throw new TableInUse(await lockedText(client, migration, patience), { cause: error });
      await delay(least + Math.random() * (most - least));
    }
  }
}

/** Who holds locks, longest first. Since when is visible to an owner only for logins that it is a member of. */
async function lockedText(client: pg.Client, { name }: Migration, { lock_ms, tries }: Patience): Promise<string> {
  const { rows } = await client.query<{ pid: number; seconds: number | null }>(
    `select a.pid, extract(epoch from now() - a.xact_start)::integer as seconds from pg_stat_activity a
      where a.pid <> pg_backend_pid() and exists (
        select from pg_locks l where l.pid = a.pid and l.granted and l.locktype = 'relation'
          and l.database = (select oid from pg_database where datname = current_database()) and l.relation > $1)
      order by a.xact_start nulls last limit 3`,
    [FIRST_OWN_OID],
  );
  const who = rows.map(({ pid, seconds }) => (seconds === null ? `${pid}` : `${pid} for ${seconds} seconds`));
  const holders = who.length === 0 ? "No process has it now." : `Processes of the database that use tables: ${who.join(", ")}.`;
  return `The migration ${name} could not lock a table within ${lock_ms} ms, ${tries} times. It changed nothing. ${holders} End what runs for long, and run it again.`;
}

// Tables with lower numbers belong to PostgreSQL.
const FIRST_OWN_OID = 16_383;

/**
 * One index, created while others write to its table. That takes no transaction, so a run that died can have left the index behind: whole, or
 * invalid, which no query uses and which is created again.
 */
async function applyConcurrently(client: pg.Client, { name, text, checksum }: Migration): Promise<void> {
  const index = /^create (?:unique )?index concurrently (\w+) on /m.exec(text)?.[1];
  if (index === undefined) throw new Error(`migration ${name} creates no index, so it cannot run without a transaction`);
  try {
    // No one waits behind this one, and it waits for every transaction that began before, such as a backup.
    await client.query("set lock_timeout = 0");
    const { rows } = await client.query<{ valid: boolean }>("select indisvalid as valid from pg_index where indexrelid = to_regclass($1)", [
      `public.${index}`,
    ]);
    const [left] = rows;
    if (left?.valid === false) await client.query(`drop index concurrently ${index}`);
    if (left?.valid !== true) await client.query(text);
    await client.query("reset lock_timeout");
  } catch (cause) {
    throw failed(name, cause);
  }
  await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [name, checksum]);
}

const failed = (name: string, cause: unknown): Error =>
  new Error(`migration ${name} failed: ${cause instanceof Error ? cause.message : cause}`, { cause });

async function applyAtOnce(client: pg.Client, migration: Migration, lock_ms: number): Promise<void> {
  await client.query(`begin; set local lock_timeout = ${lock_ms}`);
  try {
    await client.query(migration.text);
    await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [migration.name, migration.checksum]);
    await client.query("commit");
  } catch (cause) {
    await client.query("rollback");
    throw failed(migration.name, cause);
  }
}

export async function listApplied(tx: Tx): Promise<{ name: string; checksum: string }[]> {
  const { rows } = await tx.query<{ name: string; checksum: string }>(sql`select name, checksum from schema_migrations order by name`);
  return rows;
}
