// The appearance of an annotation and where it is shown (ISO 32000-2, 12.5.5).

import { PdfDict, PdfStream } from "@libpdf/core";
import { type Doc, numbers, resolve } from "../doc.ts";
import { nameOf, numberOf } from "./font-values.ts";
import { asMatrix, identity, type Matrix, mapBox, times } from "./matrix.ts";
import { dictOf } from "./sources.ts";

const HIDDEN = 2;
const NO_ROTATE = 16;
const NO_VIEW = 32;

/** How far a page is turned clockwise when it is shown. */
export type Turn = 0 | 90 | 180 | 270;

/** `fit` maps the form's space, after its own matrix, to the page; `state` is the selected appearance state, if there are several. */
export type Appearance = { readonly stream: PdfStream; readonly state: string | null; readonly fit: Matrix; readonly hidden: boolean };

/** Null if the annotation has no appearance. `turn` is that of its page. */
export function appearanceOf(doc: Doc, annotation: PdfDict, turn: Turn): Appearance | null {
  const found = normalAppearance(doc, annotation);
  const rect = numbers(doc, annotation.get("Rect"));
  if (found === null || rect?.length !== 4 || nameOf(doc, annotation.get("Subtype")) === "Popup") return null;
  const box = numbers(doc, found.stream.get("BBox"));
  const matrix = asMatrix(numbers(doc, found.stream.get("Matrix"))) ?? identity;
  const fit = fitBox(mapBox(matrix, corners(box?.length === 4 ? box : [0, 0, 1, 1])), corners(rect));
  const flags = numberOf(doc, annotation.get("F")) ?? 0;
  return { ...found, fit: keptUpright(doc, annotation, turn, fit), hidden: (flags & (HIDDEN | NO_VIEW)) !== 0 };
}

const BACK: Readonly<Record<Turn, readonly [number, number]>> = { 0: [1, 0], 90: [0, 1], 180: [-1, 0], 270: [0, -1] };

/** The place of an annotation on a page that is shown turned: with `NoRotate` it is upright, turned around its top left corner. */
export function keptUpright(doc: Doc, annotation: PdfDict, turn: Turn, fit: Matrix): Matrix {
  const flags = numberOf(doc, annotation.get("F")) ?? 0;
  const [left, , , top] = corners(numbers(doc, annotation.get("Rect")) ?? []);
  if ((flags & NO_ROTATE) === 0 || turn === 0) return fit;
  const [cos, sin] = BACK[turn];
  return times(fit, [cos, sin, -sin, cos, left - cos * left + sin * top, top - sin * left - cos * top]);
}

/** `AP/N` is a stream, or one stream per state, with `AS` naming the current state. */
export function normalAppearance(doc: Doc, annotation: PdfDict): { stream: PdfStream; state: string | null } | null {
  const normal = resolve(doc, dictOf(doc, annotation, "AP")?.get("N"));
  if (normal instanceof PdfStream) return { stream: normal, state: null };
  const state = nameOf(doc, annotation.get("AS"));
  const chosen = normal instanceof PdfDict ? resolve(doc, normal.get(state)) : null;
  return chosen instanceof PdfStream ? { stream: chosen, state } : null;
}

type Box = readonly [number, number, number, number];

function corners([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: readonly number[]): Box {
  return [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];
}

/** The matrix that maps one box to the other. */
function fitBox(from: Box, to: Box): Matrix {
  const sx = from[2] > from[0] ? (to[2] - to[0]) / (from[2] - from[0]) : 1;
  const sy = from[3] > from[1] ? (to[3] - to[1]) / (from[3] - from[1]) : 1;
  return [sx, 0, 0, sy, to[0] - from[0] * sx, to[1] - from[1] * sy];
}
