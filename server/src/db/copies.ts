import type { Readable, Writable } from "node:stream";
import pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { locks, tryHoldLock } from "./locks.ts";

/** All rows of the database as text, with the owner's login, to which row-level security does not apply. For backups. */

// Tables whose rows belong to running processes, or that the program fills itself.
const NOT_COPIED = ["schema_migrations", "worker_heartbeats", "installation_mode"];

// Recurring jobs are added by the workers. Jobs that an earlier run failed for good are copied too, and get new attempts.
const QUEUED_JOBS = `select j.task_identifier, p.payload, j.key, j.run_at
  from graphile_worker.jobs j join graphile_worker._private_jobs p using (id) where p.payload::jsonb -> '_cron' is null order by id`;

/** One begins where the one before it ends. Their names do not matter. */
export interface PartitionEnd {
  readonly table: string;
  readonly ends: string;
}

export interface Sequence {
  readonly name: string;
  /** null: it was never used */
  readonly last_value: string | null;
}

/** One moment of the whole database. */
export interface Snapshot {
  /** each after those that it refers to */
  readonly tables: readonly string[];
  readonly sequences: readonly Sequence[];
  /** of each table the oldest first; none before there were partitions */
  readonly partitions: readonly PartitionEnd[];
  query<R extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /** The rows of a table. `rows()` is known at the end. */
  copyTable(table: string): { readonly stream: Readable; rows(): number };
  /** What waits in the queue, as rows of the outbox. */
  copyQueue(): { readonly stream: Readable; rows(): number };
}

export async function withSnapshot<T>(ownerUrl: string, run: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  return withOwnerClient(ownerUrl, async (client) => {
    await client.query("begin isolation level repeatable read read only");
    const query = async <R extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      (await client.query<R>(text, [...values])).rows;
    const copy = (what: string) => {
      const stream = client.query(copyTo(`copy ${what} to stdout`));
      return { stream, rows: () => stream.rowCount };
    };
    const partitions = await listPartitionEnds(client);
    return run({
      tables: await listTables(client),
      partitions,
      sequences: await query<Sequence & pg.QueryResultRow>(
        "select sequencename as name, last_value::text from pg_sequences where schemaname = 'public' order by 1",
      ),
      query,
      copyTable: (table) => {
        const name = pg.escapeIdentifier(table);
        // A partitioned table has no rows of its own. Of others, columns that are computed are left out.
        return copy(partitions.some((one) => one.table === table) ? `(select * from ${name})` : name);
      },
      copyQueue: () => copy(`(${QUEUED_JOBS})`),
    });
  });
}

/** Null, at once, while another backup or restore of this database runs. */
export async function copyAlone<T>(ownerUrl: string, run: () => Promise<T>): Promise<T | null> {
  return withOwnerClient(ownerUrl, async (client) => ((await tryHoldLock(client, locks.copies)) ? run() : null));
}

/** Whether the database was never worked with: it has no tables, or no organization and no person. */
export async function isUnused(ownerUrl: string): Promise<boolean> {
  return withOwnerClient(ownerUrl, async (client) => {
    const { rows: tables } = await client.query(
      "select from pg_class where relnamespace = 'public'::regnamespace and relname in ('orgs', 'users')",
    );
    if (tables.length < 2) return tables.length === 0;
    const { rows } = await client.query("select from orgs union all select from users limit 1");
    return rows.length === 0;
  });
}

/** Writes all rows in one transaction, which is committed if `run` succeeds. What was in the tables before is gone. */
export interface Loader {
  readonly tables: readonly string[];
  query<R extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<R[]>;
  loadTable(table: string): { readonly stream: Writable; rows(): number };
  loadQueue(): { readonly stream: Writable; rows(): number };
  setSequence(sequence: Sequence): Promise<void>;
  /** Instead of those that the migrations made, so that what is past its retention can be dropped as before. */
  setPartitions(partitions: readonly PartitionEnd[]): Promise<void>;
}

export async function withLoader<T>(ownerUrl: string, run: (loader: Loader) => Promise<T>): Promise<T> {
  return withOwnerClient(ownerUrl, async (client) => {
    await client.query("begin");
    const tables = await listTables(client);
    const names = tables.map(pg.escapeIdentifier);
    // What migrations wrote into new tables is in the backup too.
    await client.query(`truncate ${names.join(", ")}`);
    // They would write again what they wrote when the rows were made.
    for (const name of names) await client.query(`alter table ${name} disable trigger user`);
    const copy = (what: string) => {
      const stream = client.query(copyFrom(`copy ${what} from stdin`));
      return { stream, rows: () => stream.rowCount };
    };
    const result = await run({
      tables,
      query: async (text, values = []) => (await client.query(text, [...values])).rows,
      loadTable: (table) => copy(pg.escapeIdentifier(table)),
      loadQueue: () => copy("outbox (task, payload, job_key, run_at)"),
      setSequence: async ({ name, last_value }) => {
        // Nothing, if a table of someone else had it.
        await client.query("select setval(to_regclass(format('public.%I', $1::text)), coalesce($2::bigint, 1), $2 is not null)", [
          name,
          last_value,
        ]);
      },
      setPartitions: async (partitions) => {
        const { rows: own } = await client.query<{ name: string }>("select name from list_partitions() where parent = any($1)", [
          partitions.map(({ table }) => table),
        ]);
        for (const { name } of own) await client.query(`drop table ${pg.escapeIdentifier(name)}`);
        for (const { table, ends } of partitions) await client.query("select add_partition($1, $2)", [table, ends]);
        // The door limits waits for the rest of the transaction.
        await client.query("set local lock_timeout = 0");
      },
    });
    for (const name of names) await client.query(`alter table ${name} enable trigger user`);
    await client.query("commit");
    return result;
  });
}

// Dates and numbers in a form that every server reads alike, and no limit that a login or a database sets for other work. Older servers do
// not have all of these. Without row_security a login that does not see all rows is refused.
const SESSION = `set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 3; set row_security = off;
  select set_config(name, '0', false) from pg_settings
    where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout')`;

async function withOwnerClient<T>(ownerUrl: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: "countersign backup" });
  // The running query reports a lost connection too. Without a listener the error would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query(SESSION);
    return await run(client);
  } finally {
    // Closing the connection rolls back a transaction that was not committed.
    await client.end();
  }
}

/** None in a database of before there were partitions. */
async function listPartitionEnds(client: pg.Client): Promise<PartitionEnd[]> {
  const { rows: known } = await client.query("select where to_regprocedure('public.list_partitions()') is not null");
  if (known.length === 0) return [];
  const { rows } = await client.query<PartitionEnd>(
    `select parent as "table", ends from list_partitions() order by parent, length(ends), ends collate "C"`,
  );
  return rows;
}

/** Each after those that its foreign keys refer to. */
async function listTables(client: pg.Client): Promise<string[]> {
  const { rows: found } = await client.query<{ name: string; needs: string[] }>(
    `select c.relname as name,
       array(select distinct r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
         where k.conrelid = c.oid and k.contype = 'f' and r.oid <> c.oid) as needs
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all($1)
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by 1`,
    [NOT_COPIED],
  );
  const ordered: string[] = [];
  for (let left = found; left.length > 0; ) {
    const ready = left.filter(({ needs }) => needs.every((one) => ordered.includes(one) || NOT_COPIED.includes(one)));
    if (ready.length === 0) throw new Error(`foreign keys form a circle: ${left.map(({ name }) => name).join(", ")}`);
    ordered.push(...ready.map(({ name }) => name));
    left = left.filter((one) => !ready.includes(one));
  }
  return ordered;
}
