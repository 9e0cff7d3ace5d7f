import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { enqueue } from "../src/jobs/enqueue.ts";
import { ensureInstanceKeys } from "../src/seals/instance-keys.ts";
import { client } from "./client.ts";
import { mountedDisk, unmountDisk } from "./disk.ts";
import { freePort, runCommand, startProcess, stopProcess } from "./process.ts";
import { testService } from "./service.ts";
import { until } from "./until.ts";
import { signedForVault } from "./vaulted.ts";

const service = testService();

test("a worker has probes and metrics on a port of its own, which the main port does not have", async () => {
  const port = await freePort();
  await ensureInstanceKeys(service.features.seals);
  await signedForVault(service, await service.newOrg());
  const env = {
    ...service.database.env,
    DATA_DIR: service.config.dataDir,
    APP_SECRET: service.config.appSecrets[0].secret,
    LOG_LEVEL: "error",
    METRICS_PORT: String(port),
  };
  const worker = await startProcess("worker", env);
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  await until("the worker to be ready", async () => (await get("/readyz")).status === 200);
  expect(JSON.parse((await get("/readyz")).text).checks).toMatchObject({ database: "ok", tenancy: "ok", loops: "ok" });
  expect(await get("/healthz")).toEqual({ status: 200, text: '{"status":"ok"}\n' });
  await service.db.system((tx) => enqueue(tx, "orgs.clean-up", {}));
  await until("the job to be counted", async () =>
    (await get("/metrics")).text.includes('countersign_jobs_total{task="orgs.clean-up",outcome="ok"} 1'),
  );
  // A document on its way into the vault passes every step, and is sealed at least once.
  for (const step of ["finish", "seal", "store", "certify"])
    await until(
      `the step ${step}`,
      async () => new RegExp(`^countersign_pipeline_seconds_count\\{step="${step}"\\} [1-9]`, "m").test((await get("/metrics")).text),
      60_000,
    );
  const { text } = await get("/metrics");
  for (const line of [
    /^countersign_build_info\{version="[^"]+",role="worker",schema="\d+"\} 1$/m,
    /^countersign_log_fault 0$/m,
    // Never backed up: as old as the database.
    /^countersign_backup_age_seconds [1-9]/m,
    // Twenty years.
    /^countersign_seal_certificate_expires_seconds\{kind="root"\} 6[23]\d{7}(\.\d+)?$/m,
    /^countersign_ready\{role="worker"\} 1$/m,
    /^process_cpu_seconds_total /m,
  ])
    expect(text).toMatch(line);
  expect((await get("/elsewhere")).status).toBe(404);

  // The main port is public, and metrics are not.
  expect((await service.send("GET", "//metrics")).status).toBe(404);
  expect(await stopProcess(worker)).toBe(0);
}, 120_000);

test("a process whose METRICS_PORT is taken does not start, and says what to do", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  const env = { ...service.database.env, APP_SECRET: service.config.appSecrets[0].secret, METRICS_PORT: String(port), LOG_LEVEL: "error" };
  const { code, stderr } = await runCommand(["worker"], env);
  other.close();
  expect([code, stderr]).toEqual([1, `Port ${port} of METRICS_PORT is in use. Set METRICS_PORT to another port, or to 0 for none.\n`]);
});

describe("a process that was told to stop", () => {
  const settings = async () => {
    const port = await freePort();
    const env = {
      ...service.database.env,
      APP_SECRET: service.config.appSecrets[0].secret,
      METRICS_PORT: String(port),
      LOG_LEVEL: "error",
    };
    const check = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
      return `${answer.status} ${((await answer.json()) as { checks: { service: string } }).checks.service}`;
    };
    return { env, check };
  };

  test("is not ready while serve answers a request that it has accepted, and then ends with 0", async () => {
    const { env, check } = await settings();
    const serve = await startProcess("serve", env);
    await until("it to be ready", async () => (await check()) === "200 ok");
    const socket = connect(Number(new URL(serve.url).port), "127.0.0.1");
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      received += text;
    });
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const body = JSON.stringify({ email: "ann@example.com", password: "not the password" });
    socket.write(
      `POST /api/v2/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    await until("the request to be accepted", async () => received.includes("100 Continue"));
    serve.child.kill("SIGTERM");
    await until("it to be not ready", async () => (await check()) === "503 stopping");
    socket.write(body);
    await closed;
    expect(received).toMatch(/HTTP\/1\.1 401 [\s\S]*connection: close/i);
    expect(await serve.exited).toBe(0);
  });

  test("is not ready while a worker ends its jobs, and then ends with 0", async () => {
    const { env, check } = await settings();
    const worker = await startProcess("worker", env);
    await until("it to be ready", async () => (await check()) === "200 ok");
    // The job waits for this lock.
    const locking = new pg.Client({ connectionString: service.database.url });
    await locking.connect();
    await locking.query("begin");
    await locking.query("lock table sessions in access exclusive mode");
    await service.db.system((tx) => enqueue(tx, "orgs.clean-up", {}));
    const left = () =>
      service.database.owner<{ locked: boolean }>(
        "select locked_at is not null as locked from graphile_worker.jobs where task_identifier = 'orgs.clean-up'",
      );
    await until("the job to run", async () => (await left())[0]?.locked === true);
    worker.child.kill("SIGTERM");
    await until("it to be not ready", async () => (await check()) === "503 stopping");
    await locking.query("rollback");
    await locking.end();
    expect(await worker.exited).toBe(0);
    expect(await left()).toEqual([]);
  });
});

const disk = mountedDisk("1m");

describe.skipIf(disk === null)("with a log on a full disk (needs mount)", () => {
  const path = disk ?? "";
  afterAll(() => unmountDisk(path));

  test("requests are answered as always, and lines are written again when there is space", async () => {
    const [log, filler] = [join(path, "log"), join(path, "filler")];
    const file = openSync(log, "a");
    const env = { ...service.database.env, APP_SECRET: service.config.appSecrets[0].secret, LOG_LEVEL: "info", METRICS_PORT: "0" };
    const serve = await startProcess("serve", env, undefined, file);
    closeSync(file);
    const headers = { "x-api-key": (await (await service.newOrg()).newKey()).api_key };
    const send = client(serve.url.replace("localhost", "127.0.0.1"), headers);
    const asked = async (count: number) => {
      for (let n = 0; n < count; n++) expect((await send("GET", "/partner/envelopes")).status).toBe(200);
    };
    const lines = () =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line.includes('"route":"/api/v2/partner/envelopes"')).length;
    await asked(1);
    // A line is written after its response.
    await until("the first line", async () => lines() === 1);
    for (let size = 1_048_576; size > 0; size = Math.floor(size / 2)) fill(filler, size);
    const full = statSync(log).size;
    // Each has a line of a few hundred bytes; a file system gives whole pages.
    await asked(100);
    expect(statSync(log).size - full).toBeLessThan(8_192);
    rmSync(filler);
    await asked(1);
    const before = lines();
    await asked(100);
    await until("a line of each request", async () => lines() >= before + 100);
    expect(await stopProcess(serve)).toBe(0);
    rmSync(log);
  });

  test("a worker runs its jobs", async () => {
    const [log, filler] = [join(path, "log"), join(path, "filler")];
    const file = openSync(log, "a");
    for (let size = 1_048_576; size > 0; size = Math.floor(size / 2)) fill(filler, size);
    const env = { ...service.database.env, APP_SECRET: service.config.appSecrets[0].secret, LOG_LEVEL: "info", METRICS_PORT: "0" };
    const worker = await startProcess("worker", env, undefined, file);
    closeSync(file);
    const left = () =>
      service.database.owner("select 1 from outbox union all select 1 from graphile_worker.jobs where task_identifier = 'orgs.clean-up'");
    for (let n = 0; n < 3; n++) {
      await service.db.system((tx) => enqueue(tx, "orgs.clean-up", {}));
      await until("the job to be done", async () => (await left()).length === 0);
    }
    expect([worker.child.exitCode, statSync(log).size]).toEqual([null, 0]);
    rmSync(filler);
    expect(await stopProcess(worker)).toBe(0);
    expect(readFileSync(log, "utf8")).toContain('"msg":"job finished"');
  });
});

/** As much of it as fits. */
function fill(path: string, size: number): void {
  try {
    writeFileSync(path, Buffer.alloc(size), { flag: "a" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
