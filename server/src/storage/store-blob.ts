import type { Db } from "../db/connect.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { type BlobName, type BlobStore, StoreAway } from "./blob-store.ts";
import { nameFile, nameInTurns } from "./hash.ts";
import { claimBlob } from "./store.ts";

export interface StorageDeps {
  readonly db: Db;
  readonly blobs: BlobStore;
}

export type Content = Uint8Array | { readonly file: string };

/**
 * Stores bytes so that a row may name them: claim, put, read back. The row's own transaction then calls `keepBlob`; if it never
 * comes to that, the sweep removes the bytes after a day.
 *
 * Before any transaction, never inside one: the claim has to be committed before the bytes are there, or a rollback would leave
 * bytes that nobody knows of, and a connection would be held for as long as a slow store takes. Inside an enclosing transaction
 * (a call with an idempotency key) it throws.
 *
 * `known`: who has hashed the bytes already says so. The store reads them back and refuses others.
 */
export async function storeBlob(deps: StorageDeps, org: OrgId, content: Content, known?: BlobName): Promise<BlobName> {
  const name = known ?? (await (content instanceof Uint8Array ? nameInTurns(content) : nameFile(content.file)));
  // system() and not tx(): the latter would quietly join an enclosing transaction.
  await deps.db.system((tx) => tx.forOrg(org, (own) => claimBlob(own, org, name)));
  const put = content instanceof Uint8Array ? deps.blobs.put(org, content, name) : deps.blobs.putFile(org, content.file, name);
  return put.catch(away);
}

// A full disk or a store that restarts is often mended within seconds.
const RETRY_AFTER_SECONDS = 5;

function away(cause: unknown): never {
  throw cause instanceof StoreAway ? new Problem("storage_away", cause.message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause }) : cause;
}
