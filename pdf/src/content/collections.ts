// Adobe's character collections: which character a CID is. Files without ToUnicode say nothing else about their text. The tables are made
// by scripts/make-cmaps.mjs, and each is loaded when a document first needs it.

import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";

const collections = ["Japan1", "GB1", "CNS1", "Korea1", "KR"] as const;
export type Collection = (typeof collections)[number];

export const isCollection = (name: string): name is Collection => (collections as readonly string[]).includes(name);

// The same folder for the source and for the built file.
const FOLDER = new URL("../../cmaps/", import.meta.url);

/** One of our own tables; null if there is none of this name, which may come from a document. */
export function readTable(name: string): Uint8Array | null {
  if (!/^[\w.-]{1,40}$/.test(name)) return null;
  try {
    return brotliDecompressSync(readFileSync(new URL(`${name}.br`, FOLDER)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

type Texts = { readonly byCid: readonly string[]; cids: Map<string, number> | null };

const loaded = new Map<Collection, Texts>();

function textsOf(collection: Collection): Texts {
  let texts = loaded.get(collection);
  if (texts === undefined) {
    const table = readTable(`Adobe-${collection}.text`) ?? new Uint8Array();
    texts = { byCid: Buffer.from(table.buffer, table.byteOffset, table.length).toString("utf16le").split("\0"), cids: null };
    loaded.set(collection, texts);
  }
  return texts;
}

/** The characters of a CID; "" if the collection has none for it. */
export function textOfCid(collection: Collection, cid: number): string {
  return textsOf(collection).byCid[cid] ?? "";
}

// Half-width forms of Latin letters and kana, which have the same text as the full ones.
const JAPANESE_HALF_WIDTH = [231, 632] as const;

/** The first CID of a text; variants of a character have higher ones, or are half as wide. Undefined if there is none. */
export function cidOfText(collection: Collection, text: string): number | undefined {
  const texts = textsOf(collection);
  if (texts.cids === null) {
    const [low, high] = collection === "Japan1" ? JAPANESE_HALF_WIDTH : [0, -1];
    const cids = [...texts.byCid.keys()];
    texts.cids = new Map();
    for (const cid of [...cids.filter((each) => each < low || each > high), ...cids.slice(low, high + 1)]) {
      const each = texts.byCid[cid] as string;
      if (each !== "" && !texts.cids.has(each)) texts.cids.set(each, cid);
    }
  }
  return texts.cids.get(text);
}
