// What identifies a file, whatever it is called: hashes of its bytes and of each of its states, its identifier, and what a seal and the
// metadata say it is. Nothing is judged here.

import { createHash } from "node:crypto";
import { PdfArray, PdfStream, PdfString } from "@libpdf/core";
import { decodeStream } from "./content/filters.ts";
import { decodeText } from "./content/text-strings.ts";
import { type Doc, resolve } from "./doc.ts";
import { signedFields } from "./signed-fields.ts";

export type FileMarks = {
  /** SHA-256 of the bytes as they are, and without white space and NULs at the end; one if they are the same. */
  readonly file: readonly string[];
  /** SHA-256 up to each `%%EOF`: every state in which the file was saved, if later ones were appended. */
  readonly revisions: readonly string[];
  /** The first part of the trailer's `/ID` in hex, which stays when a file is changed. Null if there is none. */
  readonly pdf_id: string | null;
  /** The `/Reason` of each signature. */
  readonly reasons: readonly string[];
  /** What our own metadata says of a file that `markCopy` made. */
  readonly rendition: string | null;
};

// What is appended comes after the states that it was appended to, so the first ones are the ones to know.
const MAX_STATES = 256;
// Longer than any reason of ours, and short enough to be stored with the document.
const MAX_REASON = 300;
const MAX_REASONS = 32;
const MAX_ID_BYTES = 64;

/** Marks of bytes that are not a PDF, such as an image. */
export function marksOfBytes(bytes: Uint8Array): FileMarks {
  return { file: fileHashes(bytes), revisions: [], pdf_id: null, reasons: [], rendition: null };
}

/** Marks of the file that a document was opened from. */
export function marksOfFile(doc: Doc): FileMarks {
  return {
    file: fileHashes(doc.original),
    revisions: stateHashes(doc.original),
    pdf_id: identifierOf(doc),
    reasons: signedFields(doc)
      .slice(0, MAX_REASONS)
      .flatMap(({ signature }) => reasonOf(resolve(doc, signature.get("Reason")))),
    rendition: renditionOf(doc),
  };
}

/** The hashes by which a whole file is known. */
export function fileHashes(bytes: Uint8Array): string[] {
  return [...new Set([sha256(bytes), sha256(bytes.subarray(0, endOf(bytes)))])];
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

// ISO 32000-2, table 1: the white space of PDF, which includes NUL.
const SPACE: ReadonlySet<number | undefined> = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]);

function endOf(bytes: Uint8Array): number {
  let end = bytes.length;
  while (end > 0 && SPACE.has(bytes[end - 1])) end--;
  return end;
}

function stateHashes(bytes: Uint8Array): string[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const hash = createHash("sha256");
  const states: string[] = [];
  let hashed = 0;
  for (let at = file.indexOf("%%EOF"); at !== -1 && states.length < MAX_STATES; at = file.indexOf("%%EOF", at + 5)) {
    hash.update(file.subarray(hashed, at + 5));
    hashed = at + 5;
    states.push(hash.copy().digest("hex"));
  }
  return states;
}

function identifierOf(doc: Doc): string | null {
  const id = resolve(doc, doc.pdf.context.info.trailer.get("ID"));
  const first = id instanceof PdfArray ? resolve(doc, id.toArray()[0]) : null;
  if (!(first instanceof PdfString)) return null;
  const { bytes } = first;
  // Some programs write an identifier of zeros, which identifies nothing.
  if (bytes.length === 0 || bytes.length > MAX_ID_BYTES || bytes.every((byte) => byte === 0)) return null;
  return Buffer.from(bytes).toString("hex");
}

const reasonOf = (value: unknown): string[] => (value instanceof PdfString ? [decodeText(value.bytes).slice(0, MAX_REASON)] : []);

/** The namespace in which `markCopy` names what it made. */
export const NAMESPACE = "urn:countersign:xmp:1.0/";

function renditionOf(doc: Doc): string | null {
  const metadata = resolve(doc, doc.catalog.get("Metadata"));
  if (!(metadata instanceof PdfStream)) return null;
  const described = new TextDecoder().decode(decodeStream(doc, metadata));
  if (!described.includes(NAMESPACE)) return null;
  return /<countersign:rendition>([a-z]{1,20})<\/countersign:rendition>/.exec(described)?.[1] ?? null;
}
