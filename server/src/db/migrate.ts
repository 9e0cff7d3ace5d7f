import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { codeOf } from "./errors.ts";
import { letGo, locks, tryHoldLock } from "./locks.ts";
import { APP_ROLE, ensureRoles } from "./logins.ts";
import { reasonToWait } from "./reason-to-wait.ts";
import { raw, type Tx } from "./sql.ts";

const MIGRATIONS = new URL("../../migrations/", import.meta.url);

export interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** What the database says of a migration that was applied. */
export interface Applied {
  readonly name: string;
  readonly checksum: string;
  /** the number of the earliest program that runs on the schema since then; null if it is unknown */
  readonly works_with: number | null;
}

/** Programs are compared by the number of the newest migration that they know. */
export const numberOf = (name: string): number => Number(name.slice(0, 4));

export const isContract = ({ text }: Migration): boolean => /^-- phase: contract$/m.test(text);

/** Of a file that names none: one that takes something away is for programs that know it; any other changes nothing about it (null). */
export function worksWithOf(migration: Migration): number | null {
  const named = /^-- works-with: (\d{4})$/m.exec(migration.text)?.[1];
  if (named !== undefined) return Number(named);
  return isContract(migration) ? numberOf(migration.name) : null;
}

/** The files in the order of their numbers. Numbers are given to branches, so one can be missing until its branch is merged; two files never share one. */
export async function readMigrations(folder: URL = MIGRATIONS): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name, index) => {
      if (!/^\d{4}-/.test(name)) throw new Error(`migration ${name} has no number`);
      if (numberOf(name) === numberOf(names[index - 1] ?? "")) throw new Error(`migration ${name} has the number of ${names[index - 1]}`);
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

/**
 * What becomes of files that take something away (`-- phase: contract`). An empty database gets all of them.
 * - `leave`: nothing, because the version of before may still run.
 * - `demand`: they are applied, or a `MigrationRefused` says which process or backfill is in the way.
 * - `if-safe`: they are applied unless something is in the way.
 * - `alone`: the same for the only process of its database, which looks for backfills alone.
 */
export type Contract = "leave" | "demand" | "if-safe" | "alone";

export interface MigrateOptions {
  readonly patience?: Patience;
  readonly contract?: Contract;
  readonly onApplied?: (name: string) => void;
}

/** Migrates the database, each file in its own transaction if it creates no index beside writers. Returns the names of the applied files. */
export async function migrate(url: string, migrations?: readonly Migration[], options: MigrateOptions = {}): Promise<string[]> {
  const wanted = migrations ?? (await readMigrations());
  const client = new pg.Client({ connectionString: url, application_name: "countersign migrate" });
  // The running query reports a lost connection too. Without a listener the error would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query(NO_TIME_LIMITS);
    return await applyInTurn(client, wanted, options);
  } finally {
    await client.end();
  }
}

/** One process at a time. */
async function applyInTurn(client: pg.Client, wanted: readonly Migration[], options: MigrateOptions): Promise<string[]> {
  const { patience = PATIENCE, onApplied = () => undefined } = options;
  const applied: string[] = [];
  for (let nth = 1; ; nth++) {
    await takeTurn(client);
    try {
      await applyPending(client, wanted, options, (name) => {
        applied.push(name);
        onApplied(name);
      });
      return applied;
    } catch (error) {
      if (!(error instanceof TurnWanted)) throw error;
      if (nth === patience.tries) throw new TableInUse(await lockedText(client, error.migration, patience), { cause: error });
    }
    // The process that waits gets the lock before it can be asked for again.
    await letGo(client, locks.migration);
  }
}

/**
 * Versions before 0.2.0 wait for their turn in one statement. An index that is created beside writers waits for the end of that statement, and
 * the statement for the turn, so PostgreSQL ends one of them. The other process must go first, then there is nothing to wait for.
 */
class TurnWanted extends Error {
  readonly migration: Migration;
  constructor(migration: Migration, cause: unknown) {
    super("another process is migrating", { cause });
    this.migration = migration;
  }
}

async function applyPending(
  client: pg.Client,
  wanted: readonly Migration[],
  { patience = PATIENCE, contract = "alone" }: MigrateOptions,
  onApplied: (name: string) => void,
): Promise<void> {
  await ensureRoles(client);
  await client.query(
    `create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now());
     grant select on schema_migrations to ${APP_ROLE}`,
  );
  const { rows } = await client.query<Applied>(LIST_APPLIED);
  const how = rows.length === 0 ? "alone" : contract;
  for (const migration of pendingAfter(rows, wanted)) {
    if (isContract(migration)) {
      if (how === "leave") continue;
      const reason = await reasonToWait(client, migration.name, worksWithOf(migration) ?? 0, how === "alone");
      if (reason !== null && how === "demand") throw new MigrationRefused(reason);
      if (reason !== null) continue;
    }
    await apply(client, migration, patience);
    onApplied(migration.name);
  }
}

/**
 * The migrations to apply. Rejects a database that is newer than this program or whose history was edited. Files that take something away may
 * be applied later than others with higher numbers.
 */
export function pendingAfter(applied: readonly Omit<Applied, "works_with">[], wanted: readonly Migration[]): readonly Migration[] {
  const [ahead] = aheadOf(applied, wanted);
  if (ahead !== undefined)
    throw new MigrationRefused(`The database is newer than this program (it has ${ahead.name}). Start the newer version.`);
  return pendingOf(applied, wanted);
}

/** Those with a higher number than any of this program. A name without a number is not of this program either. */
function aheadOf<A extends { readonly name: string }>(applied: readonly A[], wanted: readonly Migration[]): readonly A[] {
  const newest = newestOf(wanted);
  return applied.filter(({ name }) => !(numberOf(name) <= newest));
}

export const newestOf = (wanted: readonly Migration[]): number => Math.max(0, ...wanted.map(({ name }) => numberOf(name)));

function pendingOf(applied: readonly Omit<Applied, "works_with">[], wanted: readonly Migration[]): readonly Migration[] {
  const known = new Map(wanted.map((migration) => [migration.name, migration]));
  for (const { name, checksum } of applied) {
    const ours = known.get(name);
    if (ours === undefined) throw new MigrationRefused(`The database has the migration ${name}, which this program does not have.`);
    if (ours.checksum !== checksum) throw new MigrationRefused(`Migration ${name} was changed after it was applied. Restore the file.`);
  }
  const done = new Set(applied.map(({ name }) => name));
  const pending = wanted.filter(({ name }) => !done.has(name));
  const skipped = pending.find(
    (one) => !isContract(one) && wanted.some(({ name }) => done.has(name) && numberOf(name) > numberOf(one.name)),
  );
  const later = skipped && wanted.findLast(({ name }) => done.has(name));
  if (skipped !== undefined)
    throw new MigrationRefused(`The database has the migration ${later?.name}, but not ${skipped.name} before it.`);
  return pending;
}

/**
 * Why a program with these migrations must not run on the schema, in a sentence; null if it may. It runs before files of its own take something
 * away, and on the schema of a newer version that says so.
 */
export function reasonNotToRun(applied: readonly Applied[], wanted: readonly Migration[]): string | null {
  const ahead = aheadOf(applied, wanted);
  const newest = newestOf(wanted);
  const tooNew = ahead.findLast(({ works_with }) => works_with === null || works_with > newest);
  if (tooNew !== undefined) return `the database is newer than this program works with (it has ${tooNew.name}): start the newer version`;
  try {
    const missing = pendingOf(
      applied.filter((one) => !ahead.includes(one)),
      wanted,
    ).filter((one) => !isContract(one));
    return missing.length === 0 ? null : `${missing.length} migrations are missing: run countersign migrate`;
  } catch (error) {
    if (error instanceof MigrationRefused) return error.message;
    throw error;
  }
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
const DEADLOCK = "40P01";
// A transaction of the service that locks the same tables in another order can end up waiting for the migration, and the migration for it.
const TRY_AGAIN = new Set(["55P03", DEADLOCK]); // a lock was not available in time

async function apply(client: pg.Client, migration: Migration, patience: Patience): Promise<void> {
  if (CONCURRENT.test(migration.text)) return applyConcurrently(client, migration);
  const { lock_ms, tries, pause_ms } = patience;
  const [least, most] = pause_ms;
  for (let nth = 1; ; nth++) {
    try {
      return await applyAtOnce(client, migration, lock_ms);
    } catch (error) {
      if (!TRY_AGAIN.has(codeOf((error as Error).cause) ?? "")) throw error;
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
async function applyConcurrently(client: pg.Client, migration: Migration): Promise<void> {
  const { name, text } = migration;
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
    throw codeOf(cause) === DEADLOCK ? new TurnWanted(migration, cause) : failed(name, cause);
  }
  await noteApplied(client, migration);
}

/** A file that says nothing of earlier programs leaves it as it was. The column is missing until a migration adds it. */
async function noteApplied(client: pg.Client, migration: Migration): Promise<void> {
  const { name, checksum } = migration;
  const { rows } = await client.query("select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'works_with'");
  if (rows.length === 0) await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [name, checksum]);
  else
    await client.query(
      `insert into schema_migrations (name, checksum, works_with)
       values ($1, $2, coalesce($3::integer, (select max(works_with) from schema_migrations)))`,
      [name, checksum, worksWithOf(migration)],
    );
}

const failed = (name: string, cause: unknown): Error =>
  new Error(`migration ${name} failed: ${cause instanceof Error ? cause.message : cause}`, { cause });

async function applyAtOnce(client: pg.Client, migration: Migration, lock_ms: number): Promise<void> {
  await client.query(`begin; set local lock_timeout = ${lock_ms}`);
  try {
    await client.query(migration.text);
    await noteApplied(client, migration);
    await client.query("commit");
  } catch (cause) {
    await client.query("rollback");
    throw failed(migration.name, cause);
  }
}

export async function listApplied(tx: Tx): Promise<Applied[]> {
  const { rows } = await tx.query<Applied>(raw(LIST_APPLIED));
  return rows;
}

// A database from before the column has null.
export const LIST_APPLIED = `select name, checksum, (to_jsonb(m) ->> 'works_with')::integer as works_with from schema_migrations m order by name`;
