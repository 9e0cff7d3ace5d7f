// Adds pages at the end of the document, in the size of the first page, for signers without a field: one row for each.

import { breakLines, PADDING_PT } from "@countersign/fields/fit";
import { PdfArray, PdfDict, PdfName, PdfNumber } from "@libpdf/core";
import type { Area } from "../area.ts";
import { type Doc, type Page, register, resolve } from "../doc.ts";
import { displayedPage, displayedSize } from "../page-tree.ts";
import { type FontBook, openFontBook } from "./embed-fonts.ts";
import type { Fonts } from "./fonts.ts";
import { shape, widthOf } from "./shape.ts";
import { drawTagged, openSheet, ops, reading, type Sheet, showLine, within } from "./sheet.ts";

/** `signer` is returned with the areas; `label` is printed: a name or a role. */
export type PageSigner = { readonly signer: string; readonly label: string };

export type SignerAreas = { readonly signer: string; readonly signature: Area; readonly date: Area };

export type WithSignaturePage = {
  /** The document with its new pages; the passed Doc does not contain them. */
  readonly doc: Doc;
  /** In the order of `signers`. */
  readonly areas: readonly SignerAreas[];
};

const MOST_A_PAGE = 12;
// Enough for a signature with its caption and the label above it. A landscape A4 page fits twelve rows, a lower page fewer.
const LEAST_ROW_PT = 37;
const TALLEST_ROW_PT = 64;
const MARGIN_PT = 54;
const HEADING_PT = 34;
const LABEL_PT = 11;
const BELOW_ROW_PT = 6;
const DATE_OF_WIDTH = 0.28;
const GUTTER_PT = 18;

const HEADING_SIZE_PT = 14;
const LABEL_SIZE_PT = 9;
const HINT_SIZE_PT = 6;

// Two areas do not fit side by side on a smaller page; US Letter is used instead, the default for pages without a size.
const LEAST_SIDE_PT = 200;
const LETTER = { w_pt: 612, h_pt: 792 };

/**
 * Appends as many pages as the signers need, in the size of the first page of `like`.
 * @example const { doc: longer, areas } = addSignaturePage(doc, [{ signer: "sig_1", label: "Ann Example" }], openFonts())
 */
export function addSignaturePage(doc: Doc, signers: readonly PageSigner[], fonts: Fonts, like: Doc = doc): WithSignaturePage {
  const book = openFontBook(doc);
  const size = sizeOf(like);
  const room = size.h_pt - 2 * MARGIN_PT - HEADING_PT;
  const rows = Math.max(1, Math.min(MOST_A_PAGE, Math.floor(room / LEAST_ROW_PT)));
  const pages: Page[] = [...doc.pages];
  const areas: SignerAreas[] = [];
  for (let first = 0; first < signers.length; first += rows) {
    const page = appendPage(doc, pages.length, size);
    pages.push(page);
    areas.push(
      ...fill(doc, page, signers.slice(first, first + rows), { ...size, row: Math.min(TALLEST_ROW_PT, room / rows) }, book, fonts),
    );
  }
  book.finish();
  return { doc: { ...doc, pages }, areas };
}

type Size = { readonly w_pt: number; readonly h_pt: number };

function sizeOf(doc: Doc): Size {
  const [first] = doc.pages;
  const size = first === undefined ? LETTER : displayedSize(displayedPage(doc, first.dict));
  return Math.min(size.w_pt, size.h_pt) < LEAST_SIDE_PT ? LETTER : size;
}

function appendPage(doc: Doc, index: number, { w_pt, h_pt }: Size): Page {
  const parent = doc.catalog.get("Pages");
  const root = resolve(doc, parent);
  const kids = root instanceof PdfDict ? resolve(doc, root.get("Kids")) : null;
  if (parent === undefined || !(root instanceof PdfDict) || !(kids instanceof PdfArray))
    throw new Error("an opened document has a flat page tree");
  const dict = PdfDict.of({
    Type: PdfName.Page,
    Parent: parent,
    MediaBox: new PdfArray([0, 0, w_pt, h_pt].map((side) => PdfNumber.of(side))),
    Resources: new PdfDict(),
  });
  const ref = register(doc, dict);
  kids.push(ref);
  root.set("Count", PdfNumber.of(kids.length));
  return { index, ref, dict };
}

function fill(
  doc: Doc,
  page: Page,
  signers: readonly PageSigner[],
  { w_pt, h_pt, row }: Size & { readonly row: number },
  book: FontBook,
  fonts: Fonts,
): SignerAreas[] {
  const sheet = openSheet(doc, page, book);
  const inner = w_pt - 2 * MARGIN_PT;
  const date = inner * DATE_OF_WIDTH;
  const write = (text: string, at: { x: number; y: number; size: number; w: number }): void => writeLine(sheet, text, at, fonts);
  write("Signatures", { x: MARGIN_PT, y: MARGIN_PT + HEADING_SIZE_PT, size: HEADING_SIZE_PT, w: inner });
  const areas = signers.map(({ signer, label }, index): SignerAreas => {
    const top = MARGIN_PT + HEADING_PT + index * row;
    const h = row - LABEL_PT - BELOW_ROW_PT;
    const [left, right] = [MARGIN_PT, w_pt - MARGIN_PT - date];
    const line = top + LABEL_PT + h;
    write(label, { x: left, y: top + LABEL_SIZE_PT, size: LABEL_SIZE_PT, w: inner - date - GUTTER_PT });
    write("Date", { x: right, y: top + LABEL_SIZE_PT, size: HINT_SIZE_PT, w: date });
    drawTagged(sheet, null, () =>
      sheet.add(ops("0.5 G 0.5 w", left, line, "m", right - GUTTER_PT, line, "l", right, line, "m", right + date, line, "l S")),
    );
    const area = (x: number, w: number): Area => ({
      page: page.index + 1,
      x: x / w_pt,
      y: (top + LABEL_PT) / h_pt,
      w: w / w_pt,
      h: h / h_pt,
    });
    return { signer, signature: area(left, right - GUTTER_PT - left), date: area(right, date) };
  });
  sheet.finish();
  return areas;
}

// A label that is too long is cut off: it only helps to find the row, and the caption names the signer.
function writeLine(sheet: Sheet, text: string, { x, y, size, w }: { x: number; y: number; size: number; w: number }, fonts: Fonts): void {
  const { paragraphs } = shape(text.replaceAll(/\s+/g, " "), fonts);
  const [line] = breakLines(paragraphs, (w - 2 * PADDING_PT) / size, "anywhere", Number.POSITIVE_INFINITY) ?? [];
  if (line === undefined) return;
  const indent = line.rightToLeft ? w - PADDING_PT - widthOf(line.letters) * size : PADDING_PT;
  const box = { x, y: y - 1.1 * size, w, h: 1.5 * size };
  const shown = within(box, ["0.2 g", reading(text, showLine(sheet, line.letters, { x: x + indent, y, size }))]);
  drawTagged(sheet, { kind: "P", text }, () => sheet.add(shown));
}
