// Marks a copy as such on every page, in text that can be searched and read aloud, above everything else on the page. The copy does not
// contain the signatures of the original: the marks would break them, and a broken seal would be misleading.

import { breakLines, LINE_EM, PADDING_PT } from "@countersign/fields/fit";
import { PdfDict, PdfName, PdfNumber, type PdfObject, type PdfRef, PdfStream } from "@libpdf/core";
import { drawAppearances } from "../appearances/draw-appearances.ts";
import { dropArchiveClaim } from "../archive-claim.ts";
import { decodeStream } from "../content/filters.ts";
import { type Doc, register, resolve } from "../doc.ts";
import { NAMESPACE } from "../file-marks.ts";
import { displayedPage, displayedSize } from "../page-tree.ts";
import { flattenForm } from "../sanitize/flatten-form.ts";
import { linesOf } from "./draw-text.ts";
import { type FontBook, openFontBook } from "./embed-fonts.ts";
import type { Line } from "./fit-text.ts";
import { flattenAnnotations } from "./flatten-annotations.ts";
import type { Fonts } from "./fonts.ts";
import { shape, widthOf } from "./shape.ts";
import { drawTagged, openForm, openSheet, ops, reading, type Sheet, showLine, within } from "./sheet.ts";
import type { Tag } from "./structure-tree.ts";

/** `band` is printed at the bottom of each page; `diagonal`, if given, across it. */
export type CopyTexts = { readonly band: string; readonly diagonal?: string };

const BAND_SIZE_PT = 7;
const BAND_PADDING_PT = 2;
// Printers leave a margin of a quarter of an inch.
const BAND_INSET_PT = 18;
const BAND_INSET_OF_WIDTH = 0.03;
// On a very small page, the band is smaller so that it does not cover the page.
const BAND_MOST_OF_HEIGHT = 0.4;
const BAND_SMALLEST_PT = 1;

const RED = "0.7 0 0 rg";

const DIAGONAL_LENGTH = 0.7;
const DIAGONAL_OPACITY = 0.2;
// The height of capitals in Noto Sans, in ems.
const CAPITAL_EM = 0.714;

type Size = { readonly w_pt: number; readonly h_pt: number };

/**
 * Marks every page and removes the signature fields; annotations become part of the page, below the marks. `save` then writes the copy
 * without the original's revisions.
 * @example markCopy(doc, { band: "COPY, not the authoritative copy · env_1", diagonal: "COPY" }, openFonts())
 */
export function markCopy(doc: Doc, texts: CopyTexts, fonts: Fonts): void {
  // Fields are drawn first, so that a visible signature in the upload stays visible. A copy of a stored document is never refused.
  drawAppearances(doc, fonts, "approximate");
  flattenForm(doc);
  for (const key of ["Perms", "DSS"]) doc.catalog.delete(key);
  const book = openFontBook(doc);
  const forms = new Map<string, PdfRef>();
  for (const page of doc.pages) {
    flattenAnnotations(doc, page, book);
    const size = displayedSize(displayedPage(doc, page.dict));
    const key = `${size.w_pt} ${size.h_pt}`;
    const form = forms.get(key) ?? drawMarks(doc, size, texts, book, fonts);
    forms.set(key, form);
    const sheet = openSheet(doc, page, book);
    // Read aloud once; on the other pages it is repeated like a footer.
    const tag: Tag | null = page.index === 0 ? { kind: "P", text: texts.band } : null;
    drawTagged(sheet, tag, () => sheet.add(`/${sheet.name("XObject", form)} Do`));
    sheet.finish();
  }
  book.finish();
  nameRendition(doc);
  // The marks are transparent, and a copy is not what is archived.
  dropArchiveClaim(doc);
}

// Most documents have one page size, so the marks are drawn once and reused.
function drawMarks(doc: Doc, size: Size, { band, diagonal }: CopyTexts, book: FontBook, fonts: Fonts): PdfRef {
  const form = openForm(doc, size, book);
  if (diagonal !== undefined) drawDiagonal(doc, form, diagonal, size, fonts);
  drawBand(form, band, size, fonts);
  return register(doc, form.finish());
}

/** An opaque line across the page. `above`: at its upper edge instead of its lower one, and in red. */
export function drawBand(sheet: Sheet, text: string, { w_pt, h_pt }: Size, fonts: Fonts, above = false): void {
  const inset = Math.min(BAND_INSET_PT, BAND_INSET_OF_WIDTH * w_pt);
  const { lines, size_pt } = fitBand(text, { w_pt: w_pt - 2 * inset, h_pt }, fonts);
  const h = Math.min(h_pt, lines.length * LINE_EM * size_pt + 2 * BAND_PADDING_PT);
  const box = { x: 0, y: above ? 0 : h_pt - h, w: w_pt, h };
  const edge = above ? h : box.y;
  const paper = ops("1 g", box.x, box.y, box.w, box.h, "re f 0.6 G 0.4 w", 0, edge, "m", box.w, edge, `l S ${above ? RED : "0 g"}`);
  sheet.add(within(box, [paper, reading(text, linesOf(sheet, { lines, size_pt }, { ...box, x: inset, w: w_pt - 2 * inset }))]));
}

function fitBand(text: string, { w_pt, h_pt }: Size, fonts: Fonts): { lines: readonly Line[]; size_pt: number } {
  const { paragraphs } = shape(text, fonts);
  for (let size_pt = BAND_SIZE_PT; ; size_pt--) {
    const lines = breakLines(paragraphs, (w_pt - 2 * PADDING_PT) / size_pt, "anywhere", Number.POSITIVE_INFINITY);
    if (lines !== null && lines.length * LINE_EM * size_pt <= BAND_MOST_OF_HEIGHT * h_pt) return { lines, size_pt };
    if (size_pt === BAND_SMALLEST_PT) return { lines: lines ?? [], size_pt };
  }
}

// From the lower left to the upper right; shorter if the letters would not fit on a narrow page.
function drawDiagonal(doc: Doc, sheet: Sheet, text: string, { w_pt, h_pt }: Size, fonts: Fonts): void {
  const letters = shape(text, fonts).paragraphs.flatMap((paragraph) => paragraph.letters);
  const em = widthOf(letters);
  if (em === 0) return;
  const across = Math.hypot(w_pt, h_pt);
  const [cos, sin] = [w_pt / across, h_pt / across];
  const fits = Math.min(w_pt / (em * cos + CAPITAL_EM * sin), h_pt / (em * sin + CAPITAL_EM * cos));
  const size = Math.min((DIAGONAL_LENGTH * across) / em, fits);
  const state = PdfDict.of({ Type: PdfName.of("ExtGState"), ca: PdfNumber.of(DIAGONAL_OPACITY) });
  const turned = ops(cos, -sin, sin, cos, w_pt / 2, h_pt / 2, "cm");
  const line = showLine(sheet, letters, { x: (-em * size) / 2, y: (CAPITAL_EM * size) / 2, size });
  sheet.add(`q\n/${sheet.name("ExtGState", register(doc, state))} gs 0 g\n${turned}\n${reading(text, line)}\nQ`);
}

// Added to the document's existing XMP metadata (ISO 16684-1), because a second packet would not be read.
function nameRendition(doc: Doc): void {
  const old = resolve(doc, doc.catalog.get("Metadata"));
  const described = old instanceof PdfStream ? new TextDecoder().decode(decodeStream(doc, old)) : "";
  if (described.includes(`${NAMESPACE}"`) && described.includes("countersign:rendition")) return;
  const end = described.lastIndexOf("</rdf:RDF>");
  const about = /<rdf:Description[^>]*\srdf:about=("[^"<]*"|'[^'<]*')/.exec(described)?.[1] ?? '""';
  const said = `<rdf:Description rdf:about=${about} xmlns:countersign="${NAMESPACE}"><countersign:rendition>copy</countersign:rendition></rdf:Description>`;
  const packet = end === -1 ? newPacket(said) : `${described.slice(0, end)}${said}\n${described.slice(end)}`;
  const entries: [string, PdfObject][] = [
    ["Type", PdfName.of("Metadata")],
    ["Subtype", PdfName.of("XML")],
  ];
  doc.catalog.set("Metadata", register(doc, new PdfStream(entries, Buffer.from(packet))));
}

function newPacket(description: string): string {
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
${description}
</rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`;
}
