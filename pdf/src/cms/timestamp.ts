// Time stamps (RFC 3161): requests, responses and the verification of tokens. Nothing here uses the network. A token that fails
// verification is never replaced by a time of our own.

import { X509Certificate } from "node:crypto";
import * as asn1 from "asn1js";
import { type Hash, hashOf } from "./algorithms.ts";
import { type CertificateView, certificateFields, isForTimeStamping, viewCertificate } from "./certificate.ts";
import { trustFault } from "./chain.ts";
import {
  BadAsn1,
  type Block,
  bigInteger,
  bytesOf,
  encode,
  integerBytes,
  members,
  objectId,
  octetString,
  octets,
  oid,
  readWhole,
  sameBytes,
  sequence,
  smallInteger,
  timeOf,
} from "./der.ts";
import { checkSignature, readSignedData } from "./signed-data.ts";

/** The authority's response is unusable. The message gives the reason and quotes nothing. */
export class TimestampFault extends Error {
  override readonly name = "TimestampFault";
}

export type TimestampReport = {
  /** The time stated by the authority; null if the token cannot be read. */
  readonly at: string | null;
  readonly certificate: CertificateView | null;
  /** The token is for these bytes and its signature is valid. */
  readonly intact: boolean;
  /** The authority's certificate is for time stamping and chained to a root at the stated time. */
  readonly trusted: boolean;
  readonly fault?: string;
};

type Token = { readonly at: Date; readonly nonce: Uint8Array | null; readonly hash: Hash | null; readonly imprint: Uint8Array };

const ANSWER_BYTES = 65_536;
const GRANTED_WITH_MODS = 1;

/**
 * The body to POST as `application/timestamp-query`. `imprint` is a SHA-256 hash, `nonce` is 8 random bytes.
 * @example timestampRequest({ imprint: sha256(signature), nonce: randomBytes(8) })
 */
export function timestampRequest(request: { imprint: Uint8Array; nonce: Uint8Array }): Uint8Array {
  const requestCertificates = new asn1.Boolean({ value: true });
  const imprint = sequence(sequence(objectId(oid.sha256), new asn1.Null()), octetString(request.imprint));
  return encode(sequence(smallInteger(1), imprint, bigInteger(request.nonce), requestCertificates));
}

/**
 * Returns the token in an authority's response. Throws TimestampFault unless the request was granted, the token is for this imprint and
 * nonce, and it was signed with a time-stamping certificate that chains to one of the roots.
 */
export function readTimestampAnswer(
  answer: Uint8Array,
  asked: { imprint: Uint8Array; nonce: Uint8Array; roots: readonly Uint8Array[] },
): { token: Uint8Array; at: string } {
  if (answer.length > ANSWER_BYTES) throw new TimestampFault(`the answer is longer than ${ANSWER_BYTES} bytes`);
  const token = grantedToken(answer);
  const { nonce, at } = readTokenOrThrow(token);
  const expected = integerBytes(readWhole(encode(bigInteger(asked.nonce))), "nonce");
  if (nonce === null || !sameBytes(nonce, expected)) throw new TimestampFault("the answer is to another request (nonce)");
  const report = checkTimestamp(token, (hash) => (hash === "sha256" ? asked.imprint : null), asked.roots);
  if (!report.intact || !report.trusted) throw new TimestampFault(`the token is not valid: ${report.fault}`);
  return { token, at: at.toISOString() };
}

function grantedToken(answer: Uint8Array): Uint8Array {
  try {
    const [statusInfo, token] = members(readWhole(answer), "answer");
    const status = integerBytes(members(statusInfo, "status")[0], "status");
    if (status.length !== 1 || (status[0] ?? 9) > GRANTED_WITH_MODS)
      throw new TimestampFault(`the authority refused (status ${status[0]})`);
    if (token === undefined) throw new TimestampFault("granted, but without a token");
    return bytesOf(token);
  } catch (error) {
    if (error instanceof BadAsn1) throw new TimestampFault(`the answer cannot be read: ${error.message}`, { cause: error });
    throw error;
  }
}

function readTokenOrThrow(token: Uint8Array): Token {
  try {
    return readToken(token);
  } catch (error) {
    if (error instanceof BadAsn1) throw new TimestampFault(`the token cannot be read: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Verifies a token for the bytes whose hash `imprintOf` returns (null if that hash is not available). */
export function checkTimestamp(
  token: Uint8Array,
  imprintOf: (hash: Hash) => Uint8Array | null,
  roots: readonly Uint8Array[],
): TimestampReport {
  try {
    return verifyToken(token, imprintOf, roots);
  } catch (error) {
    if (error instanceof BadAsn1) return { at: null, certificate: null, intact: false, trusted: false, fault: "unreadable" };
    throw error;
  }
}

function verifyToken(token: Uint8Array, imprintOf: (hash: Hash) => Uint8Array | null, roots: readonly Uint8Array[]): TimestampReport {
  const data = readSignedData(readWhole(token));
  const { at, hash, imprint } = readToken(token);
  const content = data.content ?? new Uint8Array();
  const check = checkSignature(data, [content], { strict: true });
  const view = { at: at.toISOString(), certificate: check.certificate === null ? null : viewCertificate(check.certificate) };
  const expected = hash === null ? null : imprintOf(hash);
  if (expected === null || !sameBytes(expected, imprint)) return { ...view, intact: false, trusted: false, fault: "imprint_mismatch" };
  if (check.fault !== null) return { ...view, intact: false, trusted: false, fault: check.fault };
  if (!isForTimeStamping(certificateFields(check.certificate)))
    return { ...view, intact: true, trusted: false, fault: "not_for_time_stamping" };
  const fault = trustFault({
    certificate: check.certificate,
    others: data.certificates,
    roots: roots.map((root) => new X509Certificate(root)),
    at,
  });
  return fault === null ? { ...view, intact: true, trusted: true } : { ...view, intact: true, trusted: false, fault };
}

function readToken(token: Uint8Array): Token {
  const data = readSignedData(readWhole(token));
  if (data.content_type !== oid.timeStampInfo || data.content === null) throw new BadAsn1("not a time-stamp token");
  const [, , imprint, , time, ...rest] = members(readWhole(data.content), "time-stamp");
  const [algorithm, hashed] = members(imprint, "imprint");
  const at = timeOf(time);
  if (at === null) throw new BadAsn1("a time-stamp without a time");
  const nonce = rest.find((part): part is asn1.Integer => part instanceof asn1.Integer);
  return {
    at,
    nonce: nonce === undefined ? null : integerBytes(nonce as Block, "nonce"),
    hash: hashOf(algorithm),
    imprint: octets(hashed, "imprint"),
  };
}
