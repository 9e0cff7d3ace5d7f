import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { afterAll, expect, test, vi } from "vitest";
import { startChromium } from "./chromium.mjs";

const folder = mkdtempSync(join(tmpdir(), "countersign-browser-"));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** A program that is there and ends at once, as a browser does whose libraries are missing. */
function broken(name: string): { executablePath: string; env: Record<string, string> } {
  const executablePath = join(folder, name);
  writeFileSync(
    executablePath,
    "#!/bin/sh\necho 'error while loading shared libraries: libnss3.so: cannot open shared object file' >&2\nexit 127\n",
  );
  chmodSync(executablePath, 0o755);
  return { executablePath, env: {} };
}

test("a browser that does not start is passed over for the next one", async () => {
  const [first, second] = [broken("first"), { executablePath: "second", env: {} }];
  const started: string[] = [];
  const launched = await startChromium(
    async (options) => {
      started.push(options.executablePath);
      if (options.executablePath === first.executablePath) return chromium.launch(options);
      return null;
    },
    [{ missing: "none was installed" }, first, second],
  );
  expect(launched).toEqual({ started: null });
  expect(new Set(started)).toEqual(new Set([first.executablePath, "second"]));
});

test("without one that starts, the reason of each is given", async () => {
  const only = broken("only");
  const launched = await startChromium((options) => chromium.launch(options), [{ missing: "none was installed" }, only]);
  if (!("missing" in launched)) expect.fail("a broken browser was started");
  expect(launched.missing).toMatch(/^none was installed; .*only does not start: .*libnss3\.so/);
});

test("the one that CHROMIUM_PATH names is used alone", async () => {
  vi.stubEnv("CHROMIUM_PATH", join(folder, "nowhere"));
  const launched = await startChromium(async () => null);
  expect(launched).toEqual({ missing: `CHROMIUM_PATH is ${join(folder, "nowhere")}, which does not exist` });
});
