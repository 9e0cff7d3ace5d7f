import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { makeUploads, spool } from "./form.ts";

const folder = mkdtempSync(join(tmpdir(), "countersign-uploads-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** As its own files begin, up to the number of the process. */
async function hostOfFiles(): Promise<string> {
  const { path } = await spool(folder, { name: null, content: Readable.from([]) });
  rmSync(path);
  const [host, ...rest] = basename(path).split(`_${process.pid}_`);
  expect([host, rest.length]).toEqual([expect.stringContaining(hostname().replace(/[^\w.-]/g, "_")), 1]);
  return host as string;
}

// No system gives a process this number.
const NOBODY = 2 ** 30;

test("a start takes away what died with a process of this machine, and what is old; what may be in use it leaves", async () => {
  const host = await hostOfFiles();
  const names = {
    ofTheDead: `${host}_${NOBODY}_a`,
    cleanedByTheDead: `${host}_${NOBODY}_b.clean`,
    ofItsOwnNumber: `${host}_${process.pid}_c`,
    ofTheLiving: `${host}_${process.ppid}_d`,
    ofAnotherContainer: `${host}0_${NOBODY}_h`,
    ofAnotherMachine: `elsewhere_${NOBODY}_e`,
    ofNobodyKnown: "f",
    old: `elsewhere_${NOBODY}_g`,
  };
  for (const name of Object.values(names)) writeFileSync(join(folder, name), "");
  const longAgo = Date.now() / 1000 - 3_601;
  utimesSync(join(folder, names.old), longAgo, longAgo);
  await makeUploads(folder);
  expect(readdirSync(folder).sort()).toEqual(
    [names.ofTheLiving, names.ofAnotherContainer, names.ofAnotherMachine, names.ofNobodyKnown].sort(),
  );
});

test("a file is written whole, and hashed, in whatever pieces it comes", async () => {
  for (const sizes of [[], [1], [262_143, 1, 1], [262_144], [262_145], [1_000_000, 5, 600_000]]) {
    const pieces = sizes.map((size, index) => Buffer.alloc(size, index + 1));
    // Before, because the pieces are empty afterwards.
    const whole = Buffer.concat(pieces);
    const { path, size, sha256 } = await spool(folder, { name: null, content: Readable.from(pieces) });
    expect(Buffer.compare(readFileSync(path), whole)).toBe(0);
    expect([size, sha256]).toEqual([whole.length, createHash("sha256").update(whole).digest("hex")]);
  }
});
