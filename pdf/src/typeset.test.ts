import { PdfDict, type PdfString } from "@libpdf/core";
import { describe, expect, test } from "vitest";
import { tries } from "../../testing/all.ts";
import fc from "../../testing/properties.ts";
import { makeOrg, NOW } from "../fixtures/certificates.ts";
import { fonts, open } from "../fixtures/marks.ts";
import { type PdfiumChar, readPdfiumPage } from "../fixtures/pdfium-chars.ts";
import { sealedBy } from "../fixtures/sealed.ts";
import { resolve } from "./doc.ts";
import { UnreadablePdf } from "./errors.ts";
import { findAnchors } from "./find-text.ts";
import { describe as describePdf } from "./open.ts";
import { sanitize } from "./sanitize.ts";
import type { Block, DocumentModel } from "./typeset/model.ts";
import { paginate } from "./typeset/paginate.ts";
import type { Strip } from "./typeset/strip.ts";
import { MARGIN_PT, PAPER_PT } from "./typeset/styles.ts";
import { type Typeset, typeset } from "./typeset.ts";
import { verifySeals } from "./verify-seal.ts";

const HASH = "9f2c41d003aaf0ff1f2c41d003aaf0ff2f2c41d003aaf0ff3f2c41d003aaf0ff";
const LONG_EMAIL = `${"ann.example.".repeat(5)}ann@${"department.".repeat(4)}example.com`.padStart(120, "x");

const modelOf = (blocks: readonly Block[], more: Partial<DocumentModel> = {}): DocumentModel => ({
  title: "A note",
  language: "en",
  paper: "a4",
  footer: { before: "note-1", after: HASH.slice(0, 16) },
  blocks,
  ...more,
});
const set = (blocks: readonly Block[], more: Partial<DocumentModel> = {}): Promise<Typeset> => typeset(modelOf(blocks, more), fonts);

/** The text that PDFium reads on each page, with white space collapsed. */
async function textsOf({ bytes, pages }: Typeset): Promise<string[]> {
  const texts: string[] = [];
  for (let page = 0; page < pages; page++) texts.push((await readPdfiumPage(bytes, page)).text.replaceAll(/\s+/g, " "));
  return texts;
}

const words = (count: number): string => Array.from({ length: count }, (_, i) => `word${i}`).join(" ");
const paragraph = (text: string): Block => ({ kind: "paragraph", words: text });
const rows = (count: number): Block => ({
  kind: "table",
  columns: [
    { head: "No.", share: 1, align: "end" },
    { head: "What happened", share: 4 },
    { head: "Hash", share: 3 },
  ],
  rows: Array.from({ length: count }, (_, i) => [
    `${i + 1}.`,
    `entry number ${i + 1} of a trail`,
    { text: HASH.slice(0, 16), look: "fixed" },
  ]),
});

describe("the bytes", () => {
  test("are the same for the same model, and different for another", async () => {
    const blocks: Block[] = [{ kind: "title", text: "Zoë" }, rows(3)];
    const [first, second, other] = [await set(blocks), await set(blocks), await set([...blocks, { kind: "rule" }])];
    expect(Buffer.compare(first.bytes, second.bytes)).toBe(0);
    expect(Buffer.compare(first.bytes, other.bytes)).not.toBe(0);
  });

  test("contain title, subject, author and language, but no time and no tool", async () => {
    const { bytes } = await set([paragraph("x")], { title: "Ann's note", subject: "日本", author: "Example", language: "en-US" });
    const { info, catalog } = await open(bytes);
    const said = [...(info ?? new PdfDict())].map(([key, value]) => [key.value, (value as PdfString).asString()]);
    expect(Object.fromEntries(said)).toEqual({ Title: "Ann's note", Subject: "日本", Author: "Example" });
    expect((catalog.get("Lang") as PdfString).asString()).toBe("en-US");
    expect(Buffer.from(bytes).toString("latin1")).not.toMatch(/libpdf|CreationDate|ModDate/);
  });

  test("contain nothing that cleaning would remove, and can be sealed", async () => {
    const { bytes } = await set([{ kind: "heading", level: 1, text: "One" }, paragraph(words(50))]);
    expect((await sanitize(await open(bytes))).removed).toEqual({});
    const org = await makeOrg();
    const [report] = await verifySeals(await sealedBy(org, bytes), { roots: [org.root.certificate], at: NOW });
    expect(report).toMatchObject({ intact: true, trusted: true });
  });

  test.each([
    ["a4", { w_pt: 595.28, h_pt: 841.89, rotate: 0 }],
    ["letter", { w_pt: 612, h_pt: 792, rotate: 0 }],
  ] as const)("%s is what the pages are", async (paper, size) => {
    const { bytes, pages } = await set([paragraph(words(2_000))], { paper });
    expect(describePdf(await open(bytes)).pages).toEqual(Array(pages).fill(size));
    expect(pages).toBeGreaterThan(1);
  });

  test("of an empty model are one empty page with its footer", async () => {
    const empty = await set([]);
    expect(await textsOf(empty)).toEqual([`note-1 · page 1 of 1 · ${HASH.slice(0, 16)}`]);
  });

  test("are not created for more than 2,000 pages", async () => {
    const chapters = Array.from({ length: 2_001 }, (): Block => ({ kind: "paragraph", words: "x\n".repeat(60) }));
    await expect(set(chapters)).rejects.toEqual(new UnreadablePdf("too_complex", "more than 2,000 pages"));
  });
});

describe("the text", () => {
  test("is read in the order of the model, cell by cell", async () => {
    const [page] = await textsOf(
      await set([
        { kind: "title", text: "Title", below: "below it" },
        { kind: "callout", tone: "good", title: "Result", text: "in words", figure: "87 of 100" },
        { kind: "pairs", columns: 2, rows: ["A", "B", "C", "D"].map((label) => ({ label, value: `value of ${label}` })) },
        { kind: "heading", level: 2, text: "Heading" },
        { kind: "item", mark: "1.", words: "an item" },
        {
          kind: "table",
          columns: [
            { head: "Left", share: 1 },
            { head: "Right", share: 1 },
          ],
          rows: [[words(40), "beside"]],
        },
        paragraph("the end"),
      ]),
    );
    const order = [
      "Title below it",
      "Result in words",
      "87 of 100",
      "A value of A B value of B C value of C D value of D",
      "Heading",
      "1. an item",
    ];
    const expected = [...order, "Left Right", `${words(40)} beside`, "the end", "note-1 · page 1 of 1 ·"];
    expect(page).toBe(`${expected.join(" ")} ${HASH.slice(0, 16)}`);
  });

  test("of a fixed-width hash is one word, for PDFium and for our own search", async () => {
    const result = await set([{ kind: "pairs", rows: [{ label: "SHA-256", value: { text: HASH, look: "fixed" } }] }]);
    expect((await textsOf(result))[0]).toContain(`SHA-256 ${HASH} note-1`);
    expect(findAnchors(await open(result.bytes), [{ anchor_text: HASH }])).toMatchObject([{ found: true, page: 1, matches: 1 }]);
    const hash = (await readPdfiumPage(result.bytes)).chars.slice("SHA-256".length).filter(({ char }) => /[0-9a-f]/.test(char));
    const steps = hash.slice(1, 64).map(({ x }, i) => x - (hash[i]?.x ?? 0));
    // 0.615 em of 7.48 points; narrow digits are shifted slightly to the right in their cells.
    for (const step of steps) expect(Math.abs(step - 4.6)).toBeLessThan(0.65);
  });

  test("in Hebrew and Arabic is right-aligned and read as written", async () => {
    const result = await set([paragraph("שלום לכולם"), paragraph("مرحبا")]);
    const { text, chars } = await readPdfiumPage(result.bytes);
    expect(text).toContain("שלום לכולם");
    const right = PAPER_PT.a4.w - MARGIN_PT.side;
    expect(Math.max(...chars.map((char) => char.right))).toBeCloseTo(right, 0);
    expect(result.warnings).toEqual([]);
  });

  test("with a character in no font, or in a script that is not shaped, gives a warning", async () => {
    expect((await set([paragraph("\u{10330}")])).warnings).toEqual([{ code: "font_missing", characters: ["\u{10330}"] }]);
    expect((await set([paragraph("ښه")])).warnings).toContainEqual({ code: "script_not_shaped" });
    expect((await set([paragraph("नमस्ते 张伟 ไทย")])).warnings).toEqual([]);
  });
});

describe("pages", () => {
  test("contain all 300 rows in order, below the table's header on every page", async () => {
    const result = await set([{ kind: "heading", level: 1, text: "Trail" }, rows(300)]);
    const texts = await textsOf(result);
    expect(texts.length).toBeGreaterThan(4);
    for (const text of texts) expect(text).toContain("No. What happened Hash");
    const numbers = texts.flatMap((text) => [...text.matchAll(/entry number (\d+) of a trail/g)].map(([, number]) => Number(number)));
    expect(numbers).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
    expect(texts.map((text) => / page (\d+ of \d+) · /.exec(text)?.[1])).toEqual(texts.map((_, i) => `${i + 1} of ${texts.length}`));
  });

  test("split a row that is longer than a page, and repeat the header", async () => {
    const table: Block = { kind: "table", columns: [{ head: "Only", share: 1 }], rows: [[words(3_000)], ["last"]] };
    const texts = await textsOf(await set([table]));
    expect(texts.length).toBeGreaterThan(1);
    for (const text of texts) expect(text).toMatch(/^Only word/);
    const joined = texts.map((text) => text.replace(/^Only /, "").replace(/ note-1 .*$/, "")).join(" ");
    expect(joined).toBe(`${words(3_000)} last`);
  });

  test("have headings of two levels in the outline", async () => {
    const chapter = (n: number): Block[] => [
      { kind: "heading", level: 1, text: `Chapter ${n}`, new_page: true },
      { kind: "heading", level: 2, text: `Section ${n}` },
      { kind: "heading", level: 3, text: "not in it" },
      paragraph(words(300)),
    ];
    const doc = await open((await set([...chapter(1), ...chapter(2)])).bytes);
    const root = resolve(doc, doc.catalog.get("Outlines")) as PdfDict;
    const seen: string[] = [];
    const walk = (parent: PdfDict): void => {
      for (let item = resolve(doc, parent.get("First")); item instanceof PdfDict; item = resolve(doc, item.get("Next"))) {
        const page = (item.getArray("Dest")?.at(0) ?? null) as never;
        seen.push(
          `${(item.get("Title") as PdfString).asString()} on ${doc.pages.findIndex(({ dict }) => dict === resolve(doc, page)) + 1}`,
        );
        walk(item);
      }
    };
    walk(root);
    expect(seen).toEqual(["Chapter 1 on 1", "Section 1 on 1", "Chapter 2 on 2", "Section 2 on 2"]);
  });

  test("keep together what belongs together, with every strip placed once", () => {
    const strip = fc.record({ h_pt: fc.integer({ min: 5, max: 40 }), holds_next: fc.boolean(), new_page: fc.boolean() });
    fc.assert(
      fc.property(fc.array(strip, { maxLength: 60 }), (given) => {
        const strips = given.map((one): Strip => ({ ...one, above_pt: 3, layers: [] }));
        const pages = paginate(strips, 400);
        expect(pages.flat().map((placed) => placed.strip)).toEqual(strips);
        for (const [index, page] of pages.entries()) {
          const last = page.at(-1);
          if (last === undefined) throw new Error("an empty page");
          expect(last.y_pt + last.strip.h_pt).toBeLessThanOrEqual(400 + 1e-6);
          if (!last.strip.holds_next || index === pages.length - 1) continue;
          // Only a group that is longer than a page may be split; then the whole page belongs to it.
          expect(page.every(({ strip: one }) => one.holds_next)).toBe(true);
        }
      }),
    );
  });
});

describe("whatever the words", () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(..."abc defgh IJ.@-_/"), maxLength: 200 }),
    fc.constantFrom(LONG_EMAIL, HASH, "x".repeat(300), ""),
  );
  const look = fc.constantFrom("regular", "strong", "small", "fixed");
  const cell = fc.record({ text, look, tone: fc.constantFrom("plain", "quiet", "good", "bad", "caution") });
  const block: fc.Arbitrary<Block> = fc.oneof(
    fc.record({ kind: fc.constant("title"), text, below: text }),
    fc.record({ kind: fc.constant("heading"), level: fc.constantFrom(1, 2, 3), text }),
    fc.record({ kind: fc.constant("paragraph"), words: cell }),
    fc.record({ kind: fc.constant("item"), mark: fc.constant("10."), words: cell }),
    fc.record({
      kind: fc.constant("callout"),
      tone: fc.constant("bad"),
      title: text,
      text,
      figure: fc.constantFrom("", "100 of 100", "one hundred of one hundred points and not one less"),
    }),
    fc.record({
      kind: fc.constant("pairs"),
      columns: fc.constantFrom(1, 2),
      rows: fc.array(fc.record({ label: text, value: cell }), { maxLength: 5 }),
    }),
    fc.record({
      kind: fc.constant("table"),
      columns: fc.constant([
        { head: "One", share: 1 },
        { head: "Two", share: 3 },
        { head: "Three", share: 2, align: "end" },
      ]),
      rows: fc.array(fc.tuple(cell, cell, cell), { maxLength: 5 }),
    }),
  ) as fc.Arbitrary<Block>;

  test("every character is within the margins, no characters overlap, and none is lost", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 8 }), async (blocks) => {
        const { bytes, pages } = await set(blocks);
        let count = 0;
        for (let page = 0; page < pages; page++) {
          const inked = (await readPdfiumPage(bytes, page)).chars.filter(({ char }) => /\S/.test(char) && char !== "\u0000");
          const footer = inked.filter(({ y }) => y < MARGIN_PT.bottom);
          count += inked.length - footer.length;
          for (const char of inked) {
            expect(char.left).toBeGreaterThan(MARGIN_PT.side - 1);
            expect(char.right).toBeLessThan(PAPER_PT.a4.w - MARGIN_PT.side + 1);
            expect(char.y).toBeLessThan(PAPER_PT.a4.h - MARGIN_PT.top);
          }
          expect(overlaps(inked)).toEqual([]);
        }
        // Table headers repeat on the following pages.
        const repeated = (count - inkIn(blocks)) / "OneTwoThree".length;
        expect(Array.from({ length: pages }, (_, n) => n)).toContain(repeated);
      }),
      { numRuns: tries(25) },
    );
  });

  /** Pairs of characters on one line of which one contains the middle of the other. */
  function overlaps(chars: readonly PdfiumChar[]): string[] {
    const lines = new Map<number, PdfiumChar[]>();
    for (const char of chars) lines.set(Math.round(char.y * 10), [...(lines.get(Math.round(char.y * 10)) ?? []), char]);
    return [...lines.values()].flatMap((line) => {
      const sorted = line.sort((a, b) => a.x - b.x);
      return sorted.flatMap((char, i) => {
        const next = sorted[i + 1];
        return next !== undefined && next.x < (char.x + char.right) / 2 - 0.2 ? [`${char.char}${next.char} at ${char.x}`] : [];
      });
    });
  }

  const inkIn = (value: unknown, key = ""): number => {
    if (typeof value === "string") return ["kind", "tone", "look", "align"].includes(key) ? 0 : value.replaceAll(/\s/g, "").length;
    if (typeof value !== "object" || value === null) return 0;
    return Object.entries(value).reduce((sum, [name, one]) => sum + inkIn(one, name), 0);
  };
});
