// Shapes as path operators. The caller paints them.

import { ops } from "../stamp/sheet.ts";

// The handle length of a Bézier curve for a quarter circle, accurate to 0.03 %.
const CIRCLE = 0.5523;

export type Point = readonly [number, number];

/** The ellipse in the box between two corners. */
export function ellipse(x1: number, y1: number, x2: number, y2: number): string {
  const [x, y, rx, ry] = [(x1 + x2) / 2, (y1 + y2) / 2, Math.abs(x2 - x1) / 2, Math.abs(y2 - y1) / 2];
  const [kx, ky] = [rx * CIRCLE, ry * CIRCLE];
  return [
    ops(x + rx, y, "m"),
    ops(x + rx, y + ky, x + kx, y + ry, x, y + ry, "c"),
    ops(x - kx, y + ry, x - rx, y + ky, x - rx, y, "c"),
    ops(x - rx, y - ky, x - kx, y - ry, x, y - ry, "c"),
    ops(x + kx, y - ry, x + rx, y - ky, x + rx, y, "c h"),
  ].join("\n");
}

/** Straight lines through the points; empty for fewer than two. */
export function polyline(points: readonly Point[]): string {
  if (points.length < 2) return "";
  return points.map(([x, y], index) => ops(x, y, index === 0 ? "m" : "l")).join("\n");
}

/** Pairs of coordinates as points; a surplus coordinate is ignored. */
export function pointsOf(coordinates: readonly number[]): Point[] {
  const points: Point[] = [];
  for (let at = 0; at + 1 < coordinates.length; at += 2) points.push([coordinates[at] as number, coordinates[at + 1] as number]);
  return points;
}

type Corners = readonly [number, number, number, number];

/** The box around the points and `margin` points more. Infinite without a point. */
export function boxAround(points: readonly Point[], margin: number): Corners {
  let [left, bottom, right, top] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [x, y] of points) {
    [left, bottom] = [Math.min(left, x - margin), Math.min(bottom, y - margin)];
    [right, top] = [Math.max(right, x + margin), Math.max(top, y + margin)];
  }
  return [left, bottom, right, top];
}

// The longest piece of a slanted line that one box covers, unless there would be too many.
const PIECE_PT = 8;
const MOST_PIECES = 256;

/** Boxes that cover the lines through the points and little else. */
export function boxesAlong(points: readonly Point[], margin: number): Corners[] {
  if (points.length > MOST_PIECES) return [boxAround(points, margin)];
  return points.slice(1).flatMap(([x2, y2], index) => {
    const [x1, y1] = points[index] as Point;
    const slant = Math.min(Math.abs(x2 - x1), Math.abs(y2 - y1));
    const pieces = Math.max(1, Math.min(Math.ceil(slant / PIECE_PT), Math.floor(MOST_PIECES / points.length)));
    const at = (piece: number): Point =>
      piece === pieces ? [x2, y2] : [x1 + ((x2 - x1) * piece) / pieces, y1 + ((y2 - y1) * piece) / pieces];
    return Array.from({ length: pieces }, (_, piece) => boxAround([at(piece), at(piece + 1)], margin));
  });
}
