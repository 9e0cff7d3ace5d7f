// Values of annotations and fields, read without trusting them: a wrong type, an infinite number or an absurd size counts as missing.

import { PdfArray, PdfName, PdfNumber, type PdfObject, PdfStream, PdfString } from "@libpdf/core";
import { decodeStream } from "../content/filters.ts";
import { decodeText } from "../content/text-strings.ts";
import { type Doc, resolve } from "../doc.ts";
import { spellNumber } from "../numbers.ts";
import { ops } from "../stamp/sheet.ts";

/** Beyond this no viewer shows anything: more than twice the largest page (ISO 32000-1, annex C). */
const FARTHEST = 32_768;

/** Left, bottom, right, top. */
export type Corners = readonly [number, number, number, number];

export function numberIn(doc: Doc, value: PdfObject | null | undefined): number | null {
  const found = resolve(doc, value);
  return found instanceof PdfNumber && Number.isFinite(found.value) ? found.value : null;
}

export function nameIn(doc: Doc, value: PdfObject | null | undefined): string | null {
  const found = resolve(doc, value);
  return found instanceof PdfName ? found.value : null;
}

/** The items of an array; empty if it is none. */
export function itemsIn(doc: Doc, value: PdfObject | null | undefined): (PdfObject | null)[] {
  const found = resolve(doc, value);
  return found instanceof PdfArray ? found.toArray().map((item) => resolve(doc, item)) : [];
}

/** The coordinates of an array; null if one of them is no number or too far away. */
export function coordinatesIn(doc: Doc, value: PdfObject | null | undefined): number[] | null {
  const read = itemsIn(doc, value).map((item) => numberIn(doc, item));
  return read.every((item) => item !== null && Math.abs(item) <= FARTHEST) ? (read as number[]) : null;
}

/** A rectangle, which may have no area. */
export function rectIn(doc: Doc, value: PdfObject | null | undefined): Corners | null {
  const [x1, y1, x2, y2] = coordinatesIn(doc, value) ?? [];
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return null;
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}

/** A rectangle with an area; null otherwise. */
export function cornersIn(doc: Doc, value: PdfObject | null | undefined): Corners | null {
  const corners = rectIn(doc, value);
  return corners !== null && corners[2] > corners[0] && corners[3] > corners[1] ? corners : null;
}

/** The text of a string, a name or a stream (ISO 32000-2, 7.9.2); null for anything else. */
export function textIn(doc: Doc, value: PdfObject | null | undefined): string | null {
  const found = resolve(doc, value);
  if (found instanceof PdfString) return decodeText(found.bytes);
  if (found instanceof PdfName) return found.value;
  return found instanceof PdfStream ? decodeText(decodeStream(doc, found)) : null;
}

/** The text of a value. Some producers write a number where the standard asks for a string. */
export function valueIn(doc: Doc, value: PdfObject | null | undefined): string | null {
  const number = numberIn(doc, value);
  return number === null ? textIn(doc, value) : spellNumber(number);
}

/** One, three or four parts from 0 to 1: grey, RGB or CMYK. */
export type Color = readonly number[];

export const BLACK: Color = [0];

/** Null for a missing or empty array, which means transparent. */
export function colorIn(doc: Doc, value: PdfObject | null | undefined): Color | null {
  const parts = itemsIn(doc, value).map((item) => numberIn(doc, item));
  return asColor(parts);
}

export function asColor(parts: readonly (number | null)[]): Color | null {
  if (![1, 3, 4].includes(parts.length) || parts.some((part) => part === null)) return null;
  return parts.map((part) => Math.min(1, Math.max(0, part ?? 0)));
}

const FILL: Readonly<Record<number, string>> = { 1: "g", 3: "rg", 4: "k" };
const STROKE: Readonly<Record<number, string>> = { 1: "G", 3: "RG", 4: "K" };

export const fillWith = (color: Color): string => ops(...color, FILL[color.length] ?? "");
export const strokeWith = (color: Color): string => ops(...color, STROKE[color.length] ?? "");
