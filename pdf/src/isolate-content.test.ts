// Whatever a page leaves open or draws over itself, later drawings must be visible in PDFium's rendering.

import { expect, test } from "vitest";
import { AREA, changes, written } from "../fixtures/marks.ts";
import { type OnePage, onePage, text } from "../fixtures/pages.ts";
import { stream, writePdf } from "../fixtures/writer.ts";
import { jobs } from "./jobs.ts";

const HELLO = text("Hello");
const opened = (): void => undefined;

const layer = {
  resources: "/Properties << /MC0 10 0 R >>",
  catalog: "/OCProperties << /OCGs [10 0 R] /D << /OFF [10 0 R] >> >>",
  more: { 10: "<< /Type /OCG /Name (Layer) >>" },
};
/** A white rectangle over the whole page. */
const covered = (subtype: string, more = "/AP << /N 11 0 R >>"): OnePage => ({
  page: "/Annots [10 0 R]",
  more: {
    10: `<< /Type /Annot /Subtype /${subtype} /Rect [0 0 612 792] ${more} >>`,
    11: stream("/Type /XObject /Subtype /Form /BBox [0 0 612 792]", "1 g 0 0 612 792 re f"),
  },
});

const odd: readonly (readonly [string, OnePage])[] = [
  ["an open string", { content: `${HELLO} (open` }],
  ["an open string that ends in a backslash", { content: `${HELLO} (op\\` }],
  ["an open array", { content: `${HELLO} [ (a)` }],
  ["an open array with operators in it", { content: `${HELLO} [ (a) q 2 0 0 2 0 0 cm` }],
  ["an open string in hex", { content: `${HELLO} <4142` }],
  ["an open dictionary", { content: `${HELLO} /a << /b` }],
  ["an image that ends after its start", { content: `${HELLO} BI /W 1` }],
  ["an image whose data is cut off", { content: `${HELLO} BI /W 10 /H 10 /BPC 8 /CS /G ID abc` }],
  ["an unclosed layer that is off", { content: `${HELLO} /OC /MC0 BDC`, ...layer }],
  ["such a layer and an open string", { content: `${HELLO} /OC /MC0 BDC (open`, ...layer }],
  ["such a layer and an open array", { content: `${HELLO} /OC /MC0 BDC [ (a) q`, ...layer }],
  ["an unclosed text object", { content: "BT /F1 12 Tf 72 700 Td (Hello) Tj" }],
  ["a comment without a line end", { content: `${HELLO} % comment` }],
  ["a white stamp over the page", covered("Stamp")],
  ["a white square without an appearance", covered("Square", "/IC [1 1 1] /C [1 1 1]")],
  ["white text without an appearance", covered("FreeText", "/Contents (x) /DA (/Helv 12 Tf 1 g) /C [1 1 1]")],
  ["a link that has an appearance", covered("Link")],
];

test.each(odd)("on a page with %s, a value and the mark of a copy are visible", async (_name, page) => {
  const { bytes } = await jobs.ingest(writePdf(onePage(page)), { tags: "template" }, opened);
  const stamped = await jobs.finish(bytes.slice(), { marks: [written("A value that shows")] }, opened);
  const { inside, outside } = await changes(bytes, stamped.bytes, [AREA]);
  expect(inside).toBeGreaterThan(100);
  expect(outside).toBe(0);
  const copy = await jobs.copy(bytes.slice(), { band: "COPY of this", diagonal: "COPY" }, opened);
  expect((await changes(bytes, copy.bytes, [])).outside).toBeGreaterThan(10_000);
});

test("annotations become part of the page; those without an appearance are removed, with a warning", async () => {
  const red = {
    ...covered("Stamp"),
    more: { ...covered("Stamp").more, 11: stream("/Type /XObject /Subtype /Form /BBox [0 0 612 792]", "1 0 0 rg 0 0 612 792 re f") },
  };
  const before = writePdf(onePage(red));
  const taken = await jobs.ingest(before, { tags: "template" }, opened);
  expect(taken.warnings).toEqual([]);
  expect(Buffer.from(taken.bytes).toString("latin1")).not.toContain("/Annot");
  expect((await changes(before, taken.bytes, [])).outside).toBe(0);
  const drawn = await jobs.ingest(writePdf(onePage(covered("Square", "/IC [1 1 1]"))), { tags: "template" }, opened);
  expect(drawn.warnings).toEqual([]);
});
