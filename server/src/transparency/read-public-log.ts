import { placesInTile, readTilePath, type Tile, tileWidth, writeEntriesTile, writeTile } from "@countersign/evidence";
import type { Read } from "../db/sql.ts";
import type { PublicFile } from "../http/add-public-files.ts";
import { LogFault } from "./checkpoint.ts";
import { listCosignatures, lookUpLatestNote } from "./note-store.ts";
import { readPlaces } from "./store.ts";
import { storedNodes } from "./tree.ts";

// A monitor that follows the log needs the latest state.
const CHECKPOINT_CACHE = "public, max-age=5";
const TILE_CACHE = "public, max-age=31536000, immutable";

// More cosignatures of one checkpoint than this are not needed by anyone.
const MAX_COSIGNATURES = 32;

/** What is at this path below `/log/` (C2SP tlog-tiles); null if there is nothing, which includes everything after the last checkpoint. */
export async function readPublicLog(read: Read, path: string): Promise<PublicFile | null> {
  const tile = path === "checkpoint" ? null : readTilePath(path);
  if (path !== "checkpoint" && tile === null) return null;
  const latest = await lookUpLatestNote(read);
  if (latest === null) return null;
  if (tile === null) {
    const cosigned = await listCosignatures(read, latest.tree_size, MAX_COSIGNATURES);
    const lines = [...new Set(cosigned.filter(({ valid }) => valid).map(({ line }) => `${line}\n`))];
    return { type: "text/plain; charset=utf-8", bytes: Buffer.concat([latest.note, Buffer.from(lines.join(""))]), cache: CHECKPOINT_CACHE };
  }
  if (tileWidth(tile, latest.tree_size) < tile.width) return null;
  return { type: "application/octet-stream", bytes: await tileBytes(read, tile), cache: TILE_CACHE };
}

async function tileBytes(read: Read, tile: Tile): Promise<Buffer> {
  const places = placesInTile(tile);
  if (tile.level !== "entries") return writeTile(await storedNodes(read)(places));
  const hashes = await readPlaces(read, places);
  const missing = hashes.indexOf(null);
  if (missing >= 0) throw new LogFault(`leaf ${places[missing]?.index} is missing`);
  return writeEntriesTile(hashes.map((hash) => hash ?? ""));
}
