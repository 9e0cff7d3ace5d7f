import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../test/database.ts";
import { withClient } from "../../test/global-setup.ts";
import { appendEvent } from "../events/append-event.ts";
import { migrateQueue } from "../jobs/queue-schema.ts";
import { newId, type OrgId, timeOf } from "../shared/ids.ts";
import { connectDb, type Db } from "./connect.ts";
import { lackPartitions } from "./keep-partitions.ts";
import { migrate, readMigrations } from "./migrate.ts";
import { listInvalidIndexes } from "./rights.ts";

/** A database of the release before partitions, with rows in each of the tables. */

const DAYS = 24 * 60 * 60 * 1000;
const org_id = newId("org");
const endpoint_id = newId("endpoint");
// Long ago, and after the end of this month: the clock of the host that made it may have been ahead.
const times = [Date.now() - 500 * DAYS, Date.now() - DAYS, Date.now() + 40 * DAYS];
const made = times.map((at) => ({ event_id: newId("event", at), delivery_id: newId("delivery", at), attempt_id: newId("attempt", at) }));
const parents = ["events", "webhook_deliveries", "webhook_attempts", "log_leaves"];
let files: string[];

const FILES = `select pg_relation_filenode(c.oid)::text as file from unnest($1::text[]) with ordinality t (name, n)
  join pg_class c on c.relname = t.name and c.relnamespace = 'public'::regnamespace order by t.n`;

async function fill(url: string): Promise<void> {
  const all = await readMigrations();
  const first = all.findIndex(({ name }) => name === "0120-partition-large-tables.sql");
  await migrate(url, all.slice(0, first));
  await withClient(url, async (client) => {
    await client.query("insert into orgs (org_id, name) values ($1, 'Example Company')", [org_id]);
    await client.query(
      `insert into webhook_endpoints (org_id, endpoint_id, url, event_types, enabled, secret_enc) values ($1, $2, 'https://example.com/', '{*}', true, '')`,
      [org_id, endpoint_id],
    );
    for (const { event_id, delivery_id, attempt_id } of made) {
      await client.query(
        `insert into events (org_id, event_id, event_type, occurred_at, body, fanned_out_at) values ($1, $2, 'webhook.test', now(), '{}', now())`,
        [org_id, event_id],
      );
      await client.query(
        `insert into webhook_deliveries (org_id, delivery_id, endpoint_id, event_id, event_type, event_seq, status, trigger)
         select $1, $2, $3, event_id, event_type, event_seq, 'failed', 'test' from events where event_id = $4`,
        [org_id, delivery_id, endpoint_id, event_id],
      );
      await client.query(
        `insert into webhook_attempts (org_id, attempt_id, delivery_id, endpoint_id, event_id, event_type, status, trigger, run, attempt_count, url)
         values ($1, $2, $3, $4, $5, 'webhook.test', 'failed', 'test', 1, 1, 'https://example.com/')`,
        [org_id, attempt_id, delivery_id, endpoint_id, event_id],
      );
    }
    // As if it were the 60 millionth.
    await client.query("insert into log_leaves (leaf_index, hash) values (60000000, repeat('a', 64))");
    files = (await client.query<{ file: string }>(FILES, [parents])).rows.map(({ file }) => file);
  });
  await migrate(url, all);
  await migrateQueue(url);
}

const database = testDatabase(fill);
let db: Db;
beforeAll(() => {
  db = connectDb({ url: database.appUrl, poolSize: 2 });
});
afterAll(() => db.end());

test("rows from before are in the oldest partitions, and their files were not rewritten", async () => {
  const now = await database.owner<{ file: string }>(FILES, [parents.map((name) => `${name}_oldest`)]);
  expect(now.map(({ file }) => file)).toEqual(files);
  for (const parent of parents) {
    const rows = await database.owner(`select from ${parent}`);
    expect([parent, rows.length]).toEqual([parent, parent === "log_leaves" ? 1 : 3]);
    expect(await database.owner(`select from ${parent}_oldest`)).toHaveLength(rows.length);
  }
  expect(await listInvalidIndexes(database.url)).toEqual([]);
});

test("they end after their last row, and three periods follow, or more if the last row is that late", async () => {
  expect(await db.system(lackPartitions)).toEqual([]);
  const ends = await database.owner<{ parent: string; ends: string }>("select parent, ends from list_partitions() where starts is null");
  for (const one of ends) {
    if (one.parent === "log_leaves") expect(one.ends).toBe("100000000");
    else expect(timeOf(one.ends)).toBeGreaterThan(times[2] ?? 0);
  }
  expect(await database.owner("select from list_partitions()")).toHaveLength(16);
});

test("the numbers of events go on", async () => {
  const message = "after the upgrade";
  await db.tx(org_id as OrgId, (tx) => appendEvent(tx, org_id as OrgId, { type: "webhook.test", envelope_id: null, data: { message } }));
  const rows = await database.owner<{ event_seq: string }>("select event_seq from events order by event_seq");
  expect(rows.map(({ event_seq }) => event_seq)).toEqual(["1", "2", "3", "4"]);
  expect(
    await database.owner("select is_identity from information_schema.columns where table_name = 'events' and column_name = 'event_seq'"),
  ).toEqual([{ is_identity: "NO" }]);
});

test("no foreign key leads from one of the tables to another", async () => {
  const keys = await database.owner<{ line: string }>(
    `select distinct conrelid::regclass || ' to ' || confrelid::regclass as line from pg_constraint
     where contype = 'f' and conrelid::regclass::text = any($1) order by 1`,
    [parents],
  );
  expect(keys.map(({ line }) => line)).toEqual(["webhook_deliveries to webhook_endpoints"]);
});

test("an index on every partition serves a look-up by ID, and a range of IDs reads only its own partitions", async () => {
  const plan = async (text: string) =>
    (
      await withClient(database.url, async (client) => {
        await client.query("set enable_seqscan = off");
        return (await client.query<{ "QUERY PLAN": string }>(`explain (costs off) ${text}`)).rows.map((row) => row["QUERY PLAN"]);
      })
    ).join("\n");
  const [first] = made;
  const byId = await plan(`select from webhook_deliveries where org_id = '${org_id}' and delivery_id = '${first?.delivery_id}'`);
  expect(byId).not.toContain("Seq Scan");
  const byEvent = await plan(`select from webhook_attempts where org_id = '${org_id}' and event_id = '${first?.event_id}'`);
  expect(byEvent.match(/Scan (?:using \w+ )?on (\w+)/g)).toHaveLength(1);
});
