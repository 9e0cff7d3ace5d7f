import { type Drawn, type Extent, extentOf } from "./stroke-path.ts";

/** The strokes of a drawing, in the coordinates of the pad at the first stroke. */

export type Size = Pick<Drawn, "w" | "h">;
export type Point = readonly [x: number, y: number, ms: number];

/** The limit of the service: about a minute of drawing without a pause. */
export const MAX_POINTS = 4_000;
// Closer points add size without a visible difference.
const MIN_STEP_PX = 1;
const MIN_POINTS = 8;
const MIN_WIDTH_FRACTION = 0.15;

/** Starts a stroke. A pad that was rotated or resized keeps the coordinates of the first stroke. */
export function begin(drawing: Drawn | null, pad: Size, point: Point): Drawn {
  if (drawing === null) return { kind: "drawn", ...pad, strokes: [[point]] };
  return isFull(drawing) ? drawing : { ...drawing, strokes: [...drawing.strokes, [point]] };
}

/** Adds a point to the last stroke. */
export function extend(drawing: Drawn, point: Point): Drawn {
  const stroke = drawing.strokes.at(-1) ?? [];
  const [x = Infinity, y = Infinity] = stroke.at(-1) ?? [];
  if (isFull(drawing) || Math.hypot(point[0] - x, point[1] - y) < MIN_STEP_PX) return drawing;
  return { ...drawing, strokes: [...drawing.strokes.slice(0, -1), [...stroke, point]] };
}

/** Removes the last stroke; null if none is left. */
export function undo(drawing: Drawn): Drawn | null {
  return drawing.strokes.length > 1 ? { ...drawing, strokes: drawing.strokes.slice(0, -1) } : null;
}

/** The part that the pad shows: its original area and all ink outside it, drawn while it had another shape. */
export function viewOf({ w, h, strokes }: Drawn): Extent {
  const ink = extentOf(strokes);
  const [left, top] = [Math.min(0, ink.left), Math.min(0, ink.top)];
  return { left, top, w: Math.max(w, ink.left + ink.w) - left, h: Math.max(h, ink.top + ink.h) - top };
}

export const isFull = (drawing: Drawn): boolean => countOf(drawing) >= MAX_POINTS;

/** An accidental touch, or too little to recognize. */
export function isTooLittle(drawing: Drawn): boolean {
  return countOf(drawing) < MIN_POINTS || extentOf(drawing.strokes).w < MIN_WIDTH_FRACTION * drawing.w;
}

/** The time of the last point. */
export const lastTime = (drawing: Drawn | null): number => drawing?.strokes.at(-1)?.at(-1)?.[2] ?? 0;

const countOf = ({ strokes }: Drawn): number => strokes.reduce((sum, stroke) => sum + stroke.length, 0);
