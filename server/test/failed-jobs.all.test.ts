import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { enqueue } from "../src/jobs/enqueue.ts";
import { noteFailedJobs } from "../src/jobs/heartbeat.ts";
import { relayOnce } from "../src/jobs/relay.ts";
import type { EnvelopeId } from "../src/shared/ids.ts";
import { sentEnvelope } from "./envelopes.ts";
import { runCommand, startProcess, stopProcess } from "./process.ts";
import { type TestOrg, testService } from "./service.ts";
import { until } from "./until.ts";
import { completedForVault } from "./vaulted.ts";

const service = testService();
const AFTER = 6;
const EXHAUSTED = 25;

let queue: pg.Pool;
beforeAll(() => {
  queue = new pg.Pool({ connectionString: service.database.queueUrl, max: 2 });
});
afterAll(() => queue.end());
beforeEach(async () => {
  for (const table of ["graphile_worker._private_jobs", "outbox", "failed_jobs"]) await service.database.owner(`delete from ${table}`);
});

const settings = () => ({ ...service.database.env, APP_SECRET: service.config.appSecrets[0].secret });

/** `null`: a job of the installation, which belongs to no organization. Returns the id of the problem. */
async function problemOf(org: TestOrg | null, envelope_id: EnvelopeId | null, attempts: number): Promise<string> {
  if (org === null || envelope_id === null) await service.db.system((tx) => enqueue(tx, "orgs.clean-up", {}));
  else await service.db.tx(org.org_id, (tx) => enqueue(tx, "vault.store", { org_id: org.org_id, envelope_id }));
  await relayOnce(queue);
  await service.database.owner("update graphile_worker._private_jobs set attempts = $1, last_error = $2 where last_error is null", [
    attempts,
    "StoreUnavailable: blob store away: EIO",
  ]);
  await noteFailedJobs(queue, AFTER);
  const [newest] = await service.database.owner<{ problem_id: string }>(
    "select problem_id from failed_jobs order by problem_id desc limit 1",
  );
  return newest?.problem_id ?? "none";
}

describe("countersign jobs", () => {
  const jobs = (...args: string[]) => runCommand(["jobs", ...args], settings());
  const MISSING = "prb_00000000000000000000000000";
  const REFUSED = "refused: it does not exist, or is not in a state for this";

  let org: TestOrg;
  let envelope_id: EnvelopeId;
  beforeAll(async () => {
    org = await service.newOrg();
    envelope_id = (await sentEnvelope(service, org)).envelope_id;
  });
  const entries = async (type: string) =>
    (await org.admin("GET", `/org/audit-trail?type=${type}`)).json.data.map(({ data }: { data: object }) => data);

  test("list shows what does not work, with its age and its error, by state, organization and task", async () => {
    expect(await jobs("list")).toEqual({ code: 0, stdout: "No problems.\n", stderr: "" });
    const failed = await problemOf(org, envelope_id, EXHAUSTED);
    const retrying = await problemOf(null, null, AFTER);
    await service.database.owner("update failed_jobs set first_failed_at = now() - interval '26 hours' where problem_id = $1", [failed]);
    const { code, stdout } = await jobs("list");
    expect([code, stdout.split("\n")]).toEqual([
      0,
      [
        expect.stringMatching(
          new RegExp(
            `^${failed}  failed  vault\\.store  ${org.org_id} ${envelope_id}  25 attempts, first noted 26 hours ago, last ${TIME}  store_away: StoreUnavailable: blob store away: EIO$`,
          ),
        ),
        expect.stringMatching(
          new RegExp(
            `^${retrying}  retrying  orgs\\.clean-up  installation  6 attempts, first noted \\d+ seconds ago, last ${TIME}  store_away: `,
          ),
        ),
        "",
      ],
    ]);
    const only = async (...filter: string[]) =>
      JSON.parse((await jobs("list", "--json", ...filter)).stdout).map((job: { problem_id: string }) => job.problem_id);
    expect(await only()).toEqual([failed, retrying]);
    expect(await only("--failed")).toEqual([failed]);
    expect(await only("--org", org.org_id)).toEqual([failed]);
    expect(await only("--task", "orgs.clean-up")).toEqual([retrying]);
    expect((await jobs("list", "--task", "mail.send")).stdout).toBe("No problems.\n");
  });

  test("retry has a worker try again, once, and exits with 1 if any was refused", async () => {
    const first = await problemOf(org, envelope_id, EXHAUSTED);
    expect(await jobs("retry", first)).toEqual({ code: 0, stdout: `${first}  retry_requested\n`, stderr: "" });
    expect(await entries("job.retry_requested")).toMatchObject([
      { problem_id: first, task: "vault.store", envelope_id, operator: userInfo().username },
    ]);
    const second = await problemOf(null, null, AFTER);
    const mixed = await jobs("retry", MISSING, second, first);
    expect([mixed.code, mixed.stdout.trim().split("\n")]).toEqual([
      1,
      // A worker has passed on the first request meanwhile, so the job can be retried again.
      [`${MISSING}  ${REFUSED}`, `${second}  retry_requested`, `${first}  retry_requested`],
    ]);
    expect(await jobs("retry", first)).toMatchObject({ code: 1, stdout: `${first}  ${REFUSED}\n` });
    await noteFailedJobs(queue, AFTER);
    expect(await service.database.owner("select attempts::int from graphile_worker._private_jobs")).toEqual([
      { attempts: 0 },
      { attempts: 0 },
    ]);
  });

  test("retry --task --all tries all failed ones of a task", async () => {
    const other = await sentEnvelope(service, org);
    const [one, two] = [await problemOf(org, envelope_id, EXHAUSTED), await problemOf(org, other.envelope_id, EXHAUSTED)];
    await problemOf(null, null, EXHAUSTED);
    const { code, stdout } = await jobs("retry", "--task", "vault.store", "--all");
    expect([code, stdout.trim().split("\n").sort()]).toEqual([0, [one, two].map((id) => `${id}  retry_requested`).sort()]);
  });

  test("discard gives up a failed job with a reason, and exits with 1 for one that is still retried", async () => {
    const retrying = await problemOf(org, envelope_id, AFTER);
    expect(await jobs("discard", retrying, "--reason", "no")).toMatchObject({ code: 1, stdout: `${retrying}  ${REFUSED}\n` });
    await service.database.owner("update graphile_worker._private_jobs set attempts = max_attempts");
    await noteFailedJobs(queue, AFTER);
    const discarded = await jobs("discard", retrying, "--reason", "the file is lost");
    expect(discarded).toEqual({ code: 0, stdout: `${retrying}  discarded\n`, stderr: "" });
    expect(await jobs("retry", retrying)).toMatchObject({ code: 1, stdout: `${retrying}  ${REFUSED}\n` });
    expect(await entries("job.discarded")).toMatchObject([
      { problem_id: retrying, task: "vault.store", envelope_id, reason: "the file is lost", operator: userInfo().username },
    ]);
    expect((await jobs("list")).stdout).toBe("No problems.\n");
  });

  test("wrong usage is exit code 2 and changes nothing", async () => {
    const problem = await problemOf(org, envelope_id, EXHAUSTED);
    for (const [args, says] of [
      [["retry"], "Give the id of a problem"],
      [["retry", envelope_id], `${envelope_id} is not the id of a problem`],
      [["retry", "--task", "vault.store"], "--task and --all belong together"],
      [["retry", "--all"], "--task and --all belong together"],
      [["discard", problem], "--reason is required"],
      [["discard", problem, MISSING, "--reason", "x"], "Too many arguments"],
      [["list", "--org", "x"], "--org needs the id of an organization"],
      [["forget", problem], "has no command"],
    ] as const) {
      const { code, stderr } = await jobs(...args);
      expect([code, stderr], args.join(" ")).toEqual([2, expect.stringContaining(says)]);
    }
    expect(await service.database.owner("select state from failed_jobs")).toEqual([{ state: "failed" }]);
  });
});

const TIME = "\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z";

test("a worker that is killed after the queue recorded a failure and before it was noted loses nothing: the next worker notes it once", async () => {
  const org = await service.newOrg();
  const envelope_id = await completedForVault(service, org);
  // No document is where this worker looks for them, so the job fails.
  const elsewhere = mkdtempSync(join(tmpdir(), "countersign-elsewhere-"));
  const worker = (DATA_DIR: string) =>
    startProcess("worker", { ...settings(), DATA_DIR, PROBLEM_AFTER_FAILURES: "1", METRICS_PORT: "0", LOG_LEVEL: "silent" });
  const failure =
    "select attempts::int, last_error is not null as failed from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where identifier = 'vault.store'";
  const noted = () =>
    service.database.owner<{ state: string; task: string }>("select state, task from failed_jobs where task = 'vault.store'");

  // Nothing can be noted while this is locked.
  const locking = new pg.Client({ connectionString: service.database.url });
  await locking.connect();
  await locking.query("begin");
  await locking.query("lock table failed_jobs in access exclusive mode");
  const killed = await worker(elsewhere);
  await until("the queue to have the failure", async () => {
    const [job] = await service.database.owner<{ failed: boolean }>(failure);
    return job?.failed === true;
  });
  killed.child.kill("SIGKILL");
  await killed.exited;
  // PostgreSQL would finish a statement that waits for the lock, although the process that sent it is dead.
  const ended =
    "select pg_terminate_backend(pid, 10000) from pg_stat_activity where usename = 'countersign_queue' and datname = current_database() and application_name like 'countersign worker%'";
  await service.database.owner(ended);
  await locking.query("rollback");
  await locking.end();
  expect(await noted()).toEqual([]);

  const next = await worker(elsewhere);
  await until("the problem to be noted", async () => (await noted()).length > 0);
  expect(await noted()).toEqual([{ state: "retrying", task: "vault.store" }]);
  expect(await stopProcess(next)).toBe(0);

  // Tried again where the documents are, the job does what it was for, and the problem is resolved.
  const shown: { problem_id: string; task: string }[] = (await org.admin("GET", "/org/problems")).json.data;
  const problem_id = shown.find(({ task }) => task === "vault.store")?.problem_id;
  expect((await org.admin("POST", `/org/problems/${problem_id}/retry`)).status).toBe(202);
  const good = await worker(service.config.dataDir);
  const state = async () =>
    (await service.database.owner<{ state: string }>("select state from failed_jobs where problem_id = $1", [problem_id]))[0]?.state;
  await until("the problem to be resolved", async () => (await state()) === "resolved", 60_000);
  expect((await org.admin("GET", `/partner/envelopes/${envelope_id}`)).json.data.status).toBe("vaulted");
  expect(await stopProcess(good)).toBe(0);
  rmSync(elsewhere, { recursive: true });
}, 120_000);
