// Encodes page images as small PNGs (ISO/IEC 15948) with node:zlib. Pages are mostly black on white: 16 greys show anti-aliased text as
// well as 256, and coloured pages use one fixed palette. Photographs would be posterised; they are sent as WebP (render.ts).

import { crc32, deflateSync } from "node:zlib";

export type Pixels = { readonly w: number; readonly h: number /** RGBA. */; readonly rgba: Uint8Array };

// Channels that differ by at most this look grey: JPEG scans of paper are never completely neutral.
const GREY_SPREAD = 4;

// 6 × 6 × 6 colours and 40 greys: 256.
const CUBE = 6;
const GREYS = 40;
const GREYS_FROM = CUBE ** 3;
const STEP = 255 / (CUBE - 1);

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const GREY = 0;
const INDEXED = 3;
// Level 9 saves 2 % but takes twice the time.
const LEVEL = 6;

/** A PNG with 4-bit greys if the page has no colour, otherwise with an 8-bit palette. */
export function encodePng(pixels: Pixels): Uint8Array {
  if (isGrey(pixels)) return write(pixels, { depth: 4, color: GREY, rows: greyRows(pixels) });
  return write(pixels, { depth: 8, color: INDEXED, rows: paletteRows(pixels) });
}

function isGrey({ rgba }: Pixels): boolean {
  for (let at = 0; at < rgba.length; at += 4) {
    const [r, g, b] = [rgba[at] as number, rgba[at + 1] as number, rgba[at + 2] as number];
    if (
      r - g > GREY_SPREAD ||
      g - r > GREY_SPREAD ||
      r - b > GREY_SPREAD ||
      b - r > GREY_SPREAD ||
      g - b > GREY_SPREAD ||
      b - g > GREY_SPREAD
    ) {
      return false;
    }
  }
  return true;
}

// Two pixels per byte, the left one in the high half. Filter 0, because with so few values differences compress worse.
function greyRows({ w, h, rgba }: Pixels): Uint8Array {
  const row = 1 + ((w + 1) >> 1);
  const rows = new Uint8Array(row * h);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const grey = (rgba[(y * w + x) * 4 + 1] as number) + 8;
      const level = grey > 255 ? 15 : (grey / 17) | 0;
      const at = y * row + 1 + (x >> 1);
      rows[at] = (rows[at] as number) | (x & 1 ? level : level << 4);
    }
  }
  return rows;
}

function paletteRows({ w, h, rgba }: Pixels): Uint8Array {
  const rows = new Uint8Array((w + 1) * h);
  let [last, index] = [-1, 0];
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const at = (y * w + x) * 4;
      const [r, g, b] = [rgba[at] as number, rgba[at + 1] as number, rgba[at + 2] as number];
      const color = (r << 16) | (g << 8) | b;
      if (color !== last) index = nearest(r, g, b);
      last = color;
      rows[y * (w + 1) + 1 + x] = index;
    }
  }
  return rows;
}

// The nearer of the nearest colour and the nearest grey.
function nearest(r: number, g: number, b: number): number {
  const [i, j, k] = [((r + STEP / 2) / STEP) | 0, ((g + STEP / 2) / STEP) | 0, ((b + STEP / 2) / STEP) | 0];
  const grey = (((r + g + b) * (GREYS - 1)) / 765 + 0.5) | 0;
  const level = (grey * 255) / (GREYS - 1);
  const toColor = (r - i * STEP) ** 2 + (g - j * STEP) ** 2 + (b - k * STEP) ** 2;
  const toGrey = (r - level) ** 2 + (g - level) ** 2 + (b - level) ** 2;
  return toGrey < toColor ? GREYS_FROM + grey : (i * CUBE + j) * CUBE + k;
}

function palette(): Uint8Array {
  const steps = Array.from({ length: CUBE }, (_, i) => i * STEP);
  const colors = steps.flatMap((r) => steps.flatMap((g) => steps.flatMap((b) => [r, g, b])));
  const greys = Array.from({ length: GREYS }, (_, i) => Math.round((i * 255) / (GREYS - 1))).flatMap((level) => [level, level, level]);
  return Uint8Array.from([...colors, ...greys]);
}

function write({ w, h }: Pixels, { depth, color, rows }: { depth: number; color: number; rows: Uint8Array }): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(w, 0);
  header.writeUInt32BE(h, 4);
  header.set([depth, color, 0, 0, 0], 8);
  const parts = [SIGNATURE, chunk("IHDR", header)];
  if (color === INDEXED) parts.push(chunk("PLTE", palette()));
  parts.push(chunk("IDAT", deflateSync(rows, { level: LEVEL })), chunk("IEND", new Uint8Array()));
  return new Uint8Array(Buffer.concat(parts));
}

function chunk(type: string, body: Uint8Array): Buffer {
  const framed = Buffer.alloc(body.length + 12);
  framed.writeUInt32BE(body.length, 0);
  framed.write(type, 4, "latin1");
  framed.set(body, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, 8 + body.length)), 8 + body.length);
  return framed;
}
