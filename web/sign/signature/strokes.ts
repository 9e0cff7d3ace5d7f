import { type Drawn, type Extent, extentOf } from "./stroke-path.ts";

/** How strokes are kept while they are made: in the coordinates of the pad as it was at the first of them. */

export type Size = Pick<Drawn, "w" | "h">;
export type Point = readonly [x: number, y: number, ms: number];

/** What the service takes. Finer than any hand: a minute without a pause. */
export const MAX_POINTS = 4_000;
// Closer points than this add weight, and nothing that is seen.
const LEAST_STEP_PX = 1;
const LEAST_POINTS = 8;
const LEAST_OF_WIDTH = 0.15;

/** A pad that was turned or resized since keeps the measure of its first stroke. */
export function begin(drawing: Drawn | null, pad: Size, point: Point): Drawn {
  if (drawing === null) return { kind: "drawn", ...pad, strokes: [[point]] };
  return isFull(drawing) ? drawing : { ...drawing, strokes: [...drawing.strokes, [point]] };
}

/** The last stroke goes on. */
export function extend(drawing: Drawn, point: Point): Drawn {
  const stroke = drawing.strokes.at(-1) ?? [];
  const [x = Infinity, y = Infinity] = stroke.at(-1) ?? [];
  if (isFull(drawing) || Math.hypot(point[0] - x, point[1] - y) < LEAST_STEP_PX) return drawing;
  return { ...drawing, strokes: [...drawing.strokes.slice(0, -1), [...stroke, point]] };
}

/** Without its last stroke; null when none is left. */
export function undo(drawing: Drawn): Drawn | null {
  return drawing.strokes.length > 1 ? { ...drawing, strokes: drawing.strokes.slice(0, -1) } : null;
}

/** What the pad has to show: itself as it was at first, and all ink that came beside it when it had another shape. */
export function viewOf({ w, h, strokes }: Drawn): Extent {
  const ink = extentOf(strokes);
  const [left, top] = [Math.min(0, ink.left), Math.min(0, ink.top)];
  return { left, top, w: Math.max(w, ink.left + ink.w) - left, h: Math.max(h, ink.top + ink.h) - top };
}

export const isFull = (drawing: Drawn): boolean => countOf(drawing) >= MAX_POINTS;

/** A touch by accident, or nothing that anybody would know again. */
export function isTooLittle(drawing: Drawn): boolean {
  return countOf(drawing) < LEAST_POINTS || extentOf(drawing.strokes).w < LEAST_OF_WIDTH * drawing.w;
}

/** The time of the last point. */
export const lastTime = (drawing: Drawn | null): number => drawing?.strokes.at(-1)?.at(-1)?.[2] ?? 0;

const countOf = ({ strokes }: Drawn): number => strokes.reduce((sum, stroke) => sum + stroke.length, 0);
