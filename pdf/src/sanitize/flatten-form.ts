// Makes form fields part of the page, drawn as they look, so that the document that is shown, searched, stamped and sealed is the same.
// libpdf's own flattening is only used to draw values without an appearance: it uses the same names on every page, so pages with shared
// resources would show each other's values, and it drops links written directly into /Annots.

import { PdfArray, PdfBool, PdfDict, PdfName, PdfNumber, type PdfObject, type PdfRef, PdfStream, PdfString } from "@libpdf/core";
import { normalAppearance } from "../content/interpret.ts";
import { type Doc, numbers, type Page, register, resolve } from "../doc.ts";
import { UnreadablePdf } from "../errors.ts";
import { drawOver } from "../isolate-content.ts";
import { spellNumber } from "../numbers.ts";
import { nameOf } from "./actions.ts";
import { empty, keepAnnotations } from "./find-active.ts";

// Annotation flags (ISO 32000-2, table 167). Neither is shown on screen, so neither is part of what is signed.
const HIDDEN = 2;
const NO_VIEW = 32;

const READ_ONLY = 1;

/** Returns true if no field is left. If flattening fails, the fields stay but become read-only, so that they cannot be changed. */
export function flattenForm(doc: Doc): boolean {
  const form = resolve(doc, doc.catalog.get("AcroForm"));
  try {
    if (form instanceof PdfDict) drawMissingAppearances(doc, form);
    for (const page of doc.pages) flattenPage(doc, page, form instanceof PdfDict ? form.get("DR") : undefined);
  } catch (error) {
    if (error instanceof UnreadablePdf) throw error;
    if (form instanceof PdfDict) lockFields(doc, form);
    return false;
  }
  doc.catalog.delete("AcroForm");
  return true;
}

// Values filled in by a program are often left to the viewer to draw: the field has no appearance, or the form declares all of them
// outdated (NeedAppearances). libpdf draws them, except for read-only fields.
function drawMissingAppearances(doc: Doc, acroForm: PdfDict): void {
  const form = doc.pdf.getForm();
  const outdated = resolve(doc, acroForm.get("NeedAppearances"));
  const redraw = outdated instanceof PdfBool && outdated.value;
  for (const field of form?.getFields() ?? []) {
    if (!DRAWN_BY_VIEWERS.has(field.type) || !("needsAppearanceUpdate" in field)) continue;
    const bare = field.getWidgets().some((widget) => !widget.hasNormalAppearance());
    const stale = redraw && VALUES_AS_TEXT.has(field.type) && hasValue(doc, field.acroField());
    if (!bare && !stale) continue;
    if (!isLatin(doc, field.acroField())) throw new Error("libpdf can only draw Latin letters");
    // libpdf does not redraw choice fields that have an appearance, even if it is outdated.
    if (stale && field.type !== "text") for (const widget of field.getWidgets()) widget.dict.delete("AP");
    field.acroField().set("Ff", PdfNumber.of((numberOf(doc, field.acroField().get("Ff")) ?? 0) & ~READ_ONLY));
    field.needsAppearanceUpdate = true;
  }
  form?.updateAppearances();
}

const VALUES_AS_TEXT: ReadonlySet<string> = new Set(["text", "dropdown", "listbox"]);
const DRAWN_BY_VIEWERS: ReadonlySet<string> = new Set([...VALUES_AS_TEXT, "checkbox", "radio"]);

function hasValue(doc: Doc, field: PdfDict): boolean {
  const value = resolve(doc, field.get("V"));
  return value instanceof PdfString ? value.bytes.length > 0 : value !== null;
}

// A value that starts with the UTF-8 byte order mark, as PDF 2.0 allows: libpdf would draw the mark.
function isLatin(doc: Doc, field: PdfDict): boolean {
  const value = resolve(doc, field.get("V"));
  return !(value instanceof PdfString) || /^(?!\xef\xbb\xbf)[\s -~\xa1-\xff]*$/.test(value.asString());
}

function flattenPage(doc: Doc, page: Page, defaultResources: PdfObject | undefined): void {
  const widgets = annotationsOf(doc, page).filter((annotation) => nameOf(doc, annotation.get("Subtype")) === "Widget");
  if (widgets.length === 0) return;
  const drawn = widgets.flatMap((widget) => drawingOf(doc, widget, defaultResources) ?? []);
  if (drawn.length > 0) {
    const resources = ownResources(doc, page);
    drawOver(doc, page, Buffer.from(drawn.map((drawing) => invoke(doc, resources, drawing)).join("\n")));
  }
  const gone = new Set(widgets);
  keepAnnotations(doc, page.dict, (annotation) => !gone.has(annotation));
  for (const widget of widgets) empty(widget);
}

function annotationsOf(doc: Doc, page: Page): PdfDict[] {
  const annotations = resolve(doc, page.dict.get("Annots"));
  const items = annotations instanceof PdfArray ? annotations.toArray().map((item) => resolve(doc, item)) : [];
  return items.filter((item) => item instanceof PdfDict);
}

type Drawing = { readonly form: PdfRef; readonly matrix: readonly number[]; readonly layer: PdfObject | undefined };

// ISO 32000-2, 12.5.5: the appearance's box, transformed by its matrix, is fitted into the annotation's rectangle.
function drawingOf(doc: Doc, widget: PdfDict, defaultResources: PdfObject | undefined): Drawing | null {
  if (((numberOf(doc, widget.get("F")) ?? 0) & (HIDDEN | NO_VIEW)) !== 0) return null;
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
  return { form, matrix: [sx, 0, 0, sy, rect[0] - turned.x * sx, rect[1] - turned.y * sy], layer: widget.get("OC") };
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

function lockFields(doc: Doc, form: PdfDict): void {
  const seen = new Set<PdfDict>();
  const open: PdfObject[] = [form.get("Fields") ?? new PdfArray()];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const value = resolve(doc, next);
    if (value instanceof PdfArray) open.push(...value.toArray());
    if (!(value instanceof PdfDict) || value instanceof PdfStream || seen.has(value)) continue;
    seen.add(value);
    value.set("Ff", PdfNumber.of((numberOf(doc, value.get("Ff")) ?? 0) | READ_ONLY));
    const kids = value.get("Kids");
    if (kids !== undefined) open.push(kids);
  }
}

function numberOf(doc: Doc, value: PdfObject | undefined): number | null {
  const number = resolve(doc, value);
  return number instanceof PdfNumber ? number.value : null;
}
