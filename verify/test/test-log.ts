// A log with its key, its notes and its tiles, for tests of witnesses.

import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import {
  appendLeaves,
  consistencyProof,
  EMPTY_LOG,
  type NoteKey,
  noteKeyOf,
  noteKeyTypes,
  type Place,
  placesInTile,
  rawKeyOf,
  readTilePath,
  rootOf,
  signatureLine,
  tileWidth,
  writeNote,
  writeTile,
  writeTreeHead,
} from "@countersign/evidence";

export type LogKeys = { readonly key: NoteKey; readonly private_key: KeyObject };

export function makeLogKeys(name = "sign.example.com/log/0123456789abcdef"): LogKeys {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  return {
    key: noteKeyOf(name, noteKeyTypes.ed25519, rawKeyOf(publicKey.export({ format: "der", type: "spki" }))),
    private_key: privateKey,
  };
}

export const hashFor = (text: string): string => createHash("sha256").update(text).digest("hex");

export const hashesOf = (count: number, name = "entry"): string[] => Array.from({ length: count }, (_, at) => hashFor(`${name} ${at}`));

/** A log with these entries, which signs with these keys. Two logs with the same keys are a fork. */
export function testLog({ key, private_key }: LogKeys, hashes: readonly string[]) {
  const { nodes } = appendLeaves(EMPTY_LOG, hashes);
  const stored = new Map(nodes.map(({ level, index, hash }) => [`${level}/${index}`, hash]));
  const read = (places: readonly Place[]) => places.map(({ level, index }) => stored.get(`${level}/${index}`) ?? "");
  const tree = (tree_size = hashes.length) => ({
    tree_size,
    root: rootOf(appendLeaves(EMPTY_LOG, hashes.slice(0, tree_size)).frontier),
  });
  const note = (tree_size = hashes.length): Buffer => {
    const text = writeTreeHead({ origin: key.name, ...tree(tree_size) });
    return writeNote(text, [signatureLine(key, sign(null, Buffer.from(text), private_key))]);
  };
  /** the body of a request to a witness */
  const request = async (old: number, tree_size = hashes.length, claimed = old): Promise<Buffer> => {
    const proof = old === 0 ? [] : await consistencyProof(old, tree_size, read);
    const lines = [`old ${claimed}`, ...proof.map((hash) => Buffer.from(hash, "hex").toString("base64"))];
    return Buffer.concat([Buffer.from(`${lines.join("\n")}\n\n`), note(tree_size)]);
  };
  /** what a server of this log answers for a path below its address; null for 404 */
  const serve = (path: string): Buffer | null => {
    if (path === "checkpoint") return note();
    const tile = readTilePath(path);
    if (tile === null || tile.level === "entries" || tileWidth(tile, hashes.length) < tile.width) return null;
    return writeTile(read(placesInTile(tile)));
  };
  return { hashes, read, tree, note, request, serve };
}

export type TestLog = ReturnType<typeof testLog>;
