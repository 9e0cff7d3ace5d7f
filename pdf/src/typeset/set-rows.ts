// Content in columns: tables, and pairs of a label and a value. A row has as many strips as its longest cell has lines.

import type { Drawing } from "../stamp/draw-signature.ts";
import { ops, type Sheet } from "../stamp/sheet.ts";
import { drawQr, qrModules } from "./draw-qr.ts";
import { type Block, type Cell, type Column, isPicture, type Pair, type PictureCell, textOf, wordsOf } from "./model.ts";
import { type Draw, holdsNext, type Strip } from "./strip.ts";
import { addElement, type Element, stateText } from "./structure.ts";
import { cellStyle, HEAD, HEAD_RULE_COLOR, LABEL, MARGIN_PT, type Rgb, RULE_COLOR, type Style, valueStyle } from "./styles.ts";
import { drawLine, rgb, type Setter, type TextLine, textLines } from "./text-lines.ts";

type Of<K extends Block["kind"]> = Extract<Block, { kind: K }>;

/** A cell with its lines and its horizontal position. */
type Placed = {
  readonly x: number;
  readonly w: number;
  readonly align: "start" | "end";
  readonly lines: readonly TextLine[];
  /** Drawn instead of lines, as high as PICTURE_LINES of them. */
  readonly picture?: Drawing;
  readonly element: Element;
};

type RowLook = {
  readonly pitch_pt: number;
  readonly above_pt: number;
  readonly pad_top_pt: number;
  readonly pad_bottom_pt: number;
  readonly rule: { readonly color: Rgb; readonly width_pt: number } | null;
};

// As high as a signature on a document, where most have 40 points.
const PICTURE_LINES = 3;
// Longer than most names are at this height; a wider picture is drawn smaller.
const PICTURE_MOST_PT = 190;
const PICTURE_PAD_PT = 2;

const GUTTER_PT = 10;
const ABOVE_TABLE_PT = 11;
const TABLE_ROW: RowLook = { pitch_pt: 11, above_pt: 0, pad_top_pt: 3, pad_bottom_pt: 3, rule: { color: RULE_COLOR, width_pt: 0.4 } };
const DENSE_ROW: RowLook = { ...TABLE_ROW, pad_top_pt: 1, pad_bottom_pt: 1 };
const HEAD_ROW: RowLook = { ...TABLE_ROW, pad_top_pt: 0, pad_bottom_pt: 2, rule: { color: HEAD_RULE_COLOR, width_pt: 0.7 } };
const PAIR_ROW: RowLook = { pitch_pt: 12, above_pt: 1, pad_top_pt: 0, pad_bottom_pt: 0, rule: null };
const ABOVE_PAIRS_PT = 8;
const MOST_ROWS_TOGETHER = 3;
// Pairs belong together: everything about one check should be on one page.
const MOST_PAIRS_TOGETHER = 20;
// Fits three words on one line. The same with one and two columns, so that values align.
const LABEL_PT = 82;

// Each cell is an object of the file: those of an audit trail with 10,000 entries would have 6 MB and take as long as all the rest.
// Rows of a longer table are read as paragraphs.
const MOST_ROWS_IN_STRUCTURE = 1_000;

export function setTable(setter: Setter, { columns, rows, dense = false }: Of<"table">, width: number): Strip[] {
  const places = columnPlaces(columns, width);
  const isLong = rows.length > MOST_ROWS_IN_STRUCTURE;
  const table = addElement(setter.structure, isLong ? "Div" : "Table");
  const headRow = addElement(table, isLong ? "P" : "TR");
  if (isLong) headRow.text = columns.map(({ head: text }) => text).join(", ");
  const head = rowStrips(
    places.map((place, index) => {
      const text = columns[index]?.head ?? "";
      return cellOf(place, textLines(setter, text, place.w, HEAD), text, isLong ? headRow : addElement(headRow, "TH", "Column"));
    }),
    { ...HEAD_ROW, above_pt: ABOVE_TABLE_PT },
    width,
  ).map((strip) => ({ ...strip, holds_next: true }));
  const body = rows.flatMap((cells, row) => {
    const rowElement = addElement(table, isLong ? "P" : "TR");
    if (isLong) rowElement.text = cells.map(textOf).join(", ");
    const placed = places.map((place, index) => {
      const cell = cells[index] ?? "";
      const element = isLong ? rowElement : addElement(rowElement, "TD");
      if (isPicture(cell)) return pictureOf(setter, place, cell, element);
      return cellOf(place, cellLines(setter, cell, place.w, cellStyle), textOf(cell), element);
    });
    const strips = rowStrips(placed, dense ? DENSE_ROW : TABLE_ROW, width);
    return endingWith(strips, holdsNext(row, rows.length, MOST_ROWS_TOGETHER)).map((strip) => ({ ...strip, head }));
  });
  return [...head, ...body];
}

/** The last strip of a row determines whether the row is kept with the next. */
const endingWith = (strips: readonly Strip[], holds_next: boolean): Strip[] =>
  strips.map((strip, index) => (index === strips.length - 1 ? { ...strip, holds_next } : strip));

function columnPlaces(columns: readonly Column[], width: number): Omit<Placed, "lines" | "element">[] {
  const room = width - GUTTER_PT * (columns.length - 1);
  const whole = columns.reduce((sum, { share }) => sum + share, 0);
  let x: number = MARGIN_PT.side;
  return columns.map(({ share, align = "start" }) => {
    const place = { x, w: (room * share) / whole, align };
    x += place.w + GUTTER_PT;
    return place;
  });
}

// Modules of half a millimetre or more for addresses of up to 120 characters, which phones read from a print.
const CODE_PT = 76;

export function setPairs(setter: Setter, block: Of<"pairs">, width: number): Strip[] {
  const { code } = block;
  if (code === undefined) return pairStrips(setter, block, width);
  const strips = pairStrips(setter, block, width - CODE_PT - GUTTER_PT);
  const [first, last] = [strips[0], strips.at(-1)];
  if (first === undefined || last === undefined) return [];
  const figure = addElement(setter.structure, "Figure");
  figure.alt = code.alt;
  const modules = qrModules(code.text);
  const draw: Draw = (sheet, y) => {
    figure.box = { x: MARGIN_PT.side + width - CODE_PT, y, w: CODE_PT, h: CODE_PT };
    drawQr(sheet, modules, figure.box);
  };
  // The code begins beside the first row, and nothing follows before it ends.
  const rest = CODE_PT - strips.reduce((sum, { h_pt, above_pt }, index) => sum + h_pt + (index === 0 ? 0 : above_pt), 0);
  return strips.map((strip) => ({
    ...strip,
    ...(strip === first && { layers: [...strip.layers, draw], elements: [...(strip.elements ?? []), figure] }),
    ...(strip === last && rest > 0 && { h_pt: strip.h_pt + rest }),
    // The code belongs to all of them.
    ...(strip !== last && { holds_next: true }),
  }));
}

function pairStrips(setter: Setter, { columns = 1, rows, holds_next = false }: Of<"pairs">, width: number): Strip[] {
  const count = Math.ceil(rows.length / columns);
  const table = addElement(setter.structure, "Table");
  return Array.from({ length: count }, (_, row) => {
    const side = rows.slice(row * columns, (row + 1) * columns);
    const rowElement = addElement(table, "TR");
    const placed = side.flatMap((pair, index) => pairCells(setter, pair, { columns, index, width, rowElement }));
    const strips = rowStrips(placed, { ...PAIR_ROW, above_pt: row === 0 ? ABOVE_PAIRS_PT : PAIR_ROW.above_pt }, width);
    const isLast = row === count - 1;
    return endingWith(strips, isLast ? holds_next : holdsNext(row, count, MOST_PAIRS_TOGETHER));
  }).flat();
}

function pairCells(
  setter: Setter,
  { label, value }: Pair,
  { columns, index, width, rowElement }: { columns: 1 | 2; index: number; width: number; rowElement: Element },
): Placed[] {
  const share = (width - GUTTER_PT * (columns - 1)) / columns;
  const x = MARGIN_PT.side + index * (share + GUTTER_PT);
  const w = share - LABEL_PT - GUTTER_PT;
  const labelPlace = { x, w: LABEL_PT, align: "start" } as const;
  const valuePlace = { x: x + LABEL_PT + GUTTER_PT, w, align: "start" } as const;
  return [
    cellOf(labelPlace, textLines(setter, label, LABEL_PT, LABEL), label, addElement(rowElement, "TH", "Row")),
    isPicture(value)
      ? pictureOf(setter, valuePlace, value, addElement(rowElement, "TD"))
      : cellOf(valuePlace, cellLines(setter, value, w, valueStyle), textOf(value), addElement(rowElement, "TD")),
  ];
}

function pictureOf(setter: Setter, place: Omit<Placed, "lines" | "element">, cell: PictureCell, above: Element): Placed {
  const picture = setter.pictures.get(cell);
  if (picture === undefined) throw new Error("a picture that was not prepared");
  const element = addElement(above, "Figure");
  element.alt = cell.alt;
  return { ...place, lines: [], picture, element };
}

function cellOf(place: Omit<Placed, "lines" | "element">, lines: readonly TextLine[], text: string, element: Element): Placed {
  if (element.text === undefined) stateText(element, text, lines);
  return { ...place, lines, element };
}

function cellLines(setter: Setter, cell: Cell, width: number, styleOf: typeof cellStyle): TextLine[] {
  return wordsOf(cell).flatMap(({ text, look = "regular", tone = "plain" }) => textLines(setter, text, width, styleOf(look, tone)));
}

function rowStrips(cells: readonly Placed[], look: RowLook, width: number): Strip[] {
  const heights = cells.map(({ lines, picture }) => (picture === undefined ? lines.length : PICTURE_LINES));
  const count = Math.max(1, ...heights);
  const hasPicture = cells.some(({ picture }) => picture !== undefined);
  const row = {};
  return Array.from({ length: count }, (_, index): Strip => {
    const [top, bottom] = [index === 0 ? look.pad_top_pt : 0, index === count - 1 ? look.pad_bottom_pt : 0];
    const h_pt = top + look.pitch_pt + bottom;
    const { rule } = look;
    return {
      h_pt,
      above_pt: index === 0 ? look.above_pt : 0,
      holds_next: holdsNext(index, count) || (hasPicture && index < PICTURE_LINES - 1 && index < count - 1),
      row,
      layers: cells.map((cell) => (cell.picture === undefined ? cellLine : cellPicture)(cell, index, top, look.pitch_pt)),
      elements: cells.map(({ element }) => element),
      ...(rule !== null && index === count - 1 ? { ground: (sheet: Sheet, y: number) => drawRule(sheet, y + h_pt, width, rule) } : {}),
    };
  });
}

// Uses the row's line height instead of the cell's own, so that lines of adjacent cells align.
function cellLine({ x, w, align, lines }: Placed, index: number, top: number, pitch: number): Draw | null {
  const line = lines[index];
  if (line === undefined) return null;
  const style: Style = { ...line.style, leading_pt: pitch };
  return (sheet, y) => drawLine(sheet, { ...line, style }, { x, y: y + top, w, align });
}

function cellPicture({ x, w, picture, element }: Placed, index: number, top: number, pitch: number): Draw | null {
  if (index > 0 || picture === undefined) return null;
  const size = { w: Math.min(w, PICTURE_MOST_PT), h: PICTURE_LINES * pitch - 2 * PICTURE_PAD_PT };
  return (sheet, y) => {
    const box = { x, y: y + top + PICTURE_PAD_PT, ...size };
    element.box = box;
    picture.draw(sheet, box);
  };
}

function drawRule(sheet: Sheet, y: number, width: number, { color, width_pt }: NonNullable<RowLook["rule"]>): void {
  const { side } = MARGIN_PT;
  sheet.add(ops(`q ${rgb(color)} RG`, width_pt, "w", side, y, "m", side + width, y, "l S Q"));
}
