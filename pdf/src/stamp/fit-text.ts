// Determines the size of a value and its line breaks. Needs no document, so a value that cannot be drawn is rejected when it is typed and
// not after everyone has signed.

import { type Area, clipArea } from "../area.ts";
import type { Fonts } from "./fonts.ts";
import { inkOf, type Letter, type Paragraph, type Shaped, shape, widthOf } from "./shape.ts";

/** The size of an area in points. */
export type TextBox = { readonly w_pt: number; readonly h_pt: number };

/**
 * The box of an area on a page, clipped and rounded like in stamping: whatever `fitText` accepts in it, `stamp` can draw.
 * @example fitText(value, textBox(field.areas[0], { w_pt: 612, h_pt: 792 }), fonts)
 */
export function textBox(area: Area, page: { readonly w_pt: number; readonly h_pt: number }): TextBox {
  const { w, h } = clipArea(area)?.area ?? { w: 0, h: 0 };
  return { w_pt: w * page.w_pt, h_pt: h * page.h_pt };
}

export type Fitted = { readonly size_pt: number; readonly lines: readonly string[] };

export type Line = { readonly letters: readonly Letter[]; readonly rightToLeft: boolean };

/** From one baseline to the next, and from the top of a line to its baseline, in ems. */
export type Pitch = { readonly line_em: number; readonly baseline_em: number };

export type Layout = { readonly size_pt: number; readonly lines: readonly Line[]; readonly shaped: Shaped; readonly pitch: Pitch };

// Contracts are set in 10 to 12 points; a larger value would stand out.
const LARGEST_PT = 12;
// The area of a tag is as high as its line, so a value in it is almost as large as the surrounding text and still fits on one line.
const LARGEST_OF_HEIGHT = 0.8;
// The smallest size that is easy to read on paper.
export const SMALLEST_PT = 6;
const STEP_PT = 0.5;
/** On the left and right, so that letters do not touch lines around the area. */
export const PADDING_PT = 2;
/** From one baseline to the next, in ems, so that accents and descenders do not touch. */
export const LINE_EM = 1.2;
/** From the top of a line to its baseline, so that capitals are vertically centred. */
export const BASELINE_EM = 0.957;

/**
 * The largest size, with its lines, at which a value fits its box; null if it does not fit at 6 points. Breaks at spaces, between
 * Chinese, Japanese and Korean characters, and within a word only if nothing else fits.
 * @example fitText("Ann Example", { w_pt: 150, h_pt: 20 }, openFonts()) // { size_pt: 12, lines: ["Ann Example"] }
 */
export function fitText(value: string, box: TextBox, fonts: Fonts): Fitted | null {
  const layout = layOut(value, box, fonts);
  if (layout === null) return null;
  return { size_pt: layout.size_pt, lines: layout.lines.map(({ letters }) => letters.map(spelling).join("")) };
}

// A letter of several glyphs has all its characters itself.
const spelling = ({ text, accents }: Letter): string =>
  text + accents.map((accent) => (accent.shift === undefined ? accent.text : "")).join("");

/** Like `fitText`, with the glyphs. */
export function layOut(value: string, { w_pt, h_pt }: TextBox, fonts: Fonts): Layout | null {
  const shaped = shape(value, fonts);
  const pitch = pitchOf(shaped);
  for (const breaks of ["between words", "anywhere"] as const) {
    for (const size_pt of sizes(h_pt, pitch)) {
      const room = Math.floor(h_pt / (pitch.line_em * size_pt) + 1e-9);
      const lines = breakLines(shaped.paragraphs, (w_pt - 2 * PADDING_PT) / size_pt, breaks, room);
      if (lines !== null) return { size_pt, lines, shaped, pitch };
    }
  }
  return null;
}

/** Thai and Devanagari stack marks above and below their letters. Without more space, the area would cut them off. */
export function pitchOf({ paragraphs }: Shaped): Pitch {
  let [above, below] = [BASELINE_EM, LINE_EM - BASELINE_EM];
  for (const letter of paragraphs.flatMap(({ letters }) => letters)) {
    if (!letter.accents.some(({ shift }) => shift !== undefined)) continue;
    const ink = inkOf(letter);
    if (ink === null) continue;
    above = Math.max(above, ink.top);
    below = Math.max(below, -ink.bottom);
  }
  return { line_em: above === BASELINE_EM && below === LINE_EM - BASELINE_EM ? LINE_EM : above + below, baseline_em: above };
}

function sizes(h_pt: number, { line_em }: Pitch): number[] {
  const list: number[] = [];
  for (let size = Math.min(LARGEST_PT, LARGEST_OF_HEIGHT * (LINE_EM / line_em) * h_pt); size > SMALLEST_PT; size -= STEP_PT)
    list.push(size);
  return [...list, SMALLEST_PT];
}

/** Null if it needs more than `room` lines, or if a word is wider than `width` (in ems). */
export function breakLines(
  paragraphs: readonly Paragraph[],
  width: number,
  breaks: "between words" | "anywhere",
  room: number,
): Line[] | null {
  const lines: Line[] = [];
  for (const { letters, rightToLeft } of paragraphs) {
    for (let rest = letters; ; ) {
      const end = lineEnd(rest, width, breaks);
      if (end === null || lines.length === room) return null;
      lines.push({ letters: withoutSpacesAtEnd(rest.slice(0, end)), rightToLeft });
      rest = rest.slice(end);
      if (rest.length === 0) break;
    }
  }
  return lines;
}

// The number of letters on the first line, including the spaces after it; null if not even one word fits. Tolerates rounding errors, so
// that a line exactly as wide as its box fits.
function lineEnd(letters: readonly Letter[], width: number, breaks: "between words" | "anywhere"): number | null {
  let sum = 0;
  let lastBreak = 0;
  for (const [at, letter] of letters.entries()) {
    if (at > 0 && (letter.mayBegin || letters[at - 1]?.isSpace === true)) lastBreak = at;
    sum += letter.width;
    // Spaces at the end of a line are invisible and may extend beyond the box.
    if (letter.isSpace || sum <= width + 1e-9) continue;
    if (lastBreak > 0) return lastBreak;
    return breaks === "anywhere" && at > 0 ? at : null;
  }
  return letters.length;
}

function withoutSpacesAtEnd(letters: readonly Letter[]): readonly Letter[] {
  return letters.slice(0, letters.findLastIndex(({ isSpace }) => !isSpace) + 1);
}

/** In ems. */
export const lineWidth = ({ letters }: Line): number => widthOf(letters);
