import { afterAll, describe, expect, test } from "vitest";
import { until } from "../../test/until.ts";
import { Problem } from "../shared/problems.ts";
import { FairQueue, type Turn } from "./fair-queue.ts";
import { isCurrent } from "./parameters.ts";
import { createProofPool } from "./pool.ts";

const from = (group: string): Turn => ({ known: false, group });
const known = (group: string): Turn => ({ known: true, group });

describe("those who wait", () => {
  const queueOf = (...turns: Turn[]) => {
    const queue = new FairQueue<Turn & { readonly n: number }>();
    for (const [n, turn] of turns.entries()) queue.add({ ...turn, n });
    return queue;
  };

  test("known callers first, then one of each group in turn", () => {
    const queue = queueOf(from("a"), from("a"), from("a"), from("b"), known("c"), from("b"), known("d"), known("c"));
    const order = Array.from({ length: 8 }, () => queue.take()?.n);
    expect(order).toEqual([4, 6, 7, 0, 3, 1, 5, 2]);
    expect([queue.take(), queue.length]).toEqual([undefined, 0]);
  });

  test("of one too many, the newest of the group with the most goes; a known caller only when all are known", () => {
    const queue = queueOf(from("a"), from("b"), from("b"), known("c"), known("c"), known("c"));
    const order = Array.from({ length: 6 }, () => queue.shed()?.n);
    expect(order).toEqual([2, 1, 0, 5, 4, 3]);
  });

  test("a newcomer to a full queue gets a place from the group with the most, and none where all have as many", () => {
    const crowd = queueOf(from("a"), from("a"), from("new"));
    expect(crowd.shed()).toMatchObject({ group: "a", n: 1 });
    const even = queueOf(from("a"), from("b"), from("new"));
    expect(even.shed()).toMatchObject({ group: "new" });
  });
});

describe("the pool", () => {
  const pool = createProofPool({ workers: 1, waiting: 4 });
  afterAll(() => pool.close());

  test("hashes as argon2id with today's parameters, and knows the text again", async () => {
    const stored = await pool.hash("mauve otter", known(""));
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(isCurrent(stored)).toBe(true);
    expect(await pool.verify(stored, "mauve otter", known(""))).toBe(true);
    expect(await pool.verify(stored, "mauve kettle", known(""))).toBe(false);
  });

  test("rejects a stored text that is no hash, and goes on", async () => {
    await expect(pool.verify("no hash", "text", known(""))).rejects.toThrow("argon2 refused its input");
    expect(await pool.hash("text", known(""))).toMatch(/^\$argon2id/);
  });

  test("runs one job in each thread, lets four wait, and refuses the sixth with a second to come back", async () => {
    const { refused } = pool.stats();
    const jobs = Array.from({ length: 6 }, () => pool.hash("text", from("a")));
    expect(pool.stats()).toMatchObject({ threads: 1, running: 1, waiting: 4, refused: refused + 1 });
    const outcomes = await Promise.allSettled(jobs);
    expect(outcomes.map(({ status }) => status)).toEqual([...Array(5).fill("fulfilled"), "rejected"]);
    const { reason } = outcomes[5] as PromiseRejectedResult;
    expect(reason).toBeInstanceOf(Problem);
    expect(reason).toMatchObject({ code: "passwords_busy", retryAfterSeconds: 1 });
  });

  test("a known caller gets a place in a full queue, and goes first", async () => {
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

  test("a thread without a job ends, and the next job starts another", async () => {
    const short = createProofPool({ workers: 1, idle_ms: 1 });
    await short.hash("text", known(""));
    await until("the thread to end", async () => short.stats().threads === 0);
    expect(await short.hash("text", known(""))).toMatch(/^\$argon2id/);
    await short.close();
  });

  test("once it is closed, jobs that run, wait or come are refused", async () => {
    const closing = createProofPool({ workers: 1 });
    const jobs = [closing.hash("text", known("")), closing.hash("text", known(""))];
    const closed = closing.close();
    const outcomes = await Promise.allSettled([...jobs, closing.hash("text", known(""))]);
    await closed;
    expect(outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason?.code)).toEqual(Array(3).fill("passwords_busy"));
  });
});
