// Opens bytes as a Doc, or gives the reason why not. The type of a file is decided by its content, never by its name or declared type.

import { PDF, PdfArray, PdfBool, PdfDict, type PdfObject, PdfRef } from "@libpdf/core";
import { type Budget, useBudget } from "pako";
import { type Doc, resolve } from "./doc.ts";
import { NotAPdf, UnreadablePdf } from "./errors.ts";
import { displayedPage, displayedSize, flattenPageTree } from "./page-tree.ts";
import { readWithPdfium, showsPage } from "./pdfium.ts";
import { assertReadable, lockedOr, unlock, withoutEncryptedAttachments } from "./protection.ts";
import { countRevisions, MAX_REVISIONS } from "./revisions.ts";
import { MAX_SIGNATURES, signedFields } from "./signed-fields.ts";
import { headerOffset, sniff } from "./sniff.ts";

// Ten times what a long contract with one object per letter needs.
const MAX_OBJECTS = 500_000;

// libpdf parses and writes recursively; real files nest about 10 levels deep.
const MAX_NESTING = 100;

// A smaller page cannot be seen; for a larger one, viewers disagree on its size (ISO 32000-1, annex C).
const MIN_SIDE_PT = 3;
const MAX_SIDE_PT = 14_400;

/**
 * Opens a PDF. The Doc takes ownership of the bytes: libpdf's streams are views into them. Everything that this thread inflates until the
 * next opening is charged to `budget`; a job that opens two files passes the same budget. Throws NotAPdf for other bytes, UnreadablePdf
 * with its reason for a PDF that cannot be used, and never anything else.
 * @example const doc = await openPdf(bytes, createBudget())
 */
export async function openPdf(bytes: Uint8Array, budget: Budget): Promise<Doc> {
  const start = sniff(bytes) === "pdf" ? headerOffset(bytes) : null;
  if (start === null) throw new NotAPdf("no PDF header near the beginning");
  useBudget(budget);
  const readable = withoutEncryptedAttachments(bytes);
  const straight = await attempt(() => parse(bytes, readable.subarray(start), budget), budget);
  if (!(straight instanceof UnreadablePdf)) return straight;
  if (straight.fault !== "unparseable") throw straight;
  const rebuilt = await attempt(() => parse(bytes, withoutCrossReference(readable), budget), budget);
  if (!(rebuilt instanceof UnreadablePdf)) return rebuilt;
  // The page tree of a locked file may be in an encrypted object stream, which looks like damage.
  throw rebuilt.fault === "unparseable" ? await lockedOr(bytes, straight) : rebuilt;
}

export type PageFacts = { readonly w_pt: number; readonly h_pt: number; readonly rotate: 0 | 90 | 180 | 270 };

/** Facts from the objects alone. Whether a page has text, and the resolution of a scan, requires its content (`content/`). */
export type Description = { readonly pages: readonly PageFacts[]; readonly signatures: number; readonly revisions: number };

/** The displayed pages, the number of signed fields and the number of revisions. */
export function describe(doc: Doc): Description {
  const pages = doc.pages.map(({ dict }) => {
    const shown = displayedPage(doc, dict);
    return { ...displayedSize(shown), rotate: shown.rotate };
  });
  return { pages, signatures: signedFields(doc).length, revisions: countRevisions(doc.original.subarray(headerOffset(doc.original) ?? 0)) };
}

// An exceeded budget takes precedence: libpdf continues with empty bytes, and any later error is only a consequence.
async function attempt(open: () => Promise<Doc>, budget: Budget): Promise<Doc | UnreadablePdf> {
  try {
    const doc = await open();
    assertWithinBudget(budget);
    await assertNoLostPage(doc);
    return doc;
  } catch (cause) {
    if (budget.exceeded !== null) return overBudget(budget, budget.exceeded);
    return cause instanceof UnreadablePdf ? cause : new UnreadablePdf("unparseable", "libpdf failed", { cause });
  }
}

// If the cross-reference table points to wrong places, libpdf reads nothing there and gives up, although it could find the objects by
// searching. It searches only if there is no table at all.
function withoutCrossReference(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf("startxref"); at !== -1; at = copy.indexOf("startxref", at)) copy.fill(" ", at, at + 9);
  return new Uint8Array(copy.buffer, copy.byteOffset, copy.length);
}

// `readable` is the upload from its header on: in nearly all files with data before the header, offsets count from the header.
async function parse(bytes: Uint8Array, readable: Uint8Array, budget: Budget): Promise<Doc> {
  if (countRevisions(readable) > MAX_REVISIONS) throw new UnreadablePdf("too_complex", `more than ${MAX_REVISIONS} revisions`);
  let pdf = await PDF.load(readable);
  await assertReadable(pdf, readable);
  assertWithinBudget(budget);
  assertNoDynamicXfa(pdf);
  const seen = pdf.context.pages.getPages();
  let pages = flattenPageTree({ pdf });
  assertReadableObjects(pdf);
  // libpdf builds its page list on loading, and would encrypt a decrypted file again on its second save. Saving and reloading the file
  // once solves both.
  const agrees = seen.length === pages.length && pages.every((page, index) => same(page.ref, seen[index]));
  if (pdf.isEncrypted || !agrees) {
    if (pdf.isEncrypted) unlock(pdf);
    pdf.context.catalog.getDict().dirty = true;
    pdf = await PDF.load(await pdf.save());
    pages = flattenPageTree({ pdf });
  }
  const doc: Doc = { pdf, original: bytes, pages, catalog: pdf.context.catalog.getDict(), info: infoOf(pdf), budget };
  assertPageSizes(doc);
  if (signedFields(doc).length > MAX_SIGNATURES) throw new UnreadablePdf("too_complex", `more than ${MAX_SIGNATURES} signatures`);
  return doc;
}

function assertNoDynamicXfa(pdf: PDF): void {
  const catalog = pdf.context.catalog.getDict();
  const form = resolve({ pdf }, catalog.get("AcroForm"));
  const needsRendering = resolve({ pdf }, catalog.get("NeedsRendering"));
  if (!(needsRendering instanceof PdfBool && needsRendering.value) || !(form instanceof PdfDict)) return;
  if (resolve({ pdf }, form.get("XFA")) !== null) throw new UnreadablePdf("dynamic_xfa", "the pages are made by a script");
}

// Reads every reachable object once, so that errors appear while the file is opened and not later.
function assertReadableObjects(pdf: PDF): void {
  const { trailer } = pdf.context.info;
  const seen = new Set<string>();
  const open: { value: PdfRef | PdfArray | PdfDict; nesting: number }[] = [];
  const push = (value: PdfObject | null | undefined, nesting: number): void => {
    if (value instanceof PdfRef || value instanceof PdfArray || value instanceof PdfDict) open.push({ value, nesting });
  };
  push(trailer.get("Root"), 0);
  push(trailer.get("Info"), 0);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, nesting } = next;
    if (nesting > MAX_NESTING) throw new UnreadablePdf("too_complex", `nested more than ${MAX_NESTING} deep`);
    if (value instanceof PdfRef) {
      if (seen.has(value.toString())) continue;
      seen.add(value.toString());
      if (seen.size > MAX_OBJECTS) throw new UnreadablePdf("too_complex", `more than ${MAX_OBJECTS.toLocaleString("en")} objects`);
      push(pdf.context.resolve(value), 0);
    } else if (value instanceof PdfArray) for (const item of value) push(item, nesting + 1);
    else
      for (const [key, item] of value) {
        assertWritableName(key.value);
        push(item, nesting + 1);
      }
  }
}

// libpdf reads names as UTF-8 and cannot write back bytes that are not. That is harmless for a font's own name, but a page would lose a
// font or image that its content refers to by name.
function assertWritableName(key: string): void {
  if (key.includes("\ufffd")) throw new UnreadablePdf("unparseable", "a key is not UTF-8 and would be lost when the file is written");
}

function assertPageSizes(doc: Doc): void {
  for (const { dict, index } of doc.pages) {
    const { w_pt, h_pt } = displayedSize(displayedPage(doc, dict));
    if (Math.min(w_pt, h_pt) >= MIN_SIDE_PT && Math.max(w_pt, h_pt) <= MAX_SIDE_PT) continue;
    throw new UnreadablePdf(
      "too_complex",
      `page ${index + 1} has a side below ${MIN_SIDE_PT} or above ${MAX_SIDE_PT.toLocaleString("en")} points`,
    );
  }
}

function assertWithinBudget(budget: Budget): void {
  if (budget.exceeded !== null) throw overBudget(budget, budget.exceeded);
}

function overBudget(budget: Budget, limit: NonNullable<Budget["exceeded"]>): UnreadablePdf {
  const mb = Math.round(budget[limit] / 1024 / 1024);
  return new UnreadablePdf("too_complex", `more than ${mb} MB in ${limit === "stream_bytes" ? "one stream" : "all streams together"}`);
}

// PDFium trusts a wrong /Count, so its page count says little about the original. But if it shows more pages than we found, we lost one,
// and a signer would sign a document without it.
async function assertNoLostPage(doc: Doc): Promise<void> {
  const ours = doc.pages.length;
  const lost = await readWithPdfium(doc.original, (document) => {
    if (!showsPage(document, ours)) return false;
    // Missing kids leave gaps in PDFium's numbering, which we close; then the page at our count is one of ours.
    let shown = 0;
    for (let index = 0; index < Math.min(document.getPageCount(), ours + 64); index++) if (showsPage(document, index)) shown++;
    return shown > ours;
  });
  if (lost === true) throw new UnreadablePdf("unparseable", `PDFium shows more than our ${ours} pages`);
}

function infoOf(pdf: PDF): PdfDict | null {
  const info = resolve({ pdf }, pdf.context.info.trailer.get("Info"));
  return info instanceof PdfDict ? info : null;
}

function same(ref: PdfRef, other: PdfRef | undefined): boolean {
  return other !== undefined && ref.objectNumber === other.objectNumber && ref.generation === other.generation;
}
