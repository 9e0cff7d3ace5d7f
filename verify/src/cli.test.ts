import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writePem } from "@countersign/evidence";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Made, makeBundle } from "../test/make-bundle.ts";
import { runCli } from "./cli.ts";
import { unzipBundle } from "./read-bundle.ts";

let made: Made;
let folder: string;
let zip: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "countersign-verify-"));
  made = await makeBundle({ timed: true });
  zip = join(folder, "bundle.zip");
  writeFileSync(zip, made.zip);
});

afterAll(() => rmSync(folder, { recursive: true }));

async function run(...args: readonly string[]): Promise<{ code: number; text: string }> {
  let text = "";
  const code = await runCli(args, (more) => {
    text += more;
  });
  return { code, text };
}

function unpacked(name: string): string {
  const path = join(folder, name);
  for (const file of unzipBundle(made.zip)) {
    mkdirSync(dirname(join(path, file.name)), { recursive: true });
    writeFileSync(join(path, file.name), file.bytes);
  }
  return path;
}

test("a verified bundle prints one line per step and exits with 0", async () => {
  const { code, text } = await run(zip, "--root", made.root);
  expect(code).toBe(0);
  expect(text.split("\n").slice(0, 4)).toEqual([
    expect.stringMatching(/^ 1 container {4}ok {5}23 files, \d+ bytes$/),
    " 2 manifest     ok     21 files as listed, signed 2026-03-05T04:30:00.000Z",
    ` 3 trust        ok     root ${made.root}, as pinned with --root`,
    " 4 chain        ok     23 entries of env_a",
  ]);
  expect(text).toMatch(/\nVERIFIED\n$/);
});

test("without --root the exit code is 3, and --root accepts the form that certificate viewers show", async () => {
  expect(await run(zip)).toMatchObject({ code: 3, text: expect.stringMatching(/\nCONSISTENT, SIGNER NOT PINNED\n$/) });
  const shown = (made.root.toUpperCase().match(/../g) ?? []).join(":");
  expect(await run(zip, "--root", shown)).toMatchObject({ code: 0 });
});

test("a folder is read like a zip file, and links in it are not followed", async () => {
  const path = unpacked("as-folder");
  expect(await run(path, "--root", made.root)).toMatchObject({ code: 0 });
  symlinkSync(zip, join(path, "texts/terms-linked.md"));
  expect(await run(path, "--root", made.root)).toMatchObject({
    code: 1,
    text: expect.stringContaining(" 1 container    FAILED texts/terms-linked.md: is neither a file nor a folder"),
  });
});

test("a failure names the step, the file and the entry, and exits with 1", async () => {
  const path = unpacked("altered");
  writeFileSync(join(path, "facts.json"), "{}");
  const { code, text } = await run(path, "--root", made.root);
  expect(code).toBe(1);
  expect(text).toMatch(/ 2 manifest {5}FAILED facts.json: has 2 bytes, but the manifest says \d+\n\nFAILED\n$/);
});

test("--json prints the report as JSON", async () => {
  const { code, text } = await run(zip, "--root", made.root, "--json");
  expect(code).toBe(0);
  expect(JSON.parse(text)).toMatchObject({ outcome: "VERIFIED", steps: { length: 10 } });
});

test("--tsa-ca replaces the time-stamp authorities that the installation lists", async () => {
  const own = join(folder, "own.pem");
  writeFileSync(own, writePem([made.tsa_root as Uint8Array]));
  expect(await run(zip, "--root", made.root, "--tsa-ca", own)).toMatchObject({ code: 0, text: expect.not.stringContaining("--tsa-ca") });
  writeFileSync(own, writePem([made.parts.trust.root]));
  expect(await run(zip, "--root", made.root, "--tsa-ca", own)).toMatchObject({
    code: 1,
    text: expect.stringContaining(" 6 time         FAILED checkpoints/vaulted.tst"),
  });
});

test.each([
  [[]],
  [["a", "b"]],
  [["a", "--root", "9f2c"]],
  [["a", "--what"]],
  [["no-such-file.zip"]],
  [["a", "--tsa-ca", "no-such-file.pem"]],
])("wrong usage exits with 2: %j", async (args) => {
  expect(await run(...args)).toMatchObject({ code: 2 });
});

test("the command-line program runs", () => {
  const bin = fileURLToPath(new URL("../bin/countersign-verify.js", import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [bin, zip, "--root", made.root], { encoding: "utf8" });
  expect(stdout).toMatch(/\nVERIFIED\n$/);
  expect(status).toBe(0);
});
