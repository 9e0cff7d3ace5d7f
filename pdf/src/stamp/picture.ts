// A PNG as an image object of the document: rebuilt by `images/`, so that no hidden data is kept, with its transparency as a soft mask.

import { PdfArray, PdfBool, PdfDict, PdfName, PdfNumber, type PdfObject, PdfStream, PdfString } from "@libpdf/core";
import { decodeStream } from "../content/filters.ts";
import { Lexer, type Operand } from "../content/lexer.ts";
import type { Doc } from "../doc.ts";
import { UnreadablePdf } from "../errors.ts";
import type { ImageObject } from "../images/image.ts";
import { readPng } from "../images/read-png.ts";
import { sniff } from "../sniff.ts";

export type Picture = { readonly width: number; readonly height: number; readonly stream: PdfStream; readonly mask: PdfStream | null };

/** Throws UnreadablePdf if it is not a PNG, is damaged or is too large. */
export async function readPicture(png: Uint8Array): Promise<Picture> {
  if (sniff(png) !== "png") throw new UnreadablePdf("unparseable", "the image of a signature is not a PNG");
  const { width, height, object } = await readPng(png);
  const mask = object.mask === undefined ? null : imageStream(object.mask, width, height);
  return { width, height, stream: imageStream(object, width, height), mask };
}

const OPAQUE_FROM = 128;

/** The soft mask as one that shows a pixel or not (ISO 32000-2, 8.9.6.3): a set bit hides it. */
export function hardMask(doc: Pick<Doc, "pdf" | "budget">, soft: PdfStream): PdfStream {
  const [width, height] = ["Width", "Height"].map((key) => {
    const side = soft.get(key);
    return side instanceof PdfNumber ? side.value : 0;
  }) as [number, number];
  const alpha = decodeStream(doc, soft);
  const bytesPerRow = Math.ceil(width / 8);
  const bits = new Uint8Array(bytesPerRow * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((alpha[y * width + x] ?? 0) < OPAQUE_FROM)
        bits[y * bytesPerRow + (x >> 3)] = (bits[y * bytesPerRow + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
    }
  }
  return imageStream({ dict: "/ImageMask true /BitsPerComponent 1", data: bits }, width, height);
}

function imageStream({ dict, data }: ImageObject, width: number, height: number): PdfStream {
  const lexer = new Lexer(Buffer.from(`<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${dict} >>`, "latin1"));
  lexer.next();
  const entries = objectOf(lexer.operand);
  if (!(entries instanceof PdfDict)) throw new Error("the image has no dictionary");
  return new PdfStream(entries, data);
}

function objectOf(value: Operand): PdfObject {
  if (typeof value === "number") return PdfNumber.of(value);
  if (typeof value === "boolean") return PdfBool.of(value);
  if (typeof value === "string") return PdfName.of(value);
  if (value instanceof Uint8Array) return PdfString.fromBytes(value);
  if (value instanceof Map) return new PdfDict([...value].map(([key, item]): [string, PdfObject] => [key, objectOf(item)]));
  if (Array.isArray(value)) return new PdfArray(value.map(objectOf));
  throw new Error("unexpected entry in the dictionary of an image");
}
