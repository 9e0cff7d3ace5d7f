// Draws characters of a proportional font with a fixed width, so that two hashes below each other can be compared. Each glyph is declared
// to be as wide as its cell; if glyphs were only spaced out, readers of the text would see spaces between them.

import type { Face } from "../stamp/face.ts";
import type { Line } from "../stamp/fit-text.ts";
import { inVisualOrder, type Letter } from "../stamp/shape.ts";
import { ops, type Sheet, showLine } from "../stamp/sheet.ts";

// The width of the widest hexadecimal digit; 64 of them fit on one line.
const CELL_EM = 0.615;
// The maximum shift of a narrow glyph towards the middle of its cell: poppler takes a tenth of an em for a space.
const MOST_INDENT_EM = 0.08;

type FixedFace = Face & { readonly natural: Face["widthOf"] };

const made = new WeakMap<Face, FixedFace>();

// A glyph wider than the cell keeps its width, so that nothing overlaps.
function fixed(face: Face): FixedFace {
  const known = made.get(face) ?? { ...face, natural: face.widthOf, widthOf: (glyph: number) => Math.max(CELL_EM, face.widthOf(glyph)) };
  made.set(face, known);
  return known;
}

const cells = new WeakMap<Letter, Letter>();

/** The letter with the width of a cell. */
export function inCell(letter: Letter): Letter {
  const known = cells.get(letter);
  if (known !== undefined) return known;
  const face = fixed(letter.face);
  const cell = { ...letter, face, width: face.widthOf(letter.glyph) };
  cells.set(letter, cell);
  return cell;
}

/** Like `showLine`, for letters in cells. */
export function showInCells(sheet: Sheet, line: Line, at: { readonly x: number; readonly y: number; readonly size: number }): string[] {
  const letters = inVisualOrder(line.letters);
  const face = letters[0]?.face;
  if (face === undefined || letters.some((one) => one.face !== face || one.accents.length > 0)) return showLine(sheet, line.letters, at);
  const [first = 0, ...indents] = letters.map(indentOf);
  const shown = letters.map(({ glyph, told }, index) => {
    const step = Math.round(1000 * ((index === 0 ? first : (indents[index - 1] ?? 0)) - (indents[index] ?? 0)));
    return `<${sheet.fonts.code(face, glyph, told)}>${step === 0 || index === indents.length ? "" : ` ${step} `}`;
  });
  const font = `/${sheet.name("Font", sheet.fonts.refOf(face))}`;
  return ["BT", ops(font, at.size, "Tf 1 0 0 -1", at.x + first * at.size, at.y, `Tm [${shown.join("")}] TJ`), "ET"];
}

function indentOf({ face, glyph, width }: Letter): number {
  const natural = (face as FixedFace).natural(glyph);
  return Math.min(MOST_INDENT_EM, (width - natural) / 2);
}
