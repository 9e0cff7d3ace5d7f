import { createHash, generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { tries } from "../../testing/all.ts";
import fc from "../../testing/properties.ts";
import { canonicalize } from "./canonical.ts";
import { type Checkpoint, isSigned, keyIdOf, readCheckpoint, signRecord } from "./checkpoint.ts";
import {
  appendLeaves,
  consistencyProof,
  EMPTY_LOG,
  type Frontier,
  frontierPlaces,
  inclusionProof,
  isConsistent,
  isIncluded,
  leafOf,
  type Node,
  nodeOf,
  type Place,
  type ReadNodes,
  rootOf,
} from "./log.ts";

const entry = (n: number): string => createHash("sha256").update(`entry ${n}`).digest("hex");
const entries = (count: number): string[] => Array.from({ length: count }, (_, n) => entry(n));

/** A literal implementation of RFC 9162, 2.1.1, as the reference. */
function naiveRoot(hashes: readonly string[]): string {
  if (hashes.length === 0) return createHash("sha256").digest("hex");
  if (hashes.length === 1) return leafOf(hashes[0] as string);
  let split = 1;
  while (split * 2 < hashes.length) split *= 2;
  return nodeOf(naiveRoot(hashes.slice(0, split)), naiveRoot(hashes.slice(split)));
}

const keyOf = ({ level, index }: Place): string => `${level}/${index}`;

/** Stored like on the server: appended in batches, each full subtree once. */
function stored(
  count: number,
  batch = count || 1,
): { read: ReadNodes; frontier: Frontier; nodes: Map<string, string>; asked: () => number } {
  const nodes = new Map<string, string>();
  let frontier = EMPTY_LOG;
  const all = entries(count);
  for (let from = 0; from < count; from += batch) {
    const more = appendLeaves(frontier, all.slice(from, from + batch));
    for (const node of more.nodes) {
      if (nodes.has(keyOf(node))) throw new Error(`${keyOf(node)} is stored twice`);
      nodes.set(keyOf(node), node.hash);
    }
    frontier = more.frontier;
  }
  let asked = 0;
  const read = (places: readonly Place[]) => {
    asked += places.length;
    return places.map((place) => nodes.get(keyOf(place)) ?? `none at ${keyOf(place)}`);
  };
  return { read, frontier, nodes, asked: () => asked };
}

const sizes = fc.integer({ min: 1, max: 300 });

describe("the tree", () => {
  test("has the root of the standard, however its leaves are batched", () => {
    expect(rootOf(EMPTY_LOG)).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 40 }), (size, batch) => {
        const { frontier, nodes } = stored(size, batch);
        expect(rootOf(frontier)).toBe(naiveRoot(entries(size)));
        expect(frontierPlaces(size).map((place) => nodes.get(keyOf(place)))).toEqual(frontier.subtrees);
        expect(nodes.size).toBeLessThan(2 * size);
      }),
      { numRuns: tries(60) },
    );
  });

  test("hashes in the formats of the design", () => {
    const hash = "ab".repeat(32);
    expect(leafOf(hash)).toBe(
      createHash("sha256")
        .update(Buffer.from(`00${hash}`, "hex"))
        .digest("hex"),
    );
    expect(nodeOf(hash, hash)).toBe(
      createHash("sha256")
        .update(Buffer.from(`01${hash}${hash}`, "hex"))
        .digest("hex"),
    );
  });
});

describe("inclusion", () => {
  test("every leaf of every tree up to 34 has a proof that fits no other leaf and no other tree", async () => {
    const { read } = stored(34);
    for (let tree_size = 1; tree_size <= 34; tree_size++) {
      const tree = { tree_size, root: naiveRoot(entries(tree_size)) };
      for (let index = 0; index < tree_size; index++) {
        const proof = await inclusionProof(index, tree_size, read);
        expect(isIncluded({ hash: entry(index), index, proof }, tree)).toBe(true);
        expect(isIncluded({ hash: entry(index + 1), index, proof }, tree)).toBe(false);
        expect(isIncluded({ hash: entry(index), index: index + 1, proof }, tree)).toBe(false);
        expect(isIncluded({ hash: entry(index), index, proof: [...proof, entry(0)] }, tree)).toBe(false);
        expect(isIncluded({ hash: entry(index), index, proof: proof.slice(1) }, tree)).toBe(proof.length === 0);
      }
    }
  });

  test("a changed proof, root or size proves nothing", async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), fc.nat(), async (tree_size, at, bit) => {
        const { read, frontier } = stored(tree_size);
        const index = at % tree_size;
        const proof = await inclusionProof(index, tree_size, read);
        const claim = { hash: entry(index), index, proof };
        const tree = { tree_size, root: rootOf(frontier) };
        expect(isIncluded(claim, tree)).toBe(true);
        expect(isIncluded({ ...claim, proof: proof.map((hash, i) => (i === bit % proof.length ? flipped(hash, bit) : hash)) }, tree)).toBe(
          proof.length === 0,
        );
        expect(isIncluded(claim, { ...tree, root: flipped(tree.root, bit) })).toBe(false);
      }),
      { numRuns: tries(100) },
    );
  });

  test("a proof reads at most twice as many rows as the tree is high", async () => {
    const { read, asked } = stored(20_000, 1_000);
    await inclusionProof(19_998, 20_000, read);
    await inclusionProof(0, 19_999, read);
    expect(asked()).toBeLessThan(4 * 15);
  });

  test("there is no proof for a leaf that does not exist", () => {
    const { read } = stored(3);
    expect(() => inclusionProof(3, 3, read)).toThrow(RangeError);
    expect(() => inclusionProof(-1, 3, read)).toThrow(RangeError);
    expect(isIncluded({ hash: "no hash", index: 0, proof: [] }, { tree_size: 1, root: leafOf(entry(0)) })).toBe(false);
  });
});

describe("consistency", () => {
  test("every tree up to 24 begins with every smaller one, and with no other", async () => {
    const { read } = stored(24);
    const tree = (tree_size: number) => ({ tree_size, root: naiveRoot(entries(tree_size)) });
    for (let to = 1; to <= 24; to++) {
      for (let from = 1; from <= to; from++) {
        const proof = await consistencyProof(from, to, read);
        expect(isConsistent(tree(from), tree(to), proof)).toBe(true);
        expect(isConsistent({ ...tree(from), root: entry(1) }, tree(to), proof)).toBe(false);
        expect(isConsistent(tree(from), { ...tree(to), root: entry(1) }, proof)).toBe(false);
        expect(isConsistent(tree(from), tree(to), [...proof, entry(1)])).toBe(false);
        if (proof.length > 0) expect(isConsistent(tree(from), tree(to), proof.slice(0, -1))).toBe(false);
        if (from < to) expect(isConsistent(tree(to), tree(from), proof)).toBe(false);
      }
    }
  });

  test("a log with removed or changed leaves is not consistent with its earlier state", async () => {
    const rewritten = [...entries(20).slice(0, 7), entry(99), ...entries(40).slice(8)];
    const nodes = appendLeaves(EMPTY_LOG, rewritten).nodes;
    const read = (places: readonly Place[]) =>
      places.map((place) => (nodes.find((node: Node) => keyOf(node) === keyOf(place)) as Node).hash);
    const proof = await consistencyProof(20, 40, read);
    expect(isConsistent({ tree_size: 20, root: naiveRoot(entries(20)) }, { tree_size: 40, root: naiveRoot(rewritten) }, proof)).toBe(false);
  });

  test("holds over any three sizes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(sizes, sizes), async ([a, b]) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const proof = await consistencyProof(from, to, stored(to).read);
        const tree = (tree_size: number) => ({ tree_size, root: rootOf(stored(tree_size).frontier) });
        expect(isConsistent(tree(from), tree(to), proof)).toBe(true);
      }),
      { numRuns: tries(60) },
    );
  });
});

describe("a checkpoint", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const spki = publicKey.export({ type: "spki", format: "der" });
  const checkpoint: Checkpoint = {
    type: "countersign/checkpoint/1",
    log_id: "log_a",
    tree_size: 3,
    root: naiveRoot(entries(3)),
    at: "2026-01-02T03:04:05.678Z",
    key_id: keyIdOf(spki),
  };

  test("is signed as canonical bytes and parsed from nothing else", () => {
    const signed = signRecord(checkpoint, privateKey);
    expect(Buffer.from(signed.bytes).toString()).toBe(canonicalize(checkpoint));
    expect(signed.signature).toHaveLength(64);
    expect(isSigned(signed, spki)).toBe(true);
    expect(readCheckpoint(signed.bytes)).toEqual(checkpoint);
    expect(readCheckpoint(Buffer.from(JSON.stringify(checkpoint)))).toBeNull();
    expect(readCheckpoint(Buffer.from(canonicalize({ ...checkpoint, more: 1 })))).toBeNull();
    expect(readCheckpoint(Buffer.from(canonicalize({ ...checkpoint, tree_size: 0 })))).toBeNull();
    expect(readCheckpoint(Buffer.from("[]"))).toBeNull();
    expect(readCheckpoint(Buffer.from([0xff]))).toBeNull();
  });

  test("is rejected if any bit of it or of its signature changes", () => {
    const { bytes, signature } = signRecord(checkpoint, privateKey);
    for (let bit = 0; bit < 512; bit++) expect(isSigned({ bytes, signature: bitFlipped(signature, bit) }, spki)).toBe(false);
    for (let bit = 0; bit < bytes.length * 8; bit += 7) expect(isSigned({ bytes: bitFlipped(bytes, bit), signature }, spki)).toBe(false);
    expect(isSigned({ bytes, signature: signature.subarray(1) }, spki)).toBe(false);
  });
});

function bitFlipped(bytes: Uint8Array, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

const flipped = (hash: string, bit: number): string => bitFlipped(Buffer.from(hash, "hex"), bit % 256).toString("hex");
