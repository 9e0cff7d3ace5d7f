import type { Stats } from "node:fs";
import { chmod, lstat, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

/** Returns null if the file does not exist, and rethrows every other error. */
export async function ifExists<T>(pending: Promise<T>): Promise<T | null> {
  try {
    return await pending;
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ESRCH")) return null; // ESRCH: a file in /proc whose process ended during the read
    throw error;
  }
}

export const lookUpStat = (path: string): Promise<Stats | null> => ifExists(stat(path));
export const lookUpText = (path: string): Promise<string | null> => ifExists(readFile(path, "utf8"));

/** Syncs a folder, so that a rename or link in it survives a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A folder that only we can write to, because its files are run as programs or used as PostgreSQL's data. */
export async function ensureTrustedFolder(path: string, mode: number): Promise<void> {
  if ((await mkdir(path, { recursive: true })) !== undefined) await chmod(path, mode); // the umask may have closed it to PostgreSQL's account
  await refuseUntrusted(path);
}

export async function refuseUntrusted(path: string): Promise<void> {
  const found = await lstat(path);
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0) return;
  throw new Error(
    `${path} must be a folder that belongs to uid ${process.getuid?.()} and that no one else may write to, but it is not. ` +
      "Find out who created it. If it is not needed, remove it and start again.",
  );
}

/** Lets `fill` work in a draft folder next to `path`, so that `path` itself never exists half-finished. */
export async function withDraft(path: string, fill: (draft: string) => Promise<void>): Promise<void> {
  const draft = await mkdtemp(`${path}.draft-`);
  try {
    await fill(draft);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

// Creating a draft takes seconds, so one this old was left by a crash. A shorter limit could remove a draft on a slow disk too early.
const ABANDONED_AFTER_MINUTES = 60;

/** Removes drafts of `path` that a crash left behind. */
export async function removeAbandonedDrafts(path: string): Promise<void> {
  const oldest = Date.now() - ABANDONED_AFTER_MINUTES * 60_000;
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(`${basename(path)}.draft-`)) continue;
    const draft = join(dirname(path), name);
    const found = await lookUpStat(draft);
    if (found !== null && found.mtimeMs < oldest) await rm(draft, { recursive: true, force: true });
  }
}

/** Moves a finished folder to its place. If another process was faster, its folder stays and nothing happens. */
export async function maybeRename(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
    await syncFolder(dirname(to));
  } catch (error) {
    if (!hasCode(error, "ENOTEMPTY", "EEXIST")) throw error;
  }
}
