import { type Frontier, frontierPlaces, leafOf, type Place, type ReadNodes } from "@countersign/evidence";
import type { Read } from "../db/sql.ts";
import { LogFault } from "./checkpoint.ts";
import { readPlaces } from "./store.ts";

/** Reads the stored subtrees for proofs, any number in one statement. */
export function storedNodes(read: Read): ReadNodes {
  return async (places) => {
    const found = await readPlaces(read, places);
    return places.map((place, n) => hashAt(place, found[n] ?? null));
  };
}

/** Combines reads that are requested together: the proofs of a whole chain take one statement. */
export function combineReads(read: ReadNodes): ReadNodes {
  let waiting: Place[] = [];
  let answer: Promise<readonly string[]> | null = null;
  const ask = async (): Promise<readonly string[]> => {
    await null;
    const places = waiting;
    waiting = [];
    answer = null;
    return read(places);
  };
  return async (places) => {
    const from = waiting.length;
    waiting.push(...places);
    answer ??= ask();
    const found = await answer;
    return found.slice(from, from + places.length);
  };
}

function hashAt({ level, index }: Place, hash: string | null): string {
  if (hash === null) throw new LogFault(level === 0 ? `leaf ${index} is missing` : `node ${index} of level ${level} is missing`);
  return level === 0 ? leafOf(hash) : hash;
}

export async function readFrontier(read: Read, tree_size: number): Promise<Frontier> {
  return { tree_size, subtrees: await storedNodes(read)(frontierPlaces(tree_size)) };
}
