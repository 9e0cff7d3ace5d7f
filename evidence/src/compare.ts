// Comparing what two readers were shown of one log. Two honest views of a log agree on every tree over the same leaves, whatever the size of
// the whole. So one range of leaves with two hashes proves that the log showed two histories. That nothing contradicts proves less: the two
// views may have no range in common that lies after the point where the histories part.

import { consistencyRanges, type Inclusion, inclusionRanges, leafOf, nodeOf, type Range, type Tree } from "./log.ts";

/** The hash of the tree over a range of leaves. */
export type RangeHash = Range & { readonly hash: string };

/** What one reader knows of a log, by range. */
export type View = Map<string, RangeHash>;

export const emptyView = (): View => new Map();

const keyOf = ({ from, to }: Range): string => `${from}-${to}`;
const add = (view: View, range: Range, hash: string): void => {
  view.set(keyOf(range), { from: range.from, to: range.to, hash });
};

/** Adds the root of a checkpoint. */
export function addTree(view: View, { tree_size, root }: Tree): void {
  add(view, { from: 0, to: tree_size }, root);
}

/** Adds what an inclusion proof shows: its own hashes, and those on the way from the leaf to the root. The proof MUST be verified. */
export function addInclusion(view: View, { hash, index, proof }: Inclusion, tree: Tree): void {
  let own: RangeHash = { from: index, to: index + 1, hash: leafOf(hash) };
  add(view, own, own.hash);
  for (const [at, beside] of inclusionRanges(index, tree.tree_size).entries()) {
    const other: RangeHash = { ...beside, hash: proof[at] ?? "" };
    add(view, other, other.hash);
    const [left, right] = other.from < own.from ? [other, own] : [own, other];
    own = { from: left.from, to: right.to, hash: nodeOf(left.hash, right.hash) };
    add(view, own, own.hash);
  }
}

/** Adds the roots of two checkpoints and the hashes of the proof between them. The proof MUST be verified. */
export function addConsistency(view: View, earlier: Tree, later: Tree, proof: readonly string[]): void {
  addTree(view, earlier);
  addTree(view, later);
  for (const [at, range] of consistencyRanges(earlier.tree_size, { from: 0, to: later.tree_size }).entries()) {
    add(view, range, proof[at] ?? "");
  }
}

/** Adds every full subtree whose two halves are known. */
export function completeView(view: View): void {
  const found = [...view.values()].filter(isFull).sort((one, other) => sizeOf(one) - sizeOf(other));
  // Parents are larger than what is already in the list, and are appended in order of size.
  for (const half of found) {
    const size = sizeOf(half);
    if ((half.from / size) % 2 === 1) continue;
    const other = view.get(keyOf({ from: half.to, to: half.to + size }));
    const parent = { from: half.from, to: half.to + size };
    if (other === undefined || view.has(keyOf(parent))) continue;
    const made = { ...parent, hash: nodeOf(half.hash, other.hash) };
    view.set(keyOf(parent), made);
    insertBySize(found, made);
  }
}

const sizeOf = ({ from, to }: Range): number => to - from;

function isFull(range: Range): boolean {
  const size = sizeOf(range);
  return size > 0 && 2 ** Math.round(Math.log2(size)) === size && range.from % size === 0;
}

function insertBySize(found: RangeHash[], made: RangeHash): void {
  let at = found.length;
  while (at > 0 && sizeOf(found[at - 1] ?? made) > sizeOf(made)) at -= 1;
  found.splice(at, 0, made);
}

/** A range of leaves of which two views have different hashes. */
export type Split = Range & { readonly hashes: readonly [string, string] };

export type ViewsCompared = {
  /** ranges that are in both views */
  readonly compared: number;
  /** the smallest range with two hashes; null if there is none */
  readonly split: Split | null;
};

/** Compares two views of one log. The smallest differing range is closest to where the histories part. */
export function compareViews(one: View, other: View): ViewsCompared {
  const common = [...one.values()].flatMap((range) => {
    const found = other.get(keyOf(range));
    return found === undefined ? [] : [{ from: range.from, to: range.to, hashes: [range.hash, found.hash] as const }];
  });
  const splits = common.filter(({ hashes: [a, b] }) => a !== b).sort((a, b) => sizeOf(a) - sizeOf(b) || a.from - b.from);
  return { compared: common.length, split: splits[0] ?? null };
}

/** The number of the first entry in which two chains of one subject differ; null if one is the beginning of the other. */
export function firstSplit(one: readonly string[], other: readonly string[]): number | null {
  const at = one.findIndex((hash, seq) => other[seq] !== undefined && other[seq] !== hash);
  return at < 0 ? null : at + 1;
}
