// Loads what the interpreter needs from a font dictionary (ISO 32000-2, 9.5 to 9.10): simple fonts here, composite fonts in
// load-composite-font.ts. An invalid dictionary gives a font without text whose glyphs still advance.

import { PdfDict, PdfName, PdfNumber, PdfStream } from "@libpdf/core";
import { type Doc, numbers, resolve } from "../doc.ts";
import { cffEncoding } from "./cff.ts";
import { type CMap, parseCMap } from "./cmap.ts";
import { type Encoding, encodings } from "./encodings.ts";
import { decodeStream } from "./filters.ts";
import type { FontFacts, GlyphFacts } from "./font.ts";
import { readTrueType, type TrueType, type1Encoding } from "./font-programs.ts";
import { dropMeaningless, lineBox, nameOf, numberOf } from "./font-values.ts";
import { textOfGlyphName } from "./glyph-names.ts";
import { compositeFont } from "./load-composite-font.ts";
import { asMatrix, mapBox } from "./matrix.ts";
import { type StandardFont, standardFont } from "./standard-fonts.ts";

const SYMBOLIC = 4;

export function loadFont(doc: Doc, dict: PdfDict): FontFacts {
  const toUnicode = readToUnicode(doc, dict);
  const subtype = nameOf(doc, dict.get("Subtype"));
  if (subtype === "Type0") return compositeFont(doc, dict, toUnicode);
  const descriptor = asDict(resolve(doc, dict.get("FontDescriptor")));
  const standard = standardFont(nameOf(doc, dict.get("BaseFont")));
  const names = encodingOf(doc, dict, descriptor, standard);
  const textOf = textReader(doc, dict, descriptor, names, toUnicode);
  const width = subtype === "Type3" ? type3Widths(doc, dict) : simpleWidths(doc, dict, descriptor, standard, names);
  const facts = (code: number): GlyphFacts => ({ text: textOf(code), w: width(code), w1: 0, vx: 0 });
  const box = subtype === "Type3" ? type3Box(doc, dict) : { ...lineBox(doc, descriptor, standard), em: 1, reach: 1 };
  return { vertical: false, ...box, length: 1, describe: facts };
}

const asDict = (value: unknown): PdfDict | null => (value instanceof PdfDict ? value : null);

function readToUnicode(doc: Doc, dict: PdfDict): ((code: number) => string) | null {
  const value = resolve(doc, dict.get("ToUnicode"));
  if (value instanceof PdfName && value.value.startsWith("Identity")) return (code) => dropMeaningless(String.fromCodePoint(code & 0xffff));
  if (!(value instanceof PdfStream)) return null;
  const cmap: CMap = parseCMap(decodeStream(doc, value));
  return (code) => dropMeaningless(cmap.text.get(code) ?? "");
}

function encodingOf(doc: Doc, dict: PdfDict, descriptor: PdfDict | null, standard: StandardFont | null): Encoding {
  const encoding = resolve(doc, dict.get("Encoding"));
  const named = encoding instanceof PdfName ? encoding.value : encoding instanceof PdfDict ? nameOf(doc, encoding.get("BaseEncoding")) : "";
  const base = named in encodings ? encodings[named as keyof typeof encodings] : ownEncoding(doc, dict, descriptor, standard);
  const differences = encoding instanceof PdfDict ? resolve(doc, encoding.get("Differences")) : null;
  if (differences?.type !== "array") return base;
  const names = [...base];
  let code = 0;
  for (const item of differences.toArray().map((entry) => resolve(doc, entry))) {
    if (item instanceof PdfNumber) code = item.value;
    else if (item instanceof PdfName && code >= 0 && code < 256) names[code++] = item.value;
  }
  return names;
}

/** The font's own encoding, used if the PDF names none. */
function ownEncoding(doc: Doc, dict: PdfDict, descriptor: PdfDict | null, standard: StandardFont | null): Encoding {
  const type1 = resolve(doc, descriptor?.get("FontFile"));
  if (type1 instanceof PdfStream) return type1Encoding(decodeStream(doc, type1)) ?? encodings.StandardEncoding;
  const cff = resolve(doc, descriptor?.get("FontFile3"));
  if (cff instanceof PdfStream) return cffEncoding(decodeStream(doc, cff)) ?? encodings.StandardEncoding;
  if (standard?.ownEncoding) return encodings[standard.ownEncoding];
  if (nameOf(doc, dict.get("Subtype")) !== "TrueType") return encodings.StandardEncoding;
  const flags = numberOf(doc, descriptor?.get("Flags")) ?? 0;
  const embedded = descriptor?.has("FontFile2") === true;
  return embedded && (flags & SYMBOLIC) !== 0 ? [] : encodings.WinAnsiEncoding;
}

function textReader(doc: Doc, dict: PdfDict, descriptor: PdfDict | null, names: Encoding, toUnicode: ((code: number) => string) | null) {
  const isTrueType = nameOf(doc, dict.get("Subtype")) === "TrueType";
  let program: TrueType | null | undefined;
  const fromProgram = (code: number): string => {
    if (program === undefined) {
      const file = resolve(doc, descriptor?.get("FontFile2"));
      program = file instanceof PdfStream ? readTrueType(decodeStream(doc, file)) : null;
    }
    const glyph = program?.glyphOfCode(code);
    if (program === null || program === undefined || glyph === undefined) return "";
    const point = program.textOfGlyph.get(glyph);
    return dropMeaningless(point === undefined ? textOfGlyphName(program.nameOfGlyph(glyph) ?? "") : String.fromCodePoint(point));
  };
  return (code: number): string => {
    const stated = toUnicode?.(code) || dropMeaningless(textOfGlyphName(names[code] ?? ""));
    return stated || (isTrueType ? fromProgram(code) : "") || guess(code);
  };
}

// A font without information about a code mostly contains Latin text under custom names; viewers copy it as such.
function guess(code: number): string {
  if (code >= 32 && code <= 126) return String.fromCharCode(code);
  return code === 9 || code === 10 || code === 13 ? " " : "";
}

function simpleWidths(doc: Doc, dict: PdfDict, descriptor: PdfDict | null, standard: StandardFont | null, names: Encoding) {
  const first = numberOf(doc, dict.get("FirstChar")) ?? 0;
  const widths = numbers(doc, dict.get("Widths"));
  const missing = numberOf(doc, descriptor?.get("MissingWidth"));
  // Viewers substitute a font that has no widths and is not a standard font; Helvetica's widths come close. A code without a glyph in
  // such a font is as wide as a space.
  const known = standard ?? (widths === null ? standardFont("Helvetica") : null);
  const absent = (missing ?? 0) / 1000 || (widths === null ? (known?.width("space") ?? 0) : 0);
  return (code: number): number => {
    const stated = widths?.[code - first];
    if (stated !== undefined) return stated / 1000;
    const named = widths !== null && missing !== null ? undefined : known?.width(names[code] ?? "");
    return named ?? absent;
  };
}

function type3Widths(doc: Doc, dict: PdfDict) {
  const scale = fontMatrix(doc, dict)[0];
  const first = numberOf(doc, dict.get("FirstChar")) ?? 0;
  const widths = numbers(doc, dict.get("Widths"));
  return (code: number): number => (widths?.[code - first] ?? 0) * scale;
}

const fontMatrix = (doc: Doc, dict: PdfDict) => asMatrix(numbers(doc, dict.get("FontMatrix"))) ?? ([0.001, 0, 0, 0.001, 0, 0] as const);

// A Type 3 font may use any unit; its bounding box gives the line height and how far its glyphs reach. An empty box says nothing (ISO
// 32000-2, table 110).
function type3Box(doc: Doc, dict: PdfDict): { ascent: number; descent: number; em: number; reach: number } {
  const [left = 0, bottom = 0, right = 0, top = 0] = numbers(doc, dict.get("FontBBox")) ?? [];
  const matrix = fontMatrix(doc, dict);
  const scale = matrix[3];
  const ascent = Math.max(bottom * scale, top * scale);
  const descent = Math.min(bottom * scale, top * scale);
  const height = ascent - descent;
  if (!(height > 0) || left === right) return { ascent: 0.8, descent: -0.2, em: 1, reach: Number.POSITIVE_INFINITY };
  const em = height >= 0.3 && height <= 3 ? 1 : height;
  return { ascent, descent, em, reach: Math.max(1, em, ...mapBox(matrix, [left, bottom, right, top]).map(Math.abs)) };
}
