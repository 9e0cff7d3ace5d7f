// Reads the ASN.1 of keys and certificates.

import * as asn1 from "asn1js";

export type Block = asn1.BaseBlock;

/** Reads the bytes as exactly one block; throws for anything else. */
export function readWhole(bytes: Uint8Array): Block {
  const { offset, result } = asn1.fromBER(bytes);
  if (offset !== bytes.length || result.error !== "") throw new Error("not ASN.1");
  return result;
}

export function members(block: Block | undefined): Block[] {
  if (block instanceof asn1.Constructed) return block.valueBlock.value;
  throw new Error("not a list");
}

export function oidOf(block: Block | undefined): string {
  if (block instanceof asn1.ObjectIdentifier) return block.valueBlock.toString();
  throw new Error("not an object identifier");
}

/** The bits of a BIT STRING of whole bytes. */
export function bitsOf(block: Block | undefined): Uint8Array {
  if (block instanceof asn1.BitString && block.valueBlock.unusedBits === 0) return Uint8Array.from(block.valueBlock.valueHexView);
  throw new Error("not a bit string of whole bytes");
}

/** The bytes of an INTEGER, as written. */
export function integerOf(block: Block | undefined): Uint8Array {
  if (block instanceof asn1.Integer) return Uint8Array.from(block.valueBlock.valueHexView);
  throw new Error("not an integer");
}

export function octetsOf(block: Block | undefined): Uint8Array {
  if (block instanceof asn1.OctetString) return new Uint8Array(block.getValue());
  throw new Error("not an octet string");
}

/** The original bytes of a block, which signatures cover. */
export const bytesOf = (block: Block): Uint8Array => Uint8Array.from(block.valueBeforeDecodeView);

export const isTag = (block: Block | undefined, n: number): block is Block =>
  block?.idBlock.tagClass === 3 && block.idBlock.tagNumber === n;

export const numberOf = (bytes: Uint8Array): bigint => (bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString("hex")}`));
