// An opened PDF, the argument of every function of this package. It exists inside one worker, wraps libpdf's objects and is changed in
// place; only the bytes from `save` leave the worker. Only openPdf creates a Doc, so its guarantees always hold.

import { deflateSync } from "node:zlib";
import { type PDF, PdfArray, type PdfDict, PdfName, PdfNumber, type PdfObject, PdfRef, PdfStream } from "@libpdf/core";
import type { Budget } from "pako";
import { claimsFirstPart } from "./archive-part.ts";
import "./plain-spelling.ts";
import "./numbers.ts";

/**
 * A page with a self-contained dictionary: `Type`, `Parent` and the inherited `Resources`, `MediaBox`, `CropBox` and `Rotate` are written
 * into it. It is a separate object and occurs once in the document.
 */
export type Page = { readonly index: number; readonly ref: PdfRef; readonly dict: PdfDict };

/** Not encrypted, with at least one page, within the limits of opening. `pages` agrees with libpdf and PDFium. */
export type Doc = {
  readonly pdf: PDF;
  /** The unchanged bytes of the upload, which its signatures cover. */
  readonly original: Uint8Array;
  readonly pages: readonly Page[];
  readonly catalog: PdfDict;
  readonly info: PdfDict | null;
  /** All decoding in this job is charged to this budget, including when the file is opened a second time. */
  readonly budget: Budget;
};

// A reference to a reference is not legal but occurs; this limit stops cycles.
const MAX_HOPS = 16;

/** Follows references to the value. Returns null for a missing object, an absent value and PDF's null, which mean the same. */
export function resolve(doc: Pick<Doc, "pdf">, value: PdfObject | null | undefined): PdfObject | null {
  let current = value ?? null;
  for (let hop = 0; current instanceof PdfRef; hop++) {
    if (hop === MAX_HOPS) return null;
    current = doc.pdf.context.resolve(current);
  }
  return current === null || current.type === "null" ? null : current;
}

/** The numbers of an array, following references; null if it is not an array of numbers. */
export function numbers(doc: Pick<Doc, "pdf">, value: PdfObject | null | undefined): number[] | null {
  const array = resolve(doc, value);
  if (!(array instanceof PdfArray)) return null;
  const read = array.toArray().map((item) => resolve(doc, item));
  return read.every((item) => item instanceof PdfNumber) ? read.map((item) => item.value) : null;
}

/** Adds an object to the document. Use the returned reference; do not create one from its number. */
export function register(doc: Pick<Doc, "pdf">, object: PdfObject): PdfRef {
  return doc.pdf.context.register(object);
}

/**
 * Rewrites the whole document, dropping old revisions and unreferenced objects. Marks the catalog as changed, because libpdf would
 * otherwise return the original bytes, including anything malicious.
 */
export async function save(doc: Pick<Doc, "pdf">): Promise<Uint8Array> {
  doc.pdf.context.catalog.getDict().dirty = true;
  // libpdf compresses either all new streams or none. In PDF/A-1, all but the metadata.
  const isFirstPart = claimsFirstPart(doc.pdf);
  if (isFirstPart) compressOthers(doc);
  return doc.pdf.save({ subsetFonts: true, compressStreams: !isFirstPart });
}

// As libpdf: below this size, compressing gains nothing.
const COMPRESSED_FROM_BYTES = 512;

/** Compresses the streams that have no filter yet, except metadata. */
function compressOthers({ pdf }: Pick<Doc, "pdf">): void {
  for (const [, object] of pdf.context.registry.entries()) {
    if (!(object instanceof PdfStream) || object.has("Filter") || object.data.length < COMPRESSED_FROM_BYTES) continue;
    if (object.getName("Type")?.value === "Metadata") continue;
    const data = new Uint8Array(deflateSync(object.data));
    object.setData(data);
    object.set("Filter", PdfName.of("FlateDecode"));
  }
}
