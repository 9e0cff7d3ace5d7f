// Checks stamped files with other tools: values with pdftotext, fonts with pdffonts, the file with qpdf. Skipped if a tool is not
// installed.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AREA, DRAWN, fonts, open, SIGNING, stampedOnto, written } from "../fixtures/marks.ts";
import { onePage, pages } from "../fixtures/pages.ts";
import { makePng } from "../fixtures/png.ts";
import { writePdf } from "../fixtures/writer.ts";
import { save } from "./doc.ts";
import { addSignaturePage } from "./stamp/add-signature-page.ts";
import { markCopy } from "./stamp/mark-copy.ts";
import type { Mark } from "./stamp.ts";

const isInstalled = (command: string, flag: string): boolean => spawnSync(command, [flag]).error === undefined;
const judges = {
  pdftotext: isInstalled("pdftotext", "-v"),
  pdffonts: isInstalled("pdffonts", "-v"),
  qpdf: isInstalled("qpdf", "--version"),
};

const folder = mkdtempSync(join(tmpdir(), "countersign-stamp-"));
const put = (bytes: Uint8Array): string => {
  const path = join(folder, "judged.pdf");
  writeFileSync(path, bytes);
  return path;
};

beforeAll(() => {
  const named = (installed: boolean): string =>
    Object.entries(judges)
      .filter(([, present]) => present === installed)
      .map(([name]) => name)
      .join(", ") || "none";
  process.stdout.write(`judges of the stamp: ${named(true)}; absent: ${named(false)}\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const printed = (bytes: Uint8Array, ...flags: string[]): string =>
  execFileSync("pdftotext", [...flags, put(bytes), "-"], { encoding: "utf8" });
const blank = (): Uint8Array => writePdf(onePage({ content: "" }));

function everyKind(): Mark[] {
  const at = (row: number): Mark["areas"] => [{ ...AREA, y: 0.05 + 0.08 * row }];
  const png = makePng({ width: 40, height: 20, depth: 8, color: 6, pixel: (x) => [200, 0, 0, 6 * x] });
  const by = { field: "Field", signer: "sig_1" };
  return [
    { ...by, kind: "text", areas: at(0), value: "Ann Ελλ Рус" },
    { ...by, kind: "text", areas: at(1), value: "שלום محمد" },
    { ...by, kind: "cross", areas: at(2), value: true },
    { ...by, kind: "disc", areas: [...at(3), ...at(4)], options: ["a", "b"], value: "a" },
    { ...by, kind: "mark", areas: at(5), value: DRAWN, ...SIGNING },
    { ...by, kind: "mark", areas: at(6), value: { kind: "typed", text: "Ann Example", font: "dancing-script" }, ...SIGNING },
    { ...by, kind: "mark", areas: at(7), value: { kind: "uploaded", png }, ...SIGNING },
  ];
}

test
  .skipIf(!judges.pdftotext)
  .each([
    "Ann Example",
    "Zoë Ďábel",
    "Ελληνικά",
    "Русский",
    "漢字",
    "สมชาย ใจดี (กรุงเทพฯ) น้ำ",
    "क्षत्रिय हिन्दी (दिल्ली) र्कि",
    "first line\nsecond",
  ])("pdftotext reads %j as typed", async (value) => {
  const { bytes } = await stampedOnto(blank(), [written(value)]);
  expect(printed(bytes).trim().replaceAll(/\s+/g, " ")).toBe(value.replaceAll(/\s+/g, " "));
});

test
  .skipIf(!judges.pdftotext)
  .each(["שלום עולם", "محمد بن عبد", "שָׁלוֹם דָּוִד", "كَتَبَ مُحَمَّد", "דוד כהן (תל אביב)", "[אבג] {דה} שָׁלוֹם (בֵּן)", "محمد (جدة) «نعم»"])(
  "pdftotext reads %s in reading order",
  async (value) => {
    const { bytes } = await stampedOnto(blank(), [written(value)]);
    // It adds direction marks.
    expect(
      printed(bytes)
        .replaceAll(/[\u202a-\u202e\f]/g, "")
        .trim(),
    ).toBe(value);
  },
);

test.skipIf(!judges.pdftotext)("pdftotext sees a value within its area", async () => {
  const { bytes } = await stampedOnto(blank(), [written("Placed")]);
  const [, xMin = "", yMin = "", xMax = "", yMax = ""] =
    /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">Placed/.exec(printed(bytes, "-bbox")) ?? [];
  expect(Number(xMin)).toBeCloseTo(AREA.x * 612 + 2, 0);
  expect(Number(xMax)).toBeLessThan((AREA.x + AREA.w) * 612);
  expect(Number(yMin)).toBeGreaterThan(AREA.y * 792);
  expect(Number(yMax)).toBeLessThan((AREA.y + AREA.h) * 792);
});

test.skipIf(!judges.pdftotext)("pdftotext finds the marks of a copy on every page", async () => {
  const doc = await open(writePdf(pages(5)));
  markCopy(doc, { band: "COPY, not the authoritative copy · env_1", diagonal: "COPY" }, fonts);
  const text = printed(await save(doc));
  expect(text.match(/COPY, not the authoritative copy · env_1/g)).toHaveLength(5);
  expect(text.match(/^\f?COPY$/gm)).toHaveLength(5);
});

test.skipIf(!judges.pdffonts)("pdffonts calls every font embedded, a subset, and mapped to Unicode", async () => {
  const { bytes } = await stampedOnto(blank(), everyKind());
  const rows = execFileSync("pdffonts", [put(bytes)], { encoding: "utf8" })
    .split("\n")
    .slice(2)
    .filter(Boolean);
  const ours = rows.filter((row) => /^[A-Z]{6}\+/.test(row));
  expect(ours.map((row) => row.split(/\s+/)[0]?.slice(7)).sort()).toEqual([
    "DancingScript-Regular",
    "NotoSans-Regular",
    "NotoSansArabic-Regular",
    "NotoSansHebrew-Regular",
  ]);
  for (const row of ours) expect(row).toMatch(/CID TrueType +Identity-H +yes yes yes/);
});

test.skipIf(!judges.qpdf)("qpdf finds nothing to complain of in a stamped file, a signature page, a copy", async () => {
  const { bytes } = await stampedOnto(blank(), everyKind());
  execFileSync("qpdf", ["--check", put(bytes)]);
  const { doc } = addSignaturePage(await open(bytes), [{ signer: "sig_1", label: "Ann" }], fonts);
  const longer = await save(doc);
  execFileSync("qpdf", ["--check", put(longer)]);
  const copy = await open(longer);
  markCopy(copy, { band: "COPY", diagonal: "COPY" }, fonts);
  execFileSync("qpdf", ["--check", put(await save(copy))]);
});
