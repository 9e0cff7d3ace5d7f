// Passkey assertions (W3C Web Authentication, Level 3, section 7.2) as evidence that a person approved an act. The challenge that the person's
// authenticator signed is the SHA-256 of the act. No nonce of the service is needed, so anyone with the act and the public key can check it.

import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { type AlgorithmId, algorithmOfKey } from "./algorithms.ts";
import { fromBase64 } from "./note.ts";

/** By their COSE names (RFC 9053): ECDSA on P-256, Ed25519, RSA PKCS #1 v1.5; all but Ed25519 with SHA-256. */
export const passkeyAlgorithms = ["ES256", "EdDSA", "RS256"] as const;

export type PasskeyAlgorithm = (typeof passkeyAlgorithms)[number];

/** What an authenticator and its browser return, as bytes. */
export type PasskeyAssertion = {
  readonly authenticator_data: Uint8Array;
  readonly client_data: Uint8Array;
  readonly signature: Uint8Array;
};

/** What the assertion must fit. */
export type PasskeyExpected = {
  /** the public key as DER-encoded SPKI */
  readonly spki: Uint8Array;
  readonly algorithm: PasskeyAlgorithm;
  /** the SHA-256 of what was approved, in lower-case hex */
  readonly sha256: string;
  /** the host that the passkey belongs to */
  readonly rp_id: string;
  /** the origin of the page, such as `https://sign.example.com` */
  readonly origin: string;
};

/** Why an assertion is refused. */
export type PasskeyFault =
  | "key"
  | "client_data"
  | "type"
  | "challenge"
  | "origin"
  | "authenticator_data"
  | "rp_id"
  | "user_not_present"
  | "user_not_verified"
  | "signature";

/** An approval as it is stored and put into bundles, with everything that a check needs besides the act. Bytes are base64. */
export type PasskeyProof = {
  readonly credential_id: string;
  readonly spki: string;
  readonly algorithm: PasskeyAlgorithm;
  readonly authenticator_data: string;
  readonly client_data: string;
  readonly signature: string;
  readonly rp_id: string;
  readonly origin: string;
};

const RP_ID_BYTES = 32;
const COUNT_AT = RP_ID_BYTES + 1;
const SHORTEST = COUNT_AT + 4;

const flags = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40, extended: 0x80 } as const;

/** Null if the assertion proves that the holder of the key, verified by the authenticator, approved exactly what has this hash. */
export function passkeyFault(assertion: PasskeyAssertion, expected: PasskeyExpected): PasskeyFault | null {
  const key = keyIn(expected.spki, expected.algorithm);
  if (key === null) return "key";
  const fault = clientDataFault(assertion.client_data, expected) ?? authenticatorFault(assertion.authenticator_data, expected.rp_id);
  return fault ?? (isSignedWith(key, expected.algorithm, assertion) ? null : "signature");
}

/** The same for a stored approval of what has this hash. Bytes that are written in another way than we write them are refused. */
export function passkeyProofFault(proof: PasskeyProof, sha256: string): PasskeyFault | null {
  const { algorithm, rp_id, origin } = proof;
  if (!passkeyAlgorithms.includes(algorithm)) return "key";
  const [spki, client_data, authenticator_data, signature] = [
    fromBase64(proof.spki),
    fromBase64(proof.client_data),
    fromBase64(proof.authenticator_data),
    fromBase64(proof.signature),
  ];
  if (spki === null) return "key";
  if (client_data === null) return "client_data";
  if (authenticator_data === null) return "authenticator_data";
  if (signature === null) return "signature";
  return passkeyFault({ authenticator_data, client_data, signature }, { spki, algorithm, sha256, rp_id, origin });
}

/** How often the authenticator has signed, by its own count; 0 if it does not count. Null for malformed data. */
export function signCountOf(authenticator_data: Uint8Array): number | null {
  return authenticator_data.length < SHORTEST ? null : Buffer.from(authenticator_data).readUInt32BE(COUNT_AT);
}

function clientDataFault(bytes: Uint8Array, { sha256, origin }: PasskeyExpected): PasskeyFault | null {
  const said = objectIn(bytes);
  if (said === null) return "client_data";
  if (said.type !== "webauthn.get") return "type";
  if (said.challenge !== base64url(Buffer.from(sha256, "hex"))) return "challenge";
  // In a frame of another site, the person may not have known what they approved.
  return said.origin === origin && said.crossOrigin !== true && said.topOrigin === undefined ? null : "origin";
}

// The page of the verifier has a Buffer that does not know the name base64url.
const base64url = (bytes: Buffer): string => bytes.toString("base64").replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

function objectIn(bytes: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

function authenticatorFault(bytes: Uint8Array, rp_id: string): PasskeyFault | null {
  if (bytes.length < SHORTEST) return "authenticator_data";
  const has = (flag: number) => ((bytes[RP_ID_BYTES] ?? 0) & flag) !== 0;
  // Data of a registration follows the count only there, and anything else only as an extension. A backup needs a key that can have one.
  const isWellFormed = !has(flags.attested) && has(flags.extended) === bytes.length > SHORTEST;
  if (!isWellFormed || (has(flags.backedUp) && !has(flags.backupEligible))) return "authenticator_data";
  const hashOfHost = createHash("sha256").update(rp_id).digest();
  if (!hashOfHost.equals(Buffer.from(bytes.subarray(0, RP_ID_BYTES)))) return "rp_id";
  if (!has(flags.userPresent)) return "user_not_present";
  return has(flags.userVerified) ? null : "user_not_verified";
}

function isSignedWith(
  key: KeyObject,
  algorithm: PasskeyAlgorithm,
  { authenticator_data, client_data, signature }: PasskeyAssertion,
): boolean {
  const signed = Buffer.concat([authenticator_data, createHash("sha256").update(client_data).digest()]);
  if (algorithm === "EdDSA") return signature.length === ED25519_BYTES && verify(null, signed, key, signature);
  return verify("sha256", signed, algorithm === "ES256" ? { key, dsaEncoding: "der" } : key, signature);
}

const ED25519_BYTES = 64;

const kinds: Readonly<Record<PasskeyAlgorithm, AlgorithmId>> = { ES256: "ecdsa-p256", EdDSA: "ed25519", RS256: "rsa-2048" };

/** Null unless the bytes are a key of this algorithm, written the only way that we accept. */
function keyIn(spki: Uint8Array, algorithm: PasskeyAlgorithm): KeyObject | null {
  const bytes = Buffer.from(spki);
  if (!isWrittenPlainly(bytes, algorithm)) return null;
  try {
    const key = createPublicKey({ key: bytes, format: "der", type: "spki" });
    return algorithmOfKey(key) === kinds[algorithm] ? key : null;
  } catch {
    // For example a point that is not on the curve. Libraries throw errors of several classes.
    return null;
  }
}

// What precedes the key itself (RFC 5480, with an uncompressed point; RFC 8410; RFC 8017). Libraries also accept other spellings of the same
// key, and then a changed byte could go unnoticed.
const plain = {
  ES256: { prefix: "3059301306072a8648ce3d020106082a8648ce3d03010703420004", key_bytes: 64 },
  EdDSA: { prefix: "302a300506032b6570032100", key_bytes: 32 },
} as const;
const RSA = "300d06092a864886f70d0101010500";

function isWrittenPlainly(spki: Buffer, algorithm: PasskeyAlgorithm): boolean {
  if (algorithm === "RS256") return isPlainRsa(spki);
  const { prefix, key_bytes } = plain[algorithm];
  return spki.length === prefix.length / 2 + key_bytes && spki.subarray(0, prefix.length / 2).toString("hex") === prefix;
}

/** Reads the two numbers from the end of an RSA key and writes the key anew. */
function isPlainRsa(spki: Buffer): boolean {
  const at = spki.indexOf(Buffer.from(RSA, "hex"));
  const bits = at < 0 ? null : contentOf(spki.subarray(at + RSA.length / 2), 0x03);
  const numbers = bits === null ? null : contentOf(bits.subarray(1), 0x30);
  const modulus = numbers === null ? null : contentOf(numbers, 0x02);
  const exponent = numbers === null || modulus === null ? null : contentOf(numbers.subarray(der(0x02, modulus).length), 0x02);
  if (modulus === null || exponent === null || !isPlainNumber(modulus) || !isPlainNumber(exponent)) return false;
  const key = der(0x30, Buffer.concat([der(0x02, modulus), der(0x02, exponent)]));
  return der(0x30, Buffer.concat([Buffer.from(RSA, "hex"), der(0x03, Buffer.concat([Buffer.from([0]), key]))])).equals(spki);
}

/** Positive, without needless zeros in front. */
const isPlainNumber = (bytes: Buffer): boolean => {
  const [first = 0x80, second = 0x80] = bytes;
  return first < 0x80 && (first > 0 || second >= 0x80);
};

/** The content of the DER element that the bytes begin with; null if it has another tag or is cut off. */
function contentOf(bytes: Buffer, tag: number): Buffer | null {
  const [found, size = 0] = bytes;
  const extra = size < 0x80 ? 0 : size - 0x80;
  if (found !== tag || extra > 2 || bytes.length < 2 + extra) return null;
  const length = extra === 0 ? size : bytes.readUIntBE(2, extra);
  const content = bytes.subarray(2 + extra, 2 + extra + length);
  return content.length === length ? content : null;
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
