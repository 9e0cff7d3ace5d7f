// PDFium, one instance a thread: it is the renderer, and the second opinion on what our own reading of a file says.

import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from "@hyzyla/pdfium";

let instance: Promise<PDFiumLibrary> | undefined;

/** Started at the first call and kept: starting costs more than opening a file. */
export function pdfium(): Promise<PDFiumLibrary> {
  instance ??= PDFiumLibrary.init();
  return instance;
}

/** What `read` makes of the file as PDFium opens it, with the empty password; null if PDFium does not open it, or breaks over it. */
export async function readWithPdfium<T>(bytes: Uint8Array, read: (document: PDFiumDocument) => T): Promise<T | null> {
  const library = await pdfium();
  try {
    const document = await library.loadDocument(bytes);
    const result = read(document);
    document.destroy();
    return result;
  } catch (error) {
    // After a trap its memory is in no known state, and every later call fails: the next file gets a new instance.
    if (error instanceof Error && error.name === "RuntimeError") instance = undefined;
    return null;
  }
}

/** Whether PDFium has something to show at this index. */
export function showsPage(document: PDFiumDocument, index: number): boolean {
  const page = document.getPage(index);
  try {
    return page.getOriginalSize().originalWidth > 0;
  } finally {
    close(page);
  }
}

// The wrapper closes a page only after rendering it; one left open outlives its document inside the wasm memory.
function close(page: PDFiumPage): void {
  const { module, pageIdx } = page as unknown as { module: { _FPDF_ClosePage(page: number): void }; pageIdx: number };
  if (pageIdx !== 0) module._FPDF_ClosePage(pageIdx);
}
