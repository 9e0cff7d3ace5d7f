import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { makeUploads, spool } from "./form.ts";

const folder = mkdtempSync(join(tmpdir(), "countersign-uploads-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The prefix of this machine's file names, before the process id. */
async function hostOfFiles(): Promise<string> {
  const { path } = await spool(folder, { name: null, content: Readable.from([]) });
  rmSync(path);
  const [host, ...rest] = basename(path).split(`_${process.pid}_`);
  expect([host, rest.length]).toEqual([expect.stringContaining(hostname().replace(/[^\w.-]/g, "_")), 1]);
  return host as string;
}

// No system uses this process id.
const UNUSED_PID = 2 ** 30;

test("a start removes old uploads and those of ended processes on this machine, and leaves those that may be in use", async () => {
  const host = await hostOfFiles();
  const names = {
    ofTheDead: `${host}_${UNUSED_PID}_a`,
    cleanedByTheDead: `${host}_${UNUSED_PID}_b.clean`,
    ofItsOwnNumber: `${host}_${process.pid}_c`,
    ofTheLiving: `${host}_${process.ppid}_d`,
    ofAnotherContainer: `${host}0_${UNUSED_PID}_h`,
    ofAnotherMachine: `elsewhere_${UNUSED_PID}_e`,
    ofNobodyKnown: "f",
    old: `elsewhere_${UNUSED_PID}_g`,
  };
  for (const name of Object.values(names)) writeFileSync(join(folder, name), "");
  const longAgo = Date.now() / 1000 - 3_601;
  utimesSync(join(folder, names.old), longAgo, longAgo);
  await makeUploads(folder);
  expect(readdirSync(folder).sort()).toEqual(
    [names.ofTheLiving, names.ofAnotherContainer, names.ofAnotherMachine, names.ofNobodyKnown].sort(),
  );
});

test("a file is written completely and hashed, no matter in which pieces it arrives", async () => {
  for (const sizes of [[], [1], [262_143, 1, 1], [262_144], [262_145], [1_000_000, 5, 600_000]]) {
    const pieces = sizes.map((size, index) => Buffer.alloc(size, index + 1));
    // Before, because the pieces are empty afterwards.
    const whole = Buffer.concat(pieces);
    const { path, size, sha256 } = await spool(folder, { name: null, content: Readable.from(pieces) });
    expect(Buffer.compare(readFileSync(path), whole)).toBe(0);
    expect([size, sha256]).toEqual([whole.length, createHash("sha256").update(whole).digest("hex")]);
  }
});
