import { afterAll, beforeAll } from "vitest";
import { startWorker, type Worker } from "../src/jobs/worker.ts";
import { makeLogger } from "../src/logger.ts";
import { jobHandlers } from "../src/main.ts";
import type { TestService } from "./service.ts";
import { until } from "./until.ts";

/** How often the outbox is looked at here. A chain of jobs, each queued by the one before, passes it several times. */
export const RELAY_MS = 15;

/** The worker, for tests that need it. */
export function testJobs(service: TestService): void {
  let worker: Worker;
  beforeAll(async () => {
    const log = makeLogger(service.config.logLevel);
    worker = await startWorker({ url: service.database.queueUrl, handlers: jobHandlers(service.features), log, relay_ms: RELAY_MS });
  });
  afterAll(() => worker.stop());
}

/** Waits until every queued job has run. */
export const jobsDone = (service: TestService): Promise<void> =>
  until("the jobs to be done", async () => {
    const [left] = await service.database.owner<{ count: number }>(
      "select (select count(*) from outbox)::int + (select count(*) from graphile_worker.jobs)::int as count",
    );
    return left?.count === 0;
  });
