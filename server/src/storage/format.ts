import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import type { OrgId } from "../shared/ids.ts";
import { takeTurn } from "../shared/turns.ts";
import { type BlobName, BytesChanged } from "./blob-store.ts";

/**
 * The format of encrypted blobs, version 1: a header of 16 bytes (`CSB1`, the size of a segment, the size of the blob), then segments of
 * 256 KiB, each AES-256-GCM with its tag. The last one can be shorter; an empty blob has one empty segment.
 *
 * The nonce is the number of the segment and whether it is the last one, so segments cannot be swapped, and a blob that was cut at the border
 * of a segment has no last one. Header, org and SHA-256 of the blob are authenticated with each segment. Every blob has a key of its own, and
 * under one key only the same bytes are ever encrypted: the result is the same each time, so nonces can repeat.
 */

const MAGIC = Buffer.from("CSB1");
const HEADER_BYTES = 16;
const SEGMENT_BYTES = 256 * 1024;
const TAG_BYTES = 16;
const CIPHER = "aes-256-gcm";

/** Which blob it is. */
export interface BlobContext {
  readonly org: OrgId;
  readonly sha256: string;
}

const segmentsOf = (size: number): number => Math.max(1, Math.ceil(size / SEGMENT_BYTES));

export const encryptedSize = (size: number): number => HEADER_BYTES + size + segmentsOf(size) * TAG_BYTES;

/** Whether the bytes begin as an encrypted blob does. A document can begin so too. */
export const looksEncrypted = (bytes: Uint8Array): boolean => MAGIC.equals(bytes.subarray(0, MAGIC.length));

/** The bytes are not an encrypted blob of this name under this key. */
export class CannotDecryptBlob extends Error {
  override readonly name = "CannotDecryptBlob";
}

/** Yields what is stored, in new buffers. Throws `BytesChanged` at the end if the bytes were not those of the name. */
export async function* encryptBlob(
  key: Uint8Array,
  { org, sha256, size }: BlobContext & BlobName,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const header = headerOf(size);
  const aad = aadOf(header, { org, sha256 });
  const [last, hash] = [segmentsOf(size) - 1, createHash("sha256")];
  let [nth, done] = [0, 0];
  yield header;
  for await (const segment of inSegments(pieces, SEGMENT_BYTES)) {
    hash.update(segment);
    done += segment.byteLength;
    if (nth > last || done > size) throw new BytesChanged();
    const cipher = createCipheriv(CIPHER, key, nonceOf(nth, nth === last)).setAAD(aad);
    // In two pieces, because joining them would copy the segment, and garbage of this size makes the collector run more often.
    yield cipher.update(segment);
    cipher.final();
    yield cipher.getAuthTag();
    nth += 1;
    if (nth <= last) await takeTurn();
  }
  if (done !== size || hash.digest("hex") !== sha256) throw new BytesChanged();
}

/** Yields the blob's bytes, each segment after its tag was checked. Throws `CannotDecryptBlob`. */
export async function* decryptBlob(key: Uint8Array, context: BlobContext, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let opening: { readonly size: number; readonly aad: Buffer } | null = null;
  let nth = 0;
  for await (const segment of inSegments(pieces, SEGMENT_BYTES + TAG_BYTES, HEADER_BYTES)) {
    if (opening === null) {
      opening = openingOf(segment, context);
      continue;
    }
    const last = segmentsOf(opening.size) - 1;
    if (nth > last) throw new CannotDecryptBlob("there is more after the last segment");
    if (nth > 0) await takeTurn();
    const bytes = opened(key, opening.aad, nth, nth === last, segment);
    if (bytes.byteLength !== (nth === last ? opening.size - last * SEGMENT_BYTES : SEGMENT_BYTES))
      throw new CannotDecryptBlob("a segment has another size than the header says");
    yield bytes;
    nth += 1;
  }
  if (opening === null || nth !== segmentsOf(opening.size)) throw new CannotDecryptBlob("the end is missing");
}

/** The size of the blob, from the first bytes of what is stored. It is proven by the first segment. */
export function sizeIn(header: Uint8Array): number {
  if (header.byteLength < HEADER_BYTES || !looksEncrypted(header)) throw new CannotDecryptBlob("there is no header");
  const view = Buffer.from(header.buffer, header.byteOffset, HEADER_BYTES);
  const size = Number(view.readBigUInt64BE(8));
  if (view.readUInt32BE(4) !== SEGMENT_BYTES || !Number.isSafeInteger(size)) throw new CannotDecryptBlob("the header is of another format");
  return size;
}

function openingOf(header: Uint8Array, context: BlobContext) {
  return { size: sizeIn(header), aad: aadOf(header, context) };
}

function headerOf(size: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(header);
  header.writeUInt32BE(SEGMENT_BYTES, 4);
  header.writeBigUInt64BE(BigInt(size), 8);
  return header;
}

const aadOf = (header: Uint8Array, { org, sha256 }: BlobContext): Buffer => Buffer.concat([header, Buffer.from(`${org} ${sha256}`)]);

function nonceOf(nth: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(nth, 7);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

function opened(key: Uint8Array, aad: Buffer, nth: number, isLast: boolean, segment: Uint8Array): Buffer {
  if (segment.byteLength < TAG_BYTES) throw new CannotDecryptBlob(`segment ${nth} has no tag`);
  const decipher = createDecipheriv(CIPHER, key, nonceOf(nth, isLast)).setAAD(aad);
  decipher.setAuthTag(segment.subarray(segment.byteLength - TAG_BYTES));
  const bytes = decipher.update(segment.subarray(0, segment.byteLength - TAG_BYTES));
  try {
    decipher.final();
  } catch (cause) {
    throw new CannotDecryptBlob(`segment ${nth} does not match its tag`, { cause });
  }
  return bytes;
}

/**
 * The same bytes in pieces of one size, the last one shorter, after a first one of another size if it is given. A piece is valid until the
 * next one is asked for. Nothing at all gives one empty piece.
 */
async function* inSegments(pieces: AsyncIterable<Uint8Array>, bytes: number, first = bytes): AsyncGenerator<Uint8Array> {
  let wanted = first;
  let kept: Buffer | null = null;
  let filled = 0;
  let yielded = false;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.byteLength; ) {
      // A whole segment within one piece needs no copy.
      if (filled === 0 && piece.byteLength - at >= wanted) {
        yield piece.subarray(at, at + wanted);
        at += wanted;
        wanted = bytes;
        yielded = true;
        continue;
      }
      kept ??= Buffer.allocUnsafeSlow(Math.max(bytes, first));
      const some = Math.min(wanted - filled, piece.byteLength - at);
      kept.set(piece.subarray(at, at + some), filled);
      filled += some;
      at += some;
      if (filled < wanted) continue;
      yield kept.subarray(0, filled);
      [filled, wanted, yielded] = [0, bytes, true];
    }
  }
  if (filled > 0 || !yielded) yield (kept ?? Buffer.alloc(0)).subarray(0, filled);
}
