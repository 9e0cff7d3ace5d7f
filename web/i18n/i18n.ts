import type { Locale } from "@countersign/client/types";
import { signal } from "@preact/signals";
import { en, type Messages } from "./en.ts";
import { names, pageWords } from "./locales.ts";

export const languages = Object.entries(names) as readonly [Locale, string][];

export const words = signal<Messages>(en);
export const locale = signal<Locale>("en");

export async function setLanguage(wanted: Locale): Promise<void> {
  words.value = wanted === "en" ? en : await pageWords(wanted);
  locale.value = wanted;
  document.documentElement.lang = wanted;
}

// Browsers on systems without a language setting report `en-US@posix`, which is not a valid language tag.
const IS_TAG = /^[a-z]{2,3}(-[a-z\d]+)*$/i;

/** The browser's regional variant of the page's language, if it has one: en-GB writes 15/12, en-US 12/15. */
const region = (): string => navigator.languages.find((tag) => tag.startsWith(locale.value) && IS_TAG.test(tag)) ?? locale.value;

/** Formats a date in a task of its own, because the first one takes long: about 75 ms on a phone. Later ones are quick. */
export const prepareDates = (iso: string): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(() => {
      dateAndTime(iso);
      setTimeout(resolve);
    });
  });

export function dateAndTime(iso: string): string {
  return new Intl.DateTimeFormat(region(), { dateStyle: "long", timeStyle: "short" }).format(new Date(iso));
}
