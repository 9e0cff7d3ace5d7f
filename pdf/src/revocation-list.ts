// The list of certificates that a root has revoked (RFC 5280, section 5). The key stays with the caller, whose function does the signing.

import { X509Certificate } from "node:crypto";
import * as asn1 from "asn1js";
import { Certificate } from "pkijs";
import { certificateFields } from "./cms/certificate.ts";
import { type Block, bigInteger, encode, encoded, objectId, octetString, octets, oid, readWhole, sequence, tagged } from "./cms/der.ts";
import type { SignDer } from "./seal-certificates.ts";

export type RevokedEntry = {
  /** DER */
  readonly certificate: Uint8Array;
  readonly revoked_at: Date;
  readonly reason: keyof typeof reasonCodes;
  /** From when the key or the certificate is considered invalid, which may be earlier. */
  readonly invalid_from: Date;
};

export type RevocationListRequest = {
  /** DER */
  readonly root: Uint8Array;
  readonly revoked: readonly RevokedEntry[];
  /** Increases with each list. */
  readonly number: number;
  readonly this_update: Date;
  readonly next_update: Date;
  /** Signs with the root's key. */
  readonly sign: SignDer;
};

// RFC 5280, 5.3.1
const reasonCodes = { key_compromise: 1, affiliation_changed: 3, superseded: 4 } as const;

const CRL_NUMBER = "2.5.29.20";
const REASON_CODE = "2.5.29.21";
const INVALIDITY_DATE = "2.5.29.24";

/**
 * The DER-encoded list.
 * @example await makeRevocationList({ root, revoked: [], number: 1, this_update: now, next_update: inAWeek, sign: byRoot })
 */
export async function makeRevocationList({
  root,
  revoked,
  number,
  this_update,
  next_update,
  sign,
}: RevocationListRequest): Promise<Uint8Array> {
  const algorithm = sequence(objectId(oid.ecdsaWithSha256));
  const issuer = Certificate.fromBER(root);
  const list = sequence(
    new asn1.Integer({ value: 1 }), // version 2
    algorithm,
    encoded(encode(issuer.subject.toSchema())),
    timeFrom(this_update),
    timeFrom(next_update),
    // An empty list is left out (RFC 5280, 5.1.2.6).
    ...(revoked.length === 0 ? [] : [sequence(...revoked.map(entryOf))]),
    tagged(
      0,
      sequence(extension(oid.authorityKeyIdentifier, authorityOf(issuer)), extension(CRL_NUMBER, new asn1.Integer({ value: number }))),
    ),
  );
  const toBeSigned = encode(list);
  const signature = new asn1.BitString({ valueHex: Uint8Array.from(await sign(toBeSigned)) });
  return encode(sequence(encoded(toBeSigned), algorithm, signature));
}

function entryOf({ certificate, revoked_at, reason, invalid_from }: RevokedEntry): Block {
  const { serial } = certificateFields(new X509Certificate(certificate));
  return sequence(
    bigInteger(serial),
    timeFrom(revoked_at),
    sequence(
      extension(REASON_CODE, new asn1.Enumerated({ value: reasonCodes[reason] })),
      // RFC 5280, 5.3.2: always the long form.
      extension(INVALIDITY_DATE, new asn1.GeneralizedTime({ valueDate: wholeSecond(invalid_from) })),
    ),
  );
}

// RFC 5280, 5.1.2.4: two-digit years until 2049.
const timeFrom = (at: Date): Block =>
  at.getUTCFullYear() < 2050 ? new asn1.UTCTime({ valueDate: wholeSecond(at) }) : new asn1.GeneralizedTime({ valueDate: wholeSecond(at) });

const wholeSecond = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000);

const extension = (id: string, value: Block): Block => sequence(objectId(id), octetString(encode(value)));

function authorityOf(root: Certificate): Block {
  const own = root.extensions?.find((each) => each.extnID === oid.subjectKeyIdentifier);
  if (own === undefined) throw new Error("the root certificate has no key identifier");
  const identifier = octets(readWhole(new Uint8Array(own.extnValue.valueBlock.valueHexView)), "key identifier");
  return sequence(new asn1.Primitive({ idBlock: { tagClass: 3, tagNumber: 0 }, valueHex: Uint8Array.from(identifier).buffer }));
}
