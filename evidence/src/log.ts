// The log over all chains of an installation: a Merkle tree (RFC 9162, section 2.1) whose leaves are the hashes of entries. Its signed
// root shows what had been recorded by then; short proofs show that an entry is included and that nothing was removed later.
//
// Only full subtrees are stored, by level and index: the one at (level, index) covers 2^level leaves, starting at index·2^level. They
// never change. The incomplete right edge is computed from them when needed.

import { createHash } from "node:crypto";
import { isHash } from "./entry.ts";

/** The position of a full subtree; the leaves are level 0. */
export type Place = { readonly level: number; readonly index: number };
export type Node = Place & { readonly hash: string };

/** MUST return one hash for each place, in order. Called once per proof, with places of full subtrees of the given tree. */
export type ReadNodes = (places: readonly Place[]) => Promise<readonly string[]> | readonly string[];

/** The state to which leaves are appended: the tree size, and the full subtrees that make up the tree, largest first. */
export type Frontier = { readonly tree_size: number; readonly subtrees: readonly string[] };

export const EMPTY_LOG: Frontier = { tree_size: 0, subtrees: [] };

const bytes = (hash: string): Buffer => Buffer.from(hash, "hex");

/** The leaf of an entry with this hash. */
export const leafOf = (hash: string): string => createHash("sha256").update("\u0000").update(bytes(hash)).digest("hex");

export const nodeOf = (left: string, right: string): string =>
  createHash("sha256").update("\u0001").update(bytes(left)).update(bytes(right)).digest("hex");

/**
 * Returns the nodes to store for new leaves, including the leaves, and the new frontier. `hashes` are entry hashes in log order.
 * @example const { nodes, frontier } = appendLeaves(EMPTY_LOG, [entry.hash])
 */
export function appendLeaves(before: Frontier, hashes: readonly string[]): { nodes: Node[]; frontier: Frontier } {
  const nodes: Node[] = [];
  const subtrees = [...before.subtrees];
  let { tree_size } = before;
  for (const entry of hashes) {
    let node: Node = { level: 0, index: tree_size, hash: leafOf(entry) };
    nodes.push(node);
    // A leaf or node with an odd index completes a pair, which may in turn complete the next pair.
    while (node.index % 2 === 1) {
      const left = subtrees.pop() ?? unevenFrontier();
      node = { level: node.level + 1, index: (node.index - 1) / 2, hash: nodeOf(left, node.hash) };
      nodes.push(node);
    }
    subtrees.push(node.hash);
    tree_size += 1;
  }
  return { nodes, frontier: { tree_size, subtrees } };
}

function unevenFrontier(): never {
  throw new RangeError("the frontier has too few subtrees for its size");
}

/** The places to read in order to append to a tree of this size. */
export const frontierPlaces = (tree_size: number): Place[] => placesOf({ from: 0, to: tree_size });

/** The root of the tree that a frontier describes. */
export function rootOf({ subtrees }: Pick<Frontier, "subtrees">): string {
  return subtrees.length === 0 ? createHash("sha256").digest("hex") : folded(subtrees);
}

/** Leaves from `from` up to but not including `to`. */
export type Range = { readonly from: number; readonly to: number };

// The full subtrees that make up a range, largest first.
function placesOf({ from, to }: Range): Place[] {
  const places: Place[] = [];
  for (let start = from; start < to; ) {
    let level = 0;
    while (start % 2 ** (level + 1) === 0 && start + 2 ** (level + 1) <= to) level += 1;
    places.push({ level, index: start / 2 ** level });
    start += 2 ** level;
  }
  return places;
}

const folded = (subtrees: readonly string[]): string => subtrees.reduceRight((right, left) => nodeOf(left, right));

// The largest power of two below n (RFC 9162, 2.1.1).
function splitOf(n: number): number {
  let split = 1;
  while (split * 2 < n) split *= 2;
  return split;
}

/** Proves that leaf `index` is in the tree of that size (RFC 9162, 2.1.3). Throws a RangeError if there is no such leaf. */
export function inclusionProof(index: number, tree_size: number, read: ReadNodes): Promise<string[]> {
  if (!isWhole(index) || !isWhole(tree_size) || index >= tree_size) throw new RangeError(`no leaf ${index} in a tree of ${tree_size}`);
  return hashesOf(inclusionRanges(index, tree_size), read);
}

/** The subtrees whose hashes prove that a tree has this leaf, in the order of the proof. */
export function inclusionRanges(index: number, tree_size: number): Range[] {
  const beside: Range[] = [];
  let [from, to] = [0, tree_size];
  while (to - from > 1) {
    const middle = from + splitOf(to - from);
    if (index < middle) {
      beside.push({ from: middle, to });
      to = middle;
    } else {
      beside.push({ from, to: middle });
      from = middle;
    }
  }
  return beside.reverse();
}

/**
 * Proves that the tree of `to` leaves begins with the tree of `from` leaves (RFC 9162, 2.1.4). Throws a RangeError unless 0 < from <= to.
 */
export function consistencyProof(from: number, to: number, read: ReadNodes): Promise<string[]> {
  if (!isWhole(from) || !isWhole(to) || from < 1 || from > to) throw new RangeError(`no tree of ${from} in one of ${to}`);
  return hashesOf(consistencyRanges(from, { from: 0, to }), read);
}

/** The subtrees of `to` leaves whose hashes prove that it begins with a tree of `size` leaves, in the order of the proof. */
export function consistencyRanges(size: number, { from, to }: Range, isWholeBefore = true): Range[] {
  if (from + size === to) return isWholeBefore ? [] : [{ from, to }];
  const split = splitOf(to - from);
  if (size <= split) return [...consistencyRanges(size, { from, to: from + split }, isWholeBefore), { from: from + split, to }];
  return [...consistencyRanges(size - split, { from: from + split, to }, false), { from, to: from + split }];
}

/** The hash of the tree over these leaves, made of stored subtrees. */
export async function hashOfRange(range: Range, read: ReadNodes): Promise<string> {
  const [hash] = await hashesOf([range], read);
  return hash ?? unevenFrontier();
}

// Reads all nodes of a proof at once, so that the server queries its database once.
async function hashesOf(ranges: readonly Range[], read: ReadNodes): Promise<string[]> {
  const parts = ranges.map(placesOf);
  const found = await read(parts.flat());
  let at = 0;
  return parts.map((places) => {
    const subtrees = found.slice(at, at + places.length);
    if (subtrees.length !== places.length) throw new RangeError("fewer subtrees were returned than requested");
    at += places.length;
    return folded(subtrees);
  });
}

export type Inclusion = { readonly hash: string; readonly index: number; readonly proof: readonly string[] };
export type Tree = { readonly tree_size: number; readonly root: string };

/** Whether the entry with this hash is the leaf `index` of the tree (RFC 9162, 2.1.3.2). False for anything malformed. */
export function isIncluded({ hash, index, proof }: Inclusion, { tree_size, root }: Tree): boolean {
  if (!isWhole(index) || !isWhole(tree_size) || index >= tree_size || ![hash, root, ...proof].every(isHash)) return false;
  let [leaf, last] = [index, tree_size - 1];
  let found = leafOf(hash);
  for (const beside of proof) {
    if (last === 0) return false;
    if (leaf % 2 === 1 || leaf === last) {
      found = nodeOf(beside, found);
      while (leaf % 2 === 0 && leaf !== 0) [leaf, last] = [leaf / 2, half(last)];
    } else {
      found = nodeOf(found, beside);
    }
    [leaf, last] = [half(leaf), half(last)];
  }
  return last === 0 && found === root;
}

/** Whether the later tree begins with the earlier one (RFC 9162, 2.1.4.2). False for anything malformed. */
export function isConsistent(earlier: Tree, later: Tree, proof: readonly string[]): boolean {
  const [from, to] = [earlier.tree_size, later.tree_size];
  if (!isWhole(from) || !isWhole(to) || from < 1 || from > to || ![earlier.root, later.root, ...proof].every(isHash)) return false;
  if (from === to) return proof.length === 0 && earlier.root === later.root;
  // If the earlier tree is one full subtree, its root is the first node of the proof.
  const [start, ...rest] = isPowerOfTwo(from) ? [earlier.root, ...proof] : proof;
  if (start === undefined) return false;
  let [node, last] = [from - 1, to - 1];
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  let [before, after] = [start, start];
  for (const beside of rest) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      [before, after] = [nodeOf(beside, before), nodeOf(beside, after)];
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, half(last)];
    } else {
      after = nodeOf(after, beside);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && before === earlier.root && after === later.root;
}

const half = (n: number): number => Math.floor(n / 2);
const isPowerOfTwo = (n: number): boolean => Number.isInteger(Math.log2(n)) && 2 ** Math.log2(n) === n;
const isWhole = (n: unknown): n is number => Number.isSafeInteger(n) && (n as number) >= 0;
