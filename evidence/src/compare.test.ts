import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import fc from "../../testing/properties.ts";
import { addConsistency, addInclusion, addTree, compareViews, completeView, emptyView, firstSplit, type View } from "./compare.ts";
import { appendLeaves, consistencyProof, EMPTY_LOG, hashOfRange, inclusionProof, nodeOf, type Place, rootOf } from "./log.ts";

const hashFor = (text: string): string => createHash("sha256").update(text).digest("hex");

function logOf(hashes: readonly string[]) {
  const { nodes } = appendLeaves(EMPTY_LOG, hashes);
  const stored = new Map(nodes.map(({ level, index, hash }) => [`${level}/${index}`, hash]));
  const read = (places: readonly Place[]) => places.map(({ level, index }) => stored.get(`${level}/${index}`) ?? "none");
  const tree = (tree_size: number) => ({ tree_size, root: rootOf(appendLeaves(EMPTY_LOG, hashes.slice(0, tree_size)).frontier) });
  return { hashes, read, tree };
}

const linear = (count: number, name = "common") => Array.from({ length: count }, (_, at) => hashFor(`${name} ${at}`));

async function viewOf(
  { hashes, read, tree }: ReturnType<typeof logOf>,
  from: number,
  to: number,
  entries: readonly number[],
): Promise<View> {
  const view = emptyView();
  addConsistency(view, tree(from), tree(to), await consistencyProof(from, to, read));
  for (const index of entries) {
    addInclusion(view, { hash: hashes[index] ?? "", index, proof: await inclusionProof(index, to, read) }, tree(to));
  }
  completeView(view);
  return view;
}

describe("two views of one log", () => {
  test("every hash in a view is that of its range, and no two honest views contradict each other", async () => {
    const log = logOf(linear(200));
    const size = fc.integer({ min: 1, max: 200 });
    await fc.assert(
      fc.asyncProperty(size, size, size, size, fc.array(fc.nat(199), { maxLength: 5 }), async (a, b, c, d, entries) => {
        const [one, other] = await Promise.all(
          [
            [a, b],
            [c, d],
          ].map(([from = 1, to = 1]) => {
            const [low, high] = [Math.min(from, to), Math.max(from, to)];
            return viewOf(
              log,
              low,
              high,
              entries.filter((index) => index < high),
            );
          }),
        );
        for (const range of one?.values() ?? []) expect(range.hash).toBe(await hashOfRange(range, log.read));
        expect(compareViews(one ?? emptyView(), other ?? emptyView()).split).toBeNull();
      }),
      { numRuns: 25 },
    );
  });

  test("a fork is found where the two views have a range in common, and the smallest such range is named", async () => {
    const common = linear(100);
    const [one, other] = [logOf([...common, ...linear(28, "one")]), logOf([...common, ...linear(28, "other")])];
    const [seen, shown] = [await viewOf(one, 100, 128, [101]), await viewOf(other, 100, 128, [102])];
    const { compared, split } = compareViews(seen, shown);
    expect(compared).toBeGreaterThan(5);
    expect(split).toMatchObject({ from: 100, to: 102 });
    expect(split?.hashes).toEqual([
      await hashOfRange({ from: 100, to: 102 }, one.read),
      await hashOfRange({ from: 100, to: 102 }, other.read),
    ]);
  });

  test("roots of the same size are compared even without proofs", () => {
    const [one, other] = [emptyView(), emptyView()];
    addTree(one, { tree_size: 5, root: hashFor("one") });
    addTree(other, { tree_size: 5, root: hashFor("other") });
    expect(compareViews(one, other)).toEqual({ compared: 1, split: { from: 0, to: 5, hashes: [hashFor("one"), hashFor("other")] } });
  });

  test("views without a common range compare nothing", () => {
    const [one, other] = [emptyView(), emptyView()];
    addTree(one, { tree_size: 5, root: hashFor("one") });
    addTree(other, { tree_size: 6, root: hashFor("one") });
    expect(compareViews(one, other)).toEqual({ compared: 0, split: null });
  });

  test("subtrees whose halves are known are added, up to the largest", () => {
    const view = emptyView();
    const hash = ["a", "b", "c", "d"].map(hashFor);
    for (const [at, one] of hash.entries()) view.set(`${at}-${at + 1}`, { from: at, to: at + 1, hash: one });
    completeView(view);
    const [a = "", b = "", c = "", d = ""] = hash;
    expect(view.get("0-4")?.hash).toBe(nodeOf(nodeOf(a, b), nodeOf(c, d)));
    // 1-3 is no subtree.
    expect([...view.keys()].sort()).toEqual(["0-1", "0-2", "0-4", "1-2", "2-3", "2-4", "3-4"]);
  });
});

test("two chains diverge at the first entry that differs, and the beginning of a chain does not contradict it", () => {
  expect(firstSplit(["a", "b", "c"], ["a", "x"])).toBe(2);
  expect([firstSplit(["a", "b"], ["a", "b", "c"]), firstSplit(["a"], ["a"]), firstSplit([], ["a"])]).toEqual([null, null, null]);
});
