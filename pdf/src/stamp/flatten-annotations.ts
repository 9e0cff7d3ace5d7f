// Annotations are drawn above the page, so one could hide a signature or the mark of a copy. They are made part of the page when a
// document is uploaded, and again before a copy is marked. Links show nothing and stay.

import { type PdfDict, PdfName } from "@libpdf/core";
import { isDrawnByViewers } from "../appearances/draw-annotations.ts";
import { annotationsOf, shownOn } from "../appearances/shown.ts";
import { appearanceOf, type Turn } from "../content/appearances.ts";
import { identity } from "../content/matrix.ts";
import { type Doc, type Page, register } from "../doc.ts";
import { spellNumber } from "../numbers.ts";
import { displayedPage } from "../page-tree.ts";
import { nameOf } from "../sanitize/actions.ts";
import { keepAnnotations } from "../sanitize/find-active.ts";
import type { FontBook } from "./embed-fonts.ts";
import { openSheet, type Sheet } from "./sheet.ts";

// They belong to another annotation and show nothing by themselves.
const SILENT = ["Popup"];

/**
 * Draws all annotations into the page and removes them. Those without an appearance show nothing: call `drawAppearances` first. Returns
 * how many of them are shown, but of a kind that no viewer draws without an appearance.
 */
export function flattenAnnotations(doc: Doc, page: Page, fonts: FontBook): number {
  const all = annotationsOf(doc, page);
  const isLink = (annotation: PdfDict): boolean => nameOf(doc, annotation.get("Subtype")) === "Link";
  // A link must show nothing, even if it has an appearance.
  for (const link of all.filter(isLink)) link.delete("AP");
  const going = all.filter((annotation) => !isLink(annotation));
  if (going.length === 0) return 0;
  const sheet = openSheet(doc, page, fonts, identity);
  const { rotate } = displayedPage(doc, page.dict);
  for (const annotation of going) drawAppearance(doc, sheet, annotation, rotate);
  sheet.finish();
  keepAnnotations(doc, page.dict, isLink);
  const isShown = shownOn(doc);
  // Of a kind that viewers draw, one without an appearance states nothing to draw.
  const isSilent = (annotation: PdfDict): boolean => {
    const subtype = nameOf(doc, annotation.get("Subtype")) ?? "";
    return SILENT.includes(subtype) || isDrawnByViewers(subtype) || !isShown(page, annotation);
  };
  return going.filter((annotation) => appearanceOf(doc, annotation, rotate) === null && !isSilent(annotation)).length;
}

/** Whether `flattenAnnotations` would do anything. */
export function hasAnnotations(doc: Doc, page: Page): boolean {
  return annotationsOf(doc, page).some((annotation) => nameOf(doc, annotation.get("Subtype")) !== "Link" || annotation.has("AP"));
}

function drawAppearance(doc: Doc, sheet: Sheet, annotation: PdfDict, turn: Turn): void {
  const appearance = appearanceOf(doc, annotation, turn);
  if (appearance === null || appearance.hidden) return;
  const { stream, fit } = appearance;
  stream.set("Type", PdfName.of("XObject"));
  stream.set("Subtype", PdfName.of("Form"));
  const form = doc.pdf.context.getRef(stream) ?? register(doc, stream);
  const drawing = `q ${fit.map(spellNumber).join(" ")} cm /${sheet.name("XObject", form)} Do Q`;
  const layer = annotation.get("OC");
  sheet.add(layer === undefined ? drawing : `/OC /${sheet.name("Properties", layer)} BDC ${drawing} EMC`);
}
