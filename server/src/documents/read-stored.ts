import type { OrgId } from "../shared/ids.ts";
import { Problem, type ProblemCode } from "../shared/problems.ts";
import { BlobDamaged, BlobMissing, type BlobStore, KeyServiceUnavailable, StoreUnavailable } from "../storage/blob-store.ts";
import { problemOfOutage } from "../storage/problem-of-outage.ts";

interface Deps {
  readonly storage: { readonly blobs: BlobStore };
}

/** Reads a stored PDF. If the blob store fails, it throws the problem that the caller chose; a key service that is away is always the same. */
export async function readStored(deps: Deps, org: OrgId, sha256: string, unavailable: ProblemCode): Promise<Uint8Array> {
  try {
    return await deps.storage.blobs.read(org, sha256);
  } catch (cause) {
    if (cause instanceof KeyServiceUnavailable) throw problemOfOutage(cause);
    const isTheirs = cause instanceof BlobMissing || cause instanceof BlobDamaged || cause instanceof StoreUnavailable;
    throw isTheirs ? new Problem(unavailable, cause.name, { cause }) : cause;
  }
}
