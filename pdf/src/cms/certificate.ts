// Certificate fields that Node's own class does not show (RFC 5280), and the certificate as shown in reports.

import type { X509Certificate } from "node:crypto";
import * as asn1 from "asn1js";
import { BadAsn1, type Block, bytesOf, integerBytes, isTag, members, octets, oid, oidOf, readWhole } from "./der.ts";

export type CertificateFields = {
  readonly serial: Uint8Array;
  /** The issuer's name, DER-encoded. */
  readonly issuer: Uint8Array;
  readonly key_identifier: Uint8Array | null;
  readonly extensions: ReadonlyMap<string, { readonly critical: boolean; readonly value: Block }>;
};

export type CertificateView = {
  readonly subject: string;
  readonly issuer: string;
  /** Upper-case hex, as certificate viewers show it. */
  readonly serial: string;
  readonly not_before: string;
  readonly not_after: string;
  /** SHA-256 of the certificate, lower-case hex. */
  readonly sha256: string;
};

/** Throws BadAsn1 if a mandatory part of the certificate is missing. */
export function certificateFields(certificate: X509Certificate): CertificateFields {
  const toBeSigned = members(members(readWhole(certificate.raw), "certificate")[0], "certificate");
  const [serial, , issuer] = isTag(toBeSigned[0], 0) ? toBeSigned.slice(1) : toBeSigned;
  if (issuer === undefined) throw new BadAsn1("a certificate without an issuer");
  const extensions = readExtensions(toBeSigned.find((part) => isTag(part, 3)));
  const identifier = extensions.get(oid.subjectKeyIdentifier);
  return {
    serial: integerBytes(serial, "serial number"),
    issuer: bytesOf(issuer),
    key_identifier: identifier === undefined ? null : octets(identifier.value, "key identifier"),
    extensions,
  };
}

// `critical` defaults to FALSE, so an extension with three parts is critical.
function readExtensions(tag: Block | undefined): CertificateFields["extensions"] {
  if (tag === undefined) return new Map();
  return new Map(
    members(members(tag, "extensions")[0], "extensions").map((extension) => {
      const parts = members(extension, "extension");
      const value = readWhole(octets(parts.at(-1), "extension"));
      return [oidOf(parts[0], "extension"), { critical: parts.length === 3, value }];
    }),
  );
}

/** Whether the key may be used for bit `n` of KeyUsage (RFC 5280, 4.2.1.3). True if the certificate does not say. */
export function allowsUsage(fields: CertificateFields, n: number): boolean {
  const usage = fields.extensions.get(oid.keyUsage)?.value;
  if (usage === undefined) return true;
  if (!(usage instanceof asn1.BitString)) return false;
  const byte = usage.valueBlock.valueHexView[n >> 3] ?? 0;
  return (byte & (0x80 >> (n & 7))) !== 0;
}

/** How many certificates may be between this CA and the end certificate; null if unlimited or not a CA. */
export function pathLength(fields: CertificateFields): number | null {
  const constraints = fields.extensions.get(oid.basicConstraints)?.value;
  const stated =
    constraints === undefined ? undefined : members(constraints, "basic constraints").find((part) => part instanceof asn1.Integer);
  return stated instanceof asn1.Integer ? stated.valueBlock.valueDec : null;
}

/** RFC 3161, 2.3: the certificate of a time-stamp authority must be for time stamping only, in a critical extension. */
export function isForTimeStamping(fields: CertificateFields): boolean {
  const usage = fields.extensions.get(oid.extendedKeyUsage);
  if (usage?.critical !== true) return false;
  const purposes = members(usage.value, "extended key usage").map((part) => oidOf(part, "extended key usage"));
  return purposes.length === 1 && purposes[0] === oid.timeStamping;
}

export const notBefore = (certificate: X509Certificate): Date => new Date(certificate.validFrom);
export const notAfter = (certificate: X509Certificate): Date => new Date(certificate.validTo);

export function viewCertificate(certificate: X509Certificate): CertificateView {
  return {
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    serial: certificate.serialNumber,
    not_before: notBefore(certificate).toISOString(),
    not_after: notAfter(certificate).toISOString(),
    sha256: certificate.fingerprint256.replaceAll(":", "").toLowerCase(),
  };
}

// Node writes one attribute per line. A certificate without a subject has no text at all.
const oneLine = (name: string | undefined): string => (name ?? "").split("\n").join(", ");
