import type { Db } from "../db/connect.ts";
import type { OrgId } from "../shared/ids.ts";
import type { BlobKeys } from "./blob-keys.ts";
import { type BlobName, type BlobStore, KeyChanged, StoreUnavailable } from "./blob-store.ts";
import { nameFile, nameInTurns } from "./hash.ts";
import { problemOfOutage } from "./problem-of-outage.ts";
import { claimBlob } from "./store.ts";

export interface StorageDeps {
  readonly db: Db;
  readonly blobs: BlobStore;
  /** of the blobs, if they are encrypted */
  readonly keys: BlobKeys;
}

export type Content = Uint8Array | { readonly file: string };

/**
 * Stores bytes so that a row can reference them: claims, puts and reads back. The row's transaction then calls `keepBlob`. If that
 * never happens, the sweep removes the bytes after a day.
 *
 * Call this before a transaction, never inside one. The claim must be committed before the bytes are stored, otherwise a rollback
 * would leave bytes without a claim, and a slow store would block a connection. Inside an enclosing transaction (a request with an
 * idempotency key) it throws.
 *
 * `known` is the hash, if the caller has already computed it. The store reads the bytes back and rejects others.
 */
export async function storeBlob(deps: StorageDeps, org: OrgId, content: Content, known?: BlobName): Promise<BlobName> {
  const name = known ?? (await (content instanceof Uint8Array ? nameInTurns(content) : nameFile(content.file)));
  for (let tries = 1; ; tries++) {
    try {
      return await claimAndPut(deps, org, content, name);
    } catch (error) {
      if (!(error instanceof KeyChanged) || tries >= MAX_TRIES) return away(error);
    }
  }
}

// A key changes when a record with the same bytes is destroyed at the same moment, which happens once to a record.
const MAX_TRIES = 3;

async function claimAndPut({ db, blobs, keys }: StorageDeps, org: OrgId, content: Content, name: BlobName): Promise<BlobName> {
  const made = await keys.make(org, name.sha256);
  // Uses system(), because tx() would silently join an enclosing transaction.
  const key = await db.system((tx) => tx.forOrg(org, (own) => claimBlob(own, org, name, made)));
  await keys.claimed(org, name.sha256, key);
  return content instanceof Uint8Array ? blobs.put(org, content, name) : blobs.putFile(org, content.file, name);
}

function away(cause: unknown): never {
  throw cause instanceof StoreUnavailable ? problemOfOutage(cause) : cause;
}
