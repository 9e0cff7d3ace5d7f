import type { Db } from "../db/connect.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { type BlobName, type BlobStore, StoreUnavailable } from "./blob-store.ts";
import { nameFile, nameInTurns } from "./hash.ts";
import { claimBlob } from "./store.ts";

export interface StorageDeps {
  readonly db: Db;
  readonly blobs: BlobStore;
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
  // Uses system(), because tx() would silently join an enclosing transaction.
  await deps.db.system((tx) => tx.forOrg(org, (own) => claimBlob(own, org, name)));
  const put = content instanceof Uint8Array ? deps.blobs.put(org, content, name) : deps.blobs.putFile(org, content.file, name);
  return put.catch(away);
}

// A full disk or a restart of the store is often resolved within seconds.
const RETRY_AFTER_SECONDS = 5;

function away(cause: unknown): never {
  throw cause instanceof StoreUnavailable
    ? new Problem("storage_away", cause.message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
    : cause;
}
