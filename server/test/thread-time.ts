import { readFileSync } from "node:fs";

/** The CPU time of this thread so far. On Linux, other threads and processes do not count, no matter how busy they are. */
export function threadTime_ms(): number {
  if (process.platform !== "linux") {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
  const [onProcessor_ns = Number.NaN] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ").map(Number);
  return onProcessor_ns / 1_000_000;
}

/** Every run does the same work, so the shortest of a few is its cost. The rest is compilation and garbage collection. */
const TRIES = 5;
/** the number of rounds in which a run that seems too expensive alternates with a plain loop */
const ROUNDS = 12;
/** A run that is this many times as expensive as the loop after these rounds needs no more. */
const FAR = 4;
const ENOUGH_ROUNDS = 3;

/**
 * Whether a run costs the thread more than `most_ms` of CPU time on a machine of 2026. A run that seems to is repeated, alternating with
 * a plain loop that takes `most_ms` on such a machine. On a slower or busy machine, both are slow.
 */
export function isTooExpensive(run: () => void, most_ms: number): boolean {
  for (let n = 0; n < TRIES; n++) if (time_ms(run) <= most_ms) return false;
  let [ours, loop] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let n = 0; n < ROUNDS; n++) {
    ours = Math.min(ours, time_ms(run));
    loop = Math.min(loop, loop_ms(most_ms));
    if (n >= ENOUGH_ROUNDS && ours > FAR * loop) return true;
  }
  return ours > loop;
}

/** The same for a request to a service in this thread. The client's own work is included. */
export async function isRequestTooExpensive(send: () => Promise<unknown>, most_ms: number): Promise<boolean> {
  for (let n = 0; n < TRIES; n++) if ((await requestTime_ms(send)) <= most_ms) return false;
  let [ours, loop] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let n = 0; n < ROUNDS; n++) {
    ours = Math.min(ours, await requestTime_ms(send));
    loop = Math.min(loop, loop_ms(most_ms));
    if (n >= ENOUGH_ROUNDS && ours > FAR * loop) return true;
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

/** Scans a mebibyte of text once for each millisecond, which takes about that long. */
const loop_ms = (ms: number): number =>
  time_ms(() => {
    let sum = 0;
    for (let n = 0; n < ms; n++) {
      for (let at = 0; at < MEBIBYTE.length; at++) sum = (sum * 31 + MEBIBYTE.charCodeAt(at)) | 0;
    }
    if (Number.isNaN(sum)) throw new Error("unreachable, but keeps the loop from being optimized away");
  });
