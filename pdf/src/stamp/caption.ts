// The caption below a signature, in small print: name, time and reference, for readers of a printout. The full caption is also the text
// of the span, even if the area is too narrow to show it.

import { LINE_EM } from "@countersign/fields/fit";
import { pitchOf } from "./fit-text.ts";
import type { Fonts } from "./fonts.ts";
import { type Letter, RIGHT_TO_LEFT, type Shaped, shape, widthOf } from "./shape.ts";
import { type Box, reading, type Sheet, showLine, within } from "./sheet.ts";

export type Signing = { readonly name: string; readonly time: Date; readonly reference: string };

export type Caption = { readonly h_pt: number; readonly draw: (sheet: Sheet, box: Box) => void };

const SIZE_PT = 5;
// In a lower area, the signature itself needs the space.
const FROM_HEIGHT_PT = 20;
// The maximum share of the height for the caption, in as many lines as fit.
const MOST_OF_HEIGHT = 0.4;
const BASELINE_EM = 0.88;
const RIGHT_TO_LEFT_LETTER = /[\p{sc=Hebr}\p{sc=Arab}]/u;
const GREY = "0.3 g";

/** Null if the area is too low for a caption. */
export function prepareCaption(signing: Signing, { w, h }: Pick<Box, "w" | "h">, fonts: Fonts): Caption | null {
  if (h < FROM_HEIGHT_PT) return null;
  const parts = [signing.name, utcTime(signing.time), signing.reference].filter((part) => part !== "");
  const shown = parts.some((part) => RIGHT_TO_LEFT.test(part)) ? parts.map(isolated) : parts;
  const letters = (text: string): readonly Letter[] => shape(text, fonts).paragraphs.flatMap((paragraph) => paragraph.letters);
  const { pitch_pt, baseline_pt } = pitchOfCaption(shape(signing.name, fonts));
  const room = Math.max(1, Math.floor((MOST_OF_HEIGHT * h) / pitch_pt));
  const lines = divide(shown, room, (text) => widthOf(letters(text)) * SIZE_PT <= w);
  return {
    h_pt: lines.length * pitch_pt,
    draw(sheet, box) {
      const operators = lines.flatMap((line, index) => {
        const cut = cutToWidth(letters(line), letters("…"), w / SIZE_PT);
        return showLine(sheet, cut, { x: box.x, y: box.y + index * pitch_pt + baseline_pt, size: SIZE_PT });
      });
      sheet.add(within(box, [GREY, reading(parts.join(" · "), operators)]));
    },
  };
}

// Marks above and below the letters of a name need more space.
function pitchOfCaption(name: Shaped): { pitch_pt: number; baseline_pt: number } {
  const { line_em, baseline_em } = pitchOf(name);
  return { pitch_pt: line_em * SIZE_PT, baseline_pt: (line_em > LINE_EM ? baseline_em : BASELINE_EM) * SIZE_PT };
}

// Each part keeps its own direction and the caption reads from left to right. Without that, a Hebrew or Arabic name would turn the date
// after it around (UAX 9: first strong isolate, pop directional isolate).
const isolated = (part: string): string => `\u2068${part}\u2069`;

/** `2026-03-01 09:30:00 UTC`, unambiguous in every country. */
export const utcTime = (time: Date): string => `${time.toISOString().slice(0, 19).replace("T", " ")} UTC`;

// Uses as few lines as possible; if they run out, the rest goes into the last line. A right-to-left name has a line of its own if there
// is room: viewers that extract the text would read a mixed line from the wrong end.
function divide(parts: readonly string[], room: number, fits: (text: string) => boolean): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const longer = last === undefined ? part : `${last} · ${part}`;
    if (last !== undefined && ((fits(longer) && !RIGHT_TO_LEFT_LETTER.test(last)) || lines.length === room))
      lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

function cutToWidth(letters: readonly Letter[], dots: readonly Letter[], width: number): readonly Letter[] {
  if (widthOf(letters) <= width) return letters;
  let end = letters.length;
  while (end > 0 && widthOf(letters.slice(0, end)) + widthOf(dots) > width) end--;
  return [...letters.slice(0, end), ...dots];
}
