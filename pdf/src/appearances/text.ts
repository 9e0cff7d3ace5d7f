// Sets text in a box the way viewers set the values of form fields, in our own fonts. Text that does not fit at the stated size is made
// smaller instead of being cut off: in a viewer the rest could be reached by scrolling, on a page it would be lost.

import { breakLines, LINE_EM } from "@countersign/fields/fit";
import { type Line, lineWidth, spelling } from "../stamp/fit-text.ts";
import type { Fonts } from "../stamp/fonts.ts";
import { inVisualOrder, type Letter, type Paragraph, shape, widthOf } from "../stamp/shape.ts";
import { type Box, ops, reading, type Sheet, showLine, within } from "../stamp/sheet.ts";
import type { TextStyle } from "./default-appearance.ts";
import { fillWith } from "./values.ts";

/** Called with the reason why something cannot be drawn as it should be. It throws, or the drawing goes on as well as it can. */
export type Refuse = (reason: string) => void;

export type TextSetter = {
  readonly fonts: Fonts;
  readonly refuse: Refuse;
};

export type Quadding = "left" | "centre" | "right";

// Text cannot be read on paper below this size. Where the stated size is small already, half of it is accepted.
const SMALLEST_PT = 4;
// What viewers choose for several lines.
const LARGEST_WRAPPED_PT = 12;
const LARGEST_PT = 144;
const STEP_PT = 0.5;
// The height of a single line in ems, as viewers choose it.
const AUTO_LINE_EM = 1.35;
const PADDING_PT = 2;
// The widest character of a comb, so that none touches the edge of its cell.
const LETTER_OF_CELL = 0.85;
const PADDING_OF_SIDE = 0.1;
// Half of the height of capitals in Noto Sans, in ems: capitals are centred.
const HALF_CAPITAL_EM = 0.357;
/** From the top of a line to its baseline, in ems. */
const BASELINE_EM = 0.957;
// A page holds less at the smallest size, so more does not fit anyway.
const MOST_CHARACTERS = 20_000;

const DOES_NOT_FIT = "the text does not fit";

/** The paragraphs of a text, after checking that all of it can be drawn. */
export function shapeText(value: string, { fonts, refuse }: TextSetter): readonly Paragraph[] {
  if (value.length > MOST_CHARACTERS) refuse(DOES_NOT_FIT);
  const text = value.slice(0, MOST_CHARACTERS);
  const shaped = shape(text, fonts);
  if (shaped.missing.length > 0 || text.includes(UNKNOWN)) refuse(`there is no font for ${firstMissing(text, fonts)}`);
  else if (shaped.unshaped) refuse("its script cannot be drawn");
  else if (VISIBLE.test(text) && !shaped.paragraphs.some(hasInk)) refuse("its characters cannot be drawn");
  return shaped.paragraphs;
}

// What decoding makes of bytes that are no text.
const UNKNOWN = "\ufffd";
// Signs that are drawn although Unicode counts them as format characters, and everything that is neither space nor control.
const VISIBLE =
  /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]|[^\s\p{C}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}\u2800]/u;

const hasInk = ({ letters }: Paragraph): boolean => letters.some(({ face, glyph }) => face.boundsOf(glyph) !== null);

function firstMissing(text: string, fonts: Fonts): string {
  for (const character of text.normalize("NFC")) {
    const point = character.codePointAt(0) ?? 0;
    if (character !== UNKNOWN && (/[\s\p{Cc}\p{Cf}\p{Variation_Selector}]/u.test(character) || fonts.find(point, text) !== null)) continue;
    return `the character U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  }
  return "one of its characters";
}

/** Line ends become spaces, as in viewers. */
export const asOneLine = (value: string): string => value.replaceAll(/\r\n|[\n\r\u0085\u2028\u2029]/g, " ");

/** One line, centred vertically. */
export function drawLine(sheet: Sheet, value: string, box: Box, style: TextStyle, quadding: Quadding, setter: TextSetter): void {
  const letters = shapeText(asOneLine(value), setter)[0]?.letters ?? [];
  if (letters.length === 0) return;
  const inner = padded(box, 0);
  const wanted = style.size === 0 ? Math.min(LARGEST_PT, box.h / AUTO_LINE_EM) : style.size;
  const size = Math.min(wanted, inner.w / widthOf(letters), box.h / heightOf(letters));
  if (size < smallest(wanted)) setter.refuse(DOES_NOT_FIT);
  const shown = showRead(sheet, letters, { x: indented(inner, widthOf(letters) * size, quadding), y: centred(letters, size, box), size });
  sheet.add(within(box, [fillWith(style.color), ...shown]));
}

/** Several lines from the top, broken where they have to be. */
export function drawLines(sheet: Sheet, value: string, box: Box, style: TextStyle, quadding: Quadding, setter: TextSetter): void {
  const paragraphs = shapeText(value, setter);
  if (paragraphs.every(({ letters }) => letters.length === 0)) return;
  const inner = padded(box, PADDING_PT);
  const { lines, size } = breakIntoLines(paragraphs, inner, style.size === 0 ? LARGEST_WRAPPED_PT : style.size, setter);
  const shown = lines.flatMap((line, index) => {
    const x = indented(inner, lineWidth(line) * size, quadding);
    const y =
      lines.length === 1 ? inside(line.letters, size, box, inner.y + BASELINE_EM * size) : inner.y + (index * LINE_EM + BASELINE_EM) * size;
    return showRead(sheet, line.letters, { x, y, size });
  });
  sheet.add(within(box, [fillWith(style.color), ...shown]));
}

function breakIntoLines(
  paragraphs: readonly Paragraph[],
  { w, h }: Box,
  wanted: number,
  { refuse }: TextSetter,
): { lines: readonly Line[]; size: number } {
  const least = smallest(wanted);
  for (let size = wanted; ; size = Math.max(least, size - STEP_PT)) {
    const room = Math.max(1, Math.floor(h / (LINE_EM * size) + 1e-9));
    const lines = breakLines(paragraphs, w / size, "between words", room) ?? breakLines(paragraphs, w / size, "anywhere", room);
    if (lines !== null && (lines.length > 1 || heightOf(lines[0]?.letters ?? []) * size <= h + 2 * PADDING_PT)) return { lines, size };
    if (size > least) continue;
    refuse(DOES_NOT_FIT);
    return { lines: breakLines(paragraphs, Number.POSITIVE_INFINITY, "anywhere", Number.POSITIVE_INFINITY) ?? [], size };
  }
}

/** One character to a cell, each centred in it. Returns false if there are more characters than cells. */
export function drawComb(
  sheet: Sheet,
  value: string,
  box: Box,
  { cells, quadding, style }: { readonly cells: number; readonly quadding: Quadding; readonly style: TextStyle },
  setter: TextSetter,
): boolean {
  const letters = shapeText(asOneLine(value), setter)[0]?.letters ?? [];
  if (letters.length > cells) return false;
  if (letters.length === 0) return true;
  const cell = box.w / cells;
  const widest = Math.max(...letters.map((letter) => letter.width));
  const wanted = style.size === 0 ? Math.min(LARGEST_PT, box.h / AUTO_LINE_EM) : style.size;
  const size = Math.min(wanted, (LETTER_OF_CELL * cell) / widest, box.h / heightOf(letters));
  if (size < smallest(wanted)) setter.refuse(DOES_NOT_FIT);
  const first = { left: 0, centre: Math.floor((cells - letters.length) / 2), right: cells - letters.length }[quadding];
  const y = centred(letters, size, box);
  const placed = inVisualOrder(letters).map((letter, index) => ({
    letter,
    x: box.x + (first + index + 0.5) * cell - (letter.width * size) / 2,
  }));
  const shown = showSpaced(sheet, placed, y, size);
  sheet.add(within(box, [fillWith(style.color), reading(value, shown)]));
  return true;
}

type Placed = { readonly letter: Letter; readonly x: number };

// One run with character spacing instead of one run for each letter, so that readers of the text see one word and not single letters.
function showSpaced(sheet: Sheet, placed: readonly Placed[], y: number, size: number): string[] {
  if (placed.some(({ letter }) => letter.accents.length > 0)) {
    return placed.flatMap(({ letter, x }) => showLine(sheet, [letter], { x, y, size }));
  }
  const shown = placed.map(({ letter: { face, glyph, told, width }, x }, index) => {
    const next = placed[index + 1]?.x ?? x + width * size;
    const font = `/${sheet.name("Font", sheet.fonts.refOf(face))}`;
    return ops(font, size, "Tf", next - x - width * size, `Tc <${sheet.fonts.code(face, glyph, told)}> Tj`);
  });
  return ["BT", ops("1 0 0 -1", placed[0]?.x ?? 0, y, "Tm"), ...shown, "ET"];
}

/** Lines of equal height, such as the options of a list; `y` is the top of the line. */
export function drawListed(sheet: Sheet, value: string, line: Box, style: TextStyle, setter: TextSetter): void {
  const letters = shapeText(asOneLine(value), setter)[0]?.letters ?? [];
  const inner = padded(line, 0);
  const size = Math.min(style.size, inner.w / Math.max(widthOf(letters), 1e-6));
  if (size < smallest(style.size)) setter.refuse(DOES_NOT_FIT);
  sheet.add([fillWith(style.color), ...showRead(sheet, letters, { x: inner.x, y: centred(letters, size, line), size })].join("\n"));
}

/** One line. Readers cannot tell the order of glyphs that stack or change places, so the text of such a line is stated. */
function showRead(sheet: Sheet, letters: readonly Letter[], at: { x: number; y: number; size: number }): string[] {
  const shown = showLine(sheet, letters, at);
  const isPlain = letters.every(({ accents, shift }) => accents.length === 0 && shift === undefined);
  return isPlain ? shown : [reading(letters.map(spelling).join(""), shown)];
}

const smallest = (wanted: number): number => Math.min(SMALLEST_PT, wanted / 2);

function padded({ x, y, w, h }: Box, vertical: number): Box {
  const pad = Math.min(PADDING_PT, w * PADDING_OF_SIDE);
  const above = Math.min(vertical, h * PADDING_OF_SIDE);
  return { x: x + pad, y: y + above, w: w - 2 * pad, h: h - 2 * above };
}

function indented({ x, w }: Box, width: number, quadding: Quadding): number {
  return { left: x, centre: x + (w - width) / 2, right: x + w - width }[quadding];
}

/** The highest and the lowest ink, in ems from the baseline. */
function inkOf(letters: readonly Letter[]): { top: number; bottom: number } {
  let [top, bottom] = [0, 0];
  for (const { face, glyph, accents } of letters) {
    for (const bounds of [face.boundsOf(glyph), ...accents.map((accent) => accent.face.boundsOf(accent.glyph))]) {
      if (bounds === null) continue;
      top = Math.max(top, bounds.top);
      bottom = Math.min(bottom, bounds.bottom);
    }
  }
  return { top, bottom };
}

function heightOf(letters: readonly Letter[]): number {
  const { top, bottom } = inkOf(letters);
  return Math.max(top - bottom, 1e-6);
}

const centred = (letters: readonly Letter[], size: number, box: Box): number =>
  inside(letters, size, box, box.y + box.h / 2 + HALF_CAPITAL_EM * size);

/** The baseline, moved so far that all ink is in the box. */
function inside(letters: readonly Letter[], size: number, { y, h }: Box, baseline: number): number {
  const { top, bottom } = inkOf(letters);
  return Math.max(y + top * size, Math.min(baseline, y + h + bottom * size));
}
