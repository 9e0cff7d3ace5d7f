import type { Locale } from "@countersign/client/types";

/** The languages of the pages. Apart from their tables, so that the boot script can choose one without loading any. */
export const names = { en: "English", es: "Español", fr: "Français", de: "Deutsch" } satisfies Record<Locale, string>;

/** The first that is known, by its language alone: `de-CH` is `de`. */
export function firstKnown(wanted: readonly (string | null | undefined)[]): Locale | undefined {
  return wanted.map((tag) => (tag ?? "").slice(0, 2).toLowerCase()).find((code): code is Locale => Object.hasOwn(names, code));
}
