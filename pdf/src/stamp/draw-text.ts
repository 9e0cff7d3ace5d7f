// Draws a value in its area: aligned to the start, vertically centred, clipped.

import { BASELINE_EM, LINE_EM, PADDING_PT } from "@countersign/fields/fit";
import { type Layout, lineWidth } from "./fit-text.ts";
import { type Box, reading, type Sheet, showLine, within } from "./sheet.ts";

export function drawText(sheet: Sheet, value: string, layout: Layout, box: Box): void {
  sheet.add(within(box, ["0 g", reading(value, linesOf(sheet, layout, box))]));
}

/** The lines without clipping and marked content. */
export function linesOf(
  sheet: Sheet,
  { lines, size_pt: size, pitch = { line_em: LINE_EM, baseline_em: BASELINE_EM } }: Pick<Layout, "lines" | "size_pt"> & Partial<Layout>,
  { x, y, w, h }: Box,
): string[] {
  const { line_em, baseline_em } = pitch;
  const top = y + (h - lines.length * line_em * size) / 2;
  return lines.flatMap((line, index) => {
    const indent = line.rightToLeft ? w - PADDING_PT - lineWidth(line) * size : PADDING_PT;
    return showLine(sheet, line.letters, { x: x + indent, y: top + (index * line_em + baseline_em) * size, size });
  });
}
