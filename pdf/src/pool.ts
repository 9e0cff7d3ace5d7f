// The pool processes uploads in threads that can be terminated, within deadlines and memory limits, with fair turns between callers. The
// calling thread parses nothing, so a file cannot block it.

import { availableParallelism } from "node:os";
import { NotAPdf, PdfBusy, UnreadablePdf } from "./errors.ts";
import type { JobKind, Jobs } from "./jobs.ts";
import { type Deadlines, type Ending, type Outcome, PoolWorker } from "./pool/pool-worker.ts";
import { errorOf, type Source, sizeOf, type Task, unexpected } from "./pool/protocol.ts";
import { bytesOf, type Priority, Queue } from "./pool/queue.ts";
import { bytesOfModel, type DocumentModel } from "./typeset/model.ts";
import type { Typeset } from "./typeset.ts";

const MB = 1024 * 1024;

const defaults = {
  /** Maximum number of threads. Guide: two per GiB of memory. */
  workers: Math.min(availableParallelism(), 4),
  /** For a whole job. Like all deadlines, it counts the time that the thread works. */
  deadline_ms: 30_000,
  /** For parsing a file, plus `open_ms_per_10_mb` depending on its size. */
  open_ms: 5_000,
  open_ms_per_10_mb: 1_000,
  /** For rendering one page or reading its text. */
  page_ms: 10_000,
  /** By the wall clock, a job may take this many times as long; after that the machine is overloaded, and the job fails with PdfBusy. */
  patience: 4,
  /** Limits of the queue; beyond either, jobs fail with PdfBusy. */
  waiting_jobs: 64,
  waiting_bytes: 256 * MB,
  /** A thread is terminated after either limit, because PDFium never releases memory. */
  idle_ms: 60_000,
  jobs_per_worker: 200,
  /** Memory of the process, above its use before the first thread. */
  memory_bytes_per_worker: 768 * MB,
};

export type PdfPoolSettings = { readonly [K in keyof typeof defaults]?: number };

/** The position of a job in the queue. */
export type Turn = {
  /** The caller; callers take turns by key. */
  readonly key?: string;
  /** interactive: a user is waiting at a screen; these jobs go first. */
  readonly priority?: Priority;
  /** The caller no longer needs the bytes: they are moved instead of copied, and empty afterwards. */
  readonly give_up_bytes?: boolean;
};

export type PdfPoolStats = {
  readonly workers: number;
  readonly running: number;
  readonly waiting: number;
  readonly waiting_bytes: number;
  readonly oldest_waiting_ms: number;
  /** `{ "ingest:ok": 12, "page:too_complex": 1 }` */
  readonly jobs: { readonly [kindAndOutcome: string]: number };
  /** Threads that were terminated or died during a job. */
  readonly kills: { readonly [reason in Ending["ended"]]: number };
};

/**
 * Each job takes the bytes or a file that contains them, a request, and a turn. Unless the bytes are given up, they must not change until
 * the promise settles; a file must not be deleted before then. Rejects with the classes of errors.ts, and with RangeError for a page that
 * does not exist, whatever the file contains.
 */
export type PdfPool = {
  readonly [K in Exclude<JobKind, "typeset">]: (source: Source, request: Jobs[K]["request"], turn?: Turn) => Promise<Jobs[K]["answer"]>;
} & {
  /** Creates a document of our own, without an input file. `label` is printed at the upper edge of every page. */
  readonly typeset: (model: DocumentModel, turn?: Turn, label?: string) => Promise<Typeset>;
  readonly stats: () => PdfPoolStats;
  /** Terminates all threads immediately; waiting and running jobs fail with PdfBusy. Resolves when the last thread has ended. */
  readonly close: () => Promise<void>;
};

// Often enough to notice a thread that takes a gigabyte per second.
const WATCH_MS = 100;
// A thread allocates about a gigabyte a second, and the event loop may be busy for a second or two.
const UNNOTICED_MB = 2_048;
const MAX_HEAP_MB = 16_384;

/**
 * Creates a pool. Threads start when there is work and end when they are idle.
 * @example const pool = createPdfPool({ workers: 2 }); const { bytes, fields } = await pool.ingest(upload, { tags: "template" }, { key:
 * org })
 */
export function createPdfPool(settings: PdfPoolSettings = {}): PdfPool {
  const pool = new Pool({ ...defaults, ...settings });
  return {
    ingest: (source, request, turn) => pool.run("ingest", source, request, turn),
    ingestToFile: (source, request, turn) => pool.run("ingestToFile", source, request, turn),
    anchors: (source, request, turn) => pool.run("anchors", source, request, turn),
    prepare: (source, request, turn) => pool.run("prepare", source, request, turn),
    combine: (source, request, turn) => pool.run("combine", source, request, turn),
    finish: (source, request, turn) => pool.run("finish", source, request, turn),
    preview: (source, request, turn) => pool.run("preview", source, request, turn),
    copy: (source, request, turn) => pool.run("copy", source, request, turn),
    placeSeal: (source, request, turn) => pool.run("placeSeal", source, request, turn),
    placeValidation: (source, request, turn) => pool.run("placeValidation", source, request, turn),
    placeTimeStamp: (source, request, turn) => pool.run("placeTimeStamp", source, request, turn),
    verify: (source, request, turn) => pool.run("verify", source, request, turn),
    inspect: (source, request, turn) => pool.run("inspect", source, request, turn),
    fingerprint: (source, request, turn) => pool.run("fingerprint", source, request, turn),
    page: (source, request, turn) => pool.run("page", source, request, turn),
    blank: (source, request, turn) => pool.run("blank", source, request, turn),
    text: (source, request, turn) => pool.run("text", source, request, turn),
    picture: (source, request, turn) => pool.run("picture", source, request, turn),
    typeset: (model, turn, label) => pool.run("typeset", bytesOfModel(model), label === undefined ? {} : { label }, turn),
    stats: () => pool.stats(),
    close: () => pool.close(),
  };
}

type Job = {
  readonly kind: JobKind;
  readonly source: Source;
  readonly request: Jobs[JobKind]["request"];
  readonly key: string;
  readonly priority: Priority;
  readonly give_up_bytes: boolean;
  readonly queued_at: number;
  /** It was terminated once because of memory, and now runs alone. */
  alone: boolean;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
};

class Pool {
  readonly #settings: typeof defaults;
  readonly #queue: Queue<Job>;
  readonly #workers = new Set<PoolWorker>();
  readonly #idle = new Map<PoolWorker, NodeJS.Timeout>();
  readonly #running = new Map<PoolWorker, Job>();
  readonly #retries: Job[] = [];
  readonly #outcomes: Record<string, number> = {};
  readonly #kills = { deadline: 0, starved: 0, memory: 0, crash: 0, closed: 0 };
  #base_rss = 0;
  #watch: NodeJS.Timeout | undefined;
  #closed: Promise<void> | null = null;
  #onLastExit: (() => void) | null = null;

  constructor(settings: typeof defaults) {
    this.#settings = settings;
    this.#queue = new Queue(settings.workers);
  }

  run<K extends JobKind>(kind: K, source: Source, request: Jobs[K]["request"], turn: Turn = {}): Promise<Jobs[K]["answer"]> {
    return new Promise((resolve, reject) => {
      const { key = "", priority = "interactive", give_up_bytes = false } = turn;
      const job: Job = { kind, source, request, key, priority, give_up_bytes, queued_at: performance.now(), alone: false, resolve, reject };
      // Bytes that were already given up are empty too.
      if (sizeOf(source) === 0) return this.#reject(job, new NotAPdf("no bytes"), "not_a_pdf");
      if (this.#closed !== null) return this.#reject(job, new PdfBusy("the pool is closed"), "busy");
      this.#queue.add(job);
      this.#dispatch();
      const { waiting_jobs, waiting_bytes } = this.#settings;
      // No caller gets more than half of the places or of the bytes, so that some are left for others. One job may always wait.
      const own = key === "" ? [] : this.#queue.of(key);
      const isOverHalf = own.length > Math.max(1, waiting_jobs / 2) || (own.length > 1 && bytesOf(own) > waiting_bytes / 2);
      if (!isOverHalf && this.#queue.length <= waiting_jobs && this.#queue.bytes <= waiting_bytes) return;
      if (this.#queue.remove(job)) this.#reject(job, new PdfBusy("too much is waiting"), "busy");
    });
  }

  stats(): PdfPoolStats {
    const oldest = this.#queue.oldest;
    return {
      workers: this.#workers.size,
      running: this.#running.size,
      waiting: this.#queue.length + this.#retries.length,
      waiting_bytes: this.#queue.bytes,
      oldest_waiting_ms: oldest === undefined ? 0 : performance.now() - oldest.queued_at,
      jobs: { ...this.#outcomes },
      kills: { ...this.#kills },
    };
  }

  close(): Promise<void> {
    if (this.#closed !== null) return this.#closed;
    this.#closed = new Promise((resolve) => {
      this.#onLastExit = resolve;
    });
    for (const job of [...this.#queue.empty(), ...this.#retries.splice(0)]) this.#reject(job, new PdfBusy("the pool is closed"), "busy");
    this.#retireIdle();
    for (const worker of this.#workers) worker.end({ ended: "closed" });
    if (this.#workers.size === 0) this.#onLastExit?.();
    return this.#closed;
  }

  #dispatch(): void {
    if (this.#closed !== null) return;
    if (this.#retries.length > 0) this.#dispatchAlone();
    while (this.#retries.length === 0 && ![...this.#running.values()].some((job) => job.alone)) {
      const idle = [...this.#idle.keys()].find((worker) => !worker.ending);
      if (idle === undefined && this.#workers.size >= this.#settings.workers) return;
      const job = this.#queue.take([...this.#running.values()]);
      if (job === undefined) return;
      this.#start(idle ?? this.#newWorker(), job);
    }
  }

  // When all other threads are gone, this job is responsible for the memory use.
  #dispatchAlone(): void {
    this.#retireIdle();
    if (this.#workers.size > 0) return;
    const job = this.#retries.shift();
    if (job !== undefined) this.#start(this.#newWorker(), job);
  }

  /** null if the system cannot start a thread; the job can be tried again, and the process continues. */
  #newWorker(): PoolWorker | null {
    if (this.#workers.size === 0) this.#base_rss = process.memoryUsage.rss();
    const onExit = (): void => {
      this.#workers.delete(worker);
      this.#forgetIdle(worker);
      if (this.#workers.size === 0) this.#onLastExit?.();
      this.#dispatch();
    };
    let worker: PoolWorker;
    try {
      worker = new PoolWorker(this.#heapLimit(), onExit);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_WORKER_INIT_FAILED") throw error;
      return null;
    }
    this.#workers.add(worker);
    return worker;
  }

  #start(worker: PoolWorker | null, job: Job): void {
    if (worker === null) {
      this.#reject(job, new PdfBusy("no thread can be started"), "busy");
      return;
    }
    this.#forgetIdle(worker);
    this.#running.set(worker, job);
    this.#watch ??= setInterval(() => this.#watchMemory(), WATCH_MS).unref();
    const { kind, request, source: given, give_up_bytes } = job;
    const deadlines = this.#deadlinesOf(job);
    const source = given instanceof Uint8Array && !(give_up_bytes && isMovable(given)) ? new Uint8Array(given) : given;
    worker.run({ kind, source, request } as Task, deadlines).then(
      (outcome) => this.#finish(worker, job, outcome),
      (error: unknown) => {
        this.#release(worker);
        this.#reject(job, error, "not_cloneable");
        this.#dispatch();
      },
    );
  }

  #deadlinesOf({ kind, source }: Job): Deadlines {
    const { deadline_ms, open_ms, open_ms_per_10_mb, page_ms, patience } = this.#settings;
    if (kind === "typeset") return { open_ms: null, job_ms: deadline_ms, patience };
    // PDFium opens the file and does not report when it has.
    if (kind === "page" || kind === "blank" || kind === "text" || kind === "picture")
      return { open_ms: null, job_ms: Math.min(page_ms, deadline_ms), patience };
    const opening = open_ms + Math.floor(sizeOf(source) / (10 * MB)) * open_ms_per_10_mb;
    return { open_ms: Math.min(opening, deadline_ms), job_ms: deadline_ms, patience };
  }

  #finish(worker: PoolWorker, job: Job, outcome: Outcome): void {
    const others = this.#running.size - 1;
    this.#release(worker);
    if ("answer" in outcome) {
      this.#count(job, "ok");
      job.resolve(outcome.answer as never);
    } else if ("fault" in outcome) {
      // After an unexpected error, the state of the thread is unknown.
      if (outcome.fault.fault === "unexpected") this.#retire(worker);
      this.#reject(job, errorOf(outcome.fault), outcome.fault.fault);
    } else {
      this.#kills[outcome.ended]++;
      const error = errorAfter(outcome, job, others) ?? (this.#closed === null ? null : new PdfBusy("the pool is closed"));
      if (error !== null) this.#reject(job, error, outcome.ended === "crash" ? "crash" : error.fault);
      else {
        job.alone = true;
        this.#retries.push(job);
      }
    }
    this.#dispatch();
  }

  #release(worker: PoolWorker): void {
    this.#running.delete(worker);
    if (this.#running.size === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    }
    if (worker.ending) return;
    if (worker.jobs >= this.#settings.jobs_per_worker) this.#retire(worker);
    else this.#idle.set(worker, setTimeout(() => this.#retire(worker), this.#settings.idle_ms).unref());
  }

  #retire(worker: PoolWorker): void {
    this.#forgetIdle(worker);
    worker.end({ ended: "closed" });
  }

  #retireIdle(): void {
    for (const worker of [...this.#idle.keys()]) this.#retire(worker);
  }

  #forgetIdle(worker: PoolWorker): void {
    clearTimeout(this.#idle.get(worker));
    this.#idle.delete(worker);
  }

  /** What all threads together may use, and what one can add before that is noticed. */
  #heapLimit(): number {
    const { workers, memory_bytes_per_worker } = this.#settings;
    return Math.min(Math.ceil((workers * memory_bytes_per_worker) / MB) + UNNOTICED_MB, MAX_HEAP_MB);
  }

  #watchMemory(): void {
    const { workers, memory_bytes_per_worker } = this.#settings;
    if (process.memoryUsage.rss() <= this.#base_rss + workers * memory_bytes_per_worker) return;
    // One at a time, because the memory of a terminated thread is still being released.
    if ([...this.#workers].some((worker) => worker.ending)) return;
    const begun = [...this.#running.keys()].filter((worker) => worker.began_at !== null);
    const longest = begun.sort((a, b) => (a.began_at ?? 0) - (b.began_at ?? 0))[0];
    longest?.end({ ended: "memory", of: "process" });
  }

  #reject(job: Job, error: unknown, outcome: string): void {
    this.#count(job, outcome);
    job.reject(error);
  }

  #count({ kind }: Job, outcome: string): void {
    const name = `${kind}:${outcome}`;
    this.#outcomes[name] = (this.#outcomes[name] ?? 0) + 1;
  }
}

/** The error for a job whose thread ended; null if the job is to run once more, alone. */
function errorAfter(ending: Ending, job: Job, others: number): UnreadablePdf | PdfBusy | null {
  if (ending.ended === "deadline") return new UnreadablePdf("too_complex", ending.limit);
  if (ending.ended === "starved") return new PdfBusy("the machine is too busy");
  if (ending.ended === "crash") return unexpected(ending.cause);
  if (ending.ended === "closed") return new PdfBusy("the pool is closed");
  // The thread's own limit was exceeded by this job; the limit of the process may have been exceeded by another one.
  const moved = sizeOf(job.source) === 0;
  const guilty = ending.of === "thread" || job.alone || (moved && others === 0);
  if (guilty) return new UnreadablePdf("too_complex", "more memory than allowed for a file");
  // Moved bytes were lost with the thread; the caller has to try again.
  return moved ? new PdfBusy("stopped to free memory") : null;
}

// A view shares its buffer with others (as all of Node's small Buffers do), which must not lose their data.
function isMovable({ buffer, byteLength }: Uint8Array): boolean {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
}
