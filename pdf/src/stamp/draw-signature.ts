// Draws signatures and initials: pen strokes, a typed name or an image. Keeps the proportions, aligned at the bottom left.

import type { PdfRef, PdfStream } from "@libpdf/core";
import { forbidsTransparency } from "../archive-claim.ts";
import { type Doc, register } from "../doc.ts";
import { disc } from "./draw-choice.ts";
import type { Bounds, Face } from "./face.ts";
import type { Fonts, SignatureFont } from "./fonts.ts";
import { hardMask, readPicture } from "./picture.ts";
import { inkOf, inVisualOrder, type Letter, type Shaped, shape } from "./shape.ts";
import { type Box, decimal, openForm, ops, reading, type Sheet, showLine, withActualText, within } from "./sheet.ts";

/** The points of a stroke are `[x, y, ms]` on a pad of `w` by `h`; the time is evidence and is not drawn. */
export type SignatureValue =
  | { readonly kind: "drawn"; readonly w: number; readonly h: number; readonly strokes: readonly (readonly (readonly number[])[])[] }
  | { readonly kind: "typed"; readonly text: string; readonly font: SignatureFont }
  | { readonly kind: "uploaded"; readonly png: Uint8Array };

/** Draws into a box. Prepared before anything is drawn, so that invalid values are found first. */
export type Drawing = { readonly draw: (sheet: Sheet, box: Box) => void; readonly shaped?: Shaped };

/** The document that is drawn into: an opened one, or one that is being made. */
export type Target = Pick<Doc, "pdf" | "budget">;

export const MAX_POINTS = 4_000;

// Ballpoint blue: easy to distinguish from print, and as dark as black on a photocopy.
const INK = "0.04 0.1 0.36";

// The line width for a signature of the usual 40 points; smaller ones get a finer pen.
const PEN_OF_HEIGHT = 0.032;
const FINEST_PEN_PT = 0.45;
const BROADEST_PEN_PT = 1.3;

// Prevents a single dot on the pad from being enlarged to the whole area.
const LEAST_OF_PAD = 0.15;

// Limits a typed name in a large area to the size of handwriting. Printed letters look larger than handwritten ones.
const LARGEST_TYPED_PT = 32;
const LARGEST_PLAIN_PT = 20;

export async function prepareSignature(doc: Target, value: SignatureValue, name: string, fonts: Fonts): Promise<Drawing> {
  switch (value.kind) {
    case "drawn":
      return prepareStrokes(doc, value, name);
    case "typed":
      return prepareTyped(value, fonts);
    case "uploaded":
      return preparePicture(doc, value.png, name);
  }
}

type Point = readonly [x: number, y: number];

function prepareStrokes(doc: Target, { w, h, strokes }: Extract<SignatureValue, { kind: "drawn" }>, name: string): Drawing {
  const points = strokes
    .filter((stroke) => stroke.length > 0)
    .map((stroke) => stroke.map(([x = Number.NaN, y = Number.NaN]): Point => [x, y]));
  const all = points.flat();
  if (all.length === 0) throw new Error("a drawn signature has no ink");
  if (all.length > MAX_POINTS) throw new Error(`a drawn signature has more than ${MAX_POINTS} points`);
  if (![w, h, ...all.flat()].every(Number.isFinite) || w <= 0 || h <= 0) throw new Error("a drawn signature has a point without a place");
  const [left, top, right, lowest] = [least(all, 0), least(all, 1), -least(all, 0, -1), -least(all, 1, -1)];
  const across = Math.max(right - left, LEAST_OF_PAD * w);
  const down = Math.max(lowest - top, LEAST_OF_PAD * h);
  // Initials are often on every page, mostly in areas of the same size: their strokes are written once per size.
  const forms = new Map<string, PdfRef>();
  const formOf = (sheet: Sheet, size: { w: number; h: number }): PdfRef => {
    const pen = Math.min(BROADEST_PEN_PT, Math.max(FINEST_PEN_PT, PEN_OF_HEIGHT * size.h), size.h / 4, size.w / 4);
    const scale = Math.min((size.w - pen) / across, (size.h - pen) / down);
    const place = ([x, y]: Point): Point => [pen / 2 + (x - left) * scale, size.h - pen / 2 - (lowest - y) * scale];
    const form = openForm(doc, { w_pt: size.w, h_pt: size.h }, sheet.fonts);
    form.add(`${INK} RG ${INK} rg ${ops(pen, "w 1 J 1 j")}`);
    for (const stroke of points) form.add(strokeOf(stroke.map(place), pen));
    return register(doc, form.finish());
  };
  return {
    draw(sheet, box) {
      const key = `${decimal(box.w)} ${decimal(box.h)}`;
      const form = forms.get(key) ?? formOf(sheet, box);
      forms.set(key, form);
      const shown = ops("1 0 0 1", box.x, box.y, `cm /${sheet.name("XObject", form)} Do`);
      sheet.add(within(box, [withActualText(name, [shown])]));
    },
  };
}

function least(points: readonly Point[], axis: 0 | 1, sign: 1 | -1 = 1): number {
  return points.reduce((min, point) => Math.min(min, sign * point[axis]), Infinity);
}

// A curve through every point, whose direction at each point is from the previous to the next (Catmull-Rom). A stroke without length is
// drawn as a dot, because viewers disagree on lines without length.
function strokeOf(points: readonly Point[], pen: number): string {
  const [first] = points as readonly [Point];
  if (points.every(([x, y]) => Math.hypot(x - first[0], y - first[1]) < pen / 20)) return disc(first[0], first[1], pen * 0.6);
  const at = (index: number): Point => points[Math.min(points.length - 1, Math.max(0, index))] as Point;
  const curves = points.slice(1).map((to, index) => {
    const [before, from, after] = [at(index - 1), at(index), at(index + 2)];
    const handles = [0, 1].map((axis) => [
      (from[axis] as number) + ((to[axis] as number) - (before[axis] as number)) / 6,
      (to[axis] as number) - ((after[axis] as number) - (from[axis] as number)) / 6,
    ]) as [[number, number], [number, number]];
    return ops(handles[0][0], handles[1][0], handles[0][1], handles[1][1], to[0], to[1], "c");
  });
  return [ops(first[0], first[1], "m"), ...curves, "S"].join("\n");
}

// If the chosen font lacks a letter of the name, the whole name is drawn in the plain font, because a name in two fonts looks forged.
function prepareTyped({ text, font }: Extract<SignatureValue, { kind: "typed" }>, fonts: Fonts): Drawing {
  const chosen = fonts.signatureFace(font);
  const line = text.replaceAll(/\s+/g, " ");
  const inHand = shape(line, fonts, chosen);
  const isWritten = chosen !== null && isAllIn(inHand, chosen);
  const shaped = isWritten ? inHand : shape(line, fonts);
  const letters = inVisualOrder(shaped.paragraphs.flatMap((paragraph) => paragraph.letters)).map((letter) => ({ ...letter, level: 0 }));
  const ink = inkOfLine(letters);
  if (ink === null) throw new Error("a typed signature has no letter");
  return {
    shaped,
    draw(sheet, box) {
      const largest = isWritten ? LARGEST_TYPED_PT : LARGEST_PLAIN_PT;
      const size = Math.min(largest, box.w / (ink.right - ink.left), box.h / (ink.top - ink.bottom));
      const at = { x: box.x - ink.left * size, y: box.y + box.h + ink.bottom * size, size };
      sheet.add(within(box, [`${INK} rg`, reading(text, showLine(sheet, letters, at))]));
    },
  };
}

const isAllIn = ({ paragraphs }: Shaped, face: Face): boolean =>
  paragraphs.every(({ letters }) =>
    letters.every((letter) => letter.face === face && letter.accents.every((accent) => accent.face === face)),
  );

// Handwriting extends beyond its line, so it is measured by its ink, not by the font's line height.
function inkOfLine(letters: readonly Letter[]): Bounds | null {
  const ink = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity };
  let x = 0;
  for (const letter of letters) {
    const bounds = inkOf(letter);
    if (bounds !== null) {
      ink.left = Math.min(ink.left, x + bounds.left);
      ink.right = Math.max(ink.right, x + bounds.right);
      ink.bottom = Math.min(ink.bottom, bounds.bottom);
      ink.top = Math.max(ink.top, bounds.top);
    }
    x += letter.width;
  }
  return ink.right > ink.left && ink.top > ink.bottom ? ink : null;
}

function addMask(doc: Target, stream: PdfStream, mask: PdfStream): void {
  if (forbidsTransparency(doc)) stream.set("Mask", register(doc, hardMask(doc, mask)));
  else stream.set("SMask", register(doc, mask));
}

async function preparePicture(doc: Target, png: Uint8Array, name: string): Promise<Drawing> {
  const { width, height, stream, mask } = await readPicture(png);
  let ref: PdfRef | null = null;
  return {
    draw(sheet, box) {
      if (ref === null) {
        if (mask !== null) addMask(doc, stream, mask);
        ref = register(doc, stream);
      }
      const scale = Math.min(box.w / width, box.h / height);
      const [w, h] = [width * scale, height * scale];
      const shown = ops(w, 0, 0, -h, box.x, box.y + box.h, `cm /${sheet.name("XObject", ref)} Do`);
      sheet.add(within(box, [withActualText(name, [shown])]));
    },
  };
}
