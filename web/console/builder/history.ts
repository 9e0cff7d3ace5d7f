/** Undo history. Each step stores the complete state; nothing is changed in place. */

export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  /** the group of the last step, such as a drag or a word being typed */
  readonly part: string | null;
}

const MOST_STEPS = 50;

export const begin = <T>(present: T): History<T> => ({ past: [], present, future: [], part: null });

/** Adds a step. Steps with the same `part` are merged, so that a drag or a typed word is undone at once. */
export function change<T>(history: History<T>, present: T, part: string | null = null): History<T> {
  if (present === history.present) return history;
  const isSameStep = part !== null && part === history.part;
  const past = isSameStep ? history.past : [...history.past, history.present].slice(-MOST_STEPS);
  // A cancelled drag leaves nothing to undo.
  if (isSameStep && past.at(-1) === present) return { past: past.slice(0, -1), present, future: [], part: null };
  return { past, present, future: [], part };
}

export function undo<T>({ past, present, future }: History<T>): History<T> {
  const before = past.at(-1);
  if (before === undefined) return { past, present, future, part: null };
  return { past: past.slice(0, -1), present: before, future: [present, ...future], part: null };
}

export function redo<T>({ past, present, future }: History<T>): History<T> {
  const [next, ...rest] = future;
  if (next === undefined) return { past, present, future, part: null };
  return { past: [...past, present], present: next, future: rest, part: null };
}
