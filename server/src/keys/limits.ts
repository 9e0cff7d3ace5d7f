import { DAY_MS, HOUR_MS } from "../shared/durations.ts";
import { invalidField } from "../shared/problems.ts";
import type { ApiKey } from "./key.ts";

/** When a key ends, and how audit entries name its limits. */

const MIN_AHEAD_MS = HOUR_MS;
const MAX_AHEAD_MS = 5 * 366 * DAY_MS;

/** `max_days` is the limit of the organization. A key for which no end was given gets the latest one. */
export function expiryOf(given: string | null | undefined, now: Date, max_days: number | null): Date | null {
  if (max_days !== null && given === undefined) return new Date(now.getTime() + max_days * DAY_MS);
  if (max_days !== null && (given === null || Date.parse(given ?? "") > now.getTime() + max_days * DAY_MS)) {
    throw invalidField("expires_at", "out_of_range", `must be at most ${max_days} days ahead, the limit of your organization`);
  }
  if (given === undefined || given === null) return null;
  const ahead = Date.parse(given) - now.getTime();
  if (ahead < MIN_AHEAD_MS || ahead > MAX_AHEAD_MS) {
    throw invalidField("expires_at", "out_of_range", "must be at least 1 hour and at most 5 years ahead");
  }
  return new Date(given);
}

/** For audit entries. */
export const limitsOf = ({ expires_at, allowed_cidrs }: Pick<ApiKey, "expires_at" | "allowed_cidrs">) => ({
  expires_at: expires_at?.toISOString() ?? null,
  allowed_cidrs,
});
