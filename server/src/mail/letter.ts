import type { Locale } from "../shared/locales.ts";
import type { Look } from "./look.ts";

export interface Fact {
  readonly label: string;
  readonly value: string;
  /** follows the value, which is then in bold type */
  readonly more?: string;
}

/** The content of a message. The text part and the HTML part are both made from it, so they always say the same. */
export interface Letter {
  readonly kind: string;
  /** English if missing */
  readonly locale?: Locale;
  /** the plain one if missing */
  readonly look?: Look;
  readonly subject: string;
  readonly heading?: string;
  /** paragraphs before the link */
  readonly opening: readonly string[];
  /** text that another person wrote, shown as a quotation. `name`: of that person, for the initials beside it */
  readonly quote?: { readonly by: string; readonly name?: string; readonly text: string } | null;
  readonly facts?: readonly Fact[];
  /** `lead` is written before the address in the text part, and before the button if it says more than the button */
  readonly link?: { readonly lead: string; readonly button: string; readonly url: string; readonly fails?: string };
  /** paragraphs after the link */
  readonly closing: readonly string[];
  /** warnings, in small type */
  readonly notices?: readonly string[];
  /** below the message: who sends it */
  readonly footer?: readonly string[];
}

export const MAX_QUOTE_CHARACTERS = 2_000;
