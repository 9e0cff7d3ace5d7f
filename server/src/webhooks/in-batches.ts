/**
 * Collects what arrives for a key while the run before is under way, and runs it together: the busier a key is, the larger its batches.
 * Nothing is kept of a key that has nothing to do.
 */
export function inBatches<K, T>(run: (key: K, batch: readonly T[]) => Promise<void>) {
  const waiting = new Map<K, T[]>();
  const latest = new Map<K, Promise<void>>();

  const runWaiting = (key: K): Promise<void> => {
    const batch = waiting.get(key) ?? [];
    waiting.delete(key);
    return run(key, batch);
  };
  const start = (key: K): Promise<void> => {
    const before = latest.get(key) ?? Promise.resolve();
    const turn = before
      .catch(() => undefined)
      .then(() => runWaiting(key))
      .finally(() => {
        if (latest.get(key) === turn) latest.delete(key);
      });
    latest.set(key, turn);
    return turn;
  };

  return {
    /** Settles as the run does that the item is part of. */
    add(key: K, item: T): Promise<void> {
      const batch = waiting.get(key);
      if (batch === undefined) {
        waiting.set(key, [item]);
        return start(key);
      }
      batch.push(item);
      return latest.get(key) as Promise<void>;
    },
    /** keys with something to do */
    busy: (): number => latest.size,
  };
}
