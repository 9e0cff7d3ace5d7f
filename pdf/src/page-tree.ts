// Makes every page a complete object that occurs once. libpdf loses pages that viewers show: a page without /Type, one written directly
// into /Kids, one listed twice, and all of them if /Kids is a reference. So the tree (ISO 32000-2, 7.7.3) is read here and written back
// as one flat list, after which libpdf and PDFium agree with us.

import { PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfRef, PdfStream } from "@libpdf/core";
import { type Doc, numbers, type Page, register, resolve } from "./doc.ts";
import { UnreadablePdf } from "./errors.ts";

// More than anyone signs; every page costs about a second of work in total.
export const MAX_PAGES = 2_000;

// A balanced tree of 2,000 pages is 4 levels deep. A tree deeper than this is an attack, and viewers do not show its pages either.
const MAX_DEPTH = 64;

const INHERITED = ["Resources", "MediaBox", "CropBox", "Rotate"] as const;

type Inherited = { readonly [key in (typeof INHERITED)[number]]?: PdfObject };

type Found = { readonly dict: PdfDict; readonly ref: PdfRef | null; readonly inherited: Inherited };

type Holder = Pick<Doc, "pdf">;

/**
 * Flattens the page tree and returns the document's pages in order. Writes only differences, so our own files are left unchanged. Throws
 * UnreadablePdf if there is no page or more than MAX_PAGES.
 */
export function flattenPageTree(doc: Holder): Page[] {
  const catalog = doc.pdf.context.catalog.getDict();
  const found = findPages(doc, catalog.get("Pages"));
  if (found.length === 0) throw new UnreadablePdf("unparseable", "no pages");
  const root = ensureRoot(doc, catalog);
  const pages = ownObjects(doc, found);
  for (const [index, page] of pages.entries()) complete(doc, page.dict, found[index]?.inherited ?? {}, root.ref);
  const kids = pages.map((page) => page.ref);
  if (!sameRefs(root.dict.get("Kids"), kids)) root.dict.set("Kids", new PdfArray(kids));
  if (root.dict.getNumber("Count")?.value !== kids.length) root.dict.set("Count", PdfNumber.of(kids.length));
  if (root.dict.getName("Type")?.value !== "Pages") root.dict.set("Type", PdfName.Pages);
  return pages;
}

function findPages(doc: Holder, top: PdfObject | undefined): Found[] {
  const found: Found[] = [];
  const nodes = new Set<PdfDict>();
  const visit = (value: PdfObject | undefined, from: Inherited, depth: number): void => {
    const dict = resolve(doc, value);
    if (!(dict instanceof PdfDict) || dict instanceof PdfStream || depth > MAX_DEPTH) return;
    const inherited = inherit(doc, dict, from);
    const kids = resolve(doc, dict.get("Kids"));
    if (kids instanceof PdfArray) {
      // A node that occurs again is a cycle or a repeated branch; viewers show it once.
      if (nodes.has(dict)) return;
      nodes.add(dict);
      for (const kid of kids) visit(kid, inherited, depth + 1);
      return;
    }
    if (isLostNode(dict)) return;
    if (found.length === MAX_PAGES) throw new UnreadablePdf("too_complex", `more than ${MAX_PAGES.toLocaleString("en")} pages`);
    found.push({ dict, ref: value instanceof PdfRef ? value : null, inherited });
  };
  visit(top, {}, 0);
  return found;
}

// A node whose list cannot be read. Treated as a page, it would be a blank page in place of its whole list.
function isLostNode(dict: PdfDict): boolean {
  return !dict.has("Contents") && (dict.has("Kids") || dict.getName("Type")?.value === "Pages");
}

function inherit(doc: Holder, dict: PdfDict, from: Inherited): Inherited {
  const own: { -readonly [key in keyof Inherited]: PdfObject } = { ...from };
  for (const key of INHERITED) {
    const value = dict.get(key);
    if (value !== undefined && resolve(doc, value) !== null) own[key] = value;
  }
  return own;
}

// The root must be a separate object and a node; if it is a single page, a node is added above it.
function ensureRoot(doc: Holder, catalog: PdfDict): { dict: PdfDict; ref: PdfRef } {
  const value = catalog.get("Pages");
  const dict = resolve(doc, value);
  if (value instanceof PdfRef && dict instanceof PdfDict && resolve(doc, dict.get("Kids")) instanceof PdfArray) return { dict, ref: value };
  const made = PdfDict.of({ Type: PdfName.Pages });
  const ref = register(doc, made);
  catalog.set("Pages", ref);
  return { dict: made, ref };
}

function ownObjects(doc: Holder, found: readonly Found[]): Page[] {
  const taken = new Set<PdfDict>();
  return found.map(({ dict, ref }, index) => {
    if (ref !== null && !taken.has(dict)) {
      taken.add(dict);
      return { index, ref, dict };
    }
    const copy = dict.clone();
    return { index, ref: register(doc, copy), dict: copy };
  });
}

function complete(doc: Holder, dict: PdfDict, inherited: Inherited, parent: PdfRef): void {
  if (dict.getName("Type")?.value !== "Page") dict.set("Type", PdfName.Page);
  if (!sameRef(dict.get("Parent"), parent)) dict.set("Parent", parent);
  // PDFium treats anything with this key as a node and does not show it.
  if (dict.has("Kids")) dict.delete("Kids");
  for (const key of INHERITED) {
    const value = inherited[key];
    if (value !== undefined && value !== dict.get(key)) dict.set(key, shareable(doc, value));
  }
}

// A direct dictionary in two pages would be one object in memory but two in the file: changing one page would change the other until the
// next save. As a separate object it is explicitly shared.
function shareable(doc: Holder, value: PdfObject): PdfObject {
  if (value instanceof PdfArray) return new PdfArray(value.toArray());
  if (value instanceof PdfDict) return doc.pdf.context.getRef(value) ?? register(doc, value);
  return value;
}

function sameRefs(value: PdfObject | undefined, refs: readonly PdfRef[]): boolean {
  return value instanceof PdfArray && value.length === refs.length && refs.every((ref, index) => sameRef(value.at(index), ref));
}

// libpdf keeps references in a cache that drops entries, so equal references need not be the same object.
function sameRef(value: PdfObject | undefined, ref: PdfRef): boolean {
  return value instanceof PdfRef && value.objectNumber === ref.objectNumber && value.generation === ref.generation;
}

/** The visible part of a page: its lower left corner and size in user space before rotation, and the rotation. */
export type DisplayedPage = {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly rotate: 0 | 90 | 180 | 270;
  /** Points per unit of user space. */
  readonly user_unit: number;
};

const LETTER = { x: 0, y: 0, w: 612, h: 792 };

type Box = { readonly x: number; readonly y: number; readonly w: number; readonly h: number };

/** CropBox ∩ MediaBox; the MediaBox if that is empty, and US Letter if there is none. */
export function displayedPage(doc: Holder, dict: PdfDict): DisplayedPage {
  const media = box(numbers(doc, dict.get("MediaBox"))) ?? LETTER;
  const crop = box(numbers(doc, dict.get("CropBox"))) ?? media;
  const unit = resolve(doc, dict.get("UserUnit"));
  const user_unit = unit instanceof PdfNumber && unit.value > 0 ? unit.value : 1;
  return { ...(intersection(crop, media) ?? media), rotate: rotation(resolve(doc, dict.get("Rotate"))), user_unit };
}

/** Displayed width and height in points, swapped if the page is rotated by a quarter turn. */
export function displayedSize({ w, h, rotate, user_unit }: DisplayedPage): { w_pt: number; h_pt: number } {
  const [across, down] = rotate === 90 || rotate === 270 ? [h, w] : [w, h];
  return { w_pt: across * user_unit, h_pt: down * user_unit };
}

function box(corners: readonly number[] | null): Box | null {
  const [x1, y1, x2, y2] = corners ?? [];
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return null;
  return nonEmpty(Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2));
}

function intersection(a: Box, b: Box): Box | null {
  return nonEmpty(Math.max(a.x, b.x), Math.max(a.y, b.y), Math.min(a.x + a.w, b.x + b.w), Math.min(a.y + a.h, b.y + b.h));
}

function nonEmpty(left: number, bottom: number, right: number, top: number): Box | null {
  return right > left && top > bottom ? { x: left, y: bottom, w: right - left, h: top - bottom } : null;
}

function rotation(value: PdfObject | null): DisplayedPage["rotate"] {
  const turned = value instanceof PdfNumber ? ((value.value % 360) + 360) % 360 : 0;
  return turned === 90 || turned === 180 || turned === 270 ? turned : 0;
}
