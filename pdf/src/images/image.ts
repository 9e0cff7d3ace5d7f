// The result of the PNG and JPEG readers for imageToPdf, and the limits that both check before decoding.

import { UnreadablePdf } from "../errors.ts";

/** The eight orientations of EXIF; 1 is upright (Exif 2.32, 4.6.4). */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** Horizontal and vertical dots per inch, as stated in the file. */
export type Resolution = { readonly x: number; readonly y: number };

/** An image XObject: `dict` contains its entries except Type, Subtype, size and Length; `mask` is its SMask. */
export type ImageObject = { readonly dict: string; readonly data: Uint8Array; readonly mask?: ImageObject };

export type Image = {
  readonly width: number;
  readonly height: number;
  readonly resolution: Resolution | null;
  readonly orientation: Orientation;
  readonly object: ImageObject;
};

// A page has 135 MP at 1200 dpi and 34 MP at 600 dpi, the highest resolution that scanning for signature needs.
const MAX_PIXELS = 64_000_000;
const MAX_SIDE_PX = 20_000;

export function assertImageSize(width: number, height: number): void {
  if (width === 0 || height === 0) throw broken("an image without pixels");
  if (width > MAX_SIDE_PX || height > MAX_SIDE_PX) {
    throw new UnreadablePdf("too_complex", `an image side of more than ${MAX_SIDE_PX.toLocaleString("en")} pixels`);
  }
  if (width * height > MAX_PIXELS) throw new UnreadablePdf("too_complex", `an image of more than ${MAX_PIXELS / 1e6} megapixels`);
}

export const broken = (message: string, cause?: unknown): UnreadablePdf => new UnreadablePdf("unparseable", message, { cause });
