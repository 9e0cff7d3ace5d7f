import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import fc from "../../testing/properties.ts";
import { appendLeaves, consistencyProof, EMPTY_LOG, inclusionProof, isConsistent, isIncluded, leafOf, rootOf } from "./log.ts";
import {
  hashOverTile,
  isTileOfEntries,
  nodesFromTiles,
  placesInTile,
  readEntriesTile,
  readTile,
  readTilePath,
  type Tile,
  tilePath,
  tilesOf,
  tileWidth,
  writeEntriesTile,
  writeTile,
} from "./tiles.ts";

const hashes = Array.from({ length: 1_100 }, (_, at) => createHash("sha256").update(String(at)).digest("hex"));
const stored = new Map(appendLeaves(EMPTY_LOG, hashes).nodes.map(({ level, index, hash }) => [`${level}/${index}`, hash]));
const roots: string[] = [];
hashes.reduce((before, hash) => {
  const { frontier } = appendLeaves(before, [hash]);
  roots[frontier.tree_size] = rootOf(frontier);
  return frontier;
}, EMPTY_LOG);
const hashesOfTile = (tile: Tile): string[] => placesInTile(tile).map(({ level, index }) => stored.get(`${level}/${index}`) ?? "none");
const treeOf = (tree_size: number) => ({ tree_size, root: roots[tree_size] ?? "none" });

test("paths are those of the format", () => {
  expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe("tile/0/x001/x234/067");
  expect(tilePath({ level: 63, index: 0, width: 1 })).toBe("tile/63/000.p/1");
  expect(tilePath({ level: "entries", index: 999, width: 255 })).toBe("tile/entries/999.p/255");
  expect(tilePath({ level: 1, index: 1_000, width: 256 })).toBe("tile/1/x001/000");
});

test("every tile has one path, which is read again", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.constant("entries" as const), fc.integer({ min: 0, max: 63 })),
      fc.maxSafeNat(),
      fc.integer({ min: 1, max: 256 }),
      (level, index, width) => {
        expect(readTilePath(tilePath({ level, index, width }))).toEqual({ level, index, width });
      },
    ),
  );
});

test.each([
  "tile/0/0",
  "tile/0/x000/000",
  "tile/00/000",
  "tile/64/000",
  "tile/-1/000",
  "tile/0/1234",
  "tile/0/001/x002",
  "tile/0/x001/x002",
  "tile/0/000.p/0",
  "tile/0/000.p/256",
  "tile/0/000.p/01",
  "tile/0/000.p/",
  "tile/0/000.p",
  "tile/0/000/",
  "tile/data/000",
  "/tile/0/000",
  "tile/0/x999/x999/x999/x999/x999/999",
])("%s names no tile", (path) => {
  expect(readTilePath(path)).toBeNull();
});

test("a tree of 70,000 leaves has the tiles that the format counts", () => {
  const tiles = tilesOf(70_000);
  const count = (level: number, isWhole: boolean) => tiles.filter((tile) => tile.level === level && (tile.width === 256) === isWhole);
  expect([count(0, true).length, count(1, true).length, count(2, true).length]).toEqual([273, 1, 0]);
  expect([0, 1, 2].map((level) => count(level, false).map(({ width }) => width))).toEqual([[112], [17], [1]]);
  expect(tilesOf(256)).toEqual([
    { level: 0, index: 0, width: 256 },
    { level: 1, index: 0, width: 1 },
  ]);
  expect([tilesOf(0), tilesOf(1)]).toEqual([[], [{ level: 0, index: 0, width: 1 }]]);
  expect([tileWidth({ level: "entries", index: 1 }, 300), tileWidth({ level: 1, index: 1 }, 300)]).toEqual([44, 0]);
});

test("a tile is its hashes, one after the other, and an entry has its length before it", () => {
  const some = hashes.slice(0, 3);
  expect(writeTile(some).toString("hex")).toBe(some.join(""));
  expect(readTile(writeTile(some), 3)).toEqual(some);
  expect([readTile(writeTile(some), 2), readTile(writeTile(some).subarray(1), 3)]).toEqual([null, null]);
  expect(writeEntriesTile(some).subarray(0, 2)).toEqual(Buffer.from([0, 32]));
  expect(readEntriesTile(writeEntriesTile(some), 3)).toEqual(some);
  expect(readEntriesTile(writeEntriesTile(some).fill(33, 1, 2), 3)).toBeNull();
  expect(readEntriesTile(writeEntriesTile(some), 4)).toBeNull();
  expect(isTileOfEntries(some, some.map(leafOf))).toBe(true);
  expect(isTileOfEntries(some, [...some].reverse().map(leafOf))).toBe(false);
});

test("the hashes of a full tile make one hash of the tile above", () => {
  const [above] = hashesOfTile({ level: 1, index: 0, width: 4 });
  expect(hashOverTile(hashesOfTile({ level: 0, index: 0, width: 256 }))).toBe(above);
});

test("every proof can be made from tiles alone", async () => {
  const fetched: string[] = [];
  const fetch = async (tile: Tile) => {
    fetched.push(tilePath(tile));
    return hashesOfTile(tile);
  };
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_100 }), fc.integer({ min: 1, max: 1_100 }), async (one, other) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      fetched.length = 0;
      const read = nodesFromTiles(to, fetch);
      expect(isConsistent(treeOf(from), treeOf(to), await consistencyProof(from, to, read))).toBe(true);
      expect(new Set(fetched).size).toBe(fetched.length);
      const known = new Set(tilesOf(to).map(tilePath));
      expect(fetched.filter((path) => !known.has(path))).toEqual([]);
      const index = from - 1;
      const proof = await inclusionProof(index, to, read);
      expect(isIncluded({ hash: hashes[index] ?? "", index, proof }, treeOf(to))).toBe(true);
    }),
    { numRuns: 25 },
  );
});
