// Far below the limit of a statement, also on a slow disk.
const BATCH = 5_000;
// A job that deletes must not hold a place of a worker for long. What is left has its turn in the next run.
const RUN_MS = 50_000;

interface Limits {
  readonly batch?: number;
  readonly now?: () => number;
}

/** Repeats until a batch was not full, or time is over. Each batch is a transaction of its own. Returns how many rows there were in all. */
export async function repeatBatches(
  run: (limit: number) => Promise<number>,
  { batch = BATCH, now = Date.now }: Limits = {},
): Promise<number> {
  const until = now() + RUN_MS;
  let total = 0;
  for (;;) {
    const done = await run(batch);
    total += done;
    if (done < batch || now() >= until) return total;
  }
}
