// PDFium, one instance per thread: our renderer, and a second opinion on how we read a file.

import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from "@hyzyla/pdfium";

let instance: Promise<PDFiumLibrary> | undefined;

/** Started on the first call and kept, because starting takes longer than opening a file. */
export function pdfium(): Promise<PDFiumLibrary> {
  instance ??= PDFiumLibrary.init();
  return instance;
}

/** The next call of `pdfium` starts a new instance, with memory that no other file has used. */
export function forgetPdfium(): void {
  instance = undefined;
}

/** Calls `read` with the file opened by PDFium with an empty password; null if PDFium cannot open it or crashes. */
export async function readWithPdfium<T>(bytes: Uint8Array, read: (document: PDFiumDocument) => T): Promise<T | null> {
  const library = await pdfium();
  try {
    const document = await library.loadDocument(bytes);
    const result = read(document);
    document.destroy();
    return result;
  } catch (error) {
    // After a WebAssembly trap the memory is in an unknown state and every later call fails, so the next file gets a new instance.
    if (error instanceof Error && error.name === "RuntimeError") forgetPdfium();
    return null;
  }
}

/** Whether PDFium refuses an encrypted file for lack of a password, or finds no page in it. */
export async function isPasswordNeeded(bytes: Uint8Array): Promise<boolean> {
  const library = await pdfium();
  try {
    const document = await library.loadDocument(bytes);
    const pages = document.getPageCount();
    document.destroy();
    return pages === 0;
  } catch (error) {
    if (error instanceof Error && error.name === "RuntimeError") instance = undefined;
    return error instanceof Error && /password/i.test(error.message);
  }
}

/** Whether PDFium shows a page at this index. */
export function showsPage(document: PDFiumDocument, index: number): boolean {
  const page = document.getPage(index);
  try {
    return page.getOriginalSize().originalWidth > 0;
  } finally {
    close(page);
  }
}

// The wrapper closes a page only after rendering it; a page left open would outlive its document in the WebAssembly memory.
function close(page: PDFiumPage): void {
  const { module, pageIdx } = page as unknown as { module: { _FPDF_ClosePage(page: number): void }; pageIdx: number };
  if (pageIdx !== 0) module._FPDF_ClosePage(pageIdx);
}
