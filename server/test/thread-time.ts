import { readFileSync } from "node:fs";

/** Processor time that this thread has had so far. On Linux, other threads and processes do not count, however busy they are. */
export function threadTime_ms(): number {
  if (process.platform !== "linux") {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
  const [onProcessor_ns = Number.NaN] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ").map(Number);
  return onProcessor_ns / 1_000_000;
}

/** A run always does the same work, so the least of a few tries is its cost; the rest went to the compiler and to clearing memory. */
const TRIES = 5;
/** in which what seems too expensive takes turns with a plain loop */
const ROUNDS = 12;

/**
 * Whether a run costs the thread more than `most_ms` of processor time, on a machine of 2026. What does is tried again in turns with a plain
 * loop that takes as long on such a machine: a slower one, or one with busy neighbours, is slow for both.
 */
export function isTooExpensive(run: () => void, most_ms: number): boolean {
  for (let n = 0; n < TRIES; n++) if (time_ms(run) <= most_ms) return false;
  let [ours, loop] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let n = 0; n < ROUNDS; n++) {
    ours = Math.min(ours, time_ms(run));
    loop = Math.min(loop, loop_ms(most_ms));
  }
  return ours > loop;
}

/** The same for a request to a service in this thread. The client's own work counts too. */
export async function isRequestTooExpensive(send: () => Promise<unknown>, most_ms: number): Promise<boolean> {
  for (let n = 0; n < TRIES; n++) if ((await requestTime_ms(send)) <= most_ms) return false;
  let [ours, loop] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let n = 0; n < ROUNDS; n++) {
    ours = Math.min(ours, await requestTime_ms(send));
    loop = Math.min(loop, loop_ms(most_ms));
  }
  return ours > loop;
}

function time_ms(run: () => void): number {
  const before = threadTime_ms();
  run();
  return threadTime_ms() - before;
}

async function requestTime_ms(send: () => Promise<unknown>): Promise<number> {
  const before = threadTime_ms();
  await send();
  return threadTime_ms() - before;
}

const MEBIBYTE = JSON.parse(JSON.stringify(" {a0".repeat(262_144))) as string;

/** Walks over a mebibyte of text once for each millisecond, which takes about that long. */
const loop_ms = (ms: number): number =>
  time_ms(() => {
    let sum = 0;
    for (let n = 0; n < ms; n++) {
      for (let at = 0; at < MEBIBYTE.length; at++) sum = (sum * 31 + MEBIBYTE.charCodeAt(at)) | 0;
    }
    if (Number.isNaN(sum)) throw new Error("unreachable, but keeps the loop from being left out");
  });
