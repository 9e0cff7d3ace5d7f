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

/** The list of bundles from before keys had generations. They stay valid. */
export type TrustKeys1 = {
  readonly type: "countersign/keys/1";
  readonly root_sha256: string;
  readonly issued_at: string;
  readonly records: readonly RecordsKey[];
  readonly seals: readonly SealCertificate[];
  /** SHA-256 of certificates */
  readonly tsa_roots: readonly string[];
};

/** When something was used, and whether it was revoked. `invalid_from`: what it signed from then on does not count. */
type Interval = {
  readonly not_before: string;
  /** null while in use */
  readonly not_after: string | null;
  readonly revoked_at: string | null;
  readonly invalid_from: string | null;
  /** why it ended or was revoked */
  readonly reason: string | null;
};

export type KeyGeneration = Interval & {
  /** counts the keys of a purpose, from 1 */
  readonly generation: number;
  readonly key_id: string;
  readonly algorithm: string;
  /** DER-encoded SPKI in lower-case hex */
  readonly public_key: string;
};

export type RootGeneration = Interval & { readonly generation: number; readonly certificate_sha256: string; readonly algorithm: string };

export type RevocableSeal = SealCertificate & { readonly invalid_from: string | null; readonly reason: string | null };

/** All generations of all keys, oldest first, signed by the root in use. */
export type TrustKeys2 = {
  readonly type: "countersign/keys/2";
  /** the list of the test root, which issues the seals of sandboxes. It is absent from the list of an installation's own root */
  readonly test?: true;
  /** SHA-256 of the first root; names the log, also under later roots */
  readonly log_id: string;
  /** the root that signs this list */
  readonly root_sha256: string;
  readonly issued_at: string;
  readonly roots: readonly RootGeneration[];
  readonly records: readonly KeyGeneration[];
  readonly log: readonly KeyGeneration[];
  readonly vault: readonly KeyGeneration[];
  readonly seals: readonly RevocableSeal[];
  readonly tsa_roots: readonly string[];
};

/** The content of `trust/keys.json`, and in canonical form of `GET /.well-known/countersign-trust.json`. */
export type TrustKeys = TrustKeys1 | TrustKeys2;

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
  return { bytes, signature: withLowS(sign("sha256", bytes, { key, dsaEncoding: "ieee-p1363" })) };
}

/** The accepted one of the two signatures with this r, for P-256: r ‖ s in, r ‖ s out. */
export function withLowS(signature: Uint8Array): Uint8Array {
  const low = Buffer.from(signature);
  const s = numberOf(low.subarray(HALF_BYTES));
  if (s > P256_ORDER / 2n) low.write((P256_ORDER - s).toString(16).padStart(2 * HALF_BYTES, "0"), HALF_BYTES, "hex");
  return low;
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
  const { type, root_sha256, issued_at } = Object(value) as Record<string, unknown>;
  if (!isHash(root_sha256) || !isTime(issued_at)) return null;
  if (type === "countersign/keys/1") return hasLists(value, lists1, 3) ? (value as TrustKeys1) : null;
  const { test } = Object(value) as Partial<TrustKeys2>;
  if (type !== "countersign/keys/2" || !hasLists(value, lists2, test === true ? 5 : 4)) return null;
  const keys = value as TrustKeys2;
  // The list belongs to the log of its first root. Entries of sandboxes are in the same log, which the test root does not name.
  const isOfLog = test === true ? isHash(keys.log_id) : keys.log_id === keys.roots[0]?.certificate_sha256;
  return isOfLog && root_sha256 === keys.roots.at(-1)?.certificate_sha256 ? keys : null;
}

type Fits = (item: unknown) => boolean;

/** Exactly these lists, and so many other members. */
function hasLists(value: unknown, lists: Readonly<Record<string, Fits>>, others: number): boolean {
  const members = Object(value) as Record<string, unknown>;
  if (Object.keys(members).length !== Object.keys(lists).length + others) return false;
  return Object.entries(lists).every(([name, fits]) => {
    const list = members[name];
    return Array.isArray(list) && list.every(fits);
  });
}

const lists1 = { records: isRecordsKey, seals: isSealCertificate, tsa_roots: isHash };

const lists2 = {
  roots: isRootGeneration,
  records: (item: unknown) => isGeneration(item, "EdDSA", "ed25519"),
  log: (item: unknown) => isGeneration(item, "EdDSA", "ed25519"),
  vault: (item: unknown) => isGeneration(item, "X25519", "x25519"),
  seals: isRevocableSeal,
  tsa_roots: isHash,
};

function isRecordsKey(item: unknown): boolean {
  const { key_id, public_key, not_before, not_after } = Object(item) as Record<string, unknown>;
  if (Object.keys(Object(item)).length !== 4 || !isTime(not_before) || !isTimeOrNull(not_after)) return false;
  return isKey(key_id, public_key, "ed25519");
}

function isGeneration(item: unknown, expected: string, type: string): boolean {
  const { generation, key_id, algorithm, public_key } = Object(item) as Record<string, unknown>;
  return (
    Object.keys(Object(item)).length === 9 &&
    isInterval(item) &&
    isCount(generation) &&
    algorithm === expected &&
    isKey(key_id, public_key, type)
  );
}

function isRootGeneration(item: unknown): boolean {
  const { generation, certificate_sha256, algorithm } = Object(item) as Record<string, unknown>;
  return (
    Object.keys(Object(item)).length === 8 && isInterval(item) && isCount(generation) && isHash(certificate_sha256) && algorithm === "ES256"
  );
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;
const isTimeOrNull = (value: unknown): boolean => value === null || isTime(value);

function isInterval(item: unknown): boolean {
  const { not_before, not_after } = Object(item) as Record<string, unknown>;
  return isTime(not_before) && isTimeOrNull(not_after) && isRevocation(item);
}

/** A revoked one says from when it is invalid. */
function isRevocation(item: unknown): boolean {
  const { revoked_at, invalid_from, reason } = Object(item) as Record<string, unknown>;
  if (reason !== null && typeof reason !== "string") return false;
  return revoked_at === null ? invalid_from === null : isTime(revoked_at) && isTime(invalid_from);
}

function isKey(key_id: unknown, public_key: unknown, type: string): boolean {
  if (typeof public_key !== "string" || !/^([0-9a-f]{2})+$/.test(public_key)) return false;
  const spki = Buffer.from(public_key, "hex");
  return keyIdOf(spki) === key_id && isOfType(spki, type);
}

function isOfType(spki: Buffer, type: string): boolean {
  try {
    return createPublicKey({ key: spki, format: "der", type: "spki" }).asymmetricKeyType === type;
  } catch {
    // OpenSSL has many errors for bytes that are not a key; all of them mean false here.
    return false;
  }
}

function isSealCertificate(item: unknown): boolean {
  const { certificate_sha256, not_before, not_after, revoked_at } = Object(item) as Record<string, unknown>;
  if (Object.keys(Object(item)).length !== 4 || !isHash(certificate_sha256)) return false;
  return isTime(not_before) && isTime(not_after) && isTimeOrNull(revoked_at);
}

function isRevocableSeal(item: unknown): boolean {
  const { certificate_sha256, not_before, not_after } = Object(item) as Record<string, unknown>;
  if (Object.keys(Object(item)).length !== 6 || !isHash(certificate_sha256)) return false;
  return isTime(not_before) && isTime(not_after) && isRevocation(item);
}

type AnyKey = RecordsKey & { readonly invalid_from?: string | null };

/** The key with this ID if it was in use and not invalid at that time; otherwise null. */
export function keyAt(keys: readonly AnyKey[], key_id: string, at: string): Uint8Array | null {
  const key = keys.find((each) => each.key_id === key_id);
  if (key === undefined || at < key.not_before || (key.not_after !== null && at > key.not_after)) return null;
  if (key.invalid_from != null && at >= key.invalid_from) return null;
  return Buffer.from(key.public_key, "hex");
}

/** The key that signs records, with this ID, if it was in use at that time; otherwise null. */
export const recordsKeyAt = ({ records }: TrustKeys, key_id: string, at: string): Uint8Array | null => keyAt(records, key_id, at);

/** The certificate with this hash, in the form that can say from when it is invalid; null if it is not listed. */
export function sealOf(keys: TrustKeys, certificate_sha256: string): RevocableSeal | null {
  const listed = keys.seals.find((each) => each.certificate_sha256 === certificate_sha256);
  return listed === undefined ? null : { invalid_from: listed.revoked_at, reason: null, ...listed };
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

/** Parses one DER certificate. */
export const readCertificate = (der: Uint8Array): X509Certificate => new X509Certificate(der);

export const fingerprintOf = (certificate: X509Certificate): string => sha256(certificate.raw);
