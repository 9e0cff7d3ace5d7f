// Opens bytes as a Doc with PDFium as a second opinion, and describes it.

import type { Budget } from "pako";
import type { Doc } from "./doc.ts";
import { openWith, type SecondOpinion } from "./open-with.ts";
import { displayedPage, displayedSize } from "./page-tree.ts";
import { isPasswordNeeded, readWithPdfium, showsPage } from "./pdfium.ts";
import { countRevisions } from "./revisions.ts";
import { signedFields } from "./signed-fields.ts";
import { headerOffset } from "./sniff.ts";

const PDFIUM: SecondOpinion = { showsMorePages, isPasswordNeeded };

/**
 * Opens a PDF. The Doc takes ownership of the bytes: libpdf's streams are views into them. Everything that this thread inflates until the
 * next opening is charged to `budget`; a job that opens two files passes the same budget. Throws NotAPdf for other bytes, UnreadablePdf
 * with its reason for a PDF that cannot be used, and never anything else.
 * @example const doc = await openPdf(bytes, createBudget())
 */
export const openPdf = (bytes: Uint8Array, budget: Budget): Promise<Doc> => openWith(bytes, budget, PDFIUM);

// PDFium trusts a wrong /Count, so its page count says little about the original; only pages that it shows count.
async function showsMorePages(doc: Doc): Promise<boolean> {
  const ours = doc.pages.length;
  const lost = await readWithPdfium(doc.original, (document) => {
    if (!showsPage(document, ours)) return false;
    // Missing kids leave gaps in PDFium's numbering, which we close; then the page at our count is one of ours.
    let shown = 0;
    for (let index = 0; index < Math.min(document.getPageCount(), ours + 64); index++) if (showsPage(document, index)) shown++;
    return shown > ours;
  });
  return lost === true;
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
