import type { Locale } from "../../shared/locales.ts";
import { de } from "./de.ts";
import { en, type MailWords } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";

/** The words of messages to signers in every language of the signing page. */
export const words: Readonly<Record<Locale, MailWords>> = { en, es, fr, de };
