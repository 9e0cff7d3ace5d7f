import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { VERSION } from "./version.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

test("what explain_error says is that of docs/errors.md", () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-mcp-"));
  const fresh = join(folder, "errors.ts");
  execFileSync(process.execPath, [here("../generate.mjs"), fresh]);
  expect(readFileSync(here("generated/errors.ts"), "utf8"), "npm run generate").toBe(readFileSync(fresh, "utf8"));
  rmSync(folder, { recursive: true });
});

test("the version is that of package.json", () => {
  expect(JSON.parse(readFileSync(here("../package.json"), "utf8")).version).toBe(VERSION);
});
