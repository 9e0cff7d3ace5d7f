// Where cleaning changes what a viewer shows, as intended: annotations that are removed, and those that have no appearance of their own or
// keep upright on a turned page, which every viewer draws in its own way. PDFium shows form fields only in its form mode, so they appear
// when they become part of the page.

import { PdfArray, PdfDict, PdfNumber } from "@libpdf/core";
import { hasTooFineDashes } from "../appearances/border.ts";
import { hidesContent } from "../appearances/hidden.ts";
import { keptUpright, normalAppearance } from "../content/appearances.ts";
import type { Box } from "../content/clip.ts";
import { layersOff } from "../content/layers.ts";
import { identity, mapBox } from "../content/matrix.ts";
import { dictOf } from "../content/sources.ts";
import { type Doc, numbers, type Page, resolve } from "../doc.ts";
import { displayedPage } from "../page-tree.ts";
import { nameOf } from "./actions.ts";
import { ANNOTATIONS_REMOVED } from "./rules.ts";

// A viewer may draw an icon of its own size, or a border around the rectangle.
const MARGIN_PT = 24;

// PDFium draws these, with their dashes, if they have no appearance.
const DASHED = new Set(["Square", "Circle", "Ink"]);

export type ExpectedChanges = {
  /** Annotations that are removed or drawn anew. */
  readonly annotations: readonly Box[];
  readonly fields: readonly Box[];
  /** Whether annotations or fields of the page have content that no viewer shows. */
  readonly hides: boolean;
  /** Annotations in layers that are off. PDFium shows them all the same. */
  readonly off: readonly Box[];
  /** Whether PDFium would take very long to draw an annotation, so that the page is not compared. */
  readonly slow: boolean;
};

/**
 * By page, from 1, for each page with an annotation other than a link, and each whose fonts may be read differently afterwards. Call it
 * before cleaning.
 */
export function expectedChanges(doc: Doc): Map<number, ExpectedChanges> {
  const found = new Map<number, ExpectedChanges>();
  const known = new Map<PdfDict, boolean>();
  const hides = hidesContent(doc);
  const isOff = layersOff(doc);
  for (const page of doc.pages) {
    const annotations = resolve(doc, page.dict.get("Annots"));
    const items = annotations instanceof PdfArray ? annotations.toArray().map((item) => resolve(doc, item)) : [];
    const drawn = items.filter((item) => item instanceof PdfDict && subtypeOf(doc, item) !== "Link") as PdfDict[];
    if (drawn.length === 0 && !hasLostName(doc, page, known)) continue;
    found.set(page.index + 1, {
      annotations: drawn.filter((item) => isRedrawn(doc, item)).flatMap((item) => boxOf(doc, page, item, MARGIN_PT)),
      fields: drawn.filter((item) => subtypeOf(doc, item) === "Widget").flatMap((item) => boxOf(doc, page, item, MARGIN_PT)),
      hides: drawn.some((item) => hides(page, item)),
      off: drawn.filter((item) => isOff(item.get("OC"))).flatMap((item) => boxOf(doc, page, item, 0)),
      slow: drawn.some((item) => DASHED.has(subtypeOf(doc, item)) && normalAppearance(doc, item) === null && hasTooFineDashes(doc, item)),
    });
  }
  return found;
}

// Names that are not UTF-8 and need an escape are lost (`plain-spelling.ts`), such as font names in GBK, from which readers derive the encoding.
function hasLostName(doc: Doc, page: Page, known: Map<PdfDict, boolean>): boolean {
  const fonts = dictOf(doc, dictOf(doc, page.dict, "Resources"), "Font");
  if (fonts === null) return false;
  let isLost = known.get(fonts);
  if (isLost === undefined) {
    const names = [...fonts]
      .map(([, font]) => resolve(doc, font))
      .map((font) => (font instanceof PdfDict ? nameOf(doc, font.get("BaseFont")) : null));
    isLost = names.some((name) => name?.includes("\ufffd"));
    known.set(fonts, isLost);
  }
  return isLost;
}

const subtypeOf = (doc: Doc, annotation: PdfDict): string => nameOf(doc, annotation.get("Subtype")) ?? "";

// Annotation flags (ISO 32000-2, table 167).
const NO_ZOOM = 8;
const NO_ROTATE = 16;

function isRedrawn(doc: Doc, annotation: PdfDict): boolean {
  // PDFium shows an annotation even if its layer is off.
  if (annotation.has("OC")) return true;
  const flags = resolve(doc, annotation.get("F"));
  if (flags instanceof PdfNumber && (flags.value & (NO_ZOOM | NO_ROTATE)) !== 0) return true;
  return ANNOTATIONS_REMOVED.has(subtypeOf(doc, annotation)) || normalAppearance(doc, annotation) === null;
}

function boxOf(doc: Doc, page: Page, annotation: PdfDict, margin: number): Box[] {
  const [x0, y0, x1, y1] = numbers(doc, annotation.get("Rect")) ?? [];
  if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined) return [];
  const shown = keptUpright(doc, annotation, displayedPage(doc, page.dict).rotate, identity);
  const [left, bottom, right, top] = mapBox(shown, [x0, y0, x1, y1]);
  return [[left - margin, bottom - margin, right + margin, top + margin]];
}
