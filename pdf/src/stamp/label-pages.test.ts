import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { changes, fonts, open } from "../../fixtures/marks.ts";
import { onePage, pages } from "../../fixtures/pages.ts";
import { readPdfiumPage } from "../../fixtures/pdfium-chars.ts";
import { colorAt, pixelsOf } from "../../fixtures/pixels.ts";
import { writePdf } from "../../fixtures/writer.ts";
import { save } from "../doc.ts";
import { jobs } from "../jobs.ts";
import { labelPages } from "./label-pages.ts";

const LABEL = "TEST – not legally binding";
const opened = () => undefined;

/** How many pages say that they are labelled. */
const labelled = async (bytes: Uint8Array) => (await jobs.inspect(Uint8Array.from(bytes), { text: LABEL }, opened)).pages_with_text;

test("every page is labelled at its upper edge, for any size and rotation", async () => {
  const objects = pages(4);
  objects[14] = String(objects[14]).replace("[0 0 612 792]", "[0 0 300 200] /Rotate 90");
  objects[16] = String(objects[16]).replace("[0 0 612 792]", "[50 60 660 850] /CropBox [100 100 400 700] /Rotate 270 /UserUnit 2");
  objects[18] = String(objects[18]).replace("[0 0 612 792]", "[0 0 40 30]");
  const doc = await open(writePdf(objects));
  labelPages(doc, LABEL, fonts);
  const bytes = await save(doc);
  expect(await labelled(bytes)).toBe(4);
  for (const index of [0, 1, 2, 3]) expect((await readPdfiumPage(bytes, index)).text, `page ${index + 1}`).toContain(`Page ${index + 1}`);
});

test("the label is opaque, and the rest of the page is unchanged", async () => {
  const dark = writePdf(onePage({ content: "0 0 1 rg 0 0 612 792 re f" }));
  const doc = await open(dark);
  labelPages(doc, LABEL, fonts);
  const bytes = await save(doc);
  expect(await changes(dark, bytes, [{ page: 1, x: 0, y: 0, w: 1, h: 14 / 792 }])).toMatchObject({ outside: 0 });
  expect(colorAt(await pixelsOf(bytes, 0, 2), 4, 4)).toEqual([255, 255, 255]);
});

test("an upload is labelled when it is cleaned", async () => {
  const { bytes, sha256 } = await jobs.ingest(writePdf(pages(2)), { tags: "document", label: LABEL }, opened);
  expect(await labelled(bytes)).toBe(2);
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
});

test("only the pages that a job adds get the label, because the others have it", async () => {
  const signers = [{ signer: "sig_1", label: "Ann Example" }];
  const { bytes } = await jobs.prepare(writePdf(pages(2)), { signers, label: LABEL }, opened);
  expect(await labelled(bytes)).toBe(1);
  expect((await readPdfiumPage(bytes, 2)).text).toContain("Ann Example");
  const alone = await jobs.prepare(writePdf(pages(2)), { signers, alone: true, label: LABEL }, opened);
  expect(await labelled(alone.bytes)).toBe(1);
});

test("a document of our own is labelled, and without a label it is as before", async () => {
  const footer = { before: "Before", after: "After" };
  const text = "A paragraph that is long enough to need a second page. ".repeat(200);
  const model = { title: "Note", language: "en", paper: "a4", footer, blocks: [{ kind: "paragraph", words: text }] };
  const typeset = (request: { label?: string }) => jobs.typeset(Buffer.from(JSON.stringify(model)), request, opened);
  const plain = await typeset({});
  const { bytes, pages: count } = await typeset({ label: LABEL });
  expect(count).toBe(plain.pages);
  expect(await labelled(bytes)).toBe(count);
  expect(await labelled(plain.bytes)).toBe(0);
});
