import { sign } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  addConsistency,
  addInclusion,
  appendLeaves,
  completeView,
  consistencyProof,
  EMPTY_LOG,
  emptyView,
  frontierPlaces,
  inclusionProof,
  type Place,
  placesInTile,
  rootOf,
  signatureLine,
  writeNote,
  writeTreeHead,
} from "@countersign/evidence";
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryFolder } from "../../../testing/memory-folder.ts";
import { hashesOf, makeLogKeys } from "../../test/test-log.ts";
import { compareSides } from "../compare/compare-sides.ts";
import type { Side } from "../compare/read-side.ts";
import { cosignCheckpoint, type Witness } from "./cosign-checkpoint.ts";
import { openWitnessKey } from "./witness-key.ts";
import { openWitnessState } from "./witness-state.ts";

const FORKS = 1_000;
const MAX_SNAPSHOT = 1_800;
const MAX_GROWTH = 500;
const PROVED_ENTRIES = 12;
const SEED = 20_261_117;

const keys = makeLogKeys();
const hashes = hashesOf(MAX_SNAPSHOT);
const nodes = new Map(appendLeaves(EMPTY_LOG, hashes).nodes.map(({ level, index, hash }) => [`${level}/${index}`, hash]));

/** Whole numbers from 0 to below `limit`, the same in every run (mulberry32). */
function numbersFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** A log that continues a snapshot of the common one in its own way. */
function branchOf(snapshot: number, growth: number, name: string) {
  const own = hashesOf(growth, name);
  const readCommon = (places: readonly Place[]) => places.map(({ level, index }) => nodes.get(`${level}/${index}`) ?? "none");
  const before = { tree_size: snapshot, subtrees: readCommon(frontierPlaces(snapshot)) };
  const added = new Map(appendLeaves(before, own).nodes.map(({ level, index, hash }) => [`${level}/${index}`, hash]));
  const read = (places: readonly Place[]) =>
    places.map(({ level, index }) => added.get(`${level}/${index}`) ?? nodes.get(`${level}/${index}`) ?? "none");
  const tree = (tree_size: number) => ({ tree_size, root: rootOf({ subtrees: read(frontierPlaces(tree_size)) }) });
  const hashAt = (index: number) => (index < snapshot ? hashes[index] : own[index - snapshot]) ?? "none";
  const request = async (old: number, tree_size: number, claimed = old): Promise<Buffer> => {
    const proof = old === 0 || old > tree_size ? [] : await consistencyProof(old, tree_size, read);
    const text = writeTreeHead({ origin: keys.key.name, ...tree(tree_size) });
    const note = writeNote(text, [signatureLine(keys.key, sign(null, Buffer.from(text), keys.private_key))]);
    const lines = [`old ${claimed}`, ...proof.map((hash) => Buffer.from(hash, "hex").toString("base64"))];
    return Buffer.concat([Buffer.from(`${lines.join("\n")}\n\n`), note]);
  };
  return { size: snapshot + growth, read, tree, hashAt, request };
}

type Branch = ReturnType<typeof branchOf>;

/** What a bundle of this branch shows: two checkpoints and twelve entries, all after the fork. */
async function sideOf(branch: Branch, snapshot: number, pick: (limit: number) => number): Promise<Side> {
  const vaulted = snapshot + 1 + pick(branch.size - snapshot);
  const [earlier, later] = [branch.tree(vaulted), branch.tree(branch.size)];
  const view = emptyView();
  addConsistency(view, earlier, later, await consistencyProof(vaulted, branch.size, branch.read));
  for (let n = 0; n < PROVED_ENTRIES; n += 1) {
    const index = snapshot + pick(branch.size - snapshot);
    const proof = await inclusionProof(index, branch.size, branch.read);
    addInclusion(view, { hash: branch.hashAt(index), index, proof }, later);
  }
  completeView(view);
  return {
    path: "a bundle",
    log_id: "log",
    origin: keys.key.name,
    root_sha256: "root",
    trees: [earlier, later],
    view,
    chain: null,
    earlier: [],
  };
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(memoryFolder(), "countersign-forks-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test(`a witness refuses ${FORKS} live forks, and tiles expose all of them`, { timeout: 1_200_000 }, async () => {
  const pick = numbersFrom(SEED);
  const own = openWitnessKey(join(folder, "key"), "witness.example/w1");
  const counts = { cosigned: 0, refused: 0, byBundles: 0, byTiles: 0 };
  for (let fork = 0; fork < FORKS; fork += 1) {
    const snapshot = 1 + pick(MAX_SNAPSHOT);
    const [shown, hidden] = ["shown", "hidden"].map((name) => branchOf(snapshot, 1 + pick(MAX_GROWTH), `${name} ${fork}`)) as [
      Branch,
      Branch,
    ];
    const state = openWitnessState(join(folder, `state-${fork}`));
    const witness: Witness = { own, logs: [keys.key], state, now: () => 1_800_000_000_000 };
    // The witness sees the snapshot, and then one of the two histories.
    expect(cosignCheckpoint(witness, await shown.request(0, snapshot)).status).toBe(200);
    expect(cosignCheckpoint(witness, await shown.request(snapshot, shown.size)).status).toBe(200);
    counts.cosigned += 1;
    // The other history, with every proof that its log can make.
    const attempts = [
      await hidden.request(0, hidden.size),
      await hidden.request(snapshot, hidden.size),
      await hidden.request(Math.min(shown.size, hidden.size), hidden.size, shown.size),
      await hidden.request(snapshot, hidden.size, shown.size),
      await hidden.request(hidden.size, hidden.size, shown.size),
    ];
    const answers = attempts.map((body) => cosignCheckpoint(witness, body).status);
    if (answers.every((status) => [400, 409, 422].includes(status))) counts.refused += 1;
    // And the witness still follows the history that it knows.
    expect(cosignCheckpoint(witness, await shown.request(shown.size, shown.size)).status).toBe(200);
    state.close();
    rmSync(join(folder, `state-${fork}`), { recursive: true });

    const [one, other] = [await sideOf(shown, snapshot, pick), await sideOf(hidden, snapshot, pick)];
    if ((await compareSides(one, other, null)).contradiction !== null) counts.byBundles += 1;
    const larger = shown.size >= hidden.size ? shown : hidden;
    const tiles = async (tile: Parameters<typeof placesInTile>[0]) => larger.read(placesInTile(tile));
    const bare = (side: Side): Side => ({ ...side, view: new Map([...side.view].filter(([, { from }]) => from === 0)) });
    if ((await compareSides(bare(one), bare(other), tiles)).contradiction !== null) counts.byTiles += 1;
  }
  process.stdout.write(`live forks, seed ${SEED}: ${JSON.stringify(counts)} of ${FORKS}\n`);
  expect(counts).toMatchObject({ cosigned: FORKS, refused: FORKS, byTiles: FORKS });
  // Two bundles alone expose most, not all, which is why there are witnesses. With this seed they expose 962.
  expect(counts.byBundles).toBeGreaterThan(FORKS / 2);
});
