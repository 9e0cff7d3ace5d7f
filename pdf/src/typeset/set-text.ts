// Content of full width: titles, headings, paragraphs, list items.

import { ops } from "../stamp/sheet.ts";
import { type Block, textOf, type Words, wordsOf } from "./model.ts";
import { type Draw, holdsNext, type Strip } from "./strip.ts";
import { addElement, type Element, openList, stateText } from "./structure.ts";
import { ABOVE_HEADING_PT, BELOW_TITLE, bodyStyle, HEADINGS, longTitleStyle, MARGIN_PT, RULE_COLOR, titleStyle } from "./styles.ts";
import { drawLine, rgb, type Setter, type TextLine, textLines } from "./text-lines.ts";

type Of<K extends Block["kind"]> = Extract<Block, { kind: K }>;

const ABOVE_PARAGRAPH_PT = 5;
const ABOVE_ITEM_PT = 3;
const BELOW_HEADING_PT = 2;
// Space for "10." and a gap.
const ITEM_INDENT_PT = 20;
const RULE_PT = { above: 10, height: 6, width: 0.5 } as const;

export function setTitle(setter: Setter, { text, tone = "plain", below }: Of<"title">, width: number): Strip[] {
  const large = textLines(setter, text, width, titleStyle(tone));
  const lines = large.length === 1 ? large : textLines(setter, text, width, longTitleStyle(tone));
  const under = below === undefined ? [] : textLines(setter, below, width, BELOW_TITLE);
  const strips = held(lines, width, 0, addText(setter, "H1", text, lines));
  return below === undefined ? strips : [...strips, ...held(under, width, 0, addText(setter, "P", below, under))];
}

export function setHeading(setter: Setter, { level, text, new_page = false }: Of<"heading">, width: number): Strip[] {
  // The title is the only heading of the first level.
  const lines = textLines(setter, text, width, HEADINGS[level]);
  const element = addText(setter, (["H2", "H3", "H4"] as const)[level - 1] ?? "H4", text, lines);
  const strips = held(lines, width, ABOVE_HEADING_PT[level], element);
  return strips.map((strip, index) => ({
    ...strip,
    h_pt: strip.h_pt + (index === strips.length - 1 ? BELOW_HEADING_PT : 0),
    ...(index === 0 && new_page ? { new_page } : {}),
    ...(index === 0 && level < 3 ? { outline: { level: level as 1 | 2, text } } : {}),
  }));
}

// A heading is never the last line on its page.
const held = (lines: readonly TextLine[], width: number, above: number, element: Element): Strip[] =>
  lines.map((line, index) => ({
    ...lineStrip(line, { x: MARGIN_PT.side, w: width }, element),
    above_pt: index === 0 ? above : 0,
    holds_next: true,
  }));

export function setParagraph(setter: Setter, { words }: Of<"paragraph">, width: number): Strip[] {
  const lines = wordLines(setter, words, width);
  const element = addText(setter, "P", textOf(words), lines);
  return flowing(lines, { x: MARGIN_PT.side, w: width }, ABOVE_PARAGRAPH_PT, element);
}

export function setItem(setter: Setter, { mark, words }: Of<"item">, width: number): Strip[] {
  const [x, w] = [MARGIN_PT.side + ITEM_INDENT_PT, width - ITEM_INDENT_PT];
  const [first] = textLines(setter, mark, ITEM_INDENT_PT, bodyStyle("regular", "quiet"));
  const item = addElement(openList(setter.structure), "LI");
  const label = addElement(item, "Lbl");
  const lines = wordLines(setter, words, w);
  const body = addElement(item, "LBody");
  stateText(body, textOf(words), lines);
  const strips = flowing(lines, { x, w }, ABOVE_ITEM_PT, body);
  return strips.map((strip, index) => {
    if (index > 0 || first === undefined) return strip;
    const drawMark: Draw = (sheet, y) => drawLine(sheet, first, { x: MARGIN_PT.side, y, w: ITEM_INDENT_PT });
    return { ...strip, layers: [drawMark, ...strip.layers], elements: [label, ...(strip.elements ?? [])] };
  });
}

export function setRule(width: number): Strip[] {
  const { above, height, width: pen } = RULE_PT;
  const { side } = MARGIN_PT;
  const line = (y: number): string => ops(`q ${rgb(RULE_COLOR)} RG`, pen, "w", side, y, "m", side + width, y, "l S Q");
  return [{ h_pt: height, above_pt: above, holds_next: false, layers: [(sheet, y) => sheet.add(line(y))] }];
}

function addText(setter: Setter, kind: "H1" | "H2" | "H3" | "H4" | "P", text: string, lines: readonly TextLine[]): Element {
  const element = addElement(setter.structure, kind);
  stateText(element, text, lines);
  return element;
}

function wordLines(setter: Setter, words: Words, width: number): TextLine[] {
  return wordsOf(words).flatMap(({ text, look = "regular", tone = "plain" }) => textLines(setter, text, width, bodyStyle(look, tone)));
}

const flowing = (lines: readonly TextLine[], place: { x: number; w: number }, above: number, element: Element): Strip[] =>
  lines.map((line, index) => ({
    ...lineStrip(line, place, element),
    above_pt: index === 0 ? above : 0,
    holds_next: holdsNext(index, lines.length),
  }));

type Place = { readonly x: number; readonly w: number };

const lineStrip = (line: TextLine, { x, w }: Place, element: Element): Pick<Strip, "h_pt" | "layers" | "elements"> => ({
  h_pt: line.style.leading_pt,
  layers: [(sheet, y) => drawLine(sheet, line, { x, y, w })],
  elements: [element],
});
