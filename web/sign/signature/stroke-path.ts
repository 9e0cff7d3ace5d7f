import type { DrawnMarkInput } from "@countersign/client/pages";

/** Draws strokes with the same curve as the seal, so that the signature looks the same when sealed. */

export type Drawn = DrawnMarkInput;
/** `[x, y, ms]` per point. The time is evidence and not drawn. */
export type Stroke = Drawn["strokes"][number];

// The smallest visible part of the pad, so that a dot is not enlarged to the size of its field.
const MIN_PAD_FRACTION = 0.15;

export interface Extent {
  readonly left: number;
  readonly top: number;
  readonly w: number;
  readonly h: number;
}

/** The bounding box of the ink on the pad. */
export function extentOf(strokes: readonly Stroke[]): Extent {
  const points = strokes.flat();
  const least = (axis: 0 | 1, sign: 1 | -1) => points.reduce((min, point) => Math.min(min, sign * (point[axis] ?? 0)), Infinity);
  const [left, top] = [least(0, 1), least(1, 1)];
  return { left, top, w: -least(0, -1) - left, h: -least(1, -1) - top };
}

/** The visible part of the pad: the ink, aligned to the lower left corner. */
export function visibleExtent({ w, h, strokes }: Drawn): Extent {
  const ink = extentOf(strokes);
  const shown = { w: Math.max(ink.w, MIN_PAD_FRACTION * w), h: Math.max(ink.h, MIN_PAD_FRACTION * h) };
  return { ...shown, left: ink.left, top: ink.top + ink.h - shown.h };
}

export const viewBoxOf = ({ left, top, w, h }: Extent): string => `${left} ${top} ${w} ${h}`;

// Finished strokes are rendered again with every move of the pen, so their paths are cached.
const known = new WeakMap<Stroke, string>();

/** A curve through every point. The direction at each point is that from the previous to the next point. */
export function pathOf(stroke: Stroke): string {
  const path = known.get(stroke) ?? curveThrough(stroke);
  known.set(stroke, path);
  return path;
}

function curveThrough(stroke: Stroke): string {
  const at = (index: number, axis: 0 | 1) => stroke[Math.min(stroke.length - 1, Math.max(0, index))]?.[axis] ?? 0;
  // A line without length is drawn as its round ends, a dot.
  if (stroke.length === 1) return `M${at(0, 0)} ${at(0, 1)}h0`;
  const handle = (index: number, axis: 0 | 1, step: 1 | -1) => {
    const towards = (at(index + step, axis) - at(index - step, axis)) / 6;
    return Math.round((at(index, axis) + towards) * 100) / 100;
  };
  const curves = stroke
    .slice(1)
    .map(
      (_, index) =>
        `C${handle(index, 0, 1)} ${handle(index, 1, 1)} ${handle(index + 1, 0, -1)} ${handle(index + 1, 1, -1)} ${at(index + 1, 0)} ${at(index + 1, 1)}`,
    );
  return `M${at(0, 0)} ${at(0, 1)}${curves.join("")}`;
}
