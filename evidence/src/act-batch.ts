// One act on many records. Its document names the root of a Merkle tree (RFC 9162, section 2.1) over the items, so that everyone who
// confirms the document confirms the whole list, and each record shows with a short proof that it is in it.

import type { Json } from "./canonical.ts";
import { appendLeaves, EMPTY_LOG, inclusionProof, isIncluded, type Place, rootOf } from "./log.ts";
import { hashOfJson } from "./rules/1/chain-facts.ts";

/** One record of a batch, as those who decide see it. A leaf of the tree is the SHA-256 of its canonical JSON. */
export type BatchItem = {
  readonly envelope_id: string;
  /** of the authoritative copy */
  readonly copy_sha256: string;
  /** the version of control on which the act was proposed */
  readonly expected_version: number;
  readonly record_name: string;
  /** the secured party on record; null: the organization itself controls the record */
  readonly present_party: { readonly party_id: string | null; readonly name: string; readonly identifier: string | null } | null;
};

export type BatchTree = {
  readonly root: string;
  /** for each item, in order, the hashes that lead from it to the root */
  readonly proofs: readonly (readonly string[])[];
};

/**
 * The tree over the items, in their order, with a proof for each.
 * @example const { root, proofs } = await batchTree(items)
 */
export async function batchTree(items: readonly BatchItem[]): Promise<BatchTree> {
  const { nodes, frontier } = appendLeaves(EMPTY_LOG, items.map(hashOfItem));
  const stored = new Map(nodes.map((node) => [placeName(node), node.hash]));
  const read = (places: readonly Place[]) => places.map((place) => stored.get(placeName(place)) ?? missing(place));
  const proofs = await Promise.all(items.map((_, index) => inclusionProof(index, items.length, read)));
  return { root: rootOf(frontier), proofs };
}

const placeName = ({ level, index }: Place): string => `${level}/${index}`;

function missing(place: Place): never {
  throw new RangeError(`the tree has no node at ${placeName(place)}`);
}

const hashOfItem = (item: BatchItem): string => hashOfJson(item as Json);

/** Which of the items of a batch a record is, and the proof. */
export type BatchPlace = {
  /** counts from 0 */
  readonly index: number;
  readonly item: BatchItem;
  readonly proof: readonly string[];
};

/** Whether the item is in the list whose root the document of an act names. False for anything malformed, also for an act on one record. */
export function isInBatch(place: BatchPlace, document: { readonly [member: string]: Json }): boolean {
  const { index, item, proof } = Object(place) as BatchPlace;
  const { root, count } = Object(document.batch) as Record<string, unknown>;
  if (typeof root !== "string" || typeof count !== "number" || !Array.isArray(proof) || item === undefined) return false;
  return isIncluded({ hash: hashOfItem(item), index, proof }, { tree_size: count, root });
}
