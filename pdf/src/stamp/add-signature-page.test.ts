import { expect, test } from "vitest";
import { changes, DRAWN, fonts, open, SIGNING } from "../../fixtures/marks.ts";
import { onePage, pages } from "../../fixtures/pages.ts";
import { readPdfiumPage } from "../../fixtures/pdfium-chars.ts";
import { writePdf } from "../../fixtures/writer.ts";
import { clipArea } from "../area.ts";
import { save } from "../doc.ts";
import { describe } from "../open.ts";
import { stamp } from "../stamp.ts";
import { addSignaturePage, type PageSigner, type WithSignaturePage } from "./add-signature-page.ts";

const people = (count: number): PageSigner[] =>
  Array.from({ length: count }, (_, i) => ({ signer: `sig_${i + 1}`, label: `Signer ${i + 1}` }));
const added = async (bytes: Uint8Array, count: number): Promise<WithSignaturePage> =>
  addSignaturePage(await open(bytes), people(count), fonts);

test("twelve signers fit on one page and the thirteenth gets a second, in the displayed size of page 1", async () => {
  expect((await added(writePdf(pages(2)), 12)).doc.pages).toHaveLength(3);
  expect((await added(writePdf(onePage({ mediaBox: "[0 0 842 595]" })), 12)).doc.pages).toHaveLength(2);
  const { doc, areas } = await added(writePdf(pages(2)), 13);
  expect(describe(doc).pages).toEqual(Array(4).fill({ w_pt: 612, h_pt: 792, rotate: 0 }));
  expect(areas.map(({ signer, signature }) => [signer, signature.page])).toEqual(
    people(13).map(({ signer }, i) => [signer, i < 12 ? 3 : 4]),
  );
  const upload = writePdf(onePage({ mediaBox: "[0 0 500 800]", page: "/Rotate 90 /CropBox [0 0 450 700]" }));
  const turned = describe((await added(upload, 1)).doc).pages;
  expect(turned).toEqual([
    { w_pt: 700, h_pt: 450, rotate: 90 },
    { w_pt: 700, h_pt: 450, rotate: 0 },
  ]);
});

test("no areas overlap, all are on the page, and each signature has space for its caption", async () => {
  for (const mediaBox of ["[0 0 612 792]", "[0 0 842 595]", "[0 0 300 300]", "[0 0 3000 5000]", "[0 0 60 60]"]) {
    const { doc, areas } = await added(writePdf(onePage({ mediaBox })), 14);
    const all = areas.flatMap(({ signature, date }) => [signature, date]);
    const sizes = describe(doc).pages;
    for (const [i, area] of all.entries()) {
      expect(clipArea(area)).toMatchObject({ clipped: false });
      expect(area.h * (sizes[area.page - 1]?.h_pt ?? 0)).toBeGreaterThan(19.999);
      for (const other of all.slice(i + 1)) {
        const apart =
          area.page !== other.page ||
          area.x + area.w <= other.x ||
          other.x + other.w <= area.x ||
          area.y + area.h <= other.y + 1e-9 ||
          other.y + other.h <= area.y + 1e-9;
        expect(apart, `${mediaBox} ${JSON.stringify([area, other])}`).toBe(true);
      }
    }
  }
});

test("the rows have labels, and stamped values stay in their areas", async () => {
  const { doc, areas } = await added(writePdf(onePage()), 2);
  const bytes = await save(doc);
  const { text } = await readPdfiumPage(bytes, 1);
  for (const word of ["Signatures", "Signer 1", "Signer 2", "Date"]) expect(text).toContain(word);
  const again = await open(bytes);
  const [first] = areas;
  if (first === undefined) throw new Error("no areas");
  await stamp(
    again,
    [{ kind: "mark", field: "Signature", signer: first.signer, areas: [first.signature], value: DRAWN, ...SIGNING }],
    fonts,
  );
  expect(await changes(bytes, await save(again), [first.signature], 2)).toMatchObject({ outside: 0 });
});

test("without signers nothing is added", async () => {
  const { doc, areas } = await added(writePdf(onePage()), 0);
  expect([doc.pages.length, areas]).toEqual([1, []]);
});
