import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";

/**
 * HPKE (RFC 9180), base mode, single message: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. What is sealed opens only with the
 * receiver's private key and under the same `info`, so a message cannot be moved to another context.
 */

export interface Sealed {
  /** the ephemeral public key, 32 bytes */
  readonly enc: Buffer;
  /** ciphertext and tag */
  readonly ciphertext: Buffer;
}

export interface Aead {
  /** of the registry in RFC 9180, section 7.3 */
  readonly id: number;
  readonly key_bytes: number;
  readonly cipher: "aes-128-gcm" | "aes-256-gcm";
}

export const AES_256_GCM: Aead = { id: 0x0002, key_bytes: 32, cipher: "aes-256-gcm" };

const KEM_ID = 0x0020;
const KDF_ID = 0x0001;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HASH_BYTES = 32;
const POINT_BYTES = 32;
const NONE = Buffer.alloc(0);

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);

const KEM_SUITE = Buffer.concat([Buffer.from("KEM"), u16(KEM_ID)]);
const suiteOf = ({ id }: Aead): Buffer => Buffer.concat([Buffer.from("HPKE"), u16(KEM_ID), u16(KDF_ID), u16(id)]);

const hmac = (key: Uint8Array, ...parts: readonly Uint8Array[]): Buffer => {
  const mac = createHmac("sha256", key);
  for (const part of parts) mac.update(part);
  return mac.digest();
};

const labeledExtract = (suite: Buffer, salt: Uint8Array, label: string, input: Uint8Array): Buffer =>
  hmac(salt.length === 0 ? Buffer.alloc(HASH_BYTES) : salt, Buffer.from("HPKE-v1"), suite, Buffer.from(label), input);

// At most one block of SHA-256 is needed for any key or nonce of these suites.
const labeledExpand = (suite: Buffer, secret: Uint8Array, label: string, info: Uint8Array, length: number): Buffer =>
  hmac(secret, u16(length), Buffer.from("HPKE-v1"), suite, Buffer.from(label), info, Buffer.from([1])).subarray(0, length);

// The DER prefix of an X25519 public key (RFC 8410); the key itself is the last 32 bytes.
const SPKI_PREFIX = Buffer.from("302a300506032b656e032100", "hex");

const rawPublic = (publicKey: KeyObject): Buffer => publicKey.export({ type: "spki", format: "der" }).subarray(-POINT_BYTES);

const publicFromRaw = (raw: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: "der", type: "spki" });

/** DH and KDF of the KEM, the same on both sides. A public key of small order fails in Node. */
function sharedSecret(privateKey: KeyObject, publicKey: KeyObject, enc: Uint8Array, receiver: Uint8Array): Buffer {
  const dh = diffieHellman({ privateKey, publicKey });
  const extracted = labeledExtract(KEM_SUITE, NONE, "eae_prk", dh);
  return labeledExpand(KEM_SUITE, extracted, "shared_secret", Buffer.concat([enc, receiver]), HASH_BYTES);
}

/** Key and first nonce of the base mode. */
export function keySchedule(shared: Uint8Array, info: Uint8Array, aead: Aead): { readonly key: Buffer; readonly base_nonce: Buffer } {
  const suite = suiteOf(aead);
  const psk_id_hash = labeledExtract(suite, NONE, "psk_id_hash", NONE);
  const info_hash = labeledExtract(suite, NONE, "info_hash", info);
  const context = Buffer.concat([Buffer.from([0]), psk_id_hash, info_hash]);
  const secret = labeledExtract(suite, shared, "secret", NONE);
  return {
    key: labeledExpand(suite, secret, "key", context, aead.key_bytes),
    base_nonce: labeledExpand(suite, secret, "base_nonce", context, NONCE_BYTES),
  };
}

export interface Context {
  readonly info: Uint8Array;
  readonly aad?: Uint8Array;
  /** other suites are for the vectors of the RFC */
  readonly aead?: Aead;
}

/** `ephemeral` is given only by tests, which repeat published vectors. */
export function sealFor(
  receiver: KeyObject,
  plaintext: Uint8Array,
  { info, aad = NONE, aead = AES_256_GCM }: Context,
  ephemeral: KeyObject = generateKeyPairSync("x25519").privateKey,
): Sealed {
  const enc = rawPublic(createPublicKey(ephemeral));
  const { key, base_nonce } = keySchedule(sharedSecret(ephemeral, receiver, enc, rawPublic(receiver)), info, aead);
  const cipher = createCipheriv(aead.cipher, key, base_nonce).setAAD(aad);
  return { enc, ciphertext: Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]) };
}

/** Null if this key, `info` or `aad` is not the one that it was sealed for, or if a bit has changed. */
export function openSealed(
  privateKey: KeyObject,
  { enc, ciphertext }: Sealed,
  { info, aad = NONE, aead = AES_256_GCM }: Context,
): Buffer | null {
  if (enc.length !== POINT_BYTES || ciphertext.length < TAG_BYTES) return null;
  const receiver = rawPublic(createPublicKey(privateKey));
  try {
    const { key, base_nonce } = keySchedule(sharedSecret(privateKey, publicFromRaw(enc), enc, receiver), info, aead);
    const decipher = createDecipheriv(aead.cipher, key, base_nonce).setAAD(aad).setAuthTag(ciphertext.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(ciphertext.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    // Node throws for a wrong tag and for a public key of small order; both mean that it was not sealed for this key.
    return null;
  }
}
