// A PNG as an image object of the document: rebuilt by `images/`, so that no hidden data is kept, with its transparency as a soft mask.

import { PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfStream, PdfString } from "@libpdf/core";
import { Lexer, type Operand } from "../content/lexer.ts";
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

function imageStream({ dict, data }: ImageObject, width: number, height: number): PdfStream {
  const lexer = new Lexer(Buffer.from(`<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${dict} >>`, "latin1"));
  lexer.next();
  const entries = objectOf(lexer.operand);
  if (!(entries instanceof PdfDict)) throw new Error("the image has no dictionary");
  return new PdfStream(entries, data);
}

function objectOf(value: Operand): PdfObject {
  if (typeof value === "number") return PdfNumber.of(value);
  if (typeof value === "string") return PdfName.of(value);
  if (value instanceof Uint8Array) return PdfString.fromBytes(value);
  if (value instanceof Map) return new PdfDict([...value].map(([key, item]): [string, PdfObject] => [key, objectOf(item)]));
  if (Array.isArray(value)) return new PdfArray(value.map(objectOf));
  throw new Error("unexpected entry in the dictionary of an image");
}
