import { expect, test } from "vitest";
import { inBatches } from "./in-batches.ts";

/** Runs that end when the test says so. */
function heldRuns() {
  const runs: { readonly key: string; readonly batch: readonly number[]; end(error?: Error): void }[] = [];
  const batches = inBatches<string, number>(
    (key, batch) =>
      new Promise((resolve, reject) => {
        runs.push({ key, batch, end: (error) => (error === undefined ? resolve() : reject(error)) });
      }),
  );
  return { runs, batches };
}

test("items that arrive during a run are the next batch, and keys do not wait for each other", async () => {
  const { runs, batches } = heldRuns();
  const first = batches.add("a", 1);
  await Promise.resolve();
  await Promise.resolve();
  const others = [batches.add("a", 2), batches.add("a", 3)];
  const other = batches.add("b", 4);
  await Promise.resolve();
  await Promise.resolve();
  expect(runs.map(({ key, batch }) => [key, batch])).toEqual([
    ["a", [1]],
    ["b", [4]],
  ]);
  for (const { end } of runs) end();
  await Promise.all([first, other]);
  expect(runs.slice(2).map(({ key, batch }) => [key, batch])).toEqual([["a", [2, 3]]]);
  runs[2]?.end();
  await Promise.all(others);
});

test("an idle key is removed, also after a failed run", async () => {
  const batches = inBatches<number, string>(async (key) => {
    if (key % 2 === 0) throw new Error("away");
  });
  const done = Array.from({ length: 1_000 }, (_, key) => batches.add(key, "one").catch(() => undefined));
  expect(batches.busy()).toBe(1_000);
  await Promise.all(done);
  expect(batches.busy()).toBe(0);
});

test("a key that gets more items during its run is not removed in between", async () => {
  const { runs, batches } = heldRuns();
  const first = batches.add("a", 1);
  await Promise.resolve();
  await Promise.resolve();
  const second = batches.add("a", 2);
  runs[0]?.end(new Error("away"));
  await expect(first).rejects.toThrow("away");
  expect(batches.busy()).toBe(1);
  await Promise.resolve();
  await Promise.resolve();
  runs[1]?.end();
  await second;
  expect(batches.busy()).toBe(0);
});
