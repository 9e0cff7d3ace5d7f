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

/** `across` is the distance of the baseline from the origin, across the writing direction. */
type Line = { readonly text: string; readonly size: number; readonly across: number; readonly breaksWord: boolean };

const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
// PDFium's character for a hyphen at the end of a line.
const WORD_BREAK = 0x02;

// Single-spaced lines are 1.1-1.5 font sizes apart; the end of a paragraph adds at least half a line.
const MAX_LINE_STEP = 1.75;
const SIZE_CHANGE = 1.2;

/** Reads the blocks and closes the page. `fields` are the areas of fields on the page, whose recognized text is not read. */
export function readBlocks(page: PDFiumPage, fields: readonly Area[]): string[] {
  const { module: calls, pageIdx } = page as unknown as { module: TextCalls; pageIdx: number };
  const text = calls._FPDFText_LoadPage(pageIdx);
  const lines = text === 0 ? [] : readLines(calls, text, skippedChars(calls, pageIdx, text, fields));
  if (text !== 0) calls._FPDFText_ClosePage(text);
  calls._FPDF_ClosePage(pageIdx);
  return join(lines);
}

function readLines(calls: TextCalls, text: number, skipped: Uint8Array | null): Line[] {
  const lines: Line[] = [];
  const count = calls._FPDFText_CountChars(text);
  let start = 0;
  for (let i = 0; i <= count; i++) {
    const code = i === count ? LINE_FEED : calls._FPDFText_GetUnicode(text, i);
    if (code !== LINE_FEED && code !== CARRIAGE_RETURN && code !== WORD_BREAK) continue;
    const line = readLine(calls, text, start, i, skipped);
    if (line !== null) lines.push({ ...line, breaksWord: code === WORD_BREAK });
    start = i + 1;
  }
  return lines;
}

function readLine(calls: TextCalls, text: number, from: number, to: number, skipped: Uint8Array | null): Omit<Line, "breaksWord"> | null {
  let content = "";
  for (let i = from; i < to; i++) content += skipped?.[i] === 1 ? " " : characterOf(calls._FPDFText_GetUnicode(text, i));
  const trimmed = content.replaceAll(/\s+/g, " ").trim();
  if (trimmed === "") return null;
  return { text: trimmed, size: calls._FPDFText_GetFontSize(text, from), across: baseline(calls, text, from) };
}

// Meaningless characters (U+0000, U+FFFE, U+FFFF) would be read aloud as noise.
const characterOf = (code: number): string =>
  code === 0 || code === 0xfffe || code === 0xffff || code > 0x10ffff ? "" : String.fromCodePoint(code);

function baseline(calls: TextCalls, text: number, index: number): number {
  const pointer = calls.wasmExports.malloc(16);
  calls._FPDFText_GetCharOrigin(text, index, pointer, pointer + 8);
  const view = new DataView(calls.HEAPU8.buffer, pointer, 16);
  const [x, y] = [view.getFloat64(0, true), view.getFloat64(8, true)];
  calls.wasmExports.free(pointer);
  const angle = calls._FPDFText_GetCharAngle(text, index);
  return y * Math.cos(angle) - x * Math.sin(angle);
}

function join(lines: readonly Line[]): string[] {
  const blocks: string[] = [];
  for (const [i, line] of lines.entries()) {
    const above = lines[i - 1];
    if (above === undefined || !belongTogether(above, line)) blocks.push(line.text);
    else blocks.push(`${blocks.pop()}${above.breaksWord ? "" : " "}${line.text}`);
  }
  return blocks;
}

function belongTogether(above: Line, line: Line): boolean {
  if (above.breaksWord) return true;
  const ratio = above.size / line.size;
  const step = Math.abs(above.across - line.across);
  return ratio < SIZE_CHANGE && ratio > 1 / SIZE_CHANGE && step < MAX_LINE_STEP * line.size;
}
