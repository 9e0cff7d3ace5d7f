// The default appearance string of a field (ISO 32000-2, 12.7.4.3): operators that set a font, its size and a colour. The font is not
// used: values are drawn in our own fonts, which have more characters and are always embedded.

import { Lexer, type Operand, operatorCode } from "../content/lexer.ts";
import { asColor, BLACK, type Color } from "./values.ts";

/** `size` is 0 if it is to be chosen so that the text fits. */
export type TextStyle = { readonly size: number; readonly color: Color };

const FONT = operatorCode("Tf");
const MATRIX = operatorCode("Tm");
const FILLS = new Set(["g", "rg", "k"].map(operatorCode));
const LONGEST_BYTES = 10_000;
const LARGEST_PT = 1_000;

/** Anything that cannot be read is left at its default: black, size chosen to fit. */
export function readDefaultAppearance(bytes: Uint8Array): TextStyle {
  let style: TextStyle = { size: 0, color: BLACK };
  const lexer = new Lexer(bytes.subarray(0, LONGEST_BYTES));
  let operands: Operand[] = [];
  for (let word = lexer.next(); word !== "end"; word = lexer.next()) {
    if (word === "operand") {
      operands.push(lexer.operand);
      continue;
    }
    if (lexer.operator === FONT) style = { ...style, size: sizeOf(operands.at(-1)) };
    else if (lexer.operator === MATRIX) style = { ...style, size: sizeOf(style.size * (sizeOf(operands[3]) || 1)) };
    else if (FILLS.has(lexer.operator)) style = { ...style, color: colorOf(operands) ?? style.color };
    operands = [];
  }
  return style;
}

// A negative size mirrors the letters; viewers draw them upright.
function sizeOf(operand: Operand | undefined): number {
  return typeof operand === "number" && Number.isFinite(operand) ? Math.min(LARGEST_PT, Math.abs(operand)) : 0;
}

const colorOf = (operands: readonly Operand[]): Color | null =>
  asColor(operands.slice(-4).map((operand) => (typeof operand === "number" && Number.isFinite(operand) ? operand : null)));
