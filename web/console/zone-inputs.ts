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
export const momentOf = (input: string): string => momentAt(Date.parse(`${input}Z`));

/** `asUtc`: the moment, if the input meant UTC */
function momentAt(asUtc: number): string {
  const at = asUtc - aheadMs(asUtc);
  return new Date(asUtc - aheadMs(at)).toISOString();
}

/** Midnight at the beginning of a day, or of a later one; null if there is no such day. */
export function midnight(day: string | null, later = 0): string | null {
  if (day === null || !isDay(day)) return null;
  const start = new Date(day);
  start.setUTCDate(start.getUTCDate() + later);
  return momentAt(start.getTime());
}

function isDay(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  // `Date` turns 31 February into a day in March.
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === text;
}

// The address bar accepts years that the service does not. Nothing in a list is older or newer than these.
const FIRST_DAY = "1970-01-01";
export const LAST_DAY = "2100-12-31";

/** The day by which a list is filtered; null without one. */
export function filterDay(given: string | null): string | null {
  if (given === null || !isDay(given)) return null;
  return given < FIRST_DAY ? FIRST_DAY : given > LAST_DAY ? LAST_DAY : given;
}
