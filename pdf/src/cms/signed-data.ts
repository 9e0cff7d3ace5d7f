// Reads and verifies a CMS signature with one signer (RFC 5652, CAdES). Whether its certificate is trusted is decided in chain.ts.

import { createHash, X509Certificate } from "node:crypto";
import { type Hash, hashOf, isValidSignature, schemeOf } from "./algorithms.ts";
import { certificateFields, notAfter, notBefore } from "./certificate.ts";
import { BadAsn1, type Block, bytesOf, integerBytes, isList, isTag, members, octets, oid, oidOf, sameBytes } from "./der.ts";

export type SignedData = {
  readonly content_type: string;
  /** The embedded content; null if the signature is detached. */
  readonly content: Uint8Array | null;
  readonly certificates: readonly X509Certificate[];
  readonly signer: Signer;
};

type Signer = {
  readonly certificate: X509Certificate | null;
  readonly digest: Block | undefined;
  readonly algorithm: Block | undefined;
  readonly signature: Uint8Array;
  /** The signed attributes, tagged as a SET. Null if the content itself is signed, as in old files. */
  readonly signed_bytes: Uint8Array | null;
  readonly signed: ReadonlyMap<string, Block>;
  readonly unsigned: ReadonlyMap<string, Block>;
};

export type SignatureFault =
  | "cms_malformed"
  | "unsupported"
  | "digest_mismatch"
  | "signature_invalid"
  | "certificate_missing"
  | "signing_certificate_mismatch";

export type SignatureCheck =
  | { readonly fault: SignatureFault; readonly certificate: X509Certificate | null }
  | { readonly fault: null; readonly certificate: X509Certificate; readonly weak: boolean };

// A signature with more certificates than this is an attack, not a chain.
const MAX_CERTIFICATES = 100;
const SET = 0x31;

/** Parses a ContentInfo. Throws BadAsn1 unless it is signed data with exactly one signer. */
export function readSignedData(contentInfo: Block): SignedData {
  const [type, wrapped] = members(contentInfo, "CMS");
  if (oidOf(type, "CMS") !== oid.signedData) throw new BadAsn1("not signed data");
  const [, , encapsulated, ...rest] = members(members(wrapped, "signed data")[0], "signed data");
  const [contentType, contentTag] = members(encapsulated, "content");
  const listed = rest.find((part) => isTag(part, 0));
  const certificates = listed === undefined ? [] : readCertificates(members(listed, "certificates"));
  const signers = members(rest.at(-1), "signers");
  if (signers.length !== 1) throw new BadAsn1("not exactly one signer");
  return {
    content_type: oidOf(contentType, "content type"),
    content: contentTag === undefined ? null : octets(members(contentTag, "content")[0], "content"),
    certificates,
    signer: readSigner(members(signers[0], "signer"), certificates),
  };
}

function readCertificates(blocks: readonly Block[]): X509Certificate[] {
  if (blocks.length > MAX_CERTIFICATES) throw new BadAsn1(`more than ${MAX_CERTIFICATES} certificates`);
  const plain = blocks.filter((block) => block.idBlock.tagClass === 1); // [0]..[3] are attribute certificates and obsolete types
  return plain.map((block) => readCertificate(bytesOf(block))).filter((certificate) => certificate !== null);
}

// Null if OpenSSL cannot read the certificate, its key or its times; nothing could be verified with it.
function readCertificate(der: Uint8Array): X509Certificate | null {
  try {
    const certificate = new X509Certificate(der);
    const hasTimes = !Number.isNaN(notBefore(certificate).getTime() + notAfter(certificate).getTime());
    return hasTimes && certificate.publicKey.type === "public" ? certificate : null;
  } catch {
    return null;
  }
}

function readSigner(parts: readonly Block[], certificates: readonly X509Certificate[]): Signer {
  const [, sid, digest, ...rest] = parts;
  const signedTag = isTag(rest[0], 0) ? rest.shift() : undefined;
  const [algorithm, signature, unsignedTag] = rest;
  return {
    certificate: certificates.find((each) => isIdentifiedBy(each, sid)) ?? null,
    digest,
    algorithm,
    signature: octets(signature, "signature"),
    signed_bytes: signedTag === undefined ? null : asSet(bytesOf(signedTag)),
    signed: attributes(signedTag),
    unsigned: attributes(unsignedTag),
  };
}

// RFC 5652, 5.4: the signature covers the encoding as SET OF, not the tag [0] in the file.
function asSet(der: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(der);
  copy[0] = SET;
  return copy;
}

// A duplicate attribute, or one without exactly one value, would be ambiguous.
function attributes(tag: Block | undefined): Map<string, Block> {
  const found = new Map<string, Block>();
  for (const attribute of tag === undefined ? [] : members(tag, "attributes")) {
    const [name, values] = members(attribute, "attribute");
    const [value, ...more] = members(values, "attribute");
    const key = oidOf(name, "attribute");
    if (value === undefined || more.length > 0 || found.has(key)) throw new BadAsn1("an attribute with not exactly one value");
    found.set(key, value);
  }
  return found;
}

function isIdentifiedBy(certificate: X509Certificate, sid: Block | undefined): boolean {
  const fields = certificateFields(certificate);
  if (isTag(sid, 0)) return fields.key_identifier !== null && sameBytes(fields.key_identifier, primitiveValue(sid));
  const [issuer, serial] = members(sid, "signer identifier");
  if (issuer === undefined) throw new BadAsn1("signer identifier without an issuer");
  return sameBytes(bytesOf(issuer), fields.issuer) && sameBytes(integerBytes(serial, "serial number"), fields.serial);
}

// `[0] IMPLICIT OCTET STRING`: the value starts after the tag and a one-byte length, since an identifier is short.
const primitiveValue = (block: Block): Uint8Array => bytesOf(block).subarray(2);

/**
 * Whether the signature is valid and names its own certificate. `content` is what was signed, in parts, because a large file need not be in
 * one piece. `strict` requires signing-certificate-v2 (or its predecessor), as PAdES does.
 */
export function checkSignature(data: SignedData, content: readonly Uint8Array[], options: { strict: boolean }): SignatureCheck {
  const { signer } = data;
  const { certificate } = signer;
  const fail = (fault: SignatureFault): SignatureCheck => ({ fault, certificate });
  if (certificate === null) return fail("certificate_missing");
  const hash = hashOf(signer.digest);
  const scheme = hash === null ? null : schemeOf(signer.algorithm, hash);
  if (hash === null || scheme === null) return fail("unsupported");
  if (signer.signed_bytes === null) {
    // RFC 5652, 5.3 and 5.4: the content itself is signed, which is allowed only for plain data.
    if (data.content_type !== oid.data) return fail("cms_malformed");
    if (!isValidSignature(scheme, certificate.publicKey, content, signer.signature)) return fail("signature_invalid");
    return options.strict ? fail("signing_certificate_mismatch") : { fault: null, certificate, weak: scheme.hash === "sha1" };
  }
  const contentType = signer.signed.get(oid.contentType);
  const messageDigest = signer.signed.get(oid.messageDigest);
  if (contentType === undefined || oidOf(contentType, "content type") !== data.content_type) return fail("cms_malformed");
  if (messageDigest === undefined) return fail("cms_malformed");
  if (!sameBytes(octets(messageDigest, "message digest"), hashParts(hash, content))) return fail("digest_mismatch");
  if (!isValidSignature(scheme, certificate.publicKey, [signer.signed_bytes], signer.signature)) return fail("signature_invalid");
  const named = namedCertificate(signer.signed, certificate);
  if (named === "other" || (named === "none" && options.strict)) return fail("signing_certificate_mismatch");
  return { fault: null, certificate, weak: [hash, scheme.hash].includes("sha1") };
}

/** The hash of all parts, one after the other. */
export function hashParts(hash: Hash, parts: readonly Uint8Array[]): Uint8Array {
  const hashing = createHash(hash);
  for (const part of parts) hashing.update(part);
  return hashing.digest();
}

// RFC 5035: the signature contains the hash of its certificate, so that the certificate cannot be replaced.
function namedCertificate(signed: ReadonlyMap<string, Block>, certificate: X509Certificate): "this" | "other" | "none" {
  const v2 = signed.get(oid.signingCertificateV2);
  const attribute = v2 ?? signed.get(oid.signingCertificate);
  if (attribute === undefined) return "none";
  const first = members(members(members(attribute, "signing certificate")[0], "signing certificate")[0], "signing certificate");
  const algorithm = v2 !== undefined && first.length > 1 && isList(first[0]) ? first[0] : undefined;
  const hash = v2 === undefined ? "sha1" : algorithm === undefined ? "sha256" : hashOf(algorithm);
  if (hash === null) return "other";
  const stated = octets(algorithm === undefined ? first[0] : first[1], "signing certificate");
  return sameBytes(stated, createHash(hash).update(certificate.raw).digest()) ? "this" : "other";
}
