// Drawn shapes: squares, circles, lines, polygons, ink, carets (ISO 32000-2, 12.5.6.7 to 12.5.6.13).

import { PdfArray } from "@libpdf/core";
import { tooMany } from "../content/limits.ts";
import { ops } from "../stamp/sheet.ts";
import { pen } from "./border.ts";
import { type Canvas, inBox, withoutMargins } from "./canvas.ts";
import { ending, endingSize } from "./line-endings.ts";
import { ellipse, type Point, pointsOf, polyline } from "./paths.ts";
import { drawLine } from "./text.ts";
import { BLACK, type Color, coordinatesIn, fillWith, itemsIn, nameIn, numberIn, strokeWith, textIn } from "./values.ts";

const CAPTION_PT = 9;
const MOST_POINTS = 100_000;

export const drawSquare = (canvas: Canvas): void => drawClosed(canvas, (x1, y1, x2, y2) => ops(x1, y1, x2 - x1, y2 - y1, "re"));
export const drawCircle = (canvas: Canvas): void => drawClosed(canvas, ellipse);

function drawClosed(canvas: Canvas, path: (x1: number, y1: number, x2: number, y2: number) => string): void {
  const [left, bottom, right, top] = withoutMargins(canvas.rect, coordinatesIn(canvas.doc, canvas.annotation.get("RD")));
  const half = Math.min(canvas.border.width, right - left, top - bottom) / 2;
  const corners: Point[] = [
    [left, bottom],
    [right, top],
  ];
  const painted = painting(canvas);
  if (painted !== null)
    canvas.paint(`${colors(canvas)}\n${path(left + half, bottom + half, right - half, top - half)} ${painted}`, corners, half);
}

/** The operator that paints a closed path; null if there is nothing to paint. */
function painting({ border, interior }: Canvas): "B" | "S" | "f" | null {
  if (border.width === 0) return interior === null ? null : "f";
  return interior === null ? "S" : "B";
}

const colors = ({ color, interior, border }: Canvas): string =>
  [strokeWith(color ?? BLACK), interior === null ? "" : fillWith(interior), pen(border)].filter((part) => part !== "").join(" ");

export function drawPolygon(canvas: Canvas): void {
  const points = verticesOf(canvas);
  const painted = painting(canvas);
  // Corners may be longer than the lines that meet there.
  if (points.length < 2 || painted === null) return;
  const operators = `1 j ${colors(canvas)}\n${polyline(points)} h ${painted}`;
  if (canvas.interior === null) canvas.trace(operators, [...points, points[0] as Point], canvas.border.width);
  else canvas.paint(operators, points, canvas.border.width);
}

export const drawPolyLine = (canvas: Canvas): void => drawOpen(canvas, verticesOf(canvas), endingsOf(canvas));

export function drawLineAnnotation(canvas: Canvas): void {
  const [from, to] = pointsOf(coordinatesIn(canvas.doc, canvas.annotation.get("L")) ?? []);
  if (from === undefined || to === undefined) return;
  const along = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const number = (key: string): number => Math.max(-1_000, Math.min(1_000, numberIn(canvas.doc, canvas.annotation.get(key)) ?? 0));
  // Leader lines: they lead from the measured points to a line beside them.
  const [leader, beyond, gap] = [number("LL"), Math.max(0, number("LLE")), Math.max(0, number("LLO"))];
  const side = (point: Point, length: number): Point => [point[0] - Math.sin(along) * length, point[1] + Math.cos(along) * length];
  const sign = Math.sign(leader);
  const ends = leader === 0 ? [from, to] : [side(from, leader + sign * gap), side(to, leader + sign * gap)];
  for (const point of leader === 0 ? [] : [from, to])
    drawOpen(canvas, [side(point, sign * gap), side(point, leader + sign * (gap + beyond))], []);
  drawOpen(canvas, ends, endingsOf(canvas));
  drawCaption(canvas, ends as [Point, Point]);
}

// `Cap`: the text of the annotation is written along the line; here above its middle.
function drawCaption(canvas: Canvas, [from, to]: readonly [Point, Point]): void {
  const { doc, annotation, setter } = canvas;
  const cap = annotation.get("Cap");
  const text = textIn(doc, annotation.get("Contents")) ?? "";
  if (cap?.type !== "bool" || !cap.value || text.trim() === "") return;
  const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const reach = Math.max(Math.hypot(to[0] - from[0], to[1] - from[1]), 40) / 2;
  const style = { size: CAPTION_PT, color: canvas.color ?? BLACK };
  inBox(canvas, [x - reach, y + 2, x + reach, y + 2 + 1.35 * CAPTION_PT], (sheet, box) =>
    drawLine(sheet, text, box, style, "centre", setter),
  );
}

function endingsOf({ doc, annotation }: Canvas): (string | null)[] {
  return itemsIn(doc, annotation.get("LE")).map((item) => nameIn(doc, item));
}

export function drawOpen(canvas: Canvas, points: readonly Point[], [start, end]: readonly (string | null | undefined)[]): void {
  const { border, interior, trace } = canvas;
  if (points.length < 2) return;
  const width = border.width === 0 ? 0.5 : border.width;
  const close = interior === null ? "S" : "B";
  const [first, second, last, before] = [points[0], points[1], points.at(-1), points.at(-2)] as [Point, Point, Point, Point];
  const shapes = [ending(start ?? "None", first, second, width, close), ending(end ?? "None", last, before, width, close)];
  // An ending is not dashed.
  const ends = shapes.some((shape) => shape !== "") ? `\n[] 0 d\n${shapes.join("\n")}` : "";
  trace(`q 1 j ${colors({ ...canvas, border: { ...border, width } })}\n${polyline(points)} S${ends} Q`, points, endingSize(width) + width);
}

export function drawInk(canvas: Canvas): void {
  const { doc, annotation, color, border, paint } = canvas;
  const strokes = itemsIn(doc, annotation.get("InkList")).map((item) => pointsOf(coordinatesIn(doc, item) ?? []));
  if (strokes.reduce((sum, points) => sum + points.length, 0) > MOST_POINTS) throw tooMany(MOST_POINTS, "points in an annotation");
  if (border.width === 0) return;
  for (const points of strokes) {
    // A single point is a dot.
    const line = points.length === 1 ? [points[0] as Point, points[0] as Point] : points;
    if (line.length > 0) paint(`1 J 1 j ${strokeWith(color ?? BLACK)} ${pen(border)}\n${polyline(line)} S`, line, border.width);
  }
}

/** `Vertices`, or the ends of the segments of a `Path` (PDF 2.0). */
function verticesOf({ doc, annotation }: Canvas): Point[] {
  const path = itemsIn(doc, annotation.get("Path")).filter((item) => item instanceof PdfArray);
  const points =
    path.length > 0
      ? path.flatMap((item) => pointsOf(coordinatesIn(doc, item) ?? []).slice(-1))
      : pointsOf(coordinatesIn(doc, annotation.get("Vertices")) ?? []);
  if (points.length > MOST_POINTS) throw tooMany(MOST_POINTS, "points in an annotation");
  return points;
}

const BLUE: Color = [0, 0, 1];

export function drawCaret(canvas: Canvas): void {
  const [left, bottom, right, top] = withoutMargins(canvas.rect, coordinatesIn(canvas.doc, canvas.annotation.get("RD")));
  const [w, h, middle] = [right - left, top - bottom, (left + right) / 2];
  const shape = [
    ops(left, bottom, "m", left + 0.3 * w, bottom, middle - 0.15 * w, bottom + 0.4 * h, middle, top, "c"),
    ops(middle + 0.15 * w, bottom + 0.4 * h, right - 0.3 * w, bottom, right, bottom, "c f"),
  ].join("\n");
  canvas.paint(
    `${fillWith(canvas.color ?? BLUE)}\n${shape}`,
    [
      [left, bottom],
      [right, top],
    ],
    0,
  );
}
