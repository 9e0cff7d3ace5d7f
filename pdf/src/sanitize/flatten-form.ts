// Makes form fields part of the page, drawn as they look, so that the document that is shown, searched, stamped and sealed is the same.
// libpdf's own flattening is not used: it uses the same names on every page, so pages with shared resources would show each other's
// values, and it drops links written directly into /Annots.

import { PdfDict, PdfName, type PdfObject, type PdfRef } from "@libpdf/core";
import { annotationsOf, isHidden } from "../appearances/shown.ts";
import { keptUpright, normalAppearance, type Turn } from "../content/appearances.ts";
import type { Matrix } from "../content/matrix.ts";
import { type Doc, numbers, type Page, register, resolve } from "../doc.ts";
import { drawOver } from "../isolate-content.ts";
import { spellNumber } from "../numbers.ts";
import { displayedPage } from "../page-tree.ts";
import { nameOf } from "./actions.ts";
import { empty, keepAnnotations } from "./find-active.ts";

/** Draws the fields and removes the form. Fields without an appearance show nothing: call `drawAppearances` first. */
export function flattenForm(doc: Doc): void {
  const form = resolve(doc, doc.catalog.get("AcroForm"));
  const gone = new Set<PdfDict>();
  for (const page of doc.pages) flattenPage(doc, page, form instanceof PdfDict ? form.get("DR") : undefined, gone);
  // Only now: a widget may be listed on several pages.
  for (const widget of gone) empty(widget);
  doc.catalog.delete("AcroForm");
}

function flattenPage(doc: Doc, page: Page, defaultResources: PdfObject | undefined, gone: Set<PdfDict>): void {
  const widgets = annotationsOf(doc, page).filter((annotation) => nameOf(doc, annotation.get("Subtype")) === "Widget");
  if (widgets.length === 0) return;
  const { rotate } = displayedPage(doc, page.dict);
  const drawn = widgets.flatMap((widget) => drawingOf(doc, widget, rotate, defaultResources) ?? []);
  if (drawn.length > 0) {
    const resources = ownResources(doc, page);
    drawOver(doc, page, Buffer.from(drawn.map((drawing) => invoke(doc, resources, drawing)).join("\n")));
  }
  for (const widget of widgets) gone.add(widget);
  keepAnnotations(doc, page.dict, (annotation) => !gone.has(annotation));
}

type Drawing = { readonly form: PdfRef; readonly matrix: Matrix; readonly layer: PdfObject | undefined };

// ISO 32000-2, 12.5.5: the appearance's box, transformed by its matrix, is fitted into the annotation's rectangle.
function drawingOf(doc: Doc, widget: PdfDict, turn: Turn, defaultResources: PdfObject | undefined): Drawing | null {
  if (isHidden(doc, widget)) return null;
  const stream = normalAppearance(doc, widget)?.stream;
  const rect = sorted(numbers(doc, widget.get("Rect")));
  const box = sorted(numbers(doc, stream?.get("BBox")));
  if (stream === undefined || rect === null || box === null) return null;
  const turned = boundsOf(box, numbers(doc, stream.get("Matrix")));
  if (turned.w === 0 || turned.h === 0) return null;
  const sx = (rect[2] - rect[0]) / turned.w;
  const sy = (rect[3] - rect[1]) / turned.h;
  stream.set("Type", PdfName.XObject);
  stream.set("Subtype", PdfName.of("Form"));
  if (resolve(doc, stream.get("Resources")) === null && defaultResources !== undefined) stream.set("Resources", defaultResources);
  const form = doc.pdf.context.getRef(stream) ?? register(doc, stream);
  const fit: Matrix = [sx, 0, 0, sy, rect[0] - turned.x * sx, rect[1] - turned.y * sy];
  return { form, matrix: keptUpright(doc, widget, turn, fit), layer: widget.get("OC") };
}

function invoke(doc: Doc, resources: PdfDict, { form, matrix, layer }: Drawing): string {
  const name = addResource(doc, resources, "XObject", form);
  const drawing = `q ${matrix.map(spellNumber).join(" ")} cm /${name} Do Q`;
  if (layer === undefined) return drawing;
  return `/OC /${addResource(doc, resources, "Properties", layer)} BDC ${drawing} EMC`;
}

// Pages may share one resource dictionary; additions for this page must not affect the others.
function ownResources(doc: Doc, page: Page): PdfDict {
  const shared = resolve(doc, page.dict.get("Resources"));
  const own = shared instanceof PdfDict ? shared.clone() : new PdfDict();
  page.dict.set("Resources", register(doc, own));
  return own;
}

const added = new WeakSet<PdfDict>();

function addResource(doc: Doc, resources: PdfDict, category: string, value: PdfObject): string {
  let names = resolve(doc, resources.get(category));
  if (!(names instanceof PdfDict) || !added.has(names)) {
    names = names instanceof PdfDict ? names.clone() : new PdfDict();
    added.add(names as PdfDict);
    resources.set(category, names);
  }
  let n = (names as PdfDict).size;
  while ((names as PdfDict).has(`Field${n}`)) n++;
  (names as PdfDict).set(`Field${n}`, value);
  return `Field${n}`;
}

type Corners = readonly [number, number, number, number];

function sorted(corners: readonly number[] | null): Corners | null {
  const [x1, y1, x2, y2] = corners ?? [];
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return null;
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}

function boundsOf([left, bottom, right, top]: Corners, matrix: readonly number[] | null): { x: number; y: number; w: number; h: number } {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix?.length === 6 ? matrix : [];
  const points = [left, right].flatMap((x) => [bottom, top].map((y) => [a * x + c * y + e, b * x + d * y + f] as const));
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y };
}
