import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WRONG_POOLING } from "../src/db/pooling.ts";
import { enqueue } from "../src/jobs/enqueue.ts";
import { client } from "./client.ts";
import { sentEnvelope } from "./envelopes.ts";
import { withClient } from "./global-setup.ts";
import { findPgBouncer, keepsStatements, type PgBouncer, startPgBouncer } from "./pgbouncer.ts";
import { type Running, runCommand, startProcess, stopProcess } from "./process.ts";
import { PASSWORD, type TestService, testService } from "./service.ts";
import { until } from "./until.ts";

const program = findPgBouncer();
if (program === null) process.stdout.write("tests behind a pooler: not run, PgBouncer is not installed (apt-get install pgbouncer)\n");
const knowsStatements = program !== null && keepsStatements(program);
if (program !== null && !knowsStatements)
  process.stdout.write("tests of prepared statements behind a pooler: not run, PgBouncer is older than 1.21 (PGBOUNCER names another)\n");

/** Fifty requests of each of two organizations by key and by session, all at once: what they got, each different answer once. */
async function seenByTwoOrgs(service: TestService, running: Running): Promise<string[]> {
  const url = running.url.replace("localhost", "127.0.0.1");
  const orgs = await Promise.all(
    [1, 2].map(async () => {
      const org = await service.newOrg();
      const { envelope_id } = await sentEnvelope(service, org);
      const key = client(url, { "x-api-key": (await org.newKey()).api_key });
      // A session belongs to the address of the service that it was started at.
      const body = { email: org.email, password: PASSWORD, mode: "token" };
      const { token } = (await client(url)("POST", "/auth/login", { body })).json.data;
      return { envelope_id, callers: [key, client(url, { authorization: `Bearer ${token}` })] };
    }),
  );
  const seen = await Promise.all(
    Array.from({ length: 50 }).flatMap(() =>
      orgs.flatMap(({ envelope_id, callers }) =>
        callers.map(async (send) => {
          const { status, json } = await send("GET", "/partner/envelopes");
          const ids = (json.data ?? []).map((one: { envelope_id: string }) => one.envelope_id);
          return `${status} ${ids.join(" ") === envelope_id ? "own" : ids.join(" ")}`;
        }),
      ),
    ),
  );
  return [...new Set(seen)];
}

describe.skipIf(program === null)("behind PgBouncer in session mode that drops startup options (needs pgbouncer)", () => {
  const service = testService();
  let pooler: PgBouncer;
  let env: Record<string, string>;
  beforeAll(async () => {
    const { url, appUrl, queueUrl } = service.database;
    pooler = await startPgBouncer(program ?? "", [url, appUrl, queueUrl]);
    env = {
      DATABASE_APP_URL: pooler.through(appUrl),
      DATABASE_QUEUE_URL: pooler.through(queueUrl),
      APP_SECRET: service.config.appSecrets[0].secret,
      LOG_LEVEL: "error",
    };
  });
  afterAll(() => pooler.stop());

  test("row-level security and statement_timeout still apply", async () => {
    await (await service.newOrg()).newKey();
    const url = new URL(env.DATABASE_APP_URL ?? "");
    // From 1.20 on it passes on a time zone. The service sends none.
    const zone = knowsStatements ? "" : " -c timezone=Asia/Tokyo";
    url.searchParams.set("options", `-c statement_timeout=0${zone}`);
    const { rows } = await withClient(url.href, (session) =>
      session.query(`select current_user as login, row_security_active('public.envelopes') as fenced, (select count(*)::int from api_keys) as seen,
        current_setting('statement_timeout') as statement_timeout, current_setting('TimeZone') as zone`),
    );
    expect(rows).toEqual([{ login: "countersign_serve", fenced: true, seen: 0, statement_timeout: "30s", zone: "UTC" }]);
  });

  test("the service starts, is ready, answers only for one organization and runs jobs", async () => {
    const [mine, theirs] = [await service.newOrg(), await service.newOrg()];
    await sentEnvelope(service, theirs);
    const running = await startProcess("start", env);
    const send = client(running.url.replace("localhost", "127.0.0.1"), { "x-api-key": (await mine.newKey()).api_key });
    const [readiness, list] = [await send("GET", "//readyz"), await send("GET", "/partner/envelopes")];
    await service.db.system((tx) => enqueue(tx, "orgs.clean-up", {}));
    const waiting = "select outbox_id::text from outbox union all select id::text from graphile_worker.jobs";
    await until("the job to be done", async () => (await service.database.owner(waiting)).length === 0);
    expect(await stopProcess(running)).toBe(0);
    expect([readiness.status, readiness.json.checks.tenancy, list.status, list.json.data]).toEqual([200, "ok", 200, []]);
  });

  test("the owner's login is refused with exit code 78, even with a role in the dropped options", async () => {
    const url = new URL(pooler.through(service.database.url));
    url.searchParams.set("options", "-c role=countersign_app -c statement_timeout=30s");
    const { code, stderr } = await runCommand(["serve"], { ...env, DATABASE_APP_URL: url.href, PORT: "0" });
    expect([code, stderr]).toEqual([78, "The login of DATABASE_APP_URL must not be a superuser. Run: countersign database logins\n"]);
  });
});

describe.skipIf(program === null)("behind PgBouncer in transaction mode (needs pgbouncer)", () => {
  const service = testService();
  let pooler: PgBouncer;
  let env: Record<string, string>;
  beforeAll(async () => {
    const { url, appUrl, queueUrl } = service.database;
    pooler = await startPgBouncer(program ?? "", [url, appUrl, queueUrl], "transaction");
    env = {
      DATABASE_APP_URL: pooler.through(appUrl),
      DATABASE_QUEUE_URL: queueUrl,
      DATABASE_POOLING: "transaction",
      APP_SECRET: service.config.appSecrets[0].secret,
      LOG_LEVEL: "error",
    };
  });
  afterAll(() => pooler.stop());

  test("two organizations at once each see only their own envelopes, by key and by session, and jobs run", async () => {
    const running = await startProcess("start", env);
    expect(await seenByTwoOrgs(service, running)).toEqual(["200 own"]);
    await service.db.system((tx) => enqueue(tx, "orgs.clean-up", {}));
    const waiting =
      "select outbox_id::text from outbox union all select id::text from graphile_worker.jobs where task_identifier = 'orgs.clean-up'";
    await until("the job to be done", async () => (await service.database.owner(waiting)).length === 0);
    expect(await stopProcess(running)).toBe(0);
  });

  test("nothing of a request is left on the connections of the server", async () => {
    const { appUrl } = service.database;
    const left = await Promise.all(
      [1, 2].map(() =>
        withClient(pooler.through(appUrl), async (session) => {
          await session.query("begin");
          return (await session.query("select current_setting('app.org', true) as org")).rows[0].org ?? "";
        }),
      ),
    );
    expect(left).toEqual(["", ""]);
  });

  test("while the pooler cannot reach the database, requests are 503 and readiness says why, and afterwards everything works", async () => {
    const running = await startProcess("serve", env);
    const headers = { "x-api-key": (await (await service.newOrg()).newKey()).api_key };
    const send = client(running.url.replace("localhost", "127.0.0.1"), headers);
    expect((await send("GET", "/partner/envelopes")).status).toBe(200);
    pooler.server.shut();
    const away = await Promise.all(Array.from({ length: 30 }, () => send("GET", "/partner/envelopes")));
    const answers = away.map(({ status, json, headers: { "retry-after": after } }) => `${status} ${json.error} ${after}`);
    expect([...new Set(answers)]).toEqual(["503 Service unavailable 5"]);
    const { status, json } = await send("GET", "//readyz");
    expect([status, json.checks.database]).toEqual([503, "the database cannot be reached"]);
    pooler.server.open();
    await until("the pooler to log in again", async () => (await send("GET", "/partner/envelopes")).status === 200);
    expect(await stopProcess(running)).toBe(0);
  });

  test("a setting that says session mode is refused with exit code 78", async () => {
    const { code, stderr } = await runCommand(["serve"], { ...env, DATABASE_POOLING: "session", PORT: "0" });
    expect([code, stderr]).toEqual([78, `${WRONG_POOLING.DATABASE_APP_URL}\n`]);
  });

  test("the queue and a migration refuse the pooler with exit code 78", async () => {
    const { url, queueUrl } = service.database;
    const worker = await runCommand(["worker"], { ...env, DATABASE_QUEUE_URL: pooler.through(queueUrl) });
    const migrating = await runCommand(["migrate"], { DATABASE_URL: pooler.through(url) });
    expect([worker.code, worker.stderr]).toEqual([78, `${WRONG_POOLING.DATABASE_QUEUE_URL}\n`]);
    expect([migrating.code, migrating.stderr]).toEqual([78, `${WRONG_POOLING.DATABASE_URL}\n`]);
  });
});

describe.skipIf(!knowsStatements)("behind PgBouncer 1.21 or newer in transaction mode, with prepared statements (needs PGBOUNCER)", () => {
  const service = testService();
  let pooler: PgBouncer;
  let env: Record<string, string>;
  beforeAll(async () => {
    const { appUrl, queueUrl } = service.database;
    pooler = await startPgBouncer(program ?? "", [appUrl, queueUrl], "transaction");
    env = {
      DATABASE_APP_URL: pooler.through(appUrl),
      DATABASE_QUEUE_URL: queueUrl,
      DATABASE_POOLING: "transaction",
      APP_SECRET: service.config.appSecrets[0].secret,
      LOG_LEVEL: "error",
    };
  });
  afterAll(() => pooler.stop());

  /** What the two connections of the pooler to the server have prepared. */
  const prepared = async () => {
    const names = await Promise.all(
      [1, 2].map(() =>
        withClient(pooler.through(service.database.appUrl), async (session) => {
          await session.query("begin");
          return (await session.query<{ statement: string }>("select statement from pg_prepared_statements")).rows;
        }),
      ),
    );
    return names.flat().map(({ statement }) => statement);
  };

  test("statements have no names unless the settings say so", async () => {
    const running = await startProcess("serve", env);
    expect(await seenByTwoOrgs(service, running)).toEqual(["200 own"]);
    expect(await prepared()).toEqual([]);
    expect(await stopProcess(running)).toBe(0);
  });

  test("with DATABASE_PREPARED_STATEMENTS=on the database keeps their plans, and each organization sees only its own envelopes", async () => {
    const running = await startProcess("serve", { ...env, DATABASE_PREPARED_STATEMENTS: "on" });
    expect(await seenByTwoOrgs(service, running)).toEqual(["200 own"]);
    expect(await prepared()).toContainEqual(expect.stringContaining("authenticate_key"));
    expect([await stopProcess(running), running.stderr()]).toEqual([0, ""]);
  });
});
