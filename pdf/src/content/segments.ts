// A segment is a sequence of glyphs on one line, in one direction. Sorting segments instead of glyphs makes the second order, by lines,
// affordable; and only overlapping segments need to be searched for shadows (fake bold).

import type { Glyphs } from "./glyphs.ts";
import type { Joints } from "./joints.ts";

export type Segment = {
  /** Positions in the list of glyphs; `to` is exclusive. */
  readonly from: number;
  to: number;
  /**
   * The direction in whole degrees (plus 1000 for vertical writing) and as a unit vector; the coordinates along and across it; the size
   * of an em.
   */
  readonly direction: number;
  readonly ux: number;
  readonly uy: number;
  readonly across: number;
  readonly start: number;
  end: number;
  readonly em: number;
};

const MAX_SHIFT_EMS = 0.1;
const MAX_BACK_EMS = 0.1;
const MAX_GAP_EMS = 1;
const LINE_SHIFT_EMS = 0.5;

/** `live` are the glyphs to read, in content order; `lastOf` gives the last glyph of a replaced span. */
export function segmentsOf(glyphs: Glyphs, live: Uint32Array, lastOf: (glyph: number) => number, joints: Joints): Segment[] {
  const segments: Segment[] = [];
  let current: Segment | null = null;
  for (let i = 0; i < live.length; i++) {
    const glyph = live[i] as number;
    if (current === null || !continues(glyphs, lastOf(live[i - 1] as number), glyph, joints)) {
      current = newSegment(glyphs, glyph, i);
      segments.push(current);
    }
    current.to = i + 1;
  }
  for (const segment of segments) segment.end = endAlong(glyphs, lastOf(live[segment.to - 1] as number), segment);
  return segments;
}

function continues(glyphs: Glyphs, end: number, start: number, joints: Joints): boolean {
  if (start === end + 1 && glyphs.run[start] === glyphs.run[end] && glyphs.operand[start] === glyphs.operand[end]) return true;
  joints.measure(end, start);
  if (joints.turned || !(Math.abs(joints.shift) <= MAX_SHIFT_EMS)) return false;
  return joints.gap >= -MAX_BACK_EMS && joints.gap <= MAX_GAP_EMS;
}

function unit(glyphs: Glyphs, glyph: number): { ux: number; uy: number; em: number } {
  const { a, b, c, d, font } = glyphs.runOf(glyph);
  const [x, y] = font.vertical ? [-c, -d] : [a, b];
  const length = Math.hypot(x, y);
  return length > 0 ? { ux: x / length, uy: y / length, em: length * font.em } : { ux: 1, uy: 0, em: 1 };
}

function newSegment(glyphs: Glyphs, glyph: number, at: number): Segment {
  const { ux, uy, em } = unit(glyphs, glyph);
  const x = glyphs.x[glyph] as number;
  const y = glyphs.y[glyph] as number;
  const degrees = Math.round((Math.atan2(uy, ux) * 180) / Math.PI);
  const direction = (degrees === -180 ? 180 : degrees) + (glyphs.runOf(glyph).font.vertical ? 1000 : 0);
  const start = x * ux + y * uy;
  return { from: at, to: at, direction, ux, uy, across: y * ux - x * uy, start, end: start, em };
}

function endAlong(glyphs: Glyphs, glyph: number, segment: Segment): number {
  const { ux, uy, em } = unit(glyphs, glyph);
  const along = (glyphs.x[glyph] as number) * ux + (glyphs.y[glyph] as number) * uy;
  const advance = Math.abs(glyphs.advance[glyph] as number);
  return Math.max(segment.end, along + advance * em);
}

/** Groups the segments by direction, then into lines from the top, each from its start. */
export function linesOf(segments: readonly Segment[]): Segment[][] {
  const groups = new Map<number, Segment[]>();
  for (const segment of segments) {
    const group = groups.get(segment.direction);
    if (group === undefined) groups.set(segment.direction, [segment]);
    else group.push(segment);
  }
  return [...groups.values()].flatMap(splitLines);
}

function splitLines(group: Segment[]): Segment[][] {
  const sorted = [...group].sort((a, b) => b.across - a.across || a.from - b.from);
  const lines: Segment[][] = [];
  let line: Segment[] = [];
  for (const segment of sorted) {
    const first = line[0];
    if (first !== undefined && first.across - segment.across <= LINE_SHIFT_EMS * Math.max(first.em, segment.em)) line.push(segment);
    else {
      line = [segment];
      lines.push(line);
    }
  }
  for (const each of lines) each.sort((a, b) => a.start - b.start || a.from - b.from);
  return lines;
}

// More pieces than this are a drawing made of letters, not paragraphs.
const MAX_PIECES = 5_000;
const PIECE_GAP_EMS = 1;
const MAX_LEADING_EMS = 2.2;
const EM_RATIO = 1.3;

type Piece = { readonly segments: Segment[]; readonly first: Segment; end: number };

/**
 * The segments by paragraphs and table cells: each line is split at wide gaps, and a piece continues the one above it. Null if there are too
 * many. `lines` are those of linesOf.
 */
export function blocksOf(lines: readonly (readonly Segment[])[]): Segment[][] | null {
  const blocks: Piece[][] = [];
  let open: Piece[][] = [];
  let count = 0;
  for (const line of lines) {
    const pieces = piecesOf(line);
    count += pieces.length;
    if (count > MAX_PIECES) return null;
    const [lead] = line;
    if (lead !== undefined) open = open.filter((block) => isNear(block, lead));
    const continued = new Set<Piece[]>();
    for (const piece of pieces) {
      const above = open.find((block) => !continued.has(block) && isAbove(block, piece));
      const block = above ?? [];
      block.push(piece);
      if (above === undefined) blocks.push(block);
      continued.add(block);
    }
    open = [...continued, ...open.filter((block) => !continued.has(block))];
  }
  return blocks.map((block) => block.flatMap(({ segments }) => segments));
}

function piecesOf(line: readonly Segment[]): Piece[] {
  const pieces: Piece[] = [];
  for (const segment of line) {
    const last = pieces.at(-1);
    if (last !== undefined && segment.start - last.end <= PIECE_GAP_EMS * segment.em) {
      last.segments.push(segment);
      last.end = Math.max(last.end, segment.end);
    } else pieces.push({ segments: [segment], first: segment, end: segment.end });
  }
  return pieces;
}

function isNear(block: readonly Piece[], { direction, across, em }: Segment): boolean {
  const first = block.at(-1)?.first;
  return first !== undefined && first.direction === direction && first.across - across <= MAX_LEADING_EMS * Math.max(em, first.em);
}

function isAbove(block: readonly Piece[], piece: Piece): boolean {
  const last = block.at(-1);
  if (last === undefined || !isNear(block, piece.first)) return false;
  const [larger, smaller] = [Math.max(last.first.em, piece.first.em), Math.min(last.first.em, piece.first.em)];
  return larger <= EM_RATIO * smaller && last.first.start < piece.end && piece.first.start < last.end;
}
