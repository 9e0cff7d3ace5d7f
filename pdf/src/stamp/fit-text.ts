// Determines the size of a value and its line breaks. Needs no document, so a value that cannot be drawn is rejected when it is typed and
// not after everyone has signed.

import { BASELINE_EM, fitLines, isStacked, LINE_EM, type Pitch, type UnitParagraph } from "@countersign/fields/fit";
import { type Area, clipArea } from "../area.ts";
import type { Fonts } from "./fonts.ts";
import { inkOf, type Letter, type Shaped, shape, widthOf } from "./shape.ts";

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

export type Line = UnitParagraph<Letter>;

export type Layout = { readonly size_pt: number; readonly lines: readonly Line[]; readonly shaped: Shaped; readonly pitch: Pitch };

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

/** The characters of a letter. One of several glyphs has all its characters itself. */
export const spelling = ({ text, accents }: Letter): string =>
  text + accents.map((accent) => (accent.shift === undefined ? accent.text : "")).join("");

/** Like `fitText`, with the glyphs. */
export function layOut(value: string, box: TextBox, fonts: Fonts): Layout | null {
  const shaped = shape(value, fonts);
  const pitch = pitchOf(shaped);
  const fitted = fitLines(shaped.paragraphs, box, pitch);
  return fitted === null ? null : { ...fitted, shaped, pitch };
}

/** Thai and Devanagari stack marks above and below their letters. Without more space, the area would cut them off. */
export function pitchOf({ paragraphs }: Shaped): Pitch {
  let [above, below] = [BASELINE_EM, LINE_EM - BASELINE_EM];
  for (const letter of paragraphs.flatMap(({ letters }) => letters)) {
    const ink = isStacked(letter.text) ? inkOf(letter) : null;
    if (ink === null) continue;
    above = Math.max(above, ink.top);
    below = Math.max(below, -ink.bottom);
  }
  return { line_em: above === BASELINE_EM && below === LINE_EM - BASELINE_EM ? LINE_EM : above + below, baseline_em: above };
}

/** In ems. */
export const lineWidth = ({ letters }: Line): number => widthOf(letters);
