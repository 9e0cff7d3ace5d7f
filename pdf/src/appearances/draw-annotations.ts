// Draws annotations that have no appearance, the way other viewers do (PDFium, poppler, pdf.js, MuPDF): a clause that was struck out must
// stay struck out. Subtypes that no viewer draws by itself are left alone.

import { PdfArray, PdfDict, PdfName, PdfNumber, PdfString } from "@libpdf/core";
import { normalAppearance } from "../content/appearances.ts";
import { layersOff } from "../content/layers.ts";
import { decodeText } from "../content/text-strings.ts";
import { type Doc, type Page, register, resolve } from "../doc.ts";
import type { FontBook } from "../stamp/embed-fonts.ts";
import { openForm } from "../stamp/sheet.ts";
import { borderOf } from "./border.ts";
import type { Canvas } from "./canvas.ts";
import { drawFreeText, drawNote, drawStamp } from "./notes.ts";
import type { Point } from "./paths.ts";
import { drawCaret, drawCircle, drawInk, drawLineAnnotation, drawPolygon, drawPolyLine, drawSquare } from "./shapes.ts";
import { annotationsOf, isHidden } from "./shown.ts";
import type { TextSetter } from "./text.ts";
import { drawHighlight, drawRedact, drawSquiggly, drawStrikeOut, drawUnderline } from "./text-marks.ts";
import { type Corners, colorIn, coordinatesIn, nameIn, numberIn } from "./values.ts";

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

/** An annotation to draw, its subtype, and the page on which it is. */
export type OpenAnnotation = { readonly page: Page; readonly annotation: PdfDict; readonly subtype: string };

/** The annotations that viewers show and that have no appearance. */
export function annotationsToDraw(doc: Doc): OpenAnnotation[] {
  const isOff = layersOff(doc);
  return doc.pages.flatMap((page) =>
    annotationsOf(doc, page).flatMap((annotation) => {
      const subtype = nameIn(doc, annotation.get("Subtype")) ?? "";
      if (!drawers.has(subtype) || isHidden(doc, annotation) || isOff(annotation.get("OC"))) return [];
      // A reply belongs to another note and has no icon of its own.
      if (subtype === "Text" && resolve(doc, annotation.get("IRT")) !== null) return [];
      return normalAppearance(doc, annotation) === null ? [{ page, annotation, subtype }] : [];
    }),
  );
}

/** Gives the annotation an appearance and the rectangle that it needs. One that states nothing to draw is left as it is. */
export function drawAnnotation(doc: Doc, { page, annotation, subtype }: OpenAnnotation, book: FontBook, setter: TextSetter): void {
  const rect = rectOf(doc, annotation);
  const opacity = Math.min(1, Math.max(0, numberIn(doc, annotation.get("CA")) ?? 1));
  if (rect === null || opacity === 0) return;
  const sheet = openForm(doc, { w_pt: 0, h_pt: 0 }, book);
  const reach = {
    left: Number.POSITIVE_INFINITY,
    bottom: Number.POSITIVE_INFINITY,
    right: Number.NEGATIVE_INFINITY,
    top: Number.NEGATIVE_INFINITY,
  };
  const state = stateOf(subtype, opacity);
  if (state !== null) sheet.add(`/${sheet.name("ExtGState", register(doc, state))} gs`);
  const paint = (operators: string, points: readonly Point[], margin: number): void => {
    for (const [x, y] of points) {
      reach.left = Math.min(reach.left, x - margin);
      reach.bottom = Math.min(reach.bottom, y - margin);
      reach.right = Math.max(reach.right, x + margin);
      reach.top = Math.max(reach.top, y + margin);
    }
    sheet.add(operators);
  };
  const color = colorIn(doc, annotation.get("C"));
  const interior = colorIn(doc, annotation.get("IC"));
  drawers.get(subtype)?.({ doc, page, annotation, sheet, setter, rect, color, interior, border: borderOf(doc, annotation), paint });
  if (!(reach.right > reach.left) || !(reach.top > reach.bottom)) return;
  // The area of a tag is the rectangle of its annotation, which must not change.
  const box = isTag(doc, annotation) ? rect : [reach.left, reach.bottom, reach.right, reach.top];
  const stream = sheet.finish();
  stream.set("BBox", numberArray(box));
  annotation.set("Rect", numberArray(box));
  annotation.set("AP", PdfDict.of({ N: register(doc, stream) }));
}

const numberArray = (values: readonly number[]): PdfArray => new PdfArray(values.map((value) => PdfNumber.of(value)));

function rectOf(doc: Doc, annotation: PdfDict): Corners | null {
  const [x1, y1, x2, y2] = coordinatesIn(doc, annotation.get("Rect")) ?? [];
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return null;
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}

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
