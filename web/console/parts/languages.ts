import type { Locale } from "@countersign/client/types";
import { choicesOf } from "./choices.ts";

/** What signers can read their pages in, each in its own words. */
const names: Record<Locale, string> = { en: "English", de: "Deutsch", es: "Español", fr: "Français" };

export const languages = choicesOf(names);

/** `""`: nobody has chosen one for them. */
export const signerLanguages: readonly (readonly [Locale | "", string])[] = [["", "As their browser has it"], ...languages];

export const languageOf = (locale: Locale): string => names[locale];
