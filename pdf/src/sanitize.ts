// Makes a document inert: no scripts, no embedded files, no alternative appearances. The document is cleaned, flattened and rewritten,
// then reopened and searched by the same rules, so that the result is verified.

import { PdfArray, PdfDict, type PdfObject, PdfString } from "@libpdf/core";
import { drawAppearances } from "./appearances/draw-appearances.ts";
import { fieldsToDraw } from "./appearances/draw-fields.ts";
import { archiveClaim, dropArchiveClaim, dropStructureClaim } from "./archive-claim.ts";
import type { Box } from "./content/clip.ts";
import { groupsOff } from "./content/layers.ts";
import { type Doc, resolve, save } from "./doc.ts";
import { UnreadablePdf } from "./errors.ts";
import { openPdf } from "./open.ts";
import { type DisplayedPage, displayedPage } from "./page-tree.ts";
import { readWithPdfium } from "./pdfium.ts";
import { findActive } from "./sanitize/find-active.ts";
import { flattenForm } from "./sanitize/flatten-form.ts";
import { tidyStructure } from "./sanitize/tidy-structure.ts";
import { signedFields } from "./signed-fields.ts";
import { sharedFonts } from "./stamp/shared-fonts.ts";

export type SanitizeWarning = "signatures_removed_by_cleaning";

export type Sanitized = {
  /** What was removed, with counts: `{ "AA": 2, "Names/JavaScript": 1 }`. */
  readonly removed: { readonly [what: string]: number };
  readonly warnings: readonly SanitizeWarning[];
  /** Where annotations were drawn that PDFium did not show before, or not so, by page from 1. */
  readonly drawn: ReadonlyMap<number, readonly Box[]>;
  /** The clean file, and the same file opened, so that later steps work on what was checked. */
  readonly bytes: Uint8Array;
  readonly doc: Doc;
};

/**
 * Cleans a document. The passed Doc must not be used afterwards. Signatures in it are lost: verify them before, and use `mayKeepBytes` to
 * decide whether the upload can stay unchanged. Throws NotDrawable if viewers show something that cannot be drawn, and UnreadablePdf if
 * the result is not clean.
 * @example const { doc, bytes, removed } = await sanitize(await openPdf(upload, budget))
 */
export async function sanitize(doc: Doc): Promise<Sanitized> {
  const signed = signedFields(doc).length > 0;
  const before = doc.pages.map(({ dict }) => displayedPage(doc, dict));
  settleLayers(doc);
  // Before the scripts are removed that tell which values are formatted.
  const fields = fieldsToDraw(doc);
  const removed = removeActive(doc);
  keepClaimTrue(doc, removed);
  const drawn = drawAppearances(doc, sharedFonts(), "refuse", fields);
  flattenForm(doc);
  tidyStructure(doc);
  lockLayers(doc);
  const bytes = await save(doc);
  const clean = await openPdf(bytes, doc.budget);
  await assertClean(clean, before);
  const warnings: SanitizeWarning[] = [];
  if (signed) warnings.push("signatures_removed_by_cleaning");
  return { removed, warnings, drawn, bytes, doc: clean };
}

// Attached files are what PDF/A-3 is chosen for. Fields that are drawn into the page are not in its structure.
function keepClaimTrue(doc: Doc, removed: Readonly<Record<string, number>>): void {
  const hadFiles = ["AF", "EF", "Names/EmbeddedFiles", "Stream/EmbeddedFile"].some((what) => (removed[what] ?? 0) > 0);
  if (hadFiles && (archiveClaim(doc)?.part ?? 0) >= 3) dropArchiveClaim(doc);
  if (doc.catalog.has("AcroForm")) dropStructureClaim(doc);
}

function removeActive(doc: Doc): Record<string, number> {
  const removed: Record<string, number> = {};
  findActive(doc, (what, remove) => {
    removed[what] = (removed[what] ?? 0) + 1;
    remove();
  });
  return removed;
}

// Which layers are off is written into the default configuration, without the rules for printing and viewing, which cleaning removes.
// The name of a layer that is off is part of what is hidden.
function settleLayers(doc: Doc): void {
  const { groups, shown } = layersOf(doc);
  if (groups === null || shown === null) return;
  const off = groupsOff(doc);
  const isOff = (item: PdfObject): boolean => off.has(resolve(doc, item) as PdfDict);
  if (shown.has("AS")) {
    shown.delete("BaseState");
    shown.delete("ON");
    shown.set("OFF", new PdfArray(groups.toArray().filter(isOff)));
  }
  for (const group of off) if (group.has("Name")) group.set("Name", PdfString.fromString(""));
}

// A layer that readers can switch would let two signers see different content.
function lockLayers(doc: Doc): void {
  const { groups, shown } = layersOf(doc);
  if (groups !== null && shown !== null) shown.set("Locked", new PdfArray(groups.toArray()));
}

function layersOf(doc: Doc): { groups: PdfArray | null; shown: PdfDict | null } {
  const layers = resolve(doc, doc.catalog.get("OCProperties"));
  const groups = layers instanceof PdfDict ? resolve(doc, layers.get("OCGs")) : null;
  const shown = layers instanceof PdfDict ? resolve(doc, layers.get("D")) : null;
  return { groups: groups instanceof PdfArray ? groups : null, shown: shown instanceof PdfDict ? shown : null };
}

/**
 * Throws unless the same rules find nothing and the pages are unchanged, for us and for PDFium. Also for documents that were changed
 * after `sanitize`.
 */
export async function assertClean(clean: Doc, before: readonly DisplayedPage[]): Promise<void> {
  const found = new Set<string>();
  findActive(clean, (what) => found.add(what));
  if (found.size > 0) throw new UnreadablePdf("unparseable", `still there after cleaning: ${[...found].join(", ")}`);
  const after = clean.pages.map(({ dict }) => displayedPage(clean, dict));
  if (after.length !== before.length) throw new UnreadablePdf("unparseable", `${before.length} pages became ${after.length}`);
  const moved = after.findIndex((page, index) => !isSame(page, before[index]));
  if (moved !== -1) throw new UnreadablePdf("unparseable", `page ${moved + 1} changed its box or rotation`);
  const shown = await readWithPdfium(clean.original, (document) => document.getPageCount());
  if (shown !== after.length) throw new UnreadablePdf("unparseable", `PDFium shows ${shown ?? "none"} of ${after.length} pages`);
}

// Boxes are calculated from corners, in either order.
const TOLERANCE = 0.001;

function isSame(page: DisplayedPage, other: DisplayedPage | undefined): boolean {
  if (other === undefined || page.rotate !== other.rotate) return false;
  const close = (a: number, b: number): boolean => Math.abs(a - b) <= TOLERANCE;
  return (
    close(page.x, other.x) &&
    close(page.y, other.y) &&
    close(page.w, other.w) &&
    close(page.h, other.h) &&
    close(page.user_unit, other.user_unit)
  );
}
