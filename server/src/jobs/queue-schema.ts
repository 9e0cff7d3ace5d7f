import { Logger, runMigrations } from "graphile-worker";
import { migrations } from "graphile-worker/dist/generated/sql.js";
import pg from "pg";
import { codeOf } from "../db/errors.ts";
import { holdLock, locks } from "../db/locks.ts";
import { QUEUE_LOGIN } from "../db/logins.ts";
import { MigrationRefused } from "../db/migrate.ts";

/** The queue's tables. Its library creates them with the owner's login, and the queue login gets access. */

const SCHEMA = "graphile_worker";

// The library's tables have row-level security and no policy, so only their owner can use them. Our own policy gives the queue login
// access, so it needs no BYPASSRLS. Tables of newer versions of the library get the same policy.
const OPEN = `
grant usage on schema ${SCHEMA} to ${QUEUE_LOGIN};
grant select, insert, update, delete on all tables in schema ${SCHEMA} to ${QUEUE_LOGIN};
grant usage on all sequences in schema ${SCHEMA} to ${QUEUE_LOGIN};
grant execute on all functions in schema ${SCHEMA} to ${QUEUE_LOGIN};
do $$
declare closed regclass;
begin
  for closed in
    select c.oid from pg_class c where c.relnamespace = '${SCHEMA}'::regnamespace and c.relrowsecurity
      and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = '${QUEUE_LOGIN}')
  loop
    execute format('create policy ${QUEUE_LOGIN} on %s to ${QUEUE_LOGIN} using (true) with check (true)', closed);
  end loop;
end $$`;

/** Run this after `migrate` with the owner's login. A second run changes nothing. */
export async function migrateQueue(ownerUrl: string): Promise<void> {
  await runMigrations({ connectionString: ownerUrl, logger: silent });
  const client = new pg.Client({ connectionString: ownerUrl, application_name: "countersign migrate" });
  // The running query reports a lost connection too. Without a listener the error would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await holdLock(client, locks.queue);
    await client.query(OPEN);
  } finally {
    await client.end();
  }
}

const WANTED = Math.max(...Object.keys(migrations).map((file) => Number.parseInt(file, 10)));

/** Throws MigrationRefused if the tables are older than the library, which would try to migrate them without the right to do so. */
export async function requireQueueSchema(queue: Pick<pg.Pool, "query">): Promise<void> {
  const { rows } = await queue.query<{ newest: number | null }>(`select max(id) as newest from ${SCHEMA}.migrations`).catch(asNotReady);
  if ((rows[0]?.newest ?? 0) < WANTED)
    throw new MigrationRefused("The job queue's tables are older than this program. Run: countersign migrate");
}

const MISSING = new Set(["3F000", "42P01"]); // no such schema, no such table
const DENIED = "42501";

function asNotReady(cause: unknown): never {
  const code = codeOf(cause) ?? "";
  if (MISSING.has(code)) throw new MigrationRefused("The job queue has no tables yet. Run: countersign migrate", { cause });
  if (code !== DENIED) throw cause;
  throw new MigrationRefused("The login of DATABASE_QUEUE_URL may not use the job queue. Run: countersign migrate", { cause });
}

/** The library's own log messages. Failures of jobs are logged through its events. */
export const silent = new Logger(() => () => undefined);
