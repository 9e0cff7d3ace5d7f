import type { Locale } from "@countersign/client/types";
import type { Messages } from "./en.ts";
import type { LazyMessages } from "./lazy/en.ts";
import type { VaultMessages } from "./vault/en.ts";

// Every language of the pages. A new one is a line in each of these tables and its three files of words; it does not compile while one is
// missing. Which languages there are is declared in server/src/shared/locales.ts.

export const names: Record<Locale, string> = { en: "English", es: "Español", fr: "Français", de: "Deutsch" };

/** English is part of each page; the others are loaded when they are chosen. */
type Loaded = Exclude<Locale, "en">;

/** The file of a language exports its table under the language's name. */
type Files<Table> = { readonly [L in Loaded]: () => Promise<{ readonly [Name in L]: Table }> };

/** The table of a language. The files are named one by one, so that the build finds them. */
const tableIn =
  <Table>(files: Files<Table>) =>
  async (wanted: Loaded): Promise<Table> =>
    ((await files[wanted]()) as { readonly [Name in Loaded]: Table })[wanted];

export const pageWords = tableIn<Messages>({ es: () => import("./es.ts"), fr: () => import("./fr.ts"), de: () => import("./de.ts") });

/** The words of the screens that are not needed to sign. */
export const lazyTable = tableIn<LazyMessages>({
  es: () => import("./lazy/es.ts"),
  fr: () => import("./lazy/fr.ts"),
  de: () => import("./lazy/de.ts"),
});

export const vaultWords = tableIn<VaultMessages>({
  es: () => import("./vault/es.ts"),
  fr: () => import("./vault/fr.ts"),
  de: () => import("./vault/de.ts"),
});

/** The first supported language in the list. Regions are ignored: `de-CH` is `de`. */
export function firstKnown(wanted: readonly (string | null | undefined)[]): Locale | undefined {
  return wanted.map((tag) => (tag ?? "").slice(0, 2).toLowerCase()).find((code): code is Locale => Object.hasOwn(names, code));
}
