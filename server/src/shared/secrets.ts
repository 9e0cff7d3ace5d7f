import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

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

const labels = ["session", "setup", "mail", "embed", "link", "webhooks", "fingerprints", "seals", "exports", "refresh", "codes"] as const;
export type KeyLabel = (typeof labels)[number];
export type DerivedKeys = Readonly<Record<KeyLabel, Buffer>>;

/** One key per purpose (RFC 5869), so that a token of one kind is never valid as another. */
export function deriveKeys(appSecret: string): DerivedKeys {
  const derive = (label: KeyLabel) => Buffer.from(hkdfSync("sha256", appSecret, "", `countersign/${label}/1`, 32));
  return Object.fromEntries(labels.map((label) => [label, derive(label)])) as Record<KeyLabel, Buffer>;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM: nonce, ciphertext, tag. `context` is authenticated but not stored, so ciphertext cannot be moved to another row. */
export function encrypt(key: Uint8Array, plain: string, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

/** Throws if key, context or bytes are not those of `encrypt`. */
export function decrypt(key: Uint8Array, sealed: Uint8Array, context: string): string {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const text = sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
}
