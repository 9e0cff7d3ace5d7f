// Marks over text: highlight, underline, squiggly, strike-out, and areas marked for redaction (ISO 32000-2, 12.5.6.10 and 12.5.6.23).

import { tooMany } from "../content/limits.ts";
import { displayedPage } from "../page-tree.ts";
import { ops } from "../stamp/sheet.ts";
import type { Canvas } from "./canvas.ts";
import { type Point, pointsOf, polyline } from "./paths.ts";
import { BLACK, type Color, colorIn, coordinatesIn, fillWith, rectIn, strokeWith } from "./values.ts";

/** A line of text: its corners as the reader sees them. */
type Quad = { readonly bottomLeft: Point; readonly bottomRight: Point; readonly topLeft: Point; readonly topRight: Point };

const YELLOW: Color = [1, 1, 0];
const RED: Color = [1, 0, 0];
// Thickness of lines, as part of the height of the text.
const LINE_OF_HEIGHT = 1 / 14;
const THINNEST_PT = 0.5;
const MOST_WAVES = 400;
const MOST_QUADS = 2_000;

/** All lines are one area: PDFium draws everything below a highlight once more for each area. */
export function drawHighlight(canvas: Canvas): void {
  const { doc, annotation, others, color, paint } = canvas;
  const quads = [annotation, ...others].flatMap((each) => {
    const rect = each === annotation ? canvas.rect : rectIn(doc, each.get("Rect"));
    return rect === null ? [] : quadsOf({ ...canvas, annotation: each, rect });
  });
  for (const [index, quad] of quads.entries()) {
    const corners = [quad.bottomLeft, quad.bottomRight, quad.topRight, quad.topLeft];
    const path = `${polyline(corners)} ${index === quads.length - 1 ? "f" : "h"}`;
    paint(index === 0 ? `${fillWith(color ?? YELLOW)}\n${path}` : path, corners, 0);
  }
}

export const drawUnderline = (canvas: Canvas): void => drawAcross(canvas, 1 / 14);
export const drawStrikeOut = (canvas: Canvas): void => drawAcross(canvas, 1 / 2);

/** A line along the text, `height` of the way from its bottom to its top. */
function drawAcross(canvas: Canvas, height: number): void {
  for (const quad of quadsOf(canvas)) {
    const ends = [between(quad.bottomLeft, quad.topLeft, height), between(quad.bottomRight, quad.topRight, height)];
    const width = thickness(quad);
    canvas.paint(`${strokeWith(canvas.color ?? BLACK)} ${ops(width, "w")}\n${polyline(ends)} S`, ends, width);
  }
}

export function drawSquiggly(canvas: Canvas): void {
  for (const quad of quadsOf(canvas)) {
    const width = thickness(quad);
    const waves = Math.min(MOST_WAVES, Math.max(2, Math.round(distance(quad.bottomLeft, quad.bottomRight) / Math.max(2 * width, 1))));
    const points = Array.from({ length: waves + 1 }, (_, index) => {
      const [low, high] = [between(quad.bottomLeft, quad.bottomRight, index / waves), between(quad.topLeft, quad.topRight, index / waves)];
      return between(low, high, index % 2 === 0 ? 0.03 : 0.13);
    });
    canvas.paint(`${strokeWith(canvas.color ?? BLACK)} ${ops(width, "w")}\n${polyline(points)} S`, points, width);
  }
}

// What is to be removed is outlined, as in Acrobat; nothing is removed.
export function drawRedact(canvas: Canvas): void {
  const color = colorIn(canvas.doc, canvas.annotation.get("OC")) ?? canvas.color ?? RED;
  for (const quad of quadsOf(canvas)) {
    const corners = [quad.bottomLeft, quad.bottomRight, quad.topRight, quad.topLeft];
    canvas.paint(`${strokeWith(color)} 1 w\n${polyline(corners)} h S`, corners, 1);
  }
}

/** The marked lines; without usable `QuadPoints`, the rectangle. */
function quadsOf({ doc, page, annotation, rect: [x1, y1, x2, y2] }: Pick<Canvas, "doc" | "page" | "annotation" | "rect">): Quad[] {
  const points = pointsOf(coordinatesIn(doc, annotation.get("QuadPoints")) ?? []);
  if (points.length > 4 * MOST_QUADS) throw tooMany(MOST_QUADS, "marked lines in an annotation");
  const right = RIGHT[displayedPage(doc, page.dict).rotate];
  const isWide = extent(points, 0) >= extent(points, 1) === (right[0] !== 0);
  const quads: Quad[] = [];
  for (let at = 0; at + 3 < points.length; at += 4) {
    const quad = quadOf(points.slice(at, at + 4) as [Point, Point, Point, Point], right, isWide);
    if (quad !== null) quads.push(quad);
  }
  if (quads.length > 0) return quads;
  const whole = quadOf(
    [
      [x1, y1],
      [x2, y1],
      [x1, y2],
      [x2, y2],
    ],
    right,
    isWide,
  );
  return whole === null ? [] : [whole];
}

// Where the reader's right is on a page that is shown rotated.
const RIGHT: Readonly<Record<0 | 90 | 180 | 270, Point>> = { 0: [1, 0], 90: [0, 1], 180: [-1, 0], 270: [0, -1] };

const extent = (points: readonly Point[], axis: 0 | 1): number => {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const point of points) [least, most] = [Math.min(least, point[axis]), Math.max(most, point[axis])];
  return most - least;
};

// The standard lists the corners counterclockwise from the bottom left; Acrobat, and so almost every file, writes top left, top right,
// bottom left, bottom right. Other orders occur too. The first two points are taken as an edge along the text. If that edge is upright for
// the reader, the text is upright too, unless the edge is the shorter one or the whole mark is wide.
function quadOf([a, b, c, d]: readonly [Point, Point, Point, Point], right: Point, isWide: boolean): Quad | null {
  const isUpright = Math.abs(dot(minus(b, a), right)) < Math.abs(dot(minus(b, a), [-right[1], right[0]]));
  const [near, far] = distance(a, c) < distance(a, d) ? [c, d] : [d, c];
  const isSideways = isUpright && (isWide || distance(a, b) < distance(a, near));
  return isSideways ? quadAlong([a, near], [b, far], right) : quadAlong([a, b], [c, d], right);
}

type Edge = readonly [Point, Point];

/** Two opposite edges along the text: puts both in reading direction, and the lower one first. */
function quadAlong(edge: Edge, other: Edge, right: Point): Quad | null {
  if (distance(...edge) < 1e-6) return null;
  const first = towards(edge, right);
  const along = minus(first[1], first[0]);
  const second = towards(other, along);
  // Positive if the second edge is on the left of the first one, which is above it for someone who reads along it.
  const [low, high] = dot(minus(second[0], first[0]), [-along[1], along[0]]) >= 0 ? [first, second] : [second, first];
  return { bottomLeft: low[0], bottomRight: low[1], topLeft: high[0], topRight: high[1] };
}

const towards = (edge: Edge, direction: Point): Edge => (dot(minus(edge[1], edge[0]), direction) < 0 ? [edge[1], edge[0]] : edge);
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1];
const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1]];
const distance = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);
const between = (a: Point, b: Point, part: number): Point => [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part];
const thickness = ({ bottomLeft, topLeft }: Quad): number => Math.max(THINNEST_PT, distance(bottomLeft, topLeft) * LINE_OF_HEIGHT);
