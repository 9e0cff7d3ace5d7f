import { expect, test } from "vitest";
import { makeOrg, NOW } from "../fixtures/certificates.ts";
import { onePage, text } from "../fixtures/pages.ts";
import { sealedBy } from "../fixtures/sealed.ts";
import { appendRevision, concat, latin1, type Objects, stream, writePdf } from "../fixtures/writer.ts";
import { verifySeals } from "./verify-seal.ts";

// Objects: 1 catalog, 3 page, 4 content. Sealing adds 6 or 12 and up, and rewrites the catalog and the page.
const org = await makeOrg();
const options = { roots: [org.root.certificate], at: NOW };
const info = { trailer: "/Info 11 0 R" };
const withInfo = writePdf(onePage({ more: { 11: "<< /Title (Contract) >>" } }), info);
const sealed = await sealedBy(org, withInfo);

const written = Buffer.from(sealed).toString("latin1");
const [form, signature, field] = ["AcroForm", "V"]
  .flatMap((key) => new RegExp(`/${key} (\\d+) 0 R`).exec(written)?.[1] ?? [])
  .concat(/\/Annots \[(\d+) 0 R\]/.exec(written)?.[1] ?? []);
const PAGE = "/Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >>";
const CATALOG = `/Type /Catalog /Pages 2 0 R`;
const annots = (more: string): string => `<< ${PAGE} /Annots [${field} 0 R ${more}] >>`;
const fields = (more: string): string => `<< /Fields [${field} 0 R ${more}] /SigFlags 3 >>`;
const form_ = Number(form);

const verdict = async (objects: Objects, layout = info) => {
  const [first] = await verifySeals(appendRevision(sealed, objects, layout), options);
  return first?.fault ?? "holds";
};

test("the sealed file has the structure that these tests assume", () => {
  expect([form, signature, field].every((number) => number !== undefined)).toBe(true);
  expect(written).toContain(`/V ${signature} 0 R`);
});

test.each<[string, Objects]>([
  ["an object written again unchanged", { 4: stream("", text("Sign here")) }],
  ["an unreferenced object", { 90: "<< /Nothing true >>" }],
  ["validation data", { 1: `<< ${CATALOG} /AcroForm ${form} 0 R /DSS << /Certs [90 0 R] >> /Extensions << >> >>`, 90: stream("", "x") }],
  [
    "an additional signature field with a value, and its widget",
    {
      [form_]: fields("90 0 R"),
      3: annots("90 0 R"),
      90: "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Other) /V << /Type /Sig >> /Rect [9 9 99 99] /AP << /N 91 0 R >> >>",
      91: stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9]", ""),
    },
  ],
  [
    "a field with a separate widget",
    {
      [form_]: fields("90 0 R"),
      3: annots("91 0 R"),
      90: "<< /FT /Sig /T (Other) /V << /Type /Sig >> /Kids [91 0 R] >>",
      91: "<< /Type /Annot /Subtype /Widget /Parent 90 0 R /Rect [0 0 0 0] >>",
    },
  ],
  ["an empty signature field that draws nothing", { [form_]: fields("90 0 R"), 90: "<< /FT /Sig /T (Other) /Rect [9 9 99 99] >>" }],
])("%s may be appended", async (_name, objects) => {
  expect(await verdict(objects)).toBe("holds");
});

test.each<[string, Objects]>([
  ["other content", { 4: stream("", text("Sign there")) }],
  ["another page size", { 3: annots("").replace("612", "611") }],
  ["an additional page", { 2: "<< /Type /Pages /Kids [3 0 R 90 0 R] /Count 2 >>", 90: `<< ${PAGE} >>` }],
  ["another font with the same name", { 5: "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>" }],
  ["an annotation", { 3: annots("90 0 R"), 90: "<< /Type /Annot /Subtype /FreeText /Rect [9 9 99 99] >>" }],
  ["a text field", { [form_]: fields("90 0 R"), 90: "<< /FT /Tx /T (Other) >>" }],
  ["the signature's widget removed from the page", { 3: `<< ${PAGE} >>` }],
  ["the signature's own dictionary", { [Number(signature)]: "<< /Type /Sig >>" }],
  ["a script that runs on opening", { 1: `<< ${CATALOG} /AcroForm ${form} 0 R /OpenAction << /S /JavaScript /JS (1) >> >>` }],
  ["another title", { 11: "<< /Title (Other) >>" }],
  [
    "an empty signature field drawn over the page",
    {
      [form_]: fields("90 0 R"),
      3: annots("90 0 R"),
      90: "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Other) /Rect [9 9 99 99] /AP << /N 91 0 R >> >>",
      91: stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9]", "0 0 9 9 re f"),
    },
  ],
  [
    "a signature drawn over the page that no field of the form has",
    {
      3: annots("90 0 R"),
      90: "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Other) /V << /Type /Sig >> /Rect [9 9 99 99] /AP << /N 91 0 R >> >>",
      91: stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9]", "0 0 9 9 re f"),
    },
  ],
  ["a signature field with an action", { [form_]: fields("90 0 R"), 90: "<< /FT /Sig /T (Other) /V << >> /AA << >> >>" }],
])("%s is a change after signing", async (_name, objects) => {
  expect(await verdict(objects)).toMatch(/changed_after_signing|byte_range/);
});

test("a change before a second seal affects only the first seal", async () => {
  const other = await makeOrg();
  const between = appendRevision(sealed, { 4: stream("", text("Sign there")) }, info);
  const twice = await sealedBy(other, between);
  const reports = await verifySeals(twice, { roots: [org.root.certificate, other.root.certificate], at: NOW });
  expect(reports.map(({ intact, trusted, fault }) => ({ intact, trusted, fault }))).toEqual([
    { intact: false, trusted: true, fault: "changed_after_signing" },
    { intact: true, trusted: true, fault: undefined },
  ]);
});

test("a change after both seals affects both", async () => {
  const other = await makeOrg();
  const twice = appendRevision(await sealedBy(other, sealed), { 4: stream("", text("Sign there")) }, info);
  const reports = await verifySeals(twice, { roots: [], at: NOW });
  expect(reports.map(({ fault }) => fault)).toEqual(["changed_after_signing", "changed_after_signing"]);
});

test("signing an existing empty field is not a change", async () => {
  const empty = "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Buyer) /Rect [9 9 99 99] >>";
  const prepared = writePdf(onePage({ catalog: "/AcroForm << /Fields [10 0 R] >>", page: "/Annots [10 0 R]", more: { 10: empty } }));
  const first = await sealedBy(org, prepared);
  const signed = appendRevision(first, {
    10: empty.replace(" >>", " /V 90 0 R /AP << /N 91 0 R >> >>"),
    90: "<< /Type /Sig >>",
    91: stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9]", ""),
  });
  const covered = appendRevision(first, {
    10: empty.replace(" >>", " /AP << /N 91 0 R >> >>"),
    91: stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9]", "0 0 9 9 re f"),
  });
  const moved = appendRevision(first, { 10: empty.replace("[9 9 99 99]", "[9 9 999 999]") });
  const faults = async (bytes: Uint8Array) =>
    Object.fromEntries((await verifySeals(bytes, options)).map(({ field: name, fault }) => [name, fault ?? "holds"]));
  expect(await faults(signed)).toEqual({ Buyer: "byte_range", Countersign_1: "holds" });
  expect(await faults(covered)).toEqual({ Countersign_1: "changed_after_signing" });
  expect(await faults(moved)).toEqual({ Countersign_1: "changed_after_signing" });
});

test("trailing white space is not a change, although the seal no longer covers the whole file", async () => {
  const [report] = await verifySeals(concat(sealed, latin1("\r\n  \n")), options);
  expect(report).toMatchObject({ intact: true, trusted: true, covers_whole_file: false });
});

test.each([
  ["objects without a cross-reference section", "4 0 obj\n<< /Length 0 >>\nstream\n\nendstream\nendobj\n"],
  ["a second end of file with an old cross-reference section", "4 0 obj\nnull\nendobj\nstartxref\n15\n%%EOF\n"],
  ["text", "Hello"],
])("%s appended is a change", async (_name, tail) => {
  const reports = await verifySeals(concat(sealed, latin1(tail)), options).catch(() => []);
  expect(reports.filter((report) => report.intact)).toEqual([]);
});
