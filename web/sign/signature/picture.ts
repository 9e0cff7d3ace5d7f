/** Turns a photo of a signature on paper into a PNG with the ink only. */

export const MAX_PNG_BYTES = 512 * 1024;
const MAX_WIDTH_PX = 1_000;
const MAX_HEIGHT_PX = 400;
// The signature is usually a small part of the photo, so the search uses a higher resolution than the result.
const MAX_SEARCHED_PX = 2_000;

// Of 255. If the median brightness is below this, the photo shows no paper and is not changed.
const DARKEST_PAPER = 110;
// How much darker than the paper a pixel must be to count as partly ink and as fully ink. Shadows and lines of the paper are below.
const INK_STARTS = 28;
const INK_IS_FULL = 72;
// Of 255. Fainter ink is ignored when the image is cropped.
const VISIBLE_ALPHA = 48;

export interface Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

export interface Crop {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** The factor that scales something down into a box; at most 1. */
export const shrink = (w: number, h: number, maxWidth: number, maxHeight: number): number => Math.min(1, maxWidth / w, maxHeight / h);

/** Makes the paper transparent. */
export function clearPaper({ data }: Pixels): void {
  const paper = paperBrightness(data);
  if (paper < DARKEST_PAPER) return;
  for (let at = 0; at < data.length; at += 4) {
    const ink = (paper - darkness(data, at) - INK_STARTS) / (INK_IS_FULL - INK_STARTS);
    data[at + 3] = (data[at + 3] ?? 0) * Math.min(1, Math.max(0, ink));
  }
}

// The darkest channel counts, so that blue ink on white is as dark as black ink.
const darkness = (data: Uint8ClampedArray, at: number): number => Math.min(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0);

// Most of a sheet is empty, so the median brightness is that of the paper. Transparent pixels are ignored.
function paperBrightness(data: Uint8ClampedArray): number {
  const counts = new Uint32Array(256);
  let total = 0;
  for (let at = 0; at < data.length; at += 4) {
    if ((data[at + 3] ?? 0) < 128) continue;
    const level = darkness(data, at);
    counts[level] = (counts[level] ?? 0) + 1;
    total++;
  }
  let below = 0;
  return counts.findIndex((count) => {
    below += count;
    return below * 2 >= total;
  });
}

/** The bounding box of the ink; null if there is none. */
export function inkBounds({ data, width, height }: Pixels): Crop | null {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((data[4 * (y * width + x) + 3] ?? 0) < VISIBLE_ALPHA) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  return right < left ? null : { x: left, y: top, w: right - left + 1, h: bottom - top + 1 };
}

export type InkResult = { readonly png: string } | "unreadable" | "blank" | "too_big";

/** The ink of an image file, as a PNG in base64. */
export async function extractInk(file: Blob): Promise<InkResult> {
  const picture = await decode(file);
  if (picture === null) return "unreadable";
  const sheet = canvasOf(picture, { x: 0, y: 0, w: picture.width, h: picture.height }, MAX_SEARCHED_PX, MAX_SEARCHED_PX);
  picture.close();
  const pixels = sheet.getImageData(0, 0, sheet.canvas.width, sheet.canvas.height);
  clearPaper(pixels);
  const crop = inkBounds(pixels);
  if (crop === null) return "blank";
  sheet.putImageData(pixels, 0, 0);
  const png = await pngOf(canvasOf(sheet.canvas, crop, MAX_WIDTH_PX, MAX_HEIGHT_PX).canvas);
  return png.size > MAX_PNG_BYTES ? "too_big" : { png: base64(new Uint8Array(await png.arrayBuffer())) };
}

async function decode(file: Blob): Promise<ImageBitmap | null> {
  try {
    return await createImageBitmap(file);
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

function canvasOf(source: CanvasImageSource, { x, y, w, h }: Crop, maxWidth: number, maxHeight: number): CanvasRenderingContext2D {
  const scale = shrink(w, h, maxWidth, maxHeight);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(w * scale));
  canvas.height = Math.max(1, Math.round(h * scale));
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("canvas is not available");
  context.imageSmoothingQuality = "high";
  context.drawImage(source, x, y, w, h, 0, 0, canvas.width, canvas.height);
  return context;
}

function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("the image could not be encoded as PNG")) : resolve(blob)), "image/png");
  });
}

export function base64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
