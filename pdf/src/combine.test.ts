// Several documents become one PDF that shows each page as it was.

import { PDF, type PdfArray, PdfDict, type PdfString } from "@libpdf/core";
import { createBudget } from "pako";
import { describe, expect, test } from "vitest";
import { ALL } from "../../testing/all.ts";
import { archival } from "../fixtures/archival.ts";
import { formWith } from "../fixtures/forms.ts";
import { oddPageTrees } from "../fixtures/odd-page-trees.ts";
import { onePage, pages, text } from "../fixtures/pages.ts";
import { pixelsOf } from "../fixtures/pixels.ts";
import { structureOf } from "../fixtures/structure.ts";
import { concat, flate, writePdf } from "../fixtures/writer.ts";
import { resolve } from "./doc.ts";
import { jobs } from "./jobs.ts";
import { openPdf } from "./open.ts";
import { pageText } from "./render.ts";

const opened = () => undefined;
const clean = async (upload: Uint8Array) => (await jobs.ingest(upload, { tags: "discard" }, opened)).bytes;

async function joined(...documents: readonly Uint8Array[]) {
  const parts = documents.map((bytes, index) => ({ size: bytes.length, title: `Document ${index + 1}` }));
  return jobs.combine(concat(...documents), { parts }, opened);
}

// A layer that is off, and one that is on: both must stay as they are.
const LAYERS = writePdf(
  onePage({
    content: `/OC /Off BDC ${text("hidden")} EMC /OC /On BDC ${text("visible", 72, 600)} EMC`,
    resources: "/Properties << /Off 10 0 R /On 11 0 R >>",
    catalog: "/OCProperties << /OCGs [10 0 R 11 0 R] /D << /OFF [10 0 R] >> >>",
    more: { 10: "<< /Type /OCG /Name (a) >>", 11: "<< /Type /OCG /Name (b) >>" },
  }),
);
const ROTATED = writePdf(onePage({ content: text("turned"), page: "/Rotate 90 /UserUnit 1.5 /CropBox [10 20 500 700]" }));
const LINKED = writePdf({
  ...pages(3),
  12: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 13 0 R /Resources << /Font << /F1 3 0 R >> >> /Annots [40 0 R] >>",
  40: "<< /Type /Annot /Subtype /Link /Rect [72 690 200 710] /Border [0 0 1] /Dest [16 0 R /Fit] >>",
});
const documents: Readonly<Record<string, Uint8Array>> = {
  plain: writePdf(pages(2)),
  layers: LAYERS,
  tagged: archival({ part: 2, level: "A" }),
  archival: archival({ part: 1, level: "B", intent: "cmyk" }),
  turned: ROTATED,
  form: formWith([{ entries: "/FT /Tx /V (Ann)" }]),
  linked: LINKED,
  odd: writePdf(oddPageTrees[0]?.objects ?? {}),
  packed: writePdf({ ...onePage(), 4: flate("", text("packed")) }),
};

const pairs = Object.keys(documents).flatMap((a) => Object.keys(documents).map((b) => [a, b] as const));

describe("two documents joined", () => {
  test.each(ALL ? pairs : pairs.filter((_, index) => index % 10 === 1))("%s and %s: each page is as it was", async (a, b) => {
    const [first, second] = await Promise.all([clean(documents[a] as Uint8Array), clean(documents[b] as Uint8Array)]);
    const both = await joined(first, second);
    let page = 0;
    for (const [nth, bytes] of [first, second].entries()) {
      const { pages: own } = await openPdf(bytes, createBudget());
      expect(both.counts[nth]).toBe(own.length);
      for (let index = 0; index < own.length; index++, page++) {
        const [now, before] = [await pixelsOf(both.bytes, page), await pixelsOf(bytes, index)];
        expect([now.width, now.height]).toEqual([before.width, before.height]);
        expect(Buffer.compare(now.data, before.data)).toBe(0);
        const { blocks } = await pageText(both.bytes, page + 1);
        expect(blocks).toEqual((await pageText(bytes, index + 1)).blocks);
      }
    }
    expect(both.pages).toHaveLength(page);
  });
});

describe("a joined document", () => {
  test("has a bookmark for each document, which leads to its first page", async () => {
    const { bytes } = await joined(writePdf(pages(2)), writePdf(onePage()), writePdf(pages(3)));
    const pdf = await PDF.load(bytes);
    const get = (dict: PdfDict, key: string) => resolve({ pdf }, dict.get(key));
    const shown = pdf.context.pages.getPages();
    const found: (readonly [string, number])[] = [];
    let item = get(get(pdf.context.catalog.getDict(), "Outlines") as PdfDict, "First");
    for (; item instanceof PdfDict; item = get(item, "Next")) {
      const page = (get(item, "Dest") as PdfArray).at(0);
      const at = shown.findIndex((ref) => JSON.stringify(ref) === JSON.stringify(page));
      found.push([(get(item, "Title") as PdfString).asString(), at + 1]);
    }
    expect(found).toEqual([
      ["Document 1", 1],
      ["Document 2", 3],
      ["Document 3", 4],
    ]);
  });

  test("keeps the structure of its tagged documents, and what is stamped joins it", async () => {
    const tagged = await clean(archival({ part: 2, level: "A" }));
    const { bytes } = await joined(tagged, await clean(writePdf(onePage())), tagged);
    const own = { S: "Document", below: [{ S: "P", pieces: 1 }] };
    expect(await structureOf(bytes)).toEqual([own, own]);
    const doc = await openPdf(bytes, createBudget());
    expect(doc.catalog.has("MarkInfo")).toBe(false);
    expect(doc.catalog.has("Metadata")).toBe(false);
    const area = { page: 3, x: 0.1, y: 0.1, w: 0.3, h: 0.05 };
    const stamped = await jobs.finish(bytes, { marks: [{ kind: "text", field: "f", signer: "s", areas: [area], value: "Ann" }] }, opened);
    expect(JSON.stringify(await structureOf(stamped.bytes))).toContain('"ActualText":"Ann"');
  });

  test("is the same bytes each time", async () => {
    const parts = [writePdf(pages(2)), LAYERS];
    expect(Buffer.from((await joined(...parts)).bytes).equals((await joined(...parts)).bytes)).toBe(true);
  });

  test("has at most 2,000 pages", async () => {
    const long = writePdf(pages(1_001));
    await expect(joined(long, long)).rejects.toMatchObject({ fault: "too_complex", limit: "more than 2,000 pages" });
  });

  test("follows a chain of objects of any length", async () => {
    const chain = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [100 + n, `<< /Next ${101 + n} 0 R >>`]));
    const long = writePdf({ ...onePage({ page: "/Kept 100 0 R" }), ...chain });
    expect((await joined(long, long)).counts).toEqual([1, 1]);
  });
});

test("signature pages alone have the size of the document's first page and nothing of it", async () => {
  const document = writePdf(onePage({ content: text("Secret terms"), mediaBox: "[0 0 400 600]" }));
  const {
    bytes,
    areas,
    pages: made,
  } = await jobs.prepare(document, { signers: [{ signer: "Tenant", label: "Ann (Tenant)" }], alone: true }, opened);
  expect(made).toEqual([{ w_pt: 400, h_pt: 600, rotate: 0 }]);
  expect(areas).toMatchObject([{ signer: "Tenant", signature: { page: 1 }, date: { page: 1 } }]);
  const { blocks } = await pageText(bytes, 1);
  expect(blocks.join(" ")).toContain("Ann (Tenant)");
  expect(blocks.join(" ")).not.toContain("Secret");
});
