import { describe, expect, test } from "vitest";
import { testDatabase } from "../../test/database.ts";
import { withClient } from "../../test/global-setup.ts";
import { testService } from "../../test/service.ts";
import { until } from "../../test/until.ts";
import { migrationsReason } from "../schema.ts";
import { newId } from "../shared/ids.ts";
import { connectDb } from "./connect.ts";
import { listProcesses } from "./heartbeats.ts";
import { type Applied, type Migration, migrate, newestOf, readMigrations, reasonNotToRun, worksWithOf } from "./migrate.ts";
import { readSchemaStatus } from "./read-schema-status.ts";
import { startHeartbeat } from "./start-heartbeat.ts";

/** Two versions of the program on one database: who may run, and what is taken away when. */

const database = testDatabase();
const ours = await readMigrations();
const N = newestOf(ours);
/** Of files that say nothing, the number is that of the last one that does. */
const W = Math.max(...ours.map((one) => worksWithOf(one) ?? 0));

const file = (number: number, name: string, text: string, header: string): Migration => ({
  name: `${number}-${name}.sql`,
  text: `${header}\n-- mode: transaction\n${text}`,
  checksum: name,
});
const EXPAND = "-- phase: expand";
const contractWith = (number: number) => `-- phase: contract\n-- works-with: ${String(number).padStart(4, "0")}`;

const add = file(9001, "add-note", "alter table customers add column note text", EXPAND);
const take = file(9002, "take-old", "alter table customers drop column if exists note", contractWith(9001));
const more = file(9003, "add-more", "alter table customers add column more text", EXPAND);
/** of the next version, with a number after a file that takes something away */
const next = [...ours, add, take, more];

const noted = () =>
  database.owner<{ name: string; works_with: number | null }>(
    "select name, works_with from schema_migrations where name like '9%' order by name",
  );
const columns = async () =>
  (
    await database.owner<{ name: string }>(
      "select attname as name from pg_attribute where attrelid = 'customers'::regclass and attname in ('note', 'more') and not attisdropped order by 1",
    )
  ).map(({ name }) => name);

async function reset(): Promise<void> {
  await database.owner(
    `alter table customers drop column if exists note, drop column if exists more; delete from schema_migrations where name like '9%';
     delete from worker_heartbeats; delete from backfills`,
  );
}

const processRow = (process: string, migration: number | null, seconds = 0) =>
  database.owner(
    `insert into worker_heartbeats (worker_id, beat_at, role, version, migration)
     values ($1, now() - make_interval(secs => $2), case when $3::int is not null then 'serve' end, case when $3::int is not null then '0.2.0' end, $3)`,
    [process, seconds, migration],
  );

describe("a program on the schema of another version", () => {
  const applied = (...more_: readonly (readonly [name: string, works_with: number | null])[]): Applied[] => [
    ...ours.map(({ name, checksum }) => ({ name, checksum, works_with: null })),
    ...more_.map(([name, works_with]) => ({ name, checksum: "", works_with })),
  ];

  test("runs if every later migration works with it", () => {
    expect(reasonNotToRun(applied(), ours)).toBeNull();
    expect(reasonNotToRun(applied(["9001-a.sql", N], ["9002-b.sql", W]), ours)).toBeNull();
  });

  test("refuses a migration that needs a later program, or does not say", () => {
    for (const works_with of [N + 1, null])
      expect(reasonNotToRun(applied(["9001-a.sql", works_with], ["9002-b.sql", W]), ours)).toBe(
        "the database is newer than this program works with (it has 9001-a.sql): start the newer version",
      );
  });

  test("refuses a schema that lacks a file of its own, except one that takes something away", () => {
    const program = [...ours, add, take];
    expect(reasonNotToRun(applied(), program)).toBe("1 migrations are missing: run countersign migrate");
    expect(reasonNotToRun([...applied(), { ...add, works_with: N }], program)).toBeNull();
  });

  test("refuses another history in a sentence", () => {
    const [first, ...others] = applied();
    expect(reasonNotToRun([{ ...(first as Applied), checksum: "" }, ...others], ours)).toContain("was changed after it was applied");
    expect(reasonNotToRun([...applied(), { name: "0001-other.sql", checksum: "", works_with: null }], ours)).toBe(
      "The database has the migration 0001-other.sql, which this program does not have.",
    );
    expect(
      reasonNotToRun(
        [...applied(["9003-c.sql", N])].filter(({ name }) => !name.startsWith("0050")),
        ours,
      ),
    ).toContain("but not 0050");
  });

  test("is ready on the next version's schema until something was taken that it uses", async () => {
    await reset();
    const db = connectDb({ url: database.appUrl, poolSize: 1 });
    expect(await migrationsReason(db)).toBeNull();
    await migrate(database.url, next, { contract: "leave" });
    expect(await migrationsReason(db)).toBeNull();
    await migrate(database.url, next, { contract: "demand" });
    expect(await migrationsReason(db)).toContain("newer than this program works with (it has 9002-take-old.sql)");
    await db.end();
  });
});

describe("migrate", () => {
  test("leaves what takes something away, goes on with later files, and takes it when it is asked to", async () => {
    await reset();
    expect(await migrate(database.url, next, { contract: "leave" })).toEqual([add.name, more.name]);
    expect(await noted()).toEqual([
      { name: add.name, works_with: W },
      { name: more.name, works_with: W },
    ]);
    expect(await columns()).toEqual(["more", "note"]);
    expect(await migrate(database.url, next, { contract: "leave" })).toEqual([]);
    expect(await readSchemaStatus(database.url, next)).toMatchObject({ missing: [], waiting: [{ name: take.name, works_with: 9001 }] });
    expect(await migrate(database.url, next, { contract: "demand" })).toEqual([take.name]);
    expect(await noted()).toContainEqual({ name: take.name, works_with: 9001 });
    expect(await columns()).toEqual(["more"]);
    expect(await migrate(database.url, next, { contract: "demand" })).toEqual([]);
  });

  test("takes nothing away while a process of an earlier or an unknown version runs", async () => {
    for (const migration of [N, null]) {
      await reset();
      await migrate(database.url, next, { contract: "leave" });
      await processRow("process-new", 9001);
      await processRow("process-old", migration, 20);
      const role = migration === null ? "worker process-old of an earlier version" : "serve process-old of version 0.2.0";
      await expect(migrate(database.url, next, { contract: "demand" })).rejects.toThrow(
        `The migration 9002-take-old.sql takes away what an earlier version uses, and processes of one still run: ${role}, seen 20 seconds ago.`,
      );
      expect(await migrate(database.url, next, { contract: "if-safe" })).toEqual([]);
      expect(await columns()).toEqual(["more", "note"]);
      // After 30 seconds of silence it counts as dead, as for its jobs.
      await database.owner("update worker_heartbeats set beat_at = now() - interval '31 seconds' where worker_id = 'process-old'");
      expect(await migrate(database.url, next, { contract: "demand" })).toEqual([take.name]);
    }
  });

  test("takes nothing away while a backfill is open, also for the only process", async () => {
    await reset();
    const org_id = newId("org");
    await database.owner("insert into orgs (org_id, name) values ($1, 'Org')", [org_id]);
    await database.owner("insert into backfills (name, org_id) values ('some-words', $1)", [org_id]);
    await expect(migrate(database.url, next, { contract: "demand" })).rejects.toThrow(
      "The migration 9002-take-old.sql needs rows that a job still fills in: some-words for 1 organizations.",
    );
    // What was before it is applied all the same.
    expect((await noted()).map(({ name }) => name)).toEqual([add.name]);
    expect(await migrate(database.url, next, { contract: "alone" })).toEqual([more.name]);
    expect((await readSchemaStatus(database.url, next)).backfills).toEqual([{ name: "some-words", orgs: 1 }]);
    await database.owner("update backfills set done_at = now()");
    expect(await migrate(database.url, next, { contract: "alone" })).toEqual([take.name]);
  });

  test("the only process does not wait for the heartbeat of one that died before it", async () => {
    await reset();
    await processRow("process-dead", N, 1);
    expect(await migrate(database.url, next, { contract: "if-safe" })).toEqual([add.name, more.name]);
    expect(await migrate(database.url, next, { contract: "alone" })).toEqual([take.name]);
  });

  test("refuses a database of another branch, in which a file is missing between others", async () => {
    await reset();
    await migrate(database.url, [...ours, more]);
    await expect(migrate(database.url, next)).rejects.toThrow(
      "The database has the migration 9003-add-more.sql, but not 9001-add-note.sql",
    );
  });

  test("gives its turn to a migrate of an earlier version that waits for it in a statement, and both come to their end", async () => {
    await reset();
    const table = file(9004, "add-later", "create table later (n int)", EXPAND);
    const index = {
      name: "9005-index-later.sql",
      text: `${EXPAND}\n-- mode: concurrent\ncreate index concurrently later_by_n on later (n);`,
      checksum: "index",
    };
    await migrate(database.url, [...ours, table]);
    await withClient(database.url, async (writer) => {
      await writer.query("begin; insert into later values (1)");
      const migrating = migrate(database.url, [...ours, table, index]);
      const isBegun = async () => (await database.owner("select from pg_class where relname = 'later_by_n'")).length === 1;
      await until("the index to be begun", isBegun);
      await withClient(database.url, async (earlier) => {
        // It would notice the deadlock too. Then it would end with an error, and this one would go on.
        await earlier.query("set deadlock_timeout = '1h'");
        const turn = earlier.query("select pg_advisory_lock(5012001)");
        const isWaiting = async () =>
          (await database.owner("select from pg_locks where locktype = 'advisory' and objid = 5012001 and not granted")).length === 1;
        await until("the earlier version to wait", isWaiting);
        await writer.query("commit");
        await turn;
        expect(await noted()).toEqual([{ name: table.name, works_with: W }]);
      });
      expect(await migrating).toEqual([index.name]);
    });
    expect(await database.owner("select indisvalid as valid from pg_index where indexrelid = 'later_by_n'::regclass")).toEqual([
      { valid: true },
    ]);
    await database.owner("drop table later");
  }, 30_000);

  test("tries again after a deadlock with a transaction of the service", async () => {
    await reset();
    await database.owner("create table one (n int); create table two (n int)");
    const both = file(9004, "change-both", "alter table one add column m int; alter table two add column m int", EXPAND);
    await withClient(database.url, async (writer) => {
      await writer.query("set deadlock_timeout = '1h'");
      await writer.query("begin; insert into two values (1)");
      const patience = { lock_ms: 10_000, tries: 1_000, pause_ms: [1, 5] } as const;
      const migrating = migrate(database.url, [...ours, both], { patience });
      const waits = (table: string) => async () =>
        (await database.owner("select from pg_locks where relation = $1::regclass and not granted", [table])).length === 1;
      await until("the migration to wait for the second table", waits("two"));
      await writer.query("insert into one values (1)");
      await writer.query("commit");
      expect(await migrating).toEqual([both.name]);
    });
    await database.owner("drop table one; drop table two");
  }, 30_000);
});

describe("a process that serves", () => {
  const service = testService();

  test("says that it runs, and which version it is, until it stops", async () => {
    const running = () => withClient(service.database.url, listProcesses);
    const errors: unknown[] = [];
    const heartbeat = await startHeartbeat(service.db, { version: "9.9.9", migration: 9001 }, (error) => errors.push(error));
    const mine = (await running()).filter(({ version }) => version === "9.9.9");
    expect(mine).toEqual([
      { process: expect.stringMatching(/^serve-/), role: "serve", version: "9.9.9", migration: 9001, seconds: expect.any(Number) },
    ]);
    await service.database.owner("update worker_heartbeats set beat_at = now() - interval '20 seconds' where worker_id = $1", [
      mine[0]?.process,
    ]);
    await expect
      .poll(async () => (await running()).find(({ version }) => version === "9.9.9")?.seconds, { timeout: 20_000 })
      .toBeLessThan(5);
    await heartbeat.stop();
    expect((await running()).filter(({ version }) => version === "9.9.9")).toEqual([]);
    expect(errors).toEqual([]);
  }, 30_000);

  test("changes no row of a worker", async () => {
    await service.database.owner("insert into worker_heartbeats (worker_id, beat_at, role) values ('worker-a', '2026-01-01', 'worker')");
    await service.database.owner("insert into worker_heartbeats (worker_id, beat_at) values ('worker-b', '2026-01-01')");
    await withClient(service.database.appUrl, async (client) => {
      for (const worker of ["worker-a", "worker-b"]) {
        await client.query("select note_process($1, '1', 1), forget_process($1)", [worker]);
      }
      await expect(client.query("select from worker_heartbeats")).rejects.toThrow("permission denied");
    });
    expect(
      await service.database.owner("select worker_id, beat_at < '2026-02-01' as old, version from worker_heartbeats order by 1"),
    ).toEqual([
      { worker_id: "worker-a", old: true, version: null },
      { worker_id: "worker-b", old: true, version: null },
    ]);
    await service.database.owner("delete from worker_heartbeats");
  });
});
