// Reads character information from embedded font programs: the encoding of Type 1, and the `cmap` and `post` tables of TrueType. Used
// only if the PDF has none. Font programs are untrusted input, so every read is checked.

import { encodings } from "./encodings.ts";

/** The built-in encoding of a Type 1 program, from its clear-text part; null if there is none. */
export function type1Encoding(program: Uint8Array): readonly (string | undefined)[] | null {
  // The encoding comes before `eexec`; everything after it is encrypted.
  const clear =
    Buffer.from(program.buffer, program.byteOffset, Math.min(program.length, 200_000)).toString("latin1").split("eexec", 1)[0] ?? "";
  if (/\/Encoding\s+StandardEncoding\s+def/.test(clear)) return encodings.StandardEncoding;
  const names = new Array<string | undefined>(256).fill(undefined);
  let found = false;
  for (const [, code, name] of clear.matchAll(/\bdup\s+(\d{1,3})\s*\/([^\s/()<>[\]{}%]+)\s+put\b/g)) {
    if (Number(code) > 255) continue;
    names[Number(code)] = name;
    found = true;
  }
  return found ? names : null;
}

export type TrueType = {
  /** Maps glyphs to code points, using an inverted Unicode `cmap`. */
  readonly textOfGlyph: ReadonlyMap<number, number>;
  readonly nameOfGlyph: (glyph: number) => string | undefined;
  /** The glyph of a symbolic font for a one-byte code: (3,0) at F000 + code, or (1,0); undefined if there is none. */
  readonly glyphOfCode: (code: number) => number | undefined;
};

/** Null if the bytes are not a TrueType or OpenType font. */
export function readTrueType(bytes: Uint8Array): TrueType | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const tables = readTables(view);
    if (tables === null) return null;
    const cmaps = readCmaps(view, tables.get("cmap"));
    const unicode = cmaps.get("3,10") ?? cmaps.get("0,4") ?? cmaps.get("3,1") ?? cmaps.get("0,3") ?? cmaps.get("0,1") ?? cmaps.get("0,0");
    const symbolic = cmaps.get("3,0");
    const mac = cmaps.get("1,0");
    const names = readPost(view, tables.get("post"));
    return {
      textOfGlyph: invert(unicode),
      nameOfGlyph: (glyph) => names[glyph],
      glyphOfCode: (code) => symbolic?.get(0xf000 + code) ?? symbolic?.get(code) ?? mac?.get(code),
    };
  } catch (error) {
    if (error instanceof RangeError) return null; // an offset points outside the data
    throw error;
  }
}

type Table = { readonly offset: number; readonly length: number };

function readTables(view: DataView): Map<string, Table> | null {
  if (view.byteLength < 12) return null;
  const version = view.getUint32(0);
  if (version !== 0x00010000 && version !== 0x4f54544f && version !== 0x74727565) return null;
  const tables = new Map<string, Table>();
  for (let i = 0; i < view.getUint16(4); i++) {
    const at = 12 + 16 * i;
    const tag = String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
    tables.set(tag, { offset: view.getUint32(at + 8), length: view.getUint32(at + 12) });
  }
  return tables;
}

type Cmap = Map<number, number>;

function readCmaps(view: DataView, table: Table | undefined): Map<string, Cmap> {
  const cmaps = new Map<string, Cmap>();
  if (table === undefined) return cmaps;
  const count = view.getUint16(table.offset + 2);
  for (let i = 0; i < Math.min(count, 32); i++) {
    const at = table.offset + 4 + 8 * i;
    cmaps.set(`${view.getUint16(at)},${view.getUint16(at + 2)}`, readCmap(view, table.offset + view.getUint32(at + 4)));
  }
  return cmaps;
}

function readCmap(view: DataView, at: number): Cmap {
  const format = view.getUint16(at);
  if (format === 0) return new Map(Array.from({ length: 256 }, (_, code) => [code, view.getUint8(at + 6 + code)]));
  if (format === 4) return readSegments(view, at);
  if (format === 6) {
    const first = view.getUint16(at + 6);
    return new Map(Array.from({ length: view.getUint16(at + 8) }, (_, i) => [first + i, view.getUint16(at + 10 + 2 * i)]));
  }
  return format === 12 ? readGroups(view, at) : new Map();
}

// No font has more characters than this; a malicious table can claim four billion in a dozen bytes.
const MAX_CHARACTERS = 200_000;

function readSegments(view: DataView, at: number): Cmap {
  const map: Cmap = new Map();
  const doubled = view.getUint16(at + 6);
  let read = 0;
  for (let i = 0; i < doubled; i += 2) {
    const end = view.getUint16(at + 14 + i);
    const start = view.getUint16(at + 16 + doubled + i);
    const delta = view.getUint16(at + 16 + 2 * doubled + i);
    const rangeAt = at + 16 + 3 * doubled + i;
    const range = view.getUint16(rangeAt);
    for (let code = start; code <= end && code < 0xffff; code++) {
      if (++read > MAX_CHARACTERS) return map;
      const found = range === 0 ? code : view.getUint16(rangeAt + range + 2 * (code - start));
      if (range === 0 || found !== 0) map.set(code, (found + delta) & 0xffff);
    }
  }
  return map;
}

function readGroups(view: DataView, at: number): Cmap {
  const map: Cmap = new Map();
  const count = view.getUint32(at + 12);
  for (let i = 0; i < count; i++) {
    const group = at + 16 + 12 * i;
    const start = view.getUint32(group);
    const end = view.getUint32(group + 4);
    const glyph = view.getUint32(group + 8);
    for (let code = start; code <= end; code++) {
      if (map.size >= MAX_CHARACTERS) return map;
      map.set(code, glyph + code - start);
    }
  }
  return map;
}

function invert(cmap: Cmap | undefined): Map<number, number> {
  const inverted = new Map<number, number>();
  for (const [code, glyph] of cmap ?? []) if (glyph !== 0 && code <= 0x10ffff && !inverted.has(glyph)) inverted.set(glyph, code);
  return inverted;
}

// Only the custom names of `post` format 2. Fonts that use the 258 standard names also have a Unicode cmap.
function readPost(view: DataView, table: Table | undefined): readonly (string | undefined)[] {
  if (table === undefined || view.getUint32(table.offset) !== 0x00020000) return [];
  const count = view.getUint16(table.offset + 32);
  const spelled: string[] = [];
  for (let at = table.offset + 34 + 2 * count; at < Math.min(table.offset + table.length, view.byteLength); ) {
    const length = view.getUint8(at++);
    spelled.push(Array.from({ length }, (_, i) => String.fromCharCode(view.getUint8(at + i))).join(""));
    at += length;
  }
  return Array.from({ length: count }, (_, glyph) => {
    const index = view.getUint16(table.offset + 34 + 2 * glyph);
    return index < 258 ? undefined : spelled[index - 258];
  });
}
