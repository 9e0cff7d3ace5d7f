import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const program = fileURLToPath(new URL("run.mjs", import.meta.url));
// Starting the program takes a second, the first line of progress five; a busy machine needs more.
const LONG = 180_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-fuzz-test-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("a run that is cut off", () => {
  test.each(["SIGINT", "SIGTERM"] as const)(
    "by %s has shown its progress, and prints a summary",
    async (signal) => {
      const { child, ended } = run(["--mutate", "100000", "--seed", "s", "--workers", "1"]);
      child.stderr.once("data", () => child.kill(signal));
      const { code, out, errors } = await ended;
      expect(errors).toMatch(/^\d+ of 100000, [\d.]+ a second.*: opened \d+, refused \d+, busy \d+, hung 0, crashed 0, worsened 0/);
      expect(out).toMatch(new RegExp(`^seed s\nCut off by ${signal} after \\d+ of 100000 files`));
      expect(out).toMatch(/^ +\d+ {2}opened$/m);
      expect(code).toBe(3);
    },
    LONG,
  );

  test(
    "by its time limit prints a summary",
    async () => {
      const { code, out } = await run(["--mutate", "100000", "--seed", "s", "--workers", "1", "--minutes", "0.02"]).ended;
      expect(out).toMatch(/^seed s\nCut off by the limit of 0.02 minutes after \d+ of 100000 files/);
      expect(out).toMatch(/^ +0 {2}crashed$/m);
      expect(code).toBe(3);
    },
    LONG,
  );

  function run(options: readonly string[]) {
    const child = spawn(process.execPath, [program, "--out", folder, ...options], { stdio: ["ignore", "pipe", "pipe"] });
    const ended = new Promise<{ code: number | null; out: string; errors: string }>((resolve) => {
      let [out, errors] = ["", ""];
      child.stdout.on("data", (data) => (out += data));
      child.stderr.on("data", (data) => (errors += data));
      child.on("close", (code) => resolve({ code, out, errors }));
    });
    return { child, ended };
  }
});
