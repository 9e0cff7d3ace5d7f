import { constants } from "node:fs";
import { lstat, open, realpath, stat } from "node:fs/promises";
import { basename, isAbsolute, join, normalize, sep } from "node:path";
import { UsageError } from "./settings.ts";

/** The reason why a file is not read, for the agent. It says nothing about what is outside the folder. */
export class FileRefused extends Error {}

export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

// What the service accepts.
const MAX_BYTES = 52_428_800;

/** The folder as it is now, without links. Throws UsageError if it is not a folder. */
export async function findFolder(path: string): Promise<string> {
  try {
    const folder = await realpath(path);
    if ((await stat(folder)).isDirectory()) return folder;
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
  throw new UsageError(`--files must be a folder with the files that the agent may upload; ${path} is none`);
}

/**
 * Reads a file below the folder. `given` is relative to it. Neither `..` nor a link leads out: each part of the path is looked at, the last
 * one is opened without following it, and the file that was opened must be the one at that place.
 */
export async function readBelow(folder: string, given: string): Promise<NamedBytes> {
  const inside = normalize(given);
  if (given.includes("\0") || isAbsolute(given) || inside === "." || inside.split(/[\\/]/).includes(".."))
    throw new FileRefused(`The path must be that of a file below the folder of --files, such as contracts/lease.pdf; it is ${given}`);
  await refuseLinks(folder, inside.split(sep), given);
  const path = join(folder, inside);
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)).catch((error: unknown) => {
    throw refusalOf(error, given);
  });
  try {
    const opened = await file.stat();
    if (!opened.isFile()) throw new FileRefused(`${given} is not a file`);
    // A part of the path can have become a link after it was looked at.
    await refuseLinks(folder, inside.split(sep), given);
    const there = await lstat(path);
    if (there.ino !== opened.ino || there.dev !== opened.dev) throw linkRefused(given);
    if (opened.size > MAX_BYTES) throw new FileRefused(`${given} is larger than 50 MB`);
    return { name: basename(inside), bytes: await file.readFile() };
  } finally {
    await file.close();
  }
}

async function refuseLinks(folder: string, parts: readonly string[], given: string): Promise<void> {
  let path = folder;
  for (const part of parts) {
    path = join(path, part);
    const found = await lstat(path).catch((error: unknown) => {
      throw refusalOf(error, given);
    });
    if (found.isSymbolicLink()) throw linkRefused(given);
  }
}

const linkRefused = (given: string): FileRefused => new FileRefused(`${given} is a link, or is below one, and links are not followed`);

function refusalOf(error: unknown, given: string): unknown {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT" || code === "ENOTDIR") return new FileRefused(`There is no file ${given} below the folder of --files`);
  if (code === "ELOOP") return linkRefused(given);
  if (code === "EACCES" || code === "EPERM") return new FileRefused(`${given} cannot be read: its permissions do not allow it`);
  return error;
}
