import { HOUR_SECONDS as HOUR, MINUTE_SECONDS as MINUTE } from "../shared/durations.ts";

// Greylisting accepts a second attempt after minutes, and a mail server that is down is usually back within hours. Nine attempts take
// about 23 hours. After a day the sender should contact the recipient in another way, and the outbox shows the message as failed.
const PAUSES_SECONDS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 8 * HOUR];

/** Seconds to wait after this failed attempt (counted from 1); null after the last attempt. */
export function pauseAfter(attempt: number): number | null {
  return PAUSES_SECONDS[attempt - 1] ?? null;
}
