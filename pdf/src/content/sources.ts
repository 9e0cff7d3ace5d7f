// Where a glyph comes from: the page's own content, a form that it paints, or an annotation's appearance. Removal walks from the glyph's
// source up to the page, so each painting of a form is a separate source.

import { PdfArray, type PdfDict, PdfStream } from "@libpdf/core";
import { type Doc, type Page, resolve } from "../doc.ts";
import { decodeStream } from "./filters.ts";

/** A part of `/Contents`, and its range in the bytes of the source. */
export type Part = { readonly stream: PdfStream; readonly start: number; readonly end: number };

export type Source = {
  readonly bytes: Uint8Array;
  readonly resources: PdfDict | null;
  readonly from:
    | { readonly kind: "page"; readonly page: Page; readonly parts: readonly Part[] }
    | {
        readonly kind: "form";
        readonly stream: PdfStream;
        readonly caller: Source;
        readonly name: string;
        /** The range of the name and `Do` in the caller's bytes. */
        readonly start: number;
        readonly end: number;
        /** Whether `resources` belong to the form and not to the caller. */
        readonly ownResources: boolean;
      }
    | { readonly kind: "annotation"; readonly stream: PdfStream; readonly annotation: PdfDict; readonly state: string | null };
};

/** The page's content: all parts, joined by a space so that a word cannot continue in the next part. */
export function pageSource(doc: Doc, page: Page, decode: (stream: PdfStream) => Uint8Array): Source {
  const contents = resolve(doc, page.dict.get("Contents"));
  const items = contents instanceof PdfArray ? contents.toArray().map((item) => resolve(doc, item)) : [contents];
  const streams = items.filter((item) => item instanceof PdfStream);
  const decoded = streams.map(decode);
  const bytes = new Uint8Array(decoded.reduce((sum, part) => sum + part.length + 1, 0)).fill(32);
  let at = 0;
  const parts = streams.map((stream, i): Part => {
    const part = decoded[i] ?? new Uint8Array(0);
    bytes.set(part, at);
    const start = at;
    at += part.length + 1;
    return { stream, start, end: start + part.length };
  });
  return { bytes, resources: dictOf(doc, page.dict, "Resources"), from: { kind: "page", page, parts } };
}

export function dictOf(doc: Doc, dict: PdfDict | null, key: string): PdfDict | null {
  const value = resolve(doc, dict?.get(key));
  return value?.type === "dict" || value?.type === "stream" ? value : null;
}

// Forms that occur on every page, such as a letterhead, are decoded once. The cache is limited; other forms are decoded again.
const KEPT_BYTES = 64 * 1024 * 1024;

/** Returns a decoder with a cache. */
export function cachingDecoder(doc: Doc): (stream: PdfStream) => Uint8Array {
  const kept = new Map<PdfStream, Uint8Array>();
  let size = 0;
  return (stream) => {
    const known = kept.get(stream);
    if (known !== undefined) return known;
    const bytes = decodeStream(doc, stream);
    if (size + bytes.length <= KEPT_BYTES) {
      kept.set(stream, bytes);
      size += bytes.length;
    }
    return bytes;
  };
}
