// Draws check boxes, radio buttons and push buttons (ISO 32000-2, 12.7.5.2). Their symbols are shapes of ZapfDingbats, a font that is
// rarely embedded, so they are drawn as vectors.

import { PdfDict, PdfStream } from "@libpdf/core";
import { type Doc, numbers, register, resolve } from "../doc.ts";
import { type Box, ops, type Sheet, within } from "../stamp/sheet.ts";
import type { Field } from "./field.ts";
import { ellipse } from "./paths.ts";
import { drawLine, type TextSetter } from "./text.ts";
import { fillWith, nameIn, numberIn, strokeWith, textIn } from "./values.ts";

const RADIO = 1 << 15;
const PUSH = 1 << 16;

export type ButtonKind = "check" | "radio" | "push";

export const kindOf = ({ flags }: Field): ButtonKind => ((flags & PUSH) !== 0 ? "push" : (flags & RADIO) !== 0 ? "radio" : "check");

export type Mark = "check" | "circle" | "cross" | "diamond" | "square" | "star";

// Codes of ZapfDingbats; other stars and crosses have codes of their own.
const MARKS: readonly (readonly [RegExp, Mark])[] = [
  [/^[34]/, "check"],
  [/^[5-8]/, "cross"],
  [/^[lm]/, "circle"],
  [/^[n-r]/, "square"],
  [/^u/, "diamond"],
  [/^[H-O]/, "star"],
];

/** The symbol that `MK` names; a check or a disc if it names none. */
export function markOf(doc: Doc, { widget }: Field, kind: ButtonKind): Mark {
  const look = resolve(doc, widget.get("MK"));
  const code = look instanceof PdfDict ? (textIn(doc, look.get("CA")) ?? "") : "";
  return MARKS.find(([codes]) => codes.test(code))?.[1] ?? (kind === "radio" ? "circle" : "check");
}

/** Whether a check box or radio button without an appearance is on; null if the file does not say. */
export function isOn(doc: Doc, field: Field, kind: ButtonKind): boolean | null {
  const state = nameIn(doc, field.widget.get("AS"));
  if (state !== null) return state !== "Off";
  const value = textIn(doc, field.inherited("V")) ?? "Off";
  if (value === "Off" || value === "") return false;
  // The value names one button of the group, but without an appearance no button has a name.
  return kind === "radio" ? null : true;
}

const MARK_OF_SIDE = 0.7;

export function drawMark(sheet: Sheet, mark: Mark, box: Box, { style }: Pick<Field, "style">): void {
  const side = Math.min(box.w, box.h, style.size === 0 ? Number.POSITIVE_INFINITY : style.size) * MARK_OF_SIDE;
  const [x, y] = [box.x + box.w / 2 - side / 2, box.y + box.h / 2 - side / 2];
  const paint = mark === "check" || mark === "cross" ? ops(strokeWith(style.color), side * 0.16, "w 1 J 1 j") : fillWith(style.color);
  sheet.add(within(box, [paint, shapes[mark](x, y, side)]));
}

const shapes: Readonly<Record<Mark, (x: number, y: number, side: number) => string>> = {
  check: (x, y, s) => ops(x + 0.08 * s, y + 0.55 * s, "m", x + 0.38 * s, y + 0.86 * s, "l", x + 0.92 * s, y + 0.14 * s, "l S"),
  cross: (x, y, s) =>
    ops(x + 0.1 * s, y + 0.1 * s, "m", x + 0.9 * s, y + 0.9 * s, "l", x + 0.1 * s, y + 0.9 * s, "m", x + 0.9 * s, y + 0.1 * s, "l S"),
  circle: (x, y, s) => `${ellipse(x + 0.1 * s, y + 0.1 * s, x + 0.9 * s, y + 0.9 * s)} f`,
  square: (x, y, s) => ops(x + 0.1 * s, y + 0.1 * s, 0.8 * s, 0.8 * s, "re f"),
  diamond: (x, y, s) => ops(x + s / 2, y, "m", x + s, y + s / 2, "l", x + s / 2, y + s, "l", x, y + s / 2, "l f"),
  star(x, y, s) {
    const corners = Array.from({ length: 10 }, (_, index) => {
      const [r, turn] = [index % 2 === 0 ? s / 2 : s * 0.2, (index * Math.PI) / 5];
      return ops(x + s / 2 + r * Math.sin(turn), y + s / 2 - r * Math.cos(turn), index === 0 ? "m" : "l");
    });
    return `${corners.join("\n")} f`;
  },
};

// What `TP` says about caption and icon (table 192).
const ICON_ONLY = 1;
const CAPTION_BELOW = 2;
const CAPTION_ABOVE = 3;
const CAPTION_RIGHT = 4;
const CAPTION_LEFT = 5;
const LARGEST_CAPTION_PT = 12;

/**
 * The caption is no value of the document, and the button does nothing in it. So it is drawn as well as possible and never refused:
 * smaller than text otherwise is, and with U+FFFD for a character without a font.
 */
export function drawPushButton(doc: Doc, sheet: Sheet, field: Field, inner: Box, setter: TextSetter): void {
  const look = resolve(doc, field.widget.get("MK"));
  if (!(look instanceof PdfDict)) return;
  const layout = numberIn(doc, look.get("TP")) ?? 0;
  const icon = layout === 0 ? null : resolve(doc, look.get("I"));
  const caption = layout === ICON_ONLY ? "" : (textIn(doc, look.get("CA")) ?? "");
  const parts = icon instanceof PdfStream && caption !== "" ? besides(layout, inner) : { icon: inner, caption: inner };
  if (icon instanceof PdfStream) drawIcon(doc, sheet, icon, parts.icon);
  if (caption === "") return;
  const size = field.style.size === 0 ? Math.min(LARGEST_CAPTION_PT, parts.caption.h / 1.35) : field.style.size;
  drawLine(sheet, caption, parts.caption, { ...field.style, size }, "centre", { ...setter, refuse: () => undefined });
}

/** The icon has two thirds of the height or half of the width. A layout that is not in the standard puts the caption over the icon. */
function besides(layout: number, { x, y, w, h }: Box): { icon: Box; caption: Box } {
  const [high, wide] = [(2 * h) / 3, w / 2];
  switch (layout) {
    case CAPTION_BELOW:
      return { icon: { x, y, w, h: high }, caption: { x, y: y + high, w, h: h - high } };
    case CAPTION_ABOVE:
      return { icon: { x, y: y + h - high, w, h: high }, caption: { x, y, w, h: h - high } };
    case CAPTION_RIGHT:
      return { icon: { x, y, w: wide, h }, caption: { x: x + wide, y, w: wide, h } };
    case CAPTION_LEFT:
      return { icon: { x: x + wide, y, w: wide, h }, caption: { x, y, w: wide, h } };
    default:
      return { icon: { x, y, w, h }, caption: { x, y, w, h } };
  }
}

// In proportion, in the middle. The box counts downwards, the icon upwards.
function drawIcon(doc: Doc, sheet: Sheet, icon: PdfStream, { x, y, w, h }: Box): void {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers(doc, icon.get("BBox")) ?? [];
  const [width, height] = [Math.abs(x2 - x1), Math.abs(y2 - y1)];
  if (!(width > 0.01 && height > 0.01 && width < 1e5 && height < 1e5)) return;
  const scale = Math.min(w / width, h / height);
  const [left, bottom] = [x + (w - width * scale) / 2, y + h - (h - height * scale) / 2];
  const name = sheet.name("XObject", doc.pdf.context.getRef(icon) ?? register(doc, icon));
  const place = ops(scale, 0, 0, -scale, left - Math.min(x1, x2) * scale, bottom + Math.min(y1, y2) * scale, "cm");
  sheet.add(within({ x, y, w, h }, [`${place} /${name} Do`]));
}
