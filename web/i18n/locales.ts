import type { Locale } from "@countersign/client/types";
import type { Messages } from "./en.ts";
import type { LazyMessages } from "./lazy/en.ts";
import type { VaultMessages } from "./vault/en.ts";

// Every language of the pages. A new one is a line in each of these tables and its three files of words; it does not compile while one is
// missing. Which languages there are is declared in server/src/shared/locales.ts.

export const names: Record<Locale, string> = { en: "English", es: "Español", fr: "Français", de: "Deutsch" };

/** English is part of each page; the others are loaded when they are chosen. */
type Loaded = Exclude<Locale, "en">;

export const pageWords: Record<Loaded, () => Promise<Messages>> = {
  es: async () => (await import("./es.ts")).es,
  fr: async () => (await import("./fr.ts")).fr,
  de: async () => (await import("./de.ts")).de,
};

/** The words of the screens that are not needed to sign. */
export const lazyTables: Record<Loaded, () => Promise<LazyMessages>> = {
  es: async () => (await import("./lazy/es.ts")).es,
  fr: async () => (await import("./lazy/fr.ts")).fr,
  de: async () => (await import("./lazy/de.ts")).de,
};

export const vaultWords: Record<Loaded, () => Promise<VaultMessages>> = {
  es: async () => (await import("./vault/es.ts")).es,
  fr: async () => (await import("./vault/fr.ts")).fr,
  de: async () => (await import("./vault/de.ts")).de,
};

/** The first supported language in the list. Regions are ignored: `de-CH` is `de`. */
export function firstKnown(wanted: readonly (string | null | undefined)[]): Locale | undefined {
  return wanted.map((tag) => (tag ?? "").slice(0, 2).toLowerCase()).find((code): code is Locale => Object.hasOwn(names, code));
}
