import type { OrgId } from "../shared/ids.ts";
import { StoreAway } from "./blob-store.ts";
import { deleteOrphan, findOrphans } from "./store.ts";
import type { StorageDeps } from "./store-blob.ts";

export interface Swept {
  readonly blobs: number;
  readonly stale_puts: number;
  /** why it stopped early; the next run takes the rest */
  readonly away: StoreAway | null;
}

/** Removes what was stored and never named, and what cut-off puts left behind. */
export async function sweepStorage(deps: StorageDeps): Promise<Swept> {
  const orphans = await deps.db.system(findOrphans);
  let [blobs, stale_puts] = [0, 0];
  try {
    for (const { org_id, sha256 } of orphans) if (await removeOrphan(deps, org_id, sha256)) blobs++;
    stale_puts = await deps.blobs.removeStalePuts();
  } catch (error) {
    if (!(error instanceof StoreAway)) throw error;
    return { blobs, stale_puts, away: error };
  }
  return { blobs, stale_puts, away: null };
}

/**
 * The row first, which fails if another names the blob after all; then the bytes, while the row's lock makes a put of the same
 * ones wait for the commit and put them afresh. Cut off in between, the row comes back and the next run does it again.
 */
function removeOrphan(deps: StorageDeps, org: OrgId, sha256: string): Promise<boolean> {
  return deps.db.tx(org, async (tx) => {
    if (!(await deleteOrphan(tx, org, sha256))) return false;
    await deps.blobs.remove(org, sha256);
    return true;
  });
}
