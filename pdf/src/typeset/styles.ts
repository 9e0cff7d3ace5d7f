// The look of our documents: one font, few sizes, generous spacing, and colour only where it has a meaning.

import type { Look, Tone } from "./model.ts";

export type Rgb = readonly [number, number, number];

/** `leading_pt` is the distance from one line to the next. */
export type Style = {
  readonly size_pt: number;
  readonly leading_pt: number;
  readonly look: "regular" | "strong" | "fixed";
  readonly color: Rgb;
};

export const PAPER_PT = { a4: { w: 595.28, h: 841.89 }, letter: { w: 612, h: 792 } } as const;

// Wide enough for punch holes, and narrow enough for an audit entry to fit on one line.
export const MARGIN_PT = { side: 54, top: 50, bottom: 58 } as const;
/** From the bottom edge of the paper to the footer's baseline: printers leave a margin of a quarter of an inch. */
export const FOOTER_PT = { up: 32, rule_up: 44, size: 7 } as const;

const TONES: Readonly<Record<Tone, Rgb>> = {
  plain: [0.11, 0.14, 0.18],
  quiet: [0.37, 0.42, 0.47],
  good: [0.09, 0.42, 0.27],
  bad: [0.69, 0.14, 0.1],
  caution: [0.53, 0.35, 0],
};

/** The background of a box; its edge has the colour of the tone. */
export const TINTS: Readonly<Record<Tone, Rgb>> = {
  plain: [0.95, 0.96, 0.97],
  quiet: [0.95, 0.96, 0.97],
  good: [0.93, 0.97, 0.945],
  bad: [0.99, 0.94, 0.93],
  caution: [0.995, 0.965, 0.9],
};

export const RULE_COLOR: Rgb = [0.82, 0.85, 0.87];
export const HEAD_RULE_COLOR: Rgb = [0.45, 0.5, 0.55];

export const colorOf = (tone: Tone): Rgb => TONES[tone];

const style = (size_pt: number, leading_pt: number, look: Style["look"], tone: Tone): Style => ({
  size_pt,
  leading_pt,
  look,
  color: TONES[tone],
});

export const titleStyle = (tone: Tone): Style => style(21, 27, "strong", tone);
/** A title that would need a second line is a sentence. */
export const longTitleStyle = (tone: Tone): Style => style(15.5, 21, "strong", tone);
export const BELOW_TITLE = style(11, 15, "regular", "quiet");
export const HEADINGS = {
  1: style(14.5, 19, "strong", "plain"),
  2: style(11, 15, "strong", "plain"),
  3: style(9, 13, "strong", "plain"),
} as const;
/** Space above a heading; more for higher levels. */
export const ABOVE_HEADING_PT = { 1: 24, 2: 15, 3: 9 } as const;

export const LABEL = style(8, 12, "regular", "quiet");
export const HEAD = style(7, 11, "regular", "quiet");
export const calloutTitleStyle = (tone: Tone): Style => style(10.5, 15, "strong", tone);
export const figureStyle = (tone: Tone): Style => style(17, 22, "strong", tone);

// The longest texts, a disclosure and terms, are read in full, so their lines have more spacing.
export const bodyStyle = (look: Look, tone: Tone): Style => styleIn({ size_pt: 9, leading_pt: look === "small" ? 11.5 : 13.5 }, look, tone);
/** In cells all lines have the same height at any font size, so that lines of adjacent cells align. */
export const cellStyle = (look: Look, tone: Tone): Style => styleIn({ size_pt: 8, leading_pt: 11 }, look, tone);
export const valueStyle = (look: Look, tone: Tone): Style => styleIn({ size_pt: 8.5, leading_pt: 12 }, look, tone);

const SMALL_OF_SIZE = 0.9;
// Fixed-width characters are spread out and look larger than they are.
const FIXED_OF_SIZE = 0.88;

function styleIn(base: { readonly size_pt: number; readonly leading_pt: number }, look: Look, tone: Tone): Style {
  const scale = look === "small" ? SMALL_OF_SIZE : look === "fixed" ? FIXED_OF_SIZE : 1;
  return style(base.size_pt * scale, base.leading_pt, look === "small" ? "regular" : look, tone);
}
