import type { Db } from "../db/connect.ts";
import { FairQueue, type Turn } from "../proofs/fair-queue.ts";
import { Problem } from "../shared/problems.ts";

const defaults = {
  /** How many connections visitors who are not logged in can use at the same time. */
  at_once: 1,
  /** How many statements can wait; one more is rejected. Enough for many people at once, but not for a flood. */
  waiting: 1_000,
};

// After each statement the queue pauses for this many times its duration, which leaves two thirds of the time to logged-in callers.
const PAUSE = 2;
// A statement that was slow because it waited for a lock did not use up database time, so the pause is limited.
const LONGEST_PAUSE_MS = 20;
const RETRY_AFTER_SECONDS = 1;

interface Waiting extends Turn {
  readonly begin: () => void;
  readonly refuse: (problem: Problem) => void;
}

/** Runs the database work of visitors without a session, one statement at a time and with pauses, so that a flood does not slow down others. */
export class VisitorQueue {
  readonly #limits: typeof defaults;
  readonly #queue = new FairQueue<Waiting>();
  #running = 0;

  constructor(limits: Partial<typeof defaults> = {}) {
    this.#limits = { ...defaults, ...limits };
  }

  /** The same database, but each call waits for its turn. Calls must not be nested: the inner call would wait for the outer one forever. */
  through({ lease, system }: Pick<Db, "lease" | "system">, turn: Turn): Pick<Db, "lease" | "system"> {
    return {
      lease: (run) => this.#pass(turn, () => lease(run)),
      system: (run) => this.#pass(turn, () => system(run)),
    };
  }

  async #pass<T>({ known, group }: Turn, run: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin, refuse) => {
      this.#queue.add({ known, group, begin, refuse });
      this.#next();
      if (this.#queue.length > this.#limits.waiting) this.#queue.shed()?.refuse(busy());
    });
    const began = performance.now();
    try {
      return await run();
    } finally {
      const pause_ms = Math.min((performance.now() - began) * PAUSE, LONGEST_PAUSE_MS);
      setTimeout(() => this.#leave(), pause_ms).unref();
    }
  }

  #leave(): void {
    this.#running--;
    this.#next();
  }

  #next(): void {
    while (this.#running < this.#limits.at_once) {
      const next = this.#queue.take();
      if (next === undefined) return;
      this.#running++;
      next.begin();
    }
  }
}

const busy = (): Problem => new Problem("passwords_busy", "", { retryAfterSeconds: RETRY_AFTER_SECONDS });
