// Characters of a page that a screen reader skips, although they are in the file: white text that cannot be seen, transparent text, and
// recognized text of a scan where a field is. A scanned signature or a line of underscores must not sound like the content of a field,
// whose name and value are read instead.

import type { Area } from "./area.ts";
import { type DrawCalls, drawPage } from "./page-look.ts";

// The functions of PDFium that the wrapper contains but does not expose (fpdfview.h, fpdf_text.h, fpdf_edit.h).
export type CharCalls = DrawCalls & {
  _FPDF_GetPageWidth(page: number): number;
  _FPDF_GetPageHeight(page: number): number;
  _FPDF_PageToDevice(page: number, x: number, y: number, w: number, h: number, turn: number, ...point: readonly number[]): number;
  _FPDFText_CountChars(text: number): number;
  _FPDFText_GetTextObject(text: number, index: number): number;
  _FPDFTextObj_GetTextRenderMode(object: number): number;
  _FPDFText_GetFillColor(text: number, index: number, r: number, g: number, b: number, a: number): number;
  _FPDFText_GetStrokeColor(text: number, index: number, r: number, g: number, b: number, a: number): number;
  _FPDFText_GetCharBox(text: number, index: number, left: number, right: number, bottom: number, top: number): number;
};

const INVISIBLE = 3;
// Render modes that fill letters, and those that draw their outlines (ISO 32000-2, table 104).
const FILLS = new Set([0, 2, 4, 6]);
const OUTLINES = new Set([1, 2, 5, 6]);
// Of 255, as below.
const NEARLY_TRANSPARENT = 5;
// Of 255. Paper in a viewer is white, and what differs by less cannot be read on it.
const NEARLY_WHITE = 250;
// The longer side of the picture in which white text is looked up.
const SIDE = 1_200;

/** Marks the characters of a page that are skipped; null if none are. `areas` are the fields on the page. */
export function skippedChars(calls: CharCalls, page: number, text: number, areas: readonly Area[]): Uint8Array | null {
  const count = Math.max(0, calls._FPDFText_CountChars(text));
  const memory = calls.wasmExports.malloc(48);
  const place = placeOf(calls, page, memory);
  const skipped = new Uint8Array(count);
  let found = false;
  let picture: { readonly w: number; readonly h: number; readonly pixels: Uint8Array } | null = null;
  for (let i = 0; i < count; i++) {
    const object = calls._FPDFText_GetTextObject(text, i);
    const mode = object === 0 ? 0 : calls._FPDFTextObj_GetTextRenderMode(object);
    const isInvisible = mode === INVISIBLE;
    if (!isInvisible && isTransparent(calls, text, i, mode, memory)) {
      skipped[i] = 1;
      found = true;
      continue;
    }
    if (isInvisible ? areas.length === 0 : !isWhite(calls, text, i, memory)) continue;
    const box = boxOf(calls, text, i, memory, place);
    if (box === null) continue;
    if (!isInvisible) picture ??= drawn(calls, page);
    if (isInvisible ? areas.some((area) => isInside(box, area)) : picture !== null && isBlank(picture, box)) {
      skipped[i] = 1;
      found = true;
    }
  }
  calls.wasmExports.free(memory);
  return found ? skipped : null;
}

// Unlike the mode for invisible text, which is how scanners write what they recognized, transparency has no use but to hide text.
function isTransparent(calls: CharCalls, text: number, index: number, mode: number, memory: number): boolean {
  const paints = [
    ...(FILLS.has(mode) ? [calls._FPDFText_GetFillColor] : []),
    ...(OUTLINES.has(mode) ? [calls._FPDFText_GetStrokeColor] : []),
  ];
  const alphas = paints.map((read) => {
    const isKnown = read(text, index, memory, memory + 4, memory + 8, memory + 12) !== 0;
    return isKnown ? new DataView(calls.HEAPU8.buffer, memory + 12, 4).getUint32(0, true) : 255;
  });
  return alphas.length > 0 && alphas.every((alpha) => alpha <= NEARLY_TRANSPARENT);
}

function isWhite(calls: CharCalls, text: number, index: number, memory: number): boolean {
  if (calls._FPDFText_GetFillColor(text, index, memory, memory + 4, memory + 8, memory + 12) === 0) return false;
  const color = new DataView(calls.HEAPU8.buffer, memory, 16);
  return [0, 4, 8].every((channel) => color.getUint32(channel, true) >= NEARLY_WHITE);
}

/** In fractions of the displayed page, from its top left corner. */
type Fractions = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
type Place = (x: number, y: number) => readonly [number, number];

// Device units across the page: the precision of a fraction.
const DEVICE = 1_000_000;

function placeOf(calls: CharCalls, page: number, memory: number): Place {
  return (x, y) => {
    calls._FPDF_PageToDevice(page, 0, 0, DEVICE, DEVICE, 0, x, y, memory + 32, memory + 36);
    const point = new DataView(calls.HEAPU8.buffer, memory + 32, 8);
    return [point.getInt32(0, true) / DEVICE, point.getInt32(4, true) / DEVICE];
  };
}

function boxOf(calls: CharCalls, text: number, index: number, memory: number, place: Place): Fractions | null {
  if (calls._FPDFText_GetCharBox(text, index, memory, memory + 8, memory + 16, memory + 24) === 0) return null;
  const corners = new DataView(calls.HEAPU8.buffer, memory, 32);
  const [left, right, bottom, top] = [0, 8, 16, 24].map((at) => corners.getFloat64(at, true)) as [number, number, number, number];
  const [a, b] = [place(left, bottom), place(right, top)];
  return { left: Math.min(a[0], b[0]), top: Math.min(a[1], b[1]), right: Math.max(a[0], b[0]), bottom: Math.max(a[1], b[1]) };
}

/** Whether the middle of the character is in the area. */
function isInside({ left, top, right, bottom }: Fractions, { x, y, w, h }: Area): boolean {
  const [across, down] = [(left + right) / 2, (top + bottom) / 2];
  return across >= x && across <= x + w && down >= y && down <= y + h;
}

function drawn(calls: CharCalls, page: number): { w: number; h: number; pixels: Uint8Array } {
  const [width, height] = [calls._FPDF_GetPageWidth(page), calls._FPDF_GetPageHeight(page)];
  const scale = SIDE / Math.max(width, height, 1);
  const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  return { w, h, pixels: drawPage(calls, page, w, h) };
}

/** Whether everything around the character is white, so that white text cannot be seen there. */
function isBlank({ w, h, pixels }: { readonly w: number; readonly h: number; readonly pixels: Uint8Array }, box: Fractions): boolean {
  const columns = [Math.max(0, Math.floor(box.left * w)), Math.min(w - 1, Math.ceil(box.right * w))] as const;
  const rows = [Math.max(0, Math.floor(box.top * h)), Math.min(h - 1, Math.ceil(box.bottom * h))] as const;
  for (let y = rows[0]; y <= rows[1]; y++) {
    for (let x = columns[0]; x <= columns[1]; x++) {
      const at = 4 * (y * w + x);
      for (let channel = at; channel < at + 3; channel++) if ((pixels[channel] ?? 255) < NEARLY_WHITE) return false;
    }
  }
  return true;
}
