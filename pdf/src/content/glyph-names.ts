// Maps glyph names to characters: the Adobe Glyph List and its rules (Adobe's "Unicode and glyph names").

import { encodings } from "./encodings.ts";
import { glyphList } from "./glyph-list.ts";

const dingbats = dingbatNames();

/** The text of a glyph name; "" if the name has no meaning, like `g123` and `.notdef`. */
export function textOfGlyphName(name: string): string {
  const stem = name.split(".", 1)[0] ?? "";
  return stem.includes("_") ? stem.split("_").map(textOfPart).join("") : textOfPart(stem);
}

function textOfPart(name: string): string {
  const listed = glyphList.get(name) ?? dingbats.get(name);
  if (listed !== undefined) return String.fromCodePoint(listed);
  const hex = /^uni((?:[0-9A-F]{4})+)$/i.exec(name)?.[1];
  if (hex !== undefined) return (hex.match(/..../g) ?? []).map((unit) => String.fromCharCode(Number.parseInt(unit, 16))).join("");
  const code = /^u([0-9A-F]{4,6})$/i.exec(name)?.[1];
  if (code !== undefined && Number.parseInt(code, 16) <= 0x10ffff) return String.fromCodePoint(Number.parseInt(code, 16));
  // Variants of a letter or digit that the list maps to private-use characters are read as the letter or digit.
  const base = /^(.+?)(?:small|oldstyle|superior|inferior|fitted)$/.exec(name)?.[1];
  const plain = base === undefined ? undefined : glyphList.get(base);
  return plain === undefined ? "" : String.fromCodePoint(plain);
}

// ZapfDingbats follows the Dingbats block of Unicode in the order of its codes, except for symbols that are in other blocks.
function dingbatNames(): Map<string, number> {
  const elsewhere: Readonly<Record<number, number>> = {
    37: 0x260e,
    42: 0x261b,
    43: 0x261e,
    72: 0x2605,
    108: 0x25cf,
    110: 0x25a0,
    115: 0x25b2,
    116: 0x25bc,
    117: 0x25c6,
    119: 0x25d7,
    168: 0x2663,
    169: 0x2666,
    170: 0x2665,
    171: 0x2660,
    213: 0x2192,
    214: 0x2194,
    215: 0x2195,
  };
  const names = new Map<string, number>();
  encodings.ZapfDingbats.forEach((name, code) => {
    if (name === undefined || name === "space") return;
    const circledDigit = code >= 0xac && code <= 0xb5 ? 0x2460 + code - 0xac : undefined;
    names.set(name, elsewhere[code] ?? circledDigit ?? code + (code < 0x80 ? 0x26e0 : 0x26c0));
  });
  return names;
}
