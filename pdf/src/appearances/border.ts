// The border of an annotation: its width, dashes and style (ISO 32000-2, 12.5.4), and the frame of a field that it draws.

import { PdfDict, type PdfObject } from "@libpdf/core";
import { type Doc, resolve } from "../doc.ts";
import { type Box, ops, type Sheet } from "../stamp/sheet.ts";
import { ellipse } from "./paths.ts";
import { type Color, fillWith, itemsIn, nameIn, numberIn, strokeWith } from "./values.ts";

export type BorderStyle = "solid" | "dashed" | "beveled" | "inset" | "underline";

export type Border = { readonly width: number; readonly style: BorderStyle; readonly dashes: readonly number[] };

const STYLES: Readonly<Record<string, BorderStyle>> = { S: "solid", D: "dashed", B: "beveled", I: "inset", U: "underline" };
const WIDEST_PT = 200;
const MAX_DASHES = 8;

/** `BS`, else `Border`, else a solid line of one point. */
export function borderOf(doc: Doc, annotation: PdfDict): Border {
  const described = resolve(doc, annotation.get("BS"));
  if (described instanceof PdfDict) {
    const style = STYLES[nameIn(doc, described.get("S")) ?? "S"] ?? "solid";
    const dashes = style === "dashed" ? dashesIn(doc, described.get("D"), [3]) : [];
    return { width: widthOf(numberIn(doc, described.get("W"))), style, dashes };
  }
  const [, , width, pattern] = itemsIn(doc, annotation.get("Border"));
  const dashes = pattern == null ? [] : dashesIn(doc, pattern, []);
  return { width: widthOf(numberIn(doc, width)), style: dashes.length > 0 ? "dashed" : "solid", dashes };
}

const widthOf = (stated: number | null): number => Math.min(WIDEST_PT, Math.max(0, stated ?? 1));

// Shorter dashes and gaps cannot be told apart, not even in print. A long line of them takes PDFium seconds.
const SHORTEST_PERIOD_PT = 0.2;

function dashesIn(doc: Doc, value: PdfObject | null | undefined, otherwise: readonly number[]): readonly number[] {
  const read = itemsIn(doc, value)
    .slice(0, MAX_DASHES)
    .map((item) => numberIn(doc, item) ?? -1);
  if (read.length === 0 || read.some((dash) => dash < 0 || dash >= 1000)) return otherwise;
  return isTooFine(read) ? [] : read;
}

const isTooFine = (dashes: readonly number[]): boolean => dashes.reduce((sum, dash) => sum + dash, 0) < SHORTEST_PERIOD_PT;

/** Whether the annotation states dashes that are drawn as a solid line here. A viewer may take very long to draw them. */
export function hasTooFineDashes(doc: Doc, annotation: PdfDict): boolean {
  const described = resolve(doc, annotation.get("BS"));
  const pattern = described instanceof PdfDict ? described.get("D") : itemsIn(doc, annotation.get("Border"))[3];
  const dashes = itemsIn(doc, pattern).slice(0, MAX_DASHES);
  return dashes.length > 0 && isTooFine(dashes.map((item) => Math.abs(numberIn(doc, item) ?? 0)));
}

/** Width and dashes of a stroke. */
export const pen = ({ width, dashes }: Pick<Border, "width" | "dashes">): string =>
  ops(width, "w") + (dashes.length === 0 ? "" : ` [${ops(...dashes)}] 0 d`);

export type Frame = { readonly background: Color | null; readonly edge: Color | null; readonly border: Border };

/**
 * Draws the background and the border of a field of the given size, and returns the box inside the border. A border without a colour is
 * not drawn, as in viewers. `round` is for radio buttons.
 */
export function drawFrame(sheet: Sheet, { w, h }: { w: number; h: number }, { background, edge, border }: Frame, round = false): Box {
  if (background !== null) {
    sheet.add(round ? `${fillWith(background)}\n${inscribed(w, h, 0)} f` : ops(fillWith(background), 0, 0, w, h, "re f"));
  }
  const width = edge === null && border.style !== "beveled" && border.style !== "inset" ? 0 : Math.min(border.width, w / 4, h / 4);
  if (width === 0) return { x: 0, y: 0, w, h };
  const raised = border.style === "beveled" || border.style === "inset";
  if (raised && !round) drawBevel(sheet, w, h, width, border.style === "beveled" ? [[1], darker(background)] : [[0.5], [0.75]]);
  if (edge !== null)
    sheet.add(`q ${strokeWith(edge)} ${pen({ width, dashes: border.dashes })}\n${outline(w, h, width, border.style, round)} S Q`);
  const inset = raised ? 2 * width : width;
  return { x: inset, y: inset, w: w - 2 * inset, h: h - 2 * inset };
}

function outline(w: number, h: number, width: number, style: BorderStyle, round: boolean): string {
  const half = width / 2;
  if (round) return inscribed(w, h, half);
  if (style === "underline") return ops(0, h - half, "m", w, h - half, "l");
  return ops(half, half, w - width, h - width, "re");
}

/** The largest circle in the box, reduced by `inset`. */
function inscribed(w: number, h: number, inset: number): string {
  const r = Math.min(w, h) / 2 - inset;
  return ellipse(w / 2 - r, h / 2 - r, w / 2 + r, h / 2 + r);
}

// Two bands inside the border: above and on the left, below and on the right.
function drawBevel(sheet: Sheet, w: number, h: number, width: number, [light, shade]: readonly [Color, Color]): void {
  const [a, b] = [width, 2 * width];
  sheet.add(ops(fillWith(light), a, h - a, "m", a, a, "l", w - a, a, "l", w - b, b, "l", b, b, "l", b, h - b, "l f"));
  sheet.add(ops(fillWith(shade), w - a, a, "m", w - a, h - a, "l", a, h - a, "l", b, h - b, "l", w - b, h - b, "l", w - b, b, "l f"));
}

const darker = (color: Color | null): Color => (color === null || color.length === 4 ? [0.5] : color.map((part) => part / 2));
