import { setTimeout as pause } from "node:timers/promises";
import { Problem } from "../shared/problems.ts";

export interface LaneLimits {
  /** log-ins of one address group that can wait */
  readonly waiting: number;
  /** log-ins of all groups together that can wait, in this process */
  readonly waiting_in_all: number;
  /** between two log-ins of one group, across all processes */
  readonly spacing_seconds: number;
  readonly pause: (ms: number) => Promise<unknown>;
}

export const LANE_LIMITS: LaneLimits = { waiting: 8, waiting_in_all: 500, spacing_seconds: 1, pause };

const RETRY_AFTER_SECONDS = 60;

const FULL = {
  location: "body",
  field: null,
  code: "unknown_browser",
  message:
    "too many log-ins from your network failed. Try again in a minute, use a browser that you have used before, or ask for a mailed link",
} as const;

interface Lane {
  waiting: number;
  last: Promise<unknown>;
}

/** Runs log-ins of an address group with too many failures one at a time. They are slow, but only rejected when the lane is full. */
export class LogInLane {
  readonly #limits: LaneLimits;
  readonly #lanes = new Map<string, Lane>();
  #waiting = 0;

  get spacing_seconds(): number {
    return this.#limits.spacing_seconds;
  }

  constructor(limits: LaneLimits = LANE_LIMITS) {
    this.#limits = limits;
  }

  /** Runs `work` after the log-ins before it, as soon as `isFree` returns true. It is called once per spacing. Throws 429 if too many wait. */
  async run<T>(group: string, isFree: () => Promise<boolean>, work: () => Promise<T>): Promise<T> {
    const lane = this.#enter(group);
    const turn = lane.last.then(async () => {
      try {
        while (!(await isFree())) await this.#limits.pause(this.spacing_seconds * 1_000);
      } finally {
        lane.waiting--;
        this.#waiting--;
      }
      return work();
    });
    const last = turn.catch(() => undefined);
    lane.last = last;
    try {
      return await turn;
    } finally {
      if (lane.last === last) this.#lanes.delete(group);
    }
  }

  #enter(group: string): Lane {
    const lane = this.#lanes.get(group) ?? { waiting: 0, last: Promise.resolve() };
    if (lane.waiting >= this.#limits.waiting || this.#waiting >= this.#limits.waiting_in_all) {
      throw new Problem("rate_limited", "log-in lane", { retryAfterSeconds: RETRY_AFTER_SECONDS, details: [FULL] });
    }
    this.#lanes.set(group, lane);
    lane.waiting++;
    this.#waiting++;
    return lane;
  }
}
