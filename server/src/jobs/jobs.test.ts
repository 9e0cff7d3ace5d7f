import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testInAll } from "../../../testing/all.ts";
import { proxyTo } from "../../test/proxy.ts";
import { testService } from "../../test/service.ts";
import { until } from "../../test/until.ts";
import { jobHandlers } from "../main.ts";
import type { JobHandlers, Jobs } from "./catalogue.ts";
import { enqueue } from "./enqueue.ts";
import { beat, removeReplaced, unlockSilentWorkers } from "./heartbeat.ts";
import { relayOnce } from "./relay.ts";
import { startWorker } from "./worker.ts";

const service = testService();
/** A minute that begins must not add its recurring jobs to those that a test counts. */
const alone = { log: { info: () => undefined, error: () => undefined }, schedule: [] };

let queue: pg.Pool;
let proxy: Awaited<ReturnType<typeof proxyTo>>;
beforeAll(async () => {
  queue = new pg.Pool({ connectionString: service.database.queueUrl, max: 4 });
  proxy = await proxyTo(service.database.queueUrl);
});
afterAll(() => Promise.all([queue.end(), proxy.close()]));

const queued = () =>
  service.database.owner<{ task: string; locked_by: string | null }>(
    "select task_identifier as task, locked_by from graphile_worker.jobs order by id",
  );
const clearQueue = () => service.database.owner("delete from graphile_worker._private_jobs");

describe("enqueue", () => {
  test("creates a job if the transaction commits, and none if it does not", async () => {
    await service.db.system((tx) => enqueue(tx, "orgs.clean-up", {}));
    const failed = service.db.system(async (tx) => {
      await enqueue(tx, "orgs.clean-up", {});
      throw new Error("changed my mind");
    });
    await expect(failed).rejects.toThrow("changed my mind");
    expect(await relayOnce(queue)).toBe(1);
    expect(await queued()).toEqual([{ task: "orgs.clean-up", locked_by: null }]);
    expect(await relayOnce(queue)).toBe(0);
    await clearQueue();
  });

  test("delivers each of 1,200 jobs exactly once with four relays at the same time", async () => {
    await service.database.owner("insert into outbox (task, payload) select 'orgs.clean-up', '{}' from generate_series(1, 1200)");
    let moved = 0;
    while (moved < 1200) moved += (await Promise.all([1, 2, 3, 4].map(() => relayOnce(queue)))).reduce((sum, n) => sum + n, 0);
    expect(moved).toBe(1200);
    expect(await queued()).toHaveLength(1200);
    expect(await service.database.owner("select from outbox")).toEqual([]);
    await clearQueue();
  });
});

describe("a worker", () => {
  test("runs enqueued jobs: admins get a message, and the clean-up deletes expired data", async () => {
    const org = await service.newOrg();
    await service.database.owner("insert into idempotent_answers values ($1, 'c', 'old', '', 200, '{}', now() - interval '25 hours')", [
      org.org_id,
    ]);
    const worker = await startWorker({ url: service.database.queueUrl, handlers: jobHandlers(service.features), ...alone });
    await service.db.tx(org.org_id, async (tx) => {
      await enqueue(tx, "orgs.notify-admins", { org_id: org.org_id, kind: "test", subject: "Hello", text: "There" });
      await enqueue(tx, "orgs.clean-up", {});
    });
    await until("the notice", async () => (await service.database.owner("select from mail_messages where kind = 'test'")).length === 1);
    await until(
      "the clean-up",
      async () => (await service.database.owner("select from idempotent_answers where idempotency_key = 'old'")).length === 0,
    );
    await worker.stop();
    expect(await service.database.owner("select from worker_heartbeats")).toEqual([]);
    expect(await queued()).toEqual([]);
  });

  test("retries a job whose handler fails", async () => {
    let runs = 0;
    const handlers: JobHandlers = {
      ...jobHandlers(service.features),
      "orgs.clean-up": async () => {
        if (++runs === 1) throw new Error("not yet");
      },
    };
    const worker = await startWorker({ url: service.database.queueUrl, handlers, ...alone });
    await service.db.system((tx) => enqueue(tx, "orgs.clean-up", {}));
    await until("the first run", async () => runs === 1);
    await until("the job back in the queue", async () => (await queued())[0]?.locked_by === null);
    await service.database.owner("update graphile_worker._private_jobs set run_at = now()");
    await until("the second run", async () => runs === 2);
    await worker.stop();
  });

  test("runs at most two slices of the sweep at once, each slice one at a time, and leaves places for other jobs", async () => {
    const running: { readonly slice: number; readonly worker: string; readonly end: () => void }[] = [];
    let [done, together, cleanedUp] = [0, 0, 0];
    const handlersOf = (worker: string): JobHandlers => ({
      ...jobHandlers(service.features),
      "vault.verify-slice": async ({ slice }) => {
        if (running.some((other) => other.slice === slice)) together++;
        await new Promise<void>((end) => running.push({ slice, worker, end }));
        done++;
      },
      "orgs.clean-up": async () => {
        cleanedUp++;
      },
    });
    const start = (name: string) => startWorker({ url: service.database.queueUrl, handlers: handlersOf(name), ...alone });
    const workers = [await start("one"), await start("two")];
    const sweep = { seed: "s", began_at: new Date().toISOString() };
    const add = (slices: readonly number[]) =>
      service.db.system(async (tx) => {
        for (const slice of slices) await enqueue(tx, "vault.verify-slice", { slice, ...sweep }, `slice ${slice}`);
      });
    await add([1, 2, 3, 4, 5, 6]);
    await until("two slices in each worker", async () => running.length === 4);
    await add(running.map(({ slice }) => slice));
    await service.db.system(async (tx) => {
      for (let n = 0; n < 8; n++) await enqueue(tx, "orgs.clean-up", {});
    });
    await until("the other jobs", async () => cleanedUp === 8);
    await until("every slice", async () => {
      for (const name of ["one", "two"]) expect(running.filter(({ worker }) => worker === name).length).toBeLessThanOrEqual(2);
      running.shift()?.end();
      return done === 10;
    });
    expect(together).toBe(0);
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(await queued()).toEqual([]);
  });

  test("finishes its running job before it stops", async () => {
    let finish: () => void = () => undefined;
    const running = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const seen: Jobs["orgs.notify-admins"][] = [];
    let finished = false;
    const handlers: JobHandlers = {
      ...jobHandlers(service.features),
      "orgs.notify-admins": async (payload) => {
        seen.push(payload);
        await running;
        finished = true;
      },
    };
    const worker = await startWorker({ url: service.database.queueUrl, handlers, ...alone });
    const { org_id } = await service.newOrg();
    await service.db.system((tx) => enqueue(tx, "orgs.notify-admins", { org_id, kind: "k", subject: "s", text: "t" }));
    await until("the job's start", async () => seen.length === 1);
    const stopped = worker.stop();
    finish();
    await stopped;
    expect(finished).toBe(true);
    expect(await queued()).toEqual([]);
  });
});

testInAll("a worker that stops while the database is unavailable does not wait to report its job, which stays in the queue", async () => {
  let [begun, finish]: [boolean, () => void] = [false, () => undefined];
  const running = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const handlers: JobHandlers = {
    ...jobHandlers(service.features),
    "orgs.clean-up": async () => {
      begun = true;
      await running;
    },
  };
  const worker = await startWorker({ url: proxy.url, handlers, ...alone });
  await service.db.system((tx) => enqueue(tx, "orgs.clean-up", {}));
  await until("the job's start", async () => begun);
  proxy.shut();
  finish();
  await expect(worker.stop()).rejects.toThrow("the database is unavailable");
  expect((await queued()).map(({ task }) => task)).toEqual(["orgs.clean-up"]);
  await clearQueue();
  proxy.open();
});

testInAll("a worker whose connection is lost just when a job ends stops only after its result is recorded", async () => {
  let finish: () => void = () => undefined;
  const running = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let [begun, ended] = [false, false];
  const handlers: JobHandlers = {
    ...jobHandlers(service.features),
    "orgs.clean-up": async () => {
      begun = true;
      await running;
    },
  };
  const onEnded = () => {
    ended = true;
  };
  const worker = await startWorker({ url: proxy.url, handlers, onEnded, ...alone });
  await service.db.system((tx) => enqueue(tx, "orgs.clean-up", {}));
  await until("the job's start", async () => begun);
  proxy.shut();
  finish();
  await until("the job's end", async () => ended);
  proxy.open();
  await worker.stop();
  expect(await queued()).toEqual([]);
});

describe("a worker without heartbeats", () => {
  test("loses its jobs to other workers after 30 seconds, and not before", async () => {
    await service.database.owner("select graphile_worker.add_job('orgs.clean-up'), graphile_worker.add_job('orgs.clean-up')");
    await beat(queue, "worker-alive");
    await beat(queue, "worker-dead");
    await service.database.owner(`
      with two as (select id, row_number() over (order by id) as n from graphile_worker._private_jobs)
      update graphile_worker._private_jobs j set locked_at = now() - interval '31 seconds', locked_by = case two.n when 1 then 'worker-alive' else 'worker-dead' end
      from two where two.id = j.id`);
    await service.database.owner("update worker_heartbeats set beat_at = now() - interval '29 seconds' where worker_id = 'worker-dead'");
    expect(await unlockSilentWorkers(queue)).toEqual([]);
    await service.database.owner("update worker_heartbeats set beat_at = now() - interval '31 seconds' where worker_id = 'worker-dead'");
    expect(await unlockSilentWorkers(queue)).toEqual(["worker-dead"]);
    expect((await queued()).map((job) => job.locked_by)).toEqual(["worker-alive", null]);
    await clearQueue();
  });

  test("leaves no job behind that was replaced by another with the same key", async () => {
    const add = () => service.database.owner("select graphile_worker.add_job('webhooks.fan-out', '{}', job_key => 'one')");
    await add();
    await service.database.owner(
      "update graphile_worker._private_jobs set attempts = 1, locked_at = now() - interval '31 seconds', locked_by = 'worker-dead'",
    );
    await add();
    await removeReplaced(queue);
    expect(await queued(), "while its worker may still live").toHaveLength(2);
    await unlockSilentWorkers(queue);
    await removeReplaced(queue);
    expect(await service.database.owner("select key from graphile_worker.jobs")).toEqual([{ key: "one" }]);
    await clearQueue();
  });

  test("also loses its jobs if it died before its first heartbeat", async () => {
    await service.database.owner("select graphile_worker.add_job('orgs.clean-up')");
    await service.database.owner(
      "update graphile_worker._private_jobs set locked_at = now() - interval '31 seconds', locked_by = 'worker-unknown'",
    );
    expect(await unlockSilentWorkers(queue)).toEqual(["worker-unknown"]);
    expect((await queued()).map((job) => job.locked_by)).toEqual([null]);
    await clearQueue();
  });
});
