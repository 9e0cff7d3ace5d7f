// Compares a file before and after it was cleaned, page by page, as PDFium shows it: the words, and a small picture. What is signed must
// be what was uploaded, so a page that lost something is not accepted.

import type { Box } from "./content/clip.ts";
import { type IgnoredWords, type Picture, type PictureSide, type Shown, showPage, toPicture } from "./page-look.ts";
import type { DisplayedPage } from "./page-tree.ts";
import { forgetPdfium, readWithPdfium } from "./pdfium.ts";

/** Where a page may differ, because something was removed or drawn there on purpose. */
export type Allowed = {
  /** Words of the upload in these boxes do not count: tags, and hidden content. */
  readonly words: readonly Box[];
  /** Pixels in these do not count: tags, fields, and annotations that are drawn by us. */
  readonly pixels: readonly Box[];
  /** What is missing in these is a change, not a loss: annotations that are removed or drawn anew. */
  readonly expected: readonly Box[];
};

export type ComparedPage = {
  /** From 1. */
  readonly page: number;
  /** Null if cleaning did not touch the page: then equal pictures are enough, and the words are not read. */
  readonly allowed: Allowed | null;
};

/** `lost`: words or ink are missing. `changed`: it looks different without such a loss, or where a change was expected. */
export type PageDifference = { readonly page: number; readonly kind: "lost" | "changed"; readonly words: number; readonly pixels: number };

export type Comparison = {
  /** The compared pages, from 1. */
  readonly compared: readonly number[];
  /** Whether PDFium showed the pages of both files; if not, nothing can be said. */
  readonly comparable: boolean;
  readonly differences: readonly PageDifference[];
};

/** At most this many pages of a document are drawn. */
export const MAX_COMPARED = 12;

// PDFium draws a full page of text in 6 ms, for the comparison twice; cleaning the page takes 3 ms.
const ONE_IN = 15;

/**
 * The pages to draw, in order: all that cleaning changed on purpose, and one of 15 in doubt, spread evenly from the first; at most 12. The
 * same for the same document. Pages that are proven to be unchanged are in neither list.
 * @example pagesToCompare([1, 2, 3, 4, 5], [7]) // [1, 7]
 */
export function pagesToCompare(inDoubt: readonly number[], changed: readonly number[] = []): number[] {
  const sample = Math.ceil(inDoubt.length / ONE_IN);
  const others = spread(inDoubt, Math.min(sample, changed.length === 0 ? MAX_COMPARED : MAX_COMPARED / 2));
  return [...others, ...spread(changed, MAX_COMPARED - others.length)].sort((a, b) => a - b);
}

/** `size` of the pages, from the first to the last. */
function spread(pages: readonly number[], size: number): number[] {
  if (pages.length <= size) return [...pages];
  const step = size === 1 ? 0 : (pages.length - 1) / (size - 1);
  return Array.from({ length: size }, (_, index) => pages[Math.round(index * step)] as number);
}

// A pixel counts if a channel differs by more than this of 255. Text of another renderer's rounding differs by less.
const PIXEL_STEP = 48;
// A letter of 10 pt covers about six pixels of the picture. Fewer are the edge of a line that moved by less than a pixel.
const LOST_PIXELS = 6;

/**
 * Compares these pages. `displayed` are all pages of the second file. A loss is reported only if a new instance of PDFium sees it too,
 * since what PDFium shows of a damaged image may depend on what its memory held before.
 */
export async function comparePages(
  before: Uint8Array,
  after: Uint8Array,
  pages: readonly ComparedPage[],
  displayed: readonly DisplayedPage[],
): Promise<Comparison> {
  const first = await compareOnce(before, after, pages, displayed);
  const isLost = (page: number): boolean => first.differences.some((found) => found.page === page && found.kind === "lost");
  const doubtful = first.comparable ? pages.filter(({ page }) => isLost(page)) : pages;
  if (doubtful.length === 0) return first;
  forgetPdfium();
  const again = await compareOnce(before, after, doubtful, displayed);
  if (!first.comparable || !again.comparable) return again;
  const others = first.differences.filter(({ page }) => !isLost(page));
  return { ...first, differences: [...others, ...again.differences].sort((a, b) => a.page - b.page) };
}

async function compareOnce(
  before: Uint8Array,
  after: Uint8Array,
  pages: readonly ComparedPage[],
  displayed: readonly DisplayedPage[],
): Promise<Comparison> {
  const untouched = pages.filter(({ allowed }) => allowed === null);
  const small = await compareShown(before, after, untouched, displayed, 128);
  const differs = pages.filter(({ page }) => small?.get(page) !== SAME);
  const large = small === null ? null : await compareShown(before, after, differs, displayed, 256);
  if (large === null) return { compared: [], comparable: false, differences: [] };
  const differences = pages.flatMap(({ page }): PageDifference[] => {
    const { lighter, other, words } = large.get(page) ?? SAME;
    if (words > 0 || lighter >= LOST_PIXELS) return [{ page, kind: "lost", words, pixels: lighter }];
    return other >= LOST_PIXELS ? [{ page, kind: "changed", words, pixels: other }] : [];
  });
  return { compared: pages.map(({ page }) => page), comparable: true, differences };
}

/** How many pixels became lighter where nothing was expected, how many differ otherwise, and how many words are missing. */
type LookDifference = { readonly lighter: number; readonly other: number; readonly words: number };

/** The pictures are equal to the last bit, and no word is missing. */
const SAME: LookDifference = { lighter: 0, other: 0, words: 0 };

/** By page; null if PDFium does not show the pages before. The words are read with the larger picture only. */
async function compareShown(
  before: Uint8Array,
  after: Uint8Array,
  pages: readonly ComparedPage[],
  displayed: readonly DisplayedPage[],
  side: PictureSide,
): Promise<Map<number, LookDifference> | null> {
  if (pages.length === 0) return new Map();
  const show = (bytes: Uint8Array, words: (at: number) => boolean | IgnoredWords): Promise<(Shown | null)[] | null> =>
    readWithPdfium(bytes, (document) => {
      // Another count means other pages: PDFium follows a wrong /Count, and leaves gaps for pages that are missing.
      if (document.getPageCount() !== displayed.length) return pages.map(() => null);
      return pages.map(({ page }, at) => showPage(document, page - 1, side, side === 256 && words(at)));
    });
  // First the result, so that only words of the upload that are missing have to be looked up on the page.
  const now = await show(after, () => true);
  const old = await show(before, (at) => {
    const left = new Set(now?.[at]?.words);
    return { boxes: pages[at]?.allowed?.words ?? [], isKept: (word) => left.has(word) };
  });
  if (old === null || old.some((each) => each === null)) return null;
  return new Map(
    pages.map(({ page, allowed }, index) => [page, compareLooks(old[index] ?? null, now?.[index] ?? null, displayed[page - 1], allowed)]),
  );
}

function compareLooks(old: Shown | null, now: Shown | null, place: DisplayedPage | undefined, allowed: Allowed | null): LookDifference {
  if (old === null || place === undefined) return SAME;
  const words = lostWords(old.words, now?.words ?? []);
  const [was, is] = [old.picture, now?.picture];
  if (is === undefined || was.w !== is.w || was.h !== is.h) return { lighter: was.w * was.h, other: 0, words };
  if (Buffer.compare(was.pixels, is.pixels) === 0) return words === 0 ? SAME : { ...SAME, words };
  const inPicture = (boxes: readonly Box[] = []): PictureBox[] => boxes.map((box) => toPicture(place, was, box));
  return { ...comparePixels(was, is, inPicture(allowed?.pixels), inPicture(allowed?.expected)), words };
}

/** The number of words that are missing, as a word and as a part of the text without its spaces: what is drawn beside a word joins it. */
export function lostWords(old: readonly string[], now: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of now) left.set(word, (left.get(word) ?? 0) + 1);
  const missing = old.filter((word) => {
    const count = left.get(word) ?? 0;
    if (count > 0) left.set(word, count - 1);
    return count === 0;
  });
  if (missing.length === 0) return 0;
  const text = now.join("");
  return missing.filter((word) => !text.includes(word)).length;
}

type PictureBox = readonly [number, number, number, number];

function comparePixels(
  old: Picture,
  now: Picture,
  ignored: readonly PictureBox[],
  expected: readonly PictureBox[],
): Omit<LookDifference, "words"> {
  let [lighter, other] = [0, 0];
  const [oldPixels, nowPixels] = [wholePixels(old), wholePixels(now)];
  const [isIgnored, isExpected] = [pixelsIn(old, ignored), pixelsIn(old, expected)];
  for (let at = 0; at < old.pixels.length; at += 4) {
    if (oldPixels[at / 4] === nowPixels[at / 4] || stepAt(old.pixels, now.pixels, at) <= PIXEL_STEP) continue;
    const [x, y] = [(at / 4) % old.w, Math.floor(at / 4 / old.w)];
    if (isIgnored[at / 4] === 1) continue;
    const isGone = lightness(now.pixels, at) > lightness(old.pixels, at) && !isInkNear(old, now, x, y);
    if (isGone && isExpected[at / 4] === 0) lighter++;
    else other++;
  }
  return { lighter, other };
}

// A hairline that moves by a fraction of a pixel, because its matrix was rounded, is drawn in the next pixel, or half in each. It changed,
// but is not lost: around the pixel there is still at least half of the ink.
function isInkNear(old: Picture, now: Picture, x: number, y: number): boolean {
  return inkAround(now, x, y) >= inkAround(old, x, y) / 2;
}

function inkAround({ pixels, w, h }: Picture, x: number, y: number): number {
  let ink = 0;
  for (let row = Math.max(0, y - 1); row <= Math.min(h - 1, y + 1); row++)
    for (let column = Math.max(0, x - 1); column <= Math.min(w - 1, x + 1); column++)
      ink += 765 - lightness(pixels, 4 * (row * w + column));
  return ink;
}

const wholePixels = ({ pixels }: Picture): Uint32Array => new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4);

function stepAt(a: Uint8Array, b: Uint8Array, at: number): number {
  let step = 0;
  for (let channel = at; channel < at + 3; channel++) step = Math.max(step, Math.abs((a[channel] as number) - (b[channel] as number)));
  return step;
}

/** 1 for each pixel in one of the boxes. A page can have a box for each of its letters. A box also touches the pixels around it. */
function pixelsIn({ w, h }: Picture, boxes: readonly PictureBox[]): Uint8Array {
  const found = new Uint8Array(w * h);
  for (const [left, top, right, bottom] of boxes) {
    const [from, to] = [Math.max(0, Math.ceil(left - 1.5)), Math.min(w - 1, Math.floor(right + 0.5))];
    const [first, last] = [Math.max(0, Math.ceil(top - 1.5)), Math.min(h - 1, Math.floor(bottom + 0.5))];
    for (let row = first; row <= last; row++) if (from <= to) found.fill(1, row * w + from, row * w + to + 1);
  }
  return found;
}

const lightness = (pixels: Uint8Array, at: number): number => (pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + 2] ?? 0);
