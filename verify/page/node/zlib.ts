// What the verifier uses of `node:zlib`, for a browser. The build of the page uses this file instead of that module.

import { InflateFault, inflate } from "./inflate.ts";

export const constants = { Z_FINISH: 4, Z_SYNC_FLUSH: 2 } as const;

type Options = { readonly maxOutputLength?: number; readonly finishFlush?: number; readonly info?: boolean };
type WithInfo = { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };

/** As in Node: with `info`, the result also says how many bytes of the input were used. */
export function inflateRawSync(data: Uint8Array, options: Options = {}): Buffer | WithInfo {
  const { output, consumed, complete } = inflate(data, options.maxOutputLength ?? Number.POSITIVE_INFINITY);
  if (!complete && options.finishFlush !== constants.Z_SYNC_FLUSH) throw new InflateFault("Z_DATA_ERROR");
  const buffer = asBuffer(output);
  return options.info === true ? { buffer, engine: { bytesWritten: consumed } } : buffer;
}

const HEADER_BYTES = 2;
const CHECKSUM_BYTES = 4;

/** zlib data (RFC 1950): a header, deflate data, and the Adler-32 of the output. */
export function inflateSync(data: Uint8Array, options: Options = {}): Buffer {
  const mayEndEarly = options.finishFlush === constants.Z_SYNC_FLUSH;
  const [method = 0, flags = 0] = data;
  if (data.length < HEADER_BYTES) {
    if (mayEndEarly) return Buffer.alloc(0);
    throw new InflateFault("Z_DATA_ERROR");
  }
  // Deflate, a window of at most 32 KB, a correct check value, and no preset dictionary.
  if ((method & 15) !== 8 || method >> 4 > 7 || (method * 256 + flags) % 31 !== 0 || (flags & 32) !== 0) {
    throw new InflateFault("Z_DATA_ERROR");
  }
  const { output, consumed, complete } = inflate(data.subarray(HEADER_BYTES), options.maxOutputLength ?? Number.POSITIVE_INFINITY);
  const checksum = data.subarray(HEADER_BYTES + consumed, HEADER_BYTES + consumed + CHECKSUM_BYTES);
  const isWhole = complete && checksum.length === CHECKSUM_BYTES;
  if (!isWhole && !mayEndEarly) throw new InflateFault("Z_DATA_ERROR");
  if (isWhole && asBuffer(checksum).readUInt32BE() !== adler32(output)) throw new InflateFault("Z_DATA_ERROR");
  return asBuffer(output);
}

const MAX_STORED_BYTES = 65_535;

/** Written without compression: the page writes no files, it only reopens some PDFs in another form. */
export function deflateSync(data: Uint8Array): Buffer {
  const parts: Uint8Array[] = [Uint8Array.of(0x78, 0x01)];
  for (let at = 0; at === 0 || at < data.length; at += MAX_STORED_BYTES) {
    const part = data.subarray(at, at + MAX_STORED_BYTES);
    const isLast = at + MAX_STORED_BYTES >= data.length;
    const { length } = part;
    parts.push(Uint8Array.of(isLast ? 1 : 0, length & 255, length >> 8, ~length & 255, (~length >> 8) & 255), part);
  }
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32BE(adler32(data));
  return Buffer.concat([...parts, checksum]);
}

/** There are no files to decompress in a browser. */
export function brotliDecompressSync(): never {
  throw new Error("not available in a browser");
}

const ADLER_BASE = 65_521;

function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % ADLER_BASE;
    b = (b + a) % ADLER_BASE;
  }
  return b * 65_536 + a;
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
