import { HOUR_SECONDS as HOUR, MINUTE_SECONDS as MINUTE } from "../shared/durations.ts";

// Greylisting lets a second attempt in after minutes; a mail server that is being mended is back within hours. Nine attempts in
// about 23 hours: who has not got a message within a day is better told another way, and the outbox says that it failed.
const PAUSES_SECONDS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 8 * HOUR];

/** How long to wait after this attempt (counted from 1) failed; null when it was the last. */
export function pauseAfter(attempt: number): number | null {
  return PAUSES_SECONDS[attempt - 1] ?? null;
}
