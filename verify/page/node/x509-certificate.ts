// What the verifier uses of Node's X509Certificate (RFC 5280).

import * as asn1 from "asn1js";
import { type Block, bitsOf, bytesOf, integerOf, isTag, members, octetsOf, oidOf, readWhole } from "./der.ts";
import { digestOf, type HashName } from "./hashes.ts";
import { namesMatch, printName } from "./names.ts";
import { PublicKey, pssParameters, RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING } from "./public-key.ts";

const EXTENSION = { keyIdentifier: "2.5.29.14", keyUsage: "2.5.29.15", basicConstraints: "2.5.29.19", authority: "2.5.29.35" } as const;
const RSA_PSS = "1.2.840.113549.1.1.10";
const ED25519 = "1.3.101.112";

const algorithms: Readonly<Record<string, HashName>> = {
  "1.2.840.113549.1.1.5": "sha1",
  "1.2.840.113549.1.1.14": "sha224",
  "1.2.840.113549.1.1.11": "sha256",
  "1.2.840.113549.1.1.12": "sha384",
  "1.2.840.113549.1.1.13": "sha512",
  "1.2.840.10045.4.1": "sha1",
  "1.2.840.10045.4.3.1": "sha224",
  "1.2.840.10045.4.3.2": "sha256",
  "1.2.840.10045.4.3.3": "sha384",
  "1.2.840.10045.4.3.4": "sha512",
};

const PEM = /^\s*-----BEGIN CERTIFICATE-----\s([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/;
const KEY_CERT_SIGN = 0x04;

export class X509Certificate {
  readonly raw: Buffer;
  readonly #signed: Uint8Array;
  readonly #algorithm: Block;
  readonly #signature: Uint8Array;
  readonly #serial: Uint8Array;
  readonly #issuer: Block;
  readonly #subject: Block;
  readonly #times: readonly [Date, Date];
  readonly #spki: Uint8Array;
  readonly #extensions: ReadonlyMap<string, Block>;
  #publicKey: PublicKey | undefined;

  /** A PEM text or DER bytes. Throws for anything else. */
  constructor(source: string | Uint8Array) {
    this.raw = Buffer.from(typeof source === "string" ? derOf(source) : source);
    const [signed, algorithm, signature] = members(readWhole(this.raw));
    const parts = members(signed);
    const [serial, inner, issuer, validity, subject, key] = isTag(parts[0], 0) ? parts.slice(1) : parts;
    if (signed === undefined || algorithm === undefined || inner === undefined || !issuer || !subject || !key)
      throw new Error("not a certificate");
    if (!Buffer.from(bytesOf(algorithm)).equals(bytesOf(inner))) throw new Error("a certificate with two signature algorithms");
    this.#signed = bytesOf(signed);
    this.#algorithm = algorithm;
    this.#signature = bitsOf(signature);
    this.#serial = integerOf(serial);
    [this.#issuer, this.#subject] = [issuer, subject];
    const [from, to] = members(validity).map(timeOf);
    if (from === undefined || to === undefined) throw new Error("a certificate without a validity");
    this.#times = [from, to];
    this.#spki = bytesOf(key);
    this.#extensions = readExtensions(parts.find((part) => isTag(part, 3)));
  }

  get publicKey(): PublicKey {
    this.#publicKey ??= new PublicKey(this.#spki);
    return this.#publicKey;
  }

  /** As OpenSSL prints it: one attribute a line. */
  get subject(): string {
    return printName(this.#subject);
  }

  get issuer(): string {
    return printName(this.#issuer);
  }

  /** Upper-case hexadecimal. */
  get serialNumber(): string {
    const hex = Buffer.from(this.#serial)
      .toString("hex")
      .toUpperCase()
      .replace(/^(00)+(?=..)/, "");
    return hex === "00" ? "0" : hex;
  }

  get validFrom(): string {
    return printTime(this.#times[0]);
  }

  get validTo(): string {
    return printTime(this.#times[1]);
  }

  get fingerprint256(): string {
    return (
      Buffer.from(digestOf("sha256", [this.raw]))
        .toString("hex")
        .toUpperCase()
        .match(/../g) ?? []
    ).join(":");
  }

  get ca(): boolean {
    const constraints = this.#extensions.get(EXTENSION.basicConstraints);
    const [ca] = constraints === undefined ? [] : members(constraints);
    return ca instanceof asn1.Boolean && ca.valueBlock.value && this.#maySignCertificates();
  }

  /** PEM, with 64 characters a line. */
  toString(): string {
    const lines = this.raw.toString("base64").match(/.{1,64}/g) ?? [];
    return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
  }

  /** Whether the other certificate may have issued this one, by names, key identifiers and key usage; the signature is not checked. */
  checkIssued(issuer: X509Certificate): boolean {
    if (!namesMatch(this.#issuer, issuer.#subject) || !issuer.#maySignCertificates()) return false;
    const authority = this.#extensions.get(EXTENSION.authority);
    const stated = authority === undefined ? undefined : members(authority).find((part) => isTag(part, 0));
    const own = issuer.#extensions.get(EXTENSION.keyIdentifier);
    // `[0] IMPLICIT OCTET STRING`: the value follows a tag and a length of one byte each.
    return stated === undefined || own === undefined || Buffer.from(octetsOf(own)).equals(bytesOf(stated).subarray(2));
  }

  /** Whether this key signed the certificate. */
  verify(key: PublicKey): boolean {
    const [name, parameters] = members(this.#algorithm);
    const oid = oidOf(name);
    const type = key.asymmetricKeyType;
    const check = (hash: string | null, options: object = {}): boolean => key.isValid(hash, [this.#signed], this.#signature, options);
    if (oid === ED25519) return type === "ed25519" && check(null);
    if (oid === RSA_PSS) {
      const { hash, salt_length } = pssParameters(parameters);
      return (type === "rsa" || type === "rsa-pss") && check(hash, { padding: RSA_PKCS1_PSS_PADDING, saltLength: salt_length });
    }
    const hash = algorithms[oid];
    if (hash === undefined) return false;
    if (oid.startsWith("1.2.840.10045.")) return type === "ec" && check(hash, { dsaEncoding: "der" });
    return type === "rsa" && check(hash, { padding: RSA_PKCS1_PADDING });
  }

  #maySignCertificates(): boolean {
    const usage = this.#extensions.get(EXTENSION.keyUsage);
    if (usage === undefined) return true;
    return usage instanceof asn1.BitString && ((usage.valueBlock.valueHexView[0] ?? 0) & KEY_CERT_SIGN) !== 0;
  }
}

function derOf(pem: string): Buffer {
  const [, base64] = PEM.exec(pem) ?? [];
  if (base64 === undefined) throw new Error("not a certificate in PEM format");
  return Buffer.from(base64, "base64");
}

function readExtensions(tag: Block | undefined): ReadonlyMap<string, Block> {
  if (tag === undefined) return new Map();
  return new Map(
    members(members(tag)[0]).map((extension) => {
      const parts = members(extension);
      return [oidOf(parts[0]), readWhole(octetsOf(parts.at(-1)))];
    }),
  );
}

function timeOf(block: Block): Date {
  if (!(block instanceof asn1.UTCTime || block instanceof asn1.GeneralizedTime)) throw new Error("not a time");
  return block.toDate();
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** @example "Mar  1 00:00:00 2026 GMT" */
function printTime(time: Date): string {
  const two = (n: number, fill: string): string => String(n).padStart(2, fill);
  const clock = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()].map((n) => two(n, "0")).join(":");
  return `${MONTHS[time.getUTCMonth()]} ${two(time.getUTCDate(), " ")} ${clock} ${time.getUTCFullYear()} GMT`;
}
