import { PdfDict, type PdfName, PdfNumber } from "@libpdf/core";
import { createBudget } from "pako";
import { expect, describe as group, test } from "vitest";
import fc from "../../testing/properties.ts";
import { fontNameInGbk, GBK_NAMES } from "../fixtures/lost-words.ts";
import { onePage, text } from "../fixtures/pages.ts";
import { pixelsOf } from "../fixtures/pixels.ts";
import { latin1, stream, writePdf } from "../fixtures/writer.ts";
import { save } from "./doc.ts";
import { loadForAppending, saveAppended } from "./incremental-save.ts";
import { jobs } from "./jobs.ts";
import { openPdf } from "./open.ts";
import { withPlainSpelling } from "./plain-spelling.ts";
import { pageText } from "./render.ts";

const open = (bytes: Uint8Array) => openPdf(bytes, createBudget());
const plain = (source: string): string => Buffer.from(withPlainSpelling(latin1(source))).toString("latin1");

group("a font named in GBK keeps its name and its text", () => {
  for (const layout of ["table", "streams"] as const) {
    test.each(["escaped", "plain", "mixed"] as const)(`${layout}, %s`, async (spelling) => {
      const file = writePdf(fontNameInGbk(GBK_NAMES[spelling]), { layout });
      const { bytes, page_warnings } = await jobs.ingest(file, { tags: "document" }, () => undefined);
      expect(page_warnings).toEqual([]);
      expect((await pageText(bytes, 1)).blocks).toEqual(["北斗星"]);
    });
  }
});

test("a page keeps fonts and images that its content names in any bytes, and anchors find their text", async () => {
  const content = text("Sign here").replace("/F1", "/F#CB\xce");
  const file = writePdf({
    ...onePage({ content }),
    3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F#CB#ce 5 0 R >> >> >>",
  });
  const { bytes, anchors } = await jobs.ingest(file, { tags: "document", anchors: [{ anchor_text: "Sign here" }] }, () => undefined);
  expect(anchors).toMatchObject([{ page: 1 }]);
  expect((await pageText(bytes, 1)).blocks).toEqual(["Sign here"]);
});

test("any name is the same after opening, saving and opening again", async () => {
  const regular = fc.integer({ min: 0x21, max: 0xff }).filter((byte) => !"()<>[]{}/%#".includes(String.fromCharCode(byte)));
  const names = fc.array(fc.array(regular, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(names, fc.boolean(), async (lists, escaped) => {
      const values = lists.map((bytes) => String.fromCharCode(...bytes));
      const spelled = values.map((value) => (escaped ? [...value].map((char) => `#${char.charCodeAt(0).toString(16)}`).join("") : value));
      const doc = await open(writePdf(onePage({ page: `/Test << ${spelled.map((name, n) => `/N${n} /${name}`).join(" ")} >>` })));
      const again = await open(await save(doc));
      const read = again.pages[0]?.dict.get("Test") as PdfDict;
      expect(values.map((_, n) => (read.get(`N${n}`) as PdfName).value)).toEqual(values);
    }),
    { numRuns: 40 },
  );
});

test("a name is the same after a revision was appended to the saved file", async () => {
  const saved = await save(await open(writePdf(onePage({ page: "/Test << /#CB#CE /A#CB >>" }))));
  const pdf = await loadForAppending(saved.slice(), createBudget());
  const [first] = pdf.context.pages.getPages();
  const page = first === undefined ? null : pdf.context.resolve(first);
  if (page instanceof PdfDict) page.set("Changed", PdfNumber.of(1));
  const again = await open(new Uint8Array(await saveAppended(pdf, saved)));
  const dict = again.pages[0]?.dict ?? new PdfDict();
  expect(dict.has("Changed")).toBe(true);
  expect([...(dict.get("Test") as PdfDict)].map(([key, value]) => [key.value, (value as PdfName).value])).toEqual([["\xcb\xce", "A\xcb"]]);
});

test.each(["--50", "+-50", "50-", "5-0", "5.0.1", "-", "."])("a matrix with %s looks as before", async (number) => {
  const file = writePdf({
    ...onePage({ content: `${text("Seen")} q 1 0 0 1 200 0 cm /Fm Do Q`, resources: "/XObject << /Fm 10 0 R >>" }),
    10: stream(`/Type /XObject /Subtype /Form /BBox [-300 0 600 900] /Matrix [1 0 0 1 ${number} 0]`, "0 400 20 20 re f"),
  });
  const before = await pixelsOf(file, 0, 1);
  const { bytes, page_warnings } = await jobs.ingest(file, { tags: "document" }, () => undefined);
  expect(page_warnings).toEqual([]);
  expect(Buffer.compare((await pixelsOf(bytes, 0, 1)).data, before.data)).toBe(0);
});

group("names and numbers are made plain in place", () => {
  test("and nothing else: not in strings, comments and streams, and no name that needs its escapes", () => {
    expect(plain("<< /#CB#CE#CC/A#42 /B >>")).toBe("<< /\xcb\xce\xcc      /A#42 /B >>");
    expect(plain("[--5 -5 +.5 5. 1-1 -]")).toBe("[0   -5 +.5 5. 1   0]");
    for (const same of [
      "(/#CB)",
      "(--5)",
      "% --5\n",
      "-x-5",
      "(a\\)(/#CB)b)",
      "% /#CB\n",
      "<< >>\nstream\n/#CB\nendstream",
      "/#CB#20",
      "/#CB#23",
      "/#4",
      "/#E9#",
    ])
      expect(plain(`[${same}]`)).toBe(`[${same}]`);
    expect(plain("<< >>stream\n(\nendstream /#CB")).toBe("<< >>stream\n(\nendstream /\xcb  ");
  });

  test("in any bytes, without an error and without changing their number", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(withPlainSpelling(bytes)).toHaveLength(bytes.length);
      }),
    );
  });
});
