// Reduces a font to the glyphs that are drawn, renumbered in order of use: 30 KB instead of 600. Contains the tables that ISO 32000-2,
// 9.9.1 requires for a CIDFontType2; the PDF maps the characters, so there is no cmap.

import type { Face } from "./face.ts";

// Flags of a composite glyph's component (ISO/IEC 14496-22, glyf).
const WORDS = 0x1;
const HAS_SCALE = 0x8;
const MORE = 0x20;
const HAS_TWO_SCALES = 0x40;
const HAS_MATRIX = 0x80;

const COPIED = ["cvt ", "fpgm", "prep"];

/** `glyphs[n]` of the font becomes glyph n; the first must be 0, the glyph for missing characters. */
export function subsetFont(face: Face, glyphs: readonly number[]): Uint8Array {
  const { outlines, all } = collect(face, glyphs);
  const loca = Buffer.alloc(4 * (outlines.length + 1));
  const padded = outlines.map((outline, index) => {
    loca.writeUInt32BE(loca.readUInt32BE(4 * index) + paddedLength(outline), 4 * (index + 1));
    return Buffer.concat([outline], paddedLength(outline));
  });
  const head = copyOf(face, "head");
  head.writeUInt32BE(0, 8);
  head.writeInt16BE(1, 50);
  const unitsPerEm = head.readUInt16BE(18);
  const hhea = copyOf(face, "hhea");
  const widths = hhea.readUInt16BE(34);
  hhea.writeUInt16BE(all.length, 34);
  const maxp = copyOf(face, "maxp");
  maxp.writeUInt16BE(all.length, 4);
  const tables = new Map<string, Buffer>([
    ["head", head],
    ["hhea", hhea],
    ["hmtx", metrics(face, unitsPerEm, widths, all)],
    ["maxp", maxp],
    ["loca", loca],
    ["glyf", Buffer.concat(padded)],
  ]);
  for (const tag of COPIED) if (face.table(tag) !== null) tables.set(tag, copyOf(face, tag));
  return write(tables);
}

/** The number of glyphs in a subset, including those that only others are composed of. */
export function glyphCount(program: Uint8Array): number {
  const file = Buffer.from(program.buffer, program.byteOffset, program.length);
  const entry = Array.from({ length: file.readUInt16BE(4) }, (_, index) => 12 + 16 * index).find(
    (at) => file.toString("latin1", at, at + 4) === "maxp",
  );
  return entry === undefined ? 0 : file.readUInt16BE(file.readUInt32BE(entry + 8) + 4);
}

// Accented letters are often composed of other glyphs, which are then needed too.
function collect(face: Face, glyphs: readonly number[]): { outlines: Buffer[]; all: number[] } {
  const all = [...glyphs];
  const numberOf = new Map(all.map((glyph, index) => [glyph, index]));
  const outlines: Buffer[] = [];
  for (let index = 0; index < all.length; index++) {
    const outline = Buffer.from(face.outlineOf(all[index] as number));
    for (const at of componentsOf(outline)) {
      const part = outline.readUInt16BE(at);
      if (!numberOf.has(part)) numberOf.set(part, all.push(part) - 1);
      outline.writeUInt16BE(numberOf.get(part) as number, at);
    }
    outlines.push(outline);
  }
  return { outlines, all };
}

/** The positions of the component numbers in a composite outline. */
function componentsOf(outline: Buffer): number[] {
  if (outline.length < 10 || outline.readInt16BE(0) >= 0) return [];
  const found: number[] = [];
  for (let at = 10; ; ) {
    const flags = outline.readUInt16BE(at);
    found.push(at + 2);
    at += 4 + (flags & WORDS ? 4 : 2) + (flags & HAS_SCALE ? 2 : flags & HAS_TWO_SCALES ? 4 : flags & HAS_MATRIX ? 8 : 0);
    if ((flags & MORE) === 0) return found;
  }
}

// The widths of the face, which may differ from its font file: the PDF declares them, and both must agree (ISO 19005-2, 6.2.11.5).
function metrics(face: Face, unitsPerEm: number, widths: number, glyphs: readonly number[]): Buffer {
  const hmtx = copyOf(face, "hmtx");
  const made = Buffer.alloc(4 * glyphs.length);
  for (const [index, glyph] of glyphs.entries()) {
    const isFull = glyph < widths;
    made.writeUInt16BE(Math.round(face.widthOf(glyph) * unitsPerEm), 4 * index);
    made.writeInt16BE(hmtx.readInt16BE(isFull ? 4 * glyph + 2 : 4 * widths + 2 * (glyph - widths)), 4 * index + 2);
  }
  return made;
}

function copyOf(face: Face, tag: string): Buffer {
  const table = face.table(tag);
  if (table === null) throw new Error(`the face ${face.name} has no ${tag} table`);
  return Buffer.from(new Uint8Array(table.buffer, table.byteOffset, table.byteLength));
}

const paddedLength = ({ length }: Buffer): number => (length + 3) & ~3;

function write(tables: ReadonlyMap<string, Buffer>): Uint8Array {
  const sorted = [...tables].sort(([a], [b]) => (a < b ? -1 : 1));
  const log = Math.floor(Math.log2(sorted.length));
  const directory = Buffer.alloc(12 + 16 * sorted.length);
  directory.writeUInt32BE(0x00010000, 0);
  directory.writeUInt16BE(sorted.length, 4);
  directory.writeUInt16BE(16 * 2 ** log, 6);
  directory.writeUInt16BE(log, 8);
  directory.writeUInt16BE(16 * (sorted.length - 2 ** log), 10);
  let offset = directory.length;
  const bodies = sorted.map(([tag, body], index) => {
    const at = 12 + 16 * index;
    directory.write(tag, at, "latin1");
    directory.writeUInt32BE(checksum(body), at + 4);
    directory.writeUInt32BE(offset, at + 8);
    directory.writeUInt32BE(body.length, at + 12);
    offset += paddedLength(body);
    return Buffer.concat([body], paddedLength(body));
  });
  return new Uint8Array(Buffer.concat([directory, ...bodies]));
}

function checksum(body: Buffer): number {
  const padded = Buffer.concat([body], paddedLength(body));
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
  return sum;
}
