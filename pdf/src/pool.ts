// The pool is how uploads are worked on: in threads that can be ended, within deadlines and memory, callers in turn. The thread
// that calls it parses nothing, so its own work goes on whatever a file does.

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
  /** Threads at most. Guide: two for each GiB of memory. */
  workers: Math.min(availableParallelism(), 4),
  /** A job as a whole, as all deadlines in the time that its thread works. */
  deadline_ms: 30_000,
  /** Parsing a file, and `open_ms_per_10_mb` more for its size. */
  open_ms: 5_000,
  open_ms_per_10_mb: 1_000,
  /** One page's picture or text. */
  page_ms: 10_000,
  /** By the clock it may last so many times as long; then the machine has no time for it, and the answer is PdfBusy. */
  patience: 4,
  /** What may wait; beyond either the answer is PdfBusy. */
  waiting_jobs: 64,
  waiting_bytes: 256 * MB,
  /** A thread retires after either: the memory that PDFium took is never given back. */
  idle_ms: 60_000,
  jobs_per_worker: 200,
  /** Of the process, above what it took before the first thread. */
  memory_bytes_per_worker: 768 * MB,
};

export type PdfPoolSettings = { readonly [K in keyof typeof defaults]?: number };

/** How a job stands among the others. */
export type Turn = {
  /** Whose work it is: callers take turns by it. */
  readonly key?: string;
  /** interactive: somebody waits at a screen, and goes first. */
  readonly priority?: Priority;
  /** The caller is done with the bytes: they are moved, not copied, and empty afterwards. */
  readonly give_up_bytes?: boolean;
};

export type PdfPoolStats = {
  readonly workers: number;
  readonly running: number;
  readonly waiting: number;
  readonly waiting_bytes: number;
  readonly oldest_waiting_ms: number;
  /** `{ "takeIn:ok": 12, "page:too_complex": 1 }` */
  readonly jobs: { readonly [kindAndOutcome: string]: number };
  /** Threads that were ended, or died, under a job. */
  readonly kills: { readonly [reason in Ending["ended"]]: number };
};

/**
 * Each job takes the bytes, or a file that holds them, what is asked, and its turn; unless they are given up, the bytes must not
 * change until the promise settles, and a file must stay. Rejects with the classes of errors.ts, and with RangeError for a page that is not there, whatever the file does.
 */
export type PdfPool = {
  readonly [K in Exclude<JobKind, "typeset">]: (source: Source, request: Jobs[K]["request"], turn?: Turn) => Promise<Jobs[K]["answer"]>;
} & {
  /** A document of our own: there is no file to begin with. */
  readonly typeset: (model: DocumentModel, turn?: Turn) => Promise<Typeset>;
  readonly stats: () => PdfPoolStats;
  /** Ends all threads at once; jobs that wait or run are PdfBusy. Resolves when the last thread is gone. */
  readonly close: () => Promise<void>;
};

// Often enough to see a thread that takes a gigabyte a second.
const WATCH_MS = 100;

/**
 * Threads start when there is work and end when there is none.
 * @example const pool = createPdfPool({ workers: 2 }); const { bytes, fields } = await pool.takeIn(upload, { tags: "template" }, { key: org })
 */
export function createPdfPool(settings: PdfPoolSettings = {}): PdfPool {
  const pool = new Pool({ ...defaults, ...settings });
  return {
    takeIn: (source, request, turn) => pool.run("takeIn", source, request, turn),
    takeInFile: (source, request, turn) => pool.run("takeInFile", source, request, turn),
    anchors: (source, request, turn) => pool.run("anchors", source, request, turn),
    prepare: (source, request, turn) => pool.run("prepare", source, request, turn),
    finish: (source, request, turn) => pool.run("finish", source, request, turn),
    preview: (source, request, turn) => pool.run("preview", source, request, turn),
    copy: (source, request, turn) => pool.run("copy", source, request, turn),
    placeSeal: (source, request, turn) => pool.run("placeSeal", source, request, turn),
    verify: (source, request, turn) => pool.run("verify", source, request, turn),
    inspect: (source, request, turn) => pool.run("inspect", source, request, turn),
    page: (source, request, turn) => pool.run("page", source, request, turn),
    text: (source, request, turn) => pool.run("text", source, request, turn),
    picture: (source, request, turn) => pool.run("picture", source, request, turn),
    typeset: (model, turn) => pool.run("typeset", bytesOfModel(model), {}, turn),
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
  /** It was ended for memory once, and now runs with nothing beside it. */
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
  readonly #again: Job[] = [];
  readonly #outcomes: Record<string, number> = {};
  readonly #kills = { deadline: 0, starved: 0, memory: 0, crash: 0, closed: 0 };
  #base_rss = 0;
  #watch: NodeJS.Timeout | undefined;
  #closed: Promise<void> | null = null;
  #lastIsGone: (() => void) | null = null;

  constructor(settings: typeof defaults) {
    this.#settings = settings;
    this.#queue = new Queue(settings.workers);
  }

  run<K extends JobKind>(kind: K, source: Source, request: Jobs[K]["request"], turn: Turn = {}): Promise<Jobs[K]["answer"]> {
    return new Promise((resolve, reject) => {
      const { key = "", priority = "interactive", give_up_bytes = false } = turn;
      const job: Job = { kind, source, request, key, priority, give_up_bytes, queued_at: performance.now(), alone: false, resolve, reject };
      // Bytes that were given up once are empty, too.
      if (sizeOf(source) === 0) return this.#refuse(job, new NotAPdf("no bytes"), "not_a_pdf");
      if (this.#closed !== null) return this.#refuse(job, new PdfBusy("the pool is closed"), "busy");
      this.#queue.add(job);
      this.#dispatch();
      const { waiting_jobs, waiting_bytes } = this.#settings;
      // Nobody takes more than half of the places or the bytes, so that there are some for somebody else. One job may always wait.
      const own = key === "" ? [] : this.#queue.of(key);
      const isOverHalf = own.length > Math.max(1, waiting_jobs / 2) || (own.length > 1 && bytesOf(own) > waiting_bytes / 2);
      if (!isOverHalf && this.#queue.length <= waiting_jobs && this.#queue.bytes <= waiting_bytes) return;
      if (this.#queue.remove(job)) this.#refuse(job, new PdfBusy("too much is waiting"), "busy");
    });
  }

  stats(): PdfPoolStats {
    const oldest = this.#queue.oldest;
    return {
      workers: this.#workers.size,
      running: this.#running.size,
      waiting: this.#queue.length + this.#again.length,
      waiting_bytes: this.#queue.bytes,
      oldest_waiting_ms: oldest === undefined ? 0 : performance.now() - oldest.queued_at,
      jobs: { ...this.#outcomes },
      kills: { ...this.#kills },
    };
  }

  close(): Promise<void> {
    if (this.#closed !== null) return this.#closed;
    this.#closed = new Promise((resolve) => {
      this.#lastIsGone = resolve;
    });
    for (const job of [...this.#queue.empty(), ...this.#again.splice(0)]) this.#refuse(job, new PdfBusy("the pool is closed"), "busy");
    this.#retireIdle();
    for (const worker of this.#workers) worker.end({ ended: "closed" });
    if (this.#workers.size === 0) this.#lastIsGone?.();
    return this.#closed;
  }

  #dispatch(): void {
    if (this.#closed !== null) return;
    if (this.#again.length > 0) this.#dispatchAlone();
    while (this.#again.length === 0 && ![...this.#running.values()].some((job) => job.alone)) {
      const idle = [...this.#idle.keys()].find((worker) => !worker.ending);
      if (idle === undefined && this.#workers.size >= this.#settings.workers) return;
      const job = this.#queue.take([...this.#running.values()]);
      if (job === undefined) return;
      this.#start(idle ?? this.#newWorker(), job);
    }
  }

  // With all other threads gone, what the process takes is this job's doing.
  #dispatchAlone(): void {
    this.#retireIdle();
    if (this.#workers.size > 0) return;
    const job = this.#again.shift();
    if (job !== undefined) this.#start(this.#newWorker(), job);
  }

  /** null if the system gives us no thread: its job can come again, and the process goes on. */
  #newWorker(): PoolWorker | null {
    if (this.#workers.size === 0) this.#base_rss = process.memoryUsage.rss();
    const onExit = (): void => {
      this.#workers.delete(worker);
      this.#forgetIdle(worker);
      if (this.#workers.size === 0) this.#lastIsGone?.();
      this.#dispatch();
    };
    let worker: PoolWorker;
    try {
      worker = new PoolWorker(onExit);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_WORKER_INIT_FAILED") throw error;
      return null;
    }
    this.#workers.add(worker);
    return worker;
  }

  #start(worker: PoolWorker | null, job: Job): void {
    if (worker === null) {
      this.#refuse(job, new PdfBusy("no thread can be started"), "busy");
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
        this.#leave(worker);
        this.#refuse(job, error, "not_cloneable");
        this.#dispatch();
      },
    );
  }

  #deadlinesOf({ kind, source }: Job): Deadlines {
    const { deadline_ms, open_ms, open_ms_per_10_mb, page_ms, patience } = this.#settings;
    if (kind === "typeset") return { open_ms: null, job_ms: deadline_ms, patience };
    // PDFium opens the file, and does not say when it has.
    if (kind === "page" || kind === "text" || kind === "picture")
      return { open_ms: null, job_ms: Math.min(page_ms, deadline_ms), patience };
    const opening = open_ms + Math.floor(sizeOf(source) / (10 * MB)) * open_ms_per_10_mb;
    return { open_ms: Math.min(opening, deadline_ms), job_ms: deadline_ms, patience };
  }

  #finish(worker: PoolWorker, job: Job, outcome: Outcome): void {
    const others = this.#running.size - 1;
    this.#leave(worker);
    if ("answer" in outcome) {
      this.#count(job, "ok");
      job.resolve(outcome.answer as never);
    } else if ("fault" in outcome) {
      // After a failure that nobody foresaw, the thread's state is unknown, too.
      if (outcome.fault.fault === "unexpected") this.#retire(worker);
      this.#refuse(job, errorOf(outcome.fault), outcome.fault.fault);
    } else {
      this.#kills[outcome.ended]++;
      const refusal = refusalAfter(outcome, job, others) ?? (this.#closed === null ? null : new PdfBusy("the pool is closed"));
      if (refusal !== null) this.#refuse(job, refusal, outcome.ended === "crash" ? "crash" : refusal.fault);
      else {
        job.alone = true;
        this.#again.push(job);
      }
    }
    this.#dispatch();
  }

  #leave(worker: PoolWorker): void {
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

  #watchMemory(): void {
    const { workers, memory_bytes_per_worker } = this.#settings;
    if (process.memoryUsage.rss() <= this.#base_rss + workers * memory_bytes_per_worker) return;
    // One at a time: what an ended thread held is still on its way back.
    if ([...this.#workers].some((worker) => worker.ending)) return;
    const begun = [...this.#running.keys()].filter((worker) => worker.began_at !== null);
    const longest = begun.sort((a, b) => (a.began_at ?? 0) - (b.began_at ?? 0))[0];
    longest?.end({ ended: "memory", of: "process" });
  }

  #refuse(job: Job, error: unknown, outcome: string): void {
    this.#count(job, outcome);
    job.reject(error);
  }

  #count({ kind }: Job, outcome: string): void {
    const name = `${kind}:${outcome}`;
    this.#outcomes[name] = (this.#outcomes[name] ?? 0) + 1;
  }
}

/** What the caller is told about a job whose thread ended; null if it is to run once more, with nothing beside it. */
function refusalAfter(ending: Ending, job: Job, others: number): UnreadablePdf | PdfBusy | null {
  if (ending.ended === "deadline") return new UnreadablePdf("too_complex", ending.limit);
  if (ending.ended === "starved") return new PdfBusy("the machine is too busy for it");
  if (ending.ended === "crash") return unexpected(ending.cause);
  if (ending.ended === "closed") return new PdfBusy("the pool is closed");
  // The thread's own limit is this job's doing; the process's limit may be another's.
  const moved = sizeOf(job.source) === 0;
  const guilty = ending.of === "thread" || job.alone || (moved && others === 0);
  if (guilty) return new UnreadablePdf("too_complex", "more memory than a file may take");
  // Bytes that were moved went with the thread; whoever gave them has to come again.
  return moved ? new PdfBusy("ended to free memory") : null;
}

// A view shares its buffer with others (Node's small Buffers all do), and those must not lose theirs.
function isMovable({ buffer, byteLength }: Uint8Array): boolean {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
}
