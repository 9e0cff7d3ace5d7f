import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDF, PdfRef, PdfStream } from "@libpdf/core";
import { createBudget } from "pako";
import { expect, describe as group, test } from "vitest";
import { planted } from "../fixtures/active-content.ts";
import { onePage, page, pages, text } from "../fixtures/pages.ts";
import { appendRevision, concat, latin1, stream, writePdf } from "../fixtures/writer.ts";
import { openPdf } from "./open.ts";
import { displayedPage } from "./page-tree.ts";
import { readWithPdfium } from "./pdfium.ts";
import { assertClean, sanitize } from "./sanitize.ts";

const clean = async (bytes: Uint8Array) => sanitize(await openPdf(bytes, createBudget()));

async function shown(bytes: Uint8Array): Promise<string[] | null> {
  return readWithPdfium(bytes, (document) => [...document.pages()].map((each) => each.getText().replaceAll(/\s+/g, " ").trim()));
}

/** Everything in a file: its bytes, followed by the decoded data of every object. */
async function everyByte(bytes: Uint8Array): Promise<string> {
  const pdf = await PDF.load(bytes);
  const numbers = Array.from({ length: pdf.context.registry.nextObjectNumber }, (_, number) => number);
  const streams = numbers.map((number) => pdf.context.resolve(PdfRef.of(number, 0))).filter((object) => object instanceof PdfStream);
  return [bytes, ...streams.map((object) => object.getDecodedData())].map((part) => Buffer.from(part).toString("latin1")).join("\n");
}

group("active content", () => {
  for (const { name, objects, removed } of planted) {
    for (const layout of ["table", "streams"] as const) {
      test(`${name} is removed (${layout === "table" ? "plain" : "in object streams"})`, async () => {
        const result = await clean(writePdf(objects, { layout }));
        expect(Object.keys(result.removed)).toContain(removed);
        expect(await everyByte(result.bytes)).not.toContain("PAYLOAD");
        expect(await shown(result.bytes)).toEqual(["Sign here"]);
      });
    }

    test(`${name} does not survive in an old revision`, async () => {
      const blanks = Object.fromEntries(Object.keys(objects).map((number) => [number, "null"]));
      const file = appendRevision(writePdf(objects), { ...blanks, ...onePage() });
      const result = await clean(file);
      expect(result.removed).toEqual({});
      expect(await everyByte(result.bytes)).not.toContain("PAYLOAD");
      expect(await shown(result.bytes)).toEqual(["Sign here"]);
    });
  }

  test("a file with nothing to remove is still rewritten, without unreferenced objects", async () => {
    const result = await clean(writePdf({ ...onePage(), 50: stream("", "PAYLOAD") }));
    expect(result.removed).toEqual({});
    expect(await everyByte(result.bytes)).not.toContain("PAYLOAD");
  });

  test("bytes before the header and after the end are removed", async () => {
    const file = concat(latin1("<html>PAYLOAD</html>\n"), writePdf(onePage()), latin1("PK\x03\x04 PAYLOAD"));
    const { bytes } = await clean(file);
    expect(Buffer.from(bytes).indexOf("%PDF-")).toBe(0);
    expect(await everyByte(bytes)).not.toContain("PAYLOAD");
  });

  test("an object first seen in a harmless role is checked again in its other roles", async () => {
    const script =
      "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /AA << /E << /S /JavaScript /JS (PAYLOAD) >> >> /A << /S /Launch /F (PAYLOAD) >> >>";
    for (const resources of ["/Font << /F1 5 0 R >> /Properties 10 0 R", "/Font << /F1 5 0 R >> /ColorSpace << /X 10 0 R >>"]) {
      const file = onePage({ page: "/Annots [10 0 R]", more: { 10: script } });
      const result = await clean(writePdf({ ...file, 3: String(file[3]).replace("/Font << /F1 5 0 R >>", resources) }));
      expect(await everyByte(result.bytes)).not.toContain("PAYLOAD");
    }
  });

  test("the structure tree does not refer to removed annotations", async () => {
    const file = onePage({
      page: "/Annots [10 0 R 11 0 R] /StructParents 0",
      catalog: "/StructTreeRoot << /Type /StructTreeRoot /K [12 0 R] >>",
      more: {
        10: "<< /Type /Annot /Subtype /Movie /Rect [0 0 9 9] /Contents (PAYLOAD) >>",
        11: "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://example.com) >> >>",
        12: "<< /Type /StructElem /S /Document /K [<< /Type /OBJR /Obj 10 0 R >> << /Type /OBJR /Obj 11 0 R >>] >>",
      },
    });
    const all = await everyByte((await clean(writePdf(file))).bytes);
    expect(all.match(/OBJR/g)).toHaveLength(1);
    expect(all).not.toContain("PAYLOAD");
  });

  test("cleaning a second time changes nothing", async () => {
    for (const { objects } of planted) {
      const once = await clean(writePdf(objects));
      const twice = await clean(once.bytes);
      expect(twice.removed).toEqual({});
      expect(await shown(twice.bytes)).toEqual(await shown(once.bytes));
    }
  });

  test("a note is removed with its popup, and a reply stays without it", async () => {
    const file = onePage({
      page: "/Annots [10 0 R 11 0 R 12 0 R]",
      more: {
        10: "<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /Popup 11 0 R /Contents (PAYLOAD) >>",
        11: "<< /Type /Annot /Subtype /Popup /Rect [0 0 9 9] /Parent 10 0 R /Contents (PAYLOAD) >>",
        12: "<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /IRT 10 0 R /Contents (a reply) >>",
      },
    });
    const all = await everyByte((await clean(writePdf(file))).bytes);
    expect(all).not.toContain("PAYLOAD");
    expect(all).toContain("a reply");
  });
});

group("what stays", () => {
  const kept = async (action: string): Promise<string> => {
    const link = `<< /Type /Annot /Subtype /Link /Rect [10 10 90 30] /A ${action} >>`;
    const result = await clean(writePdf(onePage({ page: "/Annots [10 0 R]", more: { 10: link } })));
    expect(result.removed).toEqual({});
    return everyByte(result.bytes);
  };

  test("links with a visible address, and jumps within the document", async () => {
    for (const address of ["http://example.com/a?b=c#d", "https://example.com", "mailto:ann@example.com", "tel:+1-555-0100"]) {
      expect(await kept(`<< /S /URI /URI (${address}) >>`)).toContain(address);
    }
    expect(await kept("<< /S /GoTo /D [3 0 R /Fit] >>")).toContain("/GoTo");
    expect(await kept("<< /S /Named /N /NextPage >>")).toContain("/NextPage");
  });

  test("bookmarks and the initial view", async () => {
    const file = onePage({
      catalog: "/Outlines 10 0 R /OpenAction [3 0 R /Fit]",
      more: {
        10: "<< /First 11 0 R /Last 12 0 R /Count 2 >>",
        11: "<< /Title (one) /Parent 10 0 R /Next 12 0 R /A << /S /GoTo /D [3 0 R /Fit] >> >>",
        12: "<< /Title (two) /Parent 10 0 R /Prev 11 0 R /A << /S /Launch /F (PAYLOAD) >> >>",
      },
    });
    const result = await clean(writePdf(file));
    expect(result.removed).toEqual({ "A/Launch": 1 });
    const all = await everyByte(result.bytes);
    for (const word of ["(one)", "(two)", "/OpenAction"]) expect(all).toContain(word);
  });

  test("author-defined names, whatever they are", async () => {
    const file = onePage({
      content: "BT /AA 12 Tf 72 700 Td (Sign here) Tj ET /JS Do",
      catalog:
        "/Dests << /AF [3 0 R /Fit] >> /StructTreeRoot << /Type /StructTreeRoot /RoleMap << /XFA /P >> /ClassMap << /EF << /O /Layout >> >> /K 12 0 R >>",
      resources: "/XObject << /JS 10 0 R >>",
      more: {
        10: stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9]", "0 0 9 9 re f"),
        12: "<< /Type /StructElem /S /P /A << /O /Layout /Placement /Block >> >>",
      },
    });
    const named = { ...file, 3: String(file[3]).replace("/F1 5 0 R", "/AA 5 0 R") };
    const result = await clean(writePdf(named));
    expect(result.removed).toEqual({});
    expect(await shown(result.bytes)).toEqual(["Sign here"]);
    const all = await everyByte(result.bytes);
    for (const name of ["/AA", "/JS", "/AF", "/XFA", "/EF", "/Placement"]) expect(all).toContain(name);
  });

  test("layers as shown, locked", async () => {
    const file = onePage({
      catalog: "/OCProperties << /OCGs [10 0 R] /D << /OFF [10 0 R] >> >>",
      more: { 10: "<< /Type /OCG /Name (Layer) >>" },
    });
    expect(await everyByte((await clean(writePdf(file))).bytes)).toMatch(/\/Locked \[\s*\d+ 0 R\s*\]/);
  });
});

group("forms", () => {
  const drawn = (shownText: string) =>
    stream("/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << /Font << /F1 5 0 R >> >>", text(shownText, 2, 5));
  const field = (more: string, rect = "[72 600 172 620]") =>
    `<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /Rect ${rect} /F 4 ${more} >>`;
  const form = (body: string, more = {}, acroForm = "") =>
    onePage({
      page: "/Annots [10 0 R]",
      catalog: `/AcroForm << /Fields [10 0 R] /DA (/F1 12 Tf 0 g) /DR << /Font << /F1 5 0 R >> >> ${acroForm} >>`,
      more: { 10: body, ...more },
    });

  test("a field becomes part of the page as it looked, and the form is removed", async () => {
    const result = await clean(writePdf(form(field("/V (Ann) /AP << /N 11 0 R >>"), { 11: drawn("Ann, as drawn") })));
    expect(result.warnings).toEqual([]);
    expect(await shown(result.bytes)).toEqual(["Sign here Ann, as drawn"]);
    expect(await everyByte(result.bytes)).not.toMatch(/AcroForm|Widget|Annots/);
  });

  test("a checkbox is drawn in its current state", async () => {
    const states = "/FT /Btn /AS /On /AP << /N << /On 11 0 R /Off 12 0 R >> >>";
    const result = await clean(writePdf(form(field(states).replace("/FT /Tx ", ""), { 11: drawn("checked"), 12: drawn("not so") })));
    expect(await shown(result.bytes)).toEqual(["Sign here checked"]);
  });

  test("a hidden field is not drawn", async () => {
    const result = await clean(writePdf(form(field("/AP << /N 11 0 R >>").replace("/F 4", "/F 2"), { 11: drawn("secret") })));
    expect(await shown(result.bytes)).toEqual(["Sign here"]);
  });

  test("a value without an appearance is drawn", async () => {
    expect(await shown((await clean(writePdf(form(field("/V (Ann)"))))).bytes)).toEqual(["Sign here Ann"]);
    expect(await shown((await clean(writePdf(form(field("/V (Ann) /Ff 1"))))).bytes)).toEqual(["Sign here Ann"]);
  });

  test("outdated appearances are drawn again", async () => {
    const outdated = form(field("/V (Ann) /AP << /N 11 0 R >>"), { 11: drawn("") }, "/NeedAppearances true");
    expect(await shown((await clean(writePdf(outdated))).bytes)).toEqual(["Sign here Ann"]);
  });

  test("a form with a value that cannot be drawn is refused with the name of the field", async () => {
    await expect(clean(writePdf(form(field("/V <FEFFDBFFDFFD>"))))).rejects.toMatchObject({
      fault: "not_drawable",
      details: [{ kind: "field", name: "name", page: 1 }],
    });
  });

  test("pages that share their resources keep their own fields", async () => {
    const shared = "<< /Font << /F1 3 0 R >> >>";
    const widget = (n: number) =>
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (f${n}) /Rect [72 600 172 620] /F 4 /AP << /N ${50 + n} 0 R >> >>`;
    const appearance = (n: number) => stream("/Subtype /Form /BBox [0 0 100 20] /Resources 9 0 R", text(`Field ${n}`, 2, 5));
    const result = await clean(
      writePdf({
        ...pages(2),
        1: "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [41 0 R 42 0 R] >> >>",
        9: shared,
        12: page(1, "/Annots [41 0 R]").replace(shared, "9 0 R"),
        14: page(2, "/Annots [42 0 R]").replace(shared, "9 0 R"),
        41: widget(1),
        42: widget(2),
        51: appearance(1),
        52: appearance(2),
      }),
    );
    expect(await shown(result.bytes)).toEqual(["Page 1 Field 1", "Page 2 Field 2"]);
  });

  test("content with unbalanced graphics states does not move a field", async () => {
    for (const content of ["2 0 0 2 0 0 cm q q BT ET", "Q Q 2 0 0 2 0 0 cm q Q Q BT ET"]) {
      const file = {
        ...form(field("/AP << /N 11 0 R >>"), { 11: stream("/Subtype /Form /BBox [0 0 100 20]", "0 g 0 0 100 20 re f") }),
        4: stream("", content),
      };
      const { bytes } = await clean(writePdf(file));
      const pixels = await readWithPdfium(bytes, (document) =>
        document.getPage(0).render({ scale: 1, colorSpace: "Gray", render: "bitmap" }),
      );
      const { data, width } = (await pixels) ?? expect.fail("PDFium cannot open the file");
      const dark = (x: number, y: number): boolean => (data[(792 - y) * width + x] ?? 255) < 128;
      expect([dark(80, 610), dark(165, 610), dark(60, 610), dark(185, 610), dark(120, 630)]).toEqual([true, true, false, false, false]);
    }
  });

  test("a link written directly into the page stays when fields are removed", async () => {
    const file = form(field("/AP << /N 11 0 R >>"), { 11: drawn("Ann") });
    const link = "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://example.com) >> >>";
    const both = { ...file, 3: String(file[3]).replace("/Annots [10 0 R]", `/Annots [10 0 R ${link}]`) };
    expect(await everyByte((await clean(writePdf(both))).bytes)).toContain("https://example.com");
  });

  test("the appearance of a signature stays, the signature is removed, with a warning", async () => {
    const signature = field("/V << /Type /Sig /Contents <00> >> /AP << /N 11 0 R >>").replace("/FT /Tx", "/FT /Sig");
    const result = await clean(writePdf(form(signature, { 11: drawn("Signed by Ann") })));
    expect(result.warnings).toEqual(["signatures_removed_by_cleaning"]);
    expect(await shown(result.bytes)).toEqual(["Sign here Signed by Ann"]);
  });
});

group("proof", () => {
  test("a document with remaining active content is rejected", async () => {
    const doc = await openPdf(writePdf(onePage({ catalog: "/AA << /WC << >> >>" })), createBudget());
    const boxes = doc.pages.map(({ dict }) => displayedPage(doc, dict));
    await expect(assertClean(doc, boxes)).rejects.toMatchObject({ fault: "unparseable", message: "still there after cleaning: AA" });
  });

  test("a document with changed pages is rejected", async () => {
    const doc = await openPdf(writePdf(onePage()), createBudget());
    const [box] = doc.pages.map(({ dict }) => displayedPage(doc, dict));
    if (box === undefined) expect.fail("no page");
    await assertClean(doc, [box]);
    for (const before of [[], [box, box], [{ ...box, w: 600 }], [{ ...box, rotate: 90 as const }]]) {
      await expect(assertClean(doc, before)).rejects.toMatchObject({ fault: "unparseable" });
    }
  });
});

const qpdf = spawnSync("qpdf", ["--version"]).status === 0;

test.skipIf(!qpdf)("qpdf finds no fault with any cleaned file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sanitized-"));
  try {
    for (const [index, { name, objects }] of planted.entries()) {
      const path = join(folder, `${index}.pdf`);
      writeFileSync(path, (await clean(writePdf(objects))).bytes);
      const { status, stdout, stderr } = spawnSync("qpdf", ["--check", path], { encoding: "utf8" });
      expect({ name, status, output: status === 0 ? "" : stdout + stderr }).toEqual({ name, status: 0, output: "" });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
