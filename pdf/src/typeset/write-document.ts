// Writes pages of strips as a PDF. Nothing depends on a clock or randomness: the file's identifier is a hash of the model.

import { createHash } from "node:crypto";
import { type PDF, PdfArray, PdfBool, PdfDict, PdfName, PdfNumber, type PdfObject, PdfRef, PdfStream, PdfString } from "@libpdf/core";
import { register, save } from "../doc.ts";
import { openFontBook } from "../stamp/embed-fonts.ts";
import { lineWidth } from "../stamp/fit-text.ts";
import { ops, type Sheet } from "../stamp/sheet.ts";
import { describeForArchives } from "./archive.ts";
import type { DocumentModel } from "./model.ts";
import { outlineOf } from "./outline.ts";
import { packObjects } from "./pack-objects.ts";
import type { Placed } from "./paginate.ts";
import type { Strip } from "./strip.ts";
import { openMarker, type PageMarker, writeStructure } from "./structure.ts";
import { FOOTER_PT, HEAD, MARGIN_PT, PAPER_PT, RULE_COLOR } from "./styles.ts";
import { drawLine, rgb, type Setter, textLines } from "./text-lines.ts";

type Pdf = { readonly pdf: PDF };

export async function writeDocument(model: DocumentModel, pages: readonly (readonly Placed[])[], setter: Setter): Promise<Uint8Array> {
  const { doc } = setter;
  const catalog = doc.pdf.context.catalog.getDict();
  const book = openFontBook(doc);
  const resources = new PdfDict();
  const name = namesIn(resources);
  const drawn = new Set<Strip>();
  const written = pages.map((placed, index) => {
    const operators = [ops(1, 0, 0, -1, 0, PAPER_PT[model.paper].h, "cm")];
    const sheet: Sheet = { add: (text) => operators.push(text), fonts: book, name };
    const marker = openMarker(sheet.add, index);
    drawStrips(sheet, placed, marker, drawn);
    marker.end();
    drawFooter(sheet, model, { page: index + 1, of: pages.length }, setter);
    return { ref: appendPage(doc, catalog, model, { resources, operators, index }), pieces: marker.pieces };
  });
  const refs = written.map(({ ref }) => ref);
  finishTree(doc, catalog, refs);
  book.finish();
  describe(doc, catalog, model);
  describeForArchives(doc, catalog, model);
  writeStructure(doc, catalog, setter.structure, written, PAPER_PT[model.paper].h);
  const outline = outlineOf(doc, pages, refs, PAPER_PT[model.paper].h - MARGIN_PT.top);
  if (outline !== null) catalog.set("Outlines", outline);
  return packObjects(await save(doc));
}

// The header of a table that is repeated on another page is decoration there.
function drawStrips(sheet: Sheet, placed: readonly Placed[], marker: PageMarker, drawn: Set<Strip>): void {
  const repeated = new Set(placed.map(({ strip }) => strip).filter((strip) => drawn.has(strip)));
  for (const { strip, y_pt } of placed) {
    drawn.add(strip);
    if (strip.ground !== undefined) marker.next(null);
    strip.ground?.(sheet, MARGIN_PT.top + y_pt);
  }
  for (let from = 0; from < placed.length; ) {
    const row = placed[from]?.strip.row;
    let to = from + 1;
    while (row !== undefined && placed[to]?.strip.row === row) to++;
    const together = placed.slice(from, to);
    const layers = Math.max(...together.map(({ strip }) => strip.layers.length));
    for (let layer = 0; layer < layers; layer++) {
      for (const { strip, y_pt } of together) {
        const draw = strip.layers[layer] ?? null;
        if (draw === null) continue;
        marker.next(repeated.has(strip) ? null : (strip.elements?.[layer] ?? null));
        draw(sheet, MARGIN_PT.top + y_pt);
      }
    }
    from = to;
  }
}

// Always on one line; a longer footer is drawn smaller.
function drawFooter(sheet: Sheet, { paper, footer }: DocumentModel, { page, of }: { page: number; of: number }, setter: Setter): void {
  const { w: paperW, h } = PAPER_PT[paper];
  const w = paperW - 2 * MARGIN_PT.side;
  const text = [footer.before, `page ${page} of ${of}`, footer.after].join(" · ").replaceAll(/\s+/g, " ");
  const [line] = textLines(setter, text, Number.POSITIVE_INFINITY, HEAD);
  if (line === undefined) return;
  const style = { ...HEAD, size_pt: Math.min(FOOTER_PT.size, w / lineWidth(line)), leading_pt: FOOTER_PT.size };
  const y = h - FOOTER_PT.rule_up;
  sheet.add("/Artifact << /Type /Pagination /Subtype /Footer >> BDC");
  sheet.add(ops(`q ${rgb(RULE_COLOR)} RG 0.4 w`, MARGIN_PT.side, y, "m", MARGIN_PT.side + w, y, "l S Q"));
  drawLine(sheet, { ...line, style }, { x: MARGIN_PT.side, y: h - FOOTER_PT.up - FOOTER_PT.size, w });
  sheet.add("EMC");
}

// Fonts, and the pictures of signatures.
function namesIn(resources: PdfDict): Sheet["name"] {
  const names = new Map<PdfObject, string>();
  return (category, value) => {
    if (category !== "Font" && category !== "XObject") throw new Error(`typesetting uses no ${category}`);
    const known = names.get(value) ?? `${category === "Font" ? "F" : "P"}${names.size + 1}`;
    names.set(value, known);
    const named = resources.get(category);
    if (named instanceof PdfDict) named.set(known, value);
    else resources.set(category, PdfDict.of({ [known]: value }));
    return known;
  };
}

type Drawn = { readonly resources: PdfDict; readonly operators: readonly string[]; readonly index: number };

function appendPage(doc: Pdf, catalog: PdfDict, { paper }: DocumentModel, { resources, operators, index }: Drawn): PdfRef {
  const { w, h } = PAPER_PT[paper];
  const content = new PdfStream(new PdfDict(), Buffer.from(operators.join("\n"), "latin1"));
  return register(
    doc,
    PdfDict.of({
      Type: PdfName.Page,
      Parent: pageTree(catalog),
      MediaBox: new PdfArray([0, 0, w, h].map((side) => PdfNumber.of(side))),
      Resources: resources,
      Contents: register(doc, content),
      StructParents: PdfNumber.of(index),
      Tabs: PdfName.of("S"),
    }),
  );
}

function pageTree(catalog: PdfDict): PdfRef {
  const root = catalog.get("Pages");
  if (!(root instanceof PdfRef)) throw new Error("a new document has a page tree");
  return root;
}

function finishTree(doc: Pdf, catalog: PdfDict, refs: readonly PdfRef[]): void {
  const root = doc.pdf.context.resolve(pageTree(catalog));
  if (!(root instanceof PdfDict)) throw new Error("a new document has a page tree");
  root.set("Kids", new PdfArray([...refs]));
  root.set("Count", PdfNumber.of(refs.length));
}

// libpdf writes its own name and the current time into a new document, so the information is replaced as a whole.
function describe(doc: Pdf, catalog: PdfDict, model: DocumentModel): void {
  const { title, subject, author, language } = model;
  const said = { Title: title, Subject: subject, Author: author };
  const info = new PdfDict();
  for (const [key, text] of Object.entries(said)) if (text !== undefined) info.set(key, PdfString.fromString(text));
  const { trailer } = doc.pdf.context.info;
  trailer.set("Info", register(doc, info));
  const id = new PdfString(createHash("sha256").update(JSON.stringify(model)).digest().subarray(0, 16), "hex");
  trailer.set("ID", new PdfArray([id, id]));
  catalog.set("Lang", PdfString.fromString(language));
  catalog.set("ViewerPreferences", PdfDict.of({ DisplayDocTitle: PdfBool.of(true) }));
}
