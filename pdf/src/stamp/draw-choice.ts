// Checkboxes and radio buttons are drawn as lines instead of letters of a symbol font, so that no font is needed.

import { crossIn, discIn } from "@countersign/fields/fit";
import { type Box, ops, type Sheet, withActualText, within } from "./sheet.ts";

// The handle length of a Bézier curve for a quarter circle, accurate to 0.03 %.
const CIRCLE = 0.5523;

export function drawCross(sheet: Sheet, box: Box): void {
  const { lines, pen } = crossIn(box.w, box.h);
  const { x, y } = box;
  const drawn = lines.flatMap(([x1, y1, x2, y2]) => [x + x1, y + y1, "m", x + x2, y + y2, "l"]);
  sheet.add(within(box, ["0 G", withActualText("true", [ops(pen, "w 1 J", ...drawn, "S")])]));
}

export function drawDisc(sheet: Sheet, value: string, box: Box): void {
  const { x, y, r } = discIn(box.w, box.h);
  sheet.add(within(box, ["0 g", withActualText(value, [disc(box.x + x, box.y + y, r)])]));
}

export function disc(x: number, y: number, r: number): string {
  const k = r * CIRCLE;
  return [
    ops(x + r, y, "m"),
    ops(x + r, y + k, x + k, y + r, x, y + r, "c"),
    ops(x - k, y + r, x - r, y + k, x - r, y, "c"),
    ops(x - r, y - k, x - k, y - r, x, y - r, "c"),
    ops(x + k, y - r, x + r, y - k, x + r, y, "c f"),
  ].join("\n");
}
