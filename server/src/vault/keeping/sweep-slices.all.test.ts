import { beforeAll, expect, test } from "vitest";
import { chainOf } from "../../../test/envelopes.ts";
import { type Running, startProcess, stopProcess } from "../../../test/process.ts";
import { type TestOrg, testService } from "../../../test/service.ts";
import { until } from "../../../test/until.ts";
import { flipBit, type Vaulted, vaultedCopies, vaultedEnvelope } from "../../../test/vaulted.ts";
import { enqueue } from "../../jobs/enqueue.ts";

/** The sweep in processes of their own, one of which is killed in the middle. */

const service = testService({ SWEEP_HOURS: "24" });
const COPIES = 80;

let org: TestOrg;
let copies: readonly Vaulted[];
let damaged: Vaulted;
beforeAll(async () => {
  org = await service.newOrg();
  copies = await vaultedCopies(service, org, COPIES);
  damaged = await vaultedEnvelope(service, org);
  await flipBit(service, org, damaged.sha256);
});

const startWorker = (): Promise<Running> => {
  const { config, database } = service;
  const [{ secret }] = config.appSecrets;
  const env = { ...database.env, DATA_DIR: config.dataDir, APP_SECRET: secret, SWEEP_HOURS: "24", SWEEP_MBPS: "1", LOG_LEVEL: "warn" };
  return startProcess("worker", env);
};
const verified = async (): Promise<Map<string, number>> => {
  const rows = await service.database.owner<{ copy_id: string; verified_at: Date }>(
    "select copy_id, verified_at from authoritative_copies where verified_at is not null",
  );
  return new Map(rows.map(({ copy_id, verified_at }) => [copy_id, verified_at.getTime()]));
};
const left = async (): Promise<number> => {
  const [row] = await service.database.owner<{ count: number }>(
    `select (select count(*) from outbox where task = 'vault.verify-slice')::int
       + (select count(*) from graphile_worker.jobs where task_identifier = 'vault.verify-slice')::int as count`,
  );
  return row?.count ?? expect.fail("no count");
};
const startSweep = () => service.db.system((tx) => enqueue(tx, "vault.sweep", {}));

test("a sweep goes on after its worker was killed: every document once, and the damaged one is reported once", async () => {
  const first = await startWorker();
  await startSweep();
  await until("some verified documents", async () => (await verified()).size >= 10, 60_000);
  await stopProcess(first, "SIGKILL");
  const before = await verified();
  expect(before.size, "in the middle").toBeLessThan(COPIES);
  expect(await left()).toBeGreaterThan(0);
  // As after half a minute without a heartbeat.
  await service.database.owner("update worker_heartbeats set beat_at = beat_at - interval '1 minute'");

  const others = await Promise.all([startWorker(), startWorker()]);
  await until("the end of the sweep", async () => (await left()) === 0, 60_000);
  const mails = () => service.database.owner("select from mail_messages where kind = 'vault_tampered' and org_id = $1", [org.org_id]);
  await until("the message about the damaged one", async () => (await mails()).length > 0);
  await Promise.all(others.map((worker) => stopProcess(worker)));
  const after = await verified();
  expect([...after.keys()].sort()).toEqual(copies.map(({ copy_id }) => copy_id).sort());
  // A copy that was verified before the kill was not read again.
  expect([...before].filter(([copy_id, at]) => after.get(copy_id) !== at)).toEqual([]);

  const entries = await chainOf(service, org.org_id, damaged.envelope_id);
  expect(entries.filter(({ type }) => type === "vault.document.tamper_detected")).toHaveLength(1);
  expect(await mails()).toHaveLength(1);
}, 120_000);
