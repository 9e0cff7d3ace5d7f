// Where to ask whether a certificate was revoked, and what to ask (RFC 5280, 4.2.1.13 and 4.2.2.1; RFC 6960, 4.1). Nothing here uses the
// network: the caller fetches, and `isShownUnrevoked` judges what it got.

import { createHash, X509Certificate } from "node:crypto";
import * as asn1 from "asn1js";
import { certificateFields } from "./certificate.ts";
import { trustedPath } from "./chain.ts";
import {
  BadAsn1,
  type Block,
  bigInteger,
  encode,
  encoded,
  isTag,
  members,
  objectId,
  octetString,
  octets,
  oidOf,
  readWhole,
  sequence,
  timeOf,
} from "./der.ts";
import { keyBits } from "./revocation.ts";
import { readSignedData } from "./signed-data.ts";

/** The addresses in a certificate, in its order. */
export type RevocationSources = { readonly ocsps: readonly string[]; readonly crls: readonly string[] };

const AUTHORITY_ACCESS = "1.3.6.1.5.5.7.1.1";
const OCSP = "1.3.6.1.5.5.7.48.1";
const CRL_POINTS = "2.5.29.31";
const SHA1 = "1.3.14.3.2.26";

// More addresses than this are not a choice for the reader but a list of victims.
const MAX_ADDRESSES = 5;

/** Empty lists if the certificate (DER) names no address or cannot be read. */
export function revocationSources(certificate: Uint8Array): RevocationSources {
  try {
    const { extensions } = certificateFields(new X509Certificate(certificate));
    const [access, points] = [extensions.get(AUTHORITY_ACCESS)?.value, extensions.get(CRL_POINTS)?.value];
    return {
      ocsps: access === undefined ? [] : members(access, "authority access").flatMap(ocspAddress).slice(0, MAX_ADDRESSES),
      crls: points === undefined ? [] : members(points, "distribution points").flatMap(crlAddresses).slice(0, MAX_ADDRESSES),
    };
  } catch (error) {
    if (error instanceof BadAsn1) return { ocsps: [], crls: [] };
    throw error;
  }
}

function ocspAddress(description: Block): string[] {
  const [method, place] = members(description, "access description");
  return oidOf(method, "access method") === OCSP ? addressOf(place) : [];
}

// A point with more than its name is for some reasons only, or its list is signed by another issuer.
function crlAddresses(point: Block): string[] {
  const [name, ...more] = members(point, "distribution point");
  if (more.length > 0 || !isTag(name, 0)) return [];
  const [full] = members(name, "distribution point");
  return isTag(full, 0) ? members(full, "distribution point").flatMap(addressOf) : [];
}

/** Of a GeneralName, if it is a URI. */
function addressOf(name: Block | undefined): string[] {
  return isTag(name, 6) && name instanceof asn1.Primitive ? [Buffer.from(name.valueBlock.valueHexView).toString("latin1")] : [];
}

/**
 * The body to POST as `application/ocsp-request`. Both certificates are DER. Without a nonce, so that a responder can answer with a
 * prepared response; SHA-1 only identifies the issuer, and is the one hash that every responder knows (RFC 5019, 2.1.1).
 */
export function ocspRequest(certificate: Uint8Array, issuer: Uint8Array): Uint8Array {
  const { serial, issuer: name } = certificateFields(new X509Certificate(certificate));
  const hash = (bytes: Uint8Array): Block => octetString(createHash("sha1").update(bytes).digest());
  const id = sequence(
    sequence(objectId(SHA1), new asn1.Null()),
    hash(name),
    hash(keyBits(new X509Certificate(issuer))),
    bigInteger(serial),
  );
  return encode(sequence(sequence(sequence(sequence(id)))));
}

/** When the next list or response is due; null if it does not say or cannot be read. */
export function nextUpdateOf(kind: "crl" | "ocsp", der: Uint8Array): Date | null {
  try {
    return kind === "crl" ? nextList(der) : nextResponse(der);
  } catch (error) {
    if (error instanceof BadAsn1) return null;
    throw error;
  }
}

function nextList(der: Uint8Array): Date | null {
  const parts = members(members(readWhole(der), "revocation list")[0], "revocation list");
  const [, , , next] = parts[0] instanceof asn1.Integer ? parts.slice(1) : parts;
  return timeOf(next);
}

function nextResponse(der: Uint8Array): Date | null {
  const [, wrapped] = members(readWhole(der), "OCSP response");
  const [, body] = members(members(wrapped, "OCSP response")[0], "OCSP response");
  const [data] = members(readWhole(octets(body, "OCSP response")), "OCSP response");
  const answers = members(data, "OCSP response").find((part) => part instanceof asn1.Sequence);
  const [, , , next] = members(members(answers, "OCSP answers")[0], "OCSP answer");
  return isTag(next, 0) ? timeOf(members(next, "next update")[0]) : null;
}

/**
 * The certificates from the signer of a token or signature to one of the roots, both included, all valid at `at`. DER; null if there is no
 * such path.
 */
export function certificatePath(
  cms: Uint8Array,
  { roots, at }: { readonly roots: readonly Uint8Array[]; readonly at: Date },
): Uint8Array[] | null {
  try {
    const { signer, certificates } = readSignedData(encoded(cms));
    if (signer.certificate === null) return null;
    return pathOf({ certificate: signer.certificate, others: certificates, roots: roots.map((root) => new X509Certificate(root)), at });
  } catch (error) {
    if (error instanceof BadAsn1) return null;
    throw error;
  }
}

/** The same for a chain of certificates: the signer's first, the trusted one last. */
export function chainPath(certificates: readonly Uint8Array[], at: Date): Uint8Array[] | null {
  const [certificate, ...others] = certificates.map((der) => new X509Certificate(der));
  if (certificate === undefined) return null;
  return pathOf({ certificate, others, roots: others.slice(-1), at });
}

const pathOf = (request: Parameters<typeof trustedPath>[0]): Uint8Array[] | null =>
  trustedPath(request)?.map(({ raw }) => new Uint8Array(raw)) ?? null;
