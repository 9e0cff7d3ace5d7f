// The drawing of one annotation, in the coordinates of the page. It remembers how far it reaches, so that nothing of it is cut off.

import type { PdfDict } from "@libpdf/core";
import type { Doc, Page } from "../doc.ts";
import { type Box, ops, type Sheet } from "../stamp/sheet.ts";
import type { Border } from "./border.ts";
import type { Point } from "./paths.ts";
import type { TextSetter } from "./text.ts";
import type { Color, Corners } from "./values.ts";

export type Canvas = {
  readonly doc: Doc;
  readonly page: Page;
  readonly annotation: PdfDict;
  /** Further annotations that are drawn with this one. */
  readonly others: readonly PdfDict[];
  readonly sheet: Sheet;
  readonly setter: TextSetter;
  /** The annotation's rectangle; it may have no area. */
  readonly rect: Corners;
  readonly color: Color | null;
  readonly interior: Color | null;
  readonly border: Border;
  /** Adds operators that paint near these points, at most `margin` away. */
  readonly paint: (operators: string, points: readonly Point[], margin: number) => void;
  /** Adds operators that paint near the straight lines through these points only. */
  readonly trace: (operators: string, points: readonly Point[], margin: number) => void;
};

/** Draws text in a box of the page. Inside, coordinates count downwards from the box's top left corner. */
export function inBox({ sheet, paint }: Canvas, [left, bottom, right, top]: Corners, draw: (sheet: Sheet, box: Box) => void): void {
  const drawn: string[] = [];
  draw({ ...sheet, add: (operators) => drawn.push(operators) }, { x: 0, y: 0, w: right - left, h: top - bottom });
  const corners: Point[] = [
    [left, bottom],
    [right, top],
  ];
  paint(`q 1 0 0 -1 ${ops(left, top)} cm\n${drawn.join("\n")}\nQ`, corners, 0);
}

/** The rectangle without the margins that `RD` states, if anything is left of it. */
export function withoutMargins([left, bottom, right, top]: Corners, margins: readonly number[] | null): Corners {
  const [a = 0, b = 0, c = 0, d = 0] = (margins ?? []).map((margin) => Math.max(0, margin));
  return left + a < right - c && bottom + b < top - d ? [left + a, bottom + b, right - c, top - d] : [left, bottom, right, top];
}
