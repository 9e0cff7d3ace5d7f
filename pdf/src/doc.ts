// An opened PDF, as every verb of this package takes it. It lives inside one worker, holds libpdf's objects and is changed in
// place; what leaves the worker is the bytes of `save`. Only openPdf makes one, so whoever has a Doc may rely on its promises.

import { type PDF, PdfArray, type PdfDict, PdfNumber, type PdfObject, PdfRef } from "@libpdf/core";
import type { Budget } from "pako";

/**
 * A page whose dictionary says everything by itself: `Type`, `Parent` and the inherited `Resources`, `MediaBox`, `CropBox` and
 * `Rotate` are written into it, it is an object of its own, and it stands in the document once.
 */
export type Page = { readonly index: number; readonly ref: PdfRef; readonly dict: PdfDict };

/** Not encrypted, at least one page, within the limits of opening; `pages` is what libpdf and PDFium see, too. */
export type Doc = {
  readonly pdf: PDF;
  /** The upload, byte for byte: signatures in it are over these. */
  readonly original: Uint8Array;
  readonly pages: readonly Page[];
  readonly catalog: PdfDict;
  readonly info: PdfDict | null;
  /** All decoding of this job is charged here, so a second opening of the same job goes on with what is left. */
  readonly budget: Budget;
};

// A reference to a reference is not legal and occurs; a ring of them must end.
const MAX_HOPS = 16;

/** The value itself, references followed. Null for a missing object, an absent value and PDF's own null: they mean the same. */
export function resolve(doc: Pick<Doc, "pdf">, value: PdfObject | null | undefined): PdfObject | null {
  let current = value ?? null;
  for (let hop = 0; current instanceof PdfRef; hop++) {
    if (hop === MAX_HOPS) return null;
    current = doc.pdf.context.resolve(current);
  }
  return current === null || current.type === "null" ? null : current;
}

/** The numbers of an array, each possibly a reference; null if it is no array or one of them is no number. */
export function numbers(doc: Pick<Doc, "pdf">, value: PdfObject | null | undefined): number[] | null {
  const array = resolve(doc, value);
  if (!(array instanceof PdfArray)) return null;
  const read = array.toArray().map((item) => resolve(doc, item));
  return read.every((item) => item instanceof PdfNumber) ? read.map((item) => item.value) : null;
}

/** Adds an object to the document. Keep the reference that comes back and write it where it is needed: do not make one from its number. */
export function register(doc: Pick<Doc, "pdf">, object: PdfObject): PdfRef {
  return doc.pdf.context.register(object);
}

/**
 * The document rewritten in full: old revisions and objects that nothing points to are gone.
 * The catalog is marked as changed, because libpdf returns the original bytes, payloads and all, when nothing is.
 */
export async function save(doc: Pick<Doc, "pdf">): Promise<Uint8Array> {
  doc.pdf.context.catalog.getDict().dirty = true;
  return doc.pdf.save({ subsetFonts: true });
}
