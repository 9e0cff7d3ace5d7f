import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../src/shared/ids.ts";
import { client } from "./client.ts";
import { testDatabase } from "./database.ts";
import { type Running, runCommand, startProcess, stopProcess } from "./process.ts";

/** The program as it is started: from the bundle that scripts/bundle.mjs makes of the compiled files. */

const root = fileURLToPath(new URL("../../", import.meta.url));
const bundles = join(root, "server/dist/bundle");
let bundle: string;

beforeAll(() => {
  execFileSync(process.execPath, [join(root, "scripts/bundle.mjs")]);
  const madeAt = (name: string) => statSync(join(bundles, name)).mtimeMs;
  bundle = readdirSync(bundles).sort((a, b) => madeAt(b) - madeAt(a))[0] ?? expect.fail("there is no bundle");
});

describe("in a checkout that was moved", () => {
  const MADE_OF = [
    "package-lock.json",
    "scripts/bundle.mjs",
    "server/dist/.tsbuildinfo",
    "csv/dist/.tsbuildinfo",
    "evidence/dist/.tsbuildinfo",
    "fields/dist/.tsbuildinfo",
    "pdf/dist/.tsbuildinfo",
    "verify/dist/.tsbuildinfo",
    "pdf/inflate/index.js",
    "pdf/inflate/package.json",
  ];
  let moved: string;
  beforeAll(() => {
    moved = mkdtempSync(join(tmpdir(), "countersign-moved-"));
    const others = readdirSync(bundles).filter((name) => name !== bundle);
    for (const part of [...MADE_OF, "server/bin", "server/dist"]) {
      cpSync(join(root, part), join(moved, part), { recursive: true, filter: (path) => !others.some((other) => path.endsWith(other)) });
    }
    symlinkSync(join(root, "node_modules"), join(moved, "node_modules"));
    // The version shows which of the two runs: the bundle reads it from package.json, and the compiled code has its own here.
    writeFileSync(join(moved, "server/package.json"), JSON.stringify({ type: "module", version: "7.6.5" }));
    writeFileSync(join(moved, "server/dist/version.js"), 'export const version = "as compiled";');
  });
  afterAll(() => rmSync(moved, { recursive: true }));

  const version = () => spawnSync(process.execPath, [join(moved, "server/bin/countersign.js"), "--version"], { encoding: "utf8" }).stdout;

  test("the bundle runs with the files in its new place", () => {
    expect(version()).toBe("7.6.5\n");
  });

  test.each(MADE_OF)("a bundle from before a change of %s does not run; the compiled code runs instead", (path) => {
    const file = join(moved, path);
    const before = readFileSync(file);
    writeFileSync(file, `${before}\n`);
    expect(version()).toBe("as compiled\n");
    writeFileSync(file, before);
  });

  test("without the compiler's records, the inputs of the bundle are unknown, and the compiled code runs", () => {
    rmSync(join(moved, "pdf/dist/.tsbuildinfo"));
    expect(version()).toBe("as compiled\n");
  });
});

test("an internal error names the line of the source", async () => {
  const { code, stderr } = await runCommand(["vault", "repair", "--org", newId("org"), newId("envelope"), "/nowhere"], {});
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^Error: ENOENT.* repair \(\S+\/server\/src\/cli\/vault\.ts:\d+:\d+\)/s)]);
});

test("a command for orgs and keys loads only the packages of the database: not HTTP, the queue or PDFs", () => {
  const forCommands = packagesReachedFrom("cli.js", "administration.js");
  const forService = packagesReachedFrom("service.js");
  expect(packagesReachedFrom("cli.js")).toEqual([]);
  expect(forCommands).toContain("pg");
  for (const heavy of ["fastify", "typebox", "graphile-worker", "pkijs"]) {
    expect(forService).toContain(heavy);
    expect(forCommands).not.toContain(heavy);
  }
});

/** The packages that are imported statically. The bundler writes the source of each module above it. */
function packagesReachedFrom(...files: string[]): (string | undefined)[] {
  const packages = new Set<string | undefined>();
  const reached = new Set(files);
  for (const file of reached) {
    const text = readFileSync(join(bundles, bundle, file), "utf8");
    for (const [, next = ""] of text.matchAll(/^import [^"]*"\.\/([^"]+)";$/gm)) reached.add(next);
    for (const [, name] of text.matchAll(/^\/\/#region node_modules\/((?:@[^/]+\/)?[^/]+)/gm)) packages.add(name);
  }
  return [...packages];
}

describe("a service", () => {
  const database = testDatabase();
  let running: Running;
  beforeAll(async () => {
    running = await startProcess("serve", { ...database.env, APP_SECRET: "out of a bundle, and with a secret: 8d1f0c77aa" });
  });
  afterAll(() => stopProcess(running));

  test("finds the documentation beside it, with its style sheet and script", async () => {
    const send = client(running.url.replace("localhost", "127.0.0.1"));
    const { status, text } = await send("GET", "//docs/");
    const assets = [...text.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, address = ""]) => address);
    expect([status, assets.length]).toEqual([200, 3]);
    for (const address of assets) expect((await send("GET", `//docs/${address}`)).status, address).toBe(200);
  });
});
