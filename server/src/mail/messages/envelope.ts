import type { Locale } from "../../shared/locales.ts";
import { oneLine } from "../plain-text.ts";

/** What every message about an envelope needs. */
export interface EnvelopeFacts {
  readonly envelope_name: string;
  readonly org_name: string;
}

// A name can have thousands of characters. Within a sentence its beginning is enough.
const NAME_CHARACTERS = 80;

export function named(name: string): string {
  return oneLine(name, NAME_CHARACTERS);
}

/** Of dates. British English writes the day before the month, as the other languages do, and 24 hours. */
const REGIONS: Readonly<Record<Locale, string>> = { en: "en-GB", es: "es", fr: "fr", de: "de" };

/** "Wednesday 4 March 2026 at 06:06 CET". `time_zone`: of the IANA database, such as Europe/Berlin. */
export function zonedTime(at: Date, locale: Locale, time_zone: string): string {
  const known = clocks.get(`${locale} ${time_zone}`);
  if (known !== undefined) return known.format(at);
  const made = new Intl.DateTimeFormat(REGIONS[locale], { ...DAY_AND_TIME, timeZone: time_zone });
  clocks.set(`${locale} ${time_zone}`, made);
  return made.format(at);
}

// Made once, because making one takes longer than the rest of a message. There are some hundred zones.
const clocks = new Map<string, Intl.DateTimeFormat>();
const DAY_AND_TIME = {
  ...({ weekday: "long", day: "numeric", month: "long", year: "numeric" } as const),
  ...({ hour: "2-digit", minute: "2-digit", timeZoneName: "short" } as const),
};

const dateAndTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** "4 March 2026 at 05:06 UTC", for members, whose time zone is not known. */
export function utc(at: Date): string {
  return `${dateAndTime.format(at)} UTC`;
}
