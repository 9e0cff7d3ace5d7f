import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";

/** ES256: ECDSA on P-256 with SHA-256. EdDSA: Ed25519. */
export type SigningAlgorithm = "ES256" | "ES384" | "EdDSA";

/**
 * A key that signs, wherever it is kept. `sign` takes the whole message and returns the raw signature: r ‖ s for ECDSA, 64 bytes for
 * Ed25519. Another machine may do the signing, so call it outside transactions.
 */
export interface KeySigner {
  readonly algorithm: SigningAlgorithm;
  /** SubjectPublicKeyInfo, DER */
  readonly public_key: Buffer;
  sign(bytes: Uint8Array): Promise<Buffer>;
}

/** The signer of SIGNER_URL, which keeps keys under names. */
export interface RemoteSigner {
  /** SubjectPublicKeyInfo, DER */
  publicKey(ref: string): Promise<Buffer>;
  sign(ref: string, algorithm: SigningAlgorithm, bytes: Uint8Array): Promise<Buffer>;
}

/** Signs in this process. `open` decrypts the private key when it is first used. */
export function localSigner(algorithm: SigningAlgorithm, public_key: Buffer, open: () => KeyObject): KeySigner {
  let opened: KeyObject | null = null;
  return {
    algorithm,
    public_key,
    sign: async (bytes) => {
      opened ??= open();
      return signRaw(algorithm, opened, bytes);
    },
  };
}

const hashes = { ES256: "sha256", ES384: "sha384" } as const;

function signRaw(algorithm: SigningAlgorithm, key: KeyObject, bytes: Uint8Array): Buffer {
  return algorithm === "EdDSA" ? sign(null, bytes, key) : sign(hashes[algorithm], bytes, { key, dsaEncoding: "ieee-p1363" });
}

/** Whether this is a signature of the message with the key that has this public key, in the form that `KeySigner.sign` returns. */
export function isSignatureBy(
  { algorithm, public_key }: Pick<KeySigner, "algorithm" | "public_key">,
  bytes: Uint8Array,
  raw: Uint8Array,
): boolean {
  const key = createPublicKey({ key: public_key, format: "der", type: "spki" });
  return algorithm === "EdDSA" ? verify(null, bytes, key, raw) : verify(hashes[algorithm], bytes, { key, dsaEncoding: "ieee-p1363" }, raw);
}

/** What a key with this public key signs with; null if it is none of these. */
export function algorithmOf(spki: Uint8Array): SigningAlgorithm | null {
  const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({ key: Buffer.from(spki), format: "der", type: "spki" });
  if (asymmetricKeyType === "ed25519") return "EdDSA";
  const curves: Readonly<Record<string, SigningAlgorithm>> = { prime256v1: "ES256", secp384r1: "ES384" };
  return curves[asymmetricKeyDetails?.namedCurve ?? ""] ?? null;
}

/** Signs certificates and lists, in which an ECDSA signature is the DER form of r and s (RFC 3279, 2.2.3). */
export const signDerBy =
  ({ sign: signer }: Pick<KeySigner, "sign">) =>
  async (bytes: Uint8Array): Promise<Buffer> =>
    derOf(await signer(bytes));

function derOf(raw: Buffer): Buffer {
  const half = raw.length / 2;
  const content = Buffer.concat([integerOf(raw.subarray(0, half)), integerOf(raw.subarray(half))]);
  return Buffer.concat([Buffer.from([0x30, content.length]), content]);
}

/** DER has no leading zeros, except one that keeps the number positive. */
function integerOf(digits: Buffer): Buffer {
  const first = digits.findIndex((digit) => digit !== 0);
  const short = digits.subarray(first === -1 ? digits.length - 1 : first);
  const content = (short[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), short]) : short;
  return Buffer.concat([Buffer.from([0x02, content.length]), content]);
}
