import type { Locale } from "@countersign/client/types";
import { printed } from "@countersign/fields/print";

/** Between thousands, besides a space. */
const groups: Record<Locale, string> = { en: ",", de: ".", es: ".", fr: " " };

/**
 * A number as people of this language write it, in the normal form: digits with a point before the decimals. Null if it is none. `1,200` is
 * 1200 in English and 1.200 in German. A mark that cannot separate thousands at its place separates the decimals, in any language.
 */
export function parseNumber(typed: string, locale: Locale): string | null {
  const decimal = printed("number", "0.5", locale).charAt(1);
  const text = typed.trim().replaceAll(/\s/g, " ").replace("\u2212", "-");
  const [, sign = "", rest = ""] = /^([+-]?)(.*)$/.exec(text) ?? [];
  const [, whole, decimals] = new RegExp(`^([1-9]\\d{0,2}(?:[${groups[locale]} ]\\d{3})+|\\d+)(?:[${decimal}](\\d+))?$`).exec(rest) ?? [];
  const [, plain, fraction] = /^(\d+)(?:[.,](\d+))?$/.exec(rest) ?? [];
  const [before, after] = whole === undefined ? [plain, fraction] : [whole.replaceAll(/\D/g, ""), decimals];
  if (before === undefined) return null;
  return `${sign === "-" ? "-" : ""}${before}${after === undefined ? "" : `.${after}`}`;
}
