import { de as german } from "../i18n/de.ts";
import { en as english } from "../i18n/en.ts";
import { es as spanish } from "../i18n/es.ts";
import { fr as french } from "../i18n/fr.ts";
import { de as germanLazy } from "../i18n/lazy/de.ts";
import { en as englishLazy } from "../i18n/lazy/en.ts";
import { es as spanishLazy } from "../i18n/lazy/es.ts";
import { fr as frenchLazy } from "../i18n/lazy/fr.ts";

/** All text of the signing page, as one table for each language. */
export const en = { ...english, ...englishLazy };
export const es = { ...spanish, ...spanishLazy };
export const fr = { ...french, ...frenchLazy };
export const de = { ...german, ...germanLazy };

const tables = { en, es, fr, de };
const isLanguage = (tag: string): tag is keyof typeof tables => Object.hasOwn(tables, tag);

/** The language in which pictures of the signing page are taken (SCREENSHOTS_LANGUAGE). Tests are in English. */
const wanted = process.env.SCREENSHOTS_LANGUAGE ?? "en";
export const language = isLanguage(wanted) ? wanted : "en";
export const shown: typeof en = tables[language];
