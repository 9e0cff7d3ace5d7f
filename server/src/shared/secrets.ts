import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

export function sha256(data: string | Uint8Array): Buffer {
  return createHash("sha256").update(data).digest();
}

/** A URL-safe token of 256 random bits. Only its hash is ever stored. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

export function equalInConstantTime(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}

/** One version of APP_SECRET. Versions are numbered from 1 to 65,535. */
export interface SecretVersion {
  readonly version: number;
  readonly secret: string;
}

/** The first is used for new values. Values of every version are accepted. */
export type AppSecrets = readonly [SecretVersion, ...SecretVersion[]];

const MAX_VERSION = 65_535;

/** Reads `2:secret,1:secret`, separated by commas or lines. Null if it is anything else, or names a version twice. */
export function parseSecrets(text: string): AppSecrets | null {
  const parts = text.trim().split(/[,\n]\s*(?=\d{1,5}:)/);
  const found = parts.flatMap((part) => {
    const [, version = "", secret = ""] = /^(\d{1,5}):(.+)$/s.exec(part.trim()) ?? [];
    return secret === "" ? [] : [{ version: Number(version), secret }];
  });
  const [first, ...others] = found;
  const isValid = found.length === parts.length && found.every(({ version }) => version >= 1 && version <= MAX_VERSION);
  const isDistinct = new Set(found.map(({ version }) => version)).size === found.length;
  return first !== undefined && isValid && isDistinct ? [first, ...others] : null;
}

export interface VersionedKey {
  readonly version: number;
  readonly key: Buffer;
}

/** The keys of one purpose, one for each version of APP_SECRET. The first is used for new values; all are accepted. */
export type KeyRing = readonly [VersionedKey, ...VersionedKey[]];

const labels = [
  "session",
  "setup",
  "mail",
  "embed",
  "link",
  "webhooks",
  "fingerprints",
  "seals",
  "exports",
  "refresh",
  "codes",
  "factors",
  "wrap",
  "sso",
  "check",
] as const;
export type KeyLabel = (typeof labels)[number];
export type DerivedKeys = Readonly<Record<KeyLabel, KeyRing>>;

/** One key per purpose and version (RFC 5869), so that a token of one kind is never valid as another. */
export function deriveKeys([first, ...others]: AppSecrets): DerivedKeys {
  const derive = (label: KeyLabel, { version, secret }: SecretVersion): VersionedKey => ({
    version,
    key: Buffer.from(hkdfSync("sha256", secret, "", `countersign/${label}/1`, 32)),
  });
  const ringOf = (label: KeyLabel): KeyRing => [derive(label, first), ...others.map((one) => derive(label, one))];
  return Object.fromEntries(labels.map((label) => [label, ringOf(label)])) as Record<KeyLabel, KeyRing>;
}

/** HMAC-SHA-256 under every version of a key: the first is the one to store or to hand out, all are accepted. */
export function macsOf([first, ...others]: KeyRing, ...parts: readonly (string | Uint8Array)[]): readonly [Buffer, ...Buffer[]] {
  const macOf = ({ key }: VersionedKey): Buffer => {
    const mac = createHmac("sha256", key);
    for (const part of parts) mac.update(part);
    return mac.digest();
  };
  return [macOf(first), ...others.map(macOf)];
}

/** The key that a token names with `kid`; null if there is none. A token from before tokens had one was signed under the lowest version. */
export function keyNamed(ring: KeyRing, kid: unknown): Buffer | null {
  if (kid === undefined) return ring.reduce((lowest, one) => (one.version < lowest.version ? one : lowest)).key;
  return ring.find(({ version }) => String(version) === kid)?.key ?? null;
}

const MAGIC = Buffer.from("CSE1");
const HEADER_BYTES = MAGIC.length + 2;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The bytes were changed, belong to another context, or were encrypted under a version of APP_SECRET that is not given. */
export class CannotDecrypt extends Error {
  override readonly name = "CannotDecrypt";
}

/**
 * AES-256-GCM: `CSE1`, the version in two bytes, nonce, ciphertext, tag. `context` is authenticated but not stored, so ciphertext cannot be
 * moved to another row.
 */
export function encrypt([{ version, key }]: KeyRing, plain: string | Uint8Array, context: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(header);
  header.writeUInt16BE(version, MAGIC.length);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
  const bytes = typeof plain === "string" ? Buffer.from(plain, "utf8") : plain;
  return Buffer.concat([header, nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Throws `CannotDecrypt` if keys, context or bytes are not those of `encrypt`. Values from before versions have no header, and the nonce of
 * one can look like a header, so what fails under the version in its header is tried as such a value too.
 */
export function decrypt(ring: KeyRing, sealed: Uint8Array, context: string): string {
  return decryptBytes(ring, sealed, context).toString("utf8");
}

export function decryptBytes(ring: KeyRing, sealed: Uint8Array, context: string): Buffer {
  const named = ring.find(({ version }) => version === versionOf(sealed));
  const text = named === undefined ? null : opened(named.key, sealed.subarray(HEADER_BYTES), context);
  if (text !== null) return text;
  for (const { key } of ring) {
    const earlier = opened(key, sealed, context);
    if (earlier !== null) return earlier;
  }
  throw new CannotDecrypt("the text was changed, or encrypted under another APP_SECRET");
}

/** The version in the header; 0 for a value from before versions. */
export function versionOf(sealed: Uint8Array): number {
  if (sealed.length < HEADER_BYTES || !MAGIC.equals(sealed.subarray(0, MAGIC.length))) return 0;
  return Buffer.from(sealed.subarray(MAGIC.length, HEADER_BYTES)).readUInt16BE();
}

function opened(key: Uint8Array, sealed: Uint8Array, context: string): Buffer | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const text = decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]);
  } catch (error) {
    // Node's message for a tag that does not match. The error has no code.
    if (error instanceof Error && /unable to authenticate data/.test(error.message)) return null;
    throw error;
  }
}
