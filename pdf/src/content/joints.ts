// Measures two consecutive glyphs: the gap along the line between the first glyph's pen and the second glyph's origin, and the shift
// across the line, both in ems of the larger glyph. This determines whether there is a space between them.

import type { Glyphs, Run } from "./glyphs.ts";
import { BREAK, HARD, type JointKind, NONE, SOFT } from "./joint-kinds.ts";
import { isRightToLeft } from "./right-to-left.ts";

const SOFT_FROM_EMS = 0.12;
const HARD_FROM_EMS = 0.5;
const BACK_EMS = 1;
const SHIFT_EMS = 0.5;

// Cosine of the largest angle between two glyphs on the same line.
const SAME_DIRECTION = 0.98;

/** Measures the joints of one page. The last result is kept in the fields, so that millions of joints create no objects. */
export class Joints {
  gap = 0;
  shift = 0;
  turned = false;
  private readonly glyphs: Glyphs;

  constructor(glyphs: Glyphs) {
    this.glyphs = glyphs;
  }

  /** Measures from `end`, the last glyph of the text before, to `start`, the first glyph after it. Sets gap, shift and turned. */
  measure(end: number, start: number): void {
    const { glyphs } = this;
    const p = glyphs.runOf(end);
    const q = glyphs.runOf(start);
    const advance = glyphs.advance[end] as number;
    const vertical = p.font.vertical;
    const penX = (glyphs.x[end] as number) + advance * (vertical ? p.c : p.a);
    const penY = (glyphs.y[end] as number) + advance * (vertical ? p.d : p.b);
    const ex = (glyphs.x[start] as number) - penX;
    const ey = (glyphs.y[start] as number) - penY;
    const larger = p === q || Math.abs(determinant(p)) >= Math.abs(determinant(q)) ? p : q;
    const det = determinant(larger);
    this.turned = p !== q && (vertical !== q.font.vertical || !sameDirection(p, q));
    if (det === 0 || !Number.isFinite(det)) {
      this.gap = ex === 0 && ey === 0 ? 0 : Infinity;
      this.shift = 0;
      return;
    }
    const along = (larger.d * ex - larger.c * ey) / det / larger.font.em;
    const across = (larger.a * ey - larger.b * ex) / det / larger.font.em;
    this.gap = vertical ? -across : along;
    this.shift = vertical ? along : across;
  }

  /** The separation between the two, judged by their positions only. */
  kind(end: number, start: number): JointKind {
    const { glyphs } = this;
    // Neighbours in one string: the next glyph starts at the pen.
    if (start === end + 1 && glyphs.run[start] === glyphs.run[end] && glyphs.operand[start] === glyphs.operand[end]) return NONE;
    this.measure(end, start);
    if (this.stepsBack(end) && isRightToLeft(glyphs.text[end] as number) && isRightToLeft(glyphs.text[start] as number))
      this.mirror(end, start);
    if (this.turned || Math.abs(this.shift) > SHIFT_EMS || !(this.gap >= -BACK_EMS)) return BREAK;
    if (this.gap > HARD_FROM_EMS) return HARD;
    return this.gap >= SOFT_FROM_EMS ? SOFT : NONE;
  }

  // The second glyph begins before the first one. Kerning alone moves it back by less than the first glyph's width.
  private stepsBack(end: number): boolean {
    return this.gap + (this.glyphs.advance[end] as number) < 0;
  }

  // Right-to-left letters painted in reading order: the gap is between the first glyph's origin and the second glyph's pen.
  private mirror(end: number, start: number): void {
    this.gap = -this.gap - (this.glyphs.advance[end] as number) - (this.glyphs.advance[start] as number);
  }
}

const determinant = (run: Run): number => run.a * run.d - run.b * run.c;

function sameDirection(p: Run, q: Run): boolean {
  const dot = p.a * q.a + p.b * q.b;
  return dot >= SAME_DIRECTION * Math.hypot(p.a, p.b) * Math.hypot(q.a, q.b);
}
