// Values that simple and composite fonts have in common.

import { type PdfDict, PdfName, PdfNumber, type PdfObject } from "@libpdf/core";
import { type Doc, resolve } from "../doc.ts";
import type { StandardFont } from "./standard-fonts.ts";

export function nameOf(doc: Doc, value: PdfObject | undefined): string {
  const found = resolve(doc, value);
  return found instanceof PdfName ? found.value : "";
}

export function numberOf(doc: Doc, value: PdfObject | undefined): number | null {
  const found = resolve(doc, value);
  return found instanceof PdfNumber && Number.isFinite(found.value) ? found.value : null;
}

/** Ascent and descent of the font's line box, in ems. Producers often write wrong values, so implausible ones are ignored. */
export function lineBox(doc: Doc, descriptor: PdfDict | null, standard: StandardFont | null): { ascent: number; descent: number } {
  const ascent = (numberOf(doc, descriptor?.get("Ascent")) ?? 0) / 1000;
  const descent = (numberOf(doc, descriptor?.get("Descent")) ?? 1) / 1000;
  const fits = ascent >= 0.3 && ascent <= 1.5 && descent >= -0.6 && descent <= 0;
  if (fits) return { ascent, descent };
  return standard === null ? { ascent: 0.8, descent: -0.2 } : { ascent: standard.ascent, descent: standard.descent };
}

/**
 * Removes meaningless characters from a text: U+0000, U+FFFD, private use, lone surrogates, controls. Tabs and line ends become spaces.
 */
export function dropMeaningless(text: string): string {
  let kept = "";
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0;
    if (point >= 9 && point <= 13) kept += " ";
    else if (point >= 32 && point !== 127 && !isPrivate(point)) kept += char;
  }
  return kept;
}

function isPrivate(point: number): boolean {
  return (point >= 0xd800 && point <= 0xf8ff) || point === 0xfffd || point === 0xfffe || point === 0xffff || point >= 0xf0000;
}
