// Converts a JPEG (ITU-T T.81) to an image XObject. The pixels are not decoded, because PDF supports JPEG data directly. The file is
// rewritten with only the segments that decoding needs, so comments, EXIF with its locations, thumbnails and trailing data are dropped.

import { readExif } from "./exif.ts";
import { assertImageSize, broken, type Image, type Orientation, type Resolution } from "./image.ts";

type Frame = { readonly width: number; readonly height: number; readonly components: readonly number[] };

type Found = {
  readonly kept: Buffer[];
  frame: Frame | null;
  hasScan: boolean;
  hasAdobe: boolean;
  hasJfif: boolean;
  jfifResolution: Resolution | null;
  exif: { readonly orientation: Orientation; readonly resolution: Resolution | null } | null;
};

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
// Huffman tables, quantization tables, restart interval.
const TABLES: ReadonlySet<number> = new Set([0xc4, 0xdb, 0xdd]);
// Baseline, extended, progressive. Lossless, hierarchical and arithmetic coding are not part of PDF's DCT filter.
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);

// The length of Adobe's marker: name, version, flags and colour transform. Nothing beyond that is copied.
const ADOBE_BYTES = 12;

const CENTIMETRES_PER_INCH = 2.54;

/** Throws UnreadablePdf if the file is damaged, too large, or of a kind that PDF does not support. */
export function readJpeg(bytes: Uint8Array): Image {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const found: Found = { kept: [], frame: null, hasScan: false, hasAdobe: false, hasJfif: false, jfifResolution: null, exif: null };
  let at = 2; // after SOI
  for (;;) {
    const marker = markerAt(file, at);
    at = marker.next;
    if (marker.code === EOI) break;
    at = readSegment(file, marker.code, at, found);
  }
  const { frame } = found;
  if (frame === null || !found.hasScan) throw broken("a JPEG without an image");
  const data = Buffer.concat([Buffer.of(0xff, SOI), ...colorMarker(frame, found), ...found.kept, Buffer.of(0xff, EOI)]);
  return {
    width: frame.width,
    height: frame.height,
    resolution: found.jfifResolution ?? found.exif?.resolution ?? null,
    orientation: found.exif?.orientation ?? 1,
    object: { dict: dictionary(frame, found), data: new Uint8Array(data) },
  };
}

// Any number of FF bytes may precede a marker code, and some cameras leave a few bytes between segments. They are skipped, as in every
// decoder, and not copied.
function markerAt(file: Buffer, from: number): { code: number; next: number } {
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const code = file[at + 1];
    if (code !== undefined && code !== 0 && code !== 0xff) return { code, next: at + 2 };
  }
  throw broken("a JPEG that ends too early");
}

function readSegment(file: Buffer, code: number, at: number, found: Found): number {
  const length = at + 2 <= file.length ? file.readUInt16BE(at) : 0;
  const end = at + length;
  if (length < 2 || end > file.length) throw broken("a JPEG that ends too early");
  const body = file.subarray(at + 2, end);
  const segment = file.subarray(at - 2, end);
  if (isFrame(code)) found.frame = readFrame(code, body, found.frame);
  if (code === SOS) {
    if (found.frame === null) throw broken("a JPEG whose pixels come before its size");
    found.hasScan = true;
    const scanEnd = endOfScan(file, end);
    found.kept.push(segment, file.subarray(end, scanEnd));
    return scanEnd;
  }
  if (FRAMES.has(code) || TABLES.has(code) || isColorProfile(code, body)) found.kept.push(segment);
  if (isAdobe(code, body)) found.kept.push(adobeMarker(body));
  noteApplicationData(code, body, found);
  return end;
}

// SOF0-15 except DHT, JPG and DAC, which are in the same range.
const isFrame = (code: number): boolean => code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code);

function readFrame(code: number, body: Buffer, earlier: Frame | null): Frame {
  if (!FRAMES.has(code)) throw broken("a JPEG of a kind that PDF does not know");
  const [precision, , , , , count = 0] = body;
  if (earlier !== null || body.length !== 6 + 3 * count) throw broken("a JPEG with a faulty frame");
  if (precision !== 8 || ![1, 3, 4].includes(count)) throw broken("a JPEG of a kind that PDF does not know");
  const [height, width] = [body.readUInt16BE(1), body.readUInt16BE(3)];
  assertImageSize(width, height);
  return { width, height, components: Array.from({ length: count }, (_, i) => body[6 + 3 * i] ?? 0) };
}

// Coded data ends at a marker that is neither a stuffed FF nor a restart.
function endOfScan(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1];
    const isInside = next === 0 || next === 0xff || (next !== undefined && next >= 0xd0 && next <= 0xd7);
    if (!isInside) return at;
  }
  throw broken("a JPEG that ends too early");
}

const begins = (body: Buffer, text: string): boolean => body.toString("latin1", 0, text.length) === text;
const isAdobe = (code: number, body: Buffer): boolean => code === APP14 && begins(body, "Adobe") && body.length >= ADOBE_BYTES;
const isColorProfile = (code: number, body: Buffer): boolean => code === APP2 && begins(body, "ICC_PROFILE\0");

function noteApplicationData(code: number, body: Buffer, found: Found): void {
  if (isAdobe(code, body)) found.hasAdobe = true;
  if (code === APP0 && begins(body, "JFIF\0") && body.length >= 12) {
    found.hasJfif = true;
    found.jfifResolution = jfifResolution(body);
  }
  if (code === APP1 && begins(body, "Exif\0\0")) found.exif ??= readExif(body.subarray(6));
}

function jfifResolution(body: Buffer): Resolution | null {
  const perInch = { 1: 1, 2: CENTIMETRES_PER_INCH }[body[7] ?? 0];
  return perInch === undefined ? null : { x: body.readUInt16BE(8) * perInch, y: body.readUInt16BE(10) * perInch };
}

// Components named R, G and B are not YCbCr, unless a JFIF header says so. That header is not copied, so an Adobe marker states the
// colour transform instead; otherwise decoders would guess wrongly.
function colorMarker({ components }: Frame, { hasAdobe, hasJfif }: Found): Buffer[] {
  const isNamedRgb = String.fromCharCode(...components) === "RGB";
  return isNamedRgb && !hasAdobe ? [adobeMarker(Buffer.from(`Adobe\0\x64\0\0\0\0${hasJfif ? "\x01" : "\0"}`, "latin1"))] : [];
}

const adobeMarker = (body: Buffer): Buffer => Buffer.concat([Buffer.of(0xff, APP14, 0, ADOBE_BYTES + 2), body.subarray(0, ADOBE_BYTES)]);

function dictionary({ components }: Frame, { hasAdobe }: Found): string {
  const common = "/BitsPerComponent 8 /Filter /DCTDecode";
  if (components.length === 1) return `/ColorSpace /DeviceGray ${common}`;
  if (components.length === 3) return `/ColorSpace /DeviceRGB ${common}`;
  // Adobe software inverts CMYK, and its marker is the only sign of that.
  return `/ColorSpace /DeviceCMYK ${common}${hasAdobe ? " /Decode [1 0 1 0 1 0 1 0]" : ""}`;
}
