// Creates the certificates for our seals: one self-signed P-256 root per installation, and a seal certificate per organization (RFC
// 5280). Keys stay with the caller, whose function does the signing.

import { createHash } from "node:crypto";
import * as asn1 from "asn1js";
import {
  AlgorithmIdentifier,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  Extension,
  ExtKeyUsage,
  RelativeDistinguishedNames,
  Time,
} from "pkijs";
import { bigInteger, encode, objectId, octets, oid, readWhole, sequence, sortedSet } from "./cms/der.ts";

/** Signs with ECDSA on P-256 and SHA-256; returns r and s in DER, like Node's `crypto.sign("sha256", …)`. */
export type SignDer = (der: Uint8Array) => Promise<Uint8Array> | Uint8Array;

export type RootRequest = {
  readonly name: string;
  /** DER-encoded SubjectPublicKeyInfo. */
  readonly public_key: Uint8Array;
  readonly sign: SignDer;
  /** At least 8 random bytes (RFC 5280, 4.1.2.2: unique per issuer, at most 20 bytes). */
  readonly serial: Uint8Array;
  readonly not_before: Date;
};

export type SealCertificateRequest = {
  readonly org_name: string;
  readonly org_id: string;
  readonly public_key: Uint8Array;
  readonly root: Uint8Array;
  /** Signs with the root's key. */
  readonly sign: SignDer;
  readonly serial: Uint8Array;
  readonly not_before: Date;
};

const ROOT_YEARS = 20;
const SEAL_YEARS = 3;

// RFC 5280, appendix A: ub-common-name. Strict readers reject a longer name.
const COMMON_NAME_CHARACTERS = 64;
const SEAL_SUFFIX = " document seal";

// Bits of KeyUsage (RFC 5280, 4.2.1.3), first bit first.
const CERT_AND_CRL_SIGN = Uint8Array.of(0b0000_0110);
const SIGN_AND_COMMIT = Uint8Array.of(0b1100_0000);

/**
 * The DER-encoded root: a CA that may issue only end certificates, valid for 20 years.
 * @example await makeRootCertificate({ name: "Countersign root", public_key, sign, serial: randomBytes(16), not_before: now })
 */
export async function makeRootCertificate(request: RootRequest): Promise<Uint8Array> {
  const certificate = begin(request, ROOT_YEARS);
  certificate.subject = nameOf([oid.commonName, firstCharacters(request.name, COMMON_NAME_CHARACTERS)]);
  certificate.issuer = certificate.subject;
  certificate.extensions = [
    extension(oid.basicConstraints, true, encode(new BasicConstraints({ cA: true, pathLenConstraint: 0 }).toSchema())),
    extension(oid.keyUsage, true, keyUsage(CERT_AND_CRL_SIGN, 1)),
    extension(oid.subjectKeyIdentifier, false, encode(keyIdentifier(certificate))),
  ];
  return finish(certificate, request.sign);
}

/**
 * The DER-encoded seal certificate of an organization, for signing documents only, valid for 3 years.
 * @example await makeSealCertificate({ org_name: "Acme GmbH", org_id, public_key, root, sign: byRoot, serial: randomBytes(16),
 * not_before: now })
 */
export async function makeSealCertificate(request: SealCertificateRequest): Promise<Uint8Array> {
  const root = Certificate.fromBER(request.root);
  const certificate = begin(request, SEAL_YEARS);
  const org = firstCharacters(request.org_name, COMMON_NAME_CHARACTERS - SEAL_SUFFIX.length);
  // X.520 requires a PrintableString for the serial number, which has no underscore. Our IDs contain one and must not be altered.
  certificate.subject = nameOf([oid.commonName, org + SEAL_SUFFIX], [oid.serialNumber, request.org_id]);
  certificate.issuer = root.subject;
  certificate.extensions = [
    extension(oid.keyUsage, true, keyUsage(SIGN_AND_COMMIT, 6)),
    extension(oid.extendedKeyUsage, false, encode(new ExtKeyUsage({ keyPurposes: [oid.documentSigning] }).toSchema())),
    extension(oid.subjectKeyIdentifier, false, encode(keyIdentifier(certificate))),
    extension(oid.authorityKeyIdentifier, false, authorityOf(root)),
  ];
  return finish(certificate, request.sign);
}

function begin(request: { serial: Uint8Array; not_before: Date; public_key: Uint8Array }, years: number): Certificate {
  if (request.serial.length < 8 || request.serial.length > 19) throw new Error("a serial number must have 8 to 19 random bytes");
  const certificate = new Certificate();
  certificate.version = 2; // X.509 v3
  certificate.serialNumber = bigInteger(request.serial) as asn1.Integer;
  certificate.notBefore = timeFrom(wholeSecond(request.not_before));
  certificate.notAfter = timeFrom(yearsLater(wholeSecond(request.not_before), years));
  certificate.subjectPublicKeyInfo.fromSchema(readWhole(request.public_key));
  const algorithm = new AlgorithmIdentifier({ algorithmId: oid.ecdsaWithSha256 });
  certificate.signature = algorithm;
  certificate.signatureAlgorithm = algorithm;
  return certificate;
}

async function finish(certificate: Certificate, sign: SignDer): Promise<Uint8Array> {
  const toBeSigned = new Uint8Array(certificate.encodeTBS().toBER());
  certificate.tbsView = toBeSigned;
  certificate.signatureValue = new asn1.BitString({ valueHex: Uint8Array.from(await sign(toBeSigned)) });
  return encode(certificate.toSchema(false));
}

// RFC 5280, 4.1.2.5: two-digit years until 2049.
function timeFrom(value: Date): Time {
  return new Time({ type: value.getUTCFullYear() < 2050 ? 0 : 1, value });
}

// Certificates have no fractional seconds; with one, the time would be misread.
function wholeSecond(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000);
}

function yearsLater(from: Date, years: number): Date {
  const later = new Date(from);
  later.setUTCFullYear(from.getUTCFullYear() + years);
  return later;
}

// One attribute per RDN. pkijs would put them all into one RDN, which readers show as a single value.
function nameOf(...attributes: readonly (readonly [type: string, value: string])[]): RelativeDistinguishedNames {
  const steps = attributes.map(([type, value]) => sortedSet(sequence(objectId(type), new asn1.Utf8String({ value }))));
  return new RelativeDistinguishedNames({ schema: readWhole(encode(sequence(...steps))) });
}

const extension = (extnID: string, critical: boolean, der: Uint8Array): Extension =>
  new Extension({ extnID, critical, extnValue: Uint8Array.from(der).buffer });

const keyUsage = (bits: Uint8Array, unusedBits: number): Uint8Array =>
  encode(new asn1.BitString({ valueHex: Uint8Array.from(bits), unusedBits }));

// RFC 5280, 4.2.1.2, method 1: SHA-1 of the key's bits. It identifies the key and has no security purpose.
function keyIdentifier(certificate: Certificate): asn1.OctetString {
  const bits = certificate.subjectPublicKeyInfo.subjectPublicKey.valueBlock.valueHexView;
  return new asn1.OctetString({ valueHex: Uint8Array.from(createHash("sha1").update(bits).digest()) });
}

function authorityOf(root: Certificate): Uint8Array {
  const own = root.extensions?.find((each) => each.extnID === oid.subjectKeyIdentifier);
  if (own === undefined) throw new Error("the root certificate has no key identifier");
  const identifier = octets(readWhole(new Uint8Array(own.extnValue.valueBlock.valueHexView)), "key identifier");
  return encode(new AuthorityKeyIdentifier({ keyIdentifier: new asn1.OctetString({ valueHex: identifier }) }).toSchema());
}

// Cuts by code points, so that surrogate pairs stay together.
const firstCharacters = (text: string, count: number): string => Array.from(text).slice(0, count).join("");
