import { DatabaseAway } from "../db/errors.ts";
import { CannotUnwrap } from "../secrets/kms.ts";
import type { OrgId } from "../shared/ids.ts";
import { BlobDamaged, BlobMissing, KeyChanged, StoreUnavailable } from "./blob-store.ts";
import { type BlobToEncrypt, beginEncryption, endEncryption, listBlobsToEncrypt, lockDestroyed, noteUnreadable } from "./store.ts";
import type { StorageDeps } from "./store-blob.ts";

export interface BlobsEncrypted {
  readonly encrypted: number;
  /** missing or damaged, and left as they are until they are restored */
  readonly unreadable: readonly BlobToEncrypt[];
  /** that could not be encrypted for another reason, and wait for a day too */
  readonly failed: readonly (BlobToEncrypt & { readonly cause: unknown })[];
  /** why the run stopped early; the next run continues */
  readonly away: StoreUnavailable | null;
}

// The job runs each minute, and a stop of the worker waits for it.
const RUN_MS = 30_000;
const BATCH = 100;

/**
 * Encrypts blobs that were stored as they are, while others read and store them. It can end at any moment: what is stored under the name is
 * replaced at once, its key is in the row before that, and readers accept both forms. A blob that fails does not keep the others from theirs.
 */
export async function encryptBlobs(deps: StorageDeps, run_ms = RUN_MS): Promise<BlobsEncrypted> {
  const until = performance.now() + run_ms;
  const unreadable: BlobToEncrypt[] = [];
  const failed: (BlobToEncrypt & { readonly cause: unknown })[] = [];
  let encrypted = 0;
  if (!deps.keys.isOn) return { encrypted, unreadable, failed, away: null };
  try {
    for (;;) {
      const batch = await deps.db.system((tx) => listBlobsToEncrypt(tx, BATCH));
      for (const blob of batch) {
        try {
          if (await encryptOne(deps, blob)) encrypted += 1;
          else unreadable.push(blob);
        } catch (cause) {
          if (concernsAll(cause)) throw cause;
          await leaveForADay(deps, blob);
          failed.push({ ...blob, cause });
        }
        if (performance.now() >= until) return { encrypted, unreadable, failed, away: null };
      }
      if (batch.length < BATCH) return { encrypted, unreadable, failed, away: null };
    }
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return { encrypted, unreadable, failed, away: error };
  }
}

/** The database, the store or the key service is away. The key of one organization that cannot be unwrapped says nothing about the others. */
const concernsAll = (cause: unknown): boolean =>
  cause instanceof DatabaseAway || (cause instanceof StoreUnavailable && !(cause.cause instanceof CannotUnwrap));

const leaveForADay = ({ db }: StorageDeps, { org_id: org, sha256 }: BlobToEncrypt): Promise<void> =>
  db.tx(org, (tx) => noteUnreadable(tx, org, sha256));

async function encryptOne(deps: StorageDeps, blob: BlobToEncrypt): Promise<boolean> {
  const { org_id: org, sha256 } = blob;
  const { db, blobs, keys } = deps;
  const bytes = await blobs.read(org, sha256).catch((error: unknown) => {
    if (error instanceof BlobMissing || error instanceof BlobDamaged) return null;
    throw error;
  });
  if (bytes === null) {
    await leaveForADay(deps, blob);
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
