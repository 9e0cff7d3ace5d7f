import type { Db } from "../db/connect.ts";
import { FairQueue, type Turn } from "../proofs/fair-queue.ts";
import { Problem } from "../shared/problems.ts";

const defaults = {
  /** Connections that those who are not signed in use at once. */
  at_once: 1,
  /** Statements that wait; one more is refused. Longer than a crowd of people, shorter than a flood. */
  waiting: 1_000,
};

// After each statement the connection rests this many times as long: two thirds of the time nobody inside meets anybody from the door.
const PAUSE = 2;
// One that had to wait for a lock took no time of anybody's.
const LONGEST_PAUSE_MS = 20;
const RETRY_AFTER_SECONDS = 1;

interface Waiting extends Turn {
  readonly begin: () => void;
  readonly refuse: (problem: Problem) => void;
}

/** What those who are not signed in ask of the database goes through here, one at a time and with pauses: a crowd at the door slows nobody inside. */
export class Turnstile {
  readonly #limits: typeof defaults;
  readonly #queue = new FairQueue<Waiting>();
  #running = 0;

  constructor(limits: Partial<typeof defaults> = {}) {
    this.#limits = { ...defaults, ...limits };
  }

  /** The same database, which this caller has to wait for. A call inside another would wait for itself: none may be nested. */
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
