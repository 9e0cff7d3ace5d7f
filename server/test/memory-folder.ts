import { existsSync, statfsSync } from "node:fs";
import { chmod, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

// A few clusters of 60 MB at a time. A container often has 64 MB there, which the first of them would fill.
const NEEDED_BYTES = 1024 ** 3;
const IN_MEMORY = "/dev/shm";

/**
 * Where a test makes databases that it stops and removes again. A new cluster syncs a thousand files, and so does the recovery after a
 * kill; on a busy disk each takes many seconds, and no test here is about the disk.
 */
export function memoryFolder(): string {
  if (!existsSync(IN_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= NEEDED_BYTES ? IN_MEMORY : tmpdir();
}

/** A new folder there. As root the server runs as another user, who has to pass through. */
export async function newMemoryFolder(prefix: string): Promise<string> {
  const path = await realpath(await mkdtemp(join(memoryFolder(), prefix)));
  await chmod(path, 0o755);
  return path;
}
