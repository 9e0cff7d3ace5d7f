import type { Locale } from "@countersign/client/types";
import { names } from "../../i18n/locales.ts";
import { en as words } from "../words/languages/en.ts";
import { choicesOf } from "./choices.ts";

const rank = ([locale, name]: readonly [Locale, string]): string => (locale === "en" ? "" : name);

/** The languages of the signing pages, each in its own language: English first, then by name. */
export const languages = [...choicesOf(names)].sort((a, b) => rank(a).localeCompare(rank(b), "en"));

/** `""`: the sender has not chosen a language. */
export const signerLanguages: readonly (readonly [Locale | "", string])[] = [["", words.browser], ...languages];

export const languageOf = (locale: Locale): string => names[locale];
