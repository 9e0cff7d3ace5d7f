import { existsSync, statfsSync } from "node:fs";
import { chmod, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Enough for the databases and files of a whole run, and for a few clusters of 60 MB at a time. A container often has only 64 MB, which the
// first one would fill.
const NEEDED_BYTES = 2 * 1024 ** 3;
const IN_MEMORY = "/dev/shm";

/**
 * The folder for databases and files that the tests remove again, in memory if possible. A new cluster syncs a thousand files, and so does
 * the recovery after a kill; every stored document is synced too. On a busy disk, that takes many seconds, and no test that uses this folder
 * is about the disk.
 */
export function memoryFolder(): string {
  if (!existsSync(IN_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= NEEDED_BYTES ? IN_MEMORY : tmpdir();
}

/** Creates a folder there. If the tests run as root, the server runs as another user, who needs access to it. */
export async function newMemoryFolder(prefix: string): Promise<string> {
  const path = await realpath(await mkdtemp(join(memoryFolder(), prefix)));
  await chmod(path, 0o755);
  return path;
}
