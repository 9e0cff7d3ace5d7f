import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  consistencyProof,
  cosign,
  hashOfRange,
  hashOverTile,
  isConsistent,
  type Note,
  type NoteKey,
  nodesFromTiles,
  readNote,
  readTile,
  readTreeHead,
  TILE_WIDTH,
  type Tile,
  type TreeHead,
  tilePath,
  tilesOf,
  tileWidth,
  writeTile,
} from "@countersign/evidence";
import { lookUpTile, tilesIn } from "../tile-folder.ts";
import { cosignedNote, isByLog, type Witness } from "./cosign-checkpoint.ts";
import { replaceFile } from "./witness-state.ts";

/** Returns the bytes at an address, or throws with a sentence that says why there are none. */
export type Fetch = (url: string, max_bytes: number) => Promise<Buffer>;

export type Polled =
  | { readonly kind: "cosigned" | "unchanged" | "older"; readonly tree_size: number }
  | { readonly kind: "fork"; readonly tree_size: number; readonly says: string }
  | { readonly kind: "failed"; readonly says: string };

class PollFailed extends Error {}

const MAX_NOTE_BYTES = 1_000_000;
const MAX_TILE_BYTES = 8_192;

/**
 * Fetches the log's checkpoint and every tile that is not in `out` yet, verifies that the tiles make the root of the checkpoint and that the
 * checkpoint extends the one of the last time, and writes the cosigned note. A checkpoint that contradicts an earlier one is kept as
 * evidence and never cosigned.
 */
export async function pollOnce(witness: Witness, fetch: Fetch, url: string, out: string): Promise<Polled> {
  try {
    mkdirSync(out, { recursive: true });
    const bytes = await fetch(`${url}/checkpoint`, MAX_NOTE_BYTES);
    const { note, head, keys } = openCheckpoint(witness, bytes);
    const latest = witness.state.latest(head.origin);
    if (latest !== null && head.tree_size < latest.tree_size) return await older(out, head, latest, bytes);
    if (latest !== null && head.tree_size === latest.tree_size)
      return head.root === latest.root
        ? { kind: "unchanged", tree_size: head.tree_size }
        : fork(out, head, bytes, "has the size of the latest one that was cosigned, and another root");
    await mirrorTiles(fetch, url, out, head);
    const read = nodesFromTiles(head.tree_size, tilesIn(out));
    if (latest !== null && !isConsistent(latest, head, await consistencyProof(latest.tree_size, head.tree_size, read)))
      return fork(out, head, bytes, `does not extend checkpoint ${latest.tree_size}, which was cosigned`);
    const line = cosign(note.text, witness.own.key, witness.own.private_key, Math.floor(witness.now() / 1000));
    const cosigned = cosignedNote(note, keys, line);
    witness.state.save(head.origin, cosigned);
    replaceFile(out, join(out, `${head.tree_size}.note`), cosigned);
    return { kind: "cosigned", tree_size: head.tree_size };
  } catch (error) {
    if (error instanceof PollFailed) return { kind: "failed", says: error.message };
    throw error;
  }
}

function openCheckpoint({ logs }: Witness, bytes: Buffer): { note: Note; head: TreeHead; keys: NoteKey[] } {
  const note = readNote(bytes);
  const head = note === null ? null : readTreeHead(note.text);
  if (note === null || head === null || head.tree_size === 0) throw new PollFailed("the log did not answer with a checkpoint");
  const keys = logs.filter(({ name }) => name === head.origin);
  if (!isByLog(note, keys)) throw new PollFailed(`the checkpoint of ${head.origin} is not signed by a log that is witnessed here`);
  return { note, head, keys };
}

/** A cache may answer with an old checkpoint. It must still be the beginning of what was cosigned. */
async function older(out: string, head: TreeHead, latest: TreeHead, bytes: Buffer): Promise<Polled> {
  const root = await hashOfRange({ from: 0, to: head.tree_size }, nodesFromTiles(latest.tree_size, tilesIn(out)));
  if (root === head.root) return { kind: "older", tree_size: head.tree_size };
  return fork(out, head, bytes, `is not the beginning of checkpoint ${latest.tree_size}, which was cosigned`);
}

function fork(out: string, { tree_size, root }: TreeHead, bytes: Buffer, why: string): Polled {
  const file = `fork-${tree_size}-${root.slice(0, 16)}.note`;
  replaceFile(out, join(out, file), bytes);
  return { kind: "fork", tree_size, says: `checkpoint ${tree_size} ${why}; it is kept as ${file}` };
}

/** After this, `out` has all tiles of the tree, and they make its root. */
async function mirrorTiles(fetch: Fetch, url: string, out: string, { tree_size, root }: TreeHead): Promise<void> {
  const fetched: { readonly tile: Tile; readonly hashes: readonly string[] }[] = [];
  for (const tile of tilesOf(tree_size)) {
    if (lookUpTile(out, tile) !== null) continue;
    const path = tilePath(tile);
    const hashes = readTile(await fetch(`${url}/${path}`, MAX_TILE_BYTES), tile.width);
    if (hashes === null) throw new PollFailed(`${path} does not have ${tile.width} hashes`);
    fetched.push({ tile, hashes });
  }
  const fresh = new Map(fetched.map(({ tile, hashes }) => [tilePath(tile), hashes]));
  const stored = tilesIn(out);
  const either = async (tile: Tile) => fresh.get(tilePath(tile)) ?? stored(tile);
  // The hashes at the right edge make the root, and each new full tile makes a hash of the tile above it.
  if ((await hashOfRange({ from: 0, to: tree_size }, nodesFromTiles(tree_size, either))) !== root)
    throw new PollFailed(`the tiles do not make the root of checkpoint ${tree_size}`);
  for (const { tile, hashes } of fetched) {
    if (tile.width < TILE_WIDTH) continue;
    const above = { level: Number(tile.level) + 1, index: Math.floor(tile.index / TILE_WIDTH) };
    const parents = await either({ ...above, width: tileWidth(above, tree_size) });
    if (parents[tile.index % TILE_WIDTH] !== hashOverTile(hashes)) throw new PollFailed(`${tilePath(tile)} does not belong to the tree`);
  }
  for (const { tile, hashes } of fetched) {
    const path = join(out, tilePath(tile));
    mkdirSync(dirname(path), { recursive: true });
    replaceFile(dirname(path), path, writeTile(hashes));
  }
}
const FETCH_MS = 30_000;

/** Follows no redirect, because a log has one address. */
export const fetchHttp: Fetch = async (url, max_bytes) => {
  try {
    const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(FETCH_MS) });
    if (response.status !== 200) throw new PollFailed(`${url} answered ${response.status}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (bytes.length > max_bytes) throw new PollFailed(`${url} answered with more than ${max_bytes} bytes`);
    return bytes;
  } catch (cause) {
    if (cause instanceof PollFailed) throw cause;
    throw new PollFailed(`${url} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
};
