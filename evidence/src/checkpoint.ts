// The signed state of the log at a point in time. The signature is raw Ed25519 over exactly the canonical bytes, so any changed bit is
// noticed, unlike in a CMS file.

import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { canonicalize, type Json, NotCanonical, parseCanonical } from "./canonical.ts";
import { isHash, isId, isTime } from "./entry.ts";

export type Checkpoint = {
  readonly type: "countersign/checkpoint/1";
  readonly log_id: string;
  readonly tree_size: number;
  readonly root: string;
  readonly at: string;
  readonly key_id: string;
};

export type Signed = { readonly bytes: Uint8Array; readonly signature: Uint8Array };

const SIGNATURE_BYTES = 64;

/** The ID of an Ed25519 key: the SHA-256 of its public key (DER-encoded SPKI). */
export const keyIdOf = (spki: Uint8Array): string => createHash("sha256").update(spki).digest("hex");

/** Returns the canonical bytes of a record and the raw signature over them. `key` is an Ed25519 private key. */
export function signRecord(record: { readonly type: string }, key: KeyObject): Signed {
  const bytes = Buffer.from(canonicalize(record));
  return { bytes, signature: sign(null, bytes, key) };
}

/** Whether these bytes were signed with the Ed25519 key that has this public key (DER-encoded SPKI). False for anything malformed. */
export function isSigned({ bytes, signature }: Signed, spki: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  const key = createPublicKey({ key: Buffer.from(spki), format: "der", type: "spki" });
  return key.asymmetricKeyType === "ed25519" && verify(null, bytes, key, signature);
}

/** Parses a checkpoint; null unless the bytes are canonical and have exactly its members. */
export function readCheckpoint(bytes: Uint8Array): Checkpoint | null {
  const value = canonicalValue(bytes);
  const { type, log_id, tree_size, root, at, key_id } = Object(value) as Record<string, unknown>;
  if (Object.keys(Object(value)).length !== 6 || type !== "countersign/checkpoint/1") return null;
  if (!isId(log_id) || !Number.isSafeInteger(tree_size) || Number(tree_size) < 1) return null;
  return isHash(root) && isTime(at) && isHash(key_id) ? (value as Checkpoint) : null;
}

/** Parses canonical bytes; undefined if they are not UTF-8, not JSON or not canonical. */
export function canonicalValue(bytes: Uint8Array): Json | undefined {
  try {
    return parseCanonical(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    if (error instanceof NotCanonical || error instanceof TypeError) return undefined;
    throw error;
  }
}
