// A box that catches the eye first: the result, a warning. Made of strips like everything else, so that a long one can continue on the
// next page.

import { lineWidth } from "../stamp/fit-text.ts";
import { ops, type Sheet } from "../stamp/sheet.ts";
import type { Block, Tone } from "./model.ts";
import { holdsNext, type Strip } from "./strip.ts";
import { addElement, type Element, stateText } from "./structure.ts";
import { bodyStyle, calloutTitleStyle, colorOf, figureStyle, MARGIN_PT, TINTS } from "./styles.ts";
import { drawLine, rgb, type Setter, type TextLine, textLines } from "./text-lines.ts";

const ABOVE_PT = 8;
const PADDING_PT = { side: 12, top: 7, bottom: 8 } as const;
const BAR_PT = 3;
const FIGURE_GUTTER_PT = 14;
// A figure has a few digits; a longer one is drawn smaller to leave space for the text.
const FIGURE_OF_WIDTH = 0.4;
// Adjacent tints overlap; otherwise viewers show a hairline of paper between them.
const OVERLAP_PT = 0.5;

export function setCallout(setter: Setter, block: Extract<Block, { kind: "callout" }>, width: number): Strip[] {
  const { tone, title, text = "", figure = "" } = block;
  const x = MARGIN_PT.side + PADDING_PT.side;
  const inner = width - 2 * PADDING_PT.side;
  const large = figure === "" ? null : figureLine(setter, figure, tone, inner * FIGURE_OF_WIDTH);
  const w = inner - (large === null ? 0 : lineWidth(large) * large.style.size_pt + FIGURE_GUTTER_PT);
  const box = addElement(setter.structure, "Div");
  const inElement = (said: string, some: readonly TextLine[]): { line: TextLine; element: Element }[] => {
    const element = addElement(box, "P");
    stateText(element, said, some);
    return some.map((line) => ({ line, element }));
  };
  const titled = inElement(title, textLines(setter, title, w, calloutTitleStyle(tone)));
  const figured = large === null ? null : addElement(box, "P");
  const lines = [...titled, ...(text === "" ? [] : inElement(text, textLines(setter, text, w, bodyStyle("regular", "plain"))))];
  return lines.map(({ line, element }, index) => {
    const isLast = index === lines.length - 1;
    const top = index === 0 ? PADDING_PT.top : 0;
    const h_pt = top + line.style.leading_pt + (isLast ? PADDING_PT.bottom : 0);
    return {
      h_pt,
      above_pt: index === 0 ? ABOVE_PT : 0,
      holds_next: holdsNext(index, lines.length),
      row: lines,
      ground: (sheet, y) => drawGround(sheet, tone, { y, w: width, h: h_pt + (isLast ? 0 : OVERLAP_PT) }),
      layers: [
        (sheet, y) => drawLine(sheet, line, { x, y: y + top, w }),
        index === 0 && large !== null ? (sheet, y) => drawFigure(sheet, large, { x, y: y + top, w: inner }) : null,
      ],
      elements: [element, figured],
    };
  });
}

function figureLine(setter: Setter, figure: string, tone: Tone, most: number): TextLine | null {
  const style = figureStyle(tone);
  const [line] = textLines(setter, figure.replaceAll(/\s+/g, " "), Number.POSITIVE_INFINITY, style);
  if (line === undefined || line.letters.length === 0) return null;
  return { ...line, style: { ...style, size_pt: Math.min(style.size_pt, most / lineWidth(line)) } };
}

function drawGround(sheet: Sheet, tone: Tone, { y, w, h }: { y: number; w: number; h: number }): void {
  const { side } = MARGIN_PT;
  sheet.add(ops(`q ${rgb(TINTS[tone])} rg`, side, y, w, h, `re f ${rgb(colorOf(tone))} rg`, side, y, BAR_PT, h, "re f Q"));
}

function drawFigure(sheet: Sheet, line: TextLine, place: { x: number; y: number; w: number }): void {
  drawLine(sheet, line, { ...place, align: line.rightToLeft ? "start" : "end" });
}
