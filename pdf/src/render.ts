// Renders pages for the signing screen: an image, and the text for screen readers. Both come from PDFium and the final bytes.

import type { PDFiumDocument, PDFiumPage } from "@hyzyla/pdfium";
import type { Area } from "./area.ts";
import { UnreadablePdf } from "./errors.ts";
import { encodePng, type Pixels } from "./images/encode-png.ts";
import { encodeWebp } from "./images/encode-webp.ts";
import { isBlankPng } from "./images/read-png.ts";
import { readBlocks } from "./page-blocks.ts";
import { pdfium, readWithPdfium } from "./pdfium.ts";

/** The widths that screens request, in pixels: a page in a list of pages, at 100 % and at 200 %. */
export type RenderWidth = 204 | 1224 | 2448;

export type PageImage = { readonly mime: "image/png" | "image/webp"; readonly bytes: Uint8Array; readonly w: number; readonly h: number };
export type PageText = {
  readonly page: number;
  readonly blocks: readonly string[];
  /** for each block: where it begins on the page, from 0 at the top to 1, and whether it is a heading */
  readonly places: readonly { readonly top: number; readonly is_heading: boolean }[];
  readonly has_text: boolean;
};

// 48 MB of pixels. A long, narrow page is rendered smaller instead of failing.
const MAX_PIXELS = 12_000_000;
// Text compresses to 0.1-0.5 bits per pixel in our PNG; a scan needs more than this.
const SCAN_BITS_PER_PIXEL = 1;

/**
 * Renders page `page` (from 1), with annotations, on white: as PNG, or as WebP for a scan. Throws UnreadablePdf if PDFium cannot open the
 * file, and RangeError if there is no such page.
 * @example const { mime, bytes, w, h } = await renderPage(pdf, 1, 1224)
 */
export async function renderPage(bytes: Uint8Array, page: number, width_px: RenderWidth): Promise<PageImage> {
  return encode(await withPage(bytes, page, (shown) => rasterize(shown, width_px)));
}

// A channel darker than this is ink in every encoding, also after the colours of the page were reduced.
const CERTAIN_INK_BELOW = 128;

/** Whether page `page` (from 1), as `renderPage` shows it, is as light as paper. A photograph or a noisy scan is not. Throws like `renderPage`. */
export async function isBlankPage(bytes: Uint8Array, page: number): Promise<boolean> {
  const pixels = await withPage(bytes, page, (shown) => rasterize(shown, 1224));
  // Almost every page ends here, after a few rows.
  if (hasCertainInk(pixels)) return false;
  const image = await encode(pixels);
  return image.mime === "image/png" && isBlankPng(image.bytes);
}

function hasCertainInk({ rgba }: Pixels): boolean {
  for (let at = 0; at < rgba.length; at++) if ((at & 3) !== 3 && (rgba[at] as number) < CERTAIN_INK_BELOW) return true;
  return false;
}

async function encode(pixels: Pixels): Promise<PageImage> {
  const png = encodePng(pixels);
  const { w, h } = pixels;
  if (png.length * 8 <= SCAN_BITS_PER_PIXEL * w * h) return { mime: "image/png", bytes: png, w, h };
  const webp = await encodeWebp(pixels);
  return webp !== null && webp.length < png.length ? { mime: "image/webp", bytes: webp, w, h } : { mime: "image/png", bytes: png, w, h };
}

/**
 * The text of page `page` (from 1) in reading order, one block per paragraph or separate line. White text on white is left out, and so is
 * recognized text of a scan in the areas of `fields`. Throws like `renderPage`.
 */
export async function pageText(bytes: Uint8Array, page: number, fields: readonly Area[] = []): Promise<PageText> {
  const here = fields.filter((area) => area.page === page);
  const blocks = await withPage(bytes, page, async (shown) => readBlocks(shown, here));
  const places = blocks.map(({ top, is_heading }) => ({ top, is_heading }));
  return { page, blocks: blocks.map(({ text }) => text), places, has_text: blocks.length > 0 };
}

async function rasterize(page: PDFiumPage, width_px: RenderWidth): Promise<Pixels> {
  const { originalWidth, originalHeight } = page.getOriginalSize();
  // PDFium gives no size to a page that it counts but cannot read.
  if (!(originalWidth > 0 && originalHeight > 0)) throw new UnreadablePdf("unparseable", "PDFium cannot show the page");
  const height_px = (width_px * originalHeight) / originalWidth;
  const shrink = Math.min(1, Math.sqrt(MAX_PIXELS / (width_px * height_px)));
  const [w, h] = [Math.max(1, Math.floor(width_px * shrink)), Math.max(1, Math.floor(height_px * shrink))];
  const { data } = await page.render({ width: w, height: h, scale: 1, render: "bitmap" });
  return { w, h, rgba: data };
}

async function withPage<T>(bytes: Uint8Array, page: number, read: (page: PDFiumPage) => Promise<T>): Promise<T> {
  const library = await pdfium();
  const document = await library.loadDocument(bytes).catch((cause: unknown) => {
    throw new UnreadablePdf("unparseable", "PDFium cannot open the file", { cause });
  });
  try {
    const result = await read(pageOf(document, page));
    document.destroy();
    return result;
  } catch (error) {
    if (error instanceof Error && error.name === "RuntimeError") return failAfterCrash(error);
    document.destroy();
    throw error;
  }
}

function pageOf(document: PDFiumDocument, page: number): PDFiumPage {
  if (!Number.isInteger(page) || page < 1 || page > document.getPageCount()) throw new RangeError(`no page ${page}`);
  return document.getPage(page - 1);
}

// PDFium crashed on the file, and its memory is in an unknown state. `readWithPdfium` drops the instance when it sees that.
async function failAfterCrash(error: Error): Promise<never> {
  await readWithPdfium(new Uint8Array(), () => {
    throw error;
  });
  throw new UnreadablePdf("unparseable", "PDFium crashed on the file", { cause: error });
}
