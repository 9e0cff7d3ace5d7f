import { HOUR_SECONDS as HOUR, MINUTE_SECONDS as MINUTE } from "../shared/durations.ts";
import type { Failure } from "./send-request.ts";

/** How an attempt ended, as far as the next one depends on it. */
export type Tried =
  | { readonly kind: "answered"; readonly code: number; readonly retry_after_seconds: number | null }
  | { readonly kind: "failed"; readonly error: Failure | string };

/**
 * Seconds before the second attempt, the third, …: ten attempts over about 76 hours, so that an outage over a long weekend loses nothing.
 */
export const RETRY_SCHEDULE: readonly number[] = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

// Receivers that failed together must not all be retried at the same moment.
const JITTER = 0.2;
// Receivers that report an overload, or seem overloaded, are not retried immediately.
const BUSY_CODES = [429, 502, 504];
const BUSY_SECONDS = 60;

/** The longest that a delivery can wait for its next attempt: the maximum jitter, doubled by a receiver's `Retry-After`. */
export function longestWait(schedule: readonly number[]): number {
  return Math.max(0, ...schedule) * (1 + JITTER) * 2;
}

/** Seconds until the next attempt, or null if there is none. `failures`: those of this run, including the latest; `random`: 0 to 1. */
export function retryDelay(schedule: readonly number[], failures: number, outcome: Tried, random: number): number | null {
  const planned = schedule[failures - 1];
  if (planned === undefined) return null;
  const jittered = planned * (1 - JITTER + 2 * JITTER * random);
  const delay = isBusy(outcome) ? Math.max(jittered, BUSY_SECONDS) : jittered;
  const asked = outcome.kind === "answered" ? outcome.retry_after_seconds : null;
  // A receiver can ask for a longer delay, but not postpone an event indefinitely.
  return asked === null ? delay : Math.min(Math.max(delay, asked), 2 * delay);
}

function isBusy(outcome: Tried): boolean {
  return outcome.kind === "answered" ? BUSY_CODES.includes(outcome.code) : outcome.error === "timeout";
}

/** The header in seconds: a number or a date (RFC 9110, 10.2.3). Other values are ignored. */
export function parseRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const at = /GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, (at - now) / 1000);
}
