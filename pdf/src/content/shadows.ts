// Fake bold, outlines and drop shadows paint a glyph twice, slightly apart. The second glyph is not separate text: it is left out of the
// index, and removed together with the first.

import type { Glyphs } from "./glyphs.ts";
import type { Segment } from "./segments.ts";

const ACROSS_EMS = 0.1;
const ALONG_EMS = 0.2;
const SIZE_TOLERANCE = 0.1;

// Limits the comparisons if many glyphs of other sizes are in the same place.
const MAX_IN_CELL = 8;

/** Maps each shadow to the glyph that it repeats; null if there are none. */
export function findShadows(glyphs: Glyphs, live: Uint32Array, lines: readonly (readonly Segment[])[]): Map<number, number> | null {
  const suspects = lines.flatMap(overlapping).sort((a, b) => a.from - b.from);
  if (suspects.length === 0) return null;
  const cells = new Map<number, number[]>();
  const shadows = new Map<number, number>();
  for (const segment of suspects) {
    for (let i = segment.from; i < segment.to; i++) {
      const glyph = live[i] as number;
      const twin = findTwin(glyphs, cells, glyph, segment);
      if (twin === null) keep(glyphs, cells, glyph, segment);
      else shadows.set(glyph, twin);
    }
  }
  return shadows.size === 0 ? null : shadows;
}

/** The segments of a line (sorted by start) that overlap another one. */
function overlapping(line: readonly Segment[]): Segment[] {
  let reached = -Infinity;
  return line.filter((segment, i) => {
    const covered = segment.start < reached || segment.end > (line[i + 1]?.start ?? Infinity);
    reached = Math.max(reached, segment.end);
    return covered;
  });
}

const along = (glyphs: Glyphs, glyph: number, { ux, uy }: Segment): number =>
  (glyphs.x[glyph] as number) * ux + (glyphs.y[glyph] as number) * uy;
const across = (glyphs: Glyphs, glyph: number, { ux, uy }: Segment): number =>
  (glyphs.y[glyph] as number) * ux - (glyphs.x[glyph] as number) * uy;

// Cells are at least as wide as the maximum distance, so a shadow is in the same cell as its glyph or in a neighbouring one. Cell sizes
// are powers of two, so that sizes that differ by up to a tenth share a cell size. Two sizes on different sides of a power of two are not
// compared.
function cellSize(em: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(em, 1e-6) * ALONG_EMS));
}

/** The key of a cell and the text in it. A collision only costs an extra comparison. */
function cellKey(text: number, direction: number, column: number, row: number): number {
  return Math.imul(Math.imul(Math.imul(text, 31) + direction, 0x9e3779b1) + column, 0x85ebca6b) + Math.imul(row, 0xc2b2ae35);
}

function keep(glyphs: Glyphs, cells: Map<number, number[]>, glyph: number, segment: Segment): void {
  const size = cellSize(segment.em);
  const column = Math.floor(along(glyphs, glyph, segment) / size);
  const row = Math.floor(across(glyphs, glyph, segment) / size);
  const key = cellKey(glyphs.text[glyph] as number, segment.direction, column, row);
  const cell = cells.get(key);
  if (cell === undefined) cells.set(key, [glyph]);
  else if (cell.length < MAX_IN_CELL) cell.push(glyph);
}

function findTwin(glyphs: Glyphs, cells: ReadonlyMap<number, number[]>, glyph: number, segment: Segment): number | null {
  const size = cellSize(segment.em);
  const column = Math.floor(along(glyphs, glyph, segment) / size);
  const row = Math.floor(across(glyphs, glyph, segment) / size);
  for (let i = 0; i < 9; i++) {
    const key = cellKey(glyphs.text[glyph] as number, segment.direction, column + (i % 3) - 1, row + Math.floor(i / 3) - 1);
    const twin = cells.get(key)?.find((other) => isTwin(glyphs, other, glyph, segment));
    if (twin !== undefined) return twin;
  }
  return null;
}

function isTwin(glyphs: Glyphs, other: number, glyph: number, segment: Segment): boolean {
  const { a, b, c, d, font } = glyphs.runOf(other);
  const em = font.em * (font.vertical ? Math.hypot(c, d) : Math.hypot(a, b));
  if (glyphs.text[other] !== glyphs.text[glyph] || !(Math.abs(em - segment.em) <= SIZE_TOLERANCE * segment.em)) return false;
  const apart = Math.abs(across(glyphs, other, segment) - across(glyphs, glyph, segment));
  return (
    apart <= ACROSS_EMS * segment.em && Math.abs(along(glyphs, other, segment) - along(glyphs, glyph, segment)) <= ALONG_EMS * segment.em
  );
}
