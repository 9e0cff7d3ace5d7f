import type { Outcomes } from "../shared/outcomes.ts";
import type { Reason } from "./health.ts";

/** Checks of what a process does by itself: the loops of a worker, and attempts at something outside. */

interface Loops {
  readonly turns: (() => Readonly<Record<string, number>>) | null;
}

// The slowest loop works every five seconds.
const LATE_MS = 30_000;
// Longer than any statement may take, so that a restart never interrupts work that would have ended.
const STUCK_MS = 120_000;
// A database that takes longer to answer counts as away: a supervisor that gets no answer restarts the process.
const ANSWERS_WITHIN_MS = 2_000;
// The first failures are retried within minutes and are no one's concern.
const FAILING_MS = 600_000;

export const loopsReason =
  (loops: Loops, now: () => number = Date.now): Reason =>
  async () => {
    const late = namesOf(loops, (at) => now() - at > LATE_MS);
    return late === null ? null : `no turn of ${late} for ${LATE_MS / 1000} seconds`;
  };

/**
 * A reason to restart a worker. While the database is away no loop makes a turn, and a restart would not help: only the time counts during
 * which the database answered.
 */
export function stuckReason(loops: Loops, databaseAnswers: () => Promise<boolean>, now: () => number = Date.now): Reason {
  let answering_since: number | null = null;
  const answersInTime = inTime(databaseAnswers);
  return async () => {
    if (loops.turns === null) return null;
    answering_since = (await answersInTime()) ? (answering_since ?? now()) : null;
    const since = answering_since;
    if (since === null) return null;
    const stuck = namesOf(loops, (at) => now() - Math.max(at, since) > STUCK_MS);
    return stuck === null ? null : `no turn of ${stuck} for ${STUCK_MS / 1000} seconds`;
  };
}

/** False if there is no answer in time. While the database hangs, it is asked once, however often the process is probed. */
function inTime(ask: () => Promise<boolean>): () => Promise<boolean> {
  let asked: Promise<boolean> | null = null;
  return () => {
    asked ??= ask().finally(() => {
      asked = null;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ANSWERS_WITHIN_MS);
    });
    return Promise.race([asked, late]).finally(() => clearTimeout(timer));
  };
}

function namesOf({ turns }: Loops, isLate: (at: number) => boolean): string | null {
  const late = Object.entries(turns?.() ?? {}).flatMap(([name, at]) => (isLate(at) ? name : []));
  return late.length === 0 ? null : late.join(", ");
}

export const failingReason =
  (outcomes: Outcomes, what: string, now: () => number = Date.now): Reason =>
  async () => {
    const since = outcomes.failingSince();
    return since === null || now() - since < FAILING_MS ? null : `every request to ${what} has failed for ten minutes`;
  };
