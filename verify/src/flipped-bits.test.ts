// X11, V1: a bundle with one changed bit anywhere is rejected. `VERIFY_EVERY_BYTE=1` tries every byte; without it, a sample.

import { createHash, randomInt } from "node:crypto";
import { type NamedFile, signRecord } from "@countersign/evidence";
import { describe, expect, test } from "vitest";
import { ALL, casesInAll } from "../../testing/all.ts";
import { makeBundle, sharedKeys } from "../test/make-bundle.ts";
import { unzipBundle } from "./read-bundle.ts";
import { verifyBundle } from "./verify-bundle.ts";

const isFull = process.env.VERIFY_EVERY_BYTE === "1";
const EVERY = isFull ? 1 : ALL ? 61 : 601;
const TIMEOUT_MS = isFull ? 1_800_000 : 60_000;

function flipped(bytes: Uint8Array, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ (1 << randomInt(8));
  return copy;
}

async function passes(read: () => readonly NamedFile[], root: string): Promise<boolean> {
  return (await verifyBundle(read, { root, tsa_roots: null })).outcome !== "FAILED";
}

describe.each(casesInAll(["evidence", "export"] as const))("one bit of a bundle (%s)", (kind) => {
  test("flipped in any file is noticed", { timeout: TIMEOUT_MS }, async () => {
    const { zip, root } = await makeBundle({ kind, source: "electronic_signed", timed: true });
    const files = unzipBundle(zip);
    const unnoticed: string[] = [];
    let tried = 0;
    for (const [n, { name, bytes }] of files.entries()) {
      // Every byte of small files, because signatures and keys are among them.
      const step = bytes.length <= 64 ? 1 : EVERY;
      for (let at = 0; at < bytes.length; at += step) {
        tried += 1;
        if (await passes(() => files.with(n, { name, bytes: flipped(bytes, at) }), root)) unnoticed.push(`${name} at ${at}`);
      }
    }
    expect(unnoticed).toEqual([]);
    expect(tried).toBeGreaterThan(ALL ? 1_000 : 300);
  });

  test("flipped in the zip file is noticed", { timeout: TIMEOUT_MS }, async () => {
    const { zip, root } = await makeBundle({ kind });
    const unnoticed: number[] = [];
    for (let at = 0; at < zip.length; at += EVERY) if (await passes(() => unzipBundle(flipped(zip, at)), root)) unnoticed.push(at);
    expect(unnoticed).toEqual([]);
  });
});

// A time-stamp token and the certificates of its authority contain bytes that no signature covers, as every CMS file does. Only the
// manifest covers VERIFY.md.
const COVERED_BY_MANIFEST_ONLY = ["manifest.json", "manifest.sig", "checkpoints/vaulted.tst", "trust/tsa.pem", "VERIFY.md"];
const TRIES = isFull ? 200 : 5;

describe("one flipped bit, with the manifest signed again with the real records key", () => {
  test("is noticed in every file that something other than the manifest also covers", { timeout: TIMEOUT_MS }, async () => {
    const { records } = await sharedKeys();
    const { zip, root } = await makeBundle({ kind: "export", source: "electronic_signed", timed: true });
    const files = unzipBundle(zip);
    const manifest = JSON.parse(Buffer.from(files.find(({ name }) => name === "manifest.json")?.bytes ?? []).toString());
    const unnoticed: string[] = [];
    for (const { name, bytes } of files.filter((file) => !COVERED_BY_MANIFEST_ONLY.includes(file.name))) {
      for (let tries = 0; tries < TRIES; tries++) {
        const at = randomInt(bytes.length);
        const other = flipped(bytes, at);
        const sha256 = createHash("sha256").update(other).digest("hex");
        const listed = manifest.files.map((line: { name: string }) => (line.name === name ? { ...line, sha256 } : line));
        const signed = signRecord({ ...manifest, files: listed }, records.privateKey);
        const made: Record<string, Uint8Array> = { [name]: other, "manifest.json": signed.bytes, "manifest.sig": signed.signature };
        const forged = files.map((file) => ({ name: file.name, bytes: made[file.name] ?? file.bytes }));
        if (await passes(() => forged, root)) unnoticed.push(`${name} at ${at}`);
      }
    }
    expect(unnoticed).toEqual([]);
  });
});
