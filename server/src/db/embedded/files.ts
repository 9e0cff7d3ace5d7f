import type { Stats } from "node:fs";
import { chmod, lstat, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

/** Turns "there is no such file" into null and lets every other failure through. */
export async function ifExists<T>(pending: Promise<T>): Promise<T | null> {
  try {
    return await pending;
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ESRCH")) return null; // ESRCH: a file of /proc whose process ended while it was read
    throw error;
  }
}

export const lookUpStat = (path: string): Promise<Stats | null> => ifExists(stat(path));
export const lookUpText = (path: string): Promise<string | null> => ifExists(readFile(path, "utf8"));

/** Writes the names in a folder to disk, so that a rename or a link made there survives a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A folder that only we can write to: what lies in it is run as a program, or handed to PostgreSQL as its data. */
export async function ensureTrustedFolder(path: string, mode: number): Promise<void> {
  if ((await mkdir(path, { recursive: true })) !== undefined) await chmod(path, mode); // the umask may have hidden it from PostgreSQL's account
  await refuseUntrusted(path);
}

export async function refuseUntrusted(path: string): Promise<void> {
  const found = await lstat(path);
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0) return;
  throw new Error(
    `${path} must be a folder that belongs to uid ${process.getuid?.()} and that nobody else may write to, but it is not. ` +
      "Find out who created it. If it is not needed, remove it and start again.",
  );
}

/** Lets `fill` build something in a folder beside `path`, so that `path` itself never exists half-made. */
export async function withDraft(path: string, fill: (draft: string) => Promise<void>): Promise<void> {
  const draft = await mkdtemp(`${path}.draft-`);
  try {
    await fill(draft);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

// Making a draft takes seconds; one this old was left by a crash. Shorter, and a slow disk loses a draft that is still being made.
const ABANDONED_AFTER_MINUTES = 60;

/** Removes what a crash left of earlier drafts of `path`. */
export async function removeAbandonedDrafts(path: string): Promise<void> {
  const oldest = Date.now() - ABANDONED_AFTER_MINUTES * 60_000;
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(`${basename(path)}.draft-`)) continue;
    const draft = join(dirname(path), name);
    const found = await lookUpStat(draft);
    if (found !== null && found.mtimeMs < oldest) await rm(draft, { recursive: true, force: true });
  }
}

/** Puts a finished folder in its place; when another process was faster, its folder stays and nothing happens. */
export async function maybeRename(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
    await syncFolder(dirname(to));
  } catch (error) {
    if (!hasCode(error, "ENOTEMPTY", "EEXIST")) throw error;
  }
}
