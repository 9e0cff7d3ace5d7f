// Reads the text of a page in blocks. PDFium returns characters in reading order with a break after each line; consecutive lines of the
// same size at normal distance form a block.

import type { PDFiumPage } from "@hyzyla/pdfium";
import type { Area } from "./area.ts";
import { type CharCalls, skippedChars } from "./skipped-text.ts";

// The functions of PDFium that the wrapper contains but does not expose (fpdf_text.h).
type TextCalls = CharCalls & {
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(text: number): void;
  _FPDFText_GetUnicode(text: number, index: number): number;
  _FPDFText_GetFontSize(text: number, index: number): number;
  _FPDFText_GetCharAngle(text: number, index: number): number;
  _FPDFText_GetCharOrigin(text: number, index: number, x: number, y: number): number;
  _FPDF_ClosePage(page: number): void;
};

/** A paragraph or a separate line. `top` is where its first baseline is on the displayed page: 0 at the top edge, 1 at the bottom. */
export type Block = { readonly text: string; readonly top: number; readonly is_heading: boolean };

/** `across` is the distance of the baseline from the origin, across the writing direction. */
type Line = {
  readonly text: string;
  readonly size: number;
  readonly across: number;
  readonly top: number;
  readonly breaksWord: boolean;
};

const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
// PDFium's character for a hyphen at the end of a line.
const WORD_BREAK = 0x02;

// Single-spaced lines are 1.1-1.5 font sizes apart; the end of a paragraph adds at least half a line.
const MAX_LINE_STEP = 1.75;
const SIZE_CHANGE = 1.2;
// Longer lines in large type are text for easier reading.
const LONGEST_HEADING = 150;
// Device units down the page: the precision of `top`.
const DEVICE = 1_000_000;

/** Reads the blocks and closes the page. `fields` are the areas of fields on the page, whose recognized text is not read. */
export function readBlocks(page: PDFiumPage, fields: readonly Area[]): Block[] {
  const { module: calls, pageIdx } = page as unknown as { module: TextCalls; pageIdx: number };
  const text = calls._FPDFText_LoadPage(pageIdx);
  const lines = text === 0 ? [] : readLines(calls, pageIdx, text, skippedChars(calls, pageIdx, text, fields));
  if (text !== 0) calls._FPDFText_ClosePage(text);
  calls._FPDF_ClosePage(pageIdx);
  return blocksOf(lines);
}

function readLines(calls: TextCalls, page: number, text: number, skipped: Uint8Array | null): Line[] {
  const lines: Line[] = [];
  const count = calls._FPDFText_CountChars(text);
  let start = 0;
  for (let i = 0; i <= count; i++) {
    const code = i === count ? LINE_FEED : calls._FPDFText_GetUnicode(text, i);
    if (code !== LINE_FEED && code !== CARRIAGE_RETURN && code !== WORD_BREAK) continue;
    const line = readLine(calls, page, text, start, i, skipped);
    if (line !== null) lines.push({ ...line, breaksWord: code === WORD_BREAK });
    start = i + 1;
  }
  return lines;
}

function readLine(
  calls: TextCalls,
  page: number,
  text: number,
  from: number,
  to: number,
  skipped: Uint8Array | null,
): Omit<Line, "breaksWord"> | null {
  let content = "";
  for (let i = from; i < to; i++) content += skipped?.[i] === 1 ? " " : characterOf(calls._FPDFText_GetUnicode(text, i));
  const trimmed = content.replaceAll(/\s+/g, " ").trim();
  if (trimmed === "") return null;
  return { text: trimmed, size: calls._FPDFText_GetFontSize(text, from), ...baseline(calls, page, text, from) };
}

// Meaningless characters (U+0000, U+FFFE, U+FFFF) would be read aloud as noise.
const characterOf = (code: number): string =>
  code === 0 || code === 0xfffe || code === 0xffff || code > 0x10ffff ? "" : String.fromCodePoint(code);

function baseline(calls: TextCalls, page: number, text: number, index: number): Pick<Line, "across" | "top"> {
  const pointer = calls.wasmExports.malloc(24);
  calls._FPDFText_GetCharOrigin(text, index, pointer, pointer + 8);
  const view = new DataView(calls.HEAPU8.buffer, pointer, 24);
  const [x, y] = [view.getFloat64(0, true), view.getFloat64(8, true)];
  calls._FPDF_PageToDevice(page, 0, 0, DEVICE, DEVICE, 0, x, y, pointer + 16, pointer + 20);
  const down = new DataView(calls.HEAPU8.buffer, pointer + 20, 4).getInt32(0, true);
  calls.wasmExports.free(pointer);
  const angle = calls._FPDFText_GetCharAngle(text, index);
  return { across: y * Math.cos(angle) - x * Math.sin(angle), top: Math.min(1, Math.max(0, down / DEVICE)) };
}

function blocksOf(lines: readonly Line[]): Block[] {
  const usual = usualSize(lines);
  const blocks: Block[] = [];
  for (const [i, line] of lines.entries()) {
    const above = lines[i - 1];
    const last = blocks.at(-1);
    const isHeading = line.size > usual * SIZE_CHANGE;
    if (above === undefined || last === undefined || !belongTogether(above, line))
      blocks.push({ text: line.text, top: line.top, is_heading: isHeading });
    else blocks[blocks.length - 1] = { ...last, text: `${last.text}${above.breaksWord ? "" : " "}${line.text}` };
  }
  return blocks.map((block) => ({ ...block, is_heading: block.is_heading && block.text.length <= LONGEST_HEADING }));
}

/** The size of most of the page's characters. */
function usualSize(lines: readonly Line[]): number {
  const counts = new Map<number, number>();
  for (const { size, text } of lines) counts.set(size, (counts.get(size) ?? 0) + text.length);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}

function belongTogether(above: Line, line: Line): boolean {
  if (above.breaksWord) return true;
  const ratio = above.size / line.size;
  const step = Math.abs(above.across - line.across);
  return ratio < SIZE_CHANGE && ratio > 1 / SIZE_CHANGE && step < MAX_LINE_STEP * line.size;
}
