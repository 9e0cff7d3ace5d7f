import { decrypt, encrypt, newToken } from "../shared/secrets.ts";
import type { Body } from "./message.ts";

/** Encrypted, because links that open accounts and documents are in it. */
export function sealBody(mailKey: Uint8Array, body: Body): { body_context: string; body_enc: Buffer } {
  const body_context = newToken();
  return { body_context, body_enc: encrypt(mailKey, JSON.stringify(body), body_context) };
}

/** Null when APP_SECRET is no longer the one that it was sealed under. */
export function openBody(mailKey: Uint8Array, body_enc: Uint8Array, body_context: string): Body | null {
  const text = decrypted(mailKey, body_enc, body_context);
  return text === null ? null : (JSON.parse(text) as Body);
}

function decrypted(mailKey: Uint8Array, body_enc: Uint8Array, body_context: string): string | null {
  try {
    return decrypt(mailKey, body_enc, body_context);
  } catch (error) {
    // Node's own words for a tag that does not match; it gives them no code.
    if (error instanceof Error && /unable to authenticate data/.test(error.message)) return null;
    throw error;
  }
}
