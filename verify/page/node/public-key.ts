// Public keys (RFC 5280, 4.1.2.7) and the signatures that they verify: Ed25519, ECDSA on the NIST curves, RSA.

import { ed25519 } from "@noble/curves/ed25519.js";
import { p256, p384, p521 } from "@noble/curves/nist.js";
import * as asn1 from "asn1js";
import { bitsOf, integerOf, isTag, members, numberOf, oidOf, readWhole } from "./der.ts";
import { digestOf, type HashName } from "./hashes.ts";
import { isPkcs1Signature, isPssSignature, type RsaKey } from "./rsa.ts";

/** Names as OpenSSL has them. */
const curves = {
  "1.2.840.10045.3.1.7": { name: "prime256v1", curve: p256 },
  "1.3.132.0.34": { name: "secp384r1", curve: p384 },
  "1.3.132.0.35": { name: "secp521r1", curve: p521 },
} as const;

type Curve = (typeof curves)[keyof typeof curves]["curve"];

type Key =
  | { readonly type: "ed25519"; readonly bytes: Uint8Array }
  | { readonly type: "ec"; readonly curve: Curve; readonly name: string; readonly bytes: Uint8Array }
  | { readonly type: "rsa" | "rsa-pss"; readonly rsa: RsaKey; readonly pss: PssParameters | null }
  /** agrees on secrets and signs nothing */
  | { readonly type: "x25519" }
  | { readonly type: "unsupported" };

export type PssParameters = { readonly hash: HashName; readonly salt_length: number };

export type SignatureOptions = {
  readonly dsaEncoding?: "der" | "ieee-p1363";
  readonly padding?: number;
  readonly saltLength?: number;
};

export const RSA_PKCS1_PADDING = 1;
export const RSA_PKCS1_PSS_PADDING = 6;

/** What the verifier uses of Node's KeyObject. */
export class PublicKey {
  readonly type = "public";
  readonly #spki: Uint8Array;
  readonly #key: Key;

  /** Throws for bytes that are not a public key, or whose point is not on its curve. */
  constructor(spki: Uint8Array) {
    this.#spki = Uint8Array.from(spki);
    this.#key = readKey(this.#spki);
  }

  get asymmetricKeyType(): string | undefined {
    return this.#key.type === "unsupported" ? undefined : this.#key.type;
  }

  get asymmetricKeyDetails(): { readonly namedCurve?: string; readonly modulusLength?: number } {
    if (this.#key.type === "ec") return { namedCurve: this.#key.name };
    return "rsa" in this.#key ? { modulusLength: this.#key.rsa.modulus.toString(2).length } : {};
  }

  /** The key as DER-encoded SPKI, its only form here. */
  export(): Buffer {
    return Buffer.from(this.#spki);
  }

  equals(other: PublicKey): boolean {
    return this.export().equals(other.export());
  }

  /** `hash` is null for Ed25519, which signs the message itself. */
  isValid(hash: string | null, message: readonly Uint8Array[], signature: Uint8Array, options: SignatureOptions = {}): boolean {
    const key = this.#key;
    if (key.type === "ed25519") return hash === null && isEd25519Signature(key.bytes, message, signature);
    if (hash === null || key.type === "unsupported" || key.type === "x25519") return false;
    const digest = digestOf(hash, message);
    if (key.type === "ec") return isEcdsaSignature(key, digest, signature, options);
    if (options.padding !== RSA_PKCS1_PSS_PADDING) return key.type === "rsa" && isPkcs1Signature(key.rsa, hash, digest, signature);
    const saltLength = options.saltLength ?? digest.length;
    if (key.pss !== null && (key.pss.hash !== hash || saltLength < key.pss.salt_length)) {
      throw new Error("PSS parameters that the key does not allow");
    }
    return isPssSignature(key.rsa, hash, digest, signature, saltLength);
  }
}

// RFC 8032. Points and numbers must be written in their shortest form, as OpenSSL requires.
function isEd25519Signature(key: Uint8Array, message: readonly Uint8Array[], signature: Uint8Array): boolean {
  try {
    return ed25519.verify(Uint8Array.from(signature), Uint8Array.from(Buffer.concat(message)), key, { zip215: false });
  } catch {
    // The library throws for a signature or key of another length.
    return false;
  }
}

function isEcdsaSignature(
  { curve, bytes }: { readonly curve: Curve; readonly bytes: Uint8Array },
  digest: Uint8Array,
  signature: Uint8Array,
  { dsaEncoding }: SignatureOptions,
): boolean {
  const format = dsaEncoding === "ieee-p1363" ? "compact" : "der";
  try {
    return curve.verify(Uint8Array.from(signature), digest, bytes, { prehash: false, lowS: false, format });
  } catch {
    // The library throws for bytes that are not a signature.
    return false;
  }
}

function readKey(spki: Uint8Array): Key {
  const [algorithm, bits] = members(readWhole(spki));
  const [name, parameters] = members(algorithm);
  const bytes = bitsOf(bits);
  switch (oidOf(name)) {
    case "1.3.101.112":
      if (bytes.length !== 32) throw new Error("an Ed25519 key must have 32 bytes");
      return { type: "ed25519", bytes };
    case "1.3.101.110":
      if (bytes.length !== 32) throw new Error("an X25519 key must have 32 bytes");
      return { type: "x25519" };
    case "1.2.840.10045.2.1":
      return ecKey(oidOf(parameters), bytes);
    case "1.2.840.113549.1.1.1":
      return { type: "rsa", rsa: rsaKey(bytes), pss: null };
    case "1.2.840.113549.1.1.10":
      return { type: "rsa-pss", rsa: rsaKey(bytes), pss: parameters === undefined ? null : pssParameters(parameters) };
    default:
      return { type: "unsupported" };
  }
}

function ecKey(oid: string, bytes: Uint8Array): Key {
  if (!Object.hasOwn(curves, oid)) return { type: "unsupported" };
  const { name, curve } = curves[oid as keyof typeof curves];
  curve.Point.fromBytes(bytes).assertValidity();
  return { type: "ec", curve, name, bytes };
}

function rsaKey(bytes: Uint8Array): RsaKey {
  const [modulus, exponent] = members(readWhole(bytes)).map((part) => numberOf(integerOf(part)));
  if (modulus === undefined || exponent === undefined || modulus === 0n || exponent === 0n) throw new Error("not an RSA key");
  return { modulus, exponent };
}

const hashNames: Readonly<Record<string, HashName>> = {
  "1.3.14.3.2.26": "sha1",
  "2.16.840.1.101.3.4.2.4": "sha224",
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};

/** RFC 4055, 3.1: what is left out is SHA-1 with 20 bytes of salt. */
export function pssParameters(parameters: asn1.BaseBlock | undefined): PssParameters {
  const parts = parameters === undefined ? [] : members(parameters);
  const inside = (n: number) => members(parts.find((part) => isTag(part, n)) ?? new asn1.Sequence())[0];
  const [hash, mask, salt] = [inside(0), inside(1), inside(2)];
  const named = hash === undefined ? "sha1" : hashNames[oidOf(members(hash)[0])];
  const ofMask = mask === undefined ? "sha1" : hashNames[oidOf(members(members(mask)[1])[0])];
  if (named === undefined || ofMask !== named) throw new Error("unsupported PSS parameters");
  return { hash: named, salt_length: salt === undefined ? 20 : Number(numberOf(integerOf(salt))) };
}
