// Decides which job is next. Interactive work goes before background work; within each, callers take turns, and no caller can occupy all
// workers while another is waiting.

import type { JobKind } from "../jobs.ts";
import { type Source, sizeOf } from "./protocol.ts";

export type Priority = "interactive" | "background";

export type Waiting = { readonly kind: JobKind; readonly key: string; readonly priority: Priority; readonly source: Source };

// Most signed documents are smaller than a tenth of this.
const LARGE_BYTES = 10 * 1024 * 1024;

// PDFium reads only the parts of a file that a page needs, so these are short for a file of any size.
const SHORT_JOBS: readonly JobKind[] = ["page", "text"];

const isLongRunning = ({ kind, priority, source }: Waiting): boolean =>
  priority === "background" || (sizeOf(source) >= LARGE_BYTES && !SHORT_JOBS.includes(kind));

/** Bytes in memory; files stay on disk. */
export const bytesOf = (jobs: readonly Waiting[]): number =>
  jobs.reduce((sum, { source }) => sum + (source instanceof Uint8Array ? source.length : 0), 0);

export class Queue<Job extends Waiting> {
  readonly #workers: number;
  #waiting: Job[] = [];
  /** The turn at which each waiting caller was last served. Callers that are not waiting are forgotten. */
  #served = new Map<string, number>();
  #turns = 0;

  constructor(workers: number) {
    this.#workers = workers;
  }

  get length(): number {
    return this.#waiting.length;
  }

  get bytes(): number {
    return bytesOf(this.#waiting);
  }

  of(key: string): readonly Job[] {
    return this.#waiting.filter((job) => job.key === key);
  }

  get oldest(): Job | undefined {
    return this.#waiting[0];
  }

  add(job: Job): void {
    this.#waiting.push(job);
  }

  /** Returns false if it was not waiting. */
  remove(job: Job): boolean {
    const before = this.#waiting.length;
    this.#waiting = this.#waiting.filter((other) => other !== job);
    return this.#waiting.length < before;
  }

  empty(): Job[] {
    const jobs = this.#waiting;
    this.#waiting = [];
    return jobs;
  }

  /** The next job, given the running jobs; undefined if none may start now. */
  take(running: readonly Waiting[]): Job | undefined {
    const half = Math.max(1, Math.floor(this.#workers / 2));
    const held = (key: string): number => running.filter((job) => job.key === key).length;
    const allowed = this.#waiting.filter((job) => this.#leavesRoom(job, running));
    // A caller may hold more than half of the workers only if no other caller can use them.
    const next = this.#first(allowed.filter((job) => held(job.key) < half)) ?? this.#first(allowed);
    if (next === undefined) return undefined;
    this.remove(next);
    this.#served.set(next.key, ++this.#turns);
    const keys = new Set(this.#waiting.map((job) => job.key));
    for (const key of this.#served.keys()) if (!keys.has(key)) this.#served.delete(key);
    return next;
  }

  // With two or more workers, one is always kept free of long-running work, so that a user who looks at a page waits neither for a batch
  // nor for many large uploads.
  #leavesRoom(job: Waiting, running: readonly Waiting[]): boolean {
    return !isLongRunning(job) || running.filter(isLongRunning).length < Math.max(1, this.#workers - 1);
  }

  #first(jobs: readonly Job[]): Job | undefined {
    const rank = (job: Job): number => (job.priority === "interactive" ? 0 : 1);
    const turn = (job: Job): number => this.#served.get(job.key) ?? 0;
    // The sort is stable, so ties keep the order of arrival.
    return [...jobs].sort((a, b) => rank(a) - rank(b) || turn(a) - turn(b))[0];
  }
}
