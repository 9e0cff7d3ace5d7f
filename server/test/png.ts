import { randomBytes } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";

export interface PngWish {
  readonly width: number;
  readonly height: number;
  /** in a chunk that is not visible */
  readonly text?: string;
  /** incompressible pixels */
  readonly noise?: boolean;
  readonly grey?: number;
  readonly alpha?: number;
}

/** An image with transparency, like a phone's photo of a signature on paper. */
export function png({ width, height, text, noise = false, grey = 60, alpha = 200 }: PngWish): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const pixel = Buffer.from([grey, grey, grey, alpha]);
  const row = () => Buffer.concat([Buffer.from([0]), noise ? randomBytes(width * 4) : Buffer.alloc(width * 4, pixel)]);
  const pixels = Buffer.concat(Array.from({ length: height }, row));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    ...(text === undefined ? [] : [chunk("tEXt", Buffer.from(`Comment\0${text}`))]),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), body]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, check]);
}
