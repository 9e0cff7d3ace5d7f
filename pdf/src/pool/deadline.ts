// Deadlines by what a thread works, as the system counts it: on a busy machine the clock on the wall says more about the others.

import { readFileSync, readlinkSync } from "node:fs";

/** The calling thread, as a stopwatch knows it; null where the system does not tell threads apart. */
export function ownThread(): number | null {
  if (process.platform !== "linux") return null;
  try {
    return Number(/\/task\/(\d+)$/.exec(readlinkSync("/proc/thread-self"))?.[1] ?? 0) || null;
  } catch {
    // Some containers show no /proc.
    return null;
  }
}

export type Stopwatch = {
  /** By the clock; `performance.now()` of its start. */
  readonly began_at: number;
  /** What the thread has worked; by the clock where the system does not say. */
  readonly workedMs: () => number;
};

/** For a thread of this process. */
export function startStopwatch(thread: number | null): Stopwatch {
  const began_at = performance.now();
  const before = workOf(thread);
  let worked = 0;
  const workedMs = (): number => {
    if (before === null) return performance.now() - began_at;
    // What cannot be read now, say for want of file descriptors, is as it was.
    worked = (workOf(thread) ?? before + worked) - before;
    return worked;
  };
  return { began_at, workedMs };
}

function workOf(thread: number | null): number | null {
  if (thread === null) return null;
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${thread}/schedstat`, "utf8").split(" ");
    // A kernel that does not count it says 0, and no thread gets here without work.
    return Number(nanoseconds) / 1e6 || null;
  } catch {
    // The thread is gone, or nothing can be opened.
    return null;
  }
}

// The system counts in ticks of its own.
const LOOK_AGAIN_MS = 10;

export type Deadline = { readonly clear: () => void };

/** `onOver`: the thread has worked for so long; or, with `isStarved`, the clock says `patience` times as much and it has not. */
export function setDeadline(watch: Stopwatch, ms: number, patience: number, onOver: (isStarved: boolean) => void): Deadline {
  let timer = setTimeout(look, ms);
  function look(): void {
    const left = ms - watch.workedMs();
    const leftByClock = ms * patience - (performance.now() - watch.began_at);
    if (left <= 0) onOver(false);
    else if (leftByClock <= 0) onOver(true);
    else timer = setTimeout(look, Math.max(Math.min(left, leftByClock), LOOK_AGAIN_MS));
  }
  return { clear: () => clearTimeout(timer) };
}
