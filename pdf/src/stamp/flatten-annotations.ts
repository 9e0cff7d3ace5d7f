// Annotations are drawn above the page, so one could hide a signature or the mark of a copy. They are made part of the page when a
// document is uploaded, and again before a copy is marked. Links show nothing and stay.

import { PdfArray, PdfDict, PdfName } from "@libpdf/core";
import { appearanceOf } from "../content/appearances.ts";
import { identity } from "../content/matrix.ts";
import { type Doc, type Page, register, resolve } from "../doc.ts";
import { spellNumber } from "../numbers.ts";
import { nameOf } from "../sanitize/actions.ts";
import { keepAnnotations } from "../sanitize/find-active.ts";
import type { FontBook } from "./embed-fonts.ts";
import { openSheet, type Sheet } from "./sheet.ts";

const LINK = ["Link"];
/** For a form whose values could not be drawn into the page: they stay in place, locked. */
export const LINKS_AND_WIDGETS = [...LINK, "Widget"];

/**
 * Removes annotations without an appearance, because viewers draw them differently, some over the whole page. Returns how many removed
 * annotations a viewer may have shown.
 */
export function flattenAnnotations(doc: Doc, page: Page, fonts: FontBook, kept: readonly string[] = LINK): number {
  const all = annotationsOf(doc, page);
  const stays = (annotation: PdfDict): boolean => kept.includes(nameOf(doc, annotation.get("Subtype")) ?? "");
  // A link must show nothing, even if it has an appearance.
  for (const link of all.filter((annotation) => nameOf(doc, annotation.get("Subtype")) === "Link")) link.delete("AP");
  const going = all.filter((annotation) => !stays(annotation));
  if (going.length === 0) return 0;
  const sheet = openSheet(doc, page, fonts, identity);
  for (const annotation of going) drawAppearance(doc, sheet, annotation);
  sheet.finish();
  keepAnnotations(doc, page.dict, stays);
  const isSilent = (annotation: PdfDict): boolean => nameOf(doc, annotation.get("Subtype")) === "Popup";
  return going.filter((annotation) => appearanceOf(doc, annotation) === null && !isSilent(annotation)).length;
}

/** Whether `flattenAnnotations` would do anything. */
export function hasAnnotations(doc: Doc, page: Page, kept: readonly string[] = LINK): boolean {
  return annotationsOf(doc, page).some(
    (annotation) =>
      !kept.includes(nameOf(doc, annotation.get("Subtype")) ?? "") ||
      (annotation.has("AP") && nameOf(doc, annotation.get("Subtype")) === "Link"),
  );
}

function annotationsOf(doc: Doc, page: Page): PdfDict[] {
  const annotations = resolve(doc, page.dict.get("Annots"));
  if (!(annotations instanceof PdfArray)) return [];
  return annotations
    .toArray()
    .map((item) => resolve(doc, item))
    .filter((item) => item instanceof PdfDict);
}

function drawAppearance(doc: Doc, sheet: Sheet, annotation: PdfDict): void {
  const appearance = appearanceOf(doc, annotation);
  if (appearance === null || appearance.hidden) return;
  const { stream, fit } = appearance;
  stream.set("Type", PdfName.of("XObject"));
  stream.set("Subtype", PdfName.of("Form"));
  const form = doc.pdf.context.getRef(stream) ?? register(doc, stream);
  const drawing = `q ${fit.map(spellNumber).join(" ")} cm /${sheet.name("XObject", form)} Do Q`;
  const layer = annotation.get("OC");
  sheet.add(layer === undefined ? drawing : `/OC /${sheet.name("Properties", layer)} BDC ${drawing} EMC`);
}
