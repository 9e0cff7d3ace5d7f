import { setTimeout as delay } from "node:timers/promises";

/** Limits how much the sweep reads in this process, so that people who open documents do not wait for it. */
export interface SweepPace {
  /** Until what was read before is paid for in time. */
  wait(): Promise<void>;
  took(bytes: number): void;
}

export function makeSweepPace(megabytesPerSecond: number): SweepPace {
  let free_at = 0;
  return {
    async wait() {
      for (let ms = free_at - performance.now(); ms > 0; ms = free_at - performance.now()) await delay(ms);
    },
    took(bytes) {
      free_at = Math.max(free_at, performance.now()) + bytes / (megabytesPerSecond * 1_000);
    },
  };
}
