// The keys that a reader trusts. The reader knows the hash of one certificate, the root. The root signs the list of everything else: the
// keys that sign records, the certificates that seal documents, and the roots of time-stamp authorities.

import { createPublicKey, type KeyObject, sign, verify, X509Certificate } from "node:crypto";
import { canonicalize } from "../canonical.ts";
import { canonicalValue, keyIdOf } from "../checkpoint.ts";
import { isHash, isTime } from "../entry.ts";
import { sha256 } from "./manifest.ts";

export type RecordsKey = {
  readonly key_id: string;
  /** DER-encoded SPKI in lower-case hex */
  readonly public_key: string;
  readonly not_before: string;
  /** null while in use */
  readonly not_after: string | null;
};

export type SealCertificate = {
  readonly certificate_sha256: string;
  readonly not_before: string;
  readonly not_after: string;
  readonly revoked_at: string | null;
};

/** The content of `trust/keys.json`, and in canonical form of `GET /.well-known/countersign-trust.json`. */
export type TrustKeys = {
  readonly type: "countersign/keys/1";
  readonly root_sha256: string;
  readonly issued_at: string;
  readonly records: readonly RecordsKey[];
  readonly seals: readonly SealCertificate[];
  /** SHA-256 of certificates */
  readonly tsa_roots: readonly string[];
};

// The order n of P-256 (FIPS 186-5). For every signature (r, s) there is a second one, (r, n - s). Only the one with the lower s is
// accepted.
const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const HALF_BYTES = 32;

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString("hex")}`);

/**
 * Returns the canonical bytes of the list and the root's signature over them: r ‖ s, 64 bytes, with the low s. `key` is the root's P-256
 * private key.
 */
export function signTrustKeys(keys: TrustKeys, key: KeyObject): { bytes: Uint8Array; signature: Uint8Array } {
  const bytes = Buffer.from(canonicalize(keys));
  const signature = sign("sha256", bytes, { key, dsaEncoding: "ieee-p1363" });
  const s = numberOf(signature.subarray(HALF_BYTES));
  if (s > P256_ORDER / 2n) signature.write((P256_ORDER - s).toString(16).padStart(2 * HALF_BYTES, "0"), HALF_BYTES, "hex");
  return { bytes, signature };
}

/** Whether the root signed exactly these bytes, in the only accepted form. */
export function isSignedByRoot(signed: { readonly bytes: Uint8Array; readonly signature: Uint8Array }, root: X509Certificate): boolean {
  const { bytes, signature } = signed;
  const { publicKey } = root;
  if (signature.length !== 2 * HALF_BYTES || publicKey.asymmetricKeyDetails?.namedCurve !== "prime256v1") return false;
  if (numberOf(signature.subarray(HALF_BYTES)) > P256_ORDER / 2n) return false;
  return verify("sha256", bytes, { key: publicKey, dsaEncoding: "ieee-p1363" }, signature);
}

/** Parses the list; null unless the bytes are canonical, have exactly its members, and every key ID matches its key. */
export function readTrustKeys(bytes: Uint8Array): TrustKeys | null {
  const value = canonicalValue(bytes);
  const { type, root_sha256, issued_at, records, seals, tsa_roots } = Object(value) as Record<string, unknown>;
  if (Object.keys(Object(value)).length !== 6 || type !== "countersign/keys/1" || !isHash(root_sha256) || !isTime(issued_at)) return null;
  const lists: readonly [unknown, (item: unknown) => boolean][] = [
    [records, isRecordsKey],
    [seals, isSealCertificate],
    [tsa_roots, isHash],
  ];
  return lists.every(([list, fits]) => Array.isArray(list) && list.every(fits)) ? (value as TrustKeys) : null;
}

function isRecordsKey(item: unknown): boolean {
  const { key_id, public_key, not_before, not_after } = Object(item) as Record<string, unknown>;
  if (Object.keys(Object(item)).length !== 4 || !isTime(not_before) || (not_after !== null && !isTime(not_after))) return false;
  if (typeof public_key !== "string" || !/^([0-9a-f]{2})+$/.test(public_key)) return false;
  const spki = Buffer.from(public_key, "hex");
  return keyIdOf(spki) === key_id && isEd25519(spki);
}

function isEd25519(spki: Buffer): boolean {
  try {
    return createPublicKey({ key: spki, format: "der", type: "spki" }).asymmetricKeyType === "ed25519";
  } catch {
    // OpenSSL has many errors for bytes that are not a key; all of them mean false here.
    return false;
  }
}

function isSealCertificate(item: unknown): boolean {
  const { certificate_sha256, not_before, not_after, revoked_at } = Object(item) as Record<string, unknown>;
  if (Object.keys(Object(item)).length !== 4 || !isHash(certificate_sha256)) return false;
  return isTime(not_before) && isTime(not_after) && (revoked_at === null || isTime(revoked_at));
}

/** The key with this ID if it was valid at that time; otherwise null. */
export function recordsKeyAt({ records }: TrustKeys, key_id: string, at: string): Uint8Array | null {
  const key = records.find((each) => each.key_id === key_id);
  if (key === undefined || at < key.not_before || (key.not_after !== null && at > key.not_after)) return null;
  return Buffer.from(key.public_key, "hex");
}

/** Parses the certificates of a PEM file that is formatted exactly as Node writes it; null for any other bytes. */
export function readPem(bytes: Uint8Array): X509Certificate[] | null {
  const text = Buffer.from(bytes).toString("latin1");
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/g) ?? [];
  if (blocks.length === 0 || blocks.join("") !== text) return null;
  try {
    const certificates = blocks.map((block) => new X509Certificate(block));
    return writePem(certificates.map(({ raw }) => raw)) === text ? certificates : null;
  } catch {
    // The bytes are not a certificate.
    return null;
  }
}

/** @example writePem([der]) // "-----BEGIN CERTIFICATE-----\n…" */
export const writePem = (certificates: readonly Uint8Array[]): string =>
  certificates.map((der) => new X509Certificate(der).toString()).join("");

export const fingerprintOf = (certificate: X509Certificate): string => sha256(certificate.raw);
