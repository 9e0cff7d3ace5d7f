// Opens bytes as a Doc, or gives the reason why not. The type of a file is decided by its content, never by its name or declared type.

import { PDF, PdfArray, PdfBool, PdfDict, type PdfObject, PdfRef } from "@libpdf/core";
import { type Budget, useBudget } from "pako";
import { type Doc, resolve } from "./doc.ts";
import { NotAPdf, UnreadablePdf } from "./errors.ts";
import { withNewestReference } from "./newest-revision.ts";
import { displayedPage, displayedSize, flattenPageTree } from "./page-tree.ts";
import { withPlainSpelling } from "./plain-spelling.ts";
import { assertReadable, lockedOr, unlock, withoutEncryptedAttachments } from "./protection.ts";
import { countRevisions, isChainBroken, MAX_REVISIONS } from "./revisions.ts";
import { MAX_SIGNATURES, signedFields } from "./signed-fields.ts";
import { headerOffset, sniff } from "./sniff.ts";

// Ten times what a long contract with one object per letter needs.
const MAX_OBJECTS = 500_000;

// libpdf parses and writes recursively; real files nest about 10 levels deep.
const MAX_NESTING = 100;

// A smaller page cannot be seen; for a larger one, viewers disagree on its size (ISO 32000-1, annex C).
const MIN_SIDE_PT = 3;
const MAX_SIDE_PT = 14_400;

/** Another reader of the same file, asked where libpdf could be wrong. */
export type SecondOpinion = {
  /** Whether the file shows more pages than we found. */
  readonly showsMorePages: (doc: Doc) => Promise<boolean>;
  /** Whether the file cannot be read without a password. */
  readonly isPasswordNeeded: (bytes: Uint8Array) => Promise<boolean>;
};

/** Opens a PDF like `openPdf`, and asks `opinion` instead of PDFium. */
export async function openWith(bytes: Uint8Array, budget: Budget, opinion: SecondOpinion): Promise<Doc> {
  const start = sniff(bytes) === "pdf" ? headerOffset(bytes) : null;
  if (start === null) throw new NotAPdf("no PDF header near the beginning");
  useBudget(budget);
  const readable = withoutEncryptedAttachments(bytes);
  const straight = await attempt(() => parse(bytes, readable.subarray(start), budget, opinion), budget, opinion);
  if (!(straight instanceof UnreadablePdf)) return straight;
  if (straight.fault !== "unparseable") throw straight;
  const rebuilt = await attempt(() => parse(bytes, withoutCrossReference(readable), budget, opinion), budget, opinion);
  if (!(rebuilt instanceof UnreadablePdf)) return rebuilt;
  // The page tree of a locked file may be in an encrypted object stream, which looks like damage.
  throw rebuilt.fault === "unparseable" ? await lockedOr(bytes, straight, opinion) : rebuilt;
}

// An exceeded budget takes precedence: libpdf continues with empty bytes, and any later error is only a consequence.
async function attempt(open: () => Promise<Doc>, budget: Budget, opinion: SecondOpinion): Promise<Doc | UnreadablePdf> {
  try {
    const doc = await open();
    assertWithinBudget(budget);
    // If another reader shows more pages than we found, we lost one, and a signer would sign a document without it.
    if (await opinion.showsMorePages(doc)) {
      throw new UnreadablePdf("unparseable", `PDFium shows more than our ${doc.pages.length} pages`);
    }
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
async function parse(bytes: Uint8Array, readable: Uint8Array, budget: Budget, opinion: SecondOpinion): Promise<Doc> {
  if (countRevisions(readable) > MAX_REVISIONS) throw new UnreadablePdf("too_complex", `more than ${MAX_REVISIONS} revisions`);
  let pdf = await loadNewest(withPlainSpelling(readable), (loaded) => assertReadable(loaded, readable, opinion));
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

// A libpdf that searched for objects may have found those of an earlier revision.
async function loadNewest(bytes: Uint8Array, assertUnlocked: (pdf: PDF) => Promise<void>): Promise<PDF> {
  const pdf = await PDF.load(bytes);
  await assertUnlocked(pdf);
  if (!pdf.recoveredViaBruteForce && isChainBroken(bytes))
    throw new UnreadablePdf("unparseable", "an earlier cross-reference section is lost");
  const corrected = pdf.recoveredViaBruteForce ? withNewestReference(pdf, bytes) : null;
  if (corrected === null) return pdf;
  const newest = await PDF.load(corrected);
  if (newest.recoveredViaBruteForce) throw new UnreadablePdf("unparseable", "libpdf does not follow our cross-reference section");
  return newest;
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

// A name that is not UTF-8 and has escapes that it needs is lost (`plain-spelling.ts`). That is harmless for a font's own name, but a page would
// lose a font or image that its content refers to by name.
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

function infoOf(pdf: PDF): PdfDict | null {
  const info = resolve({ pdf }, pdf.context.info.trailer.get("Info"));
  return info instanceof PdfDict ? info : null;
}

function same(ref: PdfRef, other: PdfRef | undefined): boolean {
  return other !== undefined && ref.objectNumber === other.objectNumber && ref.generation === other.generation;
}
