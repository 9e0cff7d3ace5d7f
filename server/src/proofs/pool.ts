import { Worker } from "node:worker_threads";
import { Problem } from "../shared/problems.ts";
import { FairQueue, type Turn } from "./fair-queue.ts";
import type { Answer, Answers, AssertionResponse, PasskeyKey, PasskeySite, RegistrationResponse, Report, Task } from "./protocol.ts";

export type { Turn } from "./fair-queue.ts";

/** Slow hashes of passwords, codes and answers to identity questions, and checks of passkeys, in separate threads. */
export interface ProofPool {
  hash(text: string, turn: Turn): Promise<string>;
  verify(stored: string, text: string, turn: Turn): Promise<boolean>;
  /** Whether an attacker would guess the password soon. `own`: names and other words of the person and their organizations. */
  judge(password: string, own: readonly string[], turn: Turn): Promise<Answers["judge"]>;
  /** Checks a new passkey. `challenge` is the one that the browser was given, in base64url. */
  registerPasskey(site: PasskeySite, challenge: string, given: RegistrationResponse, turn: Turn): Promise<Answers["register"]>;
  /** Checks a log-in with a passkey. The caller stores the new count, and makes sure that the challenge works once. */
  checkPasskey(site: PasskeySite, challenge: string, given: AssertionResponse, passkey: PasskeyKey, turn: Turn): Promise<Answers["log_in"]>;
  stats(): ProofStats;
  /** Ends the threads. Waiting and running jobs are rejected as busy. */
  close(): Promise<void>;
}

export interface ProofStats {
  readonly threads: number;
  readonly running: number;
  readonly waiting: number;
  readonly hashed: number;
  readonly verified: number;
  readonly refused: number;
}

const defaults = {
  /** Maximum number of threads. */
  workers: 1,
  /** How many jobs can wait; one more is rejected. */
  waiting: 32,
  /** An idle thread ends after this time. A new one takes 50 ms to start. */
  idle_ms: 60_000,
  /** A file of breached passwords, ordered by their SHA-1. */
  breached_file: null as string | null,
};

export type ProofPoolSettings = Partial<typeof defaults>;

const RETRY_AFTER_SECONDS = 1;

// The thread runs built JavaScript, even if this module is run from source.
const WORKER_FILE = new URL(import.meta.url.endsWith(".ts") ? "../../dist/proofs/worker.js" : "./worker.js", import.meta.url);

export function createProofPool(settings: ProofPoolSettings = {}): ProofPool {
  const pool = new Pool({ ...defaults, ...settings });
  const { breached_file = null } = settings;
  return {
    hash: (text, turn) => pool.run({ kind: "hash", text }, turn),
    verify: (stored, text, turn) => pool.run({ kind: "verify", stored, text }, turn),
    judge: (text, own, turn) => pool.run({ kind: "judge", text, own, breached_file }, turn),
    registerPasskey: (site, challenge, given, turn) => pool.run({ kind: "register", site, challenge, given }, turn),
    checkPasskey: (site, challenge, given, passkey, turn) => pool.run({ kind: "log_in", site, challenge, given, passkey }, turn),
    stats: () => pool.stats(),
    close: () => pool.close(),
  };
}

interface Job extends Turn {
  readonly task: Task;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

class Pool {
  readonly #settings: typeof defaults;
  readonly #queue = new FairQueue<Job>();
  readonly #running = new Map<Worker, Job>();
  readonly #idle = new Map<Worker, NodeJS.Timeout>();
  readonly #threads = new Set<Worker>();
  readonly #done = { hash: 0, verify: 0, judge: 0, register: 0, log_in: 0 };
  #refused = 0;
  #closed = false;

  constructor(settings: typeof defaults) {
    this.#settings = settings;
  }

  run<T extends Task>(task: T, { known, group }: Turn): Promise<Answers[T["kind"]]> {
    return new Promise((resolve, reject) => {
      this.#queue.add({ task, known, group, resolve: resolve as Job["resolve"], reject });
      this.#dispatch();
      if (this.#queue.length > this.#settings.waiting || this.#closed) this.#refuse(this.#queue.shed());
    });
  }

  stats(): ProofStats {
    return {
      threads: this.#threads.size,
      running: this.#running.size,
      waiting: this.#queue.length,
      hashed: this.#done.hash,
      verified: this.#done.verify,
      refused: this.#refused,
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#refuseAll();
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  #dispatch(): void {
    while (this.#queue.length > 0 && !this.#closed) {
      const thread = this.#idle.keys().next().value ?? (this.#threads.size < this.#settings.workers ? this.#newThread() : undefined);
      // The system cannot start a thread. If there is none at all, the waiting jobs are rejected so that callers can retry.
      if (thread === null && this.#threads.size === 0) this.#refuseAll();
      if (thread === undefined || thread === null) return;
      const job = this.#queue.take();
      if (job !== undefined) this.#start(thread, job);
    }
  }

  #start(thread: Worker, job: Job): void {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
    this.#running.set(thread, job);
    // The process must not end while a job runs; an idle thread does not keep it alive.
    thread.ref();
    thread.postMessage(job.task);
  }

  #newThread(): Worker | null {
    let thread: Worker;
    try {
      // The thread needs no environment variables.
      thread = new Worker(WORKER_FILE, { env: {}, execArgv: [] });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_WORKER_INIT_FAILED") throw error;
      return null;
    }
    this.#threads.add(thread);
    thread.on("message", (report: Report) => this.#finish(thread, report));
    thread.on("error", (error) => this.#lose(thread, error));
    thread.on("exit", (code) => this.#lose(thread, new Error(`the thread for passwords ended with code ${code}`)));
    thread.unref();
    return thread;
  }

  #finish(thread: Worker, report: Report): void {
    const job = this.#running.get(thread);
    this.#running.delete(thread);
    thread.unref();
    this.#idle.set(thread, setTimeout(() => this.#retire(thread), this.#settings.idle_ms).unref());
    if (job !== undefined) this.#settle(job, report);
    this.#dispatch();
  }

  #settle(job: Job, report: Report): void {
    if ("failure" in report) {
      job.reject(new Error(report.failure));
    } else {
      this.#done[job.task.kind]++;
      job.resolve(report.answer);
    }
  }

  /** Removes the thread first, because a job that it got while ending would be lost. */
  #retire(thread: Worker): void {
    this.#idle.delete(thread);
    this.#threads.delete(thread);
    void thread.terminate();
  }

  /** Rejects the job of a thread that ended, and lets the other jobs continue in a new thread. */
  #lose(thread: Worker, cause: Error): void {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
    this.#threads.delete(thread);
    const job = this.#running.get(thread);
    this.#running.delete(thread);
    if (job !== undefined && this.#closed) this.#refuse(job);
    else job?.reject(cause);
    this.#dispatch();
  }

  #refuseAll(): void {
    while (this.#queue.length > 0) this.#refuse(this.#queue.shed());
  }

  #refuse(job: Job | undefined): void {
    this.#refused++;
    job?.reject(new Problem("passwords_busy", "", { retryAfterSeconds: RETRY_AFTER_SECONDS }));
  }
}
