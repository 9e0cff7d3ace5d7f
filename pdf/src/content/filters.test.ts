import { deflateSync } from "node:zlib";
import { PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfStream } from "@libpdf/core";
import { createBudget, useBudget } from "pako";
import { beforeEach, expect, test } from "vitest";
import { latin1 } from "../../fixtures/writer.ts";
import { UnreadablePdf } from "../errors.ts";
import { decodeStream } from "./filters.ts";

const pdf = PDF.create();
const text = "BT (Sign here) Tj ET ".repeat(20);
let budget = createBudget();

beforeEach(() => {
  budget = createBudget();
  useBudget(budget);
});

function decoded(data: Uint8Array, filters: readonly string[], parms?: Record<string, number>): string {
  const stream = new PdfStream([], data);
  stream.set("Filter", PdfArray.of(...filters.map((name) => PdfName.of(name))));
  if (parms !== undefined)
    stream.set("DecodeParms", PdfDict.of(Object.fromEntries(Object.entries(parms).map(([k, v]) => [k, PdfNumber.of(v)]))));
  return Buffer.from(decodeStream({ pdf, budget }, stream)).toString("latin1");
}

test("a truncated Flate stream gives the data before the cut", () => {
  const long = Array.from({ length: 5000 }, (_, i) => `${i} 0 0 1 0 0 cm `).join("");
  const whole = deflateSync(latin1(long));
  const read = decoded(new Uint8Array(whole.subarray(0, whole.length - 20)), ["FlateDecode"]);
  expect(read.length).toBeGreaterThan(long.length * 0.99);
  expect(long.startsWith(read)).toBe(true);
});

test("bytes that are not Flate data give an empty stream", () => {
  expect(decoded(latin1("no zlib here"), ["FlateDecode"])).toBe("");
});

test("hex and base 85 are decoded, chained and with white space", () => {
  expect(decoded(latin1("53 69 67\n6e>"), ["ASCIIHexDecode"])).toBe("Sign");
  expect(decoded(latin1("536>"), ["AHx"])).toBe("S`");
  expect(decoded(latin1('87cUR D]i,"Ebo80~>'), ["ASCII85Decode"])).toBe("Hello World!");
  expect(decoded(latin1("z~>"), ["A85"])).toBe("\0\0\0\0");
  const hex = latin1(`${Buffer.from(deflateSync(latin1(text))).toString("hex")}>`);
  expect(decoded(hex, ["ASCIIHexDecode", "FlateDecode"])).toBe(text);
});

test("run lengths are copied and repeated", () => {
  expect(decoded(Uint8Array.from([2, 65, 66, 67, 254, 68, 128, 69]), ["RunLengthDecode"])).toBe("ABCDDD");
});

test("the LZW example of the standard is decoded", () => {
  const data = Uint8Array.from([0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01]);
  expect(decoded(data, ["LZWDecode"])).toBe("-----A---B");
});

test("LZW codes grow to twelve bits", () => {
  const long = Array.from({ length: 3000 }, (_, i) => `${(i * 7919) % 1000} `).join("");
  expect(decoded(encodeLzw(long), ["LZWDecode"])).toBe(long);
});

test("PNG predictors are reversed row by row", () => {
  const rows = Uint8Array.from([0, 1, 2, 3, 1, 1, 1, 1, 2, 1, 1, 1, 3, 2, 2, 2, 4, 1, 1, 1]);
  const read = decoded(new Uint8Array(deflateSync(rows)), ["FlateDecode"], { Predictor: 15, Columns: 3 });
  expect([...read].map((char) => char.charCodeAt(0))).toEqual([1, 2, 3, 1, 2, 3, 2, 3, 4, 3, 5, 6, 4, 6, 7]);
});

test("the TIFF predictor is reversed", () => {
  const read = decoded(new Uint8Array(deflateSync(Uint8Array.from([1, 1, 1, 5, 1, 1]))), ["FlateDecode"], { Predictor: 2, Columns: 3 });
  expect([...read].map((char) => char.charCodeAt(0))).toEqual([1, 2, 3, 5, 6, 7]);
});

test("an image filter gives no bytes", () => {
  expect(decoded(latin1("x"), ["DCTDecode"])).toBe("");
});

test("a stream beyond the budget fails the file", () => {
  budget = createBudget({ stream_bytes: 1000, job_bytes: 5000 });
  useBudget(budget);
  const bomb = new Uint8Array(deflateSync(new Uint8Array(2000)));
  expect(() => decoded(bomb, ["FlateDecode"])).toThrow(UnreadablePdf);
  expect(() =>
    decoded(
      Uint8Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 129 : 0)),
      ["RunLengthDecode"],
    ),
  ).toThrow(UnreadablePdf);
});

// A minimal encoder that uses every code width: a table from strings to codes.
function encodeLzw(input: string): Uint8Array {
  let bits = "";
  let table = new Map<string, number>();
  let width = 9;
  const reset = (): void => {
    table = new Map(Array.from({ length: 256 }, (_, code) => [String.fromCharCode(code), code]));
    width = 9;
  };
  const put = (code: number): void => {
    bits += code.toString(2).padStart(width, "0");
  };
  reset();
  put(256);
  let current = "";
  let next = 258;
  for (const char of input) {
    if (table.has(current + char)) {
      current += char;
      continue;
    }
    put(table.get(current) ?? 0);
    table.set(current + char, next++);
    if (next + 1 > 1 << width) width++;
    current = char;
    if (next >= 4094) {
      put(table.get(current) ?? 0);
      put(256);
      reset();
      next = 258;
      current = "";
    }
  }
  if (current !== "") put(table.get(current) ?? 0);
  put(257);
  return Uint8Array.from(bits.match(/.{1,8}/g) ?? [], (byte) => Number.parseInt(byte.padEnd(8, "0"), 2));
}
