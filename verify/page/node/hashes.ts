import { sha1 } from "@noble/hashes/legacy.js";
import { sha224, sha256, sha384, sha512 } from "@noble/hashes/sha2.js";

const hashes = { sha1, sha224, sha256, sha384, sha512 } as const;

export type HashName = keyof typeof hashes;

/** Throws for a hash that the verifier does not know. */
export function hashNamed(name: string): (typeof hashes)[HashName] {
  if (!Object.hasOwn(hashes, name)) throw new Error(`unknown hash: ${name}`);
  return hashes[name as HashName];
}

/** The hash of all parts, one after the other. */
export function digestOf(name: string, parts: readonly Uint8Array[]): Uint8Array {
  const hashing = hashNamed(name).create();
  for (const part of parts) hashing.update(part);
  return hashing.digest();
}
