import { statfs } from "node:fs/promises";

export interface Space {
  readonly free_bytes: number;
  readonly total_bytes: number;
}

/** Of the file system of the folder. */
export async function diskSpace(folder: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free_bytes: bavail * bsize, total_bytes: blocks * bsize };
}

const MB = 1_000_000;
// Several uploads of the largest size at once.
const FULL_BYTES = 200 * MB;
const FULL_SHARE = 0.01;
const LOW_BYTES = 1_000 * MB;

export type Fullness = "full" | "low" | "enough";

export function fullnessOf({ free_bytes, total_bytes }: Space): Fullness {
  if (free_bytes < FULL_BYTES || free_bytes < total_bytes * FULL_SHARE) return "full";
  return free_bytes < LOW_BYTES ? "low" : "enough";
}
