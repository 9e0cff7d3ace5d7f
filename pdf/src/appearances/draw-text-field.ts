// Draws the value of a text field (ISO 32000-2, 12.7.5.3).

import type { Doc } from "../doc.ts";
import { type Box, ops, type Sheet } from "../stamp/sheet.ts";
import { type Frame, pen } from "./border.ts";
import type { Field } from "./field.ts";
import { drawComb, drawLine, drawLines, type TextSetter } from "./text.ts";
import { numberIn, strokeWith, valueIn } from "./values.ts";

const MULTILINE = 1 << 12;
const PASSWORD = 1 << 13;
const FILE = 1 << 20;
const COMB = 1 << 24;

// A comb with more cells than this is no comb; the cells could not be told apart.
const MOST_CELLS = 1_000;

export function drawTextField(doc: Doc, sheet: Sheet, field: Field, frame: Frame, inner: Box, setter: TextSetter): void {
  const { flags, style, quadding } = field;
  const value = valueIn(doc, field.inherited("V")) ?? "";
  const cells = cellsOf(doc, field);
  if (cells > 0) drawDividers(sheet, cells, frame, inner);
  if (value === "") return;
  if ((flags & PASSWORD) !== 0) drawLine(sheet, "*".repeat([...value].length), inner, style, quadding, setter);
  else if ((flags & MULTILINE) !== 0) drawLines(sheet, value, inner, style, quadding, setter);
  else if (cells === 0 || !drawComb(sheet, value, inner, { cells, quadding, style }, setter))
    drawLine(sheet, value, inner, style, quadding, setter);
}

/** 0 if the field is no comb. */
function cellsOf(doc: Doc, { flags, inherited }: Field): number {
  const cells = Math.floor(numberIn(doc, inherited("MaxLen")) ?? 0);
  return (flags & COMB) !== 0 && (flags & (MULTILINE | PASSWORD | FILE)) === 0 && cells > 0 && cells <= MOST_CELLS ? cells : 0;
}

function drawDividers(sheet: Sheet, cells: number, { edge, border }: Frame, { x, y, w, h }: Box): void {
  if (edge === null || border.width === 0 || (border.style !== "solid" && border.style !== "dashed")) return;
  const lines = Array.from({ length: cells - 1 }, (_, index) => x + ((index + 1) * w) / cells);
  sheet.add(`q ${strokeWith(edge)} ${pen(border)}\n${lines.map((at) => ops(at, y, "m", at, y + h, "l S")).join("\n")} Q`);
}
