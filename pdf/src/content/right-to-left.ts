// Hebrew and Arabic are read from right to left, but most producers paint their glyphs from left to right. Each such stretch of letters
// is reversed; numbers inside it keep their order. Text at the edge of a stretch may have been typed before or after it, and the page does
// not say which: as in a left-to-right paragraph, where it stays where it is painted, or as in a right-to-left paragraph, where whole lines
// are reversed. Text is searched in both readings.

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
      keepGlyphs(points, positions, from, to);
    }
    from = to;
  }
}

const mirrored = new Map(["()", "[]", "{}", "<>", "«»"].flatMap(([a = "", b = ""]) => [pair(a, b), pair(b, a)]));

function pair(a: string, b: string): readonly [number, number] {
  return [a.codePointAt(0) ?? 0, b.codePointAt(0) ?? 0];
}

/**
 * Reads the lines with right-to-left letters as those of a right-to-left paragraph, in place: the last painted point is the first. Words of
 * other scripts and numbers keep their order. With `mirror`, brackets get the direction in which they were typed; some producers write that
 * one into the file, others the painted one. False if there is no such line.
 */
export function readAsRightToLeft(glyphs: Glyphs, order: Uint32Array, points: Int32Array, positions: Int32Array, mirror: boolean): boolean {
  let changed = false;
  for (let from = 0; from < points.length; from++) {
    let to = from;
    let letters = 0;
    let brackets = 0;
    for (let i = from; i < points.length && points[i] !== BREAK; i++) {
      to = i;
      if (isLetter(points[i] as number)) letters++;
      if (mirrored.has(points[i] as number)) brackets++;
    }
    if (letters > 0 && (!mirror || brackets > 0) && paintedFromLeft(glyphs, order, points, positions, from, to)) {
      changed = true;
      reverse(points, positions, from, to);
      for (let i = from; i <= to; i++) {
        const end = endOfLeftToRight(points, i, to);
        if (end > i) reverse(points, positions, i, end);
        else if (mirror && end < i) points[i] = mirrored.get(points[i] as number) ?? (points[i] as number);
        i = Math.max(i, end);
      }
      keepGlyphs(points, positions, from, to);
    }
    from = to;
  }
  return changed;
}

const isLeftToRight = (point: number): boolean => point >= 0x41 && !isRightToLeft(point) && /\p{L}/u.test(String.fromCodePoint(point));

/** The end of the words of other scripts, or of the number, that begin at `from`; less than `from` if none do. */
function endOfLeftToRight(points: Int32Array, from: number, to: number): number {
  const isStrong = (point: number): boolean => isDigit(point) || isLeftToRight(point);
  if (!isStrong(points[from] as number)) return from - 1;
  let end = from;
  let hasWord = false;
  for (let i = from; i <= to && !isLetter(points[i] as number); i++) {
    if (!isStrong(points[i] as number)) continue;
    end = i;
    hasWord ||= isLeftToRight(points[i] as number);
  }
  if (hasWord) return end;
  // Digits, and one separator at a time between them, as in 12.5 or 2026-01-31.
  end = from;
  while (end < to && (isDigit(points[end + 1] as number) || (isSeparator(points[end + 1] as number) && isDigit(points[end + 2] ?? 0))))
    end++;
  return end;
}

const isSeparator = (point: number): boolean => point >= 0x2b && point <= 0x3a;

// Several characters of one glyph, such as a ligature, are stored in reading order. No text begins with a mark, so marks before their
// letter are stored as painted.
function keepGlyphs(points: Int32Array, positions: Int32Array, from: number, to: number): void {
  for (let start = from; start <= to; start++) {
    let end = start;
    while (end < to && positions[end + 1] === positions[start] && (points[end + 1] as number) > 0) end++;
    if (end > start && (points[start] as number) > 0 && !isMark(points[end] as number)) reverse(points, positions, start, end);
    start = end;
  }
}

const isMark = (point: number): boolean => /\p{M}/u.test(String.fromCodePoint(point));

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
