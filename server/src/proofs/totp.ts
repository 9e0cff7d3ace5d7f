import { createHmac, randomBytes } from "node:crypto";

/** Codes of authenticator apps (RFC 6238): SHA-1, 6 digits, a new code every 30 seconds. Every app knows these. */

const SECRET_BYTES = 20;
const STEP_SECONDS = 30;

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

export const stepAt = (at: Date): number => Math.floor(at.getTime() / 1000 / STEP_SECONDS);

export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0x0f) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

/** The step of the code: the present one, or one before or after for a clock that is not exact. Null if it is the code of none of them. */
export function matchingStep(secret: Uint8Array, code: string, at: Date): number | null {
  const now = stepAt(at);
  return [now, now - 1, now + 1].find((step) => totpCode(secret, step) === code) ?? null;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Base32 (RFC 4648) without padding, as people type a secret into an app. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}
