import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { differencesOf } from "./openapi-differences.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { workspaces, version: old } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const NEXT = "97.0.0";
const folders = (workspaces as string[]).filter((folder) => folder !== "pdf/inflate");
const manifests = ["package.json", ...folders.map((folder) => `${folder}/package.json`)];
const changed = [
  "compat/accepted.json",
  ...manifests,
  "package-lock.json",
  "client/src/version.ts",
  "docs/webhooks.md",
  "deploy/helm/Chart.yaml",
  "CHANGELOG.md",
];

describe("a release of what is in the repository", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "countersign-release-"));
    for (const path of changed) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      cpSync(join(root, path), join(folder, path));
    }
    cpSync(join(root, "openapi.json"), join(folder, "openapi.json"));
    // Just after a release there is nothing to cut.
    const nothing = "## Unreleased\n**Do this**: nothing.\n\n";
    writeFileSync(join(folder, "CHANGELOG.md"), read("CHANGELOG.md").replace(`${nothing}## `, `${nothing}**Fixed**\n- A thing.\n\n## `));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  const release = (...args: string[]) =>
    spawnSync(process.execPath, [join(root, "scripts/release.mjs"), ...args], { cwd: folder, encoding: "utf8" });

  test("has the new version in every place", () => {
    expect(release(NEXT)).toMatchObject({ status: 0, stderr: "" });
    for (const path of manifests) expect(JSON.parse(read(path)).version, path).toBe(NEXT);
    for (const path of manifests) {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(read(path));
      const ours = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) => name.startsWith("@countersign/"));
      expect(
        ours.filter(([, wanted]) => wanted !== NEXT),
        path,
      ).toEqual([]);
    }
    expect(read("client/src/version.ts")).toContain(`"${NEXT}"`);
    expect(read("deploy/helm/Chart.yaml")).toContain(`\nversion: ${NEXT}\nappVersion: "${NEXT}"\n`);
  });

  test("changes nothing in a file but the version", () => {
    release(NEXT);
    for (const path of changed.filter((name) => name !== "CHANGELOG.md"))
      expect(read(path).replaceAll(NEXT, old), path).toBe(readFileSync(join(root, path), "utf8"));
  });

  test("names what was unreleased by its version and day, and begins a new section above", () => {
    const before = read("CHANGELOG.md");
    release(NEXT);
    const day = new Date().toISOString().slice(0, 10);
    const [, , rest = ""] = before.split(/(## Unreleased\n)/);
    expect(read("CHANGELOG.md")).toBe(`# Changelog\n\n## Unreleased\n**Do this**: nothing.\n\n## ${NEXT} (${day})\n${rest}`);
  });

  test("keeps the API, with which later ones are compared, instead of that of the release before", () => {
    writeFileSync(join(folder, "compat/openapi-0.1.9.json"), "{}");
    writeFileSync(join(folder, "compat/accepted.json"), '[{ "difference": "a" }]');
    release(NEXT);
    expect(readdirSync(join(folder, "compat")).sort()).toEqual(["accepted.json", `openapi-${NEXT}.json`]);
    const kept = JSON.parse(read(`compat/openapi-${NEXT}.json`));
    expect(kept.info.version).toBe(NEXT);
    expect(differencesOf(kept, JSON.parse(read("openapi.json")))).toEqual([]);
    expect(read("compat/accepted.json")).toBe("[]\n");
  });

  test.each([
    ["no version", [], "Name the new version"],
    ["a version of another form", ["v1"], "Name the new version"],
    ["the version that is there", [old], "is not newer"],
    ["an older version", ["0.0.9"], "is not newer"],
  ])("is refused with %s, and changes nothing", (_name, args, says) => {
    const before = changed.map(read);
    const { status, stderr } = release(...args);
    expect([status, stderr]).toEqual([1, expect.stringContaining(says)]);
    expect(changed.map(read)).toEqual(before);
  });

  test.each([
    ["has nothing unreleased", "# Changelog\n\n## Unreleased\n\n## 0.1.0\n**Do this**: nothing.\n", "Nothing is under Unreleased"],
    ["says nothing new", "# Changelog\n\n## Unreleased\n**Do this**: nothing.\n\n## 0.1.0\n", "Nothing is under Unreleased"],
    ["has no such section", "# Changelog\n\n## 0.1.0\n", "no section"],
    ["does not say what to do", "# Changelog\n\n## Unreleased\n**New**\n- A thing.\n", "must begin with **Do this**"],
    ["has another heading", "# Changelog\n\n## Unreleased\n**Do this**: nothing.\n\n**Misc**\n- A thing.\n", "Misc is none of"],
  ])("is refused when the changelog %s", (_name, text, says) => {
    writeFileSync(join(folder, "CHANGELOG.md"), text);
    const { status, stderr } = release(NEXT);
    expect([status, stderr]).toEqual([1, expect.stringContaining(says)]);
    expect(JSON.parse(read("package.json")).version).toBe(old);
  });
});
