// One thread and the deadlines of its job. Whatever happens to the thread, the job gets exactly one outcome.

import { Worker } from "node:worker_threads";
import { type Deadline, setDeadline, startStopwatch } from "./deadline.ts";
import type { Fault, Report, Task } from "./protocol.ts";

/**
 * deadline: it took too long; `limit` says which limit. starved: the machine was too busy. memory: it used too much memory. crash: the
 * thread died. closed: the pool was closed.
 */
export type Ending =
  | { readonly ended: "deadline"; readonly limit: string }
  | { readonly ended: "starved" }
  | { readonly ended: "memory"; readonly of: "thread" | "process" }
  | { readonly ended: "crash"; readonly cause: unknown }
  | { readonly ended: "closed" };

export type Outcome = { readonly answer: unknown } | { readonly fault: Fault } | Ending;

/**
 * Counted from the start of the work. `open_ms` applies until the file is parsed; null if that is not measured separately. Both count CPU
 * time if the system provides it; by the wall clock the thread may take `patience` times as long.
 */
export type Deadlines = { readonly open_ms: number | null; readonly job_ms: number; readonly patience: number };

const STACK_MB = 4;

// Loading the libraries takes 0.3 s. A thread that has not begun after START_MS has not looked at the file, and must not occupy its place
// forever.
const START_MS = 30_000;

// The thread runs the built JavaScript, even if this module is run from source.
const WORKER_FILE = new URL(import.meta.url.endsWith(".ts") ? "../../dist/worker.js" : "../worker.js", import.meta.url);

export class PoolWorker {
  readonly #thread: Worker;
  #settle: ((outcome: Outcome) => void) | null = null;
  #deadlines: Deadlines | null = null;
  #starting: NodeJS.Timeout | undefined;
  #opening: Deadline | undefined;
  #working: Deadline | undefined;
  /** Number of jobs so far. */
  jobs = 0;
  /** When the current job began, by `performance.now()`; null if none is running. */
  began_at: number | null = null;
  ending = false;

  /**
   * `heap_mb` must be more than the pool allows the whole process, which it watches. At this limit V8 ends the thread if it can, and the whole
   * process if a single array or map asks for more than 16 MB at that moment.
   */
  constructor(heap_mb: number, onExit: () => void) {
    // No environment variables, because a parser needs none. Output of the libraries about a file does not reach our log.
    this.#thread = new Worker(WORKER_FILE, {
      resourceLimits: { maxOldGenerationSizeMb: heap_mb, stackSizeMb: STACK_MB },
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    this.#thread.stdout.resume();
    this.#thread.stderr.resume();
    this.#thread.on("message", (report: Report) => this.#onReport(report));
    this.#thread.on("error", (error) => this.#onDeath(error));
    this.#thread.on("exit", (code) => {
      this.#onDeath(new Error(`the thread ended with code ${code}`));
      onExit();
    });
    this.#thread.unref();
  }

  /** Runs one job. Rejects only if the request cannot be cloned. Transfers the buffer of the bytes. */
  run(task: Task, deadlines: Deadlines): Promise<Outcome> {
    this.jobs++;
    this.#deadlines = deadlines;
    // A running job keeps the process alive; an idle thread does not.
    this.#thread.ref();
    return new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#starting = setTimeout(() => this.end({ ended: "starved" }), START_MS);
      try {
        this.#thread.postMessage(task, task.source instanceof Uint8Array ? [task.source.buffer as ArrayBuffer] : []);
      } catch (error) {
        // The request cannot be cloned: the caller's mistake, of which the thread knows nothing.
        this.#settle = null;
        this.#done({ ended: "closed" });
        reject(error);
      }
    });
  }

  /** Terminates the thread, even in an endless loop. Its job, if any, gets this outcome. */
  end(outcome: Ending): void {
    this.ending = true;
    this.#done(outcome);
    void this.#thread.terminate();
  }

  #onReport(report: Report): void {
    if (report.is === "answered") this.#done({ answer: report.answer });
    else if (report.is === "refused") this.#done({ fault: report.fault });
    else if (report.is === "opened") this.#opening?.clear();
    else this.#begin(report.thread);
  }

  #begin(thread: number | null): void {
    if (this.#settle === null || this.#deadlines === null) return;
    const { open_ms, job_ms, patience } = this.#deadlines;
    const watch = startStopwatch(thread);
    this.began_at = watch.began_at;
    this.#clearDeadlines();
    const limit = (ms: number, of: string): Deadline =>
      setDeadline(watch, ms, patience, (isStarved) =>
        this.end(isStarved ? { ended: "starved" } : { ended: "deadline", limit: `more than ${seconds(ms)} ${of}` }),
      );
    this.#working = limit(job_ms, "of work");
    if (open_ms !== null) this.#opening = limit(open_ms, "to open");
  }

  #onDeath(cause: Error & { code?: string }): void {
    this.ending = true;
    this.#done(cause.code === "ERR_WORKER_OUT_OF_MEMORY" ? { ended: "memory", of: "thread" } : { ended: "crash", cause });
  }

  #done(outcome: Outcome): void {
    this.#clearDeadlines();
    this.began_at = null;
    this.#thread.unref();
    const settle = this.#settle;
    this.#settle = null;
    settle?.(outcome);
  }

  #clearDeadlines(): void {
    clearTimeout(this.#starting);
    this.#opening?.clear();
    this.#working?.clear();
  }
}

const seconds = (ms: number): string => `${Number((ms / 1000).toFixed(1))} s`;
