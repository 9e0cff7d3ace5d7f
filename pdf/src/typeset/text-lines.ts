// Breaks text into lines of a given width, and draws a line.

import { BASELINE_EM, breakLines, LINE_EM } from "@countersign/fields/fit";
import type { PDF } from "@libpdf/core";
import type { Drawing } from "../stamp/draw-signature.ts";
import { type Line, lineWidth } from "../stamp/fit-text.ts";
import type { Fonts } from "../stamp/fonts.ts";
import { shape } from "../stamp/shape.ts";
import { decimal, ops, type Sheet, showLine } from "../stamp/sheet.ts";
import { inCell, showInCells } from "./fixed-width.ts";
import type { PictureCell } from "./model.ts";
import { documentElement, type Element } from "./structure.ts";
import type { Rgb, Style } from "./styles.ts";

export type TextLine = Line & { readonly style: Style };

/** What could not be drawn, reported once for the whole document. */
export type DrawingProblems = { readonly missing: Set<string>; unshaped: boolean };

export type Setter = {
  /** The document that is being made. */
  readonly doc: { readonly pdf: PDF };
  readonly fonts: Fonts;
  /** The pictures of the model, ready to be drawn. */
  readonly pictures: ReadonlyMap<PictureCell, Drawing>;
  /** The structure of the document, which each block adds to. */
  readonly structure: Element;
  readonly problems: DrawingProblems;
  /** A cache of lines by text and width: in an audit trail the same words occur in hundreds of rows. */
  readonly known: Map<string, readonly Line[]>;
};

export const openSetter = (fonts: Fonts, doc: Setter["doc"], pictures: Setter["pictures"]): Setter => ({
  doc,
  fonts,
  pictures,
  structure: documentElement(),
  problems: { missing: new Set(), unshaped: false },
  known: new Map(),
});

// The font has only one weight; stroking the outline in addition to filling it makes it bolder.
const STRONG_PEN_EM = 0.032;

/** The lines of a text at most `width_pt` wide. A word is broken only if it is longer than a line. */
export function textLines(setter: Setter, text: string, width_pt: number, style: Style): TextLine[] {
  const width_em = width_pt / style.size_pt;
  const key = `${style.look === "fixed"} ${width_em} ${text}`;
  const lines = setter.known.get(key) ?? broken(setter, text, width_em, style);
  setter.known.set(key, lines);
  return lines.map((line) => ({ ...line, style }));
}

function broken(setter: Setter, text: string, width_em: number, { look }: Style): readonly Line[] {
  const shaped = shape(text, setter.fonts);
  note(setter.problems, shaped);
  const paragraphs = look === "fixed" ? shaped.paragraphs.map((one) => ({ ...one, letters: one.letters.map(inCell) })) : shaped.paragraphs;
  return breakLines(paragraphs, width_em, "anywhere", Number.POSITIVE_INFINITY) ?? [];
}

/** Remembers what could not be drawn. */
export function note(problems: DrawingProblems, { missing, unshaped }: ReturnType<typeof shape>): void {
  for (const character of missing) problems.missing.add(character);
  problems.unshaped ||= unshaped;
}

/** Aligned to the start of its reading direction within `w`, or to the end; vertically centred in one line. */
export function drawLine(
  sheet: Sheet,
  line: TextLine,
  { x, y, w, align = "start" }: { x: number; y: number; w: number; align?: "start" | "end" },
): void {
  const { size_pt: size, leading_pt, look, color } = line.style;
  const slack = (align === "end") === line.rightToLeft ? 0 : w - lineWidth(line) * size;
  const at = { x: x + slack, y: y + (leading_pt - LINE_EM * size) / 2 + BASELINE_EM * size, size };
  const shown = look === "fixed" ? showInCells(sheet, line, at) : showLine(sheet, line.letters, at);
  if (shown.length === 0) return;
  const pen = look === "strong" ? [`${rgb(color)} RG 2 Tr 1 j`, ops(STRONG_PEN_EM * size, "w")] : [];
  sheet.add(["q", `${rgb(color)} rg`, ...pen, ...shown, "Q"].join("\n"));
}

export const rgb = (color: Rgb): string => color.map(decimal).join(" ");
