/** Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`, with the Web Crypto API, which every runtime has. */

/** Not `CryptoKey`, because not every runtime's types declare it. */
export type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const SECRET = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/;

/** Throws a TypeError if the text is not a secret. That is a configuration error, not the sender's fault. */
export async function importSecret(secret: string): Promise<Key> {
  const encoded = SECRET.exec(secret)?.[1];
  if (encoded === undefined) throw new TypeError("the secret must be whsec_ followed by base64, as shown when the endpoint was created");
  return crypto.subtle.importKey("raw", bytesOf(encoded), { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}

export function signedBytes(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

/** Throws a SyntaxError or DOMException if the text is not base64. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

export function base64Of(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}
