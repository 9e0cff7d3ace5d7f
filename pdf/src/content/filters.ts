// Decodes streams (ISO 32000-2, 7.4). For damaged data it returns what can be read, as viewers do; only an exceeded budget fails. Image
// filters are not decoded, because they contain no text.

import { PdfDict, PdfName, PdfNumber, type PdfObject, type PdfStream } from "@libpdf/core";
import { type Budget, BudgetExceeded, inflate } from "pako";
import { type Doc, resolve } from "../doc.ts";
import { UnreadablePdf } from "../errors.ts";
import { decodeLzw } from "./lzw.ts";
import { undoPredictor } from "./predictor.ts";

const EMPTY = new Uint8Array(0);

type Source = Pick<Doc, "pdf" | "budget">;

/** The decoded bytes; empty for an unsupported filter. Throws UnreadablePdf `too_complex` if the job's budget is exceeded. */
export function decodeStream(doc: Source, stream: PdfStream): Uint8Array {
  const filters = asList(doc, stream.get("Filter") ?? stream.get("F"));
  const parms = asList(doc, stream.get("DecodeParms") ?? stream.get("DP"));
  let bytes = stream.data;
  for (const [index, filter] of filters.entries()) {
    const parm = parms[index];
    bytes = decode(doc, filter instanceof PdfName ? filter.value : "", bytes, parm instanceof PdfDict ? parm : null);
  }
  return bytes;
}

function asList(doc: Source, value: PdfObject | undefined): (PdfObject | null)[] {
  const found = resolve(doc, value);
  if (found === null) return [];
  return found.type === "array" ? found.toArray().map((item) => resolve(doc, item)) : [found];
}

function decode(doc: Source, filter: string, bytes: Uint8Array, parms: PdfDict | null): Uint8Array {
  const number = (key: string, otherwise: number): number => {
    const value = resolve(doc, parms?.get(key));
    return value instanceof PdfNumber ? value.value : otherwise;
  };
  switch (filter) {
    case "FlateDecode":
    case "Fl":
      return undoPredictor(inflated(bytes), number);
    case "LZWDecode":
    case "LZW":
      return undoPredictor(charged(doc.budget, decodeLzw(bytes, number("EarlyChange", 1), doc.budget.stream_bytes)), number);
    case "ASCIIHexDecode":
    case "AHx":
      return decodeHex(bytes);
    case "ASCII85Decode":
    case "A85":
      return decodeAscii85(bytes);
    case "RunLengthDecode":
    case "RL":
      return charged(doc.budget, decodeRunLength(bytes, doc.budget.stream_bytes));
    case "Crypt":
      return bytes;
    default:
      return EMPTY;
  }
}

function inflated(bytes: Uint8Array): Uint8Array {
  try {
    return inflate(bytes);
  } catch (error) {
    if (error instanceof BudgetExceeded || (error instanceof Error && error.name === "BudgetExceeded")) {
      throw new UnreadablePdf("too_complex", "too much compressed data", { cause: error });
    }
    return EMPTY; // not a single byte could be read
  }
}

function charged(budget: Budget, bytes: Uint8Array): Uint8Array {
  budget.spent_bytes += bytes.length;
  const over = bytes.length >= budget.stream_bytes ? "stream_bytes" : budget.spent_bytes > budget.job_bytes ? "job_bytes" : null;
  if (over === null) return bytes;
  budget.exceeded = over;
  throw new UnreadablePdf("too_complex", "too much compressed data");
}

function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

export function decodeHex(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array((bytes.length >> 1) + 1);
  let digits = 0;
  for (const byte of bytes) {
    if (byte === 0x3e) break;
    const digit = hexDigit(byte);
    if (digit < 0) continue;
    const at = digits >> 1;
    out[at] = (digits & 1) === 0 ? digit << 4 : (out[at] ?? 0) | digit;
    digits++;
  }
  return out.subarray(0, (digits + 1) >> 1);
}

export function decodeAscii85(bytes: Uint8Array): Uint8Array {
  let zeros = 0;
  for (const byte of bytes) if (byte === 0x7a) zeros++;
  const out = new Uint8Array(Math.ceil(bytes.length * 0.8) + 4 * zeros + 8);
  let size = 0;
  let group = 0;
  let length = 0;
  const flush = (count: number): void => {
    for (let i = 0; i < count; i++) out[size++] = Math.floor(group / 256 ** (3 - i)) & 255;
    group = 0;
    length = 0;
  };
  for (const byte of bytes) {
    if (byte === 0x7e) break;
    if (byte === 0x7a && length === 0) flush(4);
    if (byte < 0x21 || byte > 0x75) continue;
    group = group * 85 + (byte - 0x21);
    if (++length === 5) flush(4);
  }
  const rest = length;
  if (rest > 1) {
    for (let i = rest; i < 5; i++) group = group * 85 + 84;
    flush(rest - 1);
  }
  return out.subarray(0, size);
}

export function decodeRunLength(bytes: Uint8Array, max_bytes: number): Uint8Array {
  let out = new Uint8Array(Math.max(1024, bytes.length * 2));
  let size = 0;
  for (let at = 0; at < bytes.length && size < max_bytes; ) {
    const length = bytes[at++] ?? 128;
    if (length === 128) break;
    if (size + 128 > out.length) {
      const grown = new Uint8Array(out.length * 2);
      grown.set(out);
      out = grown;
    }
    if (length < 128) {
      const copied = bytes.subarray(at, at + length + 1);
      out.set(copied, size);
      size += copied.length;
      at += length + 1;
    } else {
      out.fill(bytes[at++] ?? 0, size, size + 257 - length);
      size += 257 - length;
    }
  }
  return out.subarray(0, size);
}
