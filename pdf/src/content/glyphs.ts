// All glyphs of a page, in painting order. Stored as columns of numbers instead of objects, because a contract of 300 pages has more than
// a million glyphs.

import { type Box, isOutside } from "./clip.ts";
import type { Font } from "./font.ts";
import type { Source } from "./sources.ts";

/** The properties shared by all glyphs of one show operator. */
export type Run = {
  readonly font: Font;
  /** Maps glyph space (ems) to the page: x' = a·x + c·y + the glyph's origin. */
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly source: Source;
  /** The range of the operator with its operands in the source's bytes. */
  readonly start: number;
  readonly end: number;
  /** Whether it is in a layer that is off by default, or in a hidden annotation. */
  readonly off: boolean;
  /** The box in which it can be seen; null if all its glyphs begin inside. */
  readonly clip: Box | null;
};

const FIRST_CAPACITY = 4096;

export class Glyphs {
  count = 0;
  readonly runs: Run[] = [];
  /** IDs from `Texts`. */
  text = new Int32Array(FIRST_CAPACITY);
  /** The origin on the page, in default user space. */
  x = new Float64Array(FIRST_CAPACITY);
  y = new Float64Array(FIRST_CAPACITY);
  /**
   * Width of the glyph, and advance of the pen including character and word spacing, in ems; for vertical writing the advance is
   * downwards.
   */
  w = new Float32Array(FIRST_CAPACITY);
  advance = new Float64Array(FIRST_CAPACITY);
  /** For vertical writing: the x of the pen within the glyph. */
  vx = new Float32Array(FIRST_CAPACITY);
  run = new Uint32Array(FIRST_CAPACITY);
  /** The index of the string in the operator's array, and the byte range in the decoded string. */
  operand = new Uint32Array(FIRST_CAPACITY);
  from = new Uint32Array(FIRST_CAPACITY);
  length = new Uint8Array(FIRST_CAPACITY);

  /** Makes room for more glyphs. */
  reserve(more: number): void {
    const needed = this.count + more;
    if (needed <= this.text.length) return;
    const capacity = Math.max(needed, this.text.length * 2);
    this.text = grown(this.text, new Int32Array(capacity));
    this.x = grown(this.x, new Float64Array(capacity));
    this.y = grown(this.y, new Float64Array(capacity));
    this.w = grown(this.w, new Float32Array(capacity));
    this.advance = grown(this.advance, new Float64Array(capacity));
    this.vx = grown(this.vx, new Float32Array(capacity));
    this.run = grown(this.run, new Uint32Array(capacity));
    this.operand = grown(this.operand, new Uint32Array(capacity));
    this.from = grown(this.from, new Uint32Array(capacity));
    this.length = grown(this.length, new Uint8Array(capacity));
  }

  runOf(glyph: number): Run {
    const run = this.runs[this.run[glyph] ?? -1];
    if (run === undefined) throw new RangeError(`no glyph ${glyph}`);
    return run;
  }
}

function grown<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** The four corners of the glyph's line box in default user space, as alternating x and y. */
export function cornersOf(glyphs: Glyphs, glyph: number): readonly number[] {
  const { font, a, b, c, d } = glyphs.runOf(glyph);
  const x = glyphs.x[glyph] ?? 0;
  const y = glyphs.y[glyph] ?? 0;
  const w = glyphs.w[glyph] ?? 0;
  const left = font.vertical ? -(glyphs.vx[glyph] ?? 0) : 0;
  const right = left + w;
  const bottom = font.vertical ? Math.min(0, glyphs.advance[glyph] ?? 0) : font.descent;
  const top = font.vertical ? 0 : font.ascent;
  return [left, bottom, right, bottom, left, top, right, top].map((_, i, box) => {
    const px = box[i & ~1] ?? 0;
    const py = box[i | 1] ?? 0;
    return (i & 1) === 0 ? a * px + c * py + x : b * px + d * py + y;
  });
}

/**
 * Whether a glyph cannot be seen: it is in a layer that is off or a hidden annotation, or it is outside the page or its clip by more than
 * it may be drawn beyond its box.
 */
export function isHidden(glyphs: Glyphs, glyph: number): boolean {
  const run = glyphs.runOf(glyph);
  if (run.off) return true;
  if (run.clip === null || !Number.isFinite(run.font.reach)) return false;
  const corners = cornersOf(glyphs, glyph);
  const [xs, ys] = [corners.filter((_, i) => (i & 1) === 0), corners.filter((_, i) => (i & 1) === 1)];
  const around = [Math.abs(run.a) + Math.abs(run.c), Math.abs(run.b) + Math.abs(run.d)].map((side) => side * run.font.reach);
  const [across = 0, up = 0] = around;
  return isOutside(run.clip, [Math.min(...xs) - across, Math.min(...ys) - up, Math.max(...xs) + across, Math.max(...ys) + up]);
}

/** The box of a glyph in user space, a point wider on each side, since other readers round. */
export function boxAround(glyphs: Glyphs, glyph: number): Box {
  const corners = cornersOf(glyphs, glyph);
  const xs = corners.filter((_, i) => (i & 1) === 0);
  const ys = corners.filter((_, i) => (i & 1) === 1);
  return [Math.min(...xs) - 1, Math.min(...ys) - 1, Math.max(...xs) + 1, Math.max(...ys) + 1];
}
