import type { Locale } from "@countersign/client/types";
import { signal } from "@preact/signals";
import { en, type Messages } from "./en.ts";
import { names, pageWords } from "./locales.ts";

export const languages = Object.entries(names) as readonly [Locale, string][];

export const words = signal<Messages>(en);
export const locale = signal<Locale>("en");

export async function speak(wanted: Locale): Promise<void> {
  words.value = wanted === "en" ? en : await pageWords[wanted]();
  locale.value = wanted;
  document.documentElement.lang = wanted;
}

// Browsers on systems without a language call theirs `en-US@posix`, which is no language tag.
const IS_TAG = /^[a-z]{2,3}(-[a-z\d]+)*$/i;

/** Dates as this computer writes them, if it speaks the page's language: 15/12 or 12/15 is not a matter of English. */
const region = (): string => navigator.languages.find((tag) => tag.startsWith(locale.value) && IS_TAG.test(tag)) ?? locale.value;

export function dateAndTime(iso: string): string {
  return new Intl.DateTimeFormat(region(), { dateStyle: "long", timeStyle: "short" }).format(new Date(iso));
}

/** Where a time is evidence it is also told in UTC. */
export function utcTime(iso: string): string {
  return `${iso.slice(0, 19).replace("T", " ")} UTC`;
}

/** A day without a time, as `YYYY-MM-DD`: the same day wherever the reader is. */
export function day(date: string): string {
  return new Intl.DateTimeFormat(region(), { dateStyle: "long", timeZone: "UTC" }).format(new Date(`${date}T00:00:00Z`));
}
