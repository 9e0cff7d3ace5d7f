// A signer on another machine may take seconds. With several states being signed at once, a caller waits for little more than one signature;
// with too many, the signer of a busy installation is asked for states that a later one contains.
const RUNS_AT_ONCE = 4;

type Run<T> = (wanted: readonly string[]) => Promise<T>;

interface Line<T> {
  readonly running: Set<Promise<T>>;
  next: { wanted: readonly string[] | null; readonly promise: Promise<T> } | null;
}

/**
 * Lets callers of one process share runs: while the allowed number is running, all who come wait for one more, which starts afterwards and
 * so finds what each of them has committed. `key` names what is shared.
 */
export function shareRuns<T>(lines: WeakMap<object, Line<T>>, key: object, wanted: readonly string[], run: Run<T>): Promise<T> {
  const line = lines.get(key) ?? { running: new Set(), next: null };
  lines.set(key, line);
  if (line.running.size < RUNS_AT_ONCE) return begin(line, () => run(wanted));
  if (line.next === null) line.next = { wanted, promise: whenOneEnds(line).then(() => beginNext(line, run)) };
  else line.next.wanted = joined(line.next.wanted, wanted);
  return line.next.promise;
}

export type RunLines<T> = WeakMap<object, Line<T>>;

/** Null: everything that is queued. A run for certain entries may end early once those are covered. */
const joined = (some: readonly string[] | null, more: readonly string[]): readonly string[] | null =>
  some === null || some.length === 0 || more.length === 0 ? null : [...some, ...more];

async function whenOneEnds<T>({ running }: Line<T>): Promise<void> {
  // Its own callers get the error.
  await Promise.race(running).catch(() => undefined);
}

function beginNext<T>(line: Line<T>, run: Run<T>): Promise<T> {
  const wanted = line.next?.wanted ?? [];
  line.next = null;
  return begin(line, () => run(wanted));
}

function begin<T>(line: Line<T>, run: () => Promise<T>): Promise<T> {
  const running = run().finally(() => line.running.delete(running));
  line.running.add(running);
  return running;
}
