import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type FetchTile, readTile, TILE_WIDTH, type Tile, tilePath } from "@countersign/evidence";

/** A tile is missing or has another length than its path says. */
export class BadTile extends Error {
  override readonly name = "BadTile";
}

/** Reads tiles from a folder in which their paths are those of the log. A full tile also serves as any partial one. */
export function tilesIn(folder: string): FetchTile {
  return async (tile) => {
    const hashes = lookUpTile(folder, tile);
    if (hashes === null) throw new BadTile(`${tilePath(tile)} is not in ${folder}`);
    return hashes;
  };
}

/** Null if neither this tile nor the full one is there. */
export function lookUpTile(folder: string, tile: Tile): string[] | null {
  for (const width of new Set([tile.width, TILE_WIDTH])) {
    const path = join(folder, tilePath({ ...tile, width }));
    const bytes = readIfThere(path);
    if (bytes === null) continue;
    const hashes = readTile(bytes, width);
    if (hashes === null) throw new BadTile(`${path} has ${bytes.length} bytes, not ${width} hashes`);
    return hashes.slice(0, tile.width);
  }
  return null;
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    // ENOTDIR: part of the path is a file.
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}
