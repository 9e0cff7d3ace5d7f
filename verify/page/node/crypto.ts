// What the verifier uses of `node:crypto`, for a browser. The build of the page replaces that module by this file, in `evidence/`, `pdf/` and
// `verify/` alike, so the same code runs there. A missing export stops the build. All of it is synchronous, as in Node; WebCrypto is not.

import { hashNamed } from "./hashes.ts";
import { PublicKey, RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING, type SignatureOptions } from "./public-key.ts";

export { X509Certificate } from "./x509-certificate.ts";

export const constants = { RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING } as const;

const bytesOf = (data: string | Uint8Array): Uint8Array => (typeof data === "string" ? Buffer.from(data, "utf8") : data);

class Hash {
  readonly #hashing: ReturnType<ReturnType<typeof hashNamed>["create"]>;

  constructor(name: string) {
    this.#hashing = hashNamed(name).create();
  }

  update(data: string | Uint8Array): this {
    this.#hashing.update(bytesOf(data));
    return this;
  }

  digest(): Buffer;
  digest(encoding: "hex" | "base64"): string;
  digest(encoding?: "hex" | "base64"): Buffer | string {
    const digest = Buffer.from(this.#hashing.digest());
    return encoding === undefined ? digest : digest.toString(encoding);
  }
}

export const createHash = (name: string): Hash => new Hash(name);

type KeySource = { readonly key: Uint8Array; readonly format: "der"; readonly type: "spki" };

/** Throws for bytes that are not a public key. */
export function createPublicKey({ key, format, type }: KeySource): PublicKey {
  if (format !== "der" || type !== "spki") throw new Error("a key in a form that the verifier does not use");
  return new PublicKey(key);
}

type KeyAndOptions = PublicKey | ({ readonly key: PublicKey } & SignatureOptions);

const parted = (given: KeyAndOptions): { readonly key: PublicKey } & SignatureOptions =>
  given instanceof PublicKey ? { key: given } : given;

export function verify(hash: string | null, data: Uint8Array, given: KeyAndOptions, signature: Uint8Array): boolean {
  const { key, ...options } = parted(given);
  return key.isValid(hash, [data], signature, options);
}

class Verify {
  readonly #hash: string;
  readonly #parts: Uint8Array[] = [];

  constructor(hash: string) {
    this.#hash = hash;
  }

  update(data: string | Uint8Array): this {
    this.#parts.push(bytesOf(data));
    return this;
  }

  verify(given: KeyAndOptions, signature: Uint8Array): boolean {
    const { key, ...options } = parted(given);
    return key.isValid(this.#hash, this.#parts, signature, options);
  }
}

export const createVerify = (hash: string): Verify => new Verify(hash);

/** The page has no private keys; code that signs is only imported. */
export function sign(): never {
  throw new Error("the page does not sign");
}
