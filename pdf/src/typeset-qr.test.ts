import { expect, test } from "vitest";
import { fonts } from "../fixtures/marks.ts";
import { readPdfiumPage } from "../fixtures/pdfium-chars.ts";
import { qrOn } from "../fixtures/qr.ts";
import type { Block, DocumentModel, Pair } from "./typeset/model.ts";
import { typeset } from "./typeset.ts";

const ADDRESS = "https://sign.example.com/v/9f2c41d003aaf0ff1f2c41d003aaf0ff";
const alt = `QR code of the status page: ${ADDRESS}`;
const pairs = (text: string, rows: readonly Pair[]): Block => ({ kind: "pairs", rows, code: { text, alt } });
const modelOf = (blocks: readonly Block[]): DocumentModel => ({
  title: "A note",
  language: "en",
  paper: "a4",
  footer: { before: "note-1", after: "9f2c" },
  blocks,
});
const set = async (...blocks: readonly Block[]) => (await typeset(modelOf(blocks), fonts)).bytes;

const one: Pair = { label: "Its state today", value: ADDRESS };

test.each([
  ["an address as installations have them", ADDRESS],
  ["the longest address that a certificate should have", ADDRESS.replace("sign", "s".repeat(60))],
  ["an address on this machine, with a port", "http://localhost:8080/v/9f2c41d003aaf0ff1f2c41d003aaf0ff"],
])("%s is read from the drawn page by another program", async (_what, text) => {
  expect(await qrOn(await set(pairs(text, [one])), 0)).toBe(text);
});

test("the code is a figure with its own words, and its rectangles are no image", async () => {
  const text = Buffer.from(await set(pairs(ADDRESS, [one]))).toString("latin1");
  expect(text).toMatch(/\/S \/Figure/);
  expect(text).toContain(alt);
  expect(text).toMatch(/\/O \/Layout\s+\/BBox \[/);
  expect(text).not.toContain("/Image");
});

test("what follows begins below the code, also after a single short row", async () => {
  const bytes = await set(pairs(ADDRESS, [{ label: "One", value: "row" }]), { kind: "paragraph", words: "Below it." });
  const { chars } = await readPdfiumPage(bytes, 0);
  const topOf = (letter: string) => chars.find(({ char }) => char === letter)?.top ?? Number.NaN;
  expect(topOf("O") - topOf("B")).toBeGreaterThan(76);
});

test("pairs without a code are set as before: they use the whole width", async () => {
  const long = { label: "Long", value: "wide ".repeat(60) };
  const linesOf = async (block: Block) => {
    const { chars } = await readPdfiumPage(await set(block), 0);
    return new Set(chars.filter(({ char }) => char === "w").map(({ y }) => Math.round(y))).size;
  };
  expect(await linesOf({ kind: "pairs", rows: [long] })).toBeLessThan(await linesOf(pairs(ADDRESS, [long])));
});
