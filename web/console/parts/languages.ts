/** What signers can read their pages in. */
export type Locale = "en" | "es" | "fr" | "de";

/** Each in its own words. */
export const languages = [
  ["en", "English"],
  ["de", "Deutsch"],
  ["es", "Español"],
  ["fr", "Français"],
] as const satisfies readonly (readonly [Locale, string])[];

/** `""`: nobody has chosen one for them. */
export const signerLanguages = [["", "As their browser has it"], ...languages] as const;

export const languageOf = (locale: Locale): string => languages.find(([code]) => code === locale)?.[1] ?? locale;
