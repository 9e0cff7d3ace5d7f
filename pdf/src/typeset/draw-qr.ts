// QR codes (ISO/IEC 18004) as filled rectangles: sharp at any size, and without an image that would need a colour space.

import { encode } from "uqr";
import { type Box, ops, type Sheet } from "../stamp/sheet.ts";

/** Rows of modules, true for dark ones, without the quiet zone around them. */
export type QrModules = readonly (readonly boolean[])[];

// Medium: readable with a seventh of it damaged, and with fewer modules than the higher levels.
export const qrModules = (text: string): QrModules => encode(text, { ecc: "M", border: 0 }).data;

// What the standard asks for on each side. Readers need it to find the code.
export const QUIET_MODULES = 4;

/**
 * Draws the code into a square. Its quiet zone is inside it. Neighbouring dark modules of a row are one rectangle, since viewers would show
 * a hairline between two.
 */
export function drawQr(sheet: Sheet, modules: QrModules, { x, y, w }: Box): void {
  const side = w / (modules.length + 2 * QUIET_MODULES);
  const rectangles = modules.flatMap((row, down) =>
    darkRuns(row).map(({ from, count }) =>
      ops(x + (from + QUIET_MODULES) * side, y + (down + QUIET_MODULES) * side, count * side, side, "re"),
    ),
  );
  sheet.add(["q 0 0 0 rg", ...rectangles, "f Q"].join("\n"));
}

function darkRuns(row: readonly boolean[]): { from: number; count: number }[] {
  const runs: { from: number; count: number }[] = [];
  row.forEach((isDark, at) => {
    if (!isDark) return;
    const last = runs.at(-1);
    if (last !== undefined && last.from + last.count === at) last.count += 1;
    else runs.push({ from: at, count: 1 });
  });
  return runs;
}
