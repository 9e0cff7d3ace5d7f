import { language } from "./format-number.ts";

/** The one place that formats dates and times. They are in English like the words around them, in the browser's time zone. */

const moments = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
export const formatMoment = (iso: string): string => moments.format(new Date(iso));

const days = new Intl.DateTimeFormat(language, { dateStyle: "medium" });
export const formatDay = (iso: string): string => days.format(new Date(iso));

/** "Wednesday, November 18" */
export const formatToday = (now: Date): string =>
  new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long" }).format(now);

/** "Nov 18", of a day in UTC such as 2026-11-18 */
const shortDays = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" });
export const formatShortDay = (day: string): string => shortDays.format(new Date(day));

/** "3 hours ago" or "in 2 days" */
const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });
export const formatRelative = (count: number, unit: Intl.RelativeTimeFormatUnit): string => relative.format(count, unit);

export const timeZone = (): string => moments.resolvedOptions().timeZone;

/** "2026-01-31T09:30" in the browser's time zone, as an input for a date and a time has it. */
export function inputTime(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
