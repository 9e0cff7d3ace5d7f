import { createBudget } from "pako";
import { describe, expect, test } from "vitest";
import fc from "../../../testing/properties.ts";
import { composite, toUnicode, type3 } from "../../fixtures/fonts.ts";
import { type OnePage, onePage } from "../../fixtures/pages.ts";
import { readPdfiumPage } from "../../fixtures/pdfium-chars.ts";
import { flate, type Objects, stream, writePdf } from "../../fixtures/writer.ts";
import { UnreadablePdf } from "../errors.ts";
import { findTags } from "../find-tags.ts";
import { openPdf } from "../open.ts";
import { removeTags } from "../remove-tags.ts";
import { createReader } from "./interpret.ts";

type Read = { text: string; x: number; y: number };

async function read(bytes: Uint8Array): Promise<Read[]> {
  const doc = await openPdf(bytes, createBudget());
  const reader = createReader(doc);
  const { glyphs } = reader.readPage(doc.pages[0] ?? expect.fail("no page"));
  return Array.from({ length: glyphs.count }, (_, i) => ({
    text: reader.texts.text(glyphs.text[i] ?? 0),
    x: glyphs.x[i] ?? 0,
    y: glyphs.y[i] ?? 0,
  }));
}

const textOf = async (odd: OnePage): Promise<string> => (await read(writePdf(onePage(odd)))).map(({ text }) => text).join("");

// PDFium inserts spaces and line ends, so they are ignored on both sides.
async function expectAsPdfium(odd: OnePage, atLeast = 1): Promise<void> {
  const bytes = writePdf(onePage(odd));
  const ours = (await read(bytes)).filter(({ text }) => text.trim() !== "");
  const theirs = (await readPdfiumPage(bytes)).chars.filter(({ char }) => char.trim() !== "");
  expect(ours.map(({ text }) => text).join("")).toBe(theirs.map(({ char }) => char).join(""));
  expect(ours.length).toBeGreaterThanOrEqual(atLeast);
  for (const [i, glyph] of ours.entries()) {
    expect(glyph.x, `x of ${glyph.text} (${i})`).toBeCloseTo(theirs[i]?.x ?? Number.NaN, 2);
    expect(glyph.y, `y of ${glyph.text} (${i})`).toBeCloseTo(theirs[i]?.y ?? Number.NaN, 2);
  }
}

describe("each operator puts its glyphs where PDFium does", () => {
  const tf = "BT /F1 12 Tf";
  test.each([
    ["Td, TD and T*", `${tf} 72 700 Td (One) Tj 10 -14 TD (Two) Tj T* (Three) Tj ET`],
    ["Tm and Ts", `${tf} 0.9 0.2 -0.2 0.9 100 500 Tm 4 Ts (Turned) Tj -4 Ts (Back) Tj ET`],
    ["Tc, Tw, Tz and TL", `${tf} 72 700 Td 2 Tc 5 Tw 80 Tz 16 TL (a b c) Tj T* (d e) Tj ET`],
    ["' and \"", `${tf} 72 700 Td 14 TL (One) Tj (Two) ' 3 1 (T h) " (four) Tj ET`],
    ["TJ with numbers", `${tf} 72 700 Td [(A) 120 (W) -300 (A) 95.5 (Y)] TJ (end) Tj ET`],
    [
      "cm, q and Q",
      `q 2 0 0 2 10 20 cm q 0.5 0 0 0.5 0 0 cm ${tf} 72 700 Td (in) Tj ET Q ${tf} 50 100 Td (mid) Tj ET Q ${tf} 72 600 Td (out) Tj ET`,
    ],
    ["Q without q", `Q Q ${tf} 72 700 Td (still) Tj ET`],
    ["gs with a font", `/G1 gs BT 72 700 Td (state) Tj ET`],
    ["text outside BT and ET", `${tf} 72 700 Td (a) Tj ET BT /F1 10 Tf 90 700 Td (b) Tj ET`],
    ["Tr 3, invisible", `${tf} 72 700 Td 3 Tr (scan) Tj ET`],
    ["marked content", `/P <</MCID 0>> BDC ${tf} 72 700 Td (marked) Tj ET EMC /A BMC ${tf} 72 650 Td (more) Tj ET EMC`],
    ["an unfiltered inline image with EI in its data", `q BI /W 4 /H 1 /BPC 8 /CS /G ID  EI EI Q ${tf} 72 700 Td (after) Tj ET`],
    ["a filtered inline image", `q BI /W 2 /H 2 /BPC 8 /CS /G /F /AHx ID 00FF EI x 00FF>\nEI Q ${tf} 72 700 Td (after) Tj ET`],
    ["unknown operators and too many operands", `${"1 ".repeat(300)} foo ${tf} 72 700 Td (known) Tj ET`],
  ])("%s", async (_, content) => {
    await expectAsPdfium({ content, resources: "/ExtGState << /G1 << /Font [5 0 R 14] >> >>" });
  });
});

test("the parts of a page's content are one stream, separated by white space", async () => {
  const more = {
    10: stream("", "BT /F1 12 Tf 72 700 Td (one) T"),
    11: flate("", "j ET BT /F1 12 Tf 72 650 Td (two) Tj"),
    12: stream("", "ET"),
  };
  const odd = onePage({ more });
  const bytes = writePdf({ ...odd, 3: String(odd[3]).replace("/Contents 4 0 R", "/Contents [10 0 R 11 0 R 12 0 R]") });
  expect((await read(bytes)).map(({ text }) => text).join("")).toBe("two");
});

const fontRow = (dict: string, more: Objects = {}): OnePage => ({
  content: "BT /F9 20 Tf 72 700 Td <41e97bad80> Tj 30 0 Td <4142> Tj ET",
  resources: "",
  more: { 20: dict, ...more },
});

// The page's only font is F1; these fixtures name theirs F9.
const withFont = (odd: OnePage): OnePage => ({ ...odd, resources: `${odd.resources ?? ""} /X 1`, page: "" });

function onePageWithFont(odd: OnePage): Uint8Array {
  const objects = onePage(withFont(odd));
  return writePdf({ ...objects, 3: String(objects[3]).replace("/F1 5 0 R", "/F1 5 0 R /F9 20 0 R") });
}

describe("fonts", () => {
  const widths = `/FirstChar 65 /LastChar 66 /Widths [500 900]`;
  test.each([
    ["a standard font", "<< /Type /Font /Subtype /Type1 /BaseFont /Times-BoldItalic /Encoding /WinAnsiEncoding >>", "Aé{-€AB"],
    ["Mac encoding", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /MacRomanEncoding >>", "AÈ{≠ÄAB"],
    ["standard encoding", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>", "AØ{›AB"],
    [
      "differences",
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [65 /Sigma /uni0416 233 /f_i] >> >>",
      "Σfi{›ΣЖ",
    ],
    [
      "ToUnicode takes precedence over the encoding",
      `<< /Type /Font /Subtype /TrueType /BaseFont /Foo ${widths} /Encoding /WinAnsiEncoding /ToUnicode 21 0 R >>`,
      "Xé{-€XYZ",
    ],
    ["Symbol", "<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>", "Α{↑ΑΒ"],
  ])("%s", async (_, dict, expected) => {
    const bytes = onePageWithFont(
      fontRow(dict, { 21: toUnicode("2 beginbfchar <41> <0058> <42> <0059005A> endbfchar 1 beginbfchar <7b> <E000> endbfchar", 1) }),
    );
    const text = (await read(bytes)).map((glyph) => glyph.text).join("");
    expect(text).toBe(expected);
  });

  test("stated widths move the pen; the descriptor gives the default", async () => {
    const dict = `<< /Type /Font /Subtype /TrueType /BaseFont /Foo ${widths} /FontDescriptor << /MissingWidth 250 >> /Encoding /WinAnsiEncoding >>`;
    const bytes = onePageWithFont({ content: "BT /F9 10 Tf 0 0 Td (ABCA) Tj ET", more: { 20: dict } });
    expect((await read(bytes)).map(({ x }) => x)).toEqual([0, 5, 14, 16.5]);
  });

  test("two-byte codes and widths by CID agree with PDFium", async () => {
    const more = composite("/Identity-H", "/DW 600 /W [65 [700 800] 67 70 900]");
    const bytes = onePageWithFont({ content: "BT /F9 20 Tf 72 700 Td <00410042004300470041> Tj ET", more });
    const ours = await read(bytes);
    const theirs = (await readPdfiumPage(bytes)).chars;
    expect(ours.map(({ text }) => text).join("")).toBe("ABCGA");
    expect(ours.map(({ x }) => x)).toEqual([72, 86, 102, 120, 132]);
    expect(theirs.map(({ x }) => Math.round(x * 100) / 100)).toEqual([72, 86, 102, 120, 132]);
  });

  test("vertical writing advances by W2, or by one em", async () => {
    const more = composite("/Identity-V", "/DW 1000 /W2 [66 [-500 300 880]]");
    const bytes = onePageWithFont({ content: "BT /F9 20 Tf 300 700 Td 2 Tc <004100420043> Tj ET", more });
    expect((await read(bytes)).map(({ y }) => y)).toEqual([700, 682, 674]);
  });

  test("the CMap's ranges distinguish codes of one and two bytes", async () => {
    const cmap =
      "2 begincodespacerange <00> <80> <8140> <9ffc> endcodespacerange 2 begincidrange <20> <7e> 1 <8140> <817e> 633 endcidrange";
    const more = { ...composite("24 0 R"), 24: stream("/Type /CMap /CMapName /X", `begincmap ${cmap} endcmap`) };
    const bytes = onePageWithFont({ content: "BT /F9 20 Tf 72 700 Td <4181424242> Tj ET", more });
    expect((await read(bytes)).map(({ text }) => text)).toEqual(["A", "\u8142", "B", "B"]);
  });

  test.each([
    ["90ms-RKSJ-H", "<82a0418abf>", "あA漢"],
    ["GBK-EUC-H", "<41baba>", "A汉"],
    ["ETen-B5-H", "<41ba7e>", "A漢"],
    ["KSCms-UHC-H", "<41c7d1>", "A한"],
    ["H", "<34412422>", "漢あ"],
    ["V", "<34412422>", "漢あ"],
    ["EUC-H", "<41b4c18eb1>", "A漢ｱ"],
    ["GBT-EUC-H", "<41baba>", "A漢"],
    ["GBK2K-H", "<41baba81308130>", "A汉"],
    ["CNS-EUC-H", "<41c4a18ea2a1a2>", "A一乜"],
    ["HKscs-B5-H", "<41ba7e>", "A漢"],
    ["KSC-Johab-H", "<41d065>", "A한"],
    ["UniJIS-UTF16-H", "<0041d83dde006f22>", "A😀漢"],
    ["UniGB-UCS2-H", "<00416c49>", "A汉"],
  ])("the predefined CMap %s", async (name, codes, expected) => {
    const more = composite(`/${name}`);
    const font = String(more[20]).replace("/ToUnicode 23 0 R", "");
    const bytes = onePageWithFont({ content: `BT /F9 20 Tf 72 700 Td ${codes} Tj ET`, more: { ...more, 20: font } });
    expect((await read(bytes)).map(({ text }) => text).join("")).toBe(expected);
  });

  test.each([
    ["Japan1", "<0022034f05fd039e>", "Aう漢ア"],
    ["GB1", "<002207711233>", "A汉字"],
    ["CNS1", "<0022100f176d>", "A漢乜"],
    ["Korea1", "<00220ce01dd8>", "A한漢"],
    ["KR", "<00220b13405a>", "A한漢"],
  ])("without ToUnicode, the characters of the collection %s", async (ordering, codes, expected) => {
    const more = composite("/Identity-H");
    const font = String(more[20]).replace("/ToUnicode 23 0 R", "");
    const descendant = String(more[21]).replace("(Identity)", `(${ordering})`);
    const bytes = onePageWithFont({ content: `BT /F9 20 Tf 72 700 Td ${codes} Tj ET`, more: { ...more, 20: font, 21: descendant } });
    expect((await read(bytes)).map(({ text }) => text).join("")).toBe(expected);
  });

  test("widths of a predefined CMap are those of its CIDs", async () => {
    const more = composite("/90ms-RKSJ-H", "/DW 1000 /W [231 632 500]");
    const bytes = onePageWithFont({ content: "BT /F9 20 Tf 72 700 Td <41b1c48abf41> Tj ET", more });
    expect((await read(bytes)).map(({ x }) => x)).toEqual([72, 82, 92, 102, 122]);
  });

  test("a Unicode CMap has full-width kana, and half-width forms where its name says so", async () => {
    for (const [name, expected] of [
      ["UniJIS-UCS2-H", [72, 92, 112]],
      ["UniJIS-UCS2-HW-H", [72, 92, 102]],
    ] as const) {
      const more = composite(`/${name}`, "/DW 1000 /W [231 632 500]");
      const bytes = onePageWithFont({ content: "BT /F9 20 Tf 72 700 Td <304600410041> Tj ET", more });
      expect((await read(bytes)).map(({ x }) => x)).toEqual(expected);
    }
  });

  test("an unknown CMap, or one whose name is a path, counts as two bytes per code", async () => {
    for (const name of ["Nothing-H", "..#2F..#2Fpackage.json", "90ms-RKSJ-H.cmap"]) {
      const bytes = onePageWithFont({ content: "BT /F9 20 Tf 72 700 Td <00410042> Tj ET", more: composite(`/${name}`) });
      expect((await read(bytes)).map(({ text }) => text).join("")).toBe("AB");
    }
  });

  test("Type 3 widths use the font's own matrix", async () => {
    for (const scale of [0.001, 1, 0.05]) {
      const bytes = onePageWithFont({
        content: "BT /F9 20 Tf 72 700 Td (AB) Tj ET",
        more: { ...type3(scale), 20: type3(scale)[30] ?? "" },
      });
      const glyphs = await read(bytes);
      expect(glyphs.map(({ text }) => text)).toEqual(["A", "B"]);
      expect(glyphs[1]?.x).toBeCloseTo(84, 6);
    }
  });
});

describe("forms and appearances", () => {
  const form = (content: string, more = "") => flate(`/Type /XObject /Subtype /Form /BBox [0 0 500 500] ${more}`, content);
  const f1 = "/Resources << /Font << /F1 5 0 R >> >>";

  test("a nested form is placed as in PDFium", async () => {
    await expectAsPdfium({
      content: "q 1 0 0 1 50 60 cm /A Do Q BT /F1 12 Tf 72 700 Td (page) Tj ET",
      resources: "/XObject << /A 10 0 R >>",
      more: {
        10: form(
          "BT /F1 12 Tf 10 10 Td (outer) Tj ET 0.5 0 0 0.5 0 100 cm /B Do",
          "/Matrix [1 0 0.2 1 5 5] /Resources << /Font << /F1 5 0 R >> /XObject << /B 11 0 R >> >>",
        ),
        11: form("BT /F1 12 Tf 10 10 Td (inner) Tj ET", `/Matrix [0 1 -1 0 0 0] ${f1}`),
      },
    });
  });

  test("a form without resources uses its caller's, and one that paints itself terminates", async () => {
    const odd = { resources: "/XObject << /A 10 0 R >>", more: { 10: form("BT /F1 12 Tf 10 10 Td (again) Tj ET /A Do") } };
    expect(await textOf({ ...odd, content: "/A Do /A Do" })).toBe("againagain");
  });

  test("forms nested beyond the limit fail the file", async () => {
    const forms: Record<number, ReturnType<typeof form>> = {};
    for (let i = 0; i < 20; i++) forms[10 + i] = form("/N Do", `/Resources << /XObject << /N ${11 + i} 0 R >> >>`);
    const objects = onePage({ content: "/N Do", resources: "/XObject << /N 10 0 R >>", more: { ...forms, 30: form("") } });
    await expect(read(writePdf(objects))).rejects.toThrow(UnreadablePdf);
  });

  test("forms that double at every level fail the file quickly", async () => {
    const forms: Record<number, ReturnType<typeof form>> = {};
    for (let i = 0; i < 15; i++) forms[10 + i] = form("/N Do /N Do /N Do", `/Resources << /XObject << /N ${11 + i} 0 R >> >>`);
    const objects = onePage({ content: "/N Do", resources: "/XObject << /N 10 0 R >>", more: { ...forms, 25: form("") } });
    await expect(read(writePdf(objects))).rejects.toThrow(/10,000 forms/);
  });

  test("an annotation's appearance fills its rectangle", async () => {
    const annotation = "<< /Type /Annot /Subtype /Stamp /Rect [100 100 300 200] /AP << /N << /On 11 0 R /Off 12 0 R >> >> /AS /On >>";
    const appearance = (text: string) =>
      stream(`/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Matrix [1 0 0 1 0 0] ${f1}`, `BT /F1 10 Tf 10 20 Td (${text}) Tj ET`);
    const bytes = writePdf(
      onePage({ content: "", page: "/Annots [10 0 R]", more: { 10: annotation, 11: appearance("on"), 12: appearance("off") } }),
    );
    const glyphs = await read(bytes);
    expect(glyphs.map(({ text }) => text).join("")).toBe("on");
    expect(glyphs[0]).toMatchObject({ x: 120, y: 120 });
  });
});

describe("ActualText", () => {
  const span = (actual: string, shown: string) => `/Span <</ActualText ${actual}>> BDC BT /F1 12 Tf 72 700 Td (${shown}) Tj ET EMC`;

  test("replaces the shown text, on the first glyph", async () => {
    const glyphs = await read(writePdf(onePage({ content: span("<FEFF00660069>", "abc") })));
    expect(glyphs.map(({ text }) => text)).toEqual(["fi", "", ""]);
  });

  test("that repeats the shown text leaves each glyph its own text", async () => {
    expect((await read(writePdf(onePage({ content: span("(a b)", "ab") })))).map(({ text }) => text)).toEqual(["a", "b"]);
  });

  test("may be in the resources, and the outermost one counts", async () => {
    const content = `/Span /P1 BDC ${span("(inner)", "x")} EMC`;
    expect(await textOf({ content, resources: "/Properties << /P1 << /ActualText (outer) >> >>" })).toBe("outer");
  });
});

describe("limits", () => {
  test("a million glyphs a page", async () => {
    const content = `BT /F1 1 Tf ${`(${"x".repeat(1000)}) Tj `.repeat(1001)} ET`;
    await expect(read(writePdf(onePage({ content })))).rejects.toThrow(/1,000,000 glyphs/);
  });

  test("a graphics stack of 512", async () => {
    await expect(read(writePdf(onePage({ content: "q ".repeat(513) })))).rejects.toThrow(/512/);
    expect(await textOf({ content: `${"q ".repeat(512)} BT /F1 1 Tf (x) Tj ET` })).toBe("x");
  });

  test("five million operators a page", async () => {
    const more = { 10: flate("", "n ".repeat(5_000_001)) };
    const objects = onePage({ more });
    await expect(read(writePdf({ ...objects, 3: String(objects[3]).replace("4 0 R", "10 0 R") }))).rejects.toThrow(/5,000,000 operators/);
  });
});

test("interpreting any content terminates, with a result or an error", async () => {
  const word = fc.constantFrom(
    ..."q Q cm BT ET Tf Td TD Tm T* Tj TJ ' \" Tc Tw Tz TL Ts Do BDC BMC EMC BI ID EI gs 0 -1 1e9 .5 99999999999 /F1 /A /OC /Span [ ] << >> ( ) < > { } (x) <41> [(a)-9(b)] {{a}} ({{a}}) % \\".split(
      " ",
    ),
  );
  const form = stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9]", "BT /F1 1 Tf ({{a}}) Tj ET /A Do");
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 60 }), async (words) => {
      const objects = onePage({ content: words.join(" "), resources: "/XObject << /A 10 0 R >>", more: { 10: form } });
      const doc = await openPdf(writePdf(objects), createBudget());
      try {
        removeTags(doc, findTags(doc).spans);
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadablePdf);
      }
    }),
    { numRuns: 300 },
  );
});
