// The signature algorithms that we can verify: RSA (PKCS #1 and PSS) and ECDSA with SHA-2. SHA-1 is verified but reported as weak,
// because such a signature may have been made for another document (collisions have been affordable since 2017).

import { constants, createVerify, type KeyObject } from "node:crypto";
import { BadAsn1, type Block, integerBytes, isTag, members, oidOf } from "./der.ts";

export type Hash = "sha1" | "sha224" | "sha256" | "sha384" | "sha512";

const hashes: Readonly<Record<string, Hash>> = {
  "1.3.14.3.2.26": "sha1",
  "2.16.840.1.101.3.4.2.4": "sha224",
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};

// `hash: null`: the OID names only the kind of key; the hash is the signer's digest algorithm.
const schemes: Readonly<Record<string, { kind: "rsa" | "ecdsa"; hash: Hash | null }>> = {
  "1.2.840.113549.1.1.1": { kind: "rsa", hash: null },
  "1.2.840.113549.1.1.5": { kind: "rsa", hash: "sha1" },
  "1.2.840.113549.1.1.14": { kind: "rsa", hash: "sha224" },
  "1.2.840.113549.1.1.11": { kind: "rsa", hash: "sha256" },
  "1.2.840.113549.1.1.12": { kind: "rsa", hash: "sha384" },
  "1.2.840.113549.1.1.13": { kind: "rsa", hash: "sha512" },
  "1.2.840.10045.2.1": { kind: "ecdsa", hash: null },
  "1.2.840.10045.4.1": { kind: "ecdsa", hash: "sha1" },
  "1.2.840.10045.4.3.1": { kind: "ecdsa", hash: "sha224" },
  "1.2.840.10045.4.3.2": { kind: "ecdsa", hash: "sha256" },
  "1.2.840.10045.4.3.3": { kind: "ecdsa", hash: "sha384" },
  "1.2.840.10045.4.3.4": { kind: "ecdsa", hash: "sha512" },
};

const RSA_PSS = "1.2.840.113549.1.1.10";
const MGF1 = "1.2.840.113549.1.1.8";

export type Scheme = { readonly kind: "rsa" | "ecdsa" | "pss"; readonly hash: Hash; readonly salt_length: number };

/** The hash that an AlgorithmIdentifier names; null if not supported. */
export function hashOf(algorithm: Block | undefined): Hash | null {
  return hashes[oidOf(members(algorithm, "digest algorithm")[0], "digest algorithm")] ?? null;
}

/** How to verify a signature with this algorithm; null if not supported. `digest` is the signer's digest algorithm. */
export function schemeOf(algorithm: Block | undefined, digest: Hash): Scheme | null {
  const [name, parameters] = members(algorithm, "signature algorithm");
  const id = oidOf(name, "signature algorithm");
  if (id === RSA_PSS) return pssScheme(parameters);
  const scheme = schemes[id];
  return scheme === undefined ? null : { kind: scheme.kind, hash: scheme.hash ?? digest, salt_length: 0 };
}

// RFC 4055, 3.1: the defaults are SHA-1 and 20 bytes of salt.
function pssScheme(parameters: Block | undefined): Scheme | null {
  const found: Scheme = { kind: "pss", hash: "sha1", salt_length: 20 };
  const parts = parameters === undefined ? [] : members(parameters, "PSS parameters");
  const inside = (n: number): Block | undefined => {
    const part = parts.find((each) => isTag(each, n));
    return part === undefined ? undefined : members(part, "PSS parameter")[0];
  };
  const named = inside(0);
  const hash = named === undefined ? found.hash : hashOf(named);
  const mask = inside(1);
  const maskHash = mask === undefined ? found.hash : maskHashOf(mask);
  const salt = inside(2);
  const salt_length = salt === undefined ? found.salt_length : Buffer.from(integerBytes(salt, "salt length")).readUIntBE(0, 1);
  return hash === null || maskHash !== hash ? null : { kind: "pss", hash, salt_length };
}

function maskHashOf(mask: Block): Hash | null {
  const [name, hash] = members(mask, "mask generation");
  return oidOf(name, "mask generation") === MGF1 ? hashOf(hash) : null;
}

/** Whether the signature is valid for the message, given in parts. False if the key is of another kind than the scheme requires. */
export function isValidSignature(scheme: Scheme, key: KeyObject, message: readonly Uint8Array[], signature: Uint8Array): boolean {
  const type = key.asymmetricKeyType;
  const check = (options: object): boolean => {
    const verifier = createVerify(scheme.hash);
    for (const part of message) verifier.update(part);
    return verifier.verify({ key, ...options }, signature);
  };
  if (scheme.kind === "ecdsa") return type === "ec" && check({ dsaEncoding: "der" });
  if (scheme.kind === "rsa") return type === "rsa" && check({ padding: constants.RSA_PKCS1_PADDING });
  if (type !== "rsa" && type !== "rsa-pss") return false;
  try {
    return check({ padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: scheme.salt_length });
  } catch (cause) {
    // An rsa-pss key may not allow this hash or salt.
    throw new BadAsn1("PSS parameters that the key does not allow", { cause });
  }
}
