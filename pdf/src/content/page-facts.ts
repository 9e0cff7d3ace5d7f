// Facts that require reading a page's content: whether it has text, and the resolution of a scan.

import type { Doc, Page } from "../doc.ts";
import { type DisplayedPage, displayedPage } from "../page-tree.ts";
import { createReader } from "./interpret.ts";
import type { ImagePlacement, PageContent } from "./machine.ts";
import { mapBox } from "./matrix.ts";

export type ContentFacts = { readonly has_text: boolean; readonly scan_dpi: number | null };

// A scan fills its page, except possibly for a margin.
const SCAN_COVERS = 0.8;

/**
 * For each page, or each of the given ones: whether it has text, and the resolution of an image that covers it, or null. Throws UnreadablePdf `too_complex` if the
 * content exceeds a limit.
 * @example contentFacts(doc)[0] // { has_text: false, scan_dpi: 300 }
 */
export function contentFacts(doc: Doc, pages: readonly Page[] = doc.pages): ContentFacts[] {
  const reader = createReader(doc);
  return pages.map((page) => factsOf(reader.readPage(page), displayedPage(doc, page.dict)));
}

/** The facts of a page that has already been read. */
export function factsOf({ glyphs, images }: PageContent, { x, y, w, h, user_unit }: DisplayedPage): ContentFacts {
  const scan = images.find((image) => covers(image, { x, y, w, h }));
  return {
    has_text: glyphs.text.subarray(0, glyphs.count).some((text) => text !== 0 && text !== 32),
    scan_dpi: scan === undefined ? null : dpi(scan, user_unit),
  };
}

function covers({ ctm }: ImagePlacement, page: { x: number; y: number; w: number; h: number }): boolean {
  const [left, bottom, right, top] = mapBox(ctm, [0, 0, 1, 1]);
  const across = Math.min(right, page.x + page.w) - Math.max(left, page.x);
  const up = Math.min(top, page.y + page.h) - Math.max(bottom, page.y);
  return across > 0 && up > 0 && across * up >= SCAN_COVERS * page.w * page.h;
}

function dpi({ ctm, width_px, height_px }: ImagePlacement, user_unit: number): number {
  const inches = (length: number): number => (length * user_unit) / 72;
  return Math.round(Math.min(width_px / inches(Math.hypot(ctm[0], ctm[1])), height_px / inches(Math.hypot(ctm[2], ctm[3]))));
}
