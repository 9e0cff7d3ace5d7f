import type { Locale } from "@countersign/client/types";
import { choicesOf } from "./choices.ts";

/** The languages of the signing pages, each in its own language. */
const names: Record<Locale, string> = { en: "English", de: "Deutsch", es: "Español", fr: "Français" };

export const languages = choicesOf(names);

/** `""`: the sender has not chosen a language. */
export const signerLanguages: readonly (readonly [Locale | "", string])[] = [["", "Browser language"], ...languages];

export const languageOf = (locale: Locale): string => names[locale];
