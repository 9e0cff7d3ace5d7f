// Builds the path from a certificate to a trusted root (RFC 5280, 6.1, without policies, name constraints and revocation). OpenSSL,
// through Node, matches issuers and verifies the signatures.

import type { X509Certificate } from "node:crypto";
import { allowsUsage, type CertificateFields, certificateFields, notAfter, notBefore, pathLength } from "./certificate.ts";
import { oid } from "./der.ts";

export type TrustFault = "untrusted" | "certificate_not_valid_at_time";

export type ChainRequest = {
  readonly certificate: X509Certificate;
  /** Additional certificates for the path; being listed here does not make them trusted. */
  readonly others: readonly X509Certificate[];
  readonly roots: readonly X509Certificate[];
  readonly at: Date;
};

const DIGITAL_SIGNATURE = 0;
const NON_REPUDIATION = 1;
const KEY_CERT_SIGN = 5;

const MAX_CHAIN = 8;

// Limits the search if many certificates share one name.
const MAX_SIGNATURE_CHECKS = 200;

// Critical extensions that we support, or that only concern policies. A certificate with any other critical extension must be rejected
// (RFC 5280, 4.2); this includes name constraints.
const understood: ReadonlySet<string> = new Set([
  oid.keyUsage,
  oid.basicConstraints,
  oid.extendedKeyUsage,
  oid.subjectKeyIdentifier,
  oid.authorityKeyIdentifier,
  "2.5.29.17", // subjectAltName
  "2.5.29.32", // certificatePolicies
  "2.5.29.33", // policyMappings
  "2.5.29.36", // policyConstraints
  "2.5.29.54", // inhibitAnyPolicy
  "1.3.6.1.5.5.7.1.3", // qcStatements
]);

/**
 * Null if the certificate may sign documents and has a path to a root on which all certificates are valid at `at`; otherwise the reason.
 */
export function trustFault(request: ChainRequest): TrustFault | null {
  const leaf = certificateFields(request.certificate);
  const maySign = allowsUsage(leaf, DIGITAL_SIGNATURE) || allowsUsage(leaf, NON_REPUDIATION);
  if (!maySign) return "untrusted";
  if (trustedPath(request) !== null) return null;
  const atAnyTime = pathToRoot({ ...request, checksLeft: MAX_SIGNATURE_CHECKS, anyTime: true }, request.certificate, []);
  return atAnyTime === null ? "untrusted" : "certificate_not_valid_at_time";
}

/** The certificates from this one to a root, both included, all valid at `at`; null if there is no such path. */
export function trustedPath(request: ChainRequest): readonly X509Certificate[] | null {
  return pathToRoot({ ...request, checksLeft: MAX_SIGNATURE_CHECKS, anyTime: false }, request.certificate, []);
}

type Search = ChainRequest & { checksLeft: number; readonly anyTime: boolean };

function pathToRoot(search: Search, certificate: X509Certificate, below: readonly X509Certificate[]): readonly X509Certificate[] | null {
  if (below.length >= MAX_CHAIN || below.some((each) => each.raw.equals(certificate.raw))) return null;
  if (!isUsable(search, certificate, below.length)) return null;
  const path = [...below, certificate];
  if (search.roots.some((root) => root.raw.equals(certificate.raw))) return path;
  for (const issuer of [...search.roots, ...search.others]) {
    const whole = issued(search, issuer, certificate) ? pathToRoot(search, issuer, path) : null;
    if (whole !== null) return whole;
  }
  return null;
}

function isUsable(search: Search, certificate: X509Certificate, depth: number): boolean {
  const fields = certificateFields(certificate);
  if ([...fields.extensions].some(([id, { critical }]) => critical && !understood.has(id))) return false;
  if (!search.anyTime && (search.at < notBefore(certificate) || search.at > notAfter(certificate))) return false;
  return depth === 0 || mayIssue(certificate, fields, depth);
}

// `depth - 1` certificates are between this one and the signer's.
function mayIssue(certificate: X509Certificate, fields: CertificateFields, depth: number): boolean {
  return certificate.ca && allowsUsage(fields, KEY_CERT_SIGN) && depth - 1 <= (pathLength(fields) ?? MAX_CHAIN);
}

function issued(search: Search, issuer: X509Certificate, certificate: X509Certificate): boolean {
  if (!certificate.checkIssued(issuer) || search.checksLeft === 0) return false;
  search.checksLeft -= 1;
  return certificate.verify(issuer.publicKey);
}
