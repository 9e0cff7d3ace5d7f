import { execFileSync, spawnSync } from "node:child_process";
import { createBudget } from "pako";
import { describe, expect, test } from "vitest";
import { tries } from "../../testing/all.ts";
import fc from "../../testing/properties.ts";
import { composite, type3 } from "../fixtures/fonts.ts";
import { type OnePage, onePage, pages, text } from "../fixtures/pages.ts";
import { type PdfiumChar, readPdfiumPage } from "../fixtures/pdfium-chars.ts";
import { type Objects, stream, writePdf } from "../fixtures/writer.ts";
import { createReader } from "./content/interpret.ts";
import { save } from "./doc.ts";
import { UnreadablePdf } from "./errors.ts";
import { findTags } from "./find-tags.ts";
import { openPdf } from "./open.ts";
import { pdfium } from "./pdfium.ts";
import { removeTags } from "./remove-tags.ts";

const hasPoppler = spawnSync("pdftotext", ["-v"]).error === undefined;

async function cleaned(objects: Objects): Promise<{ before: Uint8Array; after: Uint8Array; removed: number; pages: number }> {
  const before = writePdf(objects);
  const doc = await openPdf(before, createBudget());
  const counts = removeTags(doc, findTags(doc).spans);
  return { before: writePdf(objects), after: await save(doc), ...counts };
}

const inked = (chars: readonly PdfiumChar[]): PdfiumChar[] => chars.filter(({ char }) => char.trim() !== "");

/** Checks that PDFium reads the same characters in the same places as before, except for the tags. */
async function expectOnlyTagsGone(before: Uint8Array, after: Uint8Array, page = 0): Promise<void> {
  const old = inked((await readPdfiumPage(before, page)).chars);
  const now = inked((await readPdfiumPage(after, page)).chars);
  const kept = withoutTags(old);
  expect(now.map(({ char }) => char).join("")).toBe(kept.map(({ char }) => char).join(""));
  for (const [i, { x, y, char }] of kept.entries()) {
    expect(Math.hypot(x - (now[i]?.x ?? Number.NaN), y - (now[i]?.y ?? Number.NaN)), char).toBeLessThan(0.01);
  }
  if (hasPoppler) expect(execFileSync("pdftotext", ["-", "-"], { input: after }).toString()).not.toContain("{{");
}

function withoutTags(chars: readonly PdfiumChar[]): PdfiumChar[] {
  const all = chars.map(({ char }) => char).join("");
  const gone = new Set<number>();
  for (const match of all.matchAll(/\{\{[^{}]+\}\}/g)) for (let i = 0; i < match[0].length; i++) gone.add(match.index + i);
  return chars.filter((_, i) => !gone.has(i));
}

const line = (content: string, odd: OnePage = {}): Objects => onePage({ ...odd, content: `BT /F1 12 Tf 72 700 Td ${content} ET` });

describe("the tag is removed and its neighbours stay", () => {
  test.each([
    ["Tj", "(Name: {{Sig;type=signature}} end) Tj ( after) Tj"],
    ["TJ with kerning", "[(A) 100 ({{) -50 (Sig) 30 (}}) -400 (B) 80 (C)] TJ (after) Tj"],
    ["several operators", "(a {) Tj ({S) Tj (ig) Tj (}} b) Tj (after) Tj"],
    ["'", "14 TL (one) Tj (two {{Sig}} three) ' (four) '"],
    ['"', '14 TL (one) Tj 3 1 (two {{Sig}} three four) " (five six) Tj'],
    ["Tc, Tw and Tz", "2 Tc 7 Tw 60 Tz (a b {{S g}} c d) Tj (after it) Tj"],
    ["negative and tiny sizes", "/F1 -9 Tf (a {{Sig}} b) Tj (after) Tj /F1 0.5 Tf (c {{Sig}} d) Tj"],
    ["a rotated matrix", "0.7 0.7 -0.7 0.7 200 300 Tm 3 Ts (a {{Sig}} b) Tj (after) Tj"],
    ["lines", "(a {{S) Tj 0 -14 Td (ig}} b) Tj"],
    ["a tag at each end", "({{a}} mid {{b}}) Tj (after) Tj"],
    ["only the tag", "({{Sig}}) Tj (after) Tj"],
    ["escapes, and operators that touch", "(\\(a\\) {{S\\151g}} \\\\ b)Tj(after)Tj"],
    ["white text and other operators between", "1 g ({{Si) Tj 0 g 1 0 0 RG (g}}) Tj (after) Tj"],
  ])("%s", async (_, content) => {
    const { before, after } = await cleaned(line(content));
    await expectOnlyTagsGone(before, after);
  });

  test("vertical and two-byte writing, and a Type 3 font", async () => {
    for (const encoding of ["/Identity-V", "/Identity-H"]) {
      const more = { ...composite(encoding), 5: composite(encoding)[20] ?? "" };
      const { before, after } = await cleaned(line("1 Tc <0041007b007b0053007d007d0042> Tj <0043> Tj", { more }));
      await expectOnlyTagsGone(before, after);
    }
    const { before, after } = await cleaned(line("(A{{my}}B) Tj (CS) Tj", { more: { ...type3(0.05), 5: type3(0.05)[30] ?? "" } }));
    await expectOnlyTagsGone(before, after);
  });

  test("fake bold is removed with its glyph", async () => {
    const { after } = await cleaned(line("(a {{Sig}} b) Tj ET BT /F1 12 Tf 72.3 700 Td (a {{Sig}} b) Tj"));
    expect((await readPdfiumPage(after)).text).not.toMatch(/[{}]/);
  });

  test("a tag drawn out of order", async () => {
    const content = "BT /F1 12 Tf 120 700 Td (g}} end) Tj ET BT /F1 12 Tf 72 600 Td (x) Tj ET BT /F1 12 Tf 72 700 Td (   x {{Si) Tj ET";
    const { after, removed } = await cleaned(onePage({ content }));
    expect(removed).toBe(1);
    expect((await readPdfiumPage(after)).text).not.toMatch(/[{}]/);
  });

  test("an operator across two parts of the content, and parts shared with other pages", async () => {
    const objects = pages(2);
    const shared = {
      90: stream("", "BT /F1 12 Tf 72 500 Td (a {{Sig}} b) Tj ET"),
      91: stream("", "BT /F1 12 Tf 72 400 Td (c {{x}} d)"),
      92: stream("", "Tj ET"),
    };
    const page = (n: number) =>
      String(objects[10 + 2 * n]).replace(/\/Contents \d+ 0 R/, `/Contents [90 0 R ${n === 1 ? "91 0 R 92 0 R" : ""}]`);
    const { before, after, removed, pages: changed } = await cleaned({ ...objects, ...shared, 12: page(1), 14: page(2) });
    expect([removed, changed]).toEqual([3, 2]);
    await expectOnlyTagsGone(before, after, 0);
    await expectOnlyTagsGone(before, after, 1);
  });
});

describe("forms", () => {
  const form = (content: string, more = "") =>
    stream(`/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> ${more} >>`, content);

  test("a tag in a form shared by two pages is removed from both, with a clone for each page", async () => {
    const objects = pages(2);
    const page = (n: number) => String(objects[10 + 2 * n]).replace("/F1 3 0 R >>", "/F1 3 0 R >> /XObject << /A 90 0 R >>");
    const more = { 90: form(text("head {{Sig}} foot", 72, 300)).dict.replace("5 0 R", "3 0 R") };
    const shared = { ...form(text("head {{Sig}} foot", 72, 300)), dict: more[90] ?? "" };
    const paint = (n: number) => stream("", `/A Do ${text(`Page ${n}`)}`);
    const { before, after, removed } = await cleaned({ ...objects, 12: page(1), 14: page(2), 13: paint(1), 15: paint(2), 90: shared });
    expect(removed).toBe(2);
    await expectOnlyTagsGone(before, after, 0);
    await expectOnlyTagsGone(before, after, 1);
  });

  test("a form keeps its tag on another page where the tag is not removed", async () => {
    const objects = pages(2);
    const page = (n: number) => String(objects[10 + 2 * n]).replace("/F1 3 0 R >>", "/F1 3 0 R >> /XObject << /A 90 0 R >>");
    const shared = { ...form(text("head {{Sig}} foot", 72, 300)), dict: form("").dict.replace("5 0 R", "3 0 R") };
    const doc = await openPdf(
      writePdf({ ...objects, 12: page(1), 14: page(2), 13: stream("", "/A Do"), 15: stream("", "/A Do"), 90: shared }),
      createBudget(),
    );
    removeTags(
      doc,
      findTags(doc).spans.filter((span) => span.page === 1),
    );
    const after = await save(doc);
    expect((await readPdfiumPage(after, 0)).text).not.toContain("{{");
    expect((await readPdfiumPage(after, 1)).text).toContain("head {{Sig}} foot");
  });

  test("nested forms, painted several times", async () => {
    const objects = onePage({
      content: "/A Do q 1 0 0 1 200 0 cm /A Do Q /B Do",
      resources: "/XObject << /A 10 0 R /B 11 0 R >>",
      more: { 10: form("q 1 0 0 1 0 -50 cm /B Do Q", "/XObject << /B 11 0 R >>"), 11: form(text("x {{Sig}} y", 72, 300)) },
    });
    const { before, after, removed } = await cleaned(objects);
    expect(removed).toBe(3);
    await expectOnlyTagsGone(before, after);
  });

  test("if only one of two paintings of a form is part of a tag, that one gets a new name", async () => {
    const objects = onePage({
      content:
        "BT /F1 12 Tf 72 700 Td ({{) Tj ET q 1 0 0 1 80.02 700 cm /A Do Q BT /F1 12 Tf 102.02 700 Td (}}) Tj ET q 1 0 0 1 72 500 cm /A Do Q",
      resources: "/XObject << /A 10 0 R >>",
      more: { 10: form("BT /F1 12 Tf 0 0 Td (Sig) Tj ET") },
    });
    const { after, removed } = await cleaned(objects);
    expect(removed).toBe(1);
    expect((await readPdfiumPage(after)).text.trim()).toBe("Sig");
  });

  test("a form without its own resources", async () => {
    const bare = (content: string) => stream("/Type /XObject /Subtype /Form /BBox [0 0 612 792]", content);
    const objects = onePage({
      content: "/A Do",
      resources: "/XObject << /A 10 0 R /B 11 0 R >>",
      more: { 10: bare("/B Do"), 11: bare(text("x {{Sig}} y")) },
    });
    const { before, after } = await cleaned(objects);
    await expectOnlyTagsGone(before, after);
  });
});

describe("annotations", () => {
  const appearance = stream(
    "/Type /XObject /Subtype /Form /BBox [0 0 200 40] /Resources << /Font << /F1 5 0 R >> >>",
    "BT /F1 10 Tf 5 5 Td (x {{Sig}} y) Tj ET",
  );

  test("a tag annotation is removed with its popup and replies", async () => {
    const more = {
      10: "<< /Type /Annot /Subtype /Text /Rect [100 500 300 540] /Contents ({{Sig}}) /Popup 12 0 R /AP << /N 11 0 R >> >>",
      11: appearance,
      12: "<< /Type /Annot /Subtype /Popup /Rect [0 0 9 9] /Parent 10 0 R >>",
      13: "<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /IRT 10 0 R /Contents (yes) >>",
      14: "<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents (kept note) >>",
    };
    const { after } = await cleaned(onePage({ page: "/Annots [10 0 R 12 0 R 13 0 R 14 0 R]", more }));
    const file = Buffer.from(after).toString("latin1");
    expect(file).not.toContain("{{");
    expect(file).not.toContain("Popup");
    expect(file).toContain("kept note");
  });

  test("a tag in another appearance is removed from it", async () => {
    const more = {
      10: "<< /Type /Annot /Subtype /FreeText /Rect [100 500 300 540] /Contents (x {{Sig}} y) /AP << /N 11 0 R >> >>",
      11: appearance,
    };
    const { after } = await cleaned(onePage({ page: "/Annots [10 0 R]", more }));
    const doc = await openPdf(after, createBudget());
    expect(findTags(doc).spans).toEqual([]);
    expect(Buffer.from(after).toString("latin1")).not.toContain("{{");
  });
});

test("an annotation listed on two pages is changed on one page only", async () => {
  const objects = pages(2);
  const appearance = stream(
    "/Type /XObject /Subtype /Form /BBox [0 0 200 40] /Resources << /Font << /F1 3 0 R >> >>",
    "BT /F1 10 Tf 5 5 Td (x {{Sig}} y) Tj ET",
  );
  const note = "<< /Type /Annot /Subtype /Stamp /Rect [100 500 300 540] /AP << /N 91 0 R >> >>";
  const page = (n: number) => String(objects[10 + 2 * n]).replace("/Type /Page", "/Type /Page /Annots [90 0 R]");
  const doc = await openPdf(writePdf({ ...objects, 12: page(1), 14: page(2), 90: note, 91: appearance }), createBudget());
  removeTags(
    doc,
    findTags(doc).spans.filter((span) => span.page === 1),
  );
  expect(findTags(doc).spans.map((span) => span.page)).toEqual([2]);
});

test("the tag is removed from replacement and alternative texts, bookmarks, information and XMP", async () => {
  const xmp = "<x:xmpmeta><dc:title>Lease {{Sig}} 2026</dc:title></x:xmpmeta>";
  const objects = onePage({
    content: `/Span <</ActualText (a {{Sig}}) /Alt (alt {{Sig}} text) /MCID 0>> BDC ${text("a {{Sig}}")} EMC /Span /P BDC ${text("b {{Sig}}", 72, 600)} EMC`,
    resources: "/Properties << /P << /ActualText (b {{Sig}}) /E <FEFF007B007B005300690067007D007D0078> >> >>",
    catalog: "/Outlines 10 0 R /StructTreeRoot 12 0 R /Metadata 13 0 R",
    more: {
      10: "<< /Type /Outlines /First 11 0 R /Last 11 0 R /Count 1 >>",
      11: "<< /Title (Sign {{Sig}} here) /Parent 10 0 R >>",
      12: "<< /Type /StructTreeRoot /K << /S /P /ActualText (struct {{Sig}} text) /Alt ({{ S i g }}) >> >>",
      13: stream("/Type /Metadata /Subtype /XML", xmp),
      14: "<< /Title (Doc {{Sig}} title) /Author ({{other}}) >>",
    },
  });
  const doc = await openPdf(writePdf(objects, { trailer: "/Info 14 0 R" }), createBudget());
  expect(removeTags(doc, findTags(doc).spans)).toMatchObject({ removed: 2, pages: 1 });
  const file = Buffer.from(await save(doc)).toString("latin1");
  expect(file).not.toMatch(/Sig\}|S i g|7b007b|\{\{Sig/i);
  for (const kept of ["Sign  here", "struct  text", "Doc  title", "Lease  2026", "{{other}}"]) expect(file).toContain(kept);
});

test("no part of a tag is left in the replacement texts of its parts, in either direction of writing", async () => {
  const more = { ...composite("/Identity-H", "/DW 500"), 5: composite("/Identity-H", "/DW 500")[20] ?? "" };
  const codes = (shown: string) => [...shown].map((char) => (char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")).join("");
  const part = (shown: string, actual: string, more = "") =>
    `/Span <</ActualText <FEFF${codes(actual)}> ${more}>> BDC <${codes(shown)}> Tj EMC`;
  const content = [
    "BT /F1 12 Tf 72 700 Td",
    part("{{", "{{", "/MCID 3"),
    part("םש", "שם"),
    part("}}", "}}"),
    `/Span /P BDC <${codes(" x")}> Tj EMC 0 -20 Td`,
    `/Span /B BDC <${codes("{{")}> Tj EMC`,
    part("Sig", "Sig"),
    `/Span /E BDC <${codes("}}")}> Tj EMC ET`,
  ].join(" ");
  const resources = "/Properties << /P << /ActualText (x) >> /B << /ActualText ({{) /MCID 4 >> /E << /ActualText (}}) >> >>";
  const { after, removed } = await cleaned(onePage({ content, more, resources }));
  expect(removed).toBe(2);
  expect((await readPdfiumPage(after)).text.trim()).toBe("x");
  const [contents] = (await openPdf(after, createBudget())).pages;
  const { bytes } = createReader(await openPdf(after, createBudget()))
    .readPage(contents ?? expect.fail("no page"))
    .glyphs.runOf(0).source;
  const left = Buffer.from(bytes).toString("latin1");
  expect(left).not.toMatch(/ActualText|\/B BDC|\/E BDC/);
  expect(left).toMatch(/<< ?\/MCID 3 ?>> ?BDC[\s\S]*\/Span \/P BDC[\s\S]*<< ?\/MCID 4 ?>> ?BDC/);
});

test("removing a tag from a replacement text keeps the other words", async () => {
  const { after } = await cleaned(onePage({ content: `/Span <</ActualText (Signature: {{Sig}})>> BDC ${text("Signature: {{Sig}}")} EMC` }));
  expect((await readPdfiumPage(after)).text.trim()).toBe("Signature:");
});

test("no pixel changes outside the tag's box, and lines around it stay", async () => {
  const drawing = "0.9 g 60 680 400 60 re f 0 G 70 690 200 30 re S 1 0 0 rg";
  const { before, after } = await cleaned(onePage({ content: `${drawing} BT /F1 18 Tf 72 700 Td (Name {{Sig}} here) Tj ET` }));
  const box = (await openPdf(before, createBudget()).then((doc) => findTags(doc).fields[0]?.area)) ?? expect.fail("no tag");
  const [old, now] = [await pixels(before), await pixels(after)];
  let changed = 0;
  for (let i = 0; i < old.data.length; i += 4) {
    if (old.data[i] === now.data[i] && old.data[i + 1] === now.data[i + 1] && old.data[i + 2] === now.data[i + 2]) continue;
    changed++;
    const x = ((i / 4) % old.width) / old.width;
    const y = Math.floor(i / 4 / old.width) / old.height;
    expect(x > box.x - 0.003 && x < box.x + box.w + 0.003 && y > box.y - 0.003 && y < box.y + box.h + 0.003, `${x} ${y}`).toBe(true);
  }
  expect(changed).toBeGreaterThan(100);
});

async function pixels(bytes: Uint8Array): Promise<{ data: Uint8Array; width: number; height: number }> {
  const document = await (await pdfium()).loadDocument(bytes);
  const { data, width, height } = await document.getPage(0).render({ scale: 2, render: "bitmap" });
  document.destroy();
  return { data: data.slice(), width, height };
}

test("without tags nothing changes", async () => {
  const doc = await openPdf(writePdf(onePage()), createBudget());
  expect(removeTags(doc, findTags(doc).spans)).toMatchObject({ removed: 0, pages: 0 });
});

test("spans that do not match the document are rejected by the check", async () => {
  const doc = await openPdf(writePdf(line("(plain text) Tj")), createBudget());
  const span = { page: 1, tag: "{{Sig}}", field: 0, bare: true, glyphs: [], annotation: null };
  expect(() => removeTags(doc, [span])).toThrow(UnreadablePdf);
});

test("removal leaves all other glyphs in place, whatever surrounds the tag", async () => {
  // Never empty, because PDFium drops the number after an empty string.
  const word = fc.stringMatching(/^[a-z .,]{1,6}$/);
  const operator = fc.record({
    words: fc.array(word, { minLength: 1, maxLength: 3 }),
    kerns: fc.array(fc.integer({ min: -200, max: 200 }), { minLength: 3, maxLength: 3 }),
    spacing: fc.constantFrom("", "1.5 Tc", "-0.3 Tc 4 Tw", "75 Tz", "2 Ts"),
    tag: fc.constantFrom("", "{{a}}", "{{Sig;type=signature}}"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(operator, { minLength: 1, maxLength: 5 }), async (operators) => {
      const content = operators.map(({ words, kerns, spacing, tag }) => {
        const items = words.map((each, i) => `(${each}${i === 0 ? tag : ""}) ${kerns[i] ?? 0}`);
        return `${spacing} [${items.join(" ")}] TJ`;
      });
      const { before, after } = await cleaned(line(content.join(" ")));
      await expectOnlyTagsGone(before, after);
    }),
    { numRuns: tries(30) },
  );
});
