/** `shared`: another machine had drawn it. */
export type CacheOutcome = "hit" | "shared" | "miss" | "write_failed";

/** What one process sees of its cache of pictures, for metrics and for one warning a minute. */
export interface CacheObserver {
  counted(outcome: CacheOutcome): void;
  failed(error: unknown): void;
  /** What failed since the last call; null: nothing did. */
  takeFailure(): { readonly failures: number; readonly last: unknown } | null;
  sized(bytes: number): void;
  /** of all pictures on this machine, when they were last looked through */
  bytes(): number;
}

export function observeCache(count: (outcome: CacheOutcome) => void = () => undefined): CacheObserver {
  let [failures, size] = [0, 0];
  let last: unknown = null;
  return {
    counted: count,
    failed(error) {
      failures++;
      last = error;
    },
    takeFailure() {
      if (failures === 0) return null;
      const taken = { failures, last };
      failures = 0;
      return taken;
    },
    sized(bytes) {
      size = bytes;
    },
    bytes: () => size,
  };
}
