import { createBudget } from "pako";
import { expect, test } from "vitest";
import { planted } from "../fixtures/active-content.ts";
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

test("catalog entries from signing are no reason to clean", async () => {
  expect(await keep(writePdf(signed("/Perms << /DocMDP 61 0 R >> /DSS << /Certs [] >>")))).toBe(true);
});

test("a file without a signature is not kept", async () => {
  expect(await keep(writePdf(onePage()))).toBe(false);
});

test("a file with a tag is not kept", async () => {
  expect(await keep(writePdf(signed()), true)).toBe(false);
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
