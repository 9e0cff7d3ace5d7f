// Whom a reader believes. One certificate, the root, is known to the reader by its hash; it signs the list of everything else: the
// keys that sign records, the certificates that seal documents, the roots of time-stamp authorities.

import { createPublicKey, type KeyObject, sign, verify, X509Certificate } from "node:crypto";
import { canonicalize } from "../canonical.ts";
import { canonicalValue, keyIdOf } from "../checkpoint.ts";
import { isHash, isTime } from "../entry.ts";
import { sha256 } from "./manifest.ts";

export type RecordsKey = {
  readonly key_id: string;
  /** SPKI, DER, as lower-case hex */
  readonly public_key: string;
  readonly not_before: string;
  /** null: still in use */
  readonly not_after: string | null;
};

export type SealCertificate = {
  readonly certificate_sha256: string;
  readonly not_before: string;
  readonly not_after: string;
  readonly revoked_at: string | null;
};

/** `trust/keys.json`, and `GET /.well-known/countersign-trust.json`, once canonical. */
export type TrustKeys = {
  readonly type: "countersign/keys/1";
  readonly root_sha256: string;
  readonly issued_at: string;
  readonly records: readonly RecordsKey[];
  readonly seals: readonly SealCertificate[];
  /** SHA-256 of certificates */
  readonly tsa_roots: readonly string[];
};

// The order of P-256 (FIPS 186-5). To every signature (r, s) there is a second one, (r, n - s): only the lower s counts.
const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const HALF_BYTES = 32;

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString("hex")}`);

/** The canonical bytes of the list and the root's signature over them: r ‖ s, 64 bytes, with the low s. `key` is the root's, P-256. */
export function signTrustKeys(keys: TrustKeys, key: KeyObject): { bytes: Uint8Array; signature: Uint8Array } {
  const bytes = Buffer.from(canonicalize(keys));
  const signature = sign("sha256", bytes, { key, dsaEncoding: "ieee-p1363" });
  const s = numberOf(signature.subarray(HALF_BYTES));
  if (s > P256_ORDER / 2n) signature.write((P256_ORDER - s).toString(16).padStart(2 * HALF_BYTES, "0"), HALF_BYTES, "hex");
  return { bytes, signature };
}

/** Whether the root signed exactly these bytes, in the one form that counts. */
export function isSignedByRoot(signed: { readonly bytes: Uint8Array; readonly signature: Uint8Array }, root: X509Certificate): boolean {
  const { bytes, signature } = signed;
  const { publicKey } = root;
  if (signature.length !== 2 * HALF_BYTES || publicKey.asymmetricKeyDetails?.namedCurve !== "prime256v1") return false;
  if (numberOf(signature.subarray(HALF_BYTES)) > P256_ORDER / 2n) return false;
  return verify("sha256", bytes, { key: publicKey, dsaEncoding: "ieee-p1363" }, signature);
}

/** The list in these bytes; null unless they are canonical, have exactly its members, and every key has the id of its bytes. */
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
    // OpenSSL says in many ways that bytes are no key; here it is one answer.
    return false;
  }
}

function isSealCertificate(item: unknown): boolean {
  const { certificate_sha256, not_before, not_after, revoked_at } = Object(item) as Record<string, unknown>;
  if (Object.keys(Object(item)).length !== 4 || !isHash(certificate_sha256)) return false;
  return isTime(not_before) && isTime(not_after) && (revoked_at === null || isTime(revoked_at));
}

/** The key of this id if it was valid at that time; null otherwise. */
export function recordsKeyAt({ records }: TrustKeys, key_id: string, at: string): Uint8Array | null {
  const key = records.find((each) => each.key_id === key_id);
  if (key === undefined || at < key.not_before || (key.not_after !== null && at > key.not_after)) return null;
  return Buffer.from(key.public_key, "hex");
}

/** The certificates of a PEM file in the one spelling that Node writes; null for any other bytes. */
export function readPem(bytes: Uint8Array): X509Certificate[] | null {
  const text = Buffer.from(bytes).toString("latin1");
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/g) ?? [];
  if (blocks.length === 0 || blocks.join("") !== text) return null;
  try {
    const certificates = blocks.map((block) => new X509Certificate(block));
    return writePem(certificates.map(({ raw }) => raw)) === text ? certificates : null;
  } catch {
    // As above: bytes that are no certificate.
    return null;
  }
}

/** @example writePem([der]) // "-----BEGIN CERTIFICATE-----\n…" */
export const writePem = (certificates: readonly Uint8Array[]): string =>
  certificates.map((der) => new X509Certificate(der).toString()).join("");

export const fingerprintOf = (certificate: X509Certificate): string => sha256(certificate.raw);
