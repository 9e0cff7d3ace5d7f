import { expect, describe as group, test } from "vitest";
import { onePage, text } from "../fixtures/pages.ts";
import { type Objects, stream, writePdf } from "../fixtures/writer.ts";
import { jobs } from "./jobs.ts";
import { onlyCuts } from "./only-cuts.ts";
import { unchangedPages } from "./unchanged-pages.ts";

const bytes = (content: string): Uint8Array => Buffer.from(content, "latin1");
// Each letter is half an em wide, a digit has no width; the codes of /F2 have two bytes.
const half = { bytes: 1, widthOf: (code: number) => (code >= 0x30 && code <= 0x39 ? Number.NaN : 500) } as const;
const wide = { bytes: 2, widthOf: () => 1000 } as const;
const resources = {
  widths: (name: string) => (name === "F1" ? half : name === "F2" ? wide : null),
  setsFont: (name: string) => name === "WithFont",
};
const cut = (old: string, now: string): boolean => onlyCuts(bytes(old), bytes(now), resources);

group("a content differs only in texts of which a part is missing", () => {
  test.each([
    ["a tag after a text", "BT (Name: {{a}}) Tj ET", "BT [<4e616d653a20> -2000] TJ ET"],
    ["a text that is nothing but a tag", "BT 9 9 Td ({{a}}) Tj 0 -12 Td (b) Tj ET", "BT 9 9 Td [-2000] TJ 0 -12 Td (b) Tj ET"],
    ["a tag in several texts", "BT ({{) Tj [(a) 20 (})] TJ (}) Tj ET (b) Tj", "BT [-900] TJ [-1000] TJ [-500] TJ ET (b) Tj"],
    ["kerned text before a tag", "[(Na) -12.5 (m) 3 (e{{a}})] TJ", "[<4e61> -12.5 <6d> 3 <65> -1900.1234] TJ"],
    ["moves that follow each other", "[(N) 10 20 () 5 (e{{a}})] TJ", "[<4e> 35 <65> -1900] TJ"],
    ["a tag on a new line", "12 TL ({{a}}) ' (b) '", "12 TL  T* [-2000] TJ (b) '"],
    ["a tag on a new line with its own spacing", '1 .5 (a{{a}}) "', " 1 Tw 0.5 Tc T* [<61> -2000] TJ"],
    ["nothing at all", "q /F1 12 Tf << /A [1 (b)] >> BDC Q", "q /F1 12 Tf << /A [1 (b)] >> BDC Q"],
    ["a tag within a text", "/F1 12 Tf (a{{b}}c) Tj (d) Tj", "/F1 12 Tf [<61> -2500 <63>] TJ (d) Tj"],
    ["a tag before a text, with moves inside", "/F1 12 Tf [({{) 20 (b}) -30 (}c)] TJ", "/F1 12 Tf [-2510 <63>] TJ"],
    ["two tags in a text", "/F1 12 Tf ({{b}} {{b}}.) Tj", "/F1 12 Tf [-2500 <20> -2500 <2e>] TJ"],
    ["spacing of characters and words", "/F1 10 Tf 1 Tc 2 Tw ({ }c) Tj", "/F1 10 Tf 1 Tc 2 Tw [-2000 <63>] TJ"],
    ["the font of before Q", "/F1 9 Tf q /F9 9 Tf Q ({{b}}c) Tj", "/F1 9 Tf q /F9 9 Tf Q [-2500 <63>] TJ"],
    ["codes of two bytes", "/F2 9 Tf <000100020003> Tj (abab) Tj", "/F2 9 Tf [<0001> -1000 <0003>] TJ (abab) Tj"],
  ])("%s", (_, old, now) => {
    expect(cut(old, now)).toBe(true);
  });

  test.each([
    ["a text follows whose place depends on an unknown width", "BT ({{a}}) Tj (b) Tj ET", "BT [-2000] TJ (b) Tj ET"],
    ["what is left of the next text depends on one", "({{a) Tj (}}b) Tj", "[-2000] TJ [<62> -1000] TJ"],
    ["the text goes on after an unknown width", "[({{a}} b)] TJ", "[-2500 <2062>] TJ"],
    ["the text that goes on has moved", "/F1 12 Tf ({{a}} b) Tj", "/F1 12 Tf [-2490 <2062>] TJ"],
    ["the next text has moved", "/F1 12 Tf ({{a}}) Tj (b) Tj", "/F1 12 Tf [-2490] TJ (b) Tj"],
    ["a code has no width", "/F1 12 Tf ({{1}}b) Tj", "/F1 12 Tf [-2500 <62>] TJ"],
    ["a graphics state sets another font", "/F1 12 Tf /WithFont gs ({{a}}b) Tj", "/F1 12 Tf /WithFont gs [-2500 <62>] TJ"],
    ["Q has no q", "/F1 12 Tf Q ({{a}}b) Tj", "/F1 12 Tf Q [-2500 <62>] TJ"],
    ["the size is no number", "/F1 /x Tf ({{a}}b) Tj", "/F1 /x Tf [-2500 <62>] TJ"],
    ["a code is cut in two", "/F2 9 Tf <00010002> Tj (b) Tj", "/F2 9 Tf [<000100> -500] TJ (b) Tj"],
    ["glyphs have changed places", "/F1 12 Tf (ab) Tj", "/F1 12 Tf [<6261>] TJ"],
    ["a kept text is another", "(Name{{a}}) Tj", "[<4e616d66> -2000] TJ"],
    ["a kept text has moved", "[(N) 3 (a{{a}})] TJ", "[<4e> 4 <61> -2000] TJ"],
    ["a text is longer", "(N) Tj", "[<4e4e>] TJ"],
    ["a glyph is new", "/F1 12 Tf (N) Tj", "/F1 12 Tf [<4e4e> 500] TJ"],
    ["an operator is missing", "(N{{a}}) Tj 1 0 0 RG", "[<4e> -2000] TJ"],
    ["an operand is another", "(N{{a}}) Tj 9 w", "[<4e> -2000] TJ 8 w"],
    ["a new line is missing", "(N{{a}}) '", "[<4e> -2000] TJ"],
    ["the spacing of a new line is another", '1 .5 (a{{a}}) "', " 1 Tw 0.6 Tc T* [<61> -2000] TJ"],
    ["text is also a clip", "BT 7 Tr (N{{a}}) Tj ET", "BT 7 Tr [<4e> -2000] TJ ET"],
    ["there is an inline image", "BI /W 1 /H 1 ID x EI (N{{a}}) Tj", "BI /W 1 /H 1 ID x EI [<4e> -2000] TJ"],
    ["a string is never closed", "(N{{a}}) Tj (b", "[<4e> -2000] TJ (b"],
    ["a replacement text is cut", "/Span << /ActualText (a{{a}}) >> BDC (a) Tj EMC", "/Span << /ActualText (a) >> BDC (a) Tj EMC"],
  ])("not if %s", (_, old, now) => {
    expect(cut(old, now)).toBe(false);
  });
});

group("a page from which tags were removed need not be drawn", () => {
  const compared = async (content: string, more: Objects = {}): Promise<number[]> => {
    const file = writePdf({ ...onePage({ content }), ...more });
    const cleaned = await jobs.ingest(file.slice(), { tags: "template" }, () => undefined);
    expect(cleaned.fields.length).toBeGreaterThan(0);
    // The number of the catalog, which cleaning changes.
    const catalog = Number(/\/Root (\d+) 0 R/.exec(Buffer.from(cleaned.bytes).toString("latin1"))?.[1]);
    return [
      ...unchangedPages({ bytes: file, catalog: 1 }, { bytes: cleaned.bytes, catalog }, new Map([[1, { tagged: true, fields: [] }]])),
    ];
  };
  const within = `${text("Name: {{Name}} of {{Place}}, Acme")} ${text("Rent", 72, 300)}`;

  test("if they were at the ends of texts", async () => {
    expect(await compared(`${text("Name: {{Name}}")} ${text("{{Sig;type=signature}}", 72, 500)} ${text("Rent", 72, 300)}`)).toEqual([1]);
  });

  test("if the font states the widths of its codes", async () => {
    const widths = Array.from({ length: 95 }, (_, index) => 300 + 7 * index).join(" ");
    const simple = `<< /Type /Font /Subtype /TrueType /BaseFont /Some /Encoding /WinAnsiEncoding /FirstChar 32 /Widths [${widths}] >>`;
    expect(await compared(`1.5 Tc 3 Tw ${within}`, { 5: simple })).toEqual([1]);
    const hex = (shown: string): string => [...shown].map((letter) => letter.charCodeAt(0).toString(16).padStart(4, "0")).join("");
    const toUnicode = `begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0020> <007e> <0020> endbfrange endcmap`;
    const composite: Objects = {
      5: "<< /Type /Font /Subtype /Type0 /BaseFont /Some /Encoding /Identity-H /DescendantFonts [10 0 R] /ToUnicode 11 0 R >>",
      10: `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Some /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 700 /W [32 [300 310.5] 100 126 555] >>`,
      11: stream("", toUnicode),
    };
    const content = `BT /F1 12 Tf 72 700 Td [<${hex("Name: {{Na")}> 30 <${hex("me}} of Acme")}>] TJ ET`;
    expect(await compared(content, composite)).toEqual([1]);
  });

  test("but it is drawn if text follows them and the widths are not stated", async () => {
    expect(await compared(within)).toEqual([]);
  });
});
