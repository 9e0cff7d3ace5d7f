import { createBudget } from "pako";
import { expect, describe as group, test } from "vitest";
import fc from "../../testing/properties.ts";
import { onePage, page, pages, text } from "../fixtures/pages.ts";
import { appendRevision, flate, type Layout, type Objects, stream, writePdf } from "../fixtures/writer.ts";
import { openPdf } from "./open.ts";
import { sanitize } from "./sanitize.ts";
import { unchangedPages } from "./unchanged-pages.ts";

const compare = (before: Uint8Array, after: Uint8Array) => [...unchangedPages({ bytes: before, catalog: 1 }, { bytes: after, catalog: 1 })];

async function afterCleaning(file: Uint8Array): Promise<number[]> {
  const { doc, bytes } = await sanitize(await openPdf(file.slice(), createBudget()));
  const root = doc.pdf.context.info.trailer.getRef("Root");
  return [...unchangedPages({ bytes: file, catalog: 1 }, { bytes, catalog: root?.objectNumber ?? 0 })];
}

/** Two pages that share a font, and a form on the second page that refers to itself. */
function shared(odd: Objects = {}): Objects {
  return {
    ...pages(2),
    14: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 15 0 R /Resources 40 0 R >>",
    40: "<< /Font << /F1 3 0 R >> /XObject << /Fm 41 0 R >> >>",
    41: flate(
      "/Type /XObject /Subtype /Form /BBox [0 0 9.5 9] /Matrix [.5 0 0 -0.5 0 0] /Resources 40 0 R /Name (a\\(b\\051)",
      "0 0 9 9 re f",
    ),
    ...odd,
  };
}

group("pages are proven to be unchanged", () => {
  const layouts: Layout[] = [{ layout: "table" }, { layout: "streams" }];

  test.each(layouts)("by cleaning a plain file ($layout)", async (layout) => {
    expect(await afterCleaning(writePdf(shared(), layout))).toEqual([1, 2]);
  });

  test("in a file with a plain object just before its object stream", async () => {
    const file = Buffer.from(writePdf(shared(), { layout: "streams" })).toString("latin1");
    const more = file.replace(/\d+ 0 obj\s*<<[^>]*\/ObjStm/, (start) => `90 0 obj\n<< /Just /Before >>\nendobj\n${start}`);
    expect(more).toContain("/Just /Before");
    expect(compare(Buffer.from(more, "latin1"), writePdf(shared()))).toEqual([1, 2]);
  });

  test("if boxes and resources come from the page tree, and streams had no filter", async () => {
    const file = writePdf({
      ...onePage({ content: text("Long text. ".repeat(200)) }),
      2: "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 300 400] /Rotate 90 /Resources << /Font << /F1 5 0 R >> >> >>",
      3: "<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>",
    });
    expect(await afterCleaning(file)).toEqual([1]);
  });

  test.each(layouts)("if a revision was appended that defines objects again ($layout)", async (layout) => {
    const file = writePdf(shared(), layout);
    const font = { 3: "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>" };
    const appended = appendRevision(appendRevision(file, font, layout), { ...font, 15: stream("", text("Another page 2")) }, layout);
    expect(await afterCleaning(appended)).toEqual([1, 2]);
    expect(compare(appended, writePdf(shared({ ...font, 15: stream("", text("Another page 2")) })))).toEqual([1, 2]);
    expect(compare(appended, file)).toEqual([]);
  });

  test("if only what no viewer shows was removed", async () => {
    const file = writePdf({
      ...onePage({ resources: "/XObject << /Fm 10 0 R >>", page: "/PieceInfo << /App << >> >> /AA << /O << /S /JavaScript /JS (x) >> >>" }),
      10: stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9] /PieceInfo << /App << >> >>", "0 0 9 9 re f"),
    });
    expect(await afterCleaning(file)).toEqual([1]);
  });
});

group("a page is not proven to be unchanged", () => {
  const file = writePdf(shared());
  const differences: Record<string, Objects> = {
    "a number of a form": {
      41: flate(
        "/Type /XObject /Subtype /Form /BBox [0 0 9.5 9] /Matrix [.5 0 0 -0.49999 0 0] /Resources 40 0 R /Name (a\\(b\\051)",
        "0 0 9 9 re f",
      ),
    },
    "a byte of its content": { 15: stream("", text("Page 3")) },
    "its rotation": { 14: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 15 0 R /Resources 40 0 R /Rotate 90 >>" },
    "a resource that is missing": { 40: "<< /Font << /F1 3 0 R >> >>" },
    "a link with a border": { 14: page(2, "/Annots [<< /Subtype /Link /Rect [0 0 9 9] >>]") },
  };

  test.each(Object.entries(differences))("if it differs in %s", (_, odd) => {
    expect(compare(file, writePdf(shared(odd)))).toEqual([1]);
    expect(compare(writePdf(shared(odd)), file)).toEqual([1]);
  });

  test("if its font has another name, spelled in the file in any way", () => {
    const named = (name: string): Uint8Array => writePdf({ ...pages(1), 3: `<< /Type /Font /Subtype /Type1 /BaseFont /${name} >>` });
    expect(compare(named("#CB#CE"), named("\xcb\xce"))).toEqual([1]);
    expect(compare(named("#CB#CE"), named("#EF#BF#BD"))).toEqual([]);
  });

  test("if it is equal only to another page", () => {
    const swapped = { 2: "<< /Type /Pages /Kids [14 0 R 12 0 R] /Count 2 >>" };
    expect(compare(file, writePdf(shared(swapped)))).toEqual([]);
  });

  test("if an equal part of it leads to a part that differs", () => {
    // Pages 1 and 2 use the same two resources, which refer to each other; the second of them differs.
    const ring = (side: number): Objects => ({
      ...pages(2),
      12: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 13 0 R /Resources 40 0 R >>",
      14: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 15 0 R /Resources 41 0 R >>",
      40: `<< /Next 41 0 R /Side ${side} >>`,
      41: "<< /Next 40 0 R >>",
    });
    expect(compare(writePdf(ring(1)), writePdf(ring(2)))).toEqual([]);
  });

  const courier = { 3: "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>" };
  const appended = appendRevision(file, courier);
  const damaged = (bytes: Uint8Array, from: RegExp, to: string): Uint8Array => {
    const text = Buffer.from(bytes).toString("latin1");
    expect(text).toMatch(from);
    return Buffer.from(text.replace(from, to), "latin1");
  };
  // The table of the newest revision names the font of the first, which is at another place than the last definition.
  const withEarlierFont = ((): Uint8Array => {
    const text = Buffer.from(appended).toString("latin1");
    const first = String(text.indexOf("\n3 0 obj") + 1).padStart(10, "0");
    const at = text.lastIndexOf("\n3 1\n") + 5;
    return Buffer.from(`${text.slice(0, at)}${first}${text.slice(at + 10)}`, "latin1");
  })();
  const odd: Record<string, Uint8Array> = {
    "an object has two definitions, and the newest is not the last": withEarlierFont,
    "an object has two definitions, and the table is not where the file says": damaged(appended, /startxref\n\d+/, "startxref\n12"),
    "an object has two definitions, and the last is removed by the table": damaged(
      appended,
      / 00000 n (?=\ntrailer\n<<[^>]*\/Prev)/,
      " 00000 f ",
    ),
    "an object has two definitions, and another catalog is the newest": damaged(appended, /\/Root 1 0 R(?= \/Prev)/, "/Root 2 0 R"),
    "a stream has another length": Buffer.from(
      Buffer.from(file)
        .toString("latin1")
        .replace(/\/Length \d+/g, "/Length 3"),
      "latin1",
    ),
    "its number of pages is wrong": writePdf(shared({ 2: "<< /Type /Pages /Kids [12 0 R 14 0 R] /Count 1 >>" })),
    "its document has layers": writePdf(shared({ 1: "<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [] /D << >> >> >>" })),
    "a number is beyond 32 bits": writePdf(shared({ 3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /X 9007199254740993 >>" })),
    "a number has two signs": writePdf(shared({ 3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /X --5 >>" })),
    "a key occurs twice": writePdf(shared({ 3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /BaseFont /Courier >>" })),
  };

  test.each(Object.entries(odd))("if %s, since readers may disagree", (_, bytes) => {
    expect(compare(bytes, bytes)).toEqual([]);
  });
});

test("damaged files never fail the comparison", () => {
  const file = writePdf(shared(), { layout: "streams" });
  const damage = fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(damage, fc.constantFrom("table", "streams"), (places, layout) => {
      const damaged = layout === "streams" ? file.slice() : writePdf(shared());
      for (const [at, byte] of places) damaged[at % damaged.length] = byte;
      expect(compare(damaged, file).length).toBeLessThanOrEqual(2);
    }),
    { numRuns: 200 },
  );
});
