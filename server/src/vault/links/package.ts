import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { canonicalize } from "@countersign/evidence";
import { inPieces } from "../../storage/hash.ts";

/**
 * A package for another vault: `CSVT1\n`, the length of the bundle in four bytes, the evidence bundle, which the receiver verifies before
 * anything is released, and the authoritative bytes, which it can read only with the released key: 12 bytes of nonce, the ciphertext, 16
 * bytes of tag. AES-256-GCM, with the canonical JSON of the transfer's identity as additional data.
 */

const MAGIC = Buffer.from("CSVT1\n");
const LENGTH_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const PACKAGE_KEY_BYTES = 32;

export interface PackedFor {
  readonly transfer_id: string;
  /** of the sender */
  readonly copy_id: string;
  /** of the authoritative copy */
  readonly sha256: string;
}

const aadOf = ({ transfer_id, copy_id, sha256 }: PackedFor): Buffer => Buffer.from(canonicalize({ transfer_id, copy_id, sha256 }));

export async function packTransfer(bundle: Uint8Array, original: Uint8Array, key: Uint8Array, about: PackedFor): Promise<Buffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bundle.length);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(aadOf(about));
  const parts: Uint8Array[] = [MAGIC, length, bundle, nonce];
  for await (const piece of inPieces(original)) parts.push(cipher.update(piece));
  parts.push(cipher.final(), cipher.getAuthTag());
  return Buffer.concat(parts);
}

export interface Unpacked {
  readonly bundle: Buffer;
  /** nonce, ciphertext and tag of the authoritative bytes */
  readonly encrypted: Buffer;
}

/** Null if it is not a package. */
export function unpackTransfer(bytes: Uint8Array): Unpacked | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const from = MAGIC.length + LENGTH_BYTES;
  if (file.length < from || !file.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  const to = from + file.readUInt32BE(MAGIC.length);
  if (file.length < to + NONCE_BYTES + TAG_BYTES) return null;
  return { bundle: file.subarray(from, to), encrypted: file.subarray(to) };
}

/** Null if this is not the key, or not what was packed for this transfer. */
export function openOriginal({ encrypted }: Unpacked, key: Uint8Array, about: PackedFor): Buffer | null {
  if (key.length !== PACKAGE_KEY_BYTES) return null;
  const decipher = createDecipheriv("aes-256-gcm", key, encrypted.subarray(0, NONCE_BYTES)).setAAD(aadOf(about));
  decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    // Node throws for a wrong tag, which means another key, another transfer or changed bytes.
    return null;
  }
}
