// Checkboxes and radio buttons are drawn as lines instead of letters of a symbol font, so that no font is needed.

import { type Box, ops, type Sheet, standingFor, within } from "./sheet.ts";

const CROSS_OF_SIDE = 0.64;
const CROSS_PEN_OF_SIDE = 0.1;
const DISC_OF_SIDE = 0.56;
// The handle length of a Bézier curve for a quarter circle, accurate to 0.03 %.
const CIRCLE = 0.5523;

/** A cross, which cannot be mistaken for a crossed-out tick. */
export function drawCross(sheet: Sheet, box: Box): void {
  const { x, y, side } = middleOf(box);
  const r = (side * CROSS_OF_SIDE) / 2;
  const lines = ops(side * CROSS_PEN_OF_SIDE, "w 1 J", x - r, y - r, "m", x + r, y + r, "l", x - r, y + r, "m", x + r, y - r, "l S");
  sheet.add(within(box, ["0 G", standingFor("true", [lines])]));
}

export function drawDisc(sheet: Sheet, value: string, box: Box): void {
  const { x, y, side } = middleOf(box);
  sheet.add(within(box, ["0 g", standingFor(value, [disc(x, y, (side * DISC_OF_SIDE) / 2)])]));
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

const middleOf = ({ x, y, w, h }: Box): { x: number; y: number; side: number } => ({ x: x + w / 2, y: y + h / 2, side: Math.min(w, h) });
