// Evidence must verify for decades. These bundles were made by earlier releases and are never regenerated.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { unzipBundle } from "./read-bundle.ts";
import { verifyBundle } from "./verify-bundle.ts";

interface Kept {
  readonly release: string;
  readonly root: string;
  readonly bundles: readonly { readonly name: string; readonly holds: string; readonly sha256: string }[];
}

const folder = fileURLToPath(new URL("../fixtures/bundles/", import.meta.url));
const kept = JSON.parse(readFileSync(`${folder}bundles.json`, "utf8")) as readonly Kept[];

test("every kept bundle is listed once, and every listed bundle is kept", () => {
  const listed = kept.flatMap(({ bundles }) => bundles.map(({ name }) => name));
  expect(listed.toSorted()).toEqual(readdirSync(folder).filter((name) => name.endsWith(".zip")));
  expect(kept[0]).toMatchObject({ release: "0.1.0", bundles: { length: 7 } });
});

describe.each(kept)("a bundle of release $release", ({ root, bundles }) => {
  test.each(bundles)("verifies: $holds", async ({ name, sha256 }) => {
    const zip = readFileSync(`${folder}${name}`);
    expect(createHash("sha256").update(zip).digest("hex"), "the file is the one that was kept").toBe(sha256);
    const { outcome, steps } = await verifyBundle(() => unzipBundle(zip), { root, tsa_roots: null });
    expect([outcome, steps.filter(({ passed }) => !passed)]).toEqual(["VERIFIED", []]);
    expect(steps).toHaveLength(10);
  });
});
