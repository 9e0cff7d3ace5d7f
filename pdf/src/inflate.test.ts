import { createRequire } from "node:module";
import { deflateSync } from "node:zlib";
import { PDF, PdfStream } from "@libpdf/core";
import { BudgetExceeded, createBudget, inflate, useBudget } from "pako";
import { afterEach, expect, test } from "vitest";
import { testInAll } from "../../testing/all.ts";
import { onePage } from "../fixtures/pages.ts";
import { latin1, stream, writePdf } from "../fixtures/writer.ts";

afterEach(() => useBudget(null));

const lines = latin1(Array.from({ length: 40_000 }, (_, n) => `line ${n * 7919}\n`).join(""));

test("libpdf uses our package instead of pako", async () => {
  const libpdf = import.meta.resolve?.("@libpdf/core") ?? createRequire(import.meta.url).resolve("@libpdf/core/package.json");
  const resolved = createRequire(libpdf).resolve("pako");
  expect(resolved).toMatch(/pdf\/inflate\/index\.js$/);
  const budget = createBudget();
  useBudget(budget);
  const packed = new Uint8Array(deflateSync(lines));
  const pdf = await PDF.load(writePdf(onePage({ more: { 10: stream("/Filter /FlateDecode", packed) }, catalog: "/Mine 10 0 R" })));
  const found = pdf.context.resolve(pdf.context.catalog.getDict().getRef("Mine") ?? expect.fail());
  expect(found instanceof PdfStream && Buffer.from(found.getDecodedData()).equals(lines)).toBe(true);
  expect(budget.spent_bytes).toBe(lines.length);
});

test("a stream over its limit is rejected, and the budget stays exceeded", () => {
  const budget = createBudget({ stream_bytes: 1_000, job_bytes: 10_000 });
  useBudget(budget);
  expect(() => inflate(deflateSync(new Uint8Array(1_001)))).toThrow(BudgetExceeded);
  expect(budget.exceeded).toBe("stream_bytes");
  expect(() => inflate(deflateSync(new Uint8Array(1)))).toThrow(BudgetExceeded);
});

test("many small streams are rejected at the limit of the job", () => {
  const budget = createBudget({ stream_bytes: 1_000, job_bytes: 2_500 });
  useBudget(budget);
  const thousand = deflateSync(new Uint8Array(1_000));
  expect([inflate(thousand).length, inflate(thousand).length]).toEqual([1_000, 1_000]);
  expect(() => inflate(thousand)).toThrow(BudgetExceeded);
  expect(budget.exceeded).toBe("job_bytes");
});

test("a new budget starts empty", () => {
  useBudget(createBudget({ stream_bytes: 10, job_bytes: 10 }));
  expect(() => inflate(deflateSync(new Uint8Array(11)))).toThrow(BudgetExceeded);
  useBudget(createBudget());
  expect(inflate(deflateSync(new Uint8Array(11)))).toHaveLength(11);
});

testInAll("a zip bomb inflates no further than its limit", () => {
  useBudget(createBudget({ stream_bytes: 1_000_000, job_bytes: 1_000_000 }));
  const bomb = deflateSync(new Uint8Array(200_000_000));
  const before = process.memoryUsage().arrayBuffers;
  expect(() => inflate(bomb)).toThrow(BudgetExceeded);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
});

test("a truncated stream gives all available data", () => {
  const packed = deflateSync(lines);
  const cut = inflate(packed.subarray(0, packed.length / 2));
  expect(cut.length).toBeGreaterThan(lines.length * 0.4);
  expect(Buffer.from(cut).equals(lines.subarray(0, cut.length))).toBe(true);
});

test("a wrong checksum loses no data", () => {
  const packed = deflateSync(lines);
  packed.fill(0, packed.length - 4);
  expect(Buffer.from(inflate(packed)).equals(lines)).toBe(true);
});

test("a stream that is damaged in the middle gives the data before the damage", () => {
  const packed = deflateSync(lines);
  packed.fill(0xff, packed.length / 2, packed.length / 2 + 400);
  const read = inflate(packed);
  expect(read.length).toBeGreaterThan(lines.length * 0.4);
  expect(Buffer.from(read.subarray(0, lines.length * 0.4)).equals(lines.subarray(0, lines.length * 0.4))).toBe(true);
});

test("bytes that are not zlib data throw", () => {
  expect(() => inflate(latin1("BT /F1 12 Tf ET"))).toThrow("not zlib data");
});
