/** Whether attempts at something outside (mail, time-stamps) have only failed for a while, as this process saw it. */
export interface Outcomes {
  succeeded(): void;
  failed(): void;
  /** since when there were only failures, in milliseconds; null if the last attempt succeeded, or there was none */
  failingSince(): number | null;
}

export function trackOutcomes(now: () => number = Date.now): Outcomes {
  let since: number | null = null;
  return {
    succeeded() {
      since = null;
    },
    failed() {
      since ??= now();
    },
    failingSince: () => since,
  };
}

/** Notes how `run` ended. */
export async function noteOutcome<T>(outcomes: Outcomes, run: () => Promise<T>): Promise<T> {
  try {
    const result = await run();
    outcomes.succeeded();
    return result;
  } catch (error) {
    outcomes.failed();
    throw error;
  }
}
