import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sentEnvelope } from "../../test/envelopes.ts";
import { memberOf } from "../../test/invitations.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { until } from "../../test/until.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { noteFailedJobs } from "../jobs/heartbeat.ts";
import { relayOnce } from "../jobs/relay.ts";
import { startWorker } from "../jobs/worker.ts";
import { jobHandlers } from "../main.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { handleFailedJob } from "./handle-failed-job.ts";
import { listFailedJobs } from "./store.ts";

const service = testService();
const AFTER = 6;

let queue: pg.Pool;
let org: TestOrg;
let envelope_id: EnvelopeId;
beforeAll(async () => {
  queue = new pg.Pool({ connectionString: service.database.queueUrl, max: 4 });
  org = await service.newOrg();
  envelope_id = (await sentEnvelope(service, org)).envelope_id;
});
afterAll(() => queue.end());
beforeEach(async () => {
  await service.database.owner("delete from graphile_worker._private_jobs");
  await service.database.owner("delete from outbox");
  await service.database.owner("delete from failed_jobs");
});

/** A job in the queue that has failed this often. */
async function failing(attempts: number, error = "StoreUnavailable: blob store away: EIO"): Promise<void> {
  await service.db.tx(org.org_id, (tx) => enqueue(tx, "vault.store", { org_id: org.org_id, envelope_id }));
  await relayOnce(queue);
  await service.database.owner("update graphile_worker._private_jobs set attempts = $1, last_error = $2", [attempts, error]);
}

const note = () => noteFailedJobs(queue, AFTER);
const problems = async (query = "") => (await org.admin("GET", `/org/problems${query}`)).json;
const inQueue = () => service.database.owner<{ attempts: number }>("select attempts::int from graphile_worker._private_jobs");
const auditTypes = async () => (await org.admin("GET", "/org/audit-trail")).json.data.map((entry: { type: string }) => entry.type);
const retry = (id: string) => org.admin("POST", `/org/problems/${id}/retry`);
const operator = { ip: "127.0.0.1", user_agent: "cli", request_id: "cli", operator: "ann" };

describe("a job that fails", () => {
  test("is shown from the sixth failure on, with the kind of cause and never the error", async () => {
    await failing(AFTER - 1);
    expect([await note(), (await problems()).data]).toEqual([0, []]);
    await service.database.owner("update graphile_worker._private_jobs set attempts = 6");
    expect([await note(), await note()]).toEqual([1, 0]);
    const { data, meta } = await problems();
    expect([data, meta.total]).toMatchObject([
      [
        {
          task: "vault.store",
          envelope_id,
          envelope_name: "Lease",
          state: "retrying",
          attempts: 6,
          explanation: "The document store could not be reached.",
          can_retry: true,
        },
      ],
      1,
    ]);
    expect(JSON.stringify(data)).not.toContain("EIO");
    const of = async (id: string) => (await problems(`?envelope_id=${id}`)).meta.total;
    expect([await of(envelope_id), await of("env_00000000000000000000000000")]).toEqual([1, 0]);
    expect((await (await service.newOrg()).admin("GET", "/org/problems")).json.data).toEqual([]);
  });

  test("is shown without the envelope's name to a security admin, who reads no documents", async () => {
    const office = await memberOf(service, org, "security_admin");
    await failing(25);
    await note();
    const { data } = (await office("GET", "/org/problems")).json;
    expect(data).toMatchObject([{ envelope_id, envelope_name: null, can_retry: true }]);
  });

  test("is failed once it is exhausted, and resolved when the job is gone", async () => {
    await failing(25);
    await note();
    expect((await problems()).data).toMatchObject([{ state: "failed", next_attempt_at: null, can_retry: true }]);
    await service.database.owner("delete from graphile_worker._private_jobs");
    await note();
    expect((await problems()).data).toEqual([]);
    expect((await problems("?state=resolved")).data).toMatchObject([{ state: "resolved", can_retry: false }]);
  });

  test("is not a problem if its key was taken by a newer one", async () => {
    await service.db.tx(org.org_id, (tx) => enqueue(tx, "envelopes.finish-document", { org_id: org.org_id, envelope_id }));
    await relayOnce(queue);
    await service.database.owner("update graphile_worker._private_jobs set attempts = max_attempts, key = null, last_error = 'x'");
    expect(await note()).toBe(0);
  });
});

describe("a retry", () => {
  test("of two admins at once is 202 for one and 409 for the other, and the job runs again", async () => {
    await failing(25);
    await note();
    const [{ problem_id }] = (await problems()).data;
    const answers = await Promise.all([retry(problem_id), retry(problem_id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    expect(answers.find(({ status }) => status === 409)?.json.error).toBe("Problem was already handled");
    expect((await auditTypes()).filter((type: string) => type === "job.retry_requested")).toHaveLength(1);
    await Promise.all([note(), note()]);
    expect(await inQueue()).toEqual([{ attempts: 0 }]);
    expect((await problems()).data).toMatchObject([{ state: "retrying" }]);
  });

  test("that fails again is not started anew by itself", async () => {
    await failing(25);
    await note();
    const [{ problem_id }] = (await problems()).data;
    await retry(problem_id);
    await note();
    await service.database.owner("update graphile_worker._private_jobs set attempts = 1");
    await note();
    expect([await inQueue(), (await problems()).data]).toMatchObject([[{ attempts: 1 }], [{ state: "retrying", attempts: 1 }]]);
  });

  test("of a missing problem and of another organization's is the same 404", async () => {
    await failing(25);
    await note();
    const [{ problem_id }] = (await problems()).data;
    const stranger = await service.newOrg();
    const [foreign, missing] = await Promise.all([
      stranger.admin("POST", `/org/problems/${problem_id}/retry`),
      stranger.admin("POST", "/org/problems/prb_00000000000000000000000000/retry"),
    ]);
    expect([foreign.status, foreign.json.error, missing.text]).toEqual([404, "Problem not found", foreign.text]);
  });
});

test("an API key is 401 on the list and on a retry, whatever its scopes", async () => {
  const { send } = await org.newKey();
  for (const [method, path] of [
    ["GET", "/org/problems"],
    ["POST", "/org/problems/prb_00000000000000000000000000/retry"],
  ] as const) {
    const { status, json } = await send(method, path);
    expect([status, json.error]).toEqual([401, "Invalid or expired session"]);
  }
});

describe("the operator", () => {
  test("sees errors and jobs of the installation, and discards only what is not retried any more", async () => {
    await failing(AFTER);
    await note();
    const [found] = await service.db.system((tx) => listFailedJobs(tx, { state: null, org: null, task: "vault.store" }));
    if (found === undefined) throw new Error("no problem was noted");
    expect([found.org_id, found.error_code, found.error]).toEqual([org.org_id, "store_away", "StoreUnavailable: blob store away: EIO"]);
    const discard = () => handleFailedJob(service, operator, found.problem_id, { kind: "discard", reason: "the file is lost" });
    expect(await discard()).toBeNull();
    await service.database.owner("update graphile_worker._private_jobs set attempts = max_attempts");
    await note();
    expect(await discard()).toMatchObject({ state: "discarded" });
    expect(await auditTypes()).toContain("job.discarded");
    await note();
    expect(await inQueue()).toEqual([]);
    expect((await problems("?state=discarded")).data).toHaveLength(1);
  });
});

test("the worker notes a job whose handler fails, by the class of its error", async () => {
  const error = Object.assign(new Error("no seal"), { name: "SealUnavailable" });
  const handlers = { ...jobHandlers(service.features), "vault.store": () => Promise.reject(error) };
  const log = { info: () => undefined, error: () => undefined };
  const worker = await startWorker({ url: service.database.queueUrl, handlers, log, schedule: [], problemAfterFailures: 1 });
  await service.db.tx(org.org_id, (tx) => enqueue(tx, "vault.store", { org_id: org.org_id, envelope_id }));
  await until("the problem to be noted", async () => (await problems()).data.length === 1, 25_000);
  expect((await problems()).data).toMatchObject([{ state: "retrying", explanation: "The document could not be sealed." }]);
  await worker.stop();
});
