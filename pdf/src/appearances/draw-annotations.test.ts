// Annotations without an appearance are drawn as other viewers draw them, and become part of the page.

import { createBudget } from "pako";
import { expect, describe as group, test } from "vitest";
import { utf16 } from "../../fixtures/forms.ts";
import { type OnePage, onePage, text } from "../../fixtures/pages.ts";
import { readPdfiumPage } from "../../fixtures/pdfium-chars.ts";
import { colorAt, inkIn, pixelsOf } from "../../fixtures/pixels.ts";
import { stream, writePdf } from "../../fixtures/writer.ts";
import { NotDrawable } from "../errors.ts";
import { jobs } from "../jobs.ts";
import { openPdf } from "../open.ts";
import { sanitize } from "../sanitize.ts";
import { boxesAlong } from "./paths.ts";

const opened = (): void => undefined;

const fileWith = (entries: string, odd: OnePage = {}): Uint8Array =>
  writePdf(onePage({ page: `/Annots [10 0 R] ${odd.page ?? ""}`, ...odd, more: { 10: `<< /Type /Annot ${entries} >>`, ...odd.more } }));

async function taken(entries: string, odd: OnePage = {}): Promise<{ bytes: Uint8Array; warnings: readonly string[] }> {
  const page = `/Annots [10 0 R] ${odd.page ?? ""}`;
  const { bytes, warnings } = await jobs.ingest(fileWith(entries, { ...odd, page }), { tags: "document" }, opened);
  expect(Buffer.from(bytes).toString("latin1")).not.toContain("/Annots");
  return { bytes, warnings };
}

/** The ink of one annotation on a page without text. */
async function inkOf(entries: string, within: readonly number[] = [0, 0, 612, 792], odd: OnePage = {}) {
  const { bytes, warnings } = await taken(entries, { content: " ", ...odd });
  expect(warnings).toEqual([]);
  return inkIn(bytes, within);
}

/** The corners of a box in the order of Acrobat, of the standard, and in two more that occur. */
const orders: Readonly<Record<string, (l: number, b: number, r: number, t: number) => number[]>> = {
  "Acrobat's order": (l, b, r, t) => [l, t, r, t, l, b, r, b],
  "the standard's order": (l, b, r, t) => [l, b, r, b, r, t, l, t],
  "clockwise order": (l, b, r, t) => [l, t, r, t, r, b, l, b],
  "upright order": (l, b, r, t) => [l, b, l, t, r, b, r, t],
  "right to left": (l, b, r, t) => [r, t, l, t, r, b, l, b],
};

group("marks over text", () => {
  const mark = (subtype: string, quads: readonly number[], more = "") =>
    `/Subtype /${subtype} /Rect [100 600 200 612] /QuadPoints [${quads.join(" ")}] ${more}`;

  for (const [name, order] of Object.entries(orders)) {
    test(`a strike-out goes through the middle and an underline below, with corners in ${name}`, async () => {
      const strike = await inkOf(mark("StrikeOut", order(100, 600, 200, 612)));
      expect(strike).toMatchObject({ left: 100, right: 200 });
      expect(((strike?.top ?? 0) + (strike?.bottom ?? 0)) / 2).toBeCloseTo(606, 0);
      const under = await inkOf(mark("Underline", order(100, 600, 200, 612)));
      expect(under?.top).toBeLessThan(603);
      const wave = await inkOf(mark("Squiggly", order(100, 600, 200, 612)));
      expect(wave?.top).toBeLessThan(604);
      expect((wave?.right ?? 0) - (wave?.left ?? 0)).toBeGreaterThan(95);
    });
  }

  test("very many highlights of one color are one area, each in its place", async () => {
    const many = (count: number, more: (index: number) => string): Uint8Array => {
      const numbers = Array.from({ length: count }, (_, index) => index);
      const marks = numbers.map((index) => [
        20 + index,
        `<< /Type /Annot /Subtype /Highlight /Rect [${50 + 40 * (index % 12)} ${50 + 5 * index} ${80 + 40 * (index % 12)} ${54 + 5 * index}] ${more(index)} >>`,
      ]);
      const page = `/Annots [${numbers.map((index) => `${20 + index} 0 R`).join(" ")}]`;
      return writePdf(onePage({ content: " ", page, more: Object.fromEntries(marks) }));
    };
    const ingest = (file: Uint8Array) => jobs.ingest(file, { tags: "document" }, opened);
    const forms = (bytes: Uint8Array): number => Buffer.from(bytes).toString("latin1").split("/Multiply").length - 1;
    const { bytes, warnings, page_warnings } = await ingest(many(140, (index) => (index % 2 === 0 ? "/C [1 1 0]" : "/C [0 1 0]")));
    expect({ warnings, page_warnings }).toEqual({ warnings: [], page_warnings: [] });
    expect(forms(bytes)).toBe(2);
    const pixels = await pixelsOf(bytes);
    for (const index of [0, 1, 77, 138, 139]) {
      const color = colorAt(pixels, 65 + 40 * (index % 12), 791 - (52 + 5 * index));
      expect(color).toEqual(index % 2 === 0 ? [255, 255, 0] : [0, 255, 0]);
    }
    expect(forms((await ingest(many(60, () => "/C [1 1 0]"))).bytes)).toBe(60);
  });

  test("a strike-out on a page that is shown turned follows the text", async () => {
    const upright = "/Subtype /StrikeOut /Rect [100 500 112 600] /QuadPoints [100 500 100 600 112 500 112 600]";
    const { bytes } = await taken(upright, { content: " ", page: "/Rotate 90" });
    const ink = await inkIn(bytes, [0, 0, 792, 612]);
    expect((ink?.right ?? 0) - (ink?.left ?? 0)).toBeCloseTo(100, 0);
    expect((ink?.top ?? 0) - (ink?.bottom ?? 0)).toBeLessThan(3);
  });

  test("a highlight leaves its text readable", async () => {
    const bar = { content: "0 g 120 600 20 12 re f" };
    const { bytes } = await taken(mark("Highlight", [100, 612, 200, 612, 100, 600, 200, 600], "/C [1 1 0]"), bar);
    const pixels = await pixelsOf(bytes);
    expect(colorAt(pixels, 110, 792 - 606)).toEqual([255, 255, 0]);
    expect(colorAt(pixels, 130, 792 - 606)).toEqual([0, 0, 0]);
    const faint = await pixelsOf((await taken(mark("Highlight", [], "/C [1 0 0] /CA 0.5"), { content: " " })).bytes);
    expect(colorAt(faint, 110, 792 - 606)[1]).toBeCloseTo(128, -1);
  });

  test("without usable corners, the whole rectangle is marked", async () => {
    for (const quads of ["", "/QuadPoints [1 2 3]", "/QuadPoints [(a) 1 2 3 4 5 6 7]", "/QuadPoints [5 5 5 5 5 5 5 5]"]) {
      const ink = await inkOf(`/Subtype /StrikeOut /Rect [100 600 200 612] ${quads}`);
      expect(ink).toMatchObject({ left: 100, right: 200 });
    }
  });
});

group("shapes", () => {
  test("dashes that are too short to be seen are a solid line, and PDFium is not asked to draw them", async () => {
    const square = (dashes: string) => `/Subtype /Square /Rect [50 50 550 750] /C [1 0 0] /BS << /W 4 /S /D /D ${dashes} >>`;
    const solid = await inkOf("/Subtype /Square /Rect [50 50 550 750] /C [1 0 0] /BS << /W 4 >>");
    for (const dashes of ["[0.0000001]", "[0 0]", "[0.05 0.05]"]) expect(await inkOf(square(dashes))).toEqual(solid);
    expect((await inkOf(square("[0.0000001 8]")))?.pixels).toBeLessThan((solid?.pixels ?? 0) / 2);
    const field = "/Subtype /Widget /FT /Tx /T (a) /Rect [50 50 550 750] /BS << /S /D /D [0] >>";
    const form = fileWith(field, { page: "/Annots [10 0 R]", catalog: "/AcroForm << /Fields [10 0 R] >>" });
    expect((await jobs.ingest(form, { tags: "document" }, opened)).page_warnings).toEqual([]);
    const border = fileWith("/Subtype /Square /Rect [50 50 550 750] /C [1 0 0] /Border [0 0 4 [0.0000001]]");
    expect((await jobs.ingest(border, { tags: "document" }, opened)).page_warnings).toEqual([{ code: "look_changed", pages: [1] }]);
  });

  test("a square and a circle have border, interior, dashes, opacity and margins", async () => {
    const shape = (subtype: string, more: string) =>
      `/Subtype /${subtype} /Rect [100 500 200 600] /C [0 0 1] /IC [1 0 0] /BS << /W 10 >> ${more}`;
    const at = async (subtype: string, more = "") => {
      const pixels = await pixelsOf((await taken(shape(subtype, more), { content: " " })).bytes);
      return [colorAt(pixels, 150, 792 - 595), colorAt(pixels, 150, 792 - 550), colorAt(pixels, 102, 792 - 598)];
    };
    const [red, blue, white] = [
      [255, 0, 0],
      [0, 0, 255],
      [255, 255, 255],
    ];
    expect(await at("Square")).toEqual([blue, red, blue]);
    expect(await at("Circle")).toEqual([blue, red, white]);
    expect(await at("Square", "/RD [20 20 20 20]")).toEqual([white, red, white]);
    expect((await at("Square", "/CA 0.5"))[1]?.[1]).toBeCloseTo(128, -1);
  });

  test("a line is drawn with its endings, whatever its rectangle says", async () => {
    const line = (ending: string) => `/Subtype /Line /Rect [100 500 200 500] /L [100 500 200 500] /LE [/None /${ending}] /BS << /W 2 >>`;
    const plain = await inkOf(line("None"));
    expect(plain).toMatchObject({ left: 100, right: 200 });
    for (const ending of ["OpenArrow", "ClosedArrow", "Square", "Circle", "Diamond", "Butt", "Slash", "ROpenArrow", "RClosedArrow"]) {
      expect((await inkOf(line(ending)))?.pixels).toBeGreaterThan((plain?.pixels ?? 0) + 30);
    }
  });

  test("polygons, polylines and ink go through their points", async () => {
    const points = "[100 500 200 500 200 600]";
    for (const shape of [
      `/Subtype /Polygon /Vertices ${points}`,
      `/Subtype /PolyLine /Vertices ${points}`,
      `/Subtype /Ink /InkList [${points}]`,
    ]) {
      const ink = await inkOf(`${shape} /Rect [100 500 200 600]`);
      expect([Math.round(ink?.left ?? 0), Math.round(ink?.bottom ?? 0)]).toEqual([100, 500]);
      expect(Math.abs((ink?.right ?? 0) - 200.5)).toBeLessThanOrEqual(1);
      expect(Math.abs((ink?.top ?? 0) - 600.5)).toBeLessThanOrEqual(1);
    }
  });

  test("carets and areas marked for redaction are shown", async () => {
    expect((await inkOf("/Subtype /Caret /Rect [100 500 120 520]"))?.pixels).toBeGreaterThan(100);
    expect((await inkOf("/Subtype /Redact /Rect [100 500 200 520]"))?.pixels).toBeGreaterThan(100);
  });
});

group("words", () => {
  const free = (contents: string, more = "") =>
    `/Subtype /FreeText /Rect [100 500 300 560] /Contents ${contents} /DA (/Helv 12 Tf 1 0 0 rg) ${more}`;

  test("free text is page content, found by PDFium and by anchors", async () => {
    const { bytes } = await taken(free(utf16("This replaces clause 4: € 900")), { content: " " });
    expect((await readPdfiumPage(bytes)).text.replaceAll(/\s+/g, " ")).toContain("This replaces clause 4: € 900");
    const placed = await jobs.anchors(bytes, { anchors: [{ anchor_text: "replaces clause 4" }] }, opened);
    expect(placed).toMatchObject([{ page: 1, matches: 1 }]);
  });

  test("free text has a frame of one point, or the one that it states", async () => {
    const frame = async (more: string) => (await inkOf(free("()", more), [95, 495, 305, 565]))?.pixels ?? 0;
    const plain = await frame("");
    expect(plain).toBeGreaterThan(1_000);
    expect(await frame("/BS << /W 3 >>")).toBeGreaterThan(2 * plain);
    expect(await frame("/Border [0 0 3]")).toBeGreaterThan(2 * plain);
    expect(await frame("/BS << /W 0 >>")).toBe(0);
    expect(await frame("/Border [0 0 0]")).toBe(0);
  });

  test("an annotation that states nothing to draw is no loss", async () => {
    for (const entries of [free("()", "/BS << /W 0 >>"), "/Subtype /Line /Rect [10 10 20 20]", "/Subtype /Ink /Rect [10 10 20 20]"])
      expect((await jobs.ingest(fileWith(entries), { tags: "document" }, opened)).warnings).toEqual([]);
  });

  test("free text is read as typed where letters stack", async () => {
    const { bytes } = await taken(free(utf16("สวัสดีครับ")), { content: " " });
    expect((await readPdfiumPage(bytes)).text.trim()).toBe("สวัสดีครับ");
  });

  test("a tag in free text is a field in the rectangle of the annotation", async () => {
    const file = fileWith(free("({{Name;type=text}})"), { content: text("Hello") });
    const result = await jobs.ingest(file, { tags: "template" }, opened);
    expect(result.fields).toMatchObject([{ name: "Name" }]);
    expect(result.fields[0]?.area.x).toBeCloseTo(100 / 612, 3);
    expect((await readPdfiumPage(result.bytes)).text).not.toContain("Name");
  });

  test("a standard stamp is its label in a box", async () => {
    const label = async (name: string) =>
      (await readPdfiumPage((await taken(`/Subtype /Stamp /Rect [100 500 260 540] ${name}`)).bytes)).text;
    expect(await label("/Name /NotApproved")).toContain("NOT APPROVED");
    expect(await label("/Name /SBTopSecret")).toContain("TOP SECRET");
    expect(await label("")).toContain("DRAFT");
  });

  test("a note shows its icon, but its text is no part of the page", async () => {
    const note = "/Subtype /Text /Rect [100 500 120 520] /Contents (a comment)";
    const { bytes } = await taken(note, { content: " " });
    expect((await readPdfiumPage(bytes)).text).not.toContain("comment");
    expect((await inkIn(bytes, [95, 495, 125, 525]))?.pixels).toBeGreaterThan(50);
    const reply = await taken(`${note} /IRT 11 0 R`, { content: " ", more: { 11: `<< /Type /Annot ${note} >>` } });
    expect(await inkIn(reply.bytes, [0, 0, 612, 792])).toBeNull();
    expect(reply.warnings).toEqual([]);
  });

  test("what cannot be drawn refuses the upload, with subtype and page", async () => {
    const refused = await jobs
      .ingest(fileWith(free(utf16("\u{10FFFD} melts"))), { tags: "document" }, opened)
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(NotDrawable);
    expect(refused).toMatchObject({
      details: [{ kind: "annotation", name: "FreeText", page: 1, reason: "there is no font for the character U+10FFFD" }],
    });
    for (const hidden of [2, 32]) await taken(free(utf16("\u{10FFFD} melts"), `/F ${hidden}`));
  });
});

test("a kind that no viewer draws without an appearance is removed with a warning", async () => {
  expect((await taken("/Subtype /Watermark /Rect [100 500 200 520]")).warnings).toEqual(["annotations_removed"]);
  expect((await taken("/Subtype /Odd /Rect [100 500 200 520]")).warnings).toEqual(["annotations_removed"]);
});

test("an appearance that exists stays as it is", async () => {
  const own = {
    more: { 11: { dict: "/Type /XObject /Subtype /Form /BBox [0 0 10 10]", data: new Uint8Array(Buffer.from("0 1 0 rg 0 0 10 10 re f")) } },
    content: " ",
  };
  const { bytes } = await taken("/Subtype /StrikeOut /Rect [100 500 200 520] /AP << /N 11 0 R >>", own);
  expect(colorAt(await pixelsOf(bytes), 150, 792 - 510)).toEqual([0, 255, 0]);
});

test("absurd numbers and shapes in annotations do no harm", async () => {
  const subtypes = "Highlight Underline StrikeOut Squiggly Redact Square Circle Line Polygon PolyLine Ink Caret FreeText Stamp Text".split(
    " ",
  );
  const absurd = [
    "/Rect [1e308 -1e308 5 5] /QuadPoints [1e308 1 2 3 4 5 6 7]",
    "/Rect (x) /C (x) /IC 5",
    "/Rect [100 500 200 600] /QuadPoints [0 0 0 0 0 0 0 0] /L [1] /Vertices [1 2] /InkList [[] [1] 5 [(a)]] /Name 5 /Contents 7 /DA 9",
    "/Rect [100 500 200 600] /C [9 -9 1e308] /CA -5 /BS << /W -1 /S 5 /D 9 >> /Border [1] /RD [999 999 999 999] /LE 5",
    "/Rect [100 500 200 600] /L [100 500 100 500] /LL 1e300 /LE [/OpenArrow /Circle] /Vertices [1 1 1 1] /CL [1 1 1 1] /DS (font: 999pt; color:#zz)",
    "/Rect [100 500 100 500] /Vertices [100 500 200 600] /L [100 500 200 600] /InkList [[150 550]] /Contents (x) /Name /",
    "/Rect [0 0 1 1] /QuadPoints [0 0 30000 0 0 1e-9 30000 1e-9]",
  ];
  for (const subtype of subtypes) {
    for (const entries of absurd) {
      const doc = await openPdf(fileWith(`/Subtype /${subtype} ${entries}`), createBudget());
      await sanitize(doc).catch((error: unknown) => expect(error).toBeInstanceOf(NotDrawable));
    }
  }
});

group("marks that only we draw", () => {
  const R = "/Rect [100 500 300 560]";

  test.each([
    `/Subtype /Highlight ${R}`,
    `/Subtype /StrikeOut ${R}`,
    `/Subtype /Line ${R} /L [100 500 300 560]`,
    `/Subtype /Line ${R} /L [100 500 300 560] /LE [/OpenArrow /Circle] /LL 20 /Cap true /Contents (far)`,
    `/Subtype /Polygon ${R} /Vertices [100 500 300 500 200 560]`,
    `/Subtype /PolyLine ${R} /Vertices [100 500 300 500 200 560]`,
    `/Subtype /FreeText ${R} /C [1 0.5 0] /Contents (Added) /CL [50 400 80 450 100 530] /LE /OpenArrow`,
    `/Subtype /Stamp ${R} /Name /Approved`,
    "/Subtype /Text /Rect [100 500 150 550]",
    "/Subtype /Caret /Rect [100 500 120 520]",
    `/Subtype /Redact ${R}`,
  ])("are no change of the look: %s", async (entries) => {
    for (const turn of [0, 90]) {
      const file = fileWith(entries, { page: `/Annots [10 0 R] /Rotate ${turn}` });
      expect((await jobs.ingest(file, { tags: "document" }, opened)).page_warnings).toEqual([]);
    }
  });

  test("a slanted line hides only itself from the comparison", () => {
    const boxes = boxesAlong(
      [
        [0, 0],
        [600, 700],
      ],
      1,
    );
    const area = boxes.reduce((sum, [left, bottom, right, top]) => sum + (right - left) * (top - bottom), 0);
    expect(area).toBeLessThan(600 * 700 * 0.03);
    for (const part of [0, 0.123, 0.5, 0.999, 1])
      expect(boxes.some(([l, b, r, t]) => l <= 600 * part && 600 * part <= r && b <= 700 * part && 700 * part <= t)).toBe(true);
    expect(
      boxesAlong(
        Array.from({ length: 100_000 }, (_, i): [number, number] => [i % 7, i % 11]),
        1,
      ),
    ).toEqual([[-1, -1, 7, 11]]);
  });
});

group("on a page that is shown turned", () => {
  /** The middle of all red pixels, as shown, in points from the top left corner of the page. */
  async function middleOfRed(bytes: Uint8Array): Promise<{ x: number; y: number; count: number }> {
    const { width, data } = await pixelsOf(bytes, 0, 1);
    let [x, y, count] = [0, 0, 0];
    for (let at = 0; at < data.length; at += 4) {
      const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
      if (red < 200 || green > 80 || blue > 80) continue;
      x += (at / 4) % width;
      y += Math.floor(at / 4 / width);
      count++;
    }
    return { x: Math.round(x / count), y: Math.round(y / count), count };
  }

  const icon = stream("/Type /XObject /Subtype /Form /BBox [0 0 40 20]", "1 0 0 rg 0 0 20 20 re f 0 0 1 rg 20 0 20 20 re f");
  // Print, NoZoom, NoRotate: what Acrobat writes for notes.
  const UPRIGHT = 28;

  test.each([90, 180, 270])("an annotation that keeps upright stays where viewers show it, turned by %i", async (turn) => {
    const entries = `/Subtype /Stamp /Rect [300 500 340 520] /F ${UPRIGHT} /AP << /N 11 0 R >>`;
    const odd = { content: " ", page: `/Annots [10 0 R] /Rotate ${turn}`, more: { 11: icon } };
    const before = fileWith(entries, odd);
    const { bytes, page_warnings } = await jobs.ingest(before, { tags: "document" }, opened);
    expect(await middleOfRed(bytes)).toEqual(await middleOfRed(before));
    expect(page_warnings).toEqual([]);
  });

  test("a field that keeps upright does so too", async () => {
    const entries = `/Subtype /Widget /FT /Btn /Ff 65536 /Rect [300 400 340 520] /F ${UPRIGHT} /AP << /N 11 0 R >>`;
    const odd = { content: " ", page: "/Annots [10 0 R] /Rotate 90", catalog: "/AcroForm << /Fields [10 0 R] >>", more: { 11: icon } };
    const { bytes, page_warnings } = await jobs.ingest(fileWith(entries, odd), { tags: "document" }, opened);
    expect(page_warnings).toEqual([]);
    // The top left corner of the rectangle is at 520 from the left and 300 from the top of the turned page.
    expect(await middleOfRed(bytes)).toMatchObject({ x: 530, y: 360 });
  });

  test("the icon of a note is upright, and a strike-out stays on its text", async () => {
    const note = await taken("/Subtype /Text /Rect [300 500 320 520] /C [1 0 0]", { content: " ", page: "/Rotate 90" });
    expect(await middleOfRed(note.bytes)).toMatchObject({ x: 530, y: 310 });
    const strike = await taken(`/Subtype /StrikeOut /C [1 0 0] /Rect [300 500 340 600] /F ${UPRIGHT}`, {
      content: " ",
      page: "/Rotate 90",
    });
    expect(await middleOfRed(strike.bytes)).toMatchObject({ x: 550, y: 320 });
  });
});
