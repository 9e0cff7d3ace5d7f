import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { enqueue } from "../src/jobs/enqueue.ts";
import { ensureInstanceKeys } from "../src/seals/instance-keys.ts";
import { freePort, runCommand, startProcess, stopProcess } from "./process.ts";
import { testService } from "./service.ts";
import { until } from "./until.ts";

const service = testService();

test("a worker has probes and metrics on a port of its own, which the main port does not have", async () => {
  const port = await freePort();
  await ensureInstanceKeys(service.features.seals);
  const env = {
    ...service.database.env,
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
  const { text } = await get("/metrics");
  for (const line of [
    /^countersign_build_info\{version="[^"]+",role="worker"\} 1$/m,
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
});

test("a process whose METRICS_PORT is taken does not start, and says what to do", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  const env = { ...service.database.env, APP_SECRET: service.config.appSecrets[0].secret, METRICS_PORT: String(port), LOG_LEVEL: "error" };
  const { code, stderr } = await runCommand(["worker"], env);
  other.close();
  expect([code, stderr]).toEqual([1, `Port ${port} of METRICS_PORT is in use. Set METRICS_PORT to another port, or to 0 for none.\n`]);
});
