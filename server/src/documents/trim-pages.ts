import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DAY_MS } from "../shared/durations.ts";
import { type PageCache, PLAIN } from "./page-cache.ts";

// A ceremony takes days at most. A picture that was not requested for a month is deleted, and drawn again if needed.
const KEPT_MS = 30 * DAY_MS;
// Room for what is drawn until the next time.
const TRIMMED_TO = 0.9;

interface Picture {
  readonly path: string;
  readonly size: number;
  readonly used_at: number;
}

/**
 * Removes pictures that were not requested for a month, those that are not encrypted if documents are, and, above the limit, those that were
 * not used for longest. Several processes can do this in one folder. Returns how many this one removed.
 */
export async function trimPages({ folder, keys, max_bytes, seen }: PageCache, now: number = Date.now()): Promise<number> {
  const isObsolete = ({ path, used_at }: Picture): boolean => now - used_at >= KEPT_MS || (keys.isOn && path.endsWith(`-${PLAIN}`));
  const pictures = await listPictures(folder);
  const obsolete = pictures.filter(isObsolete);
  const current = pictures.filter((one) => !isObsolete(one)).sort((a, b) => a.used_at - b.used_at);
  let bytes = current.reduce((sum, { size }) => sum + size, 0);
  const removed = [...obsolete];
  if (bytes > max_bytes) {
    for (const one of current) {
      if (bytes <= max_bytes * TRIMMED_TO) break;
      removed.push(one);
      bytes -= one.size;
    }
  }
  for (const { path } of removed) await rm(path, { force: true });
  seen.sized(bytes);
  return removed.length;
}

async function listPictures(folder: string): Promise<Picture[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(unlessMissing([]));
  const pictures: Picture[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // Another process may have removed it.
    const found = await stat(path).catch(unlessMissing(null));
    if (found !== null) pictures.push({ path, size: found.size, used_at: found.mtimeMs });
  }
  return pictures;
}

const unlessMissing =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === "ENOENT") return instead;
    throw error;
  };

const WARN_MS = 60_000;
const TURNS_BETWEEN_TRIMS = 10;

/** Keeps the cache of this machine small while the process runs, and says at most once a minute that it cannot be used. */
export function startTrimming(cache: PageCache, warn: (failure: { failures: number; last: unknown }) => void): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      if (turn % TURNS_BETWEEN_TRIMS === 0) await trimPages(cache).catch((error: unknown) => cache.seen.failed(error));
      const failure = cache.seen.takeFailure();
      if (failure !== null) warn(failure);
      await delay(WARN_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
