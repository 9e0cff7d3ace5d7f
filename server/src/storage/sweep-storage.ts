import type { OrgId } from "../shared/ids.ts";
import { StoreUnavailable } from "./blob-store.ts";
import { deleteOrphan, findOrphans } from "./store.ts";
import type { StorageDeps } from "./store-blob.ts";

export interface Swept {
  readonly blobs: number;
  readonly stale_puts: number;
  /** why the sweep stopped early; the next run continues */
  readonly away: StoreUnavailable | null;
}

/** Removes blobs that were stored but never referenced, and temporary files of interrupted puts. */
export async function sweepStorage(deps: StorageDeps): Promise<Swept> {
  const orphans = await deps.db.system(findOrphans);
  let [blobs, stale_puts] = [0, 0];
  try {
    for (const { org_id, sha256 } of orphans) if (await removeOrphan(deps, org_id, sha256)) blobs++;
    stale_puts = await deps.blobs.removeStalePuts();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return { blobs, stale_puts, away: error };
  }
  return { blobs, stale_puts, away: null };
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
