// Whether a certificate was not revoked, by a certificate revocation list (RFC 5280, 5) or an OCSP response (RFC 6960). Nothing is
// fetched: the data comes from the file.

import { createHash, X509Certificate } from "node:crypto";
import * as asn1 from "asn1js";
import { hashOf, isValidSignature, schemeOf } from "./algorithms.ts";
import { certificateFields } from "./certificate.ts";
import { BadAsn1, type Block, bytesOf, integerBytes, isTag, members, octets, oid, oidOf, readWhole, sameBytes, timeOf } from "./der.ts";

export type Revocations = { readonly crls: readonly Uint8Array[]; readonly ocsps: readonly Uint8Array[] };

export type RevocationQuestion = {
  readonly certificate: X509Certificate;
  readonly issuer: X509Certificate;
  /** The proven time of the signature: a later revocation does not matter, and data that had expired by then proves nothing. */
  readonly at: Date;
};

/** Whether one of the lists or responses proves that the certificate was not revoked, and none says that it was. */
export function isShownUnrevoked(question: RevocationQuestion, { crls, ocsps }: Revocations): boolean {
  const statuses = [
    ...crls.map((der) => readable(() => statusInCrl(question, der))),
    ...ocsps.map((der) => readable(() => statusInOcsp(question, der))),
  ];
  return statuses.includes("good") && !statuses.includes("revoked");
}

/** unknown: it is about another certificate, not signed for it, or was out of date. */
type Status = "good" | "revoked" | "unknown";

// Anyone can append data to a file, so unreadable data is no reason to fail.
function readable(read: () => Status): Status {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadAsn1) return "unknown";
    throw error;
  }
}

function statusInCrl({ certificate, issuer, at }: RevocationQuestion, der: Uint8Array): Status {
  const [list, algorithm, signature] = members(readWhole(der), "revocation list");
  const parts = members(list, "revocation list");
  const [, name, , ...rest] = parts[0] instanceof asn1.Integer ? parts.slice(1) : parts;
  const { issuer: wanted, serial } = certificateFields(certificate);
  if (list === undefined || name === undefined || !sameBytes(bytesOf(name), wanted)) return "unknown";
  if (hasUnknownCritical(rest.find((part) => isTag(part, 0)))) return "unknown";
  if (isOutdated(timeOf(rest[0]), at) || !isSignedBy(issuer, algorithm, bytesOf(list), signature)) return "unknown";
  const listed = rest.find((part) => part instanceof asn1.Sequence);
  const entry = (listed === undefined ? [] : members(listed, "revoked")).find((each) =>
    sameBytes(integerBytes(members(each, "revoked")[0], "serial number"), serial),
  );
  return entry === undefined ? "good" : statusRevoked(timeOf(members(entry, "revoked")[1]), at);
}

// A list with a critical extension covers only some certificates or only changes (RFC 5280, 5.2.4 and 5.2.5).
function hasUnknownCritical(tag: Block | undefined): boolean {
  if (tag === undefined) return false;
  return members(members(tag, "extensions")[0], "extensions").some((extension) => members(extension, "extension").length === 3);
}

const isOutdated = (next: Date | null, at: Date): boolean => next !== null && next < at;

const statusRevoked = (since: Date | null, at: Date): Status => (since !== null && since > at ? "good" : "revoked");

const BASIC_RESPONSE = "1.3.6.1.5.5.7.48.1.1";
const OCSP_SIGNING = "1.3.6.1.5.5.7.3.9";

function statusInOcsp(question: RevocationQuestion, der: Uint8Array): Status {
  const [, wrapped] = members(readWhole(der), "OCSP response");
  const [type, body] = members(members(wrapped, "OCSP response")[0], "OCSP response");
  if (oidOf(type, "OCSP response") !== BASIC_RESPONSE) return "unknown";
  const [data, algorithm, signature, certificates] = members(readWhole(octets(body, "OCSP response")), "OCSP response");
  if (data === undefined) return "unknown";
  const answers = members(
    members(data, "OCSP response").find((part) => part instanceof asn1.Sequence),
    "OCSP answers",
  );
  const answer = answers.map((each) => members(each, "OCSP answer")).find(([id]) => isAbout(question, id));
  if (answer === undefined) return "unknown";
  const [, status, , next] = answer;
  if (isTag(next, 0) && isOutdated(timeOf(members(next, "next update")[0]), question.at)) return "unknown";
  const signers = respondersOf(question.issuer, certificates);
  if (!signers.some((signer) => isSignedBy(signer, algorithm, bytesOf(data), signature))) return "unknown";
  if (isTag(status, 0)) return "good";
  return isTag(status, 1) ? statusRevoked(timeOf(members(status, "revoked")[0]), question.at) : "unknown";
}

function isAbout({ certificate, issuer }: RevocationQuestion, id: Block | undefined): boolean {
  const [algorithm, name, key, serial] = members(id, "certificate identifier");
  const hash = hashOf(algorithm);
  if (hash === null) return false;
  const fields = certificateFields(certificate);
  const digest = (bytes: Uint8Array): Uint8Array => createHash(hash).update(bytes).digest();
  return (
    sameBytes(integerBytes(serial, "serial number"), fields.serial) &&
    sameBytes(octets(name, "issuer"), digest(fields.issuer)) &&
    sameBytes(octets(key, "issuer"), digest(keyBits(issuer)))
  );
}

/** The public key without its algorithm. */
export function keyBits({ publicKey }: X509Certificate): Uint8Array {
  return bitsOf(members(readWhole(new Uint8Array(publicKey.export({ type: "spki", format: "der" }))), "public key")[1]);
}

// The issuer itself, or a responder whose certificate the issuer signed for this purpose (RFC 6960, 4.2.2.2).
function respondersOf(issuer: X509Certificate, certificates: Block | undefined): X509Certificate[] {
  const listed = certificates === undefined ? [] : members(members(certificates, "certificates")[0], "certificates").slice(0, 10);
  const delegated = listed
    .map((block) => readCertificate(bytesOf(block)))
    .filter((each) => each !== null)
    .filter((each) => each.checkIssued(issuer) && each.verify(issuer.publicKey) && isForOcsp(each));
  return [issuer, ...delegated];
}

function readCertificate(der: Uint8Array): X509Certificate | null {
  try {
    return new X509Certificate(der);
  } catch {
    return null;
  }
}

function isForOcsp(certificate: X509Certificate): boolean {
  const usage = certificateFields(certificate).extensions.get(oid.extendedKeyUsage)?.value;
  return usage !== undefined && members(usage, "extended key usage").some((part) => oidOf(part, "extended key usage") === OCSP_SIGNING);
}

function isSignedBy(
  { publicKey }: X509Certificate,
  algorithm: Block | undefined,
  bytes: Uint8Array,
  signature: Block | undefined,
): boolean {
  const scheme = schemeOf(algorithm, "sha256");
  return scheme !== null && scheme.hash !== "sha1" && isValidSignature(scheme, publicKey, [bytes], bitsOf(signature));
}

function bitsOf(block: Block | undefined): Uint8Array {
  if (block instanceof asn1.BitString) return new Uint8Array(block.valueBlock.valueHexView);
  throw new BadAsn1("not a bit string");
}
