import {
  areRestarts,
  compareViews,
  type FetchTile,
  firstSplit,
  hashOfRange,
  nodesFromTiles,
  type RangeHash,
  type Tree,
} from "@countersign/evidence";
import { BadTile } from "../tile-folder.ts";
import type { Side } from "./read-side.ts";

export type Compared = {
  /** ranges of leaves that were compared */
  readonly nodes: number;
  /** what contradicts, as a sentence; null if nothing does */
  readonly contradiction: string | null;
  /** whether the log declared a restart between the two */
  readonly restarted: boolean;
};

/** Why two sides cannot be compared, as a sentence; null if they belong to one log. */
export function differentLogs(one: Side, other: Side, isPinned: boolean): string | null {
  if (one.log_id !== null && other.log_id !== null) {
    if (one.log_id !== other.log_id) return "The two bundles belong to different logs.";
    // Anyone can make a root of their own and name the log of another installation.
    if (one.root_sha256 !== other.root_sha256 && !isPinned) return "The two bundles have different roots. Pin the first root with --root.";
    return null;
  }
  if (one.origin !== null && other.origin !== null)
    return one.origin === other.origin || areRestarts(one.origin, other.origin) ? null : "The two belong to different logs.";
  const [bundle, note] = one.log_id === null ? [other, one] : [one, other];
  const standard = `/log/${(bundle.log_id ?? "").slice(0, 16)}`;
  const origin = note.origin ?? "";
  return origin.endsWith(standard) || origin.includes(`${standard}/`)
    ? null
    : "The bundle does not name its log, so it cannot be shown that the note belongs to it.";
}

/** Compares what two sides show of one log. With `tiles`, every hash of one side is compared with the whole tree of the other. */
export async function compareSides(one: Side, other: Side, tiles: FetchTile | null): Promise<Compared> {
  const restarted =
    one.origin !== other.origin && [one.origin, other.origin].some((origin) => origin !== null && isRestarted(origin, one, other));
  const { compared, split } = compareViews(one.view, other.view);
  const counted = (nodes: number, contradiction: string | null): Compared => ({ nodes, contradiction, restarted });
  if (one.chain !== null && other.chain !== null && one.chain.subject === other.chain.subject) {
    const seq = firstSplit(one.chain.hashes, other.chain.hashes);
    if (seq !== null) return counted(compared, `entry ${seq} of ${one.chain.subject} is not the same in both`);
  }
  if (split !== null) {
    const [a, b] = split.hashes;
    return counted(compared, `leaves ${split.from} to ${split.to - 1} have the hash ${a} in the first and ${b} in the second`);
  }
  return tiles === null ? counted(compared, null) : compareWithTiles(one, other, tiles, counted);
}

const isRestarted = (origin: string, one: Side, other: Side): boolean => {
  const rest = [one.origin, other.origin].find((each) => each !== origin) ?? null;
  return rest === null ? /\/([2-9]|[1-9][0-9]+)$/.test(origin) : areRestarts(origin, rest);
};

/** The tiles belong to the side whose largest tree they make; the other side is compared with them. */
async function compareWithTiles(
  one: Side,
  other: Side,
  tiles: FetchTile,
  counted: (nodes: number, contradiction: string | null) => Compared,
): Promise<Compared> {
  const candidates = [one, other].flatMap((side) => side.trees.map((tree) => ({ tree, against: side === one ? other : one })));
  for (const { tree, against } of candidates.sort((a, b) => b.tree.tree_size - a.tree.tree_size)) {
    const read = nodesFromTiles(tree.tree_size, tiles);
    if ((await rootFrom(tree, tiles)) !== tree.root) continue;
    const ranges = [...against.view.values()].filter(({ to }) => to <= tree.tree_size);
    for (const range of ranges.sort(bySize)) {
      const hash = await hashOfRange(range, read);
      if (hash !== range.hash)
        return counted(
          ranges.length,
          `leaves ${range.from} to ${range.to - 1} have the hash ${hash} in the tiles of checkpoint ${tree.tree_size} and ${range.hash} in ${against.path}`,
        );
    }
    return counted(ranges.length, null);
  }
  throw new BadTile("the tiles make the root of neither side");
}

async function rootFrom({ tree_size }: Tree, tiles: FetchTile): Promise<string | null> {
  try {
    return await hashOfRange({ from: 0, to: tree_size }, nodesFromTiles(tree_size, tiles));
  } catch (error) {
    // The folder was filled for a smaller tree.
    if (error instanceof BadTile) return null;
    throw error;
  }
}

const bySize = (a: RangeHash, b: RangeHash): number => a.to - a.from - (b.to - b.from);
