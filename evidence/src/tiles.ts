// The log as static files (C2SP tlog-tiles). A tile has the roots of up to 256 neighbouring subtrees of one height; the tiles of level L have
// those of height 8·L, so level 0 has the leaves. A tile with fewer than 256 hashes is partial, and its path says how many it has. A tile of
// entries has what was hashed into the leaves: of this log, the 32-byte hashes of audit entries.

import { leafOf, nodeOf, type Place, type ReadNodes } from "./log.ts";

export const TILE_WIDTH = 256;
const TILE_HEIGHT = 8;
const HASH_BYTES = 32;
const MAX_LEVEL = 63;

export type Tile = {
  /** "entries" belongs to level 0 */
  readonly level: number | "entries";
  /** counts the tiles of a level from the left */
  readonly index: number;
  /** 1 to 256 */
  readonly width: number;
};

/**
 * The path of a tile below the address of the log.
 * @example tilePath({ level: 0, index: 1234067, width: 256 }) // "tile/0/x001/x234/067"
 */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index).padStart(3 * Math.ceil(String(index).length / 3), "0");
  const [last = "", ...before] = (digits.match(/.../g) ?? []).reverse();
  const parts = [...before.reverse().map((part) => `x${part}`), last];
  return `tile/${level}/${parts.join("/")}${width === TILE_WIDTH ? "" : `.p/${width}`}`;
}

/** The tile that a path names; null for a path of another form. Each tile has exactly one path. */
export function readTilePath(path: string): Tile | null {
  const [, level = "", places = "", width = "256"] =
    /^tile\/(entries|0|[1-9][0-9]?)\/((?:x[0-9]{3}\/)*[0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/.exec(path) ?? [];
  const tile: Tile = {
    level: level === "entries" ? level : Number(level),
    index: Number(places.replaceAll(/[x/]/g, "")),
    width: Number(width),
  };
  if (level === "" || !Number.isSafeInteger(tile.index) || Number(level) > MAX_LEVEL) return null;
  // Also refuses a width of 256 or more after `.p/` and an index with more digits than it needs.
  return tilePath(tile) === path ? tile : null;
}

const heightOf = ({ level }: Pick<Tile, "level">): number => (level === "entries" ? 0 : level * TILE_HEIGHT);

/** How many hashes the tile at this position has in a tree of this size; 0 if the tree has no such tile. */
export function tileWidth({ level, index }: Pick<Tile, "level" | "index">, tree_size: number): number {
  const hashes = Math.floor(tree_size / 2 ** heightOf({ level })) - index * TILE_WIDTH;
  return Math.max(0, Math.min(TILE_WIDTH, hashes));
}

/** All tiles of a tree except those of entries, level by level. */
export function tilesOf(tree_size: number): Tile[] {
  const tiles: Tile[] = [];
  for (let level = 0; tree_size >= 2 ** (level * TILE_HEIGHT); level += 1) {
    for (let index = 0; tileWidth({ level, index }, tree_size) > 0; index += 1) {
      tiles.push({ level, index, width: tileWidth({ level, index }, tree_size) });
    }
  }
  return tiles;
}

/** The positions of the subtrees whose hashes a tile has. For a tile of entries: the leaves. */
export function placesInTile({ level, index, width }: Tile): Place[] {
  return Array.from({ length: width }, (_, at) => ({ level: heightOf({ level }), index: index * TILE_WIDTH + at }));
}

export const writeTile = (hashes: readonly string[]): Buffer => Buffer.from(hashes.join(""), "hex");

/** Null unless the tile has exactly `width` hashes. */
export function readTile(bytes: Uint8Array, width: number): string[] | null {
  const hex = Buffer.from(bytes).toString("hex");
  return bytes.length === width * HASH_BYTES ? (hex.match(/.{64}/g) ?? []) : null;
}

/** Each entry with its length before it, in two bytes. */
export const writeEntriesTile = (hashes: readonly string[]): Buffer => Buffer.from(hashes.map((hash) => `0020${hash}`).join(""), "hex");

/** The hashes of the audit entries; null unless there are exactly `width` of 32 bytes. */
export function readEntriesTile(bytes: Uint8Array, width: number): string[] | null {
  const parts = Buffer.from(bytes).toString("hex").match(/.{68}/g) ?? [];
  const isWhole = bytes.length === width * (HASH_BYTES + 2) && parts.every((part) => part.startsWith("0020"));
  return isWhole ? parts.map((part) => part.slice(4)) : null;
}

/** The hash of a full subtree that a tile's hashes make. */
export const hashOverTile = (hashes: readonly string[]): string => {
  let row = hashes;
  while (row.length > 1) row = Array.from({ length: row.length / 2 }, (_, at) => nodeOf(row[2 * at] ?? "", row[2 * at + 1] ?? ""));
  return row[0] ?? "";
};

/** MUST return the hashes of a tile that exists in the tree. */
export type FetchTile = (tile: Tile) => Promise<readonly string[]>;

/** Reads subtrees of a tree of this size from its tiles, each tile once per call. What is read is not yet verified. */
export function nodesFromTiles(tree_size: number, fetch: FetchTile): ReadNodes {
  return async (places) => {
    const fetched = new Map<string, Promise<readonly string[]>>();
    const fetchOnce = (tile: Tile): Promise<readonly string[]> => {
      const path = tilePath(tile);
      const found = fetched.get(path) ?? fetch(tile);
      fetched.set(path, found);
      return found;
    };
    return Promise.all(
      places.map(async (place) => {
        const level = Math.floor(place.level / TILE_HEIGHT);
        // The subtree is made of this many hashes of the tile.
        const count = 2 ** (place.level - level * TILE_HEIGHT);
        const first = place.index * count;
        const index = Math.floor(first / TILE_WIDTH);
        const hashes = await fetchOnce({ level, index, width: tileWidth({ level, index }, tree_size) });
        return hashOverTile(hashes.slice(first - index * TILE_WIDTH, first - index * TILE_WIDTH + count));
      }),
    );
  };
}

/** Whether the entries of a tile are those whose leaves a tile of level 0 has. */
export const isTileOfEntries = (entries: readonly string[], leaves: readonly string[]): boolean =>
  entries.length === leaves.length && entries.every((hash, at) => leafOf(hash) === leaves[at]);
