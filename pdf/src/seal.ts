// The seal: an additional revision of the file with a signature over everything except the signature itself (ISO 32000-2, 12.8.1; PAdES,
// ETSI EN 319 142-1). It is made in two steps, so that the worker that parses files has no key and no network access: `placeSeal` writes
// the revision with a gap and hashes the rest; `seal` fills the gap. This file is the second step, for the caller's thread, and loads no
// PDF library.

import { createHash, type KeyObject, X509Certificate } from "node:crypto";
import { isValidSignature } from "./cms/algorithms.ts";
import { buildCms, signedAttributes } from "./cms/build-cms.ts";
import { checkTimestamp } from "./cms/timestamp.ts";

/** The file with its gap: `bytes[gap.start]` is `<`, `bytes[gap.end - 1]` is `>`; `digest` is the SHA-256 of everything else. */
export type PlacedSeal = {
  readonly bytes: Uint8Array;
  readonly gap: { readonly start: number; readonly end: number };
  readonly digest: Uint8Array;
};

export type SealKeys = {
  /** DER; the seal certificate first, then the chain to the root. */
  readonly certificates: readonly Uint8Array[];
  /** Signs with SHA-256 and the seal certificate's key: ECDSA as DER of r and s, or RSA PKCS #1. */
  readonly sign: (der: Uint8Array) => Promise<Uint8Array> | Uint8Array;
  readonly timestamp?: RequestToken;
};

/**
 * Requests a token for this SHA-256 hash from an authority (`timestampRequest`, `readTimestampAnswer`); the caller sets the time limit.
 */
export type RequestToken = (imprint: Uint8Array) => Promise<Uint8Array>;

export type Sealed = {
  readonly bytes: Uint8Array;
  readonly level: "B-B" | "B-T";
  readonly tsa_error?: string;
  /** At level B-T: the time stamp of the signature. */
  readonly token?: Uint8Array;
};

// For the signature, attributes and names, in addition to the certificates; an RSA-4096 signature has 512 bytes.
const SIGNATURE_BYTES = 2_048;
// Tokens with two certificates have 4-6 KB. If a token does not fit, the seal is made at the lower level.
const TOKEN_BYTES = 8_192;
const TIMESTAMP_TRIES = 3;

/** The number of bytes to reserve for the signature that `seal` will write. */
export function roomFor(certificates: readonly Uint8Array[], timestamped: boolean): number {
  const held = certificates.reduce((sum, certificate) => sum + certificate.length, 0);
  return held + SIGNATURE_BYTES + (timestamped ? TOKEN_BYTES : 0);
}

/**
 * Fills the gap. The signature is verified with the certificate before it is written, so a wrong key never produces a seal. If no time
 * stamp is obtained in three attempts, the same signature is written at level B-B, with the reason.
 * @example const { bytes } = await seal(placed, { certificates: [sealCertificate], sign: (der) => sign("sha256", der, key) })
 */
export async function seal(placed: PlacedSeal, keys: SealKeys): Promise<Sealed> {
  const [certificate] = keys.certificates;
  if (certificate === undefined) throw new Error("a seal needs a certificate");
  const attributes = signedAttributes(placed.digest, certificate);
  const signature = Uint8Array.from(await keys.sign(attributes));
  // Parsing a certificate takes a tenth of the time of a seal.
  const key = new X509Certificate(certificate).publicKey;
  assertOwnKey(key, attributes, signature);
  const parts = { certificates: keys.certificates, key, attributes, signature };
  const plain = fill(placed, buildCms({ ...parts, token: null }));
  if (plain === null) throw new Error(`the signature needs more than the ${roomOf(placed)} reserved bytes`);
  if (keys.timestamp === undefined) return { bytes: plain, level: "B-B" };
  const answer = await askForToken(keys.timestamp, createHash("sha256").update(signature).digest());
  if ("error" in answer) return { bytes: plain, level: "B-B", tsa_error: answer.error };
  const stamped = fill(placed, buildCms({ ...parts, token: answer.token }));
  return stamped === null
    ? { bytes: plain, level: "B-B", tsa_error: "the token is larger than the room for it" }
    : { bytes: stamped, level: "B-T", token: answer.token };
}

const roomOf = ({ gap }: PlacedSeal): number => (gap.end - gap.start - 2) / 2;

/** The file with the signature in its gap, padded with zeros; null if it does not fit. */
export function fill(placed: PlacedSeal, cms: Uint8Array): Uint8Array | null {
  const room = roomOf(placed);
  if (cms.length > room) return null;
  const bytes = Uint8Array.from(placed.bytes);
  const hex = Buffer.from(cms)
    .toString("hex")
    .padEnd(2 * room, "0");
  Buffer.from(bytes.buffer).write(hex, placed.gap.start + 1, "latin1");
  return bytes;
}

function assertOwnKey(key: KeyObject, attributes: Uint8Array, signature: Uint8Array): void {
  const kind = key.asymmetricKeyType === "rsa" ? "rsa" : "ecdsa";
  const ours = isValidSignature({ kind, hash: "sha256", salt_length: 0 }, key, [attributes], signature);
  if (!ours) throw new Error("the signature was not made with the key of the seal certificate");
}

/** Asks three times for a token for this hash. */
export async function askForToken(timestamp: RequestToken, imprint: Uint8Array): Promise<{ token: Uint8Array } | { error: string }> {
  let error = "";
  for (let attempt = 1; attempt <= TIMESTAMP_TRIES; attempt++) {
    try {
      const token = Uint8Array.from(await timestamp(imprint));
      // The caller's roots decide whether the authority is trusted; here we only check that the token is for this hash.
      const report = checkTimestamp(token, (hash) => (hash === "sha256" ? imprint : null), []);
      if (report.intact) return { token };
      error = `the token is not valid: ${report.fault}`;
    } catch (cause) {
      // The authority is an external service: its failures are recorded, and the document goes without the time stamp.
      error = cause instanceof Error ? cause.message : String(cause);
    }
  }
  return { error };
}
