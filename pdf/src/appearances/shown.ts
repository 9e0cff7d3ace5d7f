// Which annotations a viewer shows on a page.

import { PdfArray, PdfDict } from "@libpdf/core";
import { layersOff } from "../content/layers.ts";
import { type Doc, type Page, resolve } from "../doc.ts";
import { displayedPage } from "../page-tree.ts";
import { type Corners, cornersIn, numberIn } from "./values.ts";

// Annotation flags (ISO 32000-2, table 167): neither is shown on screen, so neither is part of what is signed.
const HIDDEN = 2;
const NO_VIEW = 32;

export function annotationsOf(doc: Doc, page: Page): PdfDict[] {
  const annotations = resolve(doc, page.dict.get("Annots"));
  const items = annotations instanceof PdfArray ? annotations.toArray().map((item) => resolve(doc, item)) : [];
  return items.filter((item) => item instanceof PdfDict);
}

export const isHidden = (doc: Doc, annotation: PdfDict): boolean => ((numberIn(doc, annotation.get("F")) ?? 0) & (HIDDEN | NO_VIEW)) !== 0;

/** Returns a function that tells whether an annotation on the page is shown: not hidden, in no layer that is off, and on the page. */
export function shownOn(doc: Doc): (page: Page, annotation: PdfDict) => boolean {
  const isOff = layersOff(doc);
  return (page, annotation) => {
    const rect = cornersIn(doc, annotation.get("Rect"));
    return rect !== null && !isHidden(doc, annotation) && !isOff(annotation.get("OC")) && isOnPage(doc, page, rect);
  };
}

/** Whether some of the rectangle is on the page. */
export function isOnPage(doc: Doc, page: Page, [left, bottom, right, top]: Corners): boolean {
  const { x, y, w, h } = displayedPage(doc, page.dict);
  return left < x + w && right > x && bottom < y + h && top > y;
}
