import { CannotDecrypt, decrypt, encrypt, type KeyRing, newToken } from "../shared/secrets.ts";
import type { Body } from "./message.ts";

/** Encrypts a body, because it can contain links that open accounts and documents. */
export function encryptBody(mailKey: KeyRing, body: Body): { body_context: string; body_enc: Buffer } {
  const body_context = newToken();
  return { body_context, body_enc: encrypt(mailKey, JSON.stringify(body), body_context) };
}

/** Null when the body was encrypted under a different APP_SECRET. */
export function decryptBody(mailKey: KeyRing, body_enc: Uint8Array, body_context: string): Body | null {
  const text = decrypted(mailKey, body_enc, body_context);
  return text === null ? null : (JSON.parse(text) as Body);
}

function decrypted(mailKey: KeyRing, body_enc: Uint8Array, body_context: string): string | null {
  try {
    return decrypt(mailKey, body_enc, body_context);
  } catch (error) {
    if (error instanceof CannotDecrypt) return null;
    throw error;
  }
}
