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
