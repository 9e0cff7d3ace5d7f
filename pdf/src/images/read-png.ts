// Converts a PNG (ISO/IEC 15948) to an image XObject. PDF's Flate filter with predictor 15 is the same as PNG's coding, so the data of an
// opaque image is copied; only transparency and interlacing need decoding. All chunks except the few named here are dropped, and so is
// anything after IEND or after the end of the compressed data.

import { crc32, createInflate, deflateSync, inflateSync } from "node:zlib";
import { UnreadablePdf } from "../errors.ts";
import { assertImageSize, broken, type Image, type ImageObject, type Resolution } from "./image.ts";
import { decodePixels, type Layout, rowBytes } from "./png-pixels.ts";

// Decoding keeps all pixels in memory, up to 8 bytes each.
const MAX_DECODED_PIXELS = 24_000_000;

const SIGNATURE_BYTES = 8;
const METRES_PER_INCH = 0.0254;

const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const depthsOf: Readonly<Record<number, readonly number[]>> = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] };

type Chunks = {
  readonly header: Buffer;
  readonly palette: Buffer | null;
  readonly transparency: Buffer | null;
  readonly resolution: Resolution | null;
  readonly data: Buffer;
};

/** Throws UnreadablePdf if the file is damaged or too large; checks the size first. */
export async function readPng(bytes: Uint8Array): Promise<Image> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (file.length < 29) throw broken("a PNG without a header");
  assertImageSize(file.readUInt32BE(16), file.readUInt32BE(20));
  const chunks = readChunks(file);
  const layout = readLayout(chunks);
  const alpha = layout.color === 4 || layout.color === 6 || layout.transparency !== null;
  const object = alpha || layout.interlaced ? decoded(chunks, layout) : await passedThrough(chunks, layout);
  return { width: layout.width, height: layout.height, resolution: chunks.resolution, orientation: 1, object };
}

/** The same picture without invisible data: texts, locations, times, additional frames. Throws like `readPng`. */
export async function rewritePng(
  bytes: Uint8Array,
): Promise<{ readonly bytes: Uint8Array; readonly width: number; readonly height: number }> {
  const { width, height } = await readPng(bytes);
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const { header, palette, transparency, data } = readChunks(file);
  const parts = [file.subarray(0, SIGNATURE_BYTES), writeChunk("IHDR", header)];
  if (palette !== null) parts.push(writeChunk("PLTE", palette));
  if (transparency !== null) parts.push(writeChunk("tRNS", transparency));
  parts.push(writeChunk("IDAT", data), writeChunk("IEND", Buffer.alloc(0)));
  return { bytes: new Uint8Array(Buffer.concat(parts)), width, height };
}

// Paper is never completely white in a photograph; anything lighter than this does not count as ink.
const INK_BELOW = 235;
const INK_ALPHA = 24;

/** Whether the image would be invisible on paper: transparent, or as light as the page. Throws like `readPng`. */
export function isBlankPng(bytes: Uint8Array): boolean {
  const chunks = readChunks(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  const { samples, channels, alpha } = decodePixels((length) => inflateExactly(chunks.data, length), readLayout(chunks));
  for (let pixel = 0; pixel * channels < samples.length; pixel++) {
    if (alpha !== null && (alpha[pixel] ?? 0) < INK_ALPHA) continue;
    for (let channel = 0; channel < channels; channel++) if ((samples[pixel * channels + channel] ?? 0) < INK_BELOW) return false;
  }
  return true;
}

function writeChunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), body]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, check]);
}

function readChunks(file: Buffer): Chunks {
  const found = new Map<string, Buffer>();
  const data: Buffer[] = [];
  let at = SIGNATURE_BYTES;
  for (;;) {
    const { type, body, next } = readChunk(file, at);
    if (at === SIGNATURE_BYTES && type !== "IHDR") throw broken("a PNG that does not begin with its header");
    if (type === "IEND") break;
    if (type === "IDAT") data.push(body);
    else if (isCritical(type) && (found.has(type) || !["IHDR", "PLTE"].includes(type)))
      throw broken("a PNG with an unknown or repeated part");
    else if (["IHDR", "PLTE", "tRNS", "pHYs"].includes(type)) found.set(type, body);
    at = next;
  }
  const header = found.get("IHDR");
  if (header === undefined || header.length !== 13 || data.length === 0) throw broken("a PNG without header or data");
  return {
    header,
    palette: found.get("PLTE") ?? null,
    transparency: found.get("tRNS") ?? null,
    resolution: resolutionOf(found.get("pHYs")),
    data: Buffer.concat(data),
  };
}

function readChunk(file: Buffer, at: number): { type: string; body: Buffer; next: number } {
  if (at + 12 > file.length) throw broken("a PNG that ends too early");
  const end = at + 8 + file.readUInt32BE(at);
  if (end + 4 > file.length) throw broken("a PNG that ends too early");
  if (crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) throw broken("a PNG with a wrong checksum");
  return { type: file.toString("latin1", at + 4, at + 8), body: file.subarray(at + 8, end), next: end + 4 };
}

// An upper-case first letter marks a critical chunk, without which the image cannot be shown.
const isCritical = (type: string): boolean => /^[A-Z]/.test(type);

function resolutionOf(body: Buffer | undefined): Resolution | null {
  if (body === undefined || body.length !== 9 || body[8] !== 1) return null;
  return { x: body.readUInt32BE(0) * METRES_PER_INCH, y: body.readUInt32BE(4) * METRES_PER_INCH };
}

function readLayout({ header, palette, transparency }: Chunks): Layout {
  const [depth = 0, color = 0, compression, filter, interlace = 9] = header.subarray(8);
  const channels = channelsOf[color];
  if (channels === undefined || !depthsOf[color]?.includes(depth)) throw broken("a PNG with an unknown colour type");
  if (compression !== 0 || filter !== 0 || interlace > 1) throw broken("a PNG with an unknown coding");
  const isIndexed = color === 3;
  if (isIndexed && (palette === null || palette.length === 0 || palette.length % 3 !== 0 || palette.length > 768))
    throw broken("a PNG without a palette");
  const keyBytes = color === 0 ? 2 : 6;
  const fits = transparency !== null && (isIndexed ? transparency.length <= 256 : color <= 2 && transparency.length === keyBytes);
  return {
    width: header.readUInt32BE(0),
    height: header.readUInt32BE(4),
    depth,
    color,
    channels,
    interlaced: interlace === 1,
    palette: isIndexed ? palette : null,
    transparency: fits ? transparency : null,
  };
}

async function passedThrough({ data }: Chunks, layout: Layout): Promise<ImageObject> {
  const { width, depth, channels } = layout;
  const length = await checkedLength(data, rowBytes(layout, width) + 1, layout.height);
  const parameters = `/Predictor 15 /Colors ${channels} /BitsPerComponent ${depth} /Columns ${width}`;
  return {
    dict: `/ColorSpace ${colorSpace(layout)} /BitsPerComponent ${depth} /Filter /FlateDecode /DecodeParms << ${parameters} >>`,
    data: new Uint8Array(data.subarray(0, length)),
  };
}

function colorSpace({ color, palette }: Layout): string {
  if (palette === null) return color === 0 ? "/DeviceGray" : "/DeviceRGB";
  return `[/Indexed /DeviceRGB ${palette.length / 3 - 1} <${palette.toString("hex")}>]`;
}

/**
 * The number of bytes of `data` that make up exactly `rows` rows, each with a valid filter. Inflates piece by piece, so that the pixels
 * of a large scan are never all in memory.
 */
async function checkedLength(data: Buffer, row: number, rows: number): Promise<number> {
  const inflate = createInflate();
  inflate.end(data);
  let seen = 0;
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      for (let at = (row - (seen % row)) % row; at < chunk.length; at += row) {
        if ((chunk[at] ?? 0) > 4) throw broken("a PNG with an unknown filter");
      }
      seen += chunk.length;
      if (seen > row * rows) throw broken("a PNG with more data than its size says");
    }
  } catch (cause) {
    throw cause instanceof UnreadablePdf ? cause : broken("a PNG whose data cannot be read", cause);
  } finally {
    inflate.destroy();
  }
  if (seen !== row * rows) throw broken("a PNG with less data than its size says");
  return inflate.bytesWritten;
}

function decoded({ data }: Chunks, layout: Layout): ImageObject {
  const { width, height } = layout;
  if (width * height > MAX_DECODED_PIXELS) {
    throw new UnreadablePdf("too_complex", `an image with transparency or interlacing of more than ${MAX_DECODED_PIXELS / 1e6} megapixels`);
  }
  const { samples, channels, alpha } = decodePixels((length) => inflateExactly(data, length), layout);
  const mask = alpha === null ? {} : { mask: flate(alpha, width, 1) };
  return { ...flate(samples, width, channels), ...mask };
}

function inflateExactly(data: Buffer, length: number): Uint8Array {
  let bytes: Buffer;
  try {
    bytes = inflateSync(data, { maxOutputLength: length });
  } catch (cause) {
    throw broken("a PNG whose data cannot be read, or is more than its size says", cause);
  }
  if (bytes.length !== length) throw broken("a PNG with less data than its size says");
  return bytes;
}

// Stores each row as the difference to the row above (filter 2): flat areas, common in images with transparency, become zeros.
function flate(samples: Uint8Array, width: number, channels: number): ImageObject {
  const row = width * channels;
  const rows = samples.length / row;
  const filtered = new Uint8Array(samples.length + rows);
  for (let y = 0; y < rows; y++) {
    filtered[y * (row + 1)] = 2;
    for (let x = 0; x < row; x++) {
      const above = y === 0 ? 0 : (samples[(y - 1) * row + x] ?? 0);
      filtered[y * (row + 1) + 1 + x] = (samples[y * row + x] ?? 0) - above;
    }
  }
  const parameters = `/Predictor 15 /Colors ${channels} /BitsPerComponent 8 /Columns ${width}`;
  const space = channels === 1 ? "/DeviceGray" : "/DeviceRGB";
  return {
    dict: `/ColorSpace ${space} /BitsPerComponent 8 /Filter /FlateDecode /DecodeParms << ${parameters} >>`,
    data: new Uint8Array(deflateSync(filtered)),
  };
}
