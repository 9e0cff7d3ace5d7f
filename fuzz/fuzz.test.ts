import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPdfPool } from "@countersign/pdf";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { SHARED_PROCESS } from "../testing/shared-process.ts";
import { mutatedFiles } from "./inputs.mjs";
import { judge, within } from "./judge.mjs";
import { openReport } from "./report.mjs";

const NO_KILLS = { deadline: 0, starved: 0, memory: 0, crash: 0, closed: 0 };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-fuzz-test-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function damaged(from: number, count: number, kind?: string, seed = "s"): Promise<{ name: string; sha256: string }[]> {
  const files = await mutatedFiles({ count, seed, corpus: [], from, kind });
  return [...files].map(({ name, read }) => ({ name, sha256: createHash("sha256").update(read()).digest("hex") }));
}

async function oddForm(): Promise<Uint8Array> {
  const [file] = await mutatedFiles({ count: 1, seed: "s", corpus: [], kind: "form" });
  return file?.read() ?? new Uint8Array();
}

describe("the verdict", () => {
  test("on a file that found the pool full is busy, not crashed", async () => {
    const pool = createPdfPool({ workers: 1, waiting_jobs: 0, ...SHARED_PROCESS });
    const bytes = await oddForm();
    const first = within(() => pool.ingest(bytes, { tags: "document" }));
    expect(await judge(pool, bytes, { key: "b" })).toEqual({ outcome: "busy", why: "too much is waiting" });
    expect(await first).not.toMatchObject({ outcome: "busy" });
    await pool.close();
  });

  test("on a file whose thread failed unexpectedly is crashed", async () => {
    const pool = createPdfPool({ workers: 1, ...SHARED_PROCESS });
    const bytes = await oddForm();
    // No caller sends this; it makes the thread fail like a fault of ours would.
    const failed = await within(() => pool.ingest(bytes, null as never));
    expect(failed).toMatchObject({ outcome: "crashed", why: expect.stringContaining("TypeError") });
    expect(await within(() => pool.ingest({ file: join(folder, "none.pdf"), size: 9 }, { tags: "document" }))).toMatchObject({
      outcome: "crashed",
    });
    await pool.close();
  });

  test("on a job without an answer is hung", async () => {
    expect(await within(() => new Promise(() => undefined), 1)).toMatchObject({ outcome: "hung" });
  });
});

describe("the report", () => {
  const opened = { index: 0, name: "s-0: form", bytes: new Uint8Array([1]), ms: 5, outcome: "opened" } as const;

  test("of a failed file names the command that repeats it, keeps the file, and fails the run", () => {
    const printed = listen();
    const report = openReport({ total: 2, out: folder, repeat: (index) => `repeat ${index}` });
    report.add(opened);
    report.add({ ...opened, index: 1, outcome: "crashed", why: "TypeError: x" });
    expect(printed()).toMatch(/^crashed: s-0: form: TypeError: x\n {2}.*crashed-1.pdf\n {2}repeat 1$/);
    expect([...readFileSync(join(folder, "crashed-1.pdf"))]).toEqual([1]);
    expect(report.finish(NO_KILLS, null)).toBe(1);
  });

  test("of a run with a busy pool says that not every file was judged", () => {
    const printed = listen();
    const report = openReport({ total: 2, out: folder, repeat: (index) => `repeat ${index}` });
    report.add(opened);
    report.add({ ...opened, index: 1, outcome: "busy", why: "the machine is too busy" });
    expect(printed()).toBe("busy: s-0: form: the machine is too busy\n  repeat 1");
    expect(report.finish(NO_KILLS, null)).toBe(3);
    expect(printed()).toMatch(/^ +1 {2}busy \(not judged\)$/m);
    expect(printed()).toMatch(/^ +0 {2}crashed$/m);
  });

  test("of a run without a failure passes", () => {
    const printed = listen();
    const report = openReport({ total: 1, out: folder, repeat: () => "" });
    report.add({ ...opened, note: "page too small to stamp" });
    expect(report.finish(NO_KILLS, null)).toBe(0);
    expect(printed()).toMatch(/^ +1 {2}opened\n +1 {4}page too small to stamp$/m);
  });

  function listen(): () => string {
    const lines = vi.spyOn(console, "log").mockImplementation(() => undefined);
    lines.mockClear();
    return () => lines.mock.calls.map(([line]) => line).join("\n");
  }
});

describe("damaged files", () => {
  test("are the same for the same seed, wherever the run begins", async () => {
    const files = await damaged(0, 40);
    expect(await damaged(0, 40)).toEqual(files);
    expect(await damaged(30, 10)).toEqual(files.slice(30));
    expect(await damaged(0, 40, undefined, "other")).not.toEqual(files);
  });

  test.each(["bytes", "values", "form", "font", "annotations"])("of the kind %s can be made alone, and differ", async (kind) => {
    const files = await damaged(0, 30, kind);
    expect(files.every(({ name }) => name.includes(`: ${kind}`))).toBe(true);
    expect(new Set(files.map(({ sha256 }) => sha256)).size).toBeGreaterThan(25);
  });
});
