import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { enqueue } from "../src/jobs/enqueue.ts";
import { client } from "./client.ts";
import { sentEnvelope } from "./envelopes.ts";
import { withClient } from "./global-setup.ts";
import { findPgBouncer, type PgBouncer, startPgBouncer } from "./pgbouncer.ts";
import { runCommand, startProcess, stopProcess } from "./process.ts";
import { testService } from "./service.ts";
import { until } from "./until.ts";

const program = findPgBouncer();
if (program === null) process.stdout.write("tests behind a pooler: not run, PgBouncer is not installed (apt-get install pgbouncer)\n");

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
      APP_SECRET: service.config.appSecret,
      LOG_LEVEL: "error",
    };
  });
  afterAll(() => pooler.stop());

  test("row-level security and statement_timeout still apply", async () => {
    await (await service.newOrg()).newKey();
    const url = new URL(env.DATABASE_APP_URL ?? "");
    url.searchParams.set("options", "-c statement_timeout=0 -c timezone=Asia/Tokyo");
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
