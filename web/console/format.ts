import { language } from "./format-number.ts";
import { timeZone } from "./zone.ts";

/** The one place that formats dates and times. They are in English like the words around them, in the user's time zone. */

/** Making a format takes longer than using it, so it is made once for each zone. */
function inZone(options: Intl.DateTimeFormatOptions): (iso: string) => string {
  let made: Intl.DateTimeFormat | null = null;
  let zone = "";
  return (iso) => {
    const wanted = timeZone();
    if (made === null || zone !== wanted) made = new Intl.DateTimeFormat(language, { ...options, timeZone: wanted });
    zone = wanted;
    return made.format(new Date(iso));
  };
}

export const formatMoment = inZone({ dateStyle: "medium", timeStyle: "short" });
export const formatDay = inZone({ dateStyle: "medium" });

/** "Wednesday, November 18" */
export const formatToday = (now: Date): string =>
  new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long", timeZone: timeZone() }).format(now);

/** "Nov 18", of a day in UTC such as 2026-11-18 */
const shortDays = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" });
export const formatShortDay = (day: string): string => shortDays.format(new Date(day));

/** "3 hours ago" or "in 2 days" */
const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });
export const formatRelative = (count: number, unit: Intl.RelativeTimeFormatUnit): string => relative.format(count, unit);
