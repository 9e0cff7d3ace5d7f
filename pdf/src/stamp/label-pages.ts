// Prints a label at the upper edge of pages. Whatever is made from the document later shows it too.

import type { PdfRef } from "@libpdf/core";
import { type Doc, register } from "../doc.ts";
import { displayedPage, displayedSize } from "../page-tree.ts";
import { openFontBook } from "./embed-fonts.ts";
import type { Fonts } from "./fonts.ts";
import { drawBand } from "./mark-copy.ts";
import { drawTagged, openForm, openSheet } from "./sheet.ts";
import type { Tag } from "./structure-tree.ts";

/**
 * Labels the pages of `doc` from the index `first` on. The label covers what is below it. `save` then writes the document.
 * @example labelPages(doc, "TEST", openFonts())
 */
export function labelPages(doc: Doc, label: string, fonts: Fonts, first = 0): void {
  const book = openFontBook(doc);
  const forms = new Map<string, PdfRef>();
  for (const page of doc.pages.filter(({ index }) => index >= first)) {
    const size = displayedSize(displayedPage(doc, page.dict));
    const key = `${size.w_pt} ${size.h_pt}`;
    const form = forms.get(key) ?? drawLabel(doc, label, size, book, fonts);
    forms.set(key, form);
    const sheet = openSheet(doc, page, book);
    // Read aloud once; on the other pages it is repeated like a header.
    const tag: Tag | null = page.index === first ? { kind: "P", text: label } : null;
    drawTagged(sheet, tag, () => sheet.add(`/${sheet.name("XObject", form)} Do`));
    sheet.finish();
  }
  book.finish();
}

type Size = ReturnType<typeof displayedSize>;

// Most documents have one page size, so the label is drawn once and reused.
function drawLabel(doc: Doc, label: string, size: Size, book: ReturnType<typeof openFontBook>, fonts: Fonts): PdfRef {
  const form = openForm(doc, size, book);
  drawBand(form, label, size, fonts, true);
  return register(doc, form.finish());
}
