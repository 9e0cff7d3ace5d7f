// Draws annotations that have no appearance, the way other viewers do (PDFium, poppler, pdf.js, MuPDF): a clause that was struck out must
// stay struck out. Subtypes that no viewer draws without an appearance are left alone.

import { PdfArray, PdfDict, PdfName, PdfNumber, PdfString } from "@libpdf/core";
import { keptUpright, normalAppearance } from "../content/appearances.ts";
import { layersOff } from "../content/layers.ts";
import { identity, mapBox } from "../content/matrix.ts";
import { decodeText } from "../content/text-strings.ts";
import { type Doc, type Page, register, resolve } from "../doc.ts";
import { displayedPage } from "../page-tree.ts";
import type { FontBook } from "../stamp/embed-fonts.ts";
import { openForm } from "../stamp/sheet.ts";
import { borderOf } from "./border.ts";
import type { Canvas } from "./canvas.ts";
import { drawFreeText, drawNote, drawStamp } from "./notes.ts";
import { boxAround, boxesAlong, type Point } from "./paths.ts";
import { drawCaret, drawCircle, drawInk, drawLineAnnotation, drawPolygon, drawPolyLine, drawSquare } from "./shapes.ts";
import { annotationsOf, isHidden } from "./shown.ts";
import type { TextSetter } from "./text.ts";
import { drawHighlight, drawRedact, drawSquiggly, drawStrikeOut, drawUnderline } from "./text-marks.ts";
import { type Corners, colorIn, nameIn, numberIn, rectIn } from "./values.ts";

const drawers: ReadonlyMap<string, (canvas: Canvas) => void> = new Map(
  Object.entries({
    Highlight: drawHighlight,
    Underline: drawUnderline,
    StrikeOut: drawStrikeOut,
    Squiggly: drawSquiggly,
    Redact: drawRedact,
    Square: drawSquare,
    Circle: drawCircle,
    Line: drawLineAnnotation,
    Polygon: drawPolygon,
    PolyLine: drawPolyLine,
    Ink: drawInk,
    Caret: drawCaret,
    FreeText: drawFreeText,
    Stamp: drawStamp,
    Text: drawNote,
  }),
);

/** Whether viewers draw annotations of this subtype without an appearance. */
export const isDrawnByViewers = (subtype: string): boolean => drawers.has(subtype);

/** An annotation to draw, further ones that are drawn with it, their subtype, and the page on which they are. */
export type OpenAnnotation = {
  readonly page: Page;
  readonly annotation: PdfDict;
  readonly others: readonly PdfDict[];
  readonly subtype: string;
};

/** The annotations that viewers show and that have no appearance. */
export function annotationsToDraw(doc: Doc): OpenAnnotation[] {
  const isOff = layersOff(doc);
  return doc.pages.flatMap((page) => {
    const open = annotationsOf(doc, page).flatMap((annotation): OpenAnnotation[] => {
      const subtype = nameIn(doc, annotation.get("Subtype")) ?? "";
      if (!drawers.has(subtype) || isHidden(doc, annotation) || isOff(annotation.get("OC"))) return [];
      // A reply belongs to another note and has no icon of its own.
      if (subtype === "Text" && resolve(doc, annotation.get("IRT")) !== null) return [];
      return normalAppearance(doc, annotation) === null ? [{ page, annotation, others: [], subtype }] : [];
    });
    return withFewHighlights(doc, open);
  });
}

// For each highlight PDFium draws everything below it once more, also the other highlights: 2,500 on one page take four seconds.
const MOST_HIGHLIGHTS = 100;

/** If there are very many highlights, those of one color are drawn as one. Where two overlap, the color is not deeper then. */
function withFewHighlights(doc: Doc, open: readonly OpenAnnotation[]): readonly OpenAnnotation[] {
  const isAlike = ({ subtype, annotation }: OpenAnnotation): boolean =>
    subtype === "Highlight" && !annotation.has("OC") && !isTag(doc, annotation);
  if (open.filter(isAlike).length <= MOST_HIGHLIGHTS) return open;
  const groups = new Map<string, PdfDict[]>();
  const kept = open.map((each) => {
    if (!isAlike(each)) return each;
    const key = JSON.stringify([colorIn(doc, each.annotation.get("C")), numberIn(doc, each.annotation.get("CA"))]);
    const group = groups.get(key);
    if (group !== undefined) {
      group.push(each.annotation);
      return null;
    }
    const others: PdfDict[] = [];
    groups.set(key, others);
    return { ...each, others };
  });
  return kept.filter((each) => each !== null);
}

// PDFium draws these as we do.
const SAME_IN_PDFIUM = new Set(["Square", "Circle", "Ink"]);

/**
 * Gives the annotation an appearance and the rectangle that it needs. One that states nothing to draw is left as it is. Returns where the
 * page now looks different in PDFium, which draws few annotations without one.
 */
export function drawAnnotation(
  doc: Doc,
  { page, annotation, others, subtype }: OpenAnnotation,
  book: FontBook,
  setter: TextSetter,
): Corners[] {
  const rect = rectIn(doc, annotation.get("Rect"));
  const opacity = Math.min(1, Math.max(0, numberIn(doc, annotation.get("CA")) ?? 1));
  if (rect === null || opacity === 0) return [];
  const sheet = openForm(doc, { w_pt: 0, h_pt: 0 }, book);
  const parts: Corners[] = [];
  const state = stateOf(subtype, opacity);
  if (state !== null) sheet.add(`/${sheet.name("ExtGState", register(doc, state))} gs`);
  const paint: Canvas["paint"] = (operators, points, margin) => {
    parts.push(boxAround(points, margin));
    sheet.add(operators);
  };
  const trace: Canvas["trace"] = (operators, points, margin) => {
    for (const part of boxesAlong(points, margin)) parts.push(part);
    sheet.add(operators);
  };
  const color = colorIn(doc, annotation.get("C"));
  const interior = colorIn(doc, annotation.get("IC"));
  drawers.get(subtype)?.({
    doc,
    page,
    annotation,
    others,
    sheet,
    setter,
    rect,
    color,
    interior,
    border: borderOf(doc, annotation),
    paint,
    trace,
  });
  const reach = boxAround(
    parts.flatMap(([left, bottom, right, top]): Point[] => [
      [left, bottom],
      [right, top],
    ]),
    0,
  );
  if (!(reach[2] > reach[0]) || !(reach[3] > reach[1])) return [];
  // The area of a tag is the rectangle of its annotation, which must not change.
  const box = isTag(doc, annotation) ? rect : reach;
  const stream = sheet.finish();
  stream.set("BBox", numberArray(box));
  annotation.set("Rect", numberArray(box));
  annotation.set("AP", PdfDict.of({ N: register(doc, stream) }));
  annotation.set("F", PdfNumber.of(flagsOf(subtype, numberIn(doc, annotation.get("F")) ?? 0)));
  if (SAME_IN_PDFIUM.has(subtype)) return [];
  const shown = keptUpright(doc, annotation, displayedPage(doc, page.dict).rotate, identity);
  // PDFium's icon of a note is in the rectangle that the file states.
  return [...parts.map((part) => mapBox(shown, part)), ...(subtype === "Text" ? [rect] : [])];
}

const NO_ROTATE = 16;

// On a page that is shown turned, the icon of a note stays upright (ISO 32000-2, 12.5.6.4), and a mark stays where the text is.
function flagsOf(subtype: string, stated: number): number {
  if (subtype === "Text") return stated | NO_ROTATE;
  return subtype === "FreeText" || subtype === "Stamp" ? stated : stated & ~NO_ROTATE;
}

const numberArray = (values: readonly number[]): PdfArray => new PdfArray(values.map((value) => PdfNumber.of(value)));

// The text under a highlight stays readable.
function stateOf(subtype: string, opacity: number): PdfDict | null {
  if (subtype !== "Highlight" && opacity === 1) return null;
  const state = PdfDict.of({ Type: PdfName.of("ExtGState"), CA: PdfNumber.of(opacity), ca: PdfNumber.of(opacity) });
  if (subtype === "Highlight") state.set("BM", PdfName.of("Multiply"));
  return state;
}

function isTag(doc: Doc, annotation: PdfDict): boolean {
  const contents = resolve(doc, annotation.get("Contents"));
  return contents instanceof PdfString && /^\s*\{\{[^{}]*\}\}\s*$/.test(decodeText(contents.bytes).slice(0, 600));
}
