import { type BlobStore, StoreUnavailable } from "./blob-store.ts";

// Readiness is public, so the result is cached to limit requests to the store.
const REMEMBERED_MS = 5_000;

/** The readiness check. The log has the address of the store and its error; the public response only says that it is unavailable. */
export function storageReadiness(
  blobs: BlobStore,
  onAway: (error: StoreUnavailable) => void,
  now: () => number = Date.now,
): () => Promise<string | null> {
  let latest: { readonly at: number; readonly reason: Promise<string | null> } | null = null;
  return () => {
    if (latest === null || now() - latest.at >= REMEMBERED_MS) latest = { at: now(), reason: reasonOf(blobs, onAway) };
    return latest.reason;
  };
}

async function reasonOf(blobs: BlobStore, onAway: (error: StoreUnavailable) => void): Promise<string | null> {
  try {
    await blobs.check();
    return null;
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    onAway(error);
    return "the blob store cannot be reached or written to";
  }
}
