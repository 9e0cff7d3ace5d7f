import { PDF, PdfRef, PdfStream } from "@libpdf/core";
import { expect, describe as group, test } from "vitest";
import { hiddenContent, SECRET } from "../fixtures/hidden-content.ts";
import { onePage, page, pages, text } from "../fixtures/pages.ts";
import { pixelsOf } from "../fixtures/pixels.ts";
import { stream, writePdf } from "../fixtures/writer.ts";
import { type IngestRequest, jobs } from "./jobs.ts";
import { pageText } from "./render.ts";

const ingest = (file: Uint8Array, request: Partial<IngestRequest> = {}) =>
  jobs.ingest(file, { tags: "template", ...request }, () => undefined);

/** Everything in a file: its bytes, followed by the decoded data of every object. */
async function everyByte(bytes: Uint8Array): Promise<string> {
  const pdf = await PDF.load(bytes);
  const numbers = Array.from({ length: pdf.context.registry.nextObjectNumber }, (_, number) => number);
  const streams = numbers.map((number) => pdf.context.resolve(PdfRef.of(number, 0))).filter((object) => object instanceof PdfStream);
  return [bytes, ...streams.map((object) => object.getDecodedData())].map((part) => Buffer.from(part).toString("latin1")).join("\n");
}

async function looksSame(before: Uint8Array, after: Uint8Array, index = 0): Promise<boolean> {
  const [old, now] = [await pixelsOf(before, index, 1.5), await pixelsOf(after, index, 1.5)];
  return Buffer.compare(old.data, now.data) === 0;
}

group("hidden content", () => {
  for (const { name, objects, shownByPdfium = false } of hiddenContent) {
    test(`${name} is removed, and nothing else`, async () => {
      const file = writePdf(objects);
      const { bytes, warnings, page_warnings } = await ingest(file.slice());
      expect({ warnings, page_warnings }).toEqual({ warnings: [], page_warnings: [{ code: "hidden_content_removed", pages: [1] }] });
      const left = await everyByte(bytes);
      expect(left).not.toContain(SECRET);
      expect(left).not.toContain(Buffer.from(SECRET).toString("hex"));
      expect((await pageText(bytes, 1)).blocks.join(" ")).toContain("Payable: 100 EUR");
      expect((await pageText(bytes, 1)).blocks.join(" ")).not.toContain("950");
      expect(await looksSame(file, bytes)).toBe(!shownByPdfium);
      await expect(ingest(file.slice(), { anchors: [{ anchor_text: SECRET }] })).rejects.toThrow("anchor");
      expect((await ingest(bytes)).page_warnings).toEqual([]);
    });
  }

  test.each([
    ["a hidden field that is not filled in", "/Subtype /Widget /FT /Tx /T (a) /F 2"],
    ["a hidden check box that is off", "/Subtype /Widget /FT /Btn /T (a) /V /Off /AS /Off /F 2"],
    ["a hidden button", "/Subtype /Widget /FT /Btn /Ff 65536 /T (a) /MK << /CA (Send) >> /F 2"],
    ["a hidden popup", "/Subtype /Popup /F 30 /Contents (Why?)"],
    ["a hidden reply to a note", "/Subtype /Text /IRT 11 0 R /F 30 /Contents (Accepted)"],
    ["a hidden link", "/Subtype /Link /F 2"],
  ])("%s is no content: there is no warning", async (_, entries) => {
    const catalog = entries.includes("Widget") ? "/AcroForm << /Fields [10 0 R] >>" : "";
    const more = { 10: `<< /Type /Annot /Rect [72 500 172 520] ${entries} >>`, 11: "<< /Type /Annot /Subtype /Text /Rect [0 0 1 1] >>" };
    const { warnings, page_warnings } = await ingest(writePdf(onePage({ page: "/Annots [10 0 R]", catalog, more })));
    expect({ warnings, page_warnings }).toEqual({ warnings: [], page_warnings: [] });
  });

  test("a form that is clipped away on one page stays on the other", async () => {
    const form = `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>`;
    const resources = "/Resources << /Font << /F1 3 0 R >> /XObject << /Fm 50 0 R >> >>";
    const file = writePdf({
      ...pages(2),
      12: page(1).replace("/Resources << /Font << /F1 3 0 R >> >>", resources),
      13: stream("", `${text("Page 1")} q 0 0 20 20 re W n /Fm Do Q`),
      14: page(2).replace("/Resources << /Font << /F1 3 0 R >> >>", resources),
      15: stream("", `${text("Page 2")} /Fm Do`),
      50: stream(form, text(SECRET, 72, 500)),
    });
    const { bytes, page_warnings } = await ingest(file.slice());
    expect(page_warnings).toEqual([{ code: "hidden_content_removed", pages: [1] }]);
    expect((await pageText(bytes, 1)).blocks).toEqual(["Page 1"]);
    expect((await pageText(bytes, 2)).blocks).toEqual(["Page 2", SECRET]);
    expect(await looksSame(file, bytes, 1)).toBe(true);
  });

  test("an image that no page shows is emptied, even if another page lists it", async () => {
    const resources = "/Resources << /Font << /F1 3 0 R >> /XObject << /Im 50 0 R >> >>";
    const file = writePdf({
      ...pages(2),
      12: page(1).replace("/Resources << /Font << /F1 3 0 R >> >>", resources),
      13: stream("", `${text("Page 1")} q 90 0 0 30 -500 100 cm /Im Do Q`),
      14: page(2).replace("/Resources << /Font << /F1 3 0 R >> >>", resources),
      50: stream("/Type /XObject /Subtype /Image /Width 4 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceRGB", SECRET.padEnd(12)),
    });
    const { bytes } = await ingest(file.slice());
    expect(await everyByte(bytes)).not.toContain(SECRET);
  });

  test("white, transparent and invisible text stays and is found", async () => {
    const file = writePdf(
      onePage({
        content: `${text("Seen")} 1 g ${text("In white", 72, 600)} 0 g q /None gs ${text("Transparent", 72, 550)} Q BT 3 Tr /F1 12 Tf 72 500 Td (Recognized) Tj ET`,
        resources: "/ExtGState << /None << /ca 0 /CA 0 >> >>",
      }),
    );
    const asked = ["In white", "Transparent", "Recognized"].map((anchor_text) => ({ anchor_text }));
    const { page_warnings, anchors } = await ingest(file, { anchors: asked });
    expect(page_warnings).toEqual([]);
    expect(anchors.map(({ match }) => Math.round(792 * (1 - match.y - match.h)))).toEqual([598, 548, 498]);
  });

  test.each(["[0 0 0 0]", "[0 0 160 120]"])("a glyph that is drawn far from its place is not hidden (FontBBox %s)", async (box) => {
    const glyph = `<< /Type /Font /Subtype /Type3 /FontBBox ${box} /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 11 0 R >> /Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [10] >>`;
    const file = writePdf({
      ...onePage({ content: `${text("Seen")} q 100 100 300 300 re W n BT /T3 1 Tf 50 150 Td (a) Tj ET Q` }),
      3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /T3 10 0 R >> >> >>",
      10: glyph,
      11: stream("", "10 0 d0 60 20 100 100 re f"),
    });
    const { bytes, page_warnings } = await ingest(file.slice());
    expect(page_warnings).toEqual([]);
    expect(await looksSame(file, bytes)).toBe(true);
  });

  test("a tag in a layer that is off places its field; the tag alone is not hidden content", async () => {
    const file = writePdf(
      onePage({
        content: `${text("Sign below")} /OC /G BDC ${text("{{Sig;type=signature}}", 72, 600)} EMC`,
        resources: "/Properties << /G 10 0 R >>",
        catalog: "/OCProperties << /OCGs [10 0 R] /D << /OFF [10 0 R] >> >>",
        more: { 10: "<< /Type /OCG /Name (Tags) >>" },
      }),
    );
    const { fields, page_warnings } = await ingest(file);
    expect(fields).toMatchObject([{ name: "Sig", type: "signature" }]);
    expect(page_warnings).toEqual([]);
  });

  test("a drawing in a layer that is off loses its lines, and the state that it leaves behind stays", async () => {
    const file = writePdf(
      onePage({
        content: `/OC /G BDC 1 0 0 rg 100 100 50 50 re f 0 0 300 300 re W f 0 0 m 10 10 l S EMC 0 0 612 792 re f ${text("Red below")}`,
        resources: "/Properties << /G 10 0 R >>",
        catalog: "/OCProperties << /OCGs [10 0 R] /D << /OFF [10 0 R] >> >>",
        more: { 10: "<< /Type /OCG /Name (Drawing) >>" },
      }),
    );
    const { bytes } = await ingest(file.slice());
    expect(await everyByte(bytes)).not.toContain("100 100 50 50 re");
    expect(await looksSame(file, bytes)).toBe(true);
  });
});
