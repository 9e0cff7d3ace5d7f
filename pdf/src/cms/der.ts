// Reads and writes ASN.1. Signatures cover exact bytes, so a parsed block is never encoded again: `bytesOf` returns the original bytes.
// SET OF members are sorted here as DER requires, because asn1js does not sort them.

import * as asn1 from "asn1js";

export type Block = asn1.BaseBlock;

/** Object identifiers in CMS, certificates and time stamps (RFC 5652, 5035, 5280, 3161). */
export const oid = {
  data: "1.2.840.113549.1.7.1",
  signedData: "1.2.840.113549.1.7.2",
  contentType: "1.2.840.113549.1.9.3",
  messageDigest: "1.2.840.113549.1.9.4",
  signingTime: "1.2.840.113549.1.9.5",
  signingCertificate: "1.2.840.113549.1.9.16.2.12",
  signatureTimeStamp: "1.2.840.113549.1.9.16.2.14",
  signingCertificateV2: "1.2.840.113549.1.9.16.2.47",
  timeStampInfo: "1.2.840.113549.1.9.16.1.4",
  sha256: "2.16.840.1.101.3.4.2.1",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  rsaWithSha256: "1.2.840.113549.1.1.11",
  commonName: "2.5.4.3",
  serialNumber: "2.5.4.5",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  basicConstraints: "2.5.29.19",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  timeStamping: "1.3.6.1.5.5.7.3.8",
  documentSigning: "1.3.6.1.5.5.7.3.36",
} as const;

// A revocation list inside the signature of an upload can have tens of thousands of entries; the default limit of asn1js is 10,000.
const MAX_BLOCKS = 300_000;

/** The bytes do not have the expected structure. The message names the part and quotes nothing. */
export class BadAsn1 extends Error {
  override readonly name = "BadAsn1";
}

/** Reads one block from the start of the bytes, and returns its length; more data may follow. */
export function readBlock(bytes: Uint8Array): { block: Block; length: number } {
  const { offset, result } = parse(bytes);
  if (offset < 0 || result.error !== "") throw new BadAsn1("not ASN.1");
  return { block: result, length: offset };
}

// asn1js reports most errors in its result but throws a few, such as for an invalid time.
function parse(bytes: Uint8Array): ReturnType<typeof asn1.fromBER> {
  try {
    return asn1.fromBER(bytes, { maxNodes: MAX_BLOCKS });
  } catch (cause) {
    throw new BadAsn1("not ASN.1", { cause });
  }
}

/** Reads the bytes as exactly one block. */
export function readWhole(bytes: Uint8Array): Block {
  const { block, length } = readBlock(bytes);
  if (length !== bytes.length) throw new BadAsn1("bytes after the end");
  return block;
}

/** The original bytes of the block. */
export const bytesOf = (block: Block): Uint8Array => new Uint8Array(block.valueBeforeDecodeView);

/** The members of a SEQUENCE, SET or constructed tag. */
export function members(block: Block | undefined, what: string): Block[] {
  if (block instanceof asn1.Constructed) return block.valueBlock.value;
  throw new BadAsn1(`${what} is not a list`);
}

export const isList = (block: Block | undefined): boolean => block instanceof asn1.Constructed;

/** The content of an OCTET STRING, even if it is split into pieces. */
export function octets(block: Block | undefined, what: string): Uint8Array {
  if (block instanceof asn1.OctetString) return new Uint8Array(block.getValue());
  throw new BadAsn1(`${what} is not an octet string`);
}

export function oidOf(block: Block | undefined, what: string): string {
  if (block instanceof asn1.ObjectIdentifier) return block.valueBlock.toString();
  throw new BadAsn1(`${what} is not an object identifier`);
}

/** The bytes of an INTEGER, as written. */
export function integerBytes(block: Block | undefined, what: string): Uint8Array {
  if (block instanceof asn1.Integer) return new Uint8Array(block.valueBlock.valueHexView);
  throw new BadAsn1(`${what} is not an integer`);
}

export function timeOf(block: Block | undefined): Date | null {
  if (!(block instanceof asn1.UTCTime || block instanceof asn1.GeneralizedTime)) return null;
  const date = block.toDate();
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Whether it is the context tag `[n]`. */
export const isTag = (block: Block | undefined, n: number): block is Block =>
  block?.idBlock.tagClass === 3 && block.idBlock.tagNumber === n;

export const encode = (block: Block): Uint8Array => new Uint8Array(block.toBER());
export const sequence = (...value: Block[]): Block => new asn1.Sequence({ value });
export const objectId = (value: string): Block => new asn1.ObjectIdentifier({ value });
export const octetString = (value: Uint8Array): Block => new asn1.OctetString({ valueHex: value });
export const smallInteger = (value: number): Block => new asn1.Integer({ value });
export const tagged = (tagNumber: number, ...value: Block[]): Block => new asn1.Constructed({ idBlock: { tagClass: 3, tagNumber }, value });

/** A block from bytes that are already encoded. */
export const encoded = (bytes: Uint8Array): Block => readWhole(bytes);

/** A non-negative INTEGER of any size. */
export function bigInteger(bytes: Uint8Array): Block {
  const first = bytes.findIndex((byte) => byte !== 0);
  const significant = first < 0 ? Uint8Array.of(0) : bytes.subarray(first);
  const padded = (significant[0] ?? 0) > 0x7f ? Uint8Array.of(0, ...significant) : Uint8Array.from(significant);
  return new asn1.Integer({ valueHex: padded });
}

/** A SET OF, sorted by the encodings of its members as DER requires (X.690, 11.6). */
export const sortedSet = (...value: Block[]): Block => new asn1.Set({ value: inDerOrder(value) });

export function inDerOrder(blocks: readonly Block[]): Block[] {
  return blocks
    .map((block) => ({ block, der: encode(block) }))
    .sort((a, b) => Buffer.compare(a.der, b.der))
    .map(({ block }) => block);
}

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && Buffer.compare(a, b) === 0;
