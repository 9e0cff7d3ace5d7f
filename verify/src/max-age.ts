import { WrongUsage } from "./command.ts";

export type Age = { readonly ms: number; readonly given: string };

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** @example readAge("24h").ms === 86_400_000 */
export function readAge(given: string): Age {
  const [, count, unit] = /^([1-9]\d{0,8})([smhd])$/.exec(given) ?? [];
  if (count === undefined || unit === undefined) {
    throw new WrongUsage("--max-age must be a number of seconds, minutes, hours or days, such as 90s, 15m, 24h or 7d.");
  }
  return { ms: Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS], given };
}

// The clock of this computer may be behind.
const AHEAD_MS = 5 * 60_000;

/** Why it is too old, or null. One that is as of a time to come says nothing about its age. */
export function ageFault(at: string, { ms, given }: Age, now: Date, what: "bundle" | "answer" = "bundle"): string | null {
  if (new Date(at).getTime() - now.getTime() > AHEAD_MS) return `The ${what} is as of ${at}, which is after ${now.toISOString()}.`;
  return now.getTime() - new Date(at).getTime() <= ms
    ? null
    : `The ${what} is as of ${at}, which is more than ${given} before ${now.toISOString()}.`;
}

const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** A time with its zone, or a day, which begins at 00:00 UTC. Returned as audit entries write times. */
export function readTime(given: string): string {
  const time = new Date(given);
  if (TIME.test(given) && !Number.isNaN(time.getTime())) return time.toISOString();
  throw new WrongUsage("--as-of must be a time with its zone, such as 2026-03-05T12:00:00Z, or a day, such as 2026-03-05.");
}
