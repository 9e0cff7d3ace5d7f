// Values that a parser does not expect, written in PDF syntax.

import { oneOf } from "./mutate.mjs";

/** @typedef {import("./mutate.mjs").Next} Next */

const PLAIN_NUMBERS = ["0", "1", "2", "3", "0.5", "4", "12", "24", "90", "100", "180", "255", "300"];
const ODD_NUMBERS = [
  ...["-1", "-0", "-90", "45", "256", "65536", "2147483647", "-2147483649", "4294967296", "99999999999999999999", "1e308", "-1e99"],
  ...["0.000004", "0.00048828125", "0.00000000000000000000001", "3.4028235e38", "NaN", "Infinity", "--5", "+3", "1.2.3", "."],
];
const NOT_NUMBERS = ["null", "true", "/Name", "(text)", "[1 2]", "<< >>", "1 0 R", "3 0 R", "99 0 R", ""];

/** Mostly what belongs there, sometimes something else. @template T @param {Next} next @param {() => T} plain @param {() => T} odd @returns {T} */
export function mostly(next, plain, odd) {
  return next(4) > 0 ? plain() : odd();
}

/** @param {Next} next */
export function number(next) {
  return mostly(
    next,
    () => oneOf(PLAIN_NUMBERS, next),
    () => oneOf(next(3) > 0 ? ODD_NUMBERS : NOT_NUMBERS, next),
  );
}

/** An array of numbers, mostly of this length. @param {Next} next @param {number} length */
export function numbers(next, length) {
  const wanted = mostly(
    next,
    () => length,
    () => oneOf([0, 1, length - 1, length + 1, length * 2 + 1, 300], next),
  );
  // Odd numbers in every array would leave no array that is read to its end.
  const isPlain = next(2) === 0;
  const items = Array.from({ length: wanted }, () => (isPlain ? oneOf(PLAIN_NUMBERS, next) : number(next)));
  return mostly(
    next,
    () => `[${items.join(" ")}]`,
    () => oneOf([`[${items.join(" ")}`, `[[${items.join(" ")}]]`, oneOf(NOT_NUMBERS, next)], next),
  );
}

/** A rectangle: on the page, swapped, empty, far away, or none at all. @param {Next} next */
export function rectangle(next) {
  const [x, y, w, h] = [next(500), next(700), 1 + next(200), 1 + next(80)];
  return mostly(
    next,
    () => `[${x} ${y} ${x + w} ${y + h}]`,
    () =>
      oneOf(
        [
          `[${x + w} ${y + h} ${x} ${y}]`,
          `[${x} ${y} ${x} ${y}]`,
          `[${x} ${y} ${x + w} ${y}]`,
          `[${x} ${y} ${x + 1e-6} ${y + h}]`,
          "[-1e308 -1e308 1e308 1e308]",
          "[0 0 99999999 99999999]",
          "[NaN NaN NaN NaN]",
          "[10000 10000 10100 10100]",
          numbers(next, 4),
        ],
        next,
      ),
  );
}

const TEXTS = [
  ...[
    "Ann Example",
    "12345",
    "€ 9,000 – payable",
    "Łódź",
    "Привет, мир",
    "Ελληνικά",
    "שלום 123",
    "مرحبا بالعالم",
    "你好，世界",
    "こんにちは",
  ],
  ...["안녕하세요", "สวัสดี", "नमस्ते", "😀 emoji", "e\u0301 combining", "a\r\nb\nc\rd", "tab\there", "null\0byte", "\u202eright to left", ""],
  ...["(()\\", "{{Name;type=text}}", "\ufeff", "\ufffd\ue000", "W".repeat(3_000), `${"line\n".repeat(500)}`, "Ünïcödé ÿ", "1,234.56"],
];

/** A text string in one of the encodings of PDF, or in none. @param {Next} next */
export function text(next) {
  const value = oneOf(TEXTS, next);
  const utf16 = Buffer.from(value, "utf16le").swap16();
  return mostly(
    next,
    () => (/^[ -~]*$/.test(value) ? literal(value) : `<FEFF${utf16.toString("hex")}>`),
    () =>
      oneOf(
        [
          literal(value),
          `<${Buffer.from(value, "latin1").toString("hex")}>`,
          `<EFBBBF${Buffer.from(value, "utf8").toString("hex")}>`,
          `<FFFE${Buffer.from(value, "utf16le").toString("hex")}>`,
          // An odd number of bytes, half of a pair, a language mark.
          `<FEFF${utf16.toString("hex")}41>`,
          "<FEFFD83D>",
          "<FEFFDE000041>",
          `<FEFF001B656E001B${utf16.toString("hex")}`,
          `<FEFF001B656E001B${utf16.toString("hex")}>`,
          "<4>",
          "<zz>",
          "(unclosed",
          oneOf(NOT_NUMBERS, next),
          "[(one) (two)]",
          "4 0 R",
        ],
        next,
      ),
  );
}

/** @param {string} value */
function literal(value) {
  return `(${Buffer.from(value, "latin1")
    .toString("latin1")
    .replace(/[\\()]/g, "\\$&")})`;
}

/** A colour: no, one, three or four components. @param {Next} next */
export function colour(next) {
  return mostly(
    next,
    () => oneOf(["[]", "[0.5]", "[1 0 0]", "[0 0 1]", "[0 1 1 0]"], next),
    () => oneOf(["[2 -1 300]", "[1 1]", "[0 0 0 0 0 0]", "[/Red]", "[1e308 NaN 0]", oneOf(NOT_NUMBERS, next)], next),
  );
}

/** /Border or /BS, or both. @param {Next} next */
export function border(next) {
  const style = oneOf(["/S", "/D", "/B", "/I", "/U", "/X", "1", "()"], next);
  const dashes = oneOf(["[3]", "[3 2]", "[]", "[0]", "[0 0]", "[-1 1]", "[1e308]", "[(x)]", numbers(next, 2)], next);
  return oneOf(
    [
      "",
      `/Border ${numbers(next, 3)}`,
      `/Border [${number(next)} ${number(next)} ${number(next)} ${dashes}]`,
      `/BS << /W ${number(next)} /S ${style} /D ${dashes} >>`,
      `/BS << /W ${number(next)} /S ${style} >> /Border [0 0 ${number(next)}]`,
      "/BS 6 0 R",
    ],
    next,
  );
}

/** One page whose content is `content`, with the given annotations and further objects. @param {{ content?: string, annotations?: readonly number[] | string, catalog?: string, page?: string, fonts?: string, objects: Record<number, string | { dict: string, data: Uint8Array }> }} odd */
export function document({
  content = "BT /F1 12 Tf 72 700 Td (Sign here) Tj ET",
  annotations = [],
  catalog = "",
  page = "",
  fonts = "",
  objects,
}) {
  const list = typeof annotations === "string" ? annotations : `[${annotations.map((number) => `${number} 0 R`).join(" ")}]`;
  return {
    1: `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R ${fonts} >> >> /Annots ${list} ${page} >>`,
    4: { dict: "", data: new Uint8Array(Buffer.from(content, "latin1")) },
    5: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ...objects,
  };
}

/** @param {string} dict @param {string | Uint8Array} data */
export function stream(dict, data) {
  return { dict, data: typeof data === "string" ? new Uint8Array(Buffer.from(data, "latin1")) : data };
}
