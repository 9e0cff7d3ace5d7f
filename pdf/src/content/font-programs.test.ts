import { describe, expect, test } from "vitest";
import fc from "../../../testing/properties.ts";
import { latin1 } from "../../fixtures/writer.ts";
import { cffEncoding } from "./cff.ts";
import { readTrueType, type1Encoding } from "./font-programs.ts";

const u16 = (...values: number[]): number[] => values.flatMap((value) => [(value >> 8) & 255, value & 255]);
const u32 = (...values: number[]): number[] => values.flatMap((value) => [...u16(value >>> 16), ...u16(value & 0xffff)]);
const ascii = (text: string): number[] => [...latin1(text)];

function trueType(tables: Readonly<Record<string, readonly number[]>>): Uint8Array {
  const names = Object.keys(tables);
  let offset = 12 + 16 * names.length;
  const directory = names.flatMap((name) => {
    const length = tables[name]?.length ?? 0;
    const entry = [...ascii(name), ...u32(0, offset, length)];
    offset += length;
    return entry;
  });
  return Uint8Array.from([...u32(0x00010000), ...u16(names.length, 0, 0, 0), ...directory, ...names.flatMap((name) => tables[name] ?? [])]);
}

function cmap(...subtables: readonly (readonly [platform: number, encoding: number, bytes: readonly number[]])[]): number[] {
  let offset = 4 + 8 * subtables.length;
  const records = subtables.flatMap(([platform, encoding, bytes]) => {
    const record = [...u16(platform, encoding), ...u32(offset)];
    offset += bytes.length;
    return record;
  });
  return [...u16(0, subtables.length), ...records, ...subtables.flatMap(([, , bytes]) => bytes)];
}

const format4 = (start: number, end: number, delta: number) =>
  u16(4, 32, 0, 4, 0, 0, 0, end, 0xffff, 0, start, 0xffff, delta & 0xffff, 1, 0, 0);
const format6 = (first: number, ...glyphs: number[]) => u16(6, 10 + 2 * glyphs.length, 0, first, glyphs.length, ...glyphs);
const format12 = (start: number, end: number, glyph: number) => [...u16(12, 0), ...u32(28, 0, 1, start, end, glyph)];

describe("a TrueType program", () => {
  test("maps glyphs to characters by its inverted Unicode cmap", () => {
    const font = readTrueType(trueType({ cmap: cmap([3, 1, format4(0x41, 0x43, -0x40)]) }));
    expect([1, 2, 3].map((glyph) => font?.textOfGlyph.get(glyph))).toEqual([0x41, 0x42, 0x43]);
  });

  test("prefers the cmap beyond the basic plane", () => {
    const font = readTrueType(trueType({ cmap: cmap([3, 1, format4(0x41, 0x41, -0x40)], [3, 10, format12(0x1f600, 0x1f601, 1)]) }));
    expect(font?.textOfGlyph.get(2)).toBe(0x1f601);
  });

  test("has the glyphs of a symbolic font at F000 and up, or in the Macintosh cmap", () => {
    const symbolic = readTrueType(trueType({ cmap: cmap([3, 0, format4(0xf041, 0xf042, -0xf040)]) }));
    expect([0x41, 0x42, 0x43].map((code) => symbolic?.glyphOfCode(code))).toEqual([1, 2, undefined]);
    const mac = readTrueType(trueType({ cmap: cmap([1, 0, format6(0x30, 7, 8)]) }));
    expect([0x30, 0x31].map((code) => mac?.glyphOfCode(code))).toEqual([7, 8]);
  });

  test("contains the names of its glyphs in post", () => {
    const post = [...u32(0x00020000), ...new Array<number>(28).fill(0), ...u16(3, 0, 258, 259), 4, ...ascii("zeta"), 2, ...ascii("fi")];
    const font = readTrueType(trueType({ post, cmap: cmap() }));
    expect([0, 1, 2].map((glyph) => font?.nameOfGlyph(glyph))).toEqual([undefined, "zeta", "fi"]);
  });
});

describe("a Type 1 program", () => {
  test("lists its encoding before the encrypted part", () => {
    const program = latin1(
      "%!PS\n/Encoding 256 array\n0 1 255 {1 index exch /.notdef put} for\ndup 65 /alpha put\ndup 66/beta put\nreadonly def eexec dup 67 /no put",
    );
    expect(type1Encoding(program)?.slice(65, 68)).toEqual(["alpha", "beta", undefined]);
    expect(type1Encoding(latin1("/Encoding StandardEncoding def"))?.[0xe1]).toBe("AE");
    expect(type1Encoding(latin1("nothing"))).toBeNull();
  });
});

describe("a CFF program", () => {
  const index = (...items: readonly (readonly number[])[]): number[] => {
    if (items.length === 0) return u16(0);
    let at = 1;
    const offsets = [at, ...items.map((item) => (at += item.length))];
    return [...u16(items.length), 1, ...offsets, ...items.flat()];
  };
  const integer = (value: number) => [29, ...u32(value)];

  function cff(charset: readonly number[], encoding: readonly number[], glyphs: number): Uint8Array {
    const head = [1, 0, 4, 1, ...index(ascii("Font"))];
    const strings = index(ascii("my_glyph"));
    const top = (at: number) => [
      ...integer(at),
      15,
      ...integer(at + charset.length),
      16,
      ...integer(at + charset.length + encoding.length),
      17,
    ];
    const size = head.length + index(top(0)).length + strings.length + u16(0).length;
    return Uint8Array.from([
      ...head,
      ...index(top(size)),
      ...strings,
      ...u16(0),
      ...charset,
      ...encoding,
      ...index(...Array.from({ length: glyphs }, () => [14])),
    ]);
  }

  test("names its glyphs with standard and custom strings", () => {
    const names = cffEncoding(cff([0, ...u16(34, 391)], [0, 2, 97, 98], 3));
    expect([97, 98, 99].map((code) => names?.[code])).toEqual(["A", "my_glyph", undefined]);
  });

  test("may list ranges", () => {
    const names = cffEncoding(cff([1, ...u16(34), 3], [1, 1, 48, 3], 5));
    expect([48, 49, 50, 51].map((code) => names?.[code])).toEqual(["A", "B", "C", "D"]);
  });
});

test("any bytes are a font or not, but never crash", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(0x00010000, 0x4f54544f, 0x01000401), (bytes, magic) => {
      const program = Uint8Array.from([...u32(magic), ...bytes]);
      readTrueType(program);
      cffEncoding(program);
      type1Encoding(program);
    }),
  );
});
