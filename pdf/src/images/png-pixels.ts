// Decodes a PNG to 8-bit samples, for images that PDF cannot contain as they are: with transparency, or interlaced in the seven passes of
// Adam7 (ISO/IEC 15948, clauses 8 and 9).

import { broken } from "./image.ts";

export type Layout = {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly color: number;
  readonly channels: number;
  readonly interlaced: boolean;
  readonly palette: Buffer | null;
  /** tRNS: alpha by palette index, or the single transparent grey or colour. */
  readonly transparency: Buffer | null;
};

export type Decoded = {
  readonly samples: Uint8Array;
  readonly channels: 1 | 3;
  /** Null if every pixel is opaque. */
  readonly alpha: Uint8Array | null;
};

type Pass = { readonly x: number; readonly y: number; readonly dx: number; readonly dy: number };

const WHOLE: readonly Pass[] = [{ x: 0, y: 0, dx: 1, dy: 1 }];
const ADAM7: readonly Pass[] = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
];

/** Bytes of a row of `width` pixels, without its filter byte. */
export const rowBytes = ({ depth, channels }: Layout, width: number): number => Math.ceil((width * depth * channels) / 8);

/** `inflate` returns exactly the requested number of bytes, or throws. */
export function decodePixels(inflate: (length: number) => Uint8Array, layout: Layout): Decoded {
  const passes = (layout.interlaced ? ADAM7 : WHOLE)
    .map((pass) => ({ ...pass, ...sizeOf(pass, layout) }))
    .filter(({ w, h }) => w > 0 && h > 0);
  const length = passes.reduce((sum, { w, h }) => sum + h * (rowBytes(layout, w) + 1), 0);
  const data = inflate(length);
  const target = makeTarget(layout);
  let at = 0;
  for (const pass of passes) {
    const row = rowBytes(layout, pass.w);
    unfilter(data.subarray(at, at + pass.h * (row + 1)), row, Math.max(1, (layout.depth * layout.channels) >> 3));
    for (let y = 0; y < pass.h; y++) {
      const start = at + y * (row + 1) + 1;
      target.putRow(data.subarray(start, start + row), pass, (pass.y + y * pass.dy) * layout.width, pass.w);
    }
    at += pass.h * (row + 1);
  }
  return target.finish();
}

function sizeOf({ x, y, dx, dy }: Pass, { width, height }: Layout): { w: number; h: number } {
  return { w: Math.ceil((width - x) / dx), h: Math.ceil((height - y) / dy) };
}

// Works in place; `unit` is the distance to the pixel on the left. Bytes outside the image count as 0.
function unfilter(rows: Uint8Array, row: number, unit: number): void {
  for (let start = 0; start < rows.length; start += row + 1) {
    const filter = rows[start] ?? 0;
    if (filter > 4) throw broken("a PNG with an unknown filter");
    if (filter === 0) continue;
    const hasAbove = start > 0;
    for (let x = 0; x < row; x++) {
      const at = start + 1 + x;
      const left = x >= unit ? (rows[at - unit] ?? 0) : 0;
      const above = hasAbove ? (rows[at - row - 1] ?? 0) : 0;
      const corner = hasAbove && x >= unit ? (rows[at - row - 1 - unit] ?? 0) : 0;
      rows[at] = (rows[at] ?? 0) + predicted(filter, left, above, corner);
    }
  }
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const [toLeft, toAbove, toCorner] = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

type Target = { putRow(row: Uint8Array, pass: Pass, rowStart: number, count: number): void; finish(): Decoded };

function makeTarget(layout: Layout): Target {
  const { width, height, palette } = layout;
  const channels = layout.color === 0 || layout.color === 4 ? 1 : 3;
  const samples = new Uint8Array(width * height * channels);
  const alpha = new Uint8Array(width * height);
  const sampleOf = sampleReader(layout);
  const alphaOf = alphaReader(layout, sampleOf);
  const putColor = (row: Uint8Array, i: number, at: number): void => {
    if (palette === null) {
      for (let c = 0; c < channels; c++) samples[at * channels + c] = to8Bits(sampleOf(row, i * layout.channels + c), layout.depth);
      return;
    }
    const entry = 3 * sampleOf(row, i);
    if (entry >= palette.length) throw broken("a PNG with a colour outside its palette");
    for (let c = 0; c < 3; c++) samples[at * 3 + c] = palette[entry + c] ?? 0;
  };
  return {
    putRow: (row, pass, rowStart, count) => {
      for (let i = 0; i < count; i++) {
        const at = rowStart + pass.x + i * pass.dx;
        putColor(row, i, at);
        alpha[at] = alphaOf(row, i);
      }
    },
    finish: () => ({ samples, channels, alpha: alpha.every((value) => value === 255) ? null : alpha }),
  };
}

// Sample n of a row, in the image's own depth.
function sampleReader({ depth }: Layout): (row: Uint8Array, n: number) => number {
  if (depth === 8) return (row, n) => row[n] ?? 0;
  if (depth === 16) return (row, n) => ((row[2 * n] ?? 0) << 8) | (row[2 * n + 1] ?? 0);
  const mask = (1 << depth) - 1;
  return (row, n) => {
    const bit = n * depth;
    return ((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & mask;
  };
}

// Scales so that the brightest value is 255 (ISO/IEC 15948, 13.12).
const to8Bits = (sample: number, depth: number): number => (depth === 8 ? sample : Math.round((sample * 255) / ((1 << depth) - 1)));

function alphaReader(layout: Layout, sampleOf: (row: Uint8Array, n: number) => number): (row: Uint8Array, i: number) => number {
  const { color, channels, depth, transparency } = layout;
  if (color === 4 || color === 6) return (row, i) => to8Bits(sampleOf(row, i * channels + channels - 1), depth);
  if (transparency === null) return () => 255;
  if (color === 3) return (row, i) => transparency[sampleOf(row, i)] ?? 255;
  // Compares in the image's own depth: in 8 bits, similar colours would become transparent too.
  const key = Array.from({ length: channels }, (_, c) => transparency.readUInt16BE(2 * c));
  return (row, i) => (key.every((value, c) => sampleOf(row, i * channels + c) === value) ? 0 : 255);
}
