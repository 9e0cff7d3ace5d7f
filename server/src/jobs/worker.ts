import { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { type Job, type JobHelpers, parseCronItems, type Runner, run, type TaskList, type WorkerEvents } from "graphile-worker";
import pg from "pg";
import { isUnavailable } from "../db/errors.ts";
import { BEAT_SECONDS, type Program } from "../db/heartbeats.ts";
import { Problem } from "../shared/problems.ts";
import { inWork, type Tracer } from "../shared/trace.ts";
import { type JobHandlers, type JobName, limitedJobs, schedule as recurring } from "./catalogue.ts";
import { beat, countLocked, noteFailedJobs, removeHeartbeat, removeReplaced, unlockSilentWorkers } from "./heartbeat.ts";
import { type JobPlaces, makeJobPlaces } from "./job-places.ts";
import { metaOf, withoutMeta } from "./meta.ts";
import { requireQueueSchema, silent } from "./queue-schema.ts";
import { relayOnce } from "./relay.ts";
import { RetriableClient } from "./retriable-client.ts";

export interface Log {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface WorkerOptions {
  /** the queue login; handlers have their own connections with the serving login */
  readonly url: string;
  readonly handlers: JobHandlers;
  readonly log: Log;
  /** for its heartbeat */
  readonly program?: Program | undefined;
  /** whether a job is to be left out, because what it is about is gone */
  readonly isObsolete?: (name: JobName, payload: unknown, queued_at: Date) => Promise<boolean>;
  /** for metrics. `error`: the job runs again; `failed`: it does not */
  readonly onEnded?: (task: string, outcome: "ok" | "error" | "failed", seconds: number) => void;
  /** null: traces are off */
  readonly tracer?: Pick<Tracer, "beginJob"> | null;
  /** after how many failures people are told of a job that is still retried */
  readonly problemAfterFailures?: number;
  readonly concurrency?: number;
  /** the recurring jobs, by default all; a test that counts jobs has none */
  readonly schedule?: typeof recurring;
}

export interface Worker {
  /** Looks at the outbox now, not only at the next poll: for a caller in this process that has just committed a job. */
  relayNow(): void;
  /** The connections of the queue. */
  stats(): { readonly total: number; readonly idle: number; readonly waiting: number };
  /** When each loop last did its work without a failure, in milliseconds. */
  turns(): Readonly<Record<string, number>>;
  /** Takes no new jobs, waits for the running ones, and unlocks those that are left. */
  stop(): Promise<void>;
}

// Polls, because a notify inside the business transaction would serialize all commits. A committed job waits at most a quarter of a
// second for an idle worker.
const RELAY_MS = 250;
const RELAUNCH_MS = 1_000;
// About four minutes.
const PROBLEM_AFTER_FAILURES = 6;

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { log } = options;
  const queue = new pg.Pool({ connectionString: options.url, max: 4, application_name: "countersign worker", Client: RetriableClient });
  const report = (error: Error) => log.error({ err: error }, "worker connection");
  queue.on("error", report);
  queue.on("connect", (client) => client.on("error", report));

  const places = makeJobPlaces();
  let current = await firstLaunch(options, queue, places).catch(async (error: unknown) => {
    // Open connections would keep a process alive that could not start.
    await queue.end();
    throw error;
  });
  let stopping = false;
  const relay = every(RELAY_MS, log, "relay", () => relayOnce(queue));
  const loops = {
    relay,
    heartbeat: every(BEAT_SECONDS * 1000, log, "heartbeat", async () => {
      await beat(queue, current.workerId, options.program);
      const silent = await unlockSilentWorkers(queue);
      if (silent.length > 0) log.info({ workers: silent }, "unlocked the jobs of workers without a heartbeat");
      await removeReplaced(queue);
      const problems = await noteFailedJobs(queue, options.problemAfterFailures ?? PROBLEM_AFTER_FAILURES);
      if (problems > 0) log.error({ problems }, "jobs have failed several times; see: countersign jobs list");
    }),
    // The runner ends on its own if it could not record the result of a job, for example because the database was unavailable too long.
    runner: every(RELAUNCH_MS, log, "runner", async () => {
      if (!current.ended || stopping) return;
      log.error({ err: current.ended.reason }, "the job runner ended; starting another");
      current = await launch(options, queue, places);
    }),
  };
  const stop = async () => {
    stopping = true;
    await Promise.all(Object.values(loops).map((loop) => loop.end()));
    const { ended, runner, workerId } = current;
    // If this fails, the pool stays open. Otherwise the library, which still tries to record the result, would throw an unhandled error.
    await waitForResults(ended === null ? runner.stop() : Promise.resolve(), queue, workerId);
    await removeHeartbeat(queue, workerId).finally(() => queue.end());
  };
  const turns = () => Object.fromEntries(Object.entries(loops).map(([name, loop]) => [name, loop.turnedAt()]));
  const stats = () => ({ total: queue.totalCount, idle: queue.idleCount, waiting: queue.waitingCount });
  return { stop, stats, turns, relayNow: relay.now };
}

async function firstLaunch(options: WorkerOptions, queue: pg.Pool, places: JobPlaces): Promise<Launched> {
  await requireQueueSchema(queue);
  return launch(options, queue, places);
}

interface Launched {
  readonly runner: Runner;
  readonly workerId: string;
  /** set once the runner has ended */
  ended: { readonly reason: unknown } | null;
}

async function launch(options: WorkerOptions, queue: pg.Pool, places: JobPlaces): Promise<Launched> {
  const { program, concurrency = 4, schedule = recurring } = options;
  const events: WorkerEvents = new EventEmitter();
  // Returns the id instead of the pool, because a pool is thenable and awaiting it would wait for its end.
  const poolId = new Promise<string>((resolve) => events.once("pool:create", ({ workerPool }) => resolve(workerPool.id)));
  const runner = await run({
    pgPool: queue,
    taskList: tasksOf(options, places),
    forbiddenFlags: () => places.full(),
    parsedCronItems: parseCronItems(
      schedule.map(({ cron, job, priority = 0 }) => ({ match: cron, task: job, options: { backfillPeriod: 0, priority } })),
    ),
    concurrency,
    pollInterval: 1_000,
    noHandleSignals: true,
    events,
    logger: silent,
  });
  const launched: Launched = { runner, workerId: await poolId, ended: null };
  const end = (reason: unknown) => {
    launched.ended = { reason };
  };
  runner.promise.then(end, end);
  try {
    await beat(queue, launched.workerId, program);
  } catch (error) {
    await runner.stop();
    throw error;
  }
  return launched;
}

// Longer than a reconnect takes.
const AWAY_MS = 2_000;
// Longer than the library waits before it tries again to record the result of a job.
const RECORDING_MS = 10_000;
const ASK_MS = 250;

/**
 * Resolves once the runner has stopped and the results of all its jobs are recorded, for which the library does not wait. Fails while the
 * database is unavailable: the library would try for an hour. Other workers unlock such a job.
 */
async function waitForResults(stopping: Promise<void>, queue: pg.Pool, workerId: string): Promise<void> {
  let stopped_at: number | null = null;
  let away_at: number | null = null;
  // Whether it lost its connection does not matter: the locks say what was recorded.
  const stopped = stopping.catch(nullIfUnavailable).then(() => {
    stopped_at = Date.now();
  });
  const isLate = (since: number | null, ms: number) => since !== null && Date.now() - since > ms;
  while (!isLate(stopped_at, RECORDING_MS)) {
    await Promise.race([stopped, delay(ASK_MS)]);
    const wasStopped = stopped_at !== null;
    const locked = await countLocked(queue, workerId).catch(nullIfUnavailable);
    if (wasStopped && locked === 0) return;
    away_at = locked === null ? (away_at ?? Date.now()) : null;
    if (isLate(away_at, AWAY_MS)) throw new Error("the database is unavailable, so the result of a job may not have been recorded");
    if (wasStopped) await delay(ASK_MS);
  }
  throw new Error("the result of a job was not recorded in time; the job may run again");
}

function nullIfUnavailable(error: unknown): null {
  if (isUnavailable(error)) return null;
  throw error;
}

function tasksOf(options: WorkerOptions, places: JobPlaces): TaskList {
  const { handlers, log, onEnded = () => undefined, tracer = null, isObsolete = async () => false } = options;
  const inPlace = async (name: JobName, handle: () => Promise<void>): Promise<void> => {
    await places.enter(name);
    try {
      await handle();
    } finally {
      places.leave(name);
    }
  };
  const runJob = (name: JobName, payload: unknown, job: JobRow): Promise<void> => {
    const began = performance.now();
    const { traceparent, request_id } = metaOf(payload);
    const span = tracer?.beginJob(name, traceparent) ?? null;
    const running = inWork({ request_id, span }, async () => {
      const given = withoutMeta(payload);
      if (await isObsolete(name, given, job.created_at)) {
        log.info(lineOf(job, request_id), "job left out: what it was about is gone");
        return;
      }
      const handle = () => handlers[name](given as never);
      return name in limitedJobs ? inPlace(name, handle) : handle();
    });
    const ended = (outcome: "ok" | "error" | "failed"): object => {
      const ms = performance.now() - began;
      onEnded(name, outcome, ms / 1000);
      if (outcome !== "ok") span?.fail();
      span?.end({ "countersign.attempt": job.attempts, ...(request_id !== null && { "countersign.request_id": request_id }) });
      return { ...lineOf(job, request_id), ms: Math.round(ms) };
    };
    // Beside the job, and before the library sees its end: a stop waits for the result of a job only if it is known at once.
    running.then(
      () => log.info(ended("ok"), "job finished"),
      (error: unknown) => {
        classify(error);
        const isLast = job.attempts >= job.max_attempts;
        const line = ended(isLast ? "failed" : "error");
        log.error({ ...line, err: error }, isLast ? "job failed permanently" : "job failed and will be retried");
      },
    );
    return running;
  };
  const names = Object.keys(handlers) as JobName[];
  return Object.fromEntries(names.map((name) => [name, (payload: unknown, { job }: JobHelpers) => runJob(name, payload, job)]));
}

/**
 * The queue keeps only the message of an error. What kind it is decides what people are told about the job, so the class, and the code of a
 * problem, is put before it.
 */
function classify(error: unknown): void {
  if (!(error instanceof Error) || error.name === "Error") return;
  const code = error instanceof Problem ? ` ${error.code}` : "";
  error.message = `${error.name}${code}: ${error.message}`;
}

type JobRow = Pick<Job, "id" | "task_identifier" | "attempts" | "max_attempts" | "payload" | "created_at">;

/** What the log says of a job: ids only, because payloads contain addresses. */
function lineOf({ id, task_identifier, attempts, payload }: JobRow, request_id: string | null): object {
  const { org_id: org, envelope_id } = (payload ?? {}) as { org_id?: string; envelope_id?: string };
  return {
    task: task_identifier,
    job_id: id,
    ...(org && { org }),
    ...(envelope_id && { envelope_id }),
    ...(request_id !== null && { request_id }),
    attempt: attempts,
  };
}

interface Loop {
  /** Calls it at once, or again at once if it is running. */
  now(): void;
  turnedAt(): number;
  end(): Promise<void>;
}

/** Calls `run` repeatedly, never twice at the same time. A failure is logged and the next call tries again. */
function every(ms: number, log: Log, name: string, run: () => Promise<unknown>): Loop {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  let again = false;
  let turned_at = Date.now();
  let current: Promise<void> = Promise.resolve();
  const turn = () => {
    timer = undefined;
    again = false;
    current = run()
      .then(() => {
        turned_at = Date.now();
      })
      .catch((error) => log.error({ err: error, loop: name }, "worker loop"))
      .then(() => {
        if (!ended) timer = setTimeout(turn, again ? 0 : ms);
      });
  };
  turn();
  return {
    now() {
      again = true;
      if (timer === undefined || ended) return;
      clearTimeout(timer);
      turn();
    },
    turnedAt: () => turned_at,
    end() {
      ended = true;
      clearTimeout(timer);
      return current;
    },
  };
}
