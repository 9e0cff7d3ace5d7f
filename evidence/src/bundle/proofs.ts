import { canonicalValue } from "../checkpoint.ts";
import { isHash } from "../entry.ts";

/** `proofs.json`: proves that every entry is in the latest checkpoint, and that the latest checkpoint extends the one of the vaulting. */
export type Proofs = {
  readonly type: "countersign/proofs/1";
  /** one per entry of the chain, in order */
  readonly inclusions: readonly { readonly seq: number; readonly index: number; readonly proof: readonly string[] }[];
  readonly consistency: readonly string[];
};

/** Returns null unless the bytes are canonical and have exactly these members. */
export function readProofs(bytes: Uint8Array): Proofs | null {
  const value = canonicalValue(bytes);
  const { type, inclusions, consistency } = Object(value) as Record<string, unknown>;
  if (Object.keys(Object(value)).length !== 3 || type !== "countersign/proofs/1") return null;
  if (!Array.isArray(inclusions) || !inclusions.every(isInclusion) || !areHashes(consistency)) return null;
  return value as Proofs;
}

function isInclusion(item: unknown): boolean {
  const { seq, index, proof } = Object(item) as Record<string, unknown>;
  return Object.keys(Object(item)).length === 3 && Number.isSafeInteger(seq) && Number.isSafeInteger(index) && areHashes(proof);
}

const areHashes = (value: unknown): boolean => Array.isArray(value) && value.every(isHash);
