// Reads what stamping needs from a TrueType font (ISO/IEC 14496-22): the glyph of a character, its width, and the bounds of its ink.
// Fonts are our own files, never from an upload, so a damaged one is a plain error.

import { openSync, readSync } from "node:fs";

export type Bounds = { readonly left: number; readonly bottom: number; readonly right: number; readonly top: number };

/** Lengths are in ems, except `bbox`, `ascent`, `descent` and `cap_height`, which are in thousandths, as in a PDF. */
export type Face = {
  readonly name: string;
  /** 0 if the face has none. */
  readonly glyphOf: (point: number) => number;
  readonly widthOf: (glyph: number) => number;
  /** Null for a glyph without ink. */
  readonly boundsOf: (glyph: number) => Bounds | null;
  readonly ascent: number;
  readonly descent: number;
  readonly cap_height: number;
  readonly bbox: readonly [number, number, number, number];
  /** Null if the font has no such table. */
  readonly table: (tag: string) => DataView | null;
  /** The bytes of the outline; empty for a glyph without ink. */
  readonly outlineOf: (glyph: number) => Uint8Array;
  /** The whole file. */
  readonly file: () => Uint8Array;
};

/** Bytes of a font file from `at`. */
type Read = (at: number, length: number) => Uint8Array;

/** A font in memory. `name` is the PostScript name. */
export function readFace(name: string, bytes: Uint8Array): Face {
  return faceOf(name, bytes.length, (at, length) => bytes.subarray(at, at + length));
}

/**
 * A font on disk. Tables are read when they are needed and outlines one by one, so that a font of 10 MB takes 0.4 MB of memory. The file
 * stays open.
 */
export function openFace(name: string, path: URL, size: number): Face {
  const file = openSync(path, "r");
  return faceOf(name, size, (at, length) => {
    const bytes = new Uint8Array(length);
    if (readSync(file, bytes, 0, length, at) !== length) throw new Error(`the face ${name} is cut off`);
    return bytes;
  });
}

function faceOf(name: string, size: number, read: Read): Face {
  const places = readPlaces(read);
  const tables = new Map<string, DataView>();
  const lookUp = (tag: string): DataView | null => {
    const place = places.get(tag);
    if (place === undefined) return null;
    const known = tables.get(tag) ?? viewOf(read(place.at, place.length));
    tables.set(tag, known);
    return known;
  };
  const table = (tag: string): DataView => {
    const found = lookUp(tag);
    if (found === null) throw new Error(`the face ${name} has no ${tag} table`);
    return found;
  };
  const [head, hhea, hmtx, loca] = ["head", "hhea", "hmtx", "loca"].map(table) as [DataView, DataView, DataView, DataView];
  const outlines = places.get("glyf");
  if (outlines === undefined) throw new Error(`the face ${name} has no glyf table`);
  const em = head.getUint16(18);
  const isLong = head.getInt16(50) === 1;
  const offset = (glyph: number): number => (isLong ? loca.getUint32(4 * glyph) : 2 * loca.getUint16(2 * glyph));
  const widths = hhea.getUint16(34);
  const outlineOf = (glyph: number): Uint8Array => read(outlines.at + offset(glyph), offset(glyph + 1) - offset(glyph));
  const thousandths = (value: number): number => Math.round((value * 1000) / em);
  return {
    name,
    table: lookUp,
    outlineOf,
    file: () => read(0, size),
    glyphOf: readCharacters(table("cmap")),
    widthOf: (glyph) => hmtx.getUint16(4 * Math.min(glyph, widths - 1)) / em,
    boundsOf(glyph) {
      if (offset(glyph + 1) === offset(glyph)) return null;
      const header = viewOf(read(outlines.at + offset(glyph), OUTLINE_HEADER));
      const [left, bottom, right, top] = [2, 4, 6, 8].map((at) => header.getInt16(at) / em) as [number, number, number, number];
      return { left, bottom, right, top };
    },
    ascent: thousandths(hhea.getInt16(4)),
    descent: thousandths(hhea.getInt16(6)),
    cap_height: thousandths(table("OS/2").getInt16(88)),
    bbox: [36, 38, 40, 42].map((at) => thousandths(head.getInt16(at))) as [number, number, number, number],
  };
}

// The number of contours and the four sides.
const OUTLINE_HEADER = 10;

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

type Place = { readonly at: number; readonly length: number };

function readPlaces(read: Read): Map<string, Place> {
  const count = viewOf(read(4, 2)).getUint16(0);
  const directory = read(12, 16 * count);
  const view = viewOf(directory);
  const places = new Map<string, Place>();
  for (let at = 0; at < directory.length; at += 16) {
    const tag = Buffer.from(directory.buffer, directory.byteOffset + at, 4).toString("latin1");
    places.set(tag, { at: view.getUint32(at + 8), length: view.getUint32(at + 12) });
  }
  return places;
}

// Looks characters up in the table itself: a map of 30,000 characters is not worth building for ten lookups.
function readCharacters(cmap: DataView): Face["glyphOf"] {
  const found = new Map<string, number>();
  for (let i = 0; i < cmap.getUint16(2); i++) {
    const at = 4 + 8 * i;
    found.set(`${cmap.getUint16(at)},${cmap.getUint16(at + 2)}`, cmap.getUint32(at + 4));
  }
  const full = found.get("3,10");
  if (full !== undefined && cmap.getUint16(full) === 12) return (point) => inGroups(cmap, full, point);
  const basic = found.get("3,1");
  if (basic !== undefined && cmap.getUint16(basic) === 4) return (point) => inSegments(cmap, basic, point);
  throw new Error("a face without a Unicode character map");
}

function inGroups(cmap: DataView, at: number, point: number): number {
  const index = firstEndingAt(cmap.getUint32(at + 12), (i) => cmap.getUint32(at + 16 + 12 * i + 4), point);
  if (index === null) return 0;
  const start = cmap.getUint32(at + 16 + 12 * index);
  return point < start ? 0 : cmap.getUint32(at + 16 + 12 * index + 8) + point - start;
}

function inSegments(cmap: DataView, at: number, point: number): number {
  const doubled = cmap.getUint16(at + 6);
  const index = firstEndingAt(doubled / 2, (i) => cmap.getUint16(at + 14 + 2 * i), point);
  if (index === null) return 0;
  const start = cmap.getUint16(at + 16 + doubled + 2 * index);
  if (point < start) return 0;
  const delta = cmap.getUint16(at + 16 + 2 * doubled + 2 * index);
  const rangeAt = at + 16 + 3 * doubled + 2 * index;
  const range = cmap.getUint16(rangeAt);
  if (range === 0) return (point + delta) & 0xffff;
  const glyph = cmap.getUint16(rangeAt + range + 2 * (point - start));
  return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
}

function firstEndingAt(count: number, endOf: (index: number) => number, point: number): number | null {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (endOf(middle) < point) low = middle + 1;
    else high = middle;
  }
  return low < count ? low : null;
}
