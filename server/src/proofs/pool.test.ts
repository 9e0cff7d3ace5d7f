import { afterAll, describe, expect, test } from "vitest";
import { until } from "../../test/until.ts";
import { Problem } from "../shared/problems.ts";
import { FairQueue, type Turn } from "./fair-queue.ts";
import { isCurrent } from "./parameters.ts";
import { createProofPool } from "./pool.ts";

const from = (group: string): Turn => ({ known: false, group });
const known = (group: string): Turn => ({ known: true, group });

describe("the queue", () => {
  const queueOf = (...turns: Turn[]) => {
    const queue = new FairQueue<Turn & { readonly n: number }>();
    for (const [n, turn] of turns.entries()) queue.add({ ...turn, n });
    return queue;
  };

  test("takes known callers first, then one of each group in turn", () => {
    const queue = queueOf(from("a"), from("a"), from("a"), from("b"), known("c"), from("b"), known("d"), known("c"));
    const order = Array.from({ length: 8 }, () => queue.take()?.n);
    expect(order).toEqual([4, 6, 7, 0, 3, 1, 5, 2]);
    expect([queue.take(), queue.length]).toEqual([undefined, 0]);
  });

  test("drops the newest job of the largest group; a known caller's only if all are known", () => {
    const queue = queueOf(from("a"), from("b"), from("b"), known("c"), known("c"), known("c"));
    const order = Array.from({ length: 6 }, () => queue.shed()?.n);
    expect(order).toEqual([2, 1, 0, 5, 4, 3]);
  });

  test("that is full gives a new caller a place taken from the largest group, and none if all groups are equal", () => {
    const crowd = queueOf(from("a"), from("a"), from("new"));
    expect(crowd.shed()).toMatchObject({ group: "a", n: 1 });
    const even = queueOf(from("a"), from("b"), from("new"));
    expect(even.shed()).toMatchObject({ group: "new" });
  });
});

describe("the pool", () => {
  const pool = createProofPool({ workers: 1, waiting: 4 });
  afterAll(() => pool.close());

  test("hashes as argon2id with the current parameters, and verifies the text", async () => {
    const stored = await pool.hash("mauve otter", known(""));
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(isCurrent(stored)).toBe(true);
    expect(await pool.verify(stored, "mauve otter", known(""))).toBe(true);
    expect(await pool.verify(stored, "mauve kettle", known(""))).toBe(false);
  });

  test("rejects a stored text that is not a hash, and continues", async () => {
    await expect(pool.verify("no hash", "text", known(""))).rejects.toThrow("argon2 refused its input");
    expect(await pool.hash("text", known(""))).toMatch(/^\$argon2id/);
  });

  test("runs one job in each thread, lets four wait, and rejects the sixth with a Retry-After of a second", async () => {
    const { refused } = pool.stats();
    const jobs = Array.from({ length: 6 }, () => pool.hash("text", from("a")));
    expect(pool.stats()).toMatchObject({ threads: 1, running: 1, waiting: 4, refused: refused + 1 });
    const outcomes = await Promise.allSettled(jobs);
    expect(outcomes.map(({ status }) => status)).toEqual([...Array(5).fill("fulfilled"), "rejected"]);
    const { reason } = outcomes[5] as PromiseRejectedResult;
    expect(reason).toBeInstanceOf(Problem);
    expect(reason).toMatchObject({ code: "passwords_busy", retryAfterSeconds: 1 });
  });

  test("gives a known caller a place in a full queue, and runs that job first", async () => {
    const settled: string[] = [];
    const job = (name: string, turn: Turn) =>
      pool.hash("text", turn).then(
        () => settled.push(name),
        () => settled.push(`${name} refused`),
      );
    const jobs = ["runs", "1", "2", "3", "4"].map((name) => job(name, from("a")));
    await Promise.all([...jobs, job("known", known("b"))]);
    expect(settled).toEqual(["4 refused", "runs", "known", "1", "2", "3"]);
  });

  test("ends an idle thread, and starts another for the next job", async () => {
    const short = createProofPool({ workers: 1, idle_ms: 1 });
    await short.hash("text", known(""));
    await until("the thread to end", async () => short.stats().threads === 0);
    expect(await short.hash("text", known(""))).toMatch(/^\$argon2id/);
    await short.close();
  });

  test("rejects running, waiting and new jobs once it is closed", async () => {
    const closing = createProofPool({ workers: 1 });
    const jobs = [closing.hash("text", known("")), closing.hash("text", known(""))];
    const closed = closing.close();
    const outcomes = await Promise.allSettled([...jobs, closing.hash("text", known(""))]);
    await closed;
    expect(outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason?.code)).toEqual(Array(3).fill("passwords_busy"));
  });
});
