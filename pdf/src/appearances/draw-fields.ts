// Draws the form fields that a viewer would have to draw: those without an appearance, and text and choice fields of a form that calls
// its appearances outdated (NeedAppearances), unless a script has formatted the value. Any other appearance stays as it is, because it is
// what viewers show.

import { PdfArray, PdfDict, PdfName, PdfNumber, PdfStream } from "@libpdf/core";
import { normalAppearance } from "../content/appearances.ts";
import { type Matrix, times } from "../content/matrix.ts";
import { type Doc, type Page, register, resolve } from "../doc.ts";
import type { FontBook } from "../stamp/embed-fonts.ts";
import { openForm, type Sheet } from "../stamp/sheet.ts";
import { borderOf, drawFrame, type Frame } from "./border.ts";
import { drawMark, drawPushButton, isOn, kindOf, markOf } from "./draw-button.ts";
import { drawChoiceField, hasChoice } from "./draw-choice-field.ts";
import { drawTextField } from "./draw-text-field.ts";
import { type Field, type Form, readForm } from "./field.ts";
import { appearanceTexts, hasFormat, showsValue } from "./formatted.ts";
import { annotationsOf, shownOn } from "./shown.ts";
import type { TextSetter } from "./text.ts";
import { colorIn, cornersIn, nameIn, numberIn, textIn, valueIn } from "./values.ts";

/** A field to draw, and the page on which it is. */
export type OpenField = { readonly page: Page; readonly field: Field };

/** The fields that have to be drawn. Call it before scripts are removed. */
export function fieldsToDraw(doc: Doc): OpenField[] {
  const form = readForm(doc);
  const isShown = shownOn(doc);
  const textOf = appearanceTexts(doc);
  const found: OpenField[] = [];
  for (const page of doc.pages) {
    for (const widget of annotationsOf(doc, page)) {
      if (nameIn(doc, widget.get("Subtype")) !== "Widget" || !isShown(page, widget)) continue;
      const field = form.fieldOf(widget);
      const isCurrent = (): boolean => hasFormat(doc, field) && showsValue(valueIn(doc, field.inherited("V")) ?? "", textOf(page, widget));
      if (isToDraw(doc, field, form, isCurrent)) found.push({ page, field });
    }
  }
  return found;
}

function isToDraw(doc: Doc, field: Field, { outdated }: Form, isCurrent: () => boolean): boolean {
  switch (field.type) {
    case "Tx":
    case "Ch":
      return normalAppearance(doc, field.widget) === null || (outdated && !isCurrent());
    case "Btn":
      return normalAppearance(doc, field.widget) === null && !hasStates(doc, field);
    default:
      // A signature field without an appearance shows nothing.
      return false;
  }
}

/** Whether there is an appearance for some state. A button in another state shows nothing, as in viewers. */
export function hasStates(doc: Doc, { widget }: Field): boolean {
  const states = resolve(doc, dictIn(doc, widget, "AP")?.get("N"));
  return states instanceof PdfDict && !(states instanceof PdfStream) && states.size > 0;
}

/**
 * A button whose state is missing or has no appearance gets one that has: that of the field's value; else, if it says that it is on, its
 * only one that is not Off; else Off.
 */
export function nameStates(doc: Doc): void {
  const form = readForm(doc);
  for (const page of doc.pages) {
    for (const widget of annotationsOf(doc, page)) {
      if (nameIn(doc, widget.get("Subtype")) !== "Widget") continue;
      const field = form.fieldOf(widget);
      if (field.type !== "Btn" || !hasStates(doc, field)) continue;
      const state = stateOf(doc, field);
      if (state !== null) widget.set("AS", PdfName.of(state));
    }
  }
}

const OFF = "Off";

/** Null if the state stays as it is. */
function stateOf(doc: Doc, { widget, inherited }: Field): string | null {
  const states = resolve(doc, dictIn(doc, widget, "AP")?.get("N"));
  const names = states instanceof PdfDict ? [...states.keys()].map(({ value }) => value) : [];
  const said = nameIn(doc, widget.get("AS"));
  if (said !== null && names.includes(said)) return null;
  const value = textIn(doc, inherited("V"));
  if (value !== null && names.includes(value)) return value;
  const on = names.filter((name) => name !== OFF);
  // Viewers show a tick for any name but Off. Of a field with several buttons, the value may name another one.
  const isOn = said !== null ? said !== OFF : value !== null && value !== OFF && widget.has("FT");
  if (isOn && on.length === 1) return on[0] as string;
  return names.includes(OFF) ? OFF : null;
}

/** Whether a viewer would write something that the document does not draw. Empty fields are no reason to change a signed file. */
export function hasUndrawnValue(doc: Doc): boolean {
  return fieldsToDraw(doc).some(({ field }) => hasValue(doc, field));
}

/** Whether a field is filled in. */
export function hasValue(doc: Doc, field: Field): boolean {
  if (field.type === "Tx") return (valueIn(doc, field.inherited("V")) ?? "") !== "";
  if (field.type === "Ch") return hasChoice(doc, field);
  return field.type === "Btn" && kindOf(field) !== "push" && isOn(doc, field, kindOf(field)) !== false;
}

/** Gives the widget an appearance. */
export function drawField(doc: Doc, { field }: OpenField, book: FontBook, setter: TextSetter): void {
  const rect = cornersIn(doc, field.widget.get("Rect"));
  if (rect === null) return;
  const look = dictIn(doc, field.widget, "MK");
  const [w, h] = [rect[2] - rect[0], rect[3] - rect[1]];
  const turn = turnOf(numberIn(doc, look?.get("R")) ?? 0);
  const size = turn === 90 || turn === 270 ? { w: h, h: w } : { w, h };
  const sheet = openForm(doc, { w_pt: size.w, h_pt: size.h }, book);
  const frame = { background: colorIn(doc, look?.get("BG")), edge: colorIn(doc, look?.get("BC")), border: borderOf(doc, field.widget) };
  drawContent(doc, sheet, field, frame, size, setter);
  const stream = sheet.finish();
  stream.set("Matrix", new PdfArray(upright(turn, w, h, size.h).map((value) => PdfNumber.of(value))));
  field.widget.set("AP", PdfDict.of({ N: register(doc, stream) }));
}

function drawContent(doc: Doc, sheet: Sheet, field: Field, frame: Frame, size: { w: number; h: number }, setter: TextSetter): void {
  const kind = field.type === "Btn" ? kindOf(field) : null;
  if (kind === "check" || kind === "radio") {
    drawSwitch(doc, sheet, field, kind, frame, size, setter);
    return;
  }
  const inner = drawFrame(sheet, size, frame);
  if (field.type === "Tx") drawTextField(doc, sheet, field, frame, inner, setter);
  else if (field.type === "Ch") drawChoiceField(doc, sheet, field, inner, setter);
  else drawPushButton(doc, sheet, field, inner, setter);
}

function drawSwitch(
  doc: Doc,
  sheet: Sheet,
  field: Field,
  kind: "check" | "radio",
  frame: Frame,
  size: { w: number; h: number },
  setter: TextSetter,
): void {
  const mark = markOf(doc, field, kind);
  const inner = drawFrame(sheet, size, frame, kind === "radio" && mark === "circle");
  const on = isOn(doc, field, kind);
  if (on === null) setter.refuse("the file does not say which button is selected");
  if (on === true) drawMark(sheet, mark, inner, field);
}

type Turn = 0 | 90 | 180 | 270;

const turnOf = (degrees: number): Turn => {
  const turned = ((degrees % 360) + 360) % 360;
  return turned === 90 || turned === 180 || turned === 270 ? turned : 0;
};

// The drawing counts downwards from its top left corner; then it is turned counterclockwise.
function upright(turn: Turn, w: number, h: number, height: number): Matrix {
  const flip: Matrix = [1, 0, 0, -1, 0, height];
  const turns: Readonly<Record<Turn, Matrix>> = {
    0: [1, 0, 0, 1, 0, 0],
    90: [0, 1, -1, 0, w, 0],
    180: [-1, 0, 0, -1, w, h],
    270: [0, -1, 1, 0, 0, h],
  };
  return times(flip, turns[turn]);
}

function dictIn(doc: Doc, dict: PdfDict, key: string): PdfDict | null {
  const found = resolve(doc, dict.get(key));
  return found instanceof PdfDict ? found : null;
}
