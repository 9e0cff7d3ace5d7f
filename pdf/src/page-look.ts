// What PDFium shows of a page: its words, and a small picture. Two files are compared by it, one page after another.

import type { PDFiumDocument } from "@hyzyla/pdfium";
import type { Box } from "./content/clip.ts";

/** The longer side of the picture in pixels. In the larger one, a letter of 10 pt is 3 pixels high: enough to see that it is there. */
export type PictureSide = 128 | 256;

export type Picture = {
  readonly w: number;
  readonly h: number;
  /** Four bytes a pixel: blue, green, red and one that means nothing. */
  readonly pixels: Uint8Array;
};

// The functions of PDFium that the wrapper contains but does not expose (fpdfview.h, fpdf_text.h).
export type DrawCalls = {
  _FPDFBitmap_CreateEx(w: number, h: number, format: number, pixels: number, stride: number): number;
  _FPDFBitmap_FillRect(bitmap: number, x: number, y: number, w: number, h: number, color: number): void;
  _FPDFBitmap_Destroy(bitmap: number): void;
  _FPDF_RenderPageBitmap(bitmap: number, page: number, x: number, y: number, w: number, h: number, turn: number, flags: number): void;
  readonly HEAPU8: Uint8Array;
  readonly wasmExports: { malloc(bytes: number): number; free(pointer: number): void };
};

type Calls = DrawCalls & {
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(text: number): void;
  _FPDFText_CountChars(text: number): number;
  _FPDFText_GetText(text: number, from: number, count: number, into: number): number;
  _FPDFText_GetCharIndexFromTextIndex(text: number, index: number): number;
  _FPDFText_GetCharOrigin(text: number, index: number, x: number, y: number): number;
  _FPDF_ClosePage(page: number): void;
};

const BGRX = 3;
const WITH_ANNOTATIONS = 1;
const WHITE = 0xffffffff;

export type Shown = { readonly picture: Picture; readonly words: readonly string[] };

/** Which words of a page do not count: those in the boxes, unless `isKept`. To look up where a word is takes long. */
export type IgnoredWords = { readonly boxes: readonly Box[]; readonly isKept: (word: string) => boolean };

/**
 * The picture of a page, and its words in reading order; none if `words` is false. Both in one call, because opening a page takes as long
 * as drawing it. Null if PDFium counts the page but cannot show it.
 */
export function showPage(document: PDFiumDocument, index: number, side: PictureSide, words: boolean | IgnoredWords): Shown | null {
  return withPage(document, index, (calls, page, width, height) => {
    const scale = side / Math.max(width, height);
    const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
    const read = words === false ? [] : readWords(calls, page, words === true ? { boxes: [], isKept: () => true } : words);
    return { picture: { w, h, pixels: drawPage(calls, page, w, h) }, words: read };
  });
}

function withPage<T>(
  document: PDFiumDocument,
  index: number,
  read: (calls: Calls, page: number, width: number, height: number) => T,
): T | null {
  const page = document.getPage(index);
  const { module: calls, pageIdx } = page as unknown as { module: Calls; pageIdx: number };
  if (pageIdx === 0) return null;
  try {
    const { originalWidth, originalHeight } = page.getOriginalSize();
    return originalWidth > 0 && originalHeight > 0 ? read(calls, pageIdx, originalWidth, originalHeight) : null;
  } finally {
    calls._FPDF_ClosePage(pageIdx);
  }
}

/** The page with its annotations on white, four bytes a pixel. */
export function drawPage(calls: DrawCalls, page: number, w: number, h: number): Uint8Array {
  const size = w * h * 4;
  const memory = calls.wasmExports.malloc(size);
  if (memory === 0) throw new RangeError("PDFium is out of memory");
  const bitmap = calls._FPDFBitmap_CreateEx(w, h, BGRX, memory, w * 4);
  calls._FPDFBitmap_FillRect(bitmap, 0, 0, w, h, WHITE);
  calls._FPDF_RenderPageBitmap(bitmap, page, 0, 0, w, h, 0, WITH_ANNOTATIONS);
  const pixels = calls.HEAPU8.slice(memory, memory + size);
  calls._FPDFBitmap_Destroy(bitmap);
  calls.wasmExports.free(memory);
  return pixels;
}

// Words are separated by spaces, PDFium's character for a hyphen at the end of a line, and codes without a character.
const WORD = /[^\s\p{Cc}\ufffe\uffff]+/gu;

function readWords(calls: Calls, page: number, { boxes, isKept }: IgnoredWords): string[] {
  const text = calls._FPDFText_LoadPage(page);
  if (text === 0) return [];
  const count = calls._FPDFText_CountChars(text);
  const all = count <= 0 ? "" : wholeText(calls, text, count);
  const outside = boxes.length === 0 ? null : readerOutside(calls, text, boxes);
  const words = [...all.matchAll(WORD)].flatMap(({ 0: word, index }) =>
    outside === null || isKept(word)
      ? [word]
      : outside(word, index)
          .split(" ")
          .filter((part) => part !== ""),
  );
  calls._FPDFText_ClosePage(text);
  return words;
}

function wholeText(calls: Calls, text: number, count: number): string {
  const bytes = (count + 1) * 2;
  const memory = calls.wasmExports.malloc(bytes);
  if (memory === 0) throw new RangeError("PDFium is out of memory");
  const written = calls._FPDFText_GetText(text, 0, count, memory);
  const found = Buffer.from(calls.HEAPU8.subarray(memory, memory + Math.max(0, written - 1) * 2)).toString("utf16le");
  calls.wasmExports.free(memory);
  return found;
}

/** A word at an index of the text, with a space for each character in one of the boxes. */
function readerOutside(calls: Calls, text: number, boxes: readonly Box[]): (word: string, index: number) => string {
  const isIgnored = finderIn(boxes);
  return (word, index) => {
    const memory = calls.wasmExports.malloc(16);
    let found = "";
    for (let i = 0; i < word.length; i++) {
      const char = calls._FPDFText_GetCharIndexFromTextIndex(text, index + i);
      const isPlaced = char >= 0 && calls._FPDFText_GetCharOrigin(text, char, memory, memory + 8) !== 0;
      const origin = new DataView(calls.HEAPU8.buffer, memory, 16);
      found += isPlaced && isIgnored(origin.getFloat64(0, true), origin.getFloat64(8, true)) ? " " : word[i];
    }
    calls.wasmExports.free(memory);
    return found;
  };
}

// A page can have tens of thousands of hidden letters, each with a box. A point is compared only with the boxes near it.
const CELL_PT = 16;
// A box that covers more cells than this is compared with every point.
const MOST_CELLS = 64;

/** Whether a point is in one of the boxes. */
export function finderIn(boxes: readonly Box[]): (x: number, y: number) => boolean {
  const cells = new Map<string, Box[]>();
  const large: Box[] = [];
  for (const box of boxes) {
    const [left, bottom, right, top] = box.map((value) => Math.floor(value / CELL_PT)) as [number, number, number, number];
    const covered = (right - left + 1) * (top - bottom + 1);
    // Also a box whose sides are not numbers.
    if (!(covered <= MOST_CELLS)) {
      large.push(box);
      continue;
    }
    for (let column = left; column <= right; column++) {
      for (let row = bottom; row <= top; row++) {
        const cell = cells.get(`${column} ${row}`);
        if (cell === undefined) cells.set(`${column} ${row}`, [box]);
        else cell.push(box);
      }
    }
  }
  return (x, y) => {
    const near = cells.get(`${Math.floor(x / CELL_PT)} ${Math.floor(y / CELL_PT)}`) ?? [];
    return near.some((box) => contains(box, x, y)) || large.some((box) => contains(box, x, y));
  };
}

const contains = ([left, bottom, right, top]: Box, x: number, y: number): boolean => x >= left && x <= right && y >= bottom && y <= top;

/** The box in pixels of the picture, from its top left corner: [left, top, right, bottom]. */
export function toPicture(
  { x, y, w, h, rotate }: { x: number; y: number; w: number; h: number; rotate: 0 | 90 | 180 | 270 },
  picture: { readonly w: number; readonly h: number },
  [left, bottom, right, top]: Box,
): [number, number, number, number] {
  const place = (px: number, py: number): readonly [number, number] => {
    const [u, v] = [(px - x) / w, (py - y) / h];
    const [across, down] = rotate === 0 ? [u, 1 - v] : rotate === 90 ? [v, u] : rotate === 180 ? [1 - u, v] : [1 - v, 1 - u];
    return [across * picture.w, down * picture.h];
  };
  const [a, b] = [place(left, bottom), place(right, top)];
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[0], b[0]), Math.max(a[1], b[1])];
}
