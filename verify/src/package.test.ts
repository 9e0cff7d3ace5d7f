// The package as a reader gets it: packed, installed without a network in an empty folder, and run.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const packed = fileURLToPath(new URL("../dist/package/", import.meta.url));
const bundles = fileURLToPath(new URL("../fixtures/bundles/", import.meta.url));
const kept = JSON.parse(readFileSync(`${bundles}bundles.json`, "utf8")) as readonly {
  root: string;
  bundles: readonly { name: string }[];
}[];
let folder: string;

function npm(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("npm", [...args, "--offline", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`npm ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(folder, "node_modules/.bin/countersign-verify"), ...args], { cwd: folder, encoding: "utf8" });

beforeAll(() => {
  if (!existsSync(packed)) throw new Error("the package is not built: run npm run build");
  folder = mkdtempSync(join(tmpdir(), "countersign-package-"));
  writeFileSync(join(folder, "package.json"), "{}");
  const name = npm("pack", packed);
  npm("install", `./${name}`);
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true }));

test("it holds the program as one file and the page, and depends on nothing", () => {
  const installed = join(folder, "node_modules/countersign-verify");
  expect(readdirSync(installed).sort()).toEqual(["LICENSE", "README.md", "countersign-verify.js", "package.json", "verify.html"]);
  expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["countersign-verify"]);
  const { name, version, dependencies, scripts, private: isPrivate } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect({ name, dependencies, scripts, isPrivate }).toEqual({ name: "countersign-verify" });
  expect(run("--version").stdout).toBe(`${version}\n`);
  expect(run("--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("Exit codes: 0 VERIFIED") });
});

test.each(kept.flatMap(({ root, bundles: all }) => all.map(({ name }) => ({ name, root }))))("it verifies $name", ({ name, root }) => {
  const { status, stdout, stderr } = run(join(bundles, name), "--root", root);
  expect(stderr).toBe("");
  expect(stdout.split("\n").filter((line) => /^[ \d]\d \w+ +ok /.test(line))).toHaveLength(10);
  expect(stdout).toMatch(/\nVERIFIED\n$/);
  expect(status).toBe(0);
});

test("it also runs as a single file, copied anywhere", () => {
  const alone = join(folder, "alone");
  mkdirSync(alone);
  writeFileSync(join(alone, "verify.mjs"), readFileSync(join(packed, "countersign-verify.js")));
  const [{ root, bundles: all } = { root: "", bundles: [] }] = kept;
  const { status, stdout } = spawnSync(process.execPath, [join(alone, "verify.mjs"), join(bundles, all[0]?.name ?? ""), "--root", root], {
    encoding: "utf8",
    env: {},
  });
  expect([status, stdout.split("\n").at(-2)]).toEqual([0, "VERIFIED"]);
});
