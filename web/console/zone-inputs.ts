import { timeZone } from "./zone.ts";

/** Inputs for dates and times, which mean the zone of the user. */

/** How far the zone is ahead of UTC at a moment. */
function aheadMs(at: number): number {
  const options = {
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  } as const;
  const parts = new Intl.DateTimeFormat("en-US", { timeZone: timeZone(), ...options }).formatToParts(at);
  const part = (name: string): number => Number(parts.find(({ type }) => type === name)?.value);
  const local = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return local - Math.floor(at / 1_000) * 1_000;
}

/** "2026-01-31T09:30", as an input for a date and a time has it. */
export function inputTime(iso: string): string {
  const at = Date.parse(iso);
  return new Date(at + aheadMs(at)).toISOString().slice(0, 16);
}

/** "2026-01-31", as an input for a date has it. */
export const inputDay = (iso: string): string => inputTime(iso).slice(0, 10);

/** The moment that an input means. When clocks are put forward, an hour is skipped: a time in it is an hour later. */
export function momentOf(input: string): string {
  const asUtc = Date.parse(`${input}Z`);
  const at = asUtc - aheadMs(asUtc);
  return new Date(asUtc - aheadMs(at)).toISOString();
}

/** Midnight at the beginning of a day, or of a later one; null if there is no such day. */
export function midnight(day: string | null, later = 0): string | null {
  if (day === null || !/^\d{4}-\d\d-\d\d$/.test(day)) return null;
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const start = new Date(Date.UTC(year, month - 1, date));
  // `Date` turns 31 February into a day in March.
  if (start.toISOString().slice(0, 10) !== day) return null;
  start.setUTCDate(start.getUTCDate() + later);
  return momentOf(start.toISOString().slice(0, 16));
}
