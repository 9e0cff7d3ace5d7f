// Annotations with words: text on the page, rubber stamps, and the icon of a note (ISO 32000-2, 12.5.6.4, 12.5.6.6, 12.5.6.12).

import { PdfString } from "@libpdf/core";
import { resolve } from "../doc.ts";
import { ops } from "../stamp/sheet.ts";
import { pen } from "./border.ts";
import { type Canvas, inBox, withoutMargins } from "./canvas.ts";
import { readDefaultAppearance, type TextStyle } from "./default-appearance.ts";
import { type Point, pointsOf } from "./paths.ts";
import { drawOpen } from "./shapes.ts";
import { isOnPage } from "./shown.ts";
import { drawLine, drawLines } from "./text.ts";
import { type Color, type Corners, coordinatesIn, fillWith, nameIn, numberIn, strokeWith, textIn } from "./values.ts";

const FREE_TEXT_PT = 12;

/** Text on the page, on the colour `C`, in a frame of one point unless another one is stated, and with the line of a callout. */
export function drawFreeText(canvas: Canvas): void {
  const { doc, page, annotation, rect, border, color, setter, paint } = canvas;
  if (!isOnPage(doc, page, rect)) return;
  const box = withoutMargins(rect, coordinatesIn(doc, annotation.get("RD")));
  const style = styleOf(canvas);
  const [w, h] = [box[2] - box[0], box[3] - box[1]];
  const width = Math.min(border.width, w / 4, h / 4);
  if (color !== null) paint(ops(fillWith(color), box[0], box[1], w, h, "re f"), cornersOf(box), 0);
  if (width > 0) {
    const outline = ops(box[0] + width / 2, box[1] + width / 2, w - width, h - width, "re S");
    paint(`q ${strokeWith(style.color)} ${pen({ ...border, width })}\n${outline} Q`, cornersOf(box), 0);
  }
  const callout = pointsOf(coordinatesIn(doc, annotation.get("CL")) ?? []);
  if (callout.length > 1) drawOpen({ ...canvas, color: style.color }, callout, [nameIn(doc, annotation.get("LE"))]);
  const text = textIn(doc, annotation.get("Contents")) ?? plain(textIn(doc, annotation.get("RC")) ?? "");
  const quadding = numberIn(doc, annotation.get("Q"));
  const align = quadding === 1 ? "centre" : quadding === 2 ? "right" : "left";
  if (text.trim() === "" || w <= 2 * width || h <= 2 * width) return;
  const inner: Corners = [box[0] + width, box[1] + width, box[2] - width, box[3] - width];
  inBox(canvas, inner, (sheet, area) => drawLines(sheet, text, area, style, align, setter));
}

const cornersOf = ([left, bottom, right, top]: Corners): Point[] => [
  [left, bottom],
  [right, top],
];

// `DA`, or what `DS` says in the words of CSS.
function styleOf({ doc, annotation }: Canvas): TextStyle {
  const appearance = resolve(doc, annotation.get("DA"));
  const stated = readDefaultAppearance(appearance instanceof PdfString ? appearance.bytes : new Uint8Array(0));
  const css = (textIn(doc, annotation.get("DS")) ?? "").slice(0, 1_000);
  const size = Number(/\b(\d{1,3}(?:\.\d{1,4})?)pt\b/.exec(css)?.[1] ?? 0);
  const rgb = appearance === null ? /(?:^|[;\s])color:\s*#([0-9a-f]{6})/i.exec(css)?.[1] : undefined;
  const color: Color = rgb === undefined ? stated.color : [0, 2, 4].map((at) => Number.parseInt(rgb.slice(at, at + 2), 16) / 255);
  return { size: stated.size || size || FREE_TEXT_PT, color };
}

/** The text of rich text, without its markup. */
function plain(rich: string): string {
  const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
  return rich
    .slice(0, 100_000)
    .replaceAll(/<\/p>|<br\s*\/?>/gi, "\n")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => entities[name] ?? "")
    .trim();
}

const GREEN: Color = [0.13, 0.55, 0.13];
const RED: Color = [0.75, 0.1, 0.1];
const BLUE: Color = [0.1, 0.25, 0.6];

const AGREEING = /^(?:Approved|Final|Completed|Sold|ForPublicRelease|InformationOnly)$/;
const WARNING = /^(?:NotApproved|Void|Confidential|TopSecret|Expired|NotForPublicRelease|Rejected|Draft)$/;
const LONGEST_LABEL = 60;

/** A standard stamp is a label in a box: each viewer has its own pictures for them, but all have these words. */
export function drawStamp(canvas: Canvas): void {
  const { doc, page, annotation, rect, paint, setter } = canvas;
  const [w, h] = [rect[2] - rect[0], rect[3] - rect[1]];
  if (w < 1 || h < 1 || !isOnPage(doc, page, rect)) return;
  // Acrobat writes names such as SBApproved and SHSignHere.
  const name = (nameIn(doc, annotation.get("Name")) ?? "Draft").replace(/^S[BH](?=[A-Z])/, "").replace(/^#/, "");
  const label = name
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
    .slice(0, LONGEST_LABEL)
    .toUpperCase();
  const color = canvas.color ?? (AGREEING.test(name) ? GREEN : WARNING.test(name) ? RED : BLUE);
  const width = Math.min(3, h / 10, w / 10);
  paint(ops(strokeWith(color), width, "w", rect[0] + width / 2, rect[1] + width / 2, w - width, h - width, "re S"), cornersOf(rect), 0);
  const inner: Corners = [rect[0] + 2 * width, rect[1] + 2 * width, rect[2] - 2 * width, rect[3] - 2 * width];
  inBox(canvas, inner, (sheet, box) => drawLine(sheet, label, box, { size: 0, color }, "centre", setter));
}

const ICON_PT = 20;
const NOTE_YELLOW: Color = [1, 0.92, 0.4];

/**
 * The icon that viewers show for a note: a small sheet with lines, at the top left corner of the rectangle. The text of the note opens on
 * a click; it is a comment on the page and no part of it.
 */
export function drawNote({ rect: [left, , , top], color, paint }: Canvas): void {
  const [x, y] = [left, top - ICON_PT];
  const sheet = ops(fillWith(color ?? NOTE_YELLOW), "0.3 G 0.75 w", x + 2, y + 1, ICON_PT - 4, ICON_PT - 2, "re B");
  const lines = [5, 9, 13].map((down) => ops(x + 5, top - down, "m", x + ICON_PT - 5, top - down, "l S")).join("\n");
  paint(
    `${sheet}\n${lines}`,
    [
      [x, y],
      [x + ICON_PT, top],
    ],
    0,
  );
}
