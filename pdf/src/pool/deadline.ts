// Deadlines count a thread's CPU time, as measured by the system: on a busy machine, wall-clock time depends mostly on other work.

import { readFileSync, readlinkSync } from "node:fs";

/** The ID of the calling thread for a stopwatch; null if the system does not distinguish threads. */
export function ownThread(): number | null {
  if (process.platform !== "linux") return null;
  try {
    return Number(/\/task\/(\d+)$/.exec(readlinkSync("/proc/thread-self"))?.[1] ?? 0) || null;
  } catch {
    // Some containers have no /proc.
    return null;
  }
}

export type Stopwatch = {
  /** Wall-clock start, from `performance.now()`. */
  readonly began_at: number;
  /** CPU time of the thread; wall-clock time if the system does not provide it. */
  readonly workedMs: () => number;
};

/** Starts a stopwatch for a thread of this process. */
export function startStopwatch(thread: number | null): Stopwatch {
  const began_at = performance.now();
  const before = workOf(thread);
  let worked = 0;
  const workedMs = (): number => {
    if (before === null) return performance.now() - began_at;
    // If the value cannot be read now, for example for lack of file descriptors, the last one is used.
    worked = (workOf(thread) ?? before + worked) - before;
    return worked;
  };
  return { began_at, workedMs };
}

function workOf(thread: number | null): number | null {
  if (thread === null) return null;
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${thread}/schedstat`, "utf8").split(" ");
    // A kernel that does not measure it reports 0, which is impossible for a thread that got here.
    return Number(nanoseconds) / 1e6 || null;
  } catch {
    // The thread has ended, or no file can be opened.
    return null;
  }
}

// The system measures in ticks.
const LOOK_AGAIN_MS = 10;

export type Deadline = { readonly clear: () => void };

// A thread that gets this part of the smallest share that `patience` expects still finishes in a foreseeable time.
const ADVANCING = 1 / 3;

/**
 * Calls `onOver` when the thread has worked this long, or, with `isStarved`, when `patience` times as much wall-clock time has passed
 * before that. A thread that has worked for a fair part of that time by then gets more, so that a file on which it hangs is recognised as
 * such: an answer to try again later would be wrong for it.
 */
export function setDeadline(watch: Stopwatch, ms: number, patience: number, onOver: (isStarved: boolean) => void): Deadline {
  let timer = setTimeout(look, ms);
  function look(): void {
    const worked = watch.workedMs();
    const left = ms - worked;
    const elapsed = performance.now() - watch.began_at;
    const leftByClock = ms * patience - elapsed;
    // At most 1 / ADVANCING times as long: by then it has worked for `ms`.
    const isAdvancing = worked >= (elapsed / patience) * ADVANCING;
    if (left <= 0) onOver(false);
    else if (leftByClock <= 0 && !isAdvancing) onOver(true);
    else timer = setTimeout(look, Math.max(leftByClock <= 0 ? left : Math.min(left, leftByClock), LOOK_AGAIN_MS));
  }
  return { clear: () => clearTimeout(timer) };
}
