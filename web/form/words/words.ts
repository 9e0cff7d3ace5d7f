import type { Locale } from "@countersign/client/types";
import { de } from "./de.ts";
import { en, type FormWords } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";

/** In every language of the pages. All are part of the page: together they are smaller than one more request. */
export const words: Readonly<Record<Locale, FormWords>> = { en, es, fr, de };
