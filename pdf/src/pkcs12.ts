// Reads PKCS #12 files (RFC 7292), the format in which certificates are sold and moved together with their keys. Node reads them only for
// TLS and returns neither key nor certificate. Runs in the caller's thread, which has the password and therefore the key anyway. Supports
// PBES2 (AES, RFC 8018) and the older triple DES; 40-bit RC2 is rejected.

import { createDecipheriv, createHash, createHmac, pbkdf2Sync, timingSafeEqual } from "node:crypto";
import * as asn1 from "asn1js";
import { hashOf } from "./cms/algorithms.ts";
import { BadAsn1, type Block, integerBytes, isTag, members, octets, oid, oidOf, readBlock, readWhole } from "./cms/der.ts";

/** unreadable: not a PKCS #12 file, or damaged. wrong_password. unsupported: protected in a way that we do not support. */
export type Pkcs12Reason = "unreadable" | "wrong_password" | "unsupported";

/** The message gives the reason and quotes nothing. */
export class Pkcs12Fault extends Error {
  override readonly name = "Pkcs12Fault";
  readonly reason: Pkcs12Reason;

  constructor(reason: Pkcs12Reason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

export type Pkcs12 = {
  /** DER-encoded PKCS #8. */
  readonly keys: readonly Uint8Array[];
  /** DER-encoded, in file order. */
  readonly certificates: readonly Uint8Array[];
};

const ENCRYPTED_DATA = "1.2.840.113549.1.7.6";
const KEY_BAG = "1.2.840.113549.1.12.10.1.1";
const SHROUDED_KEY_BAG = "1.2.840.113549.1.12.10.1.2";
const CERTIFICATE_BAG = "1.2.840.113549.1.12.10.1.3";

const PBES2 = "1.2.840.113549.1.5.13";
const PBKDF2 = "1.2.840.113549.1.5.12";
const TRIPLE_DES = "1.2.840.113549.1.12.1.3";

const ciphers: Readonly<Record<string, { name: string; key_bytes: number }>> = {
  "2.16.840.1.101.3.4.1.2": { name: "aes-128-cbc", key_bytes: 16 },
  "2.16.840.1.101.3.4.1.22": { name: "aes-192-cbc", key_bytes: 24 },
  "2.16.840.1.101.3.4.1.42": { name: "aes-256-cbc", key_bytes: 32 },
};

const macHashes: Readonly<Record<string, string>> = {
  "1.2.840.113549.2.7": "sha1",
  "1.2.840.113549.2.8": "sha224",
  "1.2.840.113549.2.9": "sha256",
  "1.2.840.113549.2.10": "sha384",
  "1.2.840.113549.2.11": "sha512",
};

// RFC 7292, B.3: the purpose of derived bytes.
const FOR_KEY = 1;
const FOR_IV = 2;
const FOR_MAC = 3;

/**
 * Returns the keys and certificates of a file. Throws Pkcs12Fault.
 * @example const { keys, certificates } = readPkcs12(readFileSync("seal.p12"), password)
 */
export function readPkcs12(file: Uint8Array, password: string): Pkcs12 {
  try {
    const [, authSafe, mac] = members(readBlock(file).block, "file");
    const content = octets(contentOf(authSafe, oid.data), "content");
    if (mac !== undefined) checkMac(mac, content, password);
    const bags = members(readBlock(content).block, "content").flatMap((part) => bagsOf(part, password));
    return {
      keys: bags.flatMap((bag) => keyIn(bag, password)),
      certificates: bags.flatMap(certificateIn),
    };
  } catch (error) {
    if (!(error instanceof BadAsn1)) throw error;
    throw new Pkcs12Fault("unreadable", `not a PKCS #12 file, or a damaged one: ${error.message}`, { cause: error });
  }
}

type Bag = { readonly kind: string; readonly value: Block | undefined };

/** The content of a ContentInfo of this type. */
function contentOf(info: Block | undefined, type: string): Block | undefined {
  const [named, content] = members(info, "content");
  if (oidOf(named, "content") !== type) throw new Pkcs12Fault("unsupported", "protected by a certificate, not by a password");
  return members(content, "content")[0];
}

function bagsOf(part: Block, password: string): Bag[] {
  const isPlain = oidOf(members(part, "content")[0], "content") === oid.data;
  const plain = isPlain ? octets(contentOf(part, oid.data), "content") : decryptData(contentOf(part, ENCRYPTED_DATA), password);
  return members(readBlock(plain).block, "bags").map((bag) => {
    const [kind, value] = members(bag, "bag");
    return { kind: oidOf(kind, "bag"), value: members(value, "bag")[0] };
  });
}

function keyIn({ kind, value }: Bag, password: string): Uint8Array[] {
  if (kind === KEY_BAG && value !== undefined) return [new Uint8Array(value.valueBeforeDecodeView)];
  if (kind !== SHROUDED_KEY_BAG) return [];
  const [algorithm, encrypted] = members(value, "key");
  return [assertWhole(decrypt(algorithm, octets(encrypted, "key"), password))];
}

function certificateIn({ kind, value }: Bag): Uint8Array[] {
  if (kind !== CERTIFICATE_BAG) return [];
  const [, wrapped] = members(value, "certificate");
  return [octets(members(wrapped, "certificate")[0], "certificate")];
}

/** Without a checksum, a wrong password occasionally gives data with valid padding. */
function assertWhole(key: Uint8Array): Uint8Array {
  try {
    readWhole(key);
    return key;
  } catch (cause) {
    if (!(cause instanceof BadAsn1)) throw cause;
    throw new Pkcs12Fault("wrong_password", "the password does not open it", { cause });
  }
}

function decryptData(data: Block | undefined, password: string): Uint8Array {
  const [, info] = members(data, "encrypted content");
  const [, algorithm, encrypted] = members(info, "encrypted content");
  if (!isTag(encrypted, 0)) throw new BadAsn1("encrypted content is missing");
  return decrypt(algorithm, implicitOctets(encrypted), password);
}

// An OCTET STRING with an implicit tag, in one piece or, as some programs write it, in several.
function implicitOctets(block: Block): Uint8Array {
  if (block instanceof asn1.Primitive) return new Uint8Array(block.valueBlock.valueHexView);
  return Buffer.concat(members(block, "encrypted content").map((piece) => octets(piece, "encrypted content")));
}

function decrypt(algorithm: Block | undefined, encrypted: Uint8Array, password: string): Uint8Array {
  const [named, parameters] = members(algorithm, "encryption");
  const scheme = oidOf(named, "encryption");
  if (scheme === PBES2) return decipher(pbes2(parameters, password), encrypted);
  if (scheme === TRIPLE_DES) return decipher(tripleDes(parameters, password), encrypted);
  throw new Pkcs12Fault("unsupported", "encrypted with an outdated method; export it again with AES");
}

type Cipher = { readonly name: string; readonly key: Uint8Array; readonly iv: Uint8Array };

function pbes2(parameters: Block | undefined, password: string): Cipher {
  const [derivation, encryption] = members(parameters, "encryption");
  const [function_, derived] = members(derivation, "key derivation");
  const [salt, rounds, ...rest] = members(derived, "key derivation");
  const [named, iv] = members(encryption, "cipher");
  const cipher = ciphers[oidOf(named, "cipher")];
  const prf = rest.find((part) => part instanceof asn1.Sequence);
  const hash = prf === undefined ? "sha1" : macHashes[oidOf(members(prf, "key derivation")[0], "key derivation")];
  if (oidOf(function_, "key derivation") !== PBKDF2 || cipher === undefined || hash === undefined) {
    throw new Pkcs12Fault("unsupported", "encrypted with an unsupported method; export it again with AES");
  }
  const key = pbkdf2Sync(password, octets(salt, "salt"), number(rounds), cipher.key_bytes, hash);
  return { name: cipher.name, key, iv: octets(iv, "cipher") };
}

function tripleDes(parameters: Block | undefined, password: string): Cipher {
  const [salt, rounds] = members(parameters, "encryption");
  const from = { hash: "sha1", password, salt: octets(salt, "salt"), rounds: number(rounds) };
  return { name: "des-ede3-cbc", key: derive(from, FOR_KEY, 24), iv: derive(from, FOR_IV, 8) };
}

function decipher({ name, key, iv }: Cipher, encrypted: Uint8Array): Uint8Array {
  const cipher = createDecipheriv(name, key, iv);
  try {
    return Buffer.concat([cipher.update(encrypted), cipher.final()]);
  } catch (cause) {
    // For a file without a checksum, a wrong password shows only here, as invalid padding.
    throw new Pkcs12Fault("wrong_password", "the password does not open it", { cause });
  }
}

function checkMac(mac: Block, content: Uint8Array, password: string): void {
  const [info, salt, rounds] = members(mac, "checksum");
  const [algorithm, stated] = members(info, "checksum");
  const hash = hashOf(algorithm);
  if (hash === null) throw new Pkcs12Fault("unsupported", "its checksum has an unsupported type; export it again with SHA-256");
  const from = { hash, password, salt: octets(salt, "salt"), rounds: rounds === undefined ? 1 : number(rounds) };
  const found = createHmac(hash, derive(from, FOR_MAC, createHash(hash).digest().length))
    .update(content)
    .digest();
  const expected = octets(stated, "checksum");
  if (found.length !== expected.length || !timingSafeEqual(found, expected)) {
    throw new Pkcs12Fault("wrong_password", "the password does not open it");
  }
}

type Derivation = { readonly hash: string; readonly password: string; readonly salt: Uint8Array; readonly rounds: number };

/** RFC 7292, B.2, with its own letters: D is the purpose, I is salt and password, A the hash of both, B is added to I. */
function derive({ hash, password, salt, rounds }: Derivation, purpose: number, length: number): Uint8Array {
  const block = hash === "sha384" || hash === "sha512" ? 128 : 64;
  const D = Buffer.alloc(block, purpose);
  const I = Buffer.concat([fillBlocks(salt, block), fillBlocks(bigEndian(`${password}\0`), block)]);
  const derived: Buffer[] = [];
  for (let have = 0; have < length; ) {
    let A = createHash(hash).update(D).update(I).digest();
    for (let round = 1; round < rounds; round++) A = createHash(hash).update(A).digest();
    derived.push(A);
    have += A.length;
    const B = Buffer.alloc(block, A);
    for (let at = 0; at < I.length; at += block) addPlusOne(B, I.subarray(at, at + block));
  }
  return Buffer.concat(derived).subarray(0, length);
}

/** Repeats the bytes to fill whole blocks; empty stays empty. */
const fillBlocks = (bytes: Uint8Array, block: number): Buffer =>
  bytes.length === 0 ? Buffer.alloc(0) : Buffer.alloc(block * Math.ceil(bytes.length / block), bytes);

const bigEndian = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();

/** Sets `to` to to + addend + 1, as big-endian numbers of its length. */
function addPlusOne(addend: Uint8Array, to: Uint8Array): void {
  let carry = 1;
  for (let at = to.length - 1; at >= 0; at--) {
    carry += (to[at] ?? 0) + (addend[at] ?? 0);
    to[at] = carry & 0xff;
    carry >>= 8;
  }
}

// The number of rounds is in the thousands or millions; a longer number is invalid.
const ROUNDS_BYTES = 4;

function number(block: Block | undefined): number {
  const bytes = integerBytes(block, "rounds");
  const rounds = bytes.length === 0 || bytes.length > ROUNDS_BYTES ? 0 : Buffer.from(bytes).readIntBE(0, bytes.length);
  if (rounds < 1) throw new BadAsn1("rounds out of range");
  return rounds;
}
