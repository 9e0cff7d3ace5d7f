import { readFile } from "node:fs/promises";
import { Problem } from "../shared/problems.ts";

/** Reads a file of the build when it is requested; 404 if it was not built. */
export async function readBuilt(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") throw new Problem("not_found", "not built", { cause: error });
    throw error;
  }
}
