import { expect, test } from "vitest";
import { setDeadline } from "./deadline.ts";

/** Waits for the end of a deadline of 40 ms with a patience of 2, for a thread that gets this share of a core. */
function endingAt(share: number): Promise<{ isStarved: boolean; elapsed: number }> {
  const began_at = performance.now();
  const watch = { began_at, workedMs: () => (performance.now() - began_at) * share };
  return new Promise((resolve) => {
    setDeadline(watch, 40, 2, (isStarved) => resolve({ isStarved, elapsed: performance.now() - began_at }));
  });
}

test("a job that works without an end is over after its CPU time, also on a busy machine", async () => {
  for (const share of [1, 0.5, 0.2]) {
    const { isStarved, elapsed } = await endingAt(share);
    expect([share, isStarved]).toEqual([share, false]);
    expect(elapsed * share).toBeGreaterThanOrEqual(40);
  }
});

test("a job that gets next to no CPU time is starved, and can be tried again", async () => {
  const { isStarved, elapsed } = await endingAt(0.05);
  expect(isStarved).toBe(true);
  expect(elapsed).toBeGreaterThanOrEqual(80);
});
