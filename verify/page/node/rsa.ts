// RSA signatures (RFC 8017): PKCS #1 v1.5 and PSS, verified with BigInt. Only public values are used, so the time that it takes is no secret.

import { numberOf } from "./der.ts";
import { digestOf, hashNamed } from "./hashes.ts";

export type RsaKey = { readonly modulus: bigint; readonly exponent: bigint };

// DigestInfo before the hash itself (RFC 8017, 9.2, note 1).
const PREFIXES: Readonly<Record<string, string>> = {
  sha1: "3021300906052b0e03021a05000414",
  sha224: "302d300d06096086480165030402040500041c",
  sha256: "3031300d060960864801650304020105000420",
  sha384: "3041300d060960864801650304020205000430",
  sha512: "3051300d060960864801650304020305000440",
};

const bitLength = (value: bigint): number => value.toString(2).length;

/** RFC 8017, 8.2.2. The expected bytes are built and compared, so there is nothing to parse. */
export function isPkcs1Signature(key: RsaKey, hash: string, digest: Uint8Array, signature: Uint8Array): boolean {
  const size = Math.ceil(bitLength(key.modulus) / 8);
  const opened = open(key, signature, size);
  const info = Buffer.concat([Buffer.from(PREFIXES[hash] ?? "", "hex"), digest]);
  if (opened === null || PREFIXES[hash] === undefined || size < info.length + 11) return false;
  const padding = Buffer.alloc(size - info.length - 3, 0xff);
  return Buffer.concat([Uint8Array.of(0, 1), padding, Uint8Array.of(0), info]).equals(opened);
}

/** RFC 8017, 9.1.2, with MGF1 of the same hash. */
export function isPssSignature(key: RsaKey, hash: string, digest: Uint8Array, signature: Uint8Array, saltLength: number): boolean {
  const bits = bitLength(key.modulus) - 1;
  const size = Math.ceil(bits / 8);
  const opened = open(key, signature, Math.ceil(bitLength(key.modulus) / 8))?.subarray(-size);
  const { outputLen } = hashNamed(hash);
  if (opened === undefined || size < outputLen + saltLength + 2 || opened[size - 1] !== 0xbc) return false;
  const masked = opened.subarray(0, size - outputLen - 1);
  const stated = opened.subarray(size - outputLen - 1, size - 1);
  // The bits of the first byte that the modulus has no room for.
  const unused = (0xff00 >> (8 * size - bits)) & 0xff;
  if (((masked[0] ?? 0) & unused) !== 0) return false;
  const mask = maskFrom(hash, stated, masked.length);
  const block = masked.map((byte, index) => byte ^ (mask[index] ?? 0));
  block[0] = (block[0] ?? 0) & ~unused;
  const saltAt = block.length - saltLength;
  if (block.subarray(0, saltAt - 1).some((byte) => byte !== 0) || block[saltAt - 1] !== 1) return false;
  return Buffer.from(digestOf(hash, [new Uint8Array(8), digest, block.subarray(saltAt)])).equals(stated);
}

// OpenSSL's limits. A key beyond them would keep the page busy for minutes.
const MAX_MODULUS_BITS = 16_384;
const SMALL_MODULUS_BITS = 3_072;
const MAX_EXPONENT_BITS = 64;

/** The signature raised to the public exponent, with as many bytes as the modulus; null if it or the key is out of range. */
function open({ modulus, exponent }: RsaKey, signature: Uint8Array, size: number): Buffer | null {
  const value = numberOf(signature);
  const [bits, exponentBits] = [bitLength(modulus), bitLength(exponent)];
  if (bits > MAX_MODULUS_BITS || exponent >= modulus || (bits > SMALL_MODULUS_BITS && exponentBits > MAX_EXPONENT_BITS)) return null;
  if (signature.length !== size || value >= modulus) return null;
  return Buffer.from(
    power(value, exponent, modulus)
      .toString(16)
      .padStart(2 * size, "0"),
    "hex",
  );
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let [result, square] = [1n, base];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

// RFC 8017, B.2.1.
function maskFrom(hash: string, seed: Uint8Array, length: number): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let counter = 0; counter * hashNamed(hash).outputLen < length; counter++) {
    parts.push(digestOf(hash, [seed, Uint8Array.of(counter >>> 24, counter >>> 16, counter >>> 8, counter)]));
  }
  return Buffer.concat(parts).subarray(0, length);
}
