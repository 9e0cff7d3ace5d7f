// Where content can be seen: within the page's visible box and every clipping path around it (ISO 32000-2, 8.5.4). A path is replaced by
// its bounding box, so what counts as clipped away is certainly invisible; the reverse does not hold.

import { Lexer, operatorCode } from "./lexer.ts";
import { type Matrix, mapBox } from "./matrix.ts";

/** [left, bottom, right, top] in user space. Left may be greater than right: then nothing is visible. */
export type Box = readonly [number, number, number, number];

// Renderers widen a clip to whole pixels.
const MARGIN_PT = 1;

/** Whether a box is entirely outside the visible area. Boxes that are not numbers count as visible. */
export function isOutside(clip: Box, [left, bottom, right, top]: Box): boolean {
  if (clip[0] - clip[2] > 2 * MARGIN_PT || clip[1] - clip[3] > 2 * MARGIN_PT) return true;
  return right < clip[0] - MARGIN_PT || left > clip[2] + MARGIN_PT || top < clip[1] - MARGIN_PT || bottom > clip[3] + MARGIN_PT;
}

export function intersect(a: Box, b: Box): Box {
  return [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
}

/** The bounding box of a rectangle after a matrix; null unless it is finite. */
export function boxOf(ctm: Matrix, x: number, y: number, w: number, h: number): Box | null {
  return finite(mapBox(ctm, [x, y, x + w, y + h]));
}

const POINTS: ReadonlyMap<number, number> = new Map([
  [operatorCode("m"), 1],
  [operatorCode("l"), 1],
  [operatorCode("c"), 3],
  [operatorCode("v"), 2],
  [operatorCode("y"), 2],
  [operatorCode("h"), 0],
]);
const RECTANGLE = operatorCode("re");

/** Reads a path in start..end of the content again: its bounding box, or null if there is more than a path, or numbers are not finite. */
export function readPath(bytes: Uint8Array, start: number, end: number, ctm: Matrix): Box | null {
  const lexer = new Lexer(bytes, start);
  let box: Box | null = null;
  let operands: number[] = [];
  while (lexer.at < end) {
    const word = lexer.next();
    if (word === "end" || lexer.start >= end) break;
    if (word === "operand") {
      operands.push(typeof lexer.operand === "number" ? lexer.operand : 0);
      continue;
    }
    const points = POINTS.get(lexer.operator);
    if (points === undefined && lexer.operator !== RECTANGLE) return null;
    const [x = 0, y = 0, w = 0, h = 0] = operands.slice(-4);
    const corners = points === undefined ? [x, y, x + w, y + h] : operands.slice(-2 * points || operands.length);
    for (let i = 0; i + 1 < corners.length; i += 2) box = extend(box, ctm, corners[i] as number, corners[i + 1] as number);
    if (points === undefined) {
      box = extend(box, ctm, x + w, y);
      box = extend(box, ctm, x, y + h);
    }
    operands = [];
  }
  return box === null ? null : finite(box);
}

function extend(box: Box | null, m: Matrix, x: number, y: number): Box {
  const [px, py] = [m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]];
  if (box === null) return [px, py, px, py];
  return [Math.min(box[0], px), Math.min(box[1], py), Math.max(box[2], px), Math.max(box[3], py)];
}

const finite = (box: Box): Box | null => (box.every(Number.isFinite) ? box : null);
