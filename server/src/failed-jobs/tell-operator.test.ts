import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sentEnvelope } from "../../test/envelopes.ts";
import { mailTo } from "../../test/mail.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { ConfigError, readConfig } from "../config.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { noteFailedJobs } from "../jobs/heartbeat.ts";
import { relayOnce } from "../jobs/relay.ts";
import { jobHandlers } from "../main.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { tellOperator } from "./tell-operator.ts";

const service = testService();
const operators = ["ops@example.com", "night@example.com"];

let queue: pg.Pool;
let org: TestOrg;
let envelope_id: EnvelopeId;
beforeAll(async () => {
  queue = new pg.Pool({ connectionString: service.database.queueUrl, max: 2 });
  org = await service.newOrg();
  envelope_id = (await sentEnvelope(service, org)).envelope_id;
});
afterAll(() => queue.end());
beforeEach(async () => {
  for (const table of ["graphile_worker._private_jobs", "outbox", "failed_jobs", "mail_messages"])
    await service.database.owner(`delete from ${table}`);
});

async function failing(attempts: number): Promise<void> {
  await service.db.tx(org.org_id, (tx) => enqueue(tx, "vault.store", { org_id: org.org_id, envelope_id }));
  await relayOnce(queue);
  await service.database.owner("update graphile_worker._private_jobs set attempts = $1, last_error = $2 where last_error is null", [
    attempts,
    "StoreUnavailable: blob store away: /secret/path of ann@example.com",
  ]);
  await noteFailedJobs(queue, 6);
}
const tell = () => tellOperator({ mail: service.features.orgs.mail, operators, publicUrl: "https://sign.example.com" });
const told = () => mailTo(service, "ops@example.com", "operator_problems");
const later = (minutes: number) => service.database.owner(`update failed_jobs set told_at = told_at - interval '${minutes} minutes'`);

test("operators are told at once of a problem, with its task, ids and code and nothing of its error", async () => {
  expect(await tell()).toBe(0);
  await failing(25);
  expect(await tell()).toBe(1);
  const [message, ...others] = await told();
  expect(others).toEqual([]);
  expect(message).toMatchObject({ org_id: null, subject: "1 job does not work at sign.example.com" });
  for (const said of [
    "prb_",
    "vault.store",
    "not tried any more",
    "25 attempts",
    "store_away",
    org.org_id,
    envelope_id,
    "countersign jobs list",
  ])
    expect(message?.text).toContain(said);
  for (const hidden of ["secret", "ann@example.com", "blob store away"]) expect(message?.text).not.toContain(hidden);
  expect(await mailTo(service, "night@example.com", "operator_problems")).toHaveLength(1);
});

test("they get at most one message in 15 minutes, and one a day while a problem is open", async () => {
  await failing(25);
  await tell();
  await failing(6);
  expect(await tell()).toBe(0);
  await later(14);
  expect(await tell()).toBe(0);
  await later(1);
  // With both problems, of which one is new.
  expect(await tell()).toBe(2);
  expect((await told()).at(-1)?.text).toContain("2 jobs do not work at https://sign.example.com. 1 of them is new.");
  await later(23 * 60 + 59);
  expect(await tell()).toBe(0);
  await later(1);
  expect(await tell()).toBe(2);
  expect((await told()).at(-1)?.text).toContain("You were told before.");
  await later(24 * 60);
  await service.database.owner("delete from graphile_worker._private_jobs");
  await noteFailedJobs(queue, 6);
  expect(await tell()).toBe(0);
  expect(await told()).toHaveLength(3);
});

test("two workers that ask at the same time send one message", async () => {
  await failing(25);
  const counts = await Promise.all(Array.from({ length: 6 }, tell));
  expect(counts.sort()).toEqual([0, 0, 0, 0, 0, 1]);
  expect(await told()).toHaveLength(1);
});

test("without an operator nothing is queued, and the problem is not marked as told", async () => {
  await failing(25);
  await jobHandlers(service.features)["failed-jobs.tell-operator"]({});
  expect(await service.database.owner("select from mail_messages")).toEqual([]);
  expect(await tell()).toBe(1);
});

test("addresses are checked at the start, and need a mail server", () => {
  const env = { DATA_DIR: "/nowhere", APP_SECRET: "a secret that is only in this test: 5d1f" };
  const smtp = { SMTP_URL: "smtp://localhost:2525" };
  expect(readConfig({ ...env, ...smtp, OPERATOR_EMAIL: "ops@example.com, night@example.com, ops@example.com" }).operators).toEqual(
    operators,
  );
  expect(readConfig(env).operators).toEqual([]);
  expect(() => readConfig({ ...env, ...smtp, OPERATOR_EMAIL: "ops" })).toThrow(ConfigError);
  expect(() => readConfig({ ...env, OPERATOR_EMAIL: "ops@example.com" })).toThrow("OPERATOR_EMAIL needs SMTP_URL");
});
