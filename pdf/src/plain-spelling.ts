// Names and numbers that libpdf reads differently from other readers are spelled plainly before it reads them.
//
// Names that are not ASCII (ISO 32000-2, 7.3.5): a name is a sequence of bytes: some producers write font names in GBK, and readers derive
// the encoding of the text from them. libpdf decodes names with escapes (`#CB`) as UTF-8, which loses other bytes, reads names without
// escapes as Latin-1, and writes all as UTF-8. Here every name is Latin-1, a character for each byte: escapes are replaced before libpdf
// reads them, and names are written as the bytes that they are.
//
// Numbers that are not well formed (7.3.3): of `--5`, PDFium and poppler read 0, and of `5-0` and `5.0.1` the 5. libpdf reads 5, or two
// numbers, which moves what follows.

import { PdfName, PdfStream } from "@libpdf/core";
import { byteClasses, REGULAR } from "./byte-classes.ts";

const ESCAPE = 0x23;
const asBytes = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

/**
 * The file with names such as `/#CB#CE` as the bytes that they mean, and numbers such as `--5` as what PDFium reads, followed by spaces, so
 * that all offsets stay. The same bytes if there are none. A name that also needs an escape, for a space or a bracket, stays as it is: libpdf cannot read it as bytes.
 */
export function withPlainSpelling(bytes: Uint8Array): Uint8Array {
  let changed: Uint8Array | null = null;
  const replace = (from: number, end: number, plain: Uint8Array | null): void => {
    if (plain === null) return;
    changed ??= bytes.slice();
    changed.fill(0x20, from, end).set(plain, from);
  };
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] as number;
    if (byte === 0x2f) {
      const end = endOfWord(bytes, at + 1);
      replace(at + 1, end, plainName(bytes, at + 1, end));
      at = end;
    } else if (byte === 0x28) at = afterString(bytes, at + 1);
    else if (byte === 0x25) while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at++;
    else if (byteClasses[byte] === REGULAR) {
      const end = endOfWord(bytes, at);
      replace(at, end, plainNumber(bytes, at, end));
      at = isStream(bytes, at, end) ? afterStream(bytes, end) : end;
    } else at++;
  }
  return changed ?? bytes;
}

function endOfWord(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && byteClasses[bytes[at] as number] === REGULAR) at++;
  return at;
}

function plainName(bytes: Uint8Array, from: number, end: number): Uint8Array | null {
  if (bytes.subarray(from, end).indexOf(ESCAPE) === -1) return null;
  const text = asBytes(bytes).toString("latin1", from, end);
  const plain = Buffer.from(
    text.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );
  const isPlain = plain.every((byte) => byteClasses[byte] === REGULAR && byte !== ESCAPE);
  return isPlain && plain.some((byte) => byte > 0x7f) ? plain : null;
}

function plainNumber(bytes: Uint8Array, from: number, end: number): Uint8Array | null {
  let isDigits = true;
  for (let at = from; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x30 && byte <= 0x39) continue;
    if (byte !== 0x2b && byte !== 0x2d && byte !== 0x2e) return null;
    isDigits = false;
  }
  if (isDigits) return null;
  const text = asBytes(bytes).toString("latin1", from, end);
  const plain = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)/.exec(text)?.[0] ?? "0";
  return plain === text ? null : Buffer.from(plain, "latin1");
}

function afterString(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let depth = 1; depth > 0 && at < bytes.length; at++) {
    if (bytes[at] === 0x5c) at++;
    else if (bytes[at] === 0x28) depth++;
    else if (bytes[at] === 0x29) depth--;
  }
  return at;
}

const isStream = (bytes: Uint8Array, from: number, end: number): boolean =>
  end - from === 6 && (bytes[end] === 10 || bytes[end] === 13) && asBytes(bytes).toString("latin1", from, end) === "stream";

function afterStream(bytes: Uint8Array, from: number): number {
  const end = asBytes(bytes).indexOf("endstream", from);
  return end === -1 ? bytes.length : end + 9;
}

// Objects in object streams are read from the decoded bytes.
const { getDecodedData } = PdfStream.prototype;
PdfStream.prototype.getDecodedData = function (this: PdfStream): Uint8Array {
  const bytes = getDecodedData.call(this);
  return this.getName("Type")?.value === "ObjStm" ? withPlainSpelling(bytes) : bytes;
};

// Bytes above 0x7f are written as they are, so that libpdf reads the same name when a revision is appended.
const { toBytes } = PdfName.prototype;
PdfName.prototype.toBytes = function (this: PdfName, writer): void {
  if (/^[\0-\x7f]*$/.test(this.value)) toBytes.call(this, writer);
  else writer.writeBytes(asSpelled(this.value));
};

function asSpelled(name: string): Uint8Array {
  const isByte = !/[^\0-\xff]/.test(name);
  const parts = [...Buffer.from(name, isByte ? "latin1" : "utf8")].map((byte) =>
    byte < 0x21 || byte === 0x7f || byte === ESCAPE || byteClasses[byte] !== REGULAR
      ? `#${byte.toString(16).padStart(2, "0")}`
      : String.fromCharCode(byte),
  );
  return Buffer.from(`/${parts.join("")}`, "latin1");
}
