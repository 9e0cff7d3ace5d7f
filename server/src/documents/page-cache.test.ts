import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { memoryFolder } from "../../../testing/memory-folder.ts";
import { newTemplate } from "../../test/lease.ts";
import { testService } from "../../test/service.ts";
import { type CacheOutcome, observeCache } from "./observe-cache.ts";
import { trimPages } from "./trim-pages.ts";

const service = testService();
const parent = mkdtempSync(join(memoryFolder(), "countersign-pages-"));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

describe("a cache of pictures that cannot be used", () => {
  test("costs no request: the page is drawn, and the operator hears of it once", async () => {
    const org = await service.newOrg();
    const template_id = await newTemplate(await org.newKey());
    const { folder, seen } = service.features.templates.pageCache;
    rmSync(folder, { recursive: true, force: true });
    seen.takeFailure();
    // Neither readable nor writable, for root too.
    writeFileSync(folder, "not a folder");
    const shown = () => org.admin("GET", `/partner/templates/${template_id}/pages/1`);
    const [one, other] = [await shown(), await shown()];
    expect([one.status, other.status, other.bytes.equals(one.bytes)]).toEqual([200, 200, true]);
    // Each picture could neither be read nor written.
    expect(seen.takeFailure()).toMatchObject({ failures: 4, last: { code: "ENOTDIR" } });
    expect(seen.takeFailure()).toBeNull();
    rmSync(folder);
    expect((await shown()).bytes.equals(one.bytes)).toBe(true);
    expect(seen.takeFailure()).toBeNull();
    expect(readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())).toHaveLength(1);
  });
});

const plain = testService({ ENCRYPT_BLOBS: "false" });

test("a picture that a power failure left empty, or full of zeros, is drawn again", async () => {
  const org = await plain.newOrg();
  const template_id = await newTemplate(await org.newKey());
  const shown = async () => (await org.admin("GET", `/partner/templates/${template_id}/pages/1`)).bytes;
  const whole = await shown();
  const { folder } = plain.features.templates.pageCache;
  const [picture] = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  if (picture === undefined) return expect.fail("nothing is cached");
  const path = join(picture.parentPath, picture.name);
  const cached = readFileSync(path);
  for (const left of [Buffer.alloc(0), Buffer.alloc(cached.length), cached.subarray(0, cached.indexOf("\n") + 1)]) {
    writeFileSync(path, left);
    expect((await shown()).equals(whole)).toBe(true);
    expect(readFileSync(path).equals(cached)).toBe(true);
  }
});

describe("the cache of pictures", () => {
  let folder: string;
  const counted: CacheOutcome[] = [];
  const seen = observeCache((outcome) => counted.push(outcome));
  const cache = (max_bytes: number, isOn = true) => ({
    folder,
    max_bytes,
    seen,
    keys: { isOn, lookUp: () => expect.fail("no key is needed") },
    shared: null,
  });
  const DAY_MS = 86_400_000;
  const now = Date.parse("2026-05-02T10:00:00Z");
  /** 100 bytes each, last used so many days ago. */
  const picture = (name: string, days: number): void => {
    const path = join(folder, "org_1", "ab", name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, Buffer.alloc(100));
    utimesSync(path, new Date(now - days * DAY_MS), new Date(now - days * DAY_MS));
  };
  const left = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();
  beforeEach(() => {
    folder = mkdtempSync(join(parent, "cache-"));
  });

  test("is trimmed to nine tenths of its limit, oldest use first", async () => {
    for (let days = 1; days <= 10; days++) picture(`${days}-1224-v2`, days);
    expect(await trimPages(cache(1_000), now)).toBe(0);
    expect(seen.bytes()).toBe(1_000);
    expect(await trimPages(cache(999), now)).toBe(2);
    expect(left()).toEqual(["1-1224-v2", "2-1224-v2", "3-1224-v2", "4-1224-v2", "5-1224-v2", "6-1224-v2", "7-1224-v2", "8-1224-v2"]);
    expect(seen.bytes()).toBe(800);
    expect(await trimPages(cache(0), now)).toBe(8);
    expect(left()).toEqual([]);
  });

  test("loses what was not used for a month, and what is not encrypted while documents are", async () => {
    picture("1-1224-v2", 29);
    picture("2-1224-v2", 31);
    picture("3-1224-v1", 1);
    expect(await trimPages(cache(10_000, false), now)).toBe(1);
    expect(left()).toEqual(["1-1224-v2", "3-1224-v1"]);
    expect(await trimPages(cache(10_000), now)).toBe(1);
    expect(left()).toEqual(["1-1224-v2"]);
    expect(statSync(folder).isDirectory()).toBe(true);
  });

  test("can be trimmed by several processes at once, and before anything is in it", async () => {
    for (let n = 0; n < 200; n++) picture(`${n}-1224-v2`, 1 + n / 100);
    const removed = await Promise.all(Array.from({ length: 4 }, () => trimPages(cache(5_000), now)));
    expect(left()).toHaveLength(45);
    expect(removed.reduce((sum, n) => sum + n, 0)).toBeGreaterThanOrEqual(155);
    rmSync(folder, { recursive: true });
    expect(await trimPages(cache(5_000), now)).toBe(0);
  });
});
