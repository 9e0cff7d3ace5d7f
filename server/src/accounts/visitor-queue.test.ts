import { EventEmitter, once } from "node:events";
import { expect, test } from "vitest";
import type { Db } from "../db/connect.ts";
import type { Turn } from "../proofs/fair-queue.ts";
import { VisitorQueue } from "./visitor-queue.ts";

/** A database that runs a statement when the test releases it, and records the order. */
function gatedDatabase() {
  const gate = new EventEmitter();
  const began: string[] = [];
  const lease = (async (run: () => Promise<string>) => {
    began.push(await run());
    await once(gate, "open");
    return began.at(-1);
  }) as unknown as Db["lease"];
  return { began, release: () => gate.emit("open"), db: { lease, system: lease as unknown as Db["system"] } };
}

const stranger = (group: string): Turn => ({ known: false, group });

test("one statement runs at a time: known browsers first, then one of each address group", async () => {
  const { began, release, db } = gatedDatabase();
  const visitorQueue = new VisitorQueue();
  const ask = (name: string, turn: Turn) => visitorQueue.through(db, turn).lease(async () => name);
  const all = [
    ask("a1", stranger("a")),
    ask("a2", stranger("a")),
    ask("a3", stranger("a")),
    ask("b1", stranger("b")),
    ask("known", { known: true, group: "a" }),
  ];
  for (let done = 1; done <= all.length; done++) {
    await expect.poll(() => began).toHaveLength(done);
    release();
  }
  await Promise.all(all);
  expect(began).toEqual(["a1", "known", "a2", "b1", "a3"]);
});

test("above the limit the newest request of the largest group is rejected before any statement, with a Retry-After of a second", async () => {
  const { began, release, db } = gatedDatabase();
  const visitorQueue = new VisitorQueue({ waiting: 2 });
  const ask = (name: string, turn: Turn) => visitorQueue.through(db, turn).lease(async () => name);
  const kept = [ask("a1", stranger("a")), ask("a2", stranger("a"))];
  const refused = ask("a3", stranger("a"));
  kept.push(ask("b1", stranger("b")));
  await expect(refused).rejects.toMatchObject({ code: "passwords_busy", retryAfterSeconds: 1 });
  for (let done = 1; done <= kept.length; done++) {
    await expect.poll(() => began).toHaveLength(done);
    release();
  }
  await Promise.all(kept);
  expect(began).toEqual(["a1", "a2", "b1"]);
});

test("a statement that fails lets the next one through", async () => {
  const visitorQueue = new VisitorQueue();
  const failing = (async () => {
    throw new Error("no");
  }) as unknown as Db["lease"];
  const fine = (async (run: () => Promise<string>) => run()) as unknown as Db["lease"];
  const through = (lease: Db["lease"]) => visitorQueue.through({ lease, system: lease as unknown as Db["system"] }, stranger("a")).lease;
  await expect(through(failing)(async () => "")).rejects.toThrow("no");
  expect(await through(fine)(async () => "next")).toBe("next");
});
