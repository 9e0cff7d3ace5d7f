// Builds the signature for the gap in a PDF: CMS with the attributes of PAdES baseline (ETSI EN 319 142-1, table 1; RFC 5652). There is
// no signing-time attribute, because baseline forbids it; /M in the dictionary contains the time.

import { createHash, type KeyObject } from "node:crypto";
import * as asn1 from "asn1js";
import {
  type Block,
  bytesOf,
  encode,
  encoded,
  inDerOrder,
  members,
  objectId,
  octetString,
  oid,
  sequence,
  smallInteger,
  sortedSet,
  tagged,
} from "./der.ts";

// The version of SignedData and of SignerInfo for a signer named by issuer and serial number (RFC 5652, 5.1, 5.3).
const VERSION = 1;

/** The DER-encoded attributes to sign: content type, digest of the content (SHA-256), and hash of the signing certificate. */
export function signedAttributes(digest: Uint8Array, certificate: Uint8Array): Uint8Array {
  const certificateHash = createHash("sha256").update(certificate).digest();
  return encode(
    sortedSet(
      attribute(oid.contentType, objectId(oid.data)),
      attribute(oid.messageDigest, octetString(digest)),
      // ESSCertIDv2 with its default hash, SHA-256, which DER omits.
      attribute(oid.signingCertificateV2, sequence(sequence(sequence(octetString(certificateHash))))),
    ),
  );
}

/**
 * The DER-encoded CMS. `certificates` begins with the signer's, whose public key is `key`; `attributes` are the signed bytes; `token` is a
 * time stamp of the signature value.
 */
export function buildCms(parts: {
  readonly certificates: readonly Uint8Array[];
  readonly key: KeyObject;
  readonly attributes: Uint8Array;
  readonly signature: Uint8Array;
  readonly token: Uint8Array | null;
}): Uint8Array {
  const certificates = parts.certificates.map(encoded);
  const [leaf] = certificates;
  if (leaf === undefined) throw new Error("a signature needs the signer's certificate");
  const sha256 = sequence(objectId(oid.sha256));
  const unsigned = parts.token === null ? [] : [tagged(1, attribute(oid.signatureTimeStamp, encoded(parts.token)))];
  const signer = sequence(
    smallInteger(VERSION),
    issuerAndSerial(leaf),
    sha256,
    tagged(0, ...members(encoded(parts.attributes), "attributes")),
    signatureAlgorithm(parts.key),
    octetString(parts.signature),
    ...unsigned,
  );
  const signedData = sequence(
    smallInteger(VERSION),
    sortedSet(sha256),
    sequence(objectId(oid.data)),
    tagged(0, ...inDerOrder(certificates)),
    sortedSet(signer),
  );
  return encode(sequence(objectId(oid.signedData), tagged(0, signedData)));
}

const attribute = (name: string, value: Block): Block => sequence(objectId(name), sortedSet(value));

function issuerAndSerial(certificate: Block): Block {
  const [, serial, , issuer] = members(members(certificate, "certificate")[0], "certificate");
  if (serial === undefined || issuer === undefined) throw new Error("the seal certificate is not an X.509 v3 certificate");
  return sequence(encoded(bytesOf(issuer)), encoded(bytesOf(serial)));
}

// RFC 5754: ECDSA identifiers have no parameters, RSA identifiers have NULL.
function signatureAlgorithm(key: KeyObject): Block {
  if (key.asymmetricKeyType === "ec") return sequence(objectId(oid.ecdsaWithSha256));
  if (key.asymmetricKeyType === "rsa") return sequence(objectId(oid.rsaWithSha256), new asn1.Null());
  throw new Error(`a seal key is EC or RSA, not ${key.asymmetricKeyType}`);
}
