// The widths that a font states for its codes (ISO 32000-2, 9.2.4 and 9.7.4.3), read without libpdf. Only for fonts of which all readers take
// the same widths: Type 1 and TrueType with Widths, and composite fonts whose codes are glyph numbers.

import type { StatedWidths } from "./only-cuts.ts";
import type { RawObjects } from "./raw-objects.ts";
import type { Dict, Value } from "./raw-values.ts";

/** Null for any other font. May throw Odd. */
export function statedWidths(objects: RawObjects, font: Value): StatedWidths | null {
  if (!isDict(font)) return null;
  const get = (key: string): Value => objects.resolve(font.get(key));
  const kind = get("/Subtype");
  if (kind === "/Type1" || kind === "/TrueType") return simpleWidths(objects, get("/FirstChar"), get("/Widths"));
  if (kind !== "/Type0" || get("/Encoding") !== "/Identity-H") return null;
  const descendants = get("/DescendantFonts");
  const descendant = Array.isArray(descendants) ? objects.resolve(descendants[0]) : null;
  return isDict(descendant) ? compositeWidths(objects, descendant) : null;
}

const isDict = (value: Value): value is Dict => value instanceof Map;

function simpleWidths(objects: RawObjects, first: Value, widths: Value): StatedWidths | null {
  if (typeof first !== "number" || !Array.isArray(widths)) return null;
  const stated = (widths as readonly Value[]).map((width) => numberOf(objects.resolve(width)));
  return { bytes: 1, widthOf: (code) => stated[code - first] ?? Number.NaN };
}

function compositeWidths(objects: RawObjects, descendant: Dict): StatedWidths {
  const otherwise = descendant.has("/DW") ? numberOf(objects.resolve(descendant.get("/DW"))) : 1000;
  const stated = new Map<number, number>();
  const all = objects.resolve(descendant.get("/W"));
  const items = Array.isArray(all) ? (all as readonly Value[]).map((item) => objects.resolve(item)) : [];
  for (let at = 0; at < items.length; ) {
    const [first, next] = [numberOf(items[at] ?? null), items[at + 1] ?? null];
    if (Array.isArray(next)) {
      for (const [index, width] of (next as readonly Value[]).entries()) stated.set(first + index, numberOf(objects.resolve(width)));
      at += 2;
      continue;
    }
    const [last, width] = [numberOf(next), numberOf(items[at + 2] ?? null)];
    for (let code = first; code <= Math.min(last, MAX_CODE); code++) stated.set(code, width);
    at += 3;
  }
  return { bytes: 2, widthOf: (code) => stated.get(code) ?? otherwise };
}

const MAX_CODE = 65_535;

const numberOf = (value: Value): number => (typeof value === "number" ? value : Number.NaN);
