import { readFileSync } from "node:fs";

/**
 * Words, names and passwords that many people use, as sorted 32-bit hashes (`server/data/common-words.bin`, little-endian). A text that is
 * none of them is taken for one with a probability of about 1 in 20,000, which costs it a few bits.
 */

const FILE = new URL("../../data/common-words.bin", import.meta.url);

export const MIN_WORD = 3;
export const MAX_WORD = 32;

/** Lower case, without accents. Every character stays one character, so that positions stay the same. */
export function folded(characters: readonly string[]): string[] {
  return characters.map((character) => {
    const [first = character] = [...character.toLowerCase().normalize("NFD")];
    return first;
  });
}

/** FNV-1a, one character at a time, so that a longer text costs one step. */
export const START = 0x811c9dc5;
export const addTo = (hash: number, character: string): number => Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;

/** Mixes the bits, because similar texts have similar FNV hashes. */
export function finish(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

export const hashOfWord = (word: string): number => finish(folded([...word.normalize("NFC")]).reduce(addTo, START));

let loaded: Uint32Array | undefined;

/** Read with the first use: the thread that checks passwords is the only one that needs 0.9 MB of them. */
function all(): Uint32Array {
  if (loaded === undefined) {
    const bytes = readFileSync(FILE);
    loaded = Uint32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32LE(index * 4));
  }
  return loaded;
}

export function isCommonWord(hash: number): boolean {
  const hashes = all();
  let [low, high] = [0, hashes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hashes[middle] ?? 0) < hash) low = middle + 1;
    else high = middle;
  }
  return hashes[low] === hash;
}
