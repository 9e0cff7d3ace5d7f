import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../src/shared/ids.ts";
import { client } from "./client.ts";
import { testDatabase } from "./database.ts";
import { type Running, runCommand, startProcess, stopProcess } from "./process.ts";

/** The program as it is started: out of a few files that scripts/bundle.mjs makes of the compiled ones. */

const root = fileURLToPath(new URL("../../", import.meta.url));
const bundles = join(root, "server/dist/bundle");
let bundle: string;

beforeAll(() => {
  execFileSync(process.execPath, [join(root, "scripts/bundle.mjs")]);
  const made_at = (name: string) => statSync(join(bundles, name)).mtimeMs;
  bundle = readdirSync(bundles).sort((a, b) => made_at(b) - made_at(a))[0] ?? expect.fail("there is no bundle");
});

describe("in a checkout at another place", () => {
  let moved: string;
  beforeEach(() => {
    moved = mkdtempSync(join(tmpdir(), "countersign-moved-"));
    const others = readdirSync(bundles).filter((name) => name !== bundle);
    for (const part of [
      "package-lock.json",
      "scripts",
      "server/bin",
      "server/dist",
      "server/package.json",
      "evidence/dist",
      "pdf/dist",
      "pdf/inflate",
    ]) {
      cpSync(join(root, part), join(moved, part), { recursive: true, filter: (path) => !others.some((other) => path.endsWith(other)) });
    }
    symlinkSync(join(root, "node_modules"), join(moved, "node_modules"));
  });
  afterEach(() => rmSync(moved, { recursive: true }));

  const write = (path: string, text: string) => writeFileSync(join(moved, path), text);
  const version = () => spawnSync(process.execPath, [join(moved, "server/bin/countersign.js"), "--version"], { encoding: "utf8" }).stdout;

  test("the bundle runs, with the files that lie there", () => {
    rmSync(join(moved, "server/dist/version.js"));
    write("server/package.json", JSON.stringify({ type: "module", version: "7.6.5" }));
    expect(version()).toBe("7.6.5\n");
  });

  test.each([
    "package-lock.json",
    "scripts/bundle.mjs",
    "server/dist/.tsbuildinfo",
    "evidence/dist/.tsbuildinfo",
    "pdf/dist/.tsbuildinfo",
    "pdf/inflate/index.js",
  ])("the bundle does not run once %s is another, or is gone: what was compiled does", (changed) => {
    write("server/dist/version.js", 'export const version = "compiled later";');
    expect(version()).toMatch(/^\d+\.\d+\.\d+\n$/);
    appendFileSync(join(moved, changed), "\n");
    expect(version()).toBe("compiled later\n");
    rmSync(join(moved, changed));
    expect(version()).toBe("compiled later\n");
  });
});

test("a failure that is ours names the line of the source", async () => {
  const { code, stderr } = await runCommand(["restore", "--org", newId("org"), "--vault-blob", newId("envelope"), "/nowhere"], {});
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^Error: ENOENT.*at async restoreCommand \(\S+\/server\/src\/cli\.ts:\d+:\d+\)/s),
  ]);
});

test("a command that works on orgs and keys loads the database's packages alone: not HTTP, the queue or PDFs", () => {
  const textOf = (name: string) => readFileSync(join(bundles, bundle, name), "utf8");
  const reachedFrom = (...names: string[]) => {
    const reached = new Set(names);
    for (const name of reached) for (const [, next = ""] of textOf(name).matchAll(/^import [^"]*"\.\/([^"]+)";$/gm)) reached.add(next);
    return [...reached].map(textOf).join("\n");
  };
  const packagesIn = (text: string) => [
    ...new Set([...text.matchAll(/^\/\/#region node_modules\/((?:@[^/]+\/)?[^/]+)/gm)].map((match) => match[1])),
  ];
  expect(packagesIn(reachedFrom("cli.js"))).toEqual(["sql-template-tag"]);
  const forCommands = packagesIn(reachedFrom("cli.js", "administration.js"));
  expect(forCommands).toContain("pg");
  const forService = packagesIn(reachedFrom("main.js"));
  for (const heavy of ["fastify", "typebox", "graphile-worker", "pkijs"]) {
    expect(forService).toContain(heavy);
    expect(forCommands).not.toContain(heavy);
  }
});

describe("the service", () => {
  const database = testDatabase();
  let running: Running;
  beforeAll(async () => {
    running = await startProcess("serve", { DATABASE_URL: database.url, APP_SECRET: "one process, one secret: 8d1f0c77aa" });
  });
  afterAll(() => stopProcess(running));

  test("serves files of its packages: the API reference with its assets", async () => {
    const send = client(running.url.replace("localhost", "127.0.0.1"));
    const page = await send("GET", "//docs");
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, address]) => new URL(address ?? "", "http://x/docs/").pathname,
    );
    expect([page.status, assets.length]).toEqual([200, expect.toSatisfy((count: number) => count > 3)]);
    for (const address of assets) expect((await send("GET", `/${address}`)).status, address).toBe(200);
  });
});
