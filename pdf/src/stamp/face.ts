// Reads what stamping needs from a TrueType font (ISO/IEC 14496-22): the glyph of a character, its width, and the bounds of its ink.
// Fonts are our own files or from installed packages, never from an upload, so a damaged one is a plain error.

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
  readonly tables: ReadonlyMap<string, DataView>;
  /** The bytes of the outline; empty for a glyph without ink. */
  readonly outlineOf: (glyph: number) => Uint8Array;
};

/** Reads only the headers of the tables, so a font of 10 MB takes no longer than one of 50 KB. `name` is the PostScript name. */
export function readFace(name: string, bytes: Uint8Array): Face {
  const tables = readTables(bytes);
  const table = (tag: string): DataView => {
    const found = tables.get(tag);
    if (found === undefined) throw new Error(`the face ${name} has no ${tag} table`);
    return found;
  };
  const [head, hhea, hmtx, loca, glyf] = ["head", "hhea", "hmtx", "loca", "glyf"].map(table) as [
    DataView,
    DataView,
    DataView,
    DataView,
    DataView,
  ];
  const em = head.getUint16(18);
  const isLong = head.getInt16(50) === 1;
  const offset = (glyph: number): number => (isLong ? loca.getUint32(4 * glyph) : 2 * loca.getUint16(2 * glyph));
  const widths = hhea.getUint16(34);
  const outlineOf = (glyph: number): Uint8Array =>
    new Uint8Array(glyf.buffer, glyf.byteOffset + offset(glyph), offset(glyph + 1) - offset(glyph));
  const thousandths = (value: number): number => Math.round((value * 1000) / em);
  return {
    name,
    tables,
    outlineOf,
    glyphOf: readCharacters(table("cmap")),
    widthOf: (glyph) => hmtx.getUint16(4 * Math.min(glyph, widths - 1)) / em,
    boundsOf(glyph) {
      if (offset(glyph + 1) === offset(glyph)) return null;
      const [left, bottom, right, top] = [2, 4, 6, 8].map((at) => glyf.getInt16(offset(glyph) + at) / em) as [
        number,
        number,
        number,
        number,
      ];
      return { left, bottom, right, top };
    },
    ascent: thousandths(hhea.getInt16(4)),
    descent: thousandths(hhea.getInt16(6)),
    cap_height: thousandths(table("OS/2").getInt16(88)),
    bbox: [36, 38, 40, 42].map((at) => thousandths(head.getInt16(at))) as [number, number, number, number],
  };
}

function readTables(bytes: Uint8Array): Map<string, DataView> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = new Map<string, DataView>();
  for (let i = 0; i < view.getUint16(4); i++) {
    const at = 12 + 16 * i;
    const tag = Buffer.from(bytes.buffer, bytes.byteOffset + at, 4).toString("latin1");
    tables.set(tag, new DataView(bytes.buffer, bytes.byteOffset + view.getUint32(at + 8), view.getUint32(at + 12)));
  }
  return tables;
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
