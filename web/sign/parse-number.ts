import type { Locale } from "@countersign/client/types";

/**
 * A number as people of this language write it, in the normal form: digits with a point before the decimals. Null if it is none. `1,200` is
 * 1200 in English and 1.200 in German. A mark that cannot separate thousands at its place separates the decimals, in any language.
 */
export function parseNumber(typed: string, locale: Locale): string | null {
  const { decimal, group } = marksOf(locale);
  const text = typed
    .trim()
    .replaceAll(/[\u00a0\u2009\u202f]/g, " ")
    .replace(/^\u2212/, "-");
  const [, sign = "", rest = ""] = /^([+-]?)(.*)$/.exec(text) ?? [];
  const grouped = [group, " "].map(escaped).join("|");
  const [, whole, decimals] = new RegExp(`^(\\d{1,3}(?:(?:${grouped})\\d{3})+|\\d+)(?:${escaped(decimal)}(\\d+))?$`).exec(rest) ?? [];
  const [, plain, fraction] = /^(\d+)(?:[.,](\d+))?$/.exec(rest) ?? [];
  const [before, after] = whole === undefined ? [plain, fraction] : [whole.replaceAll(/\D/g, ""), decimals];
  if (before === undefined) return null;
  return `${sign === "-" ? "-" : ""}${before}${after === undefined ? "" : `.${after}`}`;
}

const escaped = (mark: string): string => mark.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

function marksOf(locale: Locale): { readonly decimal: string; readonly group: string } {
  const parts = new Intl.NumberFormat(locale).formatToParts(12_345.6);
  const mark = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return { decimal: mark("decimal"), group: mark("group") === "\u202f" ? " " : mark("group") };
}
