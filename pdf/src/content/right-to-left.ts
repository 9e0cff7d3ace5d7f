// Hebrew and Arabic are read from right to left, but most producers paint their glyphs from left to right. Each such stretch of letters
// is reversed; numbers inside it keep their order. No other part of the bidirectional algorithm is needed to find text, because anchors
// are searched in typed order. Text at the edge of a stretch stays where it is painted: a number to its left may have been typed before
// or after it, and the page does not say which.

import type { Glyphs } from "./glyphs.ts";
import { BREAK } from "./joint-kinds.ts";

export function isRightToLeft(point: number): boolean {
  if (point < 0x590) return false;
  return (
    point <= 0x8ff || (point >= 0xfb1d && point <= 0xfdff) || (point >= 0xfe70 && point <= 0xfefc) || (point >= 0x10800 && point <= 0x10fff)
  );
}

const isDigit = (point: number): boolean =>
  (point >= 0x30 && point <= 0x39) || (point >= 0x660 && point <= 0x669) || (point >= 0x6f0 && point <= 0x6f9);
const isLetter = (point: number): boolean => isRightToLeft(point) && !isDigit(point);

/** Characters allowed between two letters of a stretch: spaces, digits and punctuation, but no Latin letters and no line breaks. */
function isBetween(point: number): boolean {
  return point !== BREAK && (point < 0x41 || isDigit(point) || (point >= 0x2010 && point <= 0x2027));
}

/** Reverses the stretches in place. `order` gives the glyph at each position. */
export function reverseRightToLeft(glyphs: Glyphs, order: Uint32Array, points: Int32Array, positions: Int32Array): void {
  for (let from = 0; from < points.length; from++) {
    if (!isLetter(points[from] as number)) continue;
    let to = from;
    for (let i = from + 1; i < points.length; i++) {
      if (isLetter(points[i] as number)) to = i;
      else if (!isBetween(points[i] as number)) break;
    }
    if (paintedFromLeft(glyphs, order, points, positions, from, to)) {
      reverse(points, positions, from, to);
      keepNumbers(points, positions, from, to);
    }
    from = to;
  }
}

function paintedFromLeft(glyphs: Glyphs, order: Uint32Array, points: Int32Array, positions: Int32Array, from: number, to: number): boolean {
  let rightwards = 0;
  let before: number | null = null;
  for (let i = from; i <= to; i++) {
    if (!isLetter(points[i] as number)) continue;
    const glyph = order[positions[i] as number] as number;
    const { a, b } = glyphs.runOf(glyph);
    const along = (glyphs.x[glyph] as number) * a + (glyphs.y[glyph] as number) * b;
    if (before !== null) rightwards += Math.sign(along - before);
    before = along;
  }
  return rightwards > 0;
}

function reverse(points: Int32Array, positions: Int32Array, from: number, to: number): void {
  points.subarray(from, to + 1).reverse();
  positions.subarray(from, to + 1).reverse();
}

function keepNumbers(points: Int32Array, positions: Int32Array, from: number, to: number): void {
  for (let start = from; start <= to; start++) {
    if (!isDigit(points[start] as number)) continue;
    let end = start;
    while (end < to && isDigit(points[end + 1] as number)) end++;
    reverse(points, positions, start, end);
    start = end;
  }
}
