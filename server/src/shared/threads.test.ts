import { execFile } from "node:child_process";
import { getPriority } from "node:os";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { freeBytes } from "./free-bytes.ts";

/** Runs one module in a separate process and returns its output, because priorities and memory belong to the process. */
async function printed(program: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  return JSON.parse(stdout);
}

const built = (module: string): string => new URL(`../../dist/shared/${module}.js`, import.meta.url).href;

test.skipIf(process.platform !== "linux")(
  "garbage-collection threads get a lower priority, and the main thread keeps its own",
  async () => {
    const nice = `
    import { readdirSync, readFileSync } from "node:fs";
    const niceOf = (thread) => readFileSync("/proc/self/task/" + thread + "/stat", "utf8").replace(/^.*\\) /s, "").split(" ")[16];
    const threads = readdirSync("/proc/self/task").map(Number);`;
    const ranks = (await printed(`${nice}
    const { lowerHelperThreads } = await import("${built("lower-helper-threads")}");
    lowerHelperThreads();
    console.log(JSON.stringify(threads.map((thread) => [thread === process.pid, Number(niceOf(thread))])));`)) as [boolean, number][];
    const own = getPriority();
    expect(ranks.filter(([answers]) => answers)).toEqual([[true, own]]);
    const helpers = ranks.filter(([answers]) => !answers).map(([, rank]) => rank);
    expect(helpers.length).toBeGreaterThanOrEqual(4);
    expect(new Set(helpers)).toEqual(new Set([Math.min(19, own + 5)]));
  },
);

test.skipIf(process.platform !== "linux")("a thread with an even lower priority keeps it, and no error is thrown", async () => {
  const found = await printed(`
    import { getPriority } from "node:os";
    import { Worker } from "node:worker_threads";
    const { lowerHelperThreads } = await import("${built("lower-helper-threads")}");
    const program = \`
      import { readlinkSync } from "node:fs";
      import { setPriority } from "node:os";
      import { parentPort } from "node:worker_threads";
      setPriority(Math.min(19, ${getPriority()} + 7));
      parentPort.postMessage(Number(readlinkSync("/proc/thread-self").split("/").at(-1)));
      parentPort.ref();\`;
    const worker = new Worker(new URL("data:text/javascript," + encodeURIComponent(program)));
    const thread = await new Promise((resolve) => worker.once("message", resolve));
    const NOBODY = 65534;
    if (process.getuid() === 0) process.setuid(NOBODY);
    lowerHelperThreads();
    console.log(JSON.stringify(getPriority(thread)));
    process.exit(0);`);
  expect(found).toBe(Math.min(19, getPriority() + 7));
});

test("pieces of uploads are freed at once, so that V8 does not count them as growth", async () => {
  const peak = (free: string): Promise<unknown> =>
    printed(`
    const { freeBytes } = await import("${built("free-bytes")}");
    let peak = 0;
    for (let n = 0; n < 2_000; n++) {
      const piece = Buffer.alloc(65_536);
      ${free}
      peak = Math.max(peak, process.memoryUsage().arrayBuffers);
      if (n % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    console.log(JSON.stringify(peak / 1_048_576));`);
  expect(await peak("")).toBeGreaterThan(24);
  expect(await peak("freeBytes(piece);")).toBeLessThan(1);
});

test("bytes that share their memory with others are not freed", () => {
  const [whole, pooled] = [Buffer.alloc(65_536, "a"), Buffer.from("a short text")];
  freeBytes(whole.subarray(1));
  freeBytes(pooled);
  expect([whole.length, pooled.toString()]).toEqual([65_536, "a short text"]);
  freeBytes(whole);
  expect(whole).toHaveLength(0);
});
