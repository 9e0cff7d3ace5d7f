/** Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`, by the Web Crypto API that every runtime has. */

/** Not by its name, which not every runtime's types know. */
export type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const SECRET = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/;

/** Throws when the text is no secret, which is a mistake in the configuration, not of a sender. */
export async function importSecret(secret: string): Promise<Key> {
  const encoded = SECRET.exec(secret)?.[1];
  if (encoded === undefined) throw new TypeError("the secret must be whsec_ and base64, as it was shown when the endpoint was made");
  return crypto.subtle.importKey("raw", bytesOf(encoded), { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}

export function signedBytes(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

/** Throws a SyntaxError or DOMException when the text is no base64. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

export function base64Of(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}
