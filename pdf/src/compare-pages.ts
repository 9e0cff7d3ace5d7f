// Compares a file before and after it was cleaned, page by page, as PDFium shows it: the words, and a small picture. What is signed must
// be what was uploaded, so a page that lost something is not accepted.

import type { Box } from "./content/clip.ts";
import { type Picture, type PictureSide, pictureOf, toPicture, wordsOf } from "./page-look.ts";
import type { DisplayedPage } from "./page-tree.ts";
import { forgetPdfium, readWithPdfium } from "./pdfium.ts";

/** Where a page may differ, because something was removed or drawn there on purpose. */
export type Allowed = {
  /** Words in these boxes do not count, before and after: tags, and hidden content. */
  readonly words: readonly Box[];
  /** Pixels in these do not count: tags. */
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

/** At most this many pages of a document are compared. */
export const MAX_COMPARED = 12;

// PDFium draws a full page of text in 6 ms, for the comparison twice; cleaning the page takes 3 ms.
const ONE_IN = 15;

/**
 * The pages to compare, from 1 and in order: all that cleaning changed on purpose, and one of 15 others, spread evenly from the first;
 * at most 12. The same for the same document.
 * @example pagesToCompare(60, [7]) // [1, 7, 21, 40, 60]
 */
export function pagesToCompare(count: number, changed: readonly number[] = []): number[] {
  const all = Array.from({ length: count }, (_, index) => index + 1);
  const sample = Math.ceil(count / ONE_IN);
  const others = spread(all, Math.min(sample, changed.length === 0 ? MAX_COMPARED : MAX_COMPARED / 2));
  const rest = spread(
    changed.filter((page) => !others.includes(page)),
    MAX_COMPARED - others.length,
  );
  return [...others, ...rest].sort((a, b) => a - b);
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
  const small = await compareDrawn(before, after, untouched, displayed, 128);
  if (small === null) return { compared: [], comparable: false, differences: [] };
  const large = await compareDrawn(
    before,
    after,
    pages.filter(({ page }) => small.get(page) !== SAME),
    displayed,
    256,
  );
  if (large === null) return { compared: [], comparable: false, differences: [] };
  const looks = pages.map(({ page }) => large.get(page) ?? SAME);
  const read = pages.filter(({ allowed }, index) => allowed !== null || looks[index] !== SAME);
  const lost = await lostOn(before, after, read);
  const differences = pages.flatMap(({ page }, index): PageDifference[] => {
    const { lighter, other } = looks[index] ?? SAME;
    const words = lost.get(page) ?? 0;
    if (words > 0 || lighter >= LOST_PIXELS) return [{ page, kind: "lost", words, pixels: lighter }];
    return other >= LOST_PIXELS ? [{ page, kind: "changed", words, pixels: other }] : [];
  });
  return { compared: pages.map(({ page }) => page), comparable: true, differences };
}

/** How many pixels became lighter where nothing was expected, and how many differ otherwise. */
type LookDifference = { readonly lighter: number; readonly other: number };

/** The pictures are equal to the last bit. */
const SAME: LookDifference = { lighter: 0, other: 0 };

/** By page; null if PDFium does not show the pages before. */
async function compareDrawn(
  before: Uint8Array,
  after: Uint8Array,
  pages: readonly ComparedPage[],
  displayed: readonly DisplayedPage[],
  side: PictureSide,
): Promise<Map<number, LookDifference> | null> {
  if (pages.length === 0) return new Map();
  const draw = (bytes: Uint8Array): Promise<(Picture | null)[] | null> =>
    readWithPdfium(bytes, (document) => {
      // Another count means other pages: PDFium follows a wrong /Count, and leaves gaps for pages that are missing.
      if (document.getPageCount() !== displayed.length) return pages.map(() => null);
      return pages.map(({ page }) => pictureOf(document, page - 1, side));
    });
  const old = await draw(before);
  if (old === null || old.some((each) => each === null)) return null;
  const now = await draw(after);
  return new Map(
    pages.map(({ page, allowed }, index) => [page, compareLooks(old[index] ?? null, now?.[index] ?? null, displayed[page - 1], allowed)]),
  );
}

function compareLooks(old: Picture | null, now: Picture | null, place: DisplayedPage | undefined, allowed: Allowed | null): LookDifference {
  if (old === null || place === undefined) return SAME;
  if (now === null || old.w !== now.w || old.h !== now.h) return { lighter: old.w * old.h, other: 0 };
  if (Buffer.compare(old.pixels, now.pixels) === 0) return SAME;
  const inPicture = (boxes: readonly Box[] = []): PictureBox[] => boxes.map((box) => toPicture(place, old, box));
  return comparePixels(old, now, inPicture(allowed?.pixels), inPicture(allowed?.expected));
}

/** The number of lost words by page. */
async function lostOn(before: Uint8Array, after: Uint8Array, pages: readonly ComparedPage[]): Promise<Map<number, number>> {
  if (pages.length === 0) return new Map();
  const read = (bytes: Uint8Array): Promise<string[][] | null> =>
    readWithPdfium(bytes, (document) => pages.map(({ page, allowed }) => wordsOf(document, page - 1, allowed?.words ?? [])));
  const [old, now] = [await read(before), await read(after)];
  return new Map(pages.map(({ page }, index) => [page, lostWords(old?.[index] ?? [], now?.[index] ?? [])]));
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

function comparePixels(old: Picture, now: Picture, ignored: readonly PictureBox[], expected: readonly PictureBox[]): LookDifference {
  let [lighter, other] = [0, 0];
  for (let at = 0; at < old.pixels.length; at += 4) {
    if (stepAt(old.pixels, now.pixels, at) <= PIXEL_STEP) continue;
    const [x, y] = [(at / 4) % old.w, Math.floor(at / 4 / old.w)];
    if (ignored.some((box) => isIn(box, x, y))) continue;
    const isGone = lightness(now.pixels, at) > lightness(old.pixels, at) && !isInkNear(old, now, x, y);
    if (isGone && !expected.some((box) => isIn(box, x, y))) lighter++;
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

function stepAt(a: Uint8Array, b: Uint8Array, at: number): number {
  let step = 0;
  for (let channel = at; channel < at + 3; channel++) step = Math.max(step, Math.abs((a[channel] as number) - (b[channel] as number)));
  return step;
}

// A box also touches the pixels around it.
const isIn = ([left, top, right, bottom]: PictureBox, x: number, y: number): boolean =>
  x >= left - 1.5 && x <= right + 0.5 && y >= top - 1.5 && y <= bottom + 0.5;

const lightness = (pixels: Uint8Array, at: number): number => (pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + 2] ?? 0);
