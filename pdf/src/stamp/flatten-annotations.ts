// Annotations lie above the page, so one of them could hide what is drawn last. In a copy they become part of the page, as they
// look, before it is marked; links, which show nothing, stay.

import { PdfArray, PdfDict, PdfName } from "@libpdf/core";
import { appearanceOf } from "../content/appearances.ts";
import { identity } from "../content/matrix.ts";
import { type Doc, type Page, register, resolve } from "../doc.ts";
import { nameOf } from "../sanitize/actions.ts";
import { keepAnnotations } from "../sanitize/find-active.ts";
import type { FontBook } from "./embed-fonts.ts";
import { openSheet, ops, type Sheet } from "./sheet.ts";

/** An annotation without an appearance goes: every viewer draws it as it likes, and some over the whole page. */
export function flattenAnnotations(doc: Doc, page: Page, fonts: FontBook): void {
  const annotations = resolve(doc, page.dict.get("Annots"));
  if (!(annotations instanceof PdfArray)) return;
  const all = annotations
    .toArray()
    .map((item) => resolve(doc, item))
    .filter((item) => item instanceof PdfDict);
  const isLink = (annotation: PdfDict): boolean => nameOf(doc, annotation.get("Subtype")) === "Link";
  for (const link of all.filter(isLink)) link.delete("AP");
  if (all.every(isLink)) return;
  const sheet = openSheet(doc, page, fonts, identity);
  for (const annotation of all) if (!isLink(annotation)) drawAppearance(doc, sheet, annotation);
  sheet.finish();
  keepAnnotations(doc, page.dict, isLink);
}

function drawAppearance(doc: Doc, sheet: Sheet, annotation: PdfDict): void {
  const appearance = appearanceOf(doc, annotation);
  if (appearance === null || appearance.hidden) return;
  const { stream, fit } = appearance;
  stream.set("Type", PdfName.of("XObject"));
  stream.set("Subtype", PdfName.of("Form"));
  const form = doc.pdf.context.getRef(stream) ?? register(doc, stream);
  const drawing = `q ${ops(...fit)} cm /${sheet.name("XObject", form)} Do Q`;
  const layer = annotation.get("OC");
  sheet.add(layer === undefined ? drawing : `/OC /${sheet.name("Properties", layer)} BDC ${drawing} EMC`);
}
