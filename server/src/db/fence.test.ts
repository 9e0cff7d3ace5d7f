import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeInAll } from "../../../testing/all.ts";
import { client } from "../../test/client.ts";
import { withClient } from "../../test/global-setup.ts";
import { type Running, runCommand, startProcess, stopProcess } from "../../test/process.ts";
import { refusalText } from "../../test/refused-with.ts";
import { AT_ONCE, testService } from "../../test/service.ts";
import { buildFeatures } from "../features.ts";
import { makeLogger } from "../logger.ts";
import { buildHttp } from "../main.ts";
import { connectDb } from "./connect.ts";
import { FenceDown } from "./fence.ts";
import { urlFor } from "./logins.ts";

/**
 * Runs the program with logins that it must reject, and with a login that gets too many rights while it runs. Logins belong to the
 * whole server, so each test creates its own.
 */

const service = testService();
const { database } = service;
const own = (statement: string) => database.owner(statement);
const secret = () => ({ APP_SECRET: service.config.appSecrets[0].secret, LOG_LEVEL: "info" });

const made: string[] = [];
let running: Running[] = [];
afterAll(async () => {
  await Promise.all(running.map((one) => stopProcess(one)));
  for (const role of made) await own(`drop owned by ${role}; drop role ${role}`);
});

/** A login as an administrator might create it. With `settings: false` it lacks the settings of `database logins`. */
async function newLogin(attributes = "in role countersign_app", settings = true): Promise<{ role: string; url: string }> {
  const role = `fence_${randomBytes(6).toString("hex")}`;
  await own(`create role ${role} login password 'x' ${attributes}`);
  made.push(role);
  if (settings) await own(`alter role ${role} in database "${new URL(database.url).pathname.slice(1)}" set statement_timeout = '30s'`);
  return { role, url: urlFor(database.appUrl, role, "x") };
}

const SENTENCE = /^The login of DATABASE_(APP|QUEUE)_URL must .*\. Run: countersign database logins\n$/;
const refusal = (rule: string, setting = "DATABASE_APP_URL") => [78, `The login of ${setting} ${rule}. Run: countersign database logins\n`];

async function refused(command: "serve" | "worker" | "orgs", env: Record<string, string>): Promise<[number | null, string]> {
  const args = command === "orgs" ? ["orgs", "list"] : [command];
  const { code, stdout, stderr } = await runCommand(args, { ...database.env, ...secret(), PORT: "0", ...env });
  expect(stdout).toBe("");
  return [code, stderr];
}

describeInAll("a service refuses to start, with exit code 78 and one sentence,", () => {
  test("as a superuser, such as the owner of the embedded database", async () => {
    expect(await refused("serve", { DATABASE_APP_URL: database.url })).toEqual(refusal("must not be a superuser"));
  });

  test("as the owner of the tables, or as a member of the owner", async () => {
    const [owner, member] = [await newLogin(), await newLogin()];
    await own(`alter table vault_visits owner to ${owner.role}; grant ${owner.role} to ${member.role}`);
    const sentence = refusal("must own no table and must not be a member of a role that does");
    expect(await refused("serve", { DATABASE_APP_URL: owner.url })).toEqual(sentence);
    expect(await refused("orgs", { DATABASE_APP_URL: member.url })).toEqual(sentence);
    await own("alter table vault_visits owner to current_user");
  });

  test("with BYPASSRLS, directly or through a role", async () => {
    const bypassing = await newLogin("bypassrls in role countersign_app");
    const member = await newLogin(`in role countersign_app, ${bypassing.role}`);
    const sentence = refusal("must not have BYPASSRLS, itself or through a role");
    expect(await refused("serve", { DATABASE_APP_URL: bypassing.url })).toEqual(sentence);
    expect(await refused("orgs", { DATABASE_APP_URL: member.url })).toEqual(sentence);
  });

  test("without statement_timeout", async () => {
    const { url } = await newLogin("in role countersign_app", false);
    expect(await refused("serve", { DATABASE_APP_URL: url })).toEqual(refusal("must have a statement_timeout"));
  });

  test("with a safe role in a startup parameter, because the login itself is checked too", async () => {
    const url = new URL(database.url);
    url.searchParams.set("options", "-c role=countersign_app -c statement_timeout=30s");
    expect(await refused("orgs", { DATABASE_APP_URL: url.href })).toEqual(refusal("must not be a superuser"));
  });

  test("with any right that can be used to get around row-level security", async () => {
    for (const [attributes, rule] of [
      ["in role countersign_app createrole", "must not have CREATEROLE, itself or through a role"],
      ["in role countersign_app replication", "must not have REPLICATION, itself or through a role"],
      ["in role countersign_app, pg_execute_server_program", "must not be a member of pg_execute_server_program"],
      ["in role countersign_app, pg_read_all_data", "must not be a member of pg_read_all_data"],
      ["", "must be a member of countersign_app"],
    ] as const) {
      const { url } = await newLogin(attributes);
      expect(await refused("orgs", { DATABASE_APP_URL: url })).toEqual(refusal(rule));
    }
  });

  test("on a database where row-level security is off for a table", async () => {
    await own("alter table customers disable row level security");
    const said = await refused("orgs", {});
    await own("alter table customers enable row level security");
    expect(said).toEqual(refusal("must be held by row-level security, which is off for the table customers"));
  });

  test("as a worker whose queue login has rights beyond the queue", async () => {
    const { url } = await newLogin("in role countersign_queue, countersign_app");
    const setting = "DATABASE_QUEUE_URL";
    expect(await refused("worker", { [setting]: url })).toEqual(refusal("must have no right on any table but the queue's", setting));
    expect(await refused("worker", { [setting]: database.url })).toEqual(refusal("must not be a superuser", setting));
  });

  test("without a separate login for the service", async () => {
    const nothing = { DATABASE_APP_URL: "", DATABASE_QUEUE_URL: "", DATABASE_URL: database.url };
    const app = "Set DATABASE_APP_URL to a login that owns no table. Run: countersign database logins\n";
    for (const command of ["serve", "worker", "orgs"] as const) expect(await refused(command, nothing)).toEqual([78, app]);
    const queue = "Set DATABASE_QUEUE_URL to a login that is used only for the job queue. Run: countersign database logins\n";
    expect(await refused("worker", { DATABASE_QUEUE_URL: "" })).toEqual([78, queue]);
    const { code, stderr } = await runCommand(["migrate"], { ...database.env, ...secret() });
    expect([code, stderr]).toEqual([78, "Set DATABASE_URL to the login that owns the tables.\n"]);
  });

  test("and prints only the reason, without stack or password", async () => {
    const [, stderr] = await refused("orgs", { DATABASE_APP_URL: database.url });
    expect(stderr).toMatch(SENTENCE);
  });
});

describe("a login that gets BYPASSRLS while the service runs", () => {
  test("makes the next request a 500, the service not ready, and every later request a 500 too", async () => {
    const { role, url } = await newLogin();
    const told: FenceDown[] = [];
    const db = connectDb({ url, onFenceDown: (error) => told.push(error) });
    const features = buildFeatures(service.config, db);
    const app = await buildHttp({ config: service.config, db, features, logger: makeLogger("silent"), checks: AT_ONCE });
    const send = client(await app.listen({ port: 0, host: "127.0.0.1" }));
    const { newKey, token, email } = await service.newOrg();
    const byKey = { headers: { "x-api-key": (await newKey()).api_key } };
    const bySession = { headers: { authorization: `Bearer ${token}` } };
    expect((await send("GET", "/partner/envelopes", byKey)).status).toBe(200);
    expect((await send("GET", "//readyz")).json.checks).toMatchObject({ tenancy: "ok" });

    await own(`alter role ${role} bypassrls`);
    const answer = await send("GET", "/partner/envelopes", byKey);
    expect([answer.status, answer.text]).toEqual([500, refusalText("Internal server error")]);
    const reason = "row-level security does not hold for the database login";
    expect(await send("GET", "//readyz")).toMatchObject({
      status: 503,
      json: { status: "not ready", checks: { database: "ok", tenancy: reason, migrations: reason } },
    });
    // The service stays down, because the operator must look into the cause.
    await own(`alter role ${role} nobypassrls`);
    const login = { body: { email, password: "not the password" } };
    const create = { ...bySession, body: { name: "Late" } };
    const later = [send("GET", "/auth/me", bySession), send("POST", "/auth/login", login), send("POST", "/partner/customers", create)];
    expect((await Promise.all(later)).map(({ status }) => status)).toEqual([500, 500, 500]);
    expect(await own("select from customers where name = 'Late'")).toEqual([]);
    expect(told).toHaveLength(1);
    await app.close();
    await features.pdf.close();
    await db.end();
  });

  test.each(["transaction", "lease without an authentication"])("is detected by the first %s", async (way) => {
    const { role, url } = await newLogin();
    const { org_id } = await service.newOrg();
    const db = connectDb({ url, poolSize: 1 });
    const look = { name: "look", text: "select org_id from orgs", values: [] };
    const seen = () => (way === "transaction" ? db.tx(org_id, (tx) => tx.query(look)) : db.lease((read) => read.query(look)));
    expect((await seen()).rows).not.toHaveLength(0);
    await own(`alter role ${role} bypassrls`);
    await expect(seen()).rejects.toThrow(FenceDown);
    await db.end();
  });

  test("ends serve and worker with exit code 78", async () => {
    const { role, url } = await newLogin();
    const env = { ...database.env, ...secret(), DATABASE_APP_URL: url };
    const [serve, worker] = await Promise.all([startProcess("serve", env), startProcess("worker", env)]);
    running = [serve, worker];
    const send = client(serve.url.replace("localhost", "127.0.0.1"));
    // A ready service has finished its test seal. From then on, only requests use the database.
    expect((await send("GET", "//readyz")).status).toBe(200);
    await own(`alter role ${role} bypassrls`);
    expect((await send("POST", "/auth/login", { body: { email: "a@example.com", password: "x" } })).status).toBe(500);
    // The worker looks for deliveries without being asked.
    expect(await Promise.all([serve.exited, worker.exited])).toEqual([78, 78]);
    for (const { stderr } of running) {
      expect(stderr()).toContain('"level":60');
      expect(stderr()).toContain(`${new FenceDown().message}\n`);
    }
    running = [];
  });
});

describe("an attacker who can run any statement as the serving login", () => {
  let session: pg.Client;
  beforeAll(async () => {
    session = new pg.Client({ connectionString: database.appUrl });
    await session.connect();
    await (await service.newOrg()).newKey();
  });
  afterAll(() => session.end());

  test("sees no rows without an org, also after SET ROLE NONE", async () => {
    for (const statement of ["select 1", "set role none", "reset role", "set session authorization default", "set row_security = on"]) {
      await session.query(statement);
      const { rows } = await session.query("select current_user, session_user, (select count(*)::int from api_keys) as seen");
      expect([statement, rows]).toEqual([statement, [{ current_user: "countersign_serve", session_user: "countersign_serve", seen: 0 }]]);
    }
    // With row_security off, PostgreSQL fails the query instead of returning hidden rows.
    await session.query("set row_security = off");
    await expect(session.query("select from api_keys")).rejects.toThrow(/row-level security/);
    await session.query("reset row_security");
  });

  test.each([
    "set role countersign",
    "set session authorization countersign",
    "set role countersign_queue",
    "copy api_keys to program 'cat'",
    "copy customers from program 'id'",
    "copy api_keys to '/tmp/out'",
    "select pg_read_file('/etc/passwd')",
    "alter table api_keys disable row level security",
    "alter table api_keys owner to countersign_serve",
    "drop policy own_org on api_keys",
    "create policy mine on api_keys using (true)",
    "alter role countersign_serve bypassrls",
    "alter role countersign_serve superuser",
    "grant countersign to countersign_serve",
    "create role mine",
    "create function public.mine() returns int language sql as 'select 1'",
    "create extension dblink",
    "select from graphile_worker._private_jobs",
    "select graphile_worker.add_job('orgs.clean-up')",
    "select from outbox",
    "select from worker_heartbeats",
    "select password_hash from users",
    "select rolpassword from pg_authid",
  ])("is rejected: %s", async (statement) => {
    await expect(session.query(statement)).rejects.toThrow(/permission denied|must be|must have|only roles|only superuser|parameter/i);
  });
});

describe("the queue login", () => {
  const asQueue = <T>(run: (session: pg.Client) => Promise<T>) => withClient(database.queueUrl, run);

  test("can use the queue and heartbeats, but no other table, and one door: noting failed jobs", async () => {
    const allowed = ["select from outbox", "select from worker_heartbeats", "select from graphile_worker.jobs"];
    const tables = await database.owner<{ name: string }>(
      "select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace",
    );
    const others = tables.map(({ name }) => name).filter((name) => name !== "outbox" && name !== "worker_heartbeats");
    const doors = await database.owner<{ name: string }>(
      "select p.oid::regprocedure::text as name from pg_proc p where p.prosecdef and p.pronamespace = 'public'::regnamespace and has_function_privilege('countersign_queue', p.oid, 'execute')",
    );
    expect([others.length > 50, doors]).toEqual([true, [{ name: "note_failed_jobs(text[],integer,text[])" }]]);
    await asQueue(async (session) => {
      for (const statement of allowed) await session.query(statement);
      for (const name of others) await expect(session.query(`select from ${name}`), name).rejects.toThrow(/permission denied/);
      await expect(session.query("update outbox set task = 'x'")).rejects.toThrow(/permission denied/);
      await expect(session.query("insert into outbox (task, payload) values ('orgs.clean-up', '{}')")).rejects.toThrow(/permission denied/);
      await expect(session.query("set role countersign_app")).rejects.toThrow(/permission denied/);
    });
  });

  test("has the same session settings as the serving login", async () => {
    for (const url of [database.appUrl, database.queueUrl]) {
      const { rows } = await withClient(url, (session) =>
        session.query(
          "select current_setting('statement_timeout') as statements, current_setting('TimeZone') as zone, current_setting('idle_in_transaction_session_timeout') as idle",
        ),
      );
      expect(rows).toEqual([{ statements: "30s", zone: "UTC", idle: "1min" }]);
    }
  });

  test("gets access to the tables of a newer queue with the next migrate", async () => {
    await own(
      "create table graphile_worker.newer (n int); alter table graphile_worker.newer enable row level security; insert into graphile_worker.newer values (1)",
    );
    expect((await runCommand(["migrate"], { DATABASE_URL: database.url, ...secret() })).code).toBe(0);
    expect((await asQueue((session) => session.query("select n from graphile_worker.newer"))).rows).toEqual([{ n: 1 }]);
    await own("drop table graphile_worker.newer");
  });

  test("does not start with a queue that is older than the program", async () => {
    const [newest] = await database.owner<{ id: number; ts: Date; breaking: boolean }>(
      "delete from graphile_worker.migrations where id = (select max(id) from graphile_worker.migrations) returning *",
    );
    const { code, stderr } = await runCommand(["worker"], { ...database.env, ...secret(), LOG_LEVEL: "silent" });
    await database.owner("insert into graphile_worker.migrations values ($1, $2, $3)", [newest?.id, newest?.ts, newest?.breaking]);
    expect([code, stderr]).toEqual([1, "The job queue's tables are older than this program. Run: countersign migrate\n"]);
  });
});
