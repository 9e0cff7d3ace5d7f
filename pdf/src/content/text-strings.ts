// Text strings in a PDF: PDFDocEncoding, or UTF-16 or UTF-8 with a byte order mark (ISO 32000-2, 7.9.2.2).

// The characters of PDFDocEncoding that differ from Latin-1.
const low = "\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc";
const high =
  "\u2022\u2020\u2021\u2026\u2014\u2013\u0192\u2044\u2039\u203a\u2212\u2030\u201e\u201c\u201d\u2018\u2019\u201a\u2122\ufb01\ufb02\u0141\u0152\u0160\u0178\u017d\u0131\u0142\u0153\u0161\u017e\ufffd\u20ac";

export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return withoutLanguage(new TextDecoder("utf-16be").decode(bytes));
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return withoutLanguage(new TextDecoder("utf-16le").decode(bytes));
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return withoutLanguage(new TextDecoder().decode(bytes));
  let text = "";
  for (const byte of bytes) {
    if (byte >= 0x18 && byte <= 0x1f) text += low[byte - 0x18];
    else text += byte >= 0x80 && byte <= 0xa0 ? high[byte - 0x80] : String.fromCharCode(byte);
  }
  return text;
}

/** Encodes ASCII text as it is, any other text as UTF-16. */
export function encodeText(text: string): Uint8Array {
  if (/^[\t\n\r\x20-\x7e]*$/.test(text)) return new Uint8Array(Buffer.from(text, "latin1"));
  const units = Buffer.from(`\ufeff${text}`, "utf16le").swap16();
  return new Uint8Array(units);
}

// Removes language codes, which are enclosed in escape characters (7.9.2.2.1).
function withoutLanguage(text: string): string {
  return text
    .split("\u001b")
    .filter((_, i) => i % 2 === 0)
    .join("");
}
