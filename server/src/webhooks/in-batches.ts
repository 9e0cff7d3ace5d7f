/**
 * Collects items that arrive for a key during a run and processes them together in the next one: the busier a key, the larger its batches.
 * Idle keys are removed.
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
    /** Settles with the run that contains the item. */
    add(key: K, item: T): Promise<void> {
      const batch = waiting.get(key);
      if (batch === undefined) {
        waiting.set(key, [item]);
        return start(key);
      }
      batch.push(item);
      return latest.get(key) as Promise<void>;
    },
    /** keys with work to do */
    busy: (): number => latest.size,
  };
}
