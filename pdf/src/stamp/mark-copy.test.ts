import { PdfStream } from "@libpdf/core";
import { describe, expect, test } from "vitest";
import { makeOrg } from "../../fixtures/certificates.ts";
import { changes, fonts, open, stampedOnto, written } from "../../fixtures/marks.ts";
import { onePage, pages } from "../../fixtures/pages.ts";
import { readPdfiumPage } from "../../fixtures/pdfium-chars.ts";
import { colorAt, pixelsOf } from "../../fixtures/pixels.ts";
import { sealedBy } from "../../fixtures/sealed.ts";
import { stream, writePdf } from "../../fixtures/writer.ts";
import { decodeStream } from "../content/filters.ts";
import { resolve, save } from "../doc.ts";
import { countRevisions } from "../revisions.ts";
import { signedFields } from "../signed-fields.ts";
import { type CopyTexts, markCopy } from "./mark-copy.ts";

const BAND = "COPY, not the authoritative copy · env_1 · ci_1 · ann@example.com · 2026-03-01 09:30:00 UTC · 0123456789abcdef";
const TEXTS = { band: BAND, diagonal: "COPY" };

async function copyOf(bytes: Uint8Array, texts: CopyTexts = TEXTS): Promise<Uint8Array> {
  const doc = await open(bytes);
  markCopy(doc, texts, fonts);
  return save(doc);
}

test("every page is marked, in text that PDFium reads, for any size and rotation", async () => {
  const objects = pages(4);
  objects[14] = String(objects[14]).replace("[0 0 612 792]", "[0 0 300 200] /Rotate 90");
  objects[16] = String(objects[16]).replace("[0 0 612 792]", "[50 60 660 850] /CropBox [100 100 400 700] /Rotate 270 /UserUnit 2");
  objects[18] = String(objects[18]).replace("[0 0 612 792]", "[0 0 40 30]");
  const copy = await copyOf(writePdf(objects));
  for (const index of [0, 1, 2, 3]) {
    const { text } = await readPdfiumPage(copy, index);
    expect(text, `page ${index + 1}`).toContain(BAND);
    expect(text.replaceAll(BAND, ""), `page ${index + 1}`).toContain("COPY");
    expect(text).toContain(`Page ${index + 1}`);
  }
});

test("the band is opaque and at the bottom, the page shows through the diagonal, and the rest is unchanged", async () => {
  const dark = writePdf(onePage({ content: "0 0 1 rg 0 0 612 792 re f" }));
  const band = { page: 1, x: 0, y: 1 - 14 / 792, w: 1, h: 14 / 792 };
  const plain = await copyOf(dark, { band: BAND });
  expect(await changes(dark, plain, [band])).toMatchObject({ outside: 0 });
  expect(colorAt(await pixelsOf(plain, 0, 2), 4, 2 * 788)).toEqual([255, 255, 255]);
  const marked = await copyOf(dark);
  const { outside } = await changes(dark, marked, [band]);
  expect(outside).toBeGreaterThan(10_000);
  const { data } = await pixelsOf(marked, 0, 1);
  const blues = new Set(Array.from({ length: 612 * 700 }, (_, i) => data[4 * i + 2] ?? 0));
  // Black at 20 % opacity over blue.
  expect(Math.min(...blues)).toBe(204);
});

test("the diagonal is as long as 0.7 of the page's diagonal", async () => {
  const blank = writePdf(onePage({ content: "" }));
  const { width, height, data } = await pixelsOf(await copyOf(blank, { band: " ", diagonal: "COPY" }), 0, 1);
  const along: number[] = [];
  for (let at = 0; at < data.length; at += 4) {
    const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
    if ((data[at] ?? 255) < 230 && y < 700) along.push((x * width + (height - y) * height) / Math.hypot(width, height));
  }
  const length = along.reduce((max, value) => Math.max(max, value), 0) - along.reduce((min, value) => Math.min(min, value), Infinity);
  expect(length / Math.hypot(width, height)).toBeGreaterThan(0.66);
  expect(length / Math.hypot(width, height)).toBeLessThan(0.71);
});

test("no annotation covers the marks: visible ones become part of the page, links stay", async () => {
  const white = stream("/Type /XObject /Subtype /Form /BBox [0 0 10 10]", "1 g 0 0 10 10 re f 1 0 0 rg 0 5 10 5 re f");
  const more = {
    10: "<< /Type /Annot /Subtype /Square /Rect [0 0 612 40] /AP << /N 11 0 R >> >>",
    11: white,
    12: "<< /Type /Annot /Subtype /Square /Rect [0 0 612 30] /IC [1 1 1] >>",
    13: "<< /Type /Annot /Subtype /Link /Rect [0 0 50 50] /A << /S /URI /URI (https://example.com) >> /AP << /N 11 0 R >> >>",
    14: "<< /Type /Annot /Subtype /Square /F 2 /Rect [0 100 612 792] /AP << /N 11 0 R >> >>",
  };
  const upload = writePdf(onePage({ page: "/Rotate 180 /Annots [10 0 R 12 0 R 13 0 R 14 0 R]", content: "", more }));
  const copy = await copyOf(upload, { band: BAND });
  const { text } = await readPdfiumPage(copy);
  expect(text).toBe(BAND);
  const shown = await pixelsOf(copy, 0, 1);
  // Rotated by 180 degrees: the annotation's upper, red half is at the top of the displayed page, from 20 to 40 points.
  expect(colorAt(shown, 300, 30)).toEqual([255, 0, 0]);
  expect(colorAt(shown, 300, 400)).toEqual([255, 255, 255]);
  const { catalog, pages: kept } = await open(copy);
  expect(catalog.has("AcroForm")).toBe(false);
  expect(kept[0]?.dict.getArray("Annots")?.length).toBe(1);
  // The same annotation at the bottom of an upright page: the band is visible, and the annotation is below it.
  const upright = await copyOf(writePdf(onePage({ page: "/Annots [10 0 R 12 0 R]", content: "", more })), { band: BAND });
  const foot = await pixelsOf(upright, 0, 2);
  const black = Array.from({ length: foot.width }, (_, x) => colorAt(foot, x, 2 * 786)).filter(([r, g, b]) => r + g + b < 150);
  expect(black.length).toBeGreaterThan(50);
  expect(colorAt(foot, 600, 2 * 760)).toEqual([255, 0, 0]);
});

describe("signatures", () => {
  test("are not in the copy, nor is any earlier revision", async () => {
    const sealed = await sealedBy(await makeOrg(), (await stampedOnto(writePdf(onePage()), [written("Ann Example")])).bytes);
    const copy = await copyOf(sealed);
    const file = Buffer.from(copy).toString("latin1");
    expect(file).not.toMatch(/AcroForm|ByteRange|Adobe\.PPKLite|Countersign_1/);
    expect([signedFields(await open(copy)).length, countRevisions(copy)]).toEqual([0, 1]);
    expect((await readPdfiumPage(copy)).text).toContain("Ann Example");
  });

  test("are removed from a form with a value that cannot be drawn; a copy is never refused", async () => {
    // A value that was accepted before its characters had to have a font.
    const more = {
      10: "<< /Fields [11 0 R 12 0 R 14 0 R] /SigFlags 3 >>",
      11: "<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /V <FEFF03A9DBFFDFFD> /Rect [10 10 90 30] /P 3 0 R >>",
      12: "<< /FT /Sig /T (Seal) /V 13 0 R /Kids [15 0 R] >>",
      13: "<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 1 2 3] /Contents <00> >>",
      14: "<< /T (Group) /Kids [16 0 R] >>",
      15: "<< /Type /Annot /Subtype /Widget /Parent 12 0 R /Rect [0 0 0 0] /P 3 0 R >>",
      16: "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Inner) /Parent 14 0 R /Rect [0 0 0 0] /P 3 0 R >>",
    };
    const upload = writePdf(onePage({ catalog: "/AcroForm 10 0 R", page: "/Annots [11 0 R 15 0 R 16 0 R]", more }));
    const copy = Buffer.from(await copyOf(upload)).toString("latin1");
    expect(copy).not.toMatch(/AcroForm|Widget|SigFlags|ByteRange|\(Seal\)|\(Inner\)/);
    expect((await readPdfiumPage(await copyOf(upload))).text).toContain("Ω");
  });
});

describe("the metadata", () => {
  const SAID = /<countersign:rendition>copy<\/countersign:rendition>/g;
  const described = async (bytes: Uint8Array): Promise<string> => {
    const doc = await open(bytes);
    const metadata = resolve(doc, doc.catalog.get("Metadata"));
    return metadata instanceof PdfStream ? new TextDecoder().decode(decodeStream(doc, metadata)) : "";
  };

  test("says that it is a copy, if there was no metadata before", async () => {
    const said = await described(await copyOf(writePdf(onePage())));
    expect(said.match(SAID)).toHaveLength(1);
    expect(said).toContain("<x:xmpmeta");
  });

  test("says it in addition to existing metadata, and only once for a copy of a copy", async () => {
    const xmp = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="uuid:1" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:format>application/pdf</dc:format></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
    const upload = writePdf(onePage({ catalog: "/Metadata 10 0 R", more: { 10: stream("/Type /Metadata /Subtype /XML", xmp) } }));
    const copy = await copyOf(upload);
    const said = await described(copy);
    expect(said).toContain("<dc:format>application/pdf</dc:format>");
    expect(said).toMatch(/<rdf:Description rdf:about="uuid:1" xmlns:countersign="[^"]+"><countersign:rendition>copy/);
    expect((await described(await copyOf(copy))).match(SAID)).toHaveLength(1);
  });
});
