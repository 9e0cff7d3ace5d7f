import bidiFactory, { type Bidi } from "bidi-js";
import { createBudget } from "pako";
import { describe, expect, test } from "vitest";
import { tries } from "../../testing/all.ts";
import fc from "../../testing/properties.ts";
import { composite, toUnicode } from "../fixtures/fonts.ts";
import { type OnePage, onePage, pages, text } from "../fixtures/pages.ts";
import { readPdfiumPage } from "../fixtures/pdfium-chars.ts";
import { flate, type Objects, stream, writePdf } from "../fixtures/writer.ts";
import { save } from "./doc.ts";
import { findTags } from "./find-tags.ts";
import { type AnchorQuery, type AnchorResult, findAnchors, pagesWithText } from "./find-text.ts";
import { openPdf } from "./open.ts";
import { removeTags } from "./remove-tags.ts";

async function find(objects: Objects, ...queries: (string | AnchorQuery)[]): Promise<AnchorResult[]> {
  const doc = await openPdf(writePdf(objects), createBudget());
  return findAnchors(
    doc,
    queries.map((query) => (typeof query === "string" ? { anchor_text: query } : query)),
  );
}

async function matches(odd: OnePage, anchor: string): Promise<number> {
  const [result] = await find(onePage(odd), anchor);
  return result?.matches ?? -1;
}

const shown = (content: string): OnePage => ({ content: `BT /F1 12 Tf 72 700 Td ${content} ET` });

// Helvetica's line box, in ems.
const ASCENT = 0.718;
const DESCENT = -0.207;

describe("a match is where PDFium shows the text", () => {
  const boxes = ["", "/CropBox [100 200 500 700]", "/CropBox [-50 300 400 2000]"];
  for (const rotate of [0, 90, 180, 270, 450]) {
    for (const box of boxes) {
      for (const unit of [1, 2.5]) {
        test(`Rotate ${rotate} ${box} UserUnit ${unit}`, async () => {
          const bytes = writePdf(onePage({ content: text("Sign here", 200, 400, 18), page: `/Rotate ${rotate} ${box} /UserUnit ${unit}` }));
          const doc = await openPdf(bytes, createBudget());
          const [result] = findAnchors(doc, [{ anchor_text: "sign HERE" }]);
          const { chars, shown: at } = await readPdfiumPage(bytes);
          const first = chars[0] ?? expect.fail("PDFium reads nothing");
          const last = chars.at(-1) ?? first;
          const corners = [at(first.x, first.y + DESCENT * 18), at(last.right, first.y + ASCENT * 18)] as const;
          const [left, right] = corners.map(([x]) => x).sort((a, b) => a - b) as [number, number];
          const [top, bottom] = corners.map(([, y]) => y).sort((a, b) => a - b) as [number, number];
          const match = result?.found === true ? result.match : expect.fail("not found");
          for (const [ours, theirs] of [
            [match.x, left],
            [match.y, top],
            [match.x + match.w, right],
            [match.y + match.h, bottom],
          ] as const) {
            expect(Math.abs(ours - theirs)).toBeLessThan(0.002);
          }
        });
      }
    }
  }
});

describe("text is found", () => {
  test.each([
    ["across runs", "(Si) Tj (gn he) Tj (re) Tj", "sign here"],
    ["across kerning", "[(S) -90 (i) 40 (gn) -278 (here)] TJ", "sign here"],
    ["with letters spaced out by kerning", "[(S) -200 (i) -200 (g) -200 (n)] TJ", "sign"],
    ["with letters spaced out by Tc", "6 Tc (Sign) Tj", "sign"],
    ["across a line break", "(Sign) Tj 0 -14 Td (here) Tj", "sign here"],
    [
      "across a line break in a table cell, although painted row by row",
      "(Sign) Tj 200 0 Td (Other) Tj -200 -14 Td (here) Tj 200 0 Td (cell) Tj",
      "sign here",
    ],
    ["across fonts and sizes", "(Sign ) Tj /F1 14 Tf (here) Tj", "sign here"],
    ["with a gap instead of a space", "(Sign) Tj 40 0 Td (here) Tj", "sign here"],
    ["invisible", "3 Tr (Sign here) Tj", "sign here"],
    ["slightly raised", "(Sign) Tj 4 Ts (2) Tj", "sign2"],
  ])("%s", async (_, content, anchor) => {
    expect(await matches(shown(content), anchor)).toBe(1);
  });

  test.each([
    ["across a space that is not in the anchor", "(Sign here) Tj", "signhere"],
    ["without its accent", "(caf\\351) Tj", "cafe"],
    ["backwards", "(here Sign) Tj", "sign here"],
  ])("but not %s", async (_, content, anchor) => {
    expect(await matches(shown(content), anchor)).toBe(0);
  });

  test("drawn out of order, by its lines", async () => {
    const content = "BT /F1 12 Tf 130 700 Td (here) Tj ET BT /F1 12 Tf 72 650 Td (other) Tj ET BT /F1 12 Tf 103 700 Td (Sign) Tj ET";
    expect(await matches({ content }, "sign here")).toBe(1);
  });

  test("once, although fake bold paints it twice", async () => {
    const twice = "BT /F1 12 Tf 72 700 Td (Sign here) Tj ET BT /F1 12 Tf 72.4 700 Td (Sign here) Tj ET";
    expect(await matches({ content: twice }, "sign")).toBe(1);
    const byLetter = "BT /F1 12 Tf 72 700 Td [(S) 650 (S) (i) 210 (i) (g) 540 (g) (n) 540 (n)] TJ ET";
    expect(await matches({ content: byLetter }, "sign")).toBe(1);
  });

  test("in columns, in content order", async () => {
    const column = (x: number, words: string) =>
      `BT /F1 12 Tf ${x} 700 Td 14 TL ${words
        .split("|")
        .map((word) => `(${word}) '`)
        .join(" ")} ET`;
    expect(await matches({ content: `${column(72, "please sign|here below")} ${column(300, "another|column")}` }, "sign here")).toBe(1);
  });

  test("in vertical writing", async () => {
    const more = { ...composite("/Identity-V"), 5: composite("/Identity-V")[20] ?? "" };
    const [result] = await find(onePage({ content: "BT /F1 20 Tf 300 700 Td <7F72540D0020> Tj ET", more }), "署名");
    const match = result?.found === true ? result.match : expect.fail("not found");
    expect([match.x * 612, match.y * 792, match.w * 612, match.h * 792].map(Math.round)).toEqual([290, 92, 20, 40]);
  });

  test("in a layer that is on, but not in one that is off", async () => {
    const layers = "/OCProperties << /OCGs [10 0 R 11 0 R] /D << /OFF [11 0 R] >> >>";
    const more = { 10: "<< /Type /OCG /Name (on) >>", 11: "<< /Type /OCG /Name (off) >>" };
    const content = `/OC /L1 BDC ${text("Sign")} EMC /OC /L2 BDC ${text("Sign", 72, 600)} EMC`;
    expect(await matches({ content, catalog: layers, more, resources: "/Properties << /L1 10 0 R /L2 11 0 R >>" }, "sign")).toBe(1);
  });

  test("but not outside the displayed page", async () => {
    const content = `${text("Sign", 72, 700)} ${text("Sign", 72, 900)} ${text("Sign", -300, 400)}`;
    expect(await matches({ content }, "sign")).toBe(1);
  });
});

test("the match is the first line of the text", async () => {
  const [whole, one] = await find(onePage(shown("(Sign) Tj 0 -14 Td (here) Tj")), "sign here", "sign");
  expect(whole?.found === true && one?.found === true && whole.match).toEqual(one?.found === true && one.match);
});

test("a space at the end of a line is no part of the match", async () => {
  const [whole, one] = await find(onePage(shown("(Sign  ) Tj 0 -14 Td (here) Tj")), "sign here", "sign");
  expect(whole?.found === true && one?.found === true && whole.match).toEqual(one?.found === true && one.match);
});

test("Chinese, Japanese and Korean text goes on in the next line without a space", async () => {
  const more = { ...composite("/Identity-H"), 5: composite("/Identity-H")[20] ?? "" };
  const content = "BT /F1 20 Tf 72 700 Td <66F8970A7F72> Tj 0 -24 Td <540D6B04> Tj ET";
  expect(await matches({ content, more }, "署名欄")).toBe(1);
  expect(await matches({ content, more }, "署名")).toBe(1);
});

test("occurrences are counted in document order, and within the page if one is given", async () => {
  const objects = pages(3);
  objects[15] = stream("", `${text("Page one", 72, 300)} ${text("page two", 72, 700)}`);
  const results = await find(
    objects,
    { anchor_text: "page", occurrence: 3 },
    { anchor_text: "page", occurrence: 2, page: 2 },
    { anchor_text: "page", occurrence: 4 },
  );
  expect(results.map((result) => (result.found ? [result.page, result.matches, Math.round(result.match.y * 792)] : result))).toEqual([
    [2, 4, 83],
    [2, 2, 83],
    [3, 4, 83],
  ]);
});

test("failures are returned for all queries at once", async () => {
  const queries = [
    { anchor_text: "nowhere" },
    { anchor_text: "sign", occurrence: 2 },
    { anchor_text: "sign", page: 2 },
    { anchor_text: " \u00ad " },
  ];
  expect(await find(onePage(), ...queries)).toEqual([
    { found: false, fault: "anchor_not_found", matches: 0 },
    { found: false, fault: "occurrence_out_of_range", matches: 1 },
    { found: false, fault: "out_of_range", matches: 0 },
    { found: false, fault: "anchor_not_found", matches: 0 },
  ]);
});

test("more than 500 anchors are rejected", async () => {
  await expect(find(onePage(), ...Array.from({ length: 501 }, () => "x"))).rejects.toThrow(/500 anchors/);
});

test("the stored file without tags gives the same results as the upload", async () => {
  const content = `BT /F1 12 Tf 72 700 Td 14 TL (Sign {{Sign;type=signature}} here) Tj (sign {{x;role=sign}}) ' (sign) ' ET`;
  const doc = await openPdf(writePdf(onePage({ content })), createBudget());
  const queries = [1, 2, 3, 4]
    .map((occurrence) => ({ anchor_text: "sign", occurrence }))
    .concat([{ anchor_text: "sign here", occurrence: 1 }]);
  const before = findAnchors(doc, queries);
  expect(before.map((result) => result.matches)).toEqual([3, 3, 3, 3, 1]);
  removeTags(doc, findTags(doc).spans);
  expect(findAnchors(await openPdf(await save(doc), createBudget()), queries)).toEqual(before);
});

describe("a match's box covers its characters, whatever they are", () => {
  // The types describe the ES build; Node loads the other build, whose whole export is the function.
  const bidi = (bidiFactory as unknown as () => Bidi)();
  const directionOf = (point: number): string => bidi.getBidiCharTypeName(String.fromCodePoint(point));
  const readsFromRight = (point: number): boolean => /^(R|AL)$/.test(directionOf(point));
  const readsFromLeft = (point: number): boolean => directionOf(point) === "L";
  const within = (min: number, max: number) =>
    fc.integer({ min, max }).filter((point) => /[\p{L}\p{N}]/u.test(String.fromCodePoint(point)));
  const any = within(0x21, 0xd7ff);
  const fromRight = within(0x590, 0x8ff).filter(readsFromRight); // one in seventy of all characters: in random text they would hardly ever be adjacent
  const digit = fc.constantFrom(..."0189٠٩۰۹").map((char) => char.codePointAt(0) ?? 0);

  /** As a producer paints it: right-to-left runs are laid out visually, by the Unicode algorithm. */
  const painted = (text: string): string => bidi.getReorderedString(text, bidi.getEmbeddingLevels(text, "ltr"));

  const holds = (texts: fc.Arbitrary<number[]>, examples: [number[], number][] = []) =>
    fc.assert(
      fc.asyncProperty(texts, fc.nat(3), async (points, lead) => {
        const anchor = String.fromCodePoint(...points);
        const codes = [...painted(`${".".repeat(lead)}${anchor}.`)]
          .map((char) => char.charCodeAt(0).toString(16).padStart(4, "0"))
          .join("");
        const more = { ...composite("/Identity-H", "/DW 700"), 5: composite("/Identity-H", "/DW 700")[20] ?? "" };
        const [result] = await find(onePage({ content: `BT /F1 10 Tf 100 400 Td <${codes}> Tj ET`, more }), anchor);
        const match = result?.found === true ? result.match : expect.fail("not found");
        expect(match.x * 612).toBeCloseTo(100 + 7 * lead, 2);
        expect(match.w * 612).toBeCloseTo(7 * points.length, 2);
      }),
      { numRuns: tries(40), examples },
    );

  test("for letters and numbers of left-to-right scripts", async () => {
    await holds(
      fc.array(
        any.filter((point) => !readsFromRight(point)),
        { minLength: 2, maxLength: 8 },
      ),
    );
  });

  test("for letters of all scripts side by side", async () => {
    const letter = fc.oneof(
      any.filter((point) => readsFromLeft(point) || readsFromRight(point)),
      fromRight,
    );
    await holds(fc.array(letter, { minLength: 2, maxLength: 8 }), [[[0x620, 0x621, 0x1090, 0x370], 0]]);
  });

  test("for numbers between right-to-left letters", async () => {
    const text = fc.tuple(fc.array(fromRight, { minLength: 1, maxLength: 3 }), fc.array(digit, { maxLength: 4 }), fromRight);
    await holds(text.map((parts) => parts.flat()));
  });
});

test("a long document is searched page by page", async () => {
  const objects = pages(60);
  objects[11 + 2 * 60] = flate("", text("Last words"));
  const [result] = await find(objects, "last WORDS");
  expect(result).toMatchObject({ found: true, page: 60, matches: 1 });
});

describe("Hebrew and Arabic", () => {
  const more = { ...composite("/Identity-H", "/DW 500"), 5: composite("/Identity-H", "/DW 500")[20] ?? "" };
  const codes = (text: string) => [...text].map((char) => (char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")).join("");
  const reversed = (text: string) => [...text].reverse().join("");

  test("are found as typed, although painted from left to right", async () => {
    const content = `BT /F1 10 Tf 100 400 Td <${codes(`x ${reversed("חתימה 2026 כאן").replace("6202", "2026")} y`)}> Tj ET`;
    const [result, number] = await find(onePage({ content, more }), "חתימה 2026 כאן", "2026");
    expect(result?.found === true && [result.match.x * 612, result.match.w * 612].map(Math.round)).toEqual([110, 70]);
    expect(number?.matches).toBe(1);
  });

  test("are found with kerning, which moves letters closer to each other", async () => {
    for (const kerning of [30, 80, 200]) {
      const letters = [...reversed("חתימה כאן")].map((char) => `<${codes(char)}>`).join(` ${kerning} `);
      const wide = { ...composite("/Identity-H", "/DW 700"), 5: composite("/Identity-H", "/DW 700")[20] ?? "" };
      expect(await matches({ content: `BT /F1 10 Tf 100 400 Td [${letters}] TJ ET`, more: wide }, "חתימה כאן")).toBe(1);
    }
  });

  test("are found with a number at their edge, whichever was typed first", async () => {
    const paint = (text: string): OnePage => ({ content: `BT /F1 10 Tf 100 400 Td <${codes(text)}> Tj ET`, more });
    for (const painted of [`12.5 ${reversed("סעיף")}`, `${reversed("סעיף")} 12.5`]) {
      for (const anchor of ["סעיף 12.5", "12.5 סעיף", "סעיף", "12.5"])
        expect([anchor, await matches(paint(painted), anchor)]).toEqual([anchor, 1]);
    }
    expect(await matches(paint(`2026-01-31 :${reversed("תאריך")}`), "תאריך: 2026-01-31")).toBe(1);
    expect(await matches(paint(`(${reversed("הקונה")}) ${reversed("חתימה")}`), "חתימה (הקונה)")).toBe(1);
    expect(await matches(paint(`Acme Ltd ${reversed("בשם")}`), "בשם Acme Ltd")).toBe(1);
  });

  test("keep the order of the letters of a ligature", async () => {
    const ligature = { ...more, 23: toUnicode("1 beginbfrange <0000> <FFFF> <0000> endbfrange 1 beginbfchar <0001> <06440627> endbfchar") };
    expect(await matches({ content: `BT /F1 10 Tf 100 400 Td <${codes("م")}0001${codes("س")}> Tj ET`, more: ligature }, "سلام")).toBe(1);
  });

  test("are found when each letter is placed to the left of the one before", async () => {
    const letters = [..."חתימה כאן"].map((char, i) => `1 0 0 1 ${300 - 5 * i} 400 Tm <${codes(char)}> Tj`);
    expect(await matches({ content: `BT /F1 10 Tf ${letters.join(" ")} ET`, more }, "חתימה כאן")).toBe(1);
  });
});

describe("the pages with a mark", () => {
  const painting = async (odd: OnePage, mark = "COPY, not the original") =>
    pagesWithText(await openPdf(writePdf(onePage(odd)), createBudget()), mark);

  test("are found whether the mark comes last or a page full of text follows, in one string or several", async () => {
    const filling = text("x".repeat(600), 72, 500, 2);
    for (const content of [
      text("COPY, not the original"),
      `${filling} ${text("Copy,  not the original")}`,
      `${text("COPY, not the original")} ${filling}`,
    ])
      expect(await painting({ content })).toEqual([1]);
    expect(await painting(shown("[(COPY, n) -20 (ot the) 120 (original)] TJ"))).toEqual([1]);
    expect(await painting({ content: text("COPY") })).toEqual([]);
  });

  test("are not found if it is in a layer that is off", async () => {
    const layers = "/OCProperties << /OCGs [11 0 R] /D << /OFF [11 0 R] >> >>";
    const more = { 11: "<< /Type /OCG /Name (off) >>" };
    const content = `/OC /L2 BDC ${text("COPY, not the original")} EMC`;
    expect(await painting({ content, catalog: layers, more, resources: "/Properties << /L2 11 0 R >>" })).toEqual([]);
  });

  test("are returned by number", async () => {
    const doc = await openPdf(writePdf(pages(3)), createBudget());
    expect(["page", "page 2", "page 4"].map((mark) => pagesWithText(doc, mark))).toEqual([[1, 2, 3], [2], []]);
  });
});
