import { describe, expect, test } from "vitest";
import { testInAll } from "../../testing/all.ts";
import { onePage, pages, text } from "../fixtures/pages.ts";
import { colorAt, type Pixels, pixelsOf } from "../fixtures/pixels.ts";
import { makePng } from "../fixtures/png.ts";
import { readWebp } from "../fixtures/webp.ts";
import { latin1, stream, writePdf } from "../fixtures/writer.ts";
import { imageToPdf } from "./image-to-pdf.ts";
import { isBlankPage, pageText, renderPage } from "./render.ts";

const header = (png: Uint8Array) => ({
  width: Buffer.from(png).readUInt32BE(16),
  height: Buffer.from(png).readUInt32BE(20),
  depth: png[24],
  color: png[25],
});

/** Our PNG, read back through a PDF and PDFium. */
const shownAgain = async (png: Uint8Array, scale: number) => pixelsOf(await imageToPdf(png), 0, scale);

function meanOf({ data }: Pixels): number[] {
  const sums = [0, 0, 0];
  for (let at = 0; at < data.length; at += 4) for (const c of [0, 1, 2]) sums[c] = (sums[c] ?? 0) + (data[at + c] ?? 0);
  return sums.map((sum) => (4 * sum) / data.length);
}

const lines = (count: number): string =>
  Array.from({ length: count }, (_, i) => text(`Line ${i} of a contract between two parties`, 72, 740 - 14 * i)).join(" ");

describe("a page is blank", () => {
  const filled = (color: string) => writePdf(onePage({ content: `${color} rg 300 400 20 20 re f` }));
  test.each([
    ["if nothing is on it", "1 1 1", true],
    ["if all of it is as light as paper", "0.95 0.95 0.95", true],
    ["if all of it is as light as yellowed paper", "0.98 0.97 0.94", true],
    ["unless something on it is grey", "0.85 0.85 0.85", false],
    ["unless something on it has a pale colour", "0.75 0.95 1", false],
    ["unless something on it is dark", "0.2 0.2 0.2", false],
    ["unless something on it has a dark colour", "1 0 0", false],
  ])("%s", async (_, color, blank) => {
    expect(await isBlankPage(filled(color), 1)).toBe(blank);
  });

  test("only if it exists", async () => {
    await expect(isBlankPage(filled("1 1 1"), 2)).rejects.toThrow(RangeError);
  });
});

describe("the image of a page", () => {
  test("of black text is a PNG with 16 greys that matches PDFium's rendering", async () => {
    const pdf = writePdf(onePage({ content: lines(48) }));
    const { mime, bytes, w, h } = await renderPage(pdf, 1, 1224);
    expect({ mime, w, h, ...header(bytes) }).toEqual({
      mime: "image/png",
      w: 1224,
      h: 1584,
      width: 1224,
      height: 1584,
      depth: 4,
      color: 0,
    });
    expect(bytes.length).toBeLessThan(150_000);
    const [ours, original] = await Promise.all([shownAgain(bytes, 2), pixelsOf(pdf, 0, 2)]);
    let worst = 0;
    for (let at = 0; at < original.data.length; at += 4) worst = Math.max(worst, Math.abs((ours.data[at] ?? 0) - (original.data[at] ?? 0)));
    expect(worst).toBeLessThanOrEqual(9);
  });

  test("with colour is a palette PNG with similar colours", async () => {
    const colors = [
      [1, 0, 0],
      [0.1, 0.55, 0.85],
      [0.5, 0.5, 0.5],
      [0.02, 0.02, 0.03],
    ] as const;
    const content = colors.map((color, i) => `${color.join(" ")} rg 0 ${i * 100} 612 100 re f`).join(" ");
    const { mime, bytes } = await renderPage(writePdf(onePage({ content })), 1, 1224);
    expect({ mime, ...header(bytes) }).toMatchObject({ mime: "image/png", depth: 8, color: 3 });
    const page = await shownAgain(bytes, 1);
    for (const [i, color] of colors.entries()) {
      const found = colorAt(page, 300, 792 - i * 100 - 50);
      for (const [c, value] of color.entries()) expect(Math.abs((found[c] ?? 0) - value * 255)).toBeLessThanOrEqual(26);
    }
    expect(colorAt(page, 300, 100)).toEqual([255, 255, 255]);
  });

  testInAll("of a noisy scan is WebP, which is smaller, in the same colours", async () => {
    let state = 1;
    const noise = () => {
      state = (state * 48_271) % 0x7fffffff;
      return [235 - (state % 40), 180 - (state % 38), 90 - (state % 36)];
    };
    const scan = await imageToPdf(makePng({ width: 500, height: 625, depth: 8, color: 2, pixel: noise }));
    const { mime, bytes, w, h } = await renderPage(scan, 1, 1224);
    expect([mime, w, h]).toEqual(["image/webp", 1224, 1530]);
    const [ours, original] = [await readWebp(bytes), await pixelsOf(scan)];
    expect([ours.width, ours.height]).toEqual([w, h]);
    for (const [c, value] of meanOf(original).entries()) expect(Math.abs(value - (meanOf(ours)[c] ?? 0))).toBeLessThan(3);
  });

  test("is twice as wide on request", async () => {
    const { w, h } = await renderPage(writePdf(onePage()), 1, 2448);
    expect([w, h]).toEqual([2448, 3168]);
  });

  test.each([
    ["rotated by a quarter turn", "/Rotate 90", [1224, 945]],
    ["cropped", "/CropBox [100 200 400 300]", [1224, 408]],
  ])("of a page that is %s has its displayed proportions", async (_name, page, size) => {
    const { w, h } = await renderPage(writePdf(onePage({ page })), 1, 1224);
    expect([w, h]).toEqual(size);
  });

  test("of a long, narrow page is scaled down to 12 megapixels", async () => {
    const { w, h } = await renderPage(writePdf(onePage({ mediaBox: "[0 0 100 14400]", content: "" })), 1, 1224);
    expect(w * h).toBeLessThanOrEqual(12_000_000);
    expect(w * h).toBeGreaterThan(11_500_000);
    expect(h / w).toBeCloseTo(144, 0);
  });

  test("shows annotations", async () => {
    const square = "<< /Type /Annot /Subtype /Square /Rect [100 100 300 300] /F 4 /AP << /N 11 0 R >> >>";
    const appearance = stream("/Type /XObject /Subtype /Form /BBox [0 0 200 200]", "0 0 1 rg 0 0 200 200 re f");
    const pdf = writePdf(onePage({ page: "/Annots [10 0 R]", more: { 10: square, 11: appearance } }));
    const page = await shownAgain((await renderPage(pdf, 1, 1224)).bytes, 1);
    expect(colorAt(page, 200, 792 - 200)).toEqual([0, 0, 255]);
  });

  test("is of the requested page, repeatedly", async () => {
    const pdf = writePdf(pages(3));
    const [first, second, again] = [await renderPage(pdf, 1, 1224), await renderPage(pdf, 2, 1224), await renderPage(pdf, 1, 1224)];
    expect(Buffer.compare(first.bytes, again.bytes)).toBe(0);
    expect(Buffer.compare(first.bytes, second.bytes)).not.toBe(0);
  });

  test("of a page that PDFium counts but cannot show is unreadable", async () => {
    const gap = writePdf({
      ...pages(2),
      2: "<< /Type /Pages /Kids [12 0 R 9 0 R] /Count 2 >>",
      9: "<< /Type /Page /Parent 2 0 R /Kids null >>",
    });
    await expect(renderPage(gap, 2, 1224)).rejects.toMatchObject({ name: "UnreadablePdf", fault: "unparseable" });
  });

  test.each([0, 4, -1, 1.5])("of the missing page %d is a RangeError", async (page) => {
    await expect(renderPage(writePdf(pages(3)), page, 1224)).rejects.toThrow(RangeError);
    await expect(pageText(writePdf(pages(3)), page)).rejects.toThrow(RangeError);
  });

  test("of a file that PDFium cannot open is an error", async () => {
    await expect(renderPage(latin1("nothing"), 1, 1224)).rejects.toMatchObject({ name: "UnreadablePdf" });
  });
});

describe("the text of a page", () => {
  const textOf = async (content: string, odd = {}) => pageText(writePdf(onePage({ content, ...odd })), 1);

  test("is in blocks: lines of one paragraph together, headings and distant lines separate", async () => {
    const content = [
      text("Contract", 72, 740, 24),
      text("This agreement is made between", 72, 700),
      text("the two parties named below.", 72, 686),
      text("It begins today.", 72, 650),
      text("Second column.", 350, 700),
    ].join(" ");
    expect(await textOf(content)).toEqual({
      page: 1,
      has_text: true,
      blocks: ["Contract", "This agreement is made between the two parties named below.", "It begins today.", "Second column."],
      places: [
        { top: expect.closeTo(52 / 792, 5), is_heading: true },
        { top: expect.closeTo(92 / 792, 5), is_heading: false },
        { top: expect.closeTo(142 / 792, 5), is_heading: false },
        { top: expect.closeTo(92 / 792, 5), is_heading: false },
      ],
    });
  });

  test("of a rotated page is the same", async () => {
    const content = "BT /F1 12 Tf 0 1 -1 0 100 72 Tm (One line) Tj 0 -14 Td (and its second) Tj 0 -60 Td (Apart) Tj ET";
    const { blocks, places } = await textOf(content, { page: "/Rotate 90" });
    expect(blocks).toEqual(["One line and its second", "Apart"]);
    expect(places.map(({ top }) => top)).toEqual([expect.closeTo(100 / 612, 5), expect.closeTo(174 / 612, 5)]);
  });

  test("of a page without text is empty", async () => {
    expect(await textOf("0 0 9 9 re f")).toEqual({ page: 1, has_text: false, blocks: [], places: [] });
  });

  test("is of the requested page", async () => {
    expect(await pageText(writePdf(pages(3)), 2)).toMatchObject({ page: 2, has_text: true, blocks: ["Page 2"] });
  });
});

describe("text that is not read aloud", () => {
  const blocksOf = async (content: string, fields: Parameters<typeof pageText>[2] = []): Promise<readonly string[]> =>
    (await pageText(writePdf(onePage({ content })), 1, fields)).blocks;

  test("white text on white is left out; on a dark ground it is read", async () => {
    const white = text("Total in white", 72, 600);
    expect(await blocksOf(`${text("Seen")} 1 g ${white}`)).toEqual(["Seen"]);
    expect(await blocksOf(`${text("Seen")} 0 0 0.4 rg 60 590 300 30 re f 1 g ${white}`)).toEqual(["Seen", "Total in white"]);
  });

  test("text that is fully transparent is left out, on any ground; text with a visible outline is read", async () => {
    const resources = "/ExtGState << /None << /ca 0 /CA 0 >> /Fill << /ca 0 >> /Half << /ca 0.5 >> >>";
    const read = async (content: string): Promise<readonly string[]> =>
      (await pageText(writePdf(onePage({ content: `${text("Seen")} ${content}`, resources })), 1)).blocks;
    const total = text("Total 950", 72, 600);
    expect(await read(`/None gs ${total}`)).toEqual(["Seen"]);
    expect(await read(`0.8 g 60 590 300 30 re f 0 g /Fill gs ${total}`)).toEqual(["Seen"]);
    expect(await read(`/None gs 2 Tr ${total}`)).toEqual(["Seen"]);
    expect(await read(`/Fill gs 1 Tr ${total}`)).toEqual(["Seen", "Total 950"]);
    expect(await read(`/Half gs ${total}`)).toEqual(["Seen", "Total 950"]);
  });

  test("recognized text of a scan is read, but not in the area of a field", async () => {
    const content = `BT 3 Tr /F1 12 Tf 72 700 Td (Rent: 900 EUR) Tj 0 -200 Td (J. Smith) Tj ET`;
    expect(await blocksOf(content)).toEqual(["Rent: 900 EUR", "J. Smith"]);
    const area = { page: 1, x: 60 / 612, y: 270 / 792, w: 0.3, h: 40 / 792 };
    expect(await blocksOf(content, [area])).toEqual(["Rent: 900 EUR"]);
    expect(await blocksOf(content, [{ ...area, page: 2 }])).toEqual(["Rent: 900 EUR", "J. Smith"]);
  });

  test("text that can be seen is read in the area of a field", async () => {
    expect(await blocksOf(text("Landlord"), [{ page: 1, x: 0, y: 0, w: 1, h: 1 }])).toEqual(["Landlord"]);
  });
});
