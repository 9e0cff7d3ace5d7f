// Type0 fonts: a CMap maps codes of one to four bytes to CIDs, and the descendant font gives the widths of the CIDs (ISO 32000-2, 9.7).

import { PdfArray, PdfDict, PdfName, PdfNumber, PdfStream, PdfString } from "@libpdf/core";
import { type Doc, numbers, resolve } from "../doc.ts";
import { type CMap, parseCMap } from "./cmap.ts";
import { type Collection, isCollection, textOfCid } from "./collections.ts";
import { decodeStream } from "./filters.ts";
import type { FontFacts } from "./font.ts";
import { readTrueType } from "./font-programs.ts";
import { dropMeaningless, lineBox, nameOf, numberOf } from "./font-values.ts";
import { codeLength, type PredefinedCMap, predefinedCMap } from "./predefined-cmaps.ts";
import { standardFont } from "./standard-fonts.ts";

export function compositeFont(doc: Doc, dict: PdfDict, toUnicode: ((code: number) => string) | null): FontFacts {
  const descendants = resolve(doc, dict.get("DescendantFonts"));
  const first = resolve(doc, descendants instanceof PdfArray ? descendants.at(0) : undefined);
  const cidFont = first instanceof PdfDict ? first : new PdfDict();
  const found = resolve(doc, cidFont.get("FontDescriptor"));
  const descriptor = found instanceof PdfDict ? found : null;
  const cmap = encodingCMap(doc, dict);
  const width = widthsOf(doc, cidFont);
  const down = verticalOf(doc, cidFont);
  const ownText = programText(doc, cidFont, descriptor);
  return {
    vertical: cmap.vertical,
    ...lineBox(doc, descriptor, standardFont(nameOf(doc, dict.get("BaseFont")))),
    em: 1,
    reach: 1,
    length: cmap.length,
    describe: (code, length) => {
      const cid = cmap.cid(code, length);
      const w = width(cid);
      const { w1, vx } = down(cid, w);
      return { text: toUnicode?.(code) || dropMeaningless(cmap.text(code, length)) || ownText(cid ?? code), w, w1, vx };
    },
  };
}

const twoBytes: PredefinedCMap = { vertical: false, length: 2, text: () => "", cid: (code) => code };

function encodingCMap(doc: Doc, dict: PdfDict): PredefinedCMap {
  const encoding = resolve(doc, dict.get("Encoding"));
  if (encoding instanceof PdfStream) return embedded(doc, encoding);
  const name = encoding instanceof PdfName ? encoding.value : "Identity-H";
  if (name.startsWith("Identity")) return { ...twoBytes, vertical: name.endsWith("-V") };
  return predefinedCMap(name) ?? twoBytes;
}

function embedded(doc: Doc, stream: PdfStream): PredefinedCMap {
  const cmap: CMap = parseCMap(decodeStream(doc, stream));
  const base = predefinedCMap(cmap.base ?? nameOf(doc, stream.get("UseCMap")));
  const vertical = cmap.vertical || numberOf(doc, stream.get("WMode")) === 1;
  const cid = (code: number, length: number) => cmap.cid(code) ?? base?.cid(code, length);
  if (cmap.codespaces.length === 0) return { vertical, length: base?.length ?? 2, text: base?.text ?? (() => ""), cid };
  return { vertical, length: codeLength(cmap.codespaces), text: base?.text ?? (() => ""), cid };
}

type Range<T> = { readonly from: number; readonly to: number; readonly value: T };

/** `W` and `W2` contain either `c [v …]` or `first last v`, where each v has `size` numbers. */
function readRuns(doc: Doc, value: unknown, size: number): { single: Map<number, number[]>; ranges: Range<number[]>[] } {
  const single = new Map<number, number[]>();
  const ranges: Range<number[]>[] = [];
  const items = value instanceof PdfArray ? value.toArray().map((item) => resolve(doc, item)) : [];
  for (let i = 0; i + 1 < items.length; ) {
    const first = items[i];
    const second = items[i + 1];
    if (!(first instanceof PdfNumber)) {
      i++;
      continue;
    }
    if (second instanceof PdfArray) {
      const values = numbers(doc, second) ?? [];
      for (let k = 0; k + size <= values.length; k += size) single.set(first.value + k / size, values.slice(k, k + size));
      i += 2;
      continue;
    }
    const rest = items.slice(i + 2, i + 2 + size).map((item) => (item instanceof PdfNumber ? item.value : 0));
    if (second instanceof PdfNumber && rest.length === size) ranges.push({ from: first.value, to: second.value, value: rest });
    i += 2 + size;
  }
  return { single, ranges };
}

function widthsOf(doc: Doc, cidFont: PdfDict): (cid: number | undefined) => number {
  const { single, ranges } = readRuns(doc, resolve(doc, cidFont.get("W")), 1);
  const otherwise = numberOf(doc, cidFont.get("DW")) ?? 1000;
  return (cid) => {
    if (cid === undefined) return otherwise / 1000;
    const stated = single.get(cid) ?? ranges.find(({ from, to }) => cid >= from && cid <= to)?.value;
    return (stated?.[0] ?? otherwise) / 1000;
  };
}

function verticalOf(doc: Doc, cidFont: PdfDict): (cid: number | undefined, w: number) => { w1: number; vx: number } {
  const { single, ranges } = readRuns(doc, resolve(doc, cidFont.get("W2")), 3);
  const [, otherwise = -1000] = numbers(doc, cidFont.get("DW2")) ?? [];
  return (cid, w) => {
    const stated = cid === undefined ? undefined : (single.get(cid) ?? ranges.find(({ from, to }) => cid >= from && cid <= to)?.value);
    return { w1: (stated?.[0] ?? otherwise) / 1000, vx: stated?.[1] === undefined ? w / 2 : stated[1] / 1000 };
  };
}

/**
 * Without ToUnicode: the character that the collection has for the CID; else that of an embedded font's inverted `cmap`; without either,
 * the code is taken as Unicode.
 */
function programText(doc: Doc, cidFont: PdfDict, descriptor: PdfDict | null): (cid: number) => string {
  const file = resolve(doc, descriptor?.get("FontFile2") ?? descriptor?.get("FontFile3"));
  const collection = collectionOf(doc, cidFont);
  if (!(file instanceof PdfStream)) {
    return collection === null
      ? (cid) => (cid <= 0xffff ? dropMeaningless(String.fromCharCode(cid)) : "")
      : (cid) => dropMeaningless(textOfCid(collection, cid));
  }
  let textOfGlyph: ReadonlyMap<number, number> | undefined;
  let glyphs: Uint8Array | null = null;
  return (cid) => {
    const collected = collection === null ? "" : dropMeaningless(textOfCid(collection, cid));
    if (collected !== "") return collected;
    if (textOfGlyph === undefined) {
      textOfGlyph = readTrueType(decodeStream(doc, file))?.textOfGlyph ?? new Map();
      const map = resolve(doc, cidFont.get("CIDToGIDMap"));
      glyphs = map instanceof PdfStream ? decodeStream(doc, map) : null;
    }
    const glyph = glyphs === null ? cid : ((glyphs[2 * cid] ?? 0) << 8) | (glyphs[2 * cid + 1] ?? 0);
    const point = textOfGlyph.get(glyph);
    return point === undefined ? "" : dropMeaningless(String.fromCodePoint(point));
  };
}

function collectionOf(doc: Doc, cidFont: PdfDict): Collection | null {
  const info = resolve(doc, cidFont.get("CIDSystemInfo"));
  const ordering = info instanceof PdfDict ? resolve(doc, info.get("Ordering")) : null;
  const name = ordering instanceof PdfString ? ordering.asString() : "";
  return isCollection(name) ? name : null;
}
