import type { OrgId } from "../shared/ids.ts";
import { BlobDamaged, BlobMissing, KeyChanged, StoreUnavailable } from "./blob-store.ts";
import { type BlobToEncrypt, beginEncryption, endEncryption, listBlobsToEncrypt, lockDestroyed, noteUnreadable } from "./store.ts";
import type { StorageDeps } from "./store-blob.ts";

export interface BlobsEncrypted {
  readonly encrypted: number;
  /** missing or damaged, and left as they are until they are restored */
  readonly unreadable: readonly BlobToEncrypt[];
  /** why the run stopped early; the next run continues */
  readonly away: StoreUnavailable | null;
}

// The job runs each minute, and a stop of the worker waits for it.
const RUN_MS = 30_000;
const BATCH = 100;

/**
 * Encrypts blobs that were stored as they are, while others read and store them. It can end at any moment: what is stored under the name is
 * replaced at once, its key is in the row before that, and readers accept both forms.
 */
export async function encryptBlobs(deps: StorageDeps, run_ms = RUN_MS): Promise<BlobsEncrypted> {
  const until = performance.now() + run_ms;
  const unreadable: BlobToEncrypt[] = [];
  let encrypted = 0;
  if (!deps.keys.isOn) return { encrypted, unreadable, away: null };
  try {
    for (;;) {
      const batch = await deps.db.system((tx) => listBlobsToEncrypt(tx, BATCH));
      for (const blob of batch) {
        if (await encryptOne(deps, blob)) encrypted += 1;
        else unreadable.push(blob);
        if (performance.now() >= until) return { encrypted, unreadable, away: null };
      }
      if (batch.length < BATCH) return { encrypted, unreadable, away: null };
    }
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return { encrypted, unreadable, away: error };
  }
}

async function encryptOne(deps: StorageDeps, { org_id: org, sha256 }: BlobToEncrypt): Promise<boolean> {
  const { db, blobs, keys } = deps;
  const bytes = await blobs.read(org, sha256).catch((error: unknown) => {
    if (error instanceof BlobMissing || error instanceof BlobDamaged) return null;
    throw error;
  });
  if (bytes === null) {
    await db.tx(org, (tx) => noteUnreadable(tx, org, sha256));
    return false;
  }
  const made = await keys.make(org, sha256);
  if (made === null) return true;
  await db.tx(org, (tx) => beginEncryption(tx, org, sha256, made));
  keys.forget(org, sha256);
  try {
    await blobs.put(org, bytes, { sha256, size: bytes.byteLength });
  } catch (error) {
    if (!(error instanceof KeyChanged)) throw error;
    await settleChange(deps, org, sha256, bytes);
    return true;
  }
  await db.tx(org, (tx) => endEncryption(tx, org, sha256));
  return true;
}

/** The record was destroyed meanwhile, so nothing may stay; or its bytes were then stored again under another key, which they now need. */
async function settleChange({ db, blobs }: StorageDeps, org: OrgId, sha256: string, bytes: Uint8Array): Promise<void> {
  const isDestroyed = await db.tx(org, async (tx) => {
    if (!(await lockDestroyed(tx, org, sha256))) return false;
    await blobs.remove(org, sha256);
    return true;
  });
  if (!isDestroyed) await blobs.put(org, bytes, { sha256, size: bytes.byteLength });
}
