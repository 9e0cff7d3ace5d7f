// Draws a choice field (ISO 32000-2, 12.7.5.4): the chosen value of a combo box, or the visible lines of a list box.

import { LINE_EM } from "@countersign/fields/fit";
import { PdfArray, type PdfObject } from "@libpdf/core";
import { type Doc, resolve } from "../doc.ts";
import { type Box, ops, type Sheet, within } from "../stamp/sheet.ts";
import type { Field } from "./field.ts";
import { drawLine, drawListed, type TextSetter } from "./text.ts";
import { fillWith, itemsIn, numberIn, valueIn } from "./values.ts";

const COMBO = 1 << 17;
const LIST_PT = 12;
const SMALLEST_PT = 4;
// The light blue behind selected lines in Acrobat.
const SELECTED = [0.6, 0.757, 0.855];

type Option = { readonly exported: string; readonly shown: string };

export function drawChoiceField(doc: Doc, sheet: Sheet, field: Field, inner: Box, setter: TextSetter): void {
  const options = optionsOf(doc, field.inherited("Opt"));
  const chosen = chosenOf(doc, field, options);
  const [value] = chosen.texts;
  if ((field.flags & COMBO) === 0) drawList(sheet, options, chosen, field, inner, setter);
  else if (value !== undefined && value !== "") drawLine(sheet, value, inner, field.style, field.quadding, setter);
}

function optionsOf(doc: Doc, value: PdfObject | null): Option[] {
  return itemsIn(doc, value).map((item) => {
    if (!(item instanceof PdfArray)) return { exported: valueIn(doc, item) ?? "", shown: valueIn(doc, item) ?? "" };
    const exported = valueIn(doc, item.at(0)) ?? "";
    return { exported, shown: valueIn(doc, item.at(1)) ?? exported };
  });
}

type Chosen = { readonly indexes: ReadonlySet<number>; readonly texts: readonly string[] };

// `V` counts; `I` is used where it is missing, and to tell equal options apart.
function chosenOf(doc: Doc, field: Field, options: readonly Option[]): Chosen {
  const value = field.inherited("V");
  const values = (value instanceof PdfArray ? itemsIn(doc, value) : [value]).flatMap((item) => valueIn(doc, item) ?? []);
  const stated = new Set(itemsIn(doc, field.inherited("I")).flatMap((item) => numberIn(doc, item) ?? []));
  if (values.length === 0) {
    const listed = [...stated].filter((index) => options[index] !== undefined);
    return { indexes: new Set(listed), texts: listed.map((index) => options[index]?.shown ?? "") };
  }
  const known = new Map<string, number>();
  for (const nameOf of [(option: Option) => option.exported, (option: Option) => option.shown]) {
    const here = new Map<string, number>();
    for (const [index, option] of options.entries()) {
      if (!here.has(nameOf(option)) || stated.has(index)) here.set(nameOf(option), index);
    }
    for (const [name, index] of here) if (!known.has(name)) known.set(name, index);
  }
  const indexes = values.flatMap((name) => known.get(name) ?? []);
  return { indexes: new Set(indexes), texts: values.map((name) => options[known.get(name) ?? -1]?.shown ?? name) };
}

function drawList(sheet: Sheet, options: readonly Option[], chosen: Chosen, field: Field, inner: Box, setter: TextSetter): void {
  const window = windowOf(options.length, chosen.indexes, field, inner.h);
  if (window === null) setter.refuse("the selected lines do not fit");
  const { lines, size } = window ?? { lines: [...chosen.indexes], size: SMALLEST_PT };
  const height = LINE_EM * size;
  const drawn: string[] = [];
  const inside: Sheet = { ...sheet, add: (operators) => drawn.push(operators) };
  for (const [place, index] of lines.entries()) {
    const line = { x: inner.x, y: inner.y + place * height, w: inner.w, h: height };
    if (chosen.indexes.has(index)) drawn.push(ops(fillWith(SELECTED), line.x, line.y, line.w, line.h, "re f"));
    // The last line may be cut off by the box, as in viewers.
    drawListed(inside, options[index]?.shown ?? "", line, { ...field.style, size }, setter);
  }
  sheet.add(within(inner, drawn));
}

// From the stated top line, moved if a selected line would be out of sight. If the selected lines are too far apart, they alone are shown.
function windowOf(count: number, chosen: ReadonlySet<number>, field: Field, h: number): { lines: number[]; size: number } | null {
  const wanted = field.style.size === 0 ? LIST_PT : field.style.size;
  let [first, last] = [count, -1];
  for (const index of chosen) [first, last] = [Math.min(first, index), Math.max(last, index)];
  for (let size = wanted; size >= Math.min(wanted, SMALLEST_PT); size--) {
    const whole = Math.floor(h / (LINE_EM * size) + 1e-9);
    if (chosen.size > 0 && (whole === 0 || chosen.size > whole)) continue;
    if (last - first >= whole && chosen.size > 0) return { lines: [...chosen].sort((a, b) => a - b), size };
    const stated = Math.max(0, Math.floor(topOf(field)));
    const top = chosen.size === 0 ? stated : Math.max(Math.min(stated, first), last - whole + 1);
    const shown = Math.max(0, Math.min(count - top, Math.ceil(h / (LINE_EM * size))));
    return { lines: Array.from({ length: shown }, (_, index) => top + index), size };
  }
  return null;
}

function topOf({ inherited }: Field): number {
  const top = inherited("TI");
  return top?.type === "number" && Number.isFinite(top.value) ? top.value : 0;
}

/** Whether anything is chosen. */
export function hasChoice(doc: Doc, { inherited }: Field): boolean {
  const value = resolve(doc, inherited("V"));
  return value instanceof PdfArray ? value.length > 0 : (valueIn(doc, value) ?? "") !== "";
}
