import { type BlobStore, StoreAway } from "./blob-store.ts";

// Strangers may ask as often as they like; the store is asked this often.
const REMEMBERED_MS = 5_000;

/** The check of readiness. Where the store is and what it said goes to the log; strangers read only that it is away. */
export function storageReadiness(
  blobs: BlobStore,
  onAway: (error: StoreAway) => void,
  now: () => number = Date.now,
): () => Promise<string | null> {
  let latest: { readonly at: number; readonly reason: Promise<string | null> } | null = null;
  return () => {
    if (latest === null || now() - latest.at >= REMEMBERED_MS) latest = { at: now(), reason: reasonOf(blobs, onAway) };
    return latest.reason;
  };
}

async function reasonOf(blobs: BlobStore, onAway: (error: StoreAway) => void): Promise<string | null> {
  try {
    await blobs.check();
    return null;
  } catch (error) {
    if (!(error instanceof StoreAway)) throw error;
    onAway(error);
    return "the blob store cannot be reached or written to";
  }
}
