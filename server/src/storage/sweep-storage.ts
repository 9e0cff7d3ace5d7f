import { DAY_MS, HOUR_MS } from "../shared/durations.ts";
import type { OrgId } from "../shared/ids.ts";
import { SHARED_PARTS, type SharedFiles, StoreUnavailable } from "./blob-store.ts";
import { deleteOrphan, findOrphans } from "./store.ts";
import type { StorageDeps } from "./store-blob.ts";

export interface Swept {
  readonly blobs: number;
  readonly stale_puts: number;
  /** files that are made from blobs */
  readonly shared: number;
  /** why the sweep stopped early; the next run continues */
  readonly away: StoreUnavailable | null;
}

/** Removes blobs that were stored but never referenced, temporary files of interrupted puts, and old files that were made from blobs. */
export async function sweepStorage(deps: StorageDeps, now: number = Date.now()): Promise<Swept> {
  const orphans = await deps.db.system(findOrphans);
  let [blobs, stale_puts, shared] = [0, 0, 0];
  try {
    for (const { org_id, sha256 } of orphans) if (await removeOrphan(deps, org_id, sha256)) blobs++;
    stale_puts = await deps.blobs.removeStalePuts();
    if (deps.blobs.shared !== null) shared = await removeOldShared(deps.blobs.shared, now);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return { blobs, stale_puts, shared, away: error };
  }
  return { blobs, stale_puts, shared, away: null };
}

// A ceremony takes days at most.
const SHARED_KEPT_MS = 30 * DAY_MS;
const HOURS_A_DAY = 24;

/** Each part once a day, because looking through a large store takes long. */
async function removeOldShared(shared: SharedFiles, now: number): Promise<number> {
  const hour = Math.floor(now / HOUR_MS) % HOURS_A_DAY;
  let removed = 0;
  for (let part = hour; part < SHARED_PARTS; part += HOURS_A_DAY) removed += await shared.removeOlder(part, new Date(now - SHARED_KEPT_MS));
  return removed;
}

/**
 * Deletes the row first, which fails if another row references the blob after all, and then the bytes. The lock on the row makes a put
 * of the same bytes wait for the commit and then store them again. After an interruption the row is restored, and the next run
 * removes it again.
 */
function removeOrphan(deps: StorageDeps, org: OrgId, sha256: string): Promise<boolean> {
  return deps.db.tx(org, async (tx) => {
    if (!(await deleteOrphan(tx, org, sha256))) return false;
    await deps.blobs.remove(org, sha256);
    return true;
  });
}
