import { createBudget } from "pako";
import { expect, test } from "vitest";
import { planted } from "../fixtures/active-content.ts";
import { drawnAs } from "../fixtures/forms.ts";
import { withWrongPrev } from "../fixtures/older-values.ts";
import { onePage } from "../fixtures/pages.ts";
import { appendRevision, concat, latin1, type Objects, writePdf } from "../fixtures/writer.ts";
import { mayKeepBytes } from "./keep-signed.ts";
import { openPdf } from "./open.ts";

const signed = (catalog = ""): Objects =>
  onePage({
    page: "/Annots [60 0 R]",
    catalog: `/AcroForm << /SigFlags 3 /Fields [60 0 R] >> ${catalog}`,
    more: {
      60: "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature1) /Rect [0 0 0 0] /V 61 0 R >>",
      61: "<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /Contents <00> >>",
    },
  });

const keep = async (file: Uint8Array, carries_tag = false): Promise<boolean> =>
  mayKeepBytes(await openPdf(file, createBudget()), { carries_tag });

test("a signed file with nothing to clean is kept", async () => {
  expect(await keep(writePdf(signed()))).toBe(true);
  expect(await keep(writePdf(signed(), { layout: "streams" }))).toBe(true);
  expect(await keep(appendRevision(writePdf(onePage()), signed()))).toBe(true);
});

test("a file whose revisions are not where it says is not kept, because nothing could be appended to it", async () => {
  expect(await keep(withWrongPrev(appendRevision(writePdf(onePage()), signed())))).toBe(false);
});

test("catalog entries from signing are no reason to clean", async () => {
  expect(await keep(writePdf(signed("/Perms << /DocMDP 61 0 R >> /DSS << /Certs [] >>")))).toBe(true);
});

test("a file without a signature is not kept", async () => {
  expect(await keep(writePdf(onePage()))).toBe(false);
});

test("a file with a tag is not kept", async () => {
  expect(await keep(writePdf(signed()), true)).toBe(false);
});

test("a file in which viewers have to draw something is not kept", async () => {
  const also = (entries: string, form = ""): Uint8Array => {
    const file = signed();
    const catalog = String(file[1]).replace("/Fields [60 0 R]", `/Fields [60 0 R 62 0 R] ${form}`);
    const page = String(file[3]).replace("/Annots [60 0 R]", "/Annots [60 0 R 62 0 R]");
    return writePdf({ ...file, 1: catalog, 3: page, 62: `<< /Type /Annot /Rect [72 600 172 620] ${entries} >>`, 63: drawnAs("7") });
  };
  const field = "/Subtype /Widget /FT /Tx /T (a)";
  expect(await keep(also(`${field} /V (7)`))).toBe(false);
  expect(await keep(also(`${field} /V (7) /AP << /N 63 0 R >>`))).toBe(true);
  expect(await keep(also(`${field} /V (7) /AP << /N 63 0 R >>`, "/NeedAppearances true"))).toBe(false);
  expect(await keep(also(field))).toBe(true);
  expect(await keep(also("/Subtype /Widget /FT /Btn /T (a) /AS /On"))).toBe(false);
  expect(await keep(also("/Subtype /StrikeOut"))).toBe(false);
  expect(await keep(also("/Subtype /Text /Contents (a comment)"))).toBe(true);
});

test("a file with data before its header is not kept", async () => {
  expect(await keep(concat(latin1("<html>"), writePdf(signed())))).toBe(false);
});

for (const { name, objects } of planted) {
  test(`${name} in an old revision is not kept`, async () => {
    expect(await keep(appendRevision(writePdf(objects), signed()))).toBe(false);
  });
}

const onThePage = planted.filter(({ removed }) => removed.startsWith("A/") || removed.startsWith("Annots/"));

for (const { name, objects } of onThePage) {
  test(`${name} in an unreferenced object is not kept`, async () => {
    const orphans = Object.fromEntries(Object.entries(objects).filter(([number]) => Number(number) >= 10));
    expect(await keep(appendRevision(writePdf(signed()), orphans))).toBe(false);
  });
}

test("a file with too many revisions to search is not kept", async () => {
  let file = writePdf(onePage());
  for (let n = 0; n < 15; n++) file = appendRevision(file, { 90: `(${n})` });
  expect(await keep(appendRevision(file, signed()))).toBe(false);
});
