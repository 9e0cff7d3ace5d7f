import { describe, expect, test } from "vitest";
import { testDatabase } from "../../test/database.ts";
import { withClient } from "../../test/global-setup.ts";
import { proxyTo } from "../../test/proxy.ts";
import { testService } from "../../test/service.ts";
import { until } from "../../test/until.ts";
import { newId } from "../shared/ids.ts";
import { connectDb } from "./connect.ts";
import { DatabaseAway, PrepareFirst } from "./errors.ts";
import { migrate, pendingAfter, readMigrations } from "./migrate.ts";
import { ownerTx } from "./owner-tx.ts";
import { sql, type Tx } from "./sql.ts";

const service = testService();

describe("tx", () => {
  test("commits everything or nothing", async () => {
    const { org_id } = await service.newOrg();
    const rename = (name: string) => sql`update orgs set name = ${name} where org_id = ${org_id}`;
    const failing = service.db.tx(org_id, async (tx) => {
      await tx.query(rename("half"));
      throw new Error("stop");
    });
    await expect(failing).rejects.toThrow("stop");
    await service.db.tx(org_id, (tx) => tx.query(rename("whole")));
    expect(await service.database.owner("select name from orgs where org_id = $1", [org_id])).toEqual([{ name: "whole" }]);
  });

  test("runs again after a deadlock, so that both transactions succeed", async () => {
    const [one, two] = [(await service.newOrg()).org_id, (await service.newOrg()).org_id];
    let arrived = 0;
    let bothArrived: () => void = () => undefined;
    const meeting = new Promise<void>((resolve) => {
      bothArrived = resolve;
    });
    const runs = { count: 0 };
    const crosswise = (first: typeof one, second: typeof one) =>
      service.db.tx(first, async (tx) => {
        runs.count++;
        await tx.query(sql`update orgs set name = name || '+' where org_id = ${first}`);
        if (++arrived === 2) bothArrived();
        await meeting;
        await tx.query(sql`update orgs set name = name || '+' where org_id = ${second}`);
      });
    await Promise.all([crosswise(one, two), crosswise(two, one)]);
    expect(runs.count).toBeGreaterThanOrEqual(3);
    const names = await service.database.owner<{ name: string }>("select name from orgs where org_id = any($1)", [[one, two]]);
    for (const { name } of names) expect(name).toMatch(/[^+]\+\+$/);
  });

  test("throws DatabaseAway when the database goes away before the rollback", async () => {
    const { org_id } = await service.newOrg();
    const proxy = await proxyTo(service.database.appUrl);
    const db = connectDb({ url: proxy.url, poolSize: 1 });
    const broken = db.tx(org_id, async () => {
      proxy.shut();
      throw new Error("refused for another reason");
    });
    await expect(broken).rejects.toThrow(DatabaseAway);
    proxy.open();
    expect((await db.tx(org_id, (tx) => tx.query<{ one: number }>(sql`select 1 as one`))).rows).toEqual([{ one: 1 }]);
    await db.end();
    await proxy.close();
  });

  test("fails after the third run", async () => {
    const { org_id } = await service.newOrg();
    let runs = 0;
    const always = service.db.tx(org_id, () => {
      runs++;
      return Promise.reject(Object.assign(new Error("deadlock detected"), { code: "40P01" }));
    });
    await expect(always).rejects.toThrow("deadlock detected");
    expect(runs).toBe(3);
  });

  test("that needs something first is rolled back, holds no connection meanwhile, and runs again", async () => {
    const { org_id } = await service.newOrg();
    const db = connectDb({ url: service.database.appUrl, poolSize: 1 });
    let isReady = false;
    const rename = async (tx: Tx) => {
      await tx.query(sql`update orgs set name = name || '+' where org_id = ${org_id}`);
      if (isReady) return;
      throw new PrepareFirst("a test", async () => {
        // With one connection in all, this would wait for ever if the transaction still had it.
        await db.tx(org_id, async (other) => void (await other.query(sql`update orgs set name = 'prepared' where org_id = ${org_id}`)));
        isReady = true;
      });
    };
    await db.tx(org_id, rename);
    expect(await service.database.owner("select name from orgs where org_id = $1", [org_id])).toEqual([{ name: "prepared+" }]);
    isReady = false;
    await db.enclosing(org_id, () => db.tx(org_id, rename));
    expect(await service.database.owner("select name from orgs where org_id = $1", [org_id])).toEqual([{ name: "prepared+" }]);
    await db.end();
  });

  test("fails if what it needs cannot be prepared, or is asked for again after three times", async () => {
    const { org_id } = await service.newOrg();
    const needing = (prepare: () => Promise<void>) => service.db.tx(org_id, () => Promise.reject(new PrepareFirst("a test", prepare)));
    await expect(needing(() => Promise.reject(new Error("away")))).rejects.toThrow("away");
    let times = 0;
    await expect(needing(async () => void times++)).rejects.toThrow("a test");
    expect(times).toBe(3);
  });

  test("rejects a value that is not an org id", async () => {
    const injected = `${newId("org")}'; drop table orgs; --` as ReturnType<typeof newId<"org">>;
    expect(() => service.db.tx(injected, async () => undefined)).toThrow("not an org id");
  });

  test("joins an enclosing transaction of the same org only", async () => {
    const [one, two] = [(await service.newOrg()).org_id, (await service.newOrg()).org_id];
    const failing = service.db.enclosing(one, async () => {
      await service.db.tx(one, (tx) => tx.query(sql`update orgs set name = 'joined' where org_id = ${one}`));
      throw new Error("rolled back together");
    });
    await expect(failing).rejects.toThrow("rolled back together");
    expect(await service.database.owner("select from orgs where name = 'joined'")).toEqual([]);
    await expect(service.db.enclosing(one, async () => service.db.tx(two, async () => undefined))).rejects.toThrow("another org");
  });

  test("has the database's time", async () => {
    const { org_id } = await service.newOrg();
    const { now, rows } = await service.db.tx(org_id, async (tx) => ({
      now: tx.now,
      ...(await tx.query<{ now: Date }>(sql`select now()`)),
    }));
    expect(rows[0]?.now).toEqual(now);
  });
});

describe("migrate", () => {
  const empty = testDatabase();
  const reset = () => withClient(empty.url, (client) => client.query("drop schema public cascade; create schema public"));

  test("migrates an empty database to the newest version, and does nothing the second time", async () => {
    await reset();
    const names = (await readMigrations()).map((migration) => migration.name);
    expect(await migrate(empty.url)).toEqual(names);
    expect(await migrate(empty.url)).toEqual([]);
  });

  test("does the work once when five processes migrate an empty database at the same time", async () => {
    await reset();
    const applied = await Promise.all([1, 2, 3, 4, 5].map(() => migrate(empty.url)));
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
  });

  test("rolls back a file that fails", async () => {
    const all = await readMigrations();
    const bad = { name: "9999-bad.sql", text: "create table half_made (n int); select nonsense", checksum: "x" };
    await expect(migrate(empty.url, [...all, bad])).rejects.toThrow("migration 9999-bad.sql failed");
    expect(await empty.owner("select from pg_class where relname = 'half_made'")).toEqual([]);
  });

  const concurrent = (name: string, text: string) => ({ name, text: `-- mode: concurrent\n${text}`, checksum: name });
  const INDEX = "create unique index concurrently later_by_n on later (n);";

  test("creates an index beside writers, again after a run that died in it, and once", async () => {
    const all = await readMigrations();
    const table = { name: "9998-later.sql", text: "create table later (n int); insert into later values (1), (1)", checksum: "later" };
    const wanted = [...all, table, concurrent("9999-index.sql", INDEX)];
    // PostgreSQL leaves an invalid index behind when one cannot be created, as when the process dies.
    await expect(migrate(empty.url, wanted)).rejects.toThrow("migration 9999-index.sql failed: could not create unique index");
    const state = () => empty.owner("select indisvalid as valid from pg_index where indexrelid = 'later_by_n'::regclass");
    expect(await state()).toEqual([{ valid: false }]);
    await empty.owner("delete from later where ctid = (select min(ctid) from later)");
    expect(await migrate(empty.url, wanted)).toEqual(["9999-index.sql"]);
    expect(await state()).toEqual([{ valid: true }]);
    // It died between the index and the note that it is there.
    await empty.owner("delete from schema_migrations where name = '9999-index.sql'");
    expect(await migrate(empty.url, wanted)).toEqual(["9999-index.sql"]);
    await empty.owner("drop table later; delete from schema_migrations where name like '999%'");
  });

  test("waits for a transaction that writes to the table, without keeping others from writing", async () => {
    const all = await readMigrations();
    const table = { name: "9998-later.sql", text: "create table later (n int)", checksum: "later" };
    await migrate(empty.url, [...all, table]);
    const migrating = await withClient(empty.url, async (writer) => {
      await writer.query("begin; insert into later values (1)");
      const done = migrate(empty.url, [...all, table, concurrent("9999-index.sql", INDEX)]);
      await until(
        "the index to be begun",
        async () => (await empty.owner("select from pg_class where relname = 'later_by_n'")).length === 1,
      );
      await withClient(empty.url, (other) => other.query("insert into later values (2)"));
      await writer.query("commit");
      return done;
    });
    expect(migrating).toEqual(["9999-index.sql"]);
    await empty.owner("drop table later; delete from schema_migrations where name like '999%'");
  });

  test("does not wait long for a table, and tries again; who keeps it is named in the end", async () => {
    const all = await readMigrations();
    const table = { name: "9998-later.sql", text: "create table later (n int)", checksum: "later" };
    await migrate(empty.url, [...all, table]);
    const wanted = [...all, table, { name: "9999-column.sql", text: "alter table later add column m int", checksum: "column" }];
    await withClient(empty.url, async (reader) => {
      await reader.query("begin; select from later");
      const { rows } = await reader.query<{ pid: number }>("select pg_backend_pid() as pid");
      const impatient = migrate(empty.url, wanted, { patience: { lock_ms: 20, tries: 3, pause_ms: [1, 5] } });
      await expect(impatient).rejects.toThrow(
        new RegExp(
          `^The migration 9999-column.sql could not lock a table within 20 ms, 3 times. It changed nothing. Processes .*: ${rows[0]?.pid} for \\d+ seconds`,
        ),
      );
      // Others were not kept from the table.
      await withClient(empty.url, (other) => other.query("insert into later values (1)"));
      const patient = migrate(empty.url, wanted, { patience: { lock_ms: 20, tries: 1_000, pause_ms: [1, 5] } });
      await reader.query("commit");
      expect(await patient).toEqual(["9999-column.sql"]);
    });
    await empty.owner("drop table later; delete from schema_migrations where name like '999%'");
  });

  test("is ended by no time limit of its login, except for the wait for a lock that others wait behind", async () => {
    const all = await readMigrations();
    const file = (name: string, text: string) => ({ name, text, checksum: name });
    const slow = file("9998-later.sql", "create table later (n int); select pg_sleep(1.2)");
    const limited = new URL(empty.url);
    limited.searchParams.set("options", "-c statement_timeout=1s -c lock_timeout=1s");
    expect(await migrate(limited.href, [...all, slow])).toEqual(["9998-later.sql"]);
    const ended = await withClient(empty.url, async (writer) => {
      await writer.query("begin; insert into later values (1)");
      const locking = file("9999-locking.sql", "alter table later add column m int");
      const once = { patience: { lock_ms: 20, tries: 1, pause_ms: [1, 1] } } as const;
      await expect(migrate(limited.href, [...all, slow, locking], once)).rejects.toThrow("could not lock a table within 20 ms");
      const done = migrate(limited.href, [...all, slow, concurrent("9999-index.sql", INDEX)]);
      await until("the index to wait for longer than the limit", async () => {
        const waiting = await empty.owner(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
             and query like '%index concurrently later_by_n%' and now() - query_start > interval '1.2 s'`,
        );
        return waiting.length === 1;
      });
      await writer.query("commit");
      return done;
    });
    expect(ended).toEqual(["9999-index.sql"]);
    await empty.owner("drop table later; delete from schema_migrations where name like '999%'");
  });

  test("refuses a file that would run without a transaction and creates no index", async () => {
    const all = await readMigrations();
    const wrong = concurrent("9999-wrong.sql", "create table half_made (n int)");
    await expect(migrate(empty.url, [...all, wrong])).rejects.toThrow("creates no index");
    expect(await empty.owner("select from pg_class where relname = 'half_made'")).toEqual([]);
  });

  test("a connection of the owner that is lost in a transaction fails that transaction, and not the process", async () => {
    const proxy = await proxyTo(empty.url);
    const lost = ownerTx(proxy.url, (tx) => {
      const sleeping = tx.query(sql`select pg_sleep(30)`);
      proxy.shut();
      return sleeping;
    });
    await expect(lost).rejects.toThrow(/ECONNRESET|terminated unexpectedly/);
    await proxy.close();
  });

  test("rejects an edited history, and a database that is newer than the program", async () => {
    const all = await readMigrations();
    const applied = all.map(({ name, checksum }) => ({ name, checksum }));
    expect(pendingAfter(applied.slice(0, 2), all)).toEqual(all.slice(2));
    expect(() => pendingAfter([{ ...applied[0], checksum: "other" } as never], all)).toThrow("was changed after it was applied");
    expect(() => pendingAfter(applied, all.slice(0, 2))).toThrow("newer than this program");
  });
});
