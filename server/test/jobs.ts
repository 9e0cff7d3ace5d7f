import { afterAll, beforeAll } from "vitest";
import type { JobHandlers } from "../src/jobs/catalogue.ts";
import { startWorker, type Worker } from "../src/jobs/worker.ts";
import { makeLogger } from "../src/logger.ts";
import { jobHandlers } from "../src/main.ts";
import { isObsolete } from "../src/sandbox/is-obsolete.ts";
import type { TestService } from "./service.ts";
import { until } from "./until.ts";

/** How many jobs of a service are running in this process. While one is, the queue need not be asked whether all are done. */
const running = new WeakMap<TestService, number>();

function counting(service: TestService, handlers: JobHandlers): JobHandlers {
  const count = (by: number) => running.set(service, (running.get(service) ?? 0) + by);
  const counted = Object.entries(handlers).map(([name, handle]) => [
    name,
    async (payload: never) => {
      count(1);
      await handle(payload).finally(() => count(-1));
    },
  ]);
  return Object.fromEntries(counted) as JobHandlers;
}

/** The worker, for tests that need it. */
export function testJobs(service: TestService): void {
  let worker: Worker;
  beforeAll(async () => {
    const log = makeLogger(service.config.logLevel);
    const handlers = counting(service, jobHandlers(service.features));
    const options = { url: service.database.queueUrl, handlers, log };
    worker = await startWorker({ ...options, isObsolete: (...job) => isObsolete(service.features.sandboxes, ...job) });
    service.onQueued(worker.relayNow);
  });
  afterAll(() => worker.stop());
}

/** Waits until every queued job has run. */
export const jobsDone = (service: TestService): Promise<void> =>
  until("the jobs to be done", async () => {
    if ((running.get(service) ?? 0) > 0) return false;
    const [left] = await service.database.owner<{ count: number }>(
      "select (select count(*) from outbox)::int + (select count(*) from graphile_worker.jobs)::int as count",
    );
    return left?.count === 0;
  });
