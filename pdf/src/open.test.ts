import { PDF } from "@libpdf/core";
import { createBudget } from "pako";
import { expect, describe as group, test } from "vitest";
import { deepArrays, fanOut, manyPages, objectStreamBomb } from "../fixtures/bombs.ts";
import { oddPageTrees } from "../fixtures/odd-page-trees.ts";
import { onePage, pages, text } from "../fixtures/pages.ts";
import { NO_CHANGES, protectedPdf } from "../fixtures/protected.ts";
import { appendRevision, concat, flate, latin1, writePdf } from "../fixtures/writer.ts";
import { save } from "./doc.ts";
import { NotAPdf, UnreadablePdf } from "./errors.ts";
import { describe, openPdf } from "./open.ts";
import { readWithPdfium } from "./pdfium.ts";
import { sniff } from "./sniff.ts";

const open = (bytes: Uint8Array) => openPdf(bytes, createBudget());

/** The text that PDFium reads on each page of a file. */
async function shown(bytes: Uint8Array): Promise<string[] | null> {
  return readWithPdfium(bytes, (document) => [...document.pages()].map((page) => page.getText().trim()));
}

async function refusal(bytes: Uint8Array, budget = createBudget()): Promise<{ fault: string; limit: string | null }> {
  const error = await openPdf(bytes, budget).then(
    () => expect.fail("it opened"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof UnreadablePdf)) throw error;
  return { fault: error.fault, limit: error.limit };
}

group("what a file is", () => {
  const png = concat(latin1("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), new Uint8Array(17));

  test("PDF, PNG and JPEG are recognized by their first bytes", () => {
    expect([writePdf(onePage()), png, latin1("\xff\xd8\xff\xe0")].map(sniff)).toEqual(["pdf", "png", "jpeg"]);
  });

  test("a PDF may begin anywhere in the first 1,024 bytes, but not later", () => {
    expect(sniff(concat(new Uint8Array(1_023), latin1("%PDF-1.7")))).toBe("pdf");
    expect(sniff(concat(new Uint8Array(1_024), latin1("%PDF-1.7")))).toBeNull();
  });

  test("an image that contains a PDF is an image", () => {
    expect(sniff(concat(png, writePdf(onePage())))).toBe("png");
    expect(sniff(concat(latin1("\xff\xd8\xff"), writePdf(onePage())))).toBe("jpeg");
  });

  test("empty input, form data, PostScript and half a PNG are not recognized", () => {
    expect(["", "%FDF-1.2", "%!PS-Adobe-3.0", "\x89PNG\r\n\x1a\n", "PK\x03\x04"].map((head) => sniff(latin1(head)))).toEqual(
      Array(5).fill(null),
    );
  });

  test("opening anything else throws NotAPdf", async () => {
    await expect(open(png)).rejects.toBeInstanceOf(NotAPdf);
  });
});

group("pages", () => {
  for (const { name, objects, shows } of oddPageTrees) {
    test(`${name}: PDFium and libpdf show the pages that we count`, async () => {
      const doc = await open(writePdf(objects));
      const written = await save(doc);
      expect(await shown(written)).toEqual(shows);
      expect((await PDF.load(written)).getPageCount()).toBe(shows.length);
      expect(doc.pages).toHaveLength(shows.length);
    });
  }

  test("inherited entries are written into the page", async () => {
    const inherited = oddPageTrees.find(({ name }) => name === "everything inherited from the root");
    const doc = await open(writePdf(inherited?.objects ?? {}));
    expect(describe(doc).pages).toEqual([{ w_pt: 400, h_pt: 300, rotate: 90 }]);
    expect([...(doc.pages[0]?.dict.keys() ?? [])].map((key) => key.value).sort()).toEqual([
      "Contents",
      "MediaBox",
      "Parent",
      "Resources",
      "Rotate",
      "Type",
    ]);
  });

  test("opening our own file changes nothing", async () => {
    const ours = await save(await open(writePdf(pages(3))));
    const doc = await open(ours);
    expect(doc.pdf.hasChanges()).toBe(false);
  });

  test("a document without pages is unparseable", async () => {
    expect(await refusal(writePdf({ ...onePage(), 2: "<< /Type /Pages /Kids [] /Count 0 >>" }))).toEqual({
      fault: "unparseable",
      limit: null,
    });
  });

  test.each(["/Kids 99 0 R", "/Kids null", "/Kids 7", ""])(
    "a tree without its list (%s) has no pages, instead of a blank one",
    async (kids) => {
      expect(await refusal(writePdf({ ...onePage(), 2: `<< /Type /Pages ${kids} /Count 2 >>` }))).toEqual({
        fault: "unparseable",
        limit: null,
      });
    },
  );

  test("a missing kid is skipped", async () => {
    const doc = await open(writePdf({ ...pages(2), 2: "<< /Type /Pages /Kids [12 0 R 99 0 R 14 0 R] /Count 3 >>" }));
    expect(await shown(await save(doc))).toEqual(["Page 1", "Page 2"]);
  });
});

group("displayed size", () => {
  const size = async (mediaBox: string, page: string) => describe(await open(writePdf(onePage({ mediaBox, page })))).pages[0];

  test("the crop box gives the size, in points, rotated as displayed", async () => {
    expect(await size("[0 0 612 792]", "/CropBox [100 200 300 600]")).toEqual({ w_pt: 200, h_pt: 400, rotate: 0 });
    expect(await size("[0 0 612 792]", "/CropBox [100 200 300 600] /Rotate 90")).toEqual({ w_pt: 400, h_pt: 200, rotate: 90 });
    expect(await size("[0 0 612 792]", "/Rotate -90 /UserUnit 2")).toEqual({ w_pt: 1584, h_pt: 1224, rotate: 270 });
  });

  test("corners in any order, a crop box beyond the page and odd rotations are corrected", async () => {
    expect(await size("[612 792 0 0]", "/CropBox [-50 -50 700 800]")).toEqual({ w_pt: 612, h_pt: 792, rotate: 0 });
    expect(await size("[0 0 612 792]", "/CropBox [1000 1000 1100 1100] /Rotate 45")).toEqual({ w_pt: 612, h_pt: 792, rotate: 0 });
    expect(await size("[0 0 0 0]", "/Rotate 540")).toEqual({ w_pt: 612, h_pt: 792, rotate: 180 });
  });

  test("a side below 3 or above 14,400 points is too complex", async () => {
    expect((await refusal(writePdf(onePage({ mediaBox: "[0 0 2 100]" })))).fault).toBe("too_complex");
    expect((await refusal(writePdf(onePage({ mediaBox: "[0 0 100 14401]" })))).limit).toBe(
      "page 1 has a side below 3 or above 14,400 points",
    );
    expect((await open(writePdf(onePage({ mediaBox: "[0 0 3 14400]" })))).pages).toHaveLength(1);
  });
});

group("protection", () => {
  const protect = async (options: Parameters<PDF["setProtection"]>[0]): Promise<Uint8Array> => {
    const pdf = await PDF.load(writePdf(onePage()));
    pdf.setProtection(options);
    return pdf.save();
  };

  test("a file that needs a password is encrypted", async () => {
    expect(await refusal(await protect({ userPassword: "secret", ownerPassword: "owner" }))).toEqual({ fault: "encrypted", limit: null });
  });

  test("a file that needs a password is encrypted, also if its page tree is in an encrypted object stream", async () => {
    for (const layout of ["table", "streams"] as const) {
      expect((await refusal(protectedPdf({ user: "secret", owner: "owner", layout }))).fault).toBe("encrypted");
      expect(await shown(await save(await open(protectedPdf({ owner: "owner", layout }))))).toEqual(["Sign here"]);
    }
  });

  test("a file that opens without a password but may not be changed is restricted", async () => {
    expect((await refusal(await protect({ ownerPassword: "owner", permissions: { modify: false } }))).fault).toBe("restricted");
    expect((await refusal(protectedPdf({ owner: "owner", permissions: NO_CHANGES }))).fault).toBe("restricted");
  });

  test("a file without an owner's password is opened whatever it forbids: anyone who can open it is its owner", async () => {
    expect(await shown(await save(await open(protectedPdf({ permissions: NO_CHANGES }))))).toEqual(["Sign here"]);
  });

  test("a file of which only the attachments are encrypted is opened", async () => {
    for (const layout of ["table", "streams"] as const) {
      const doc = await open(protectedPdf({ user: "secret", owner: "owner", attachmentsOnly: true, layout }));
      const written = await save(doc);
      expect(await shown(written)).toEqual(["Sign here"]);
      expect(Buffer.from(written).includes("/Encrypt")).toBe(false);
    }
  });

  test("a file that opens without a password and may be changed is opened, and always saved unencrypted", async () => {
    const doc = await open(await protect({ ownerPassword: "owner" }));
    for (const written of [await save(doc), await save(doc)]) {
      expect(Buffer.from(written).includes("/Encrypt")).toBe(false);
      expect(await shown(written)).toEqual(["Sign here"]);
    }
  });

  test("a protected file without its trailer is reported as encrypted", async () => {
    const cut = Buffer.from(await protect({ userPassword: "secret" })).toString("latin1");
    expect((await refusal(latin1(cut.replace(/startxref\n\d+/, "startxref\n7")))).fault).toBe("encrypted");
  });
});

group("damage", () => {
  test("bytes before the header are harmless, with offsets from either start", async () => {
    const junk = latin1("<script>alert(1)</script>\n");
    const shifted = concat(junk, writePdf(onePage()));
    expect(await shown(await save(await open(shifted)))).toEqual(["Sign here"]);
    const text = Buffer.from(shifted).toString("latin1");
    const counted = text.replace(/(\d{10}) 00000 n/g, (_, offset) => `${String(Number(offset) + junk.length).padStart(10, "0")} 00000 n`);
    const fromStart = counted.replace(/startxref\n(\d+)/, (_, offset) => `startxref\n${Number(offset) + junk.length}`);
    expect(await shown(await save(await open(latin1(fromStart))))).toEqual(["Sign here"]);
  });

  test("a file with a wrong cross-reference table is read by searching for objects", async () => {
    const wrong = Buffer.from(writePdf(pages(2)))
      .toString("latin1")
      .replace(/\d{10} 00000 n/g, "0000000003 00000 n");
    expect(await shown(await save(await open(latin1(wrong))))).toEqual(["Page 1", "Page 2"]);
  });

  test("a file truncated after its objects is read", async () => {
    const whole = writePdf(pages(2));
    const cut = whole.subarray(0, Buffer.from(whole).indexOf("xref\n"));
    expect((await open(cut)).pages).toHaveLength(2);
  });

  test("a header and nothing else is unparseable", async () => {
    expect((await refusal(latin1("%PDF-1.7\n"))).fault).toBe("unparseable");
    expect((await refusal(concat(latin1("%PDF-1.7\n"), new Uint8Array(5_000).fill(0x41)))).fault).toBe("unparseable");
  });

  test("a key that libpdf would not write back is rejected", async () => {
    const objects = onePage({ resources: "/XObject << /#BA#DA#20 10 0 R >>", more: { 10: "null" } });
    expect((await refusal(writePdf(objects))).fault).toBe("unparseable");
  });

  test("every prefix of a file opens or is rejected with a known error", async () => {
    const whole = writePdf(onePage(), { layout: "streams" });
    for (let end = 5; end < whole.length; end += 37) {
      await open(whole.slice(0, end)).catch((error: unknown) => expect(error).toBeInstanceOf(UnreadablePdf));
    }
  });
});

group("limits", () => {
  test("an object stream that inflates to more than 128 MB is too complex", async () => {
    expect(await refusal(objectStreamBomb(140))).toEqual({ fault: "too_complex", limit: "more than 128 MB in one stream" });
  });

  test("streams that are each within their limit are rejected at the job's limit, across two openings", async () => {
    const budget = createBudget({ stream_bytes: 2_000_000, job_bytes: 2_500_000 });
    const big = writePdf(onePage({ more: { 10: `null${" ".repeat(1_500_000)}` } }), { layout: "streams" });
    await openPdf(big, budget);
    expect(await refusal(big, budget)).toEqual({ fault: "too_complex", limit: "more than 2 MB in all streams together" });
  });

  test("2,000 pages open, 2,001 and 100,000 are too complex", async () => {
    expect((await open(writePdf(manyPages(2_000)))).pages).toHaveLength(2_000);
    expect((await refusal(writePdf(manyPages(2_001)))).limit).toBe("more than 2,000 pages");
    expect((await refusal(writePdf(manyPages(100_000)))).limit).toBe("more than 2,000 pages");
  });

  test("100 levels of nesting open, more are too complex", async () => {
    expect((await open(writePdf(deepArrays(99)))).pages).toHaveLength(1);
    expect((await refusal(writePdf(deepArrays(110)))).limit).toBe("nested more than 100 deep");
  });

  test("values nested deeper than libpdf reads are missing, and harmless", async () => {
    expect((await refusal(writePdf(deepArrays(5_000)))).fault).toBe("unparseable");
    const apart = onePage({ catalog: "/Deep 10 0 R", more: { 10: `${"[".repeat(5_000)}${"]".repeat(5_000)}` } });
    expect((await open(writePdf(apart))).pages).toHaveLength(1);
  });

  test("a file with many paths to few objects is walked once per object", async () => {
    expect((await open(writePdf(fanOut(100, 60)))).pages).toHaveLength(1);
  });

  test("64 revisions open, more are too complex", async () => {
    let file = writePdf(onePage());
    for (let n = 1; n < 64; n++) file = appendRevision(file, { 20: `(${n})` });
    expect(describe(await open(file)).revisions).toBe(64);
    expect((await refusal(appendRevision(file, { 20: "(64)" }))).limit).toBe("more than 64 revisions");
  });

  test("33 signatures are too complex", async () => {
    const fields = Array.from({ length: 33 }, (_, n) => `<< /FT /Sig /T (s${n}) /V << /Type /Sig >> >>`).join(" ");
    expect((await refusal(writePdf(onePage({ catalog: `/AcroForm << /Fields [${fields}] >>` })))).limit).toBe("more than 32 signatures");
  });
});

group("describing", () => {
  test("signed fields and revisions are counted, empty signature fields are not", async () => {
    const form = "/AcroForm << /Fields [<< /FT /Sig /T (a) >> << /T (b) /FT /Sig /Kids [<< /T (c) /V << /Type /Sig >> >>] >>] >>";
    const file = appendRevision(writePdf(onePage(), { layout: "streams" }), onePage({ catalog: form }), { layout: "streams" });
    expect(describe(await open(file))).toEqual({ pages: [{ w_pt: 612, h_pt: 792, rotate: 0 }], signatures: 1, revisions: 2 });
  });

  test("an end marker inside a stream is not a revision", async () => {
    const file = writePdf({ ...onePage(), 4: flate("", `${text("Sign here")} % %%EOF`), 10: "(%%EOF %%EOF)" });
    expect(describe(await open(file)).revisions).toBe(1);
  });
});

test("a dynamic XFA form is reported as such", async () => {
  const objects = onePage({ catalog: "/NeedsRendering true /AcroForm << /Fields [] /XFA (x) >>" });
  expect(await refusal(writePdf(objects))).toEqual({ fault: "dynamic_xfa", limit: null });
});
