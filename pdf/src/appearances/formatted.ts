// Fields whose value a script formats: the value is 1234.5, the appearance $1,234.50.

import { PdfDict } from "@libpdf/core";
import { createReader } from "../content/interpret.ts";
import { type Doc, type Page, resolve } from "../doc.ts";
import type { Field } from "./field.ts";

/** Whether the field has an action that formats its value (ISO 32000-2, table 199). */
export function hasFormat(doc: Doc, { inherited }: Field): boolean {
  const actions = inherited("AA");
  return actions instanceof PdfDict && resolve(doc, actions.get("F")) !== null;
}

/** Returns a function that reads the text of a widget's appearance. Each page is interpreted once, when it is asked for. */
export function appearanceTexts(doc: Doc): (page: Page, widget: PdfDict) => string {
  const reader = createReader(doc);
  const read = new Map<Page, Map<PdfDict, string>>();
  return (page, widget) => {
    const known = read.get(page) ?? textsOn(page, reader);
    read.set(page, known);
    return known.get(widget) ?? "";
  };
}

function textsOn(page: Page, { readPage, texts }: ReturnType<typeof createReader>): Map<PdfDict, string> {
  const { glyphs } = readPage(page);
  const found = new Map<PdfDict, string>();
  for (let glyph = 0; glyph < glyphs.count; glyph++) {
    let { from } = glyphs.runOf(glyph).source;
    while (from.kind === "form") ({ from } = from.caller);
    if (from.kind !== "annotation") continue;
    found.set(from.annotation, (found.get(from.annotation) ?? "") + texts.text(glyphs.text[glyph] as number));
  }
  return found;
}

/**
 * Whether a text shows this value in another format: the same amount, rounded or as a percentage, the same digits, or the same date. In
 * doubt it does not.
 * @example showsValue("1234.5", "$1,234.50") // true
 */
export function showsValue(value: string, shown: string): boolean {
  const flat = (text: string): string => text.replaceAll(/\s+/g, "").toLowerCase();
  if (flat(value) === flat(shown)) return true;
  const [amounts, shownAmounts] = [amountsIn(value), amountsIn(shown)];
  if (amounts.length > 0 && shownAmounts.length > 0)
    return amounts.some((amount) => shownAmounts.some((other) => isSame(amount.value, other) || isPercentage(amount.value, other)));
  const [digits, shownDigits] = [value.match(/\d+/g) ?? [], shown.match(/\d+/g) ?? []];
  if (digits.length === 0) return false;
  // A phone number, or a date in another order.
  if (digits.join("") === shownDigits.join("")) return true;
  const sorted = (groups: readonly string[]): string =>
    groups
      .map(Number)
      .sort((a, b) => a - b)
      .join(" ");
  return digits.length === DATE_PARTS && sorted(digits) === sorted(shownDigits);
}

const DATE_PARTS = 3;

type Amount = { readonly value: number; readonly decimals: number; readonly isPercentage: boolean };

const LONGEST_AMOUNT = 40;
const AMOUNTS = [
  { form: /^(?:\d{1,3}(?:[,'’\s]\d{3})+|\d+)?(?:\.\d+)?$/, point: "." },
  { form: /^(?:\d{1,3}(?:[.'’\s]\d{3})+|\d+)?(?:,\d+)?$/, point: "," },
];

/** What a text can mean as an amount, with a point or a comma before the decimals; nothing if it is none. */
function amountsIn(text: string): Amount[] {
  const parts = /^([^\d.,]*)([\d.,'’\s]*\d)([^\d]*)$/.exec(text.trim().slice(0, LONGEST_AMOUNT));
  if (parts === null) return [];
  const [, before = "", number = "", after = ""] = parts;
  const isNegative = /[-\u2212(]/.test(before + after);
  return AMOUNTS.filter(({ form }) => form.test(number)).map(({ point }) => {
    const [whole = "", fraction = ""] = number.split(point);
    const value = Number(`${whole.replaceAll(/\D/g, "") || "0"}.${fraction}`);
    return { value: isNegative ? -value : value, decimals: fraction.length, isPercentage: after.includes("%") };
  });
}

const isSame = (value: number, { value: shown, decimals }: Amount): boolean =>
  Math.abs(value - shown) <= 0.5 * 10 ** -decimals + 1e-9 * Math.abs(value);
const isPercentage = (value: number, shown: Amount): boolean => shown.isPercentage && isSame(100 * value, shown);
