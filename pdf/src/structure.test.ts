// What we stamp is read aloud: it is in the structure of a tagged document (ISO 32000-2, 14.7 and 14.8).

import { PDF } from "@libpdf/core";
import { describe, expect, test } from "vitest";
import { archival } from "../fixtures/archival.ts";
import { AREA, DRAWN, SIGNING, stampedOnto } from "../fixtures/marks.ts";
import { onePage, text } from "../fixtures/pages.ts";
import { pdfaFaults } from "../fixtures/pdfa-rules.ts";
import { structureOf } from "../fixtures/structure.ts";
import { writePdf } from "../fixtures/writer.ts";
import { jobs } from "./jobs.ts";
import type { Mark } from "./stamp.ts";

const common = { field: "f", signer: "s", areas: [AREA] };
const marks: readonly Mark[] = [
  { ...common, kind: "text", label: "Name", value: "Ann" },
  { ...common, kind: "cross", label: "I agree", value: true },
  { ...common, kind: "cross", value: false },
  { ...common, areas: [AREA, AREA], kind: "disc", label: "Plan", options: ["Basic", "Full"], value: "Full" },
  { ...common, kind: "mark", value: DRAWN, ...SIGNING },
  { ...common, kind: "mark", value: DRAWN, ...SIGNING, initials: true },
];

const added = [
  { S: "Form", ActualText: "Ann", Role: "tv", Desc: "Name", pieces: 1 },
  { S: "Form", Alt: "I agree: checked", Role: "cb", checked: "on", Desc: "I agree", pieces: 1 },
  { S: "Form", Alt: "not checked", Role: "cb", checked: "off", pieces: 1 },
  { S: "Form", Alt: "Plan: Full, selected", Role: "rb", checked: "on", Desc: "Plan", pieces: 1 },
  { S: "Figure", Alt: "Signature of Ann Example", pieces: 1 },
  { S: "P", pieces: 1 },
  { S: "Figure", Alt: "Initials of Ann Example", pieces: 1 },
  { S: "P", pieces: 1 },
];

describe("a tagged document", () => {
  test("says what was stamped, after the content of its page", async () => {
    const { bytes, stamped } = await stampedOnto(archival({ part: 2, level: "A" }), marks);
    expect(await structureOf(bytes)).toEqual([{ S: "Document", below: [{ S: "P", pieces: 1 }, ...added] }]);
    expect(stamped.map(({ kind }) => kind)).toEqual(["text", "cross", "disc", "mark", "mark"]);
  });

  test("with two pages keeps their order", async () => {
    const page = (n: number): string =>
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /StructParents ${n} >>`;
    const two = writePdf({
      ...onePage({ content: `/P << /MCID 0 >> BDC ${text("Page")} EMC`, catalog: "/MarkInfo << /Marked true >> /StructTreeRoot 12 0 R" }),
      2: "<< /Type /Pages /Kids [3 0 R 10 0 R] /Count 2 >>",
      3: page(0),
      10: page(1),
      12: "<< /Type /StructTreeRoot /K [14 0 R 15 0 R] /ParentTree << /Kids [16 0 R] >> >>",
      14: "<< /Type /StructElem /S /Sect /P 12 0 R /K [17 0 R] >>",
      15: "<< /Type /StructElem /S /Sect /P 12 0 R /K [18 0 R] >>",
      16: "<< /Limits [0 1] /Nums [0 [17 0 R] 1 [18 0 R]] >>",
      17: "<< /Type /StructElem /S /P /P 14 0 R /Pg 3 0 R /K 0 >>",
      18: "<< /Type /StructElem /S /P /P 15 0 R /Pg 10 0 R /K 0 >>",
    });
    const sect = { S: "Sect", below: [{ S: "P", pieces: 1 }] };
    const { bytes } = await stampedOnto(two, [
      { ...common, kind: "text", value: "second", areas: [{ ...AREA, page: 2 }] },
      { ...common, kind: "text", value: "first" },
    ]);
    const value = (ActualText: string) => ({ S: "Form", ActualText, Role: "tv", pieces: 1 });
    expect(await structureOf(bytes)).toEqual([sect, value("first"), sect, value("second")]);
  });

  test("gets the signature page, its labels as text and its lines as decoration", async () => {
    const { bytes } = await jobs.prepare(archival({ part: 2, level: "A" }), { signers: [{ signer: "s", label: "Ann" }] }, () => undefined);
    const labels = ["Signatures", "Ann", "Date"].map((ActualText) => ({ S: "P", ActualText, pieces: 1 }));
    expect(await structureOf(bytes)).toEqual([{ S: "Document", below: [{ S: "P", pieces: 1 }, ...labels] }]);
    expect(await pdfaFaults(bytes)).toEqual([]);
  });

  test("says once that it is a copy", async () => {
    const { bytes } = await jobs.copy(archival({ part: 2, level: "A" }), { band: "COPY of env_1", diagonal: "COPY" }, () => undefined);
    expect(await structureOf(bytes)).toEqual([
      {
        S: "Document",
        below: [
          { S: "P", pieces: 1 },
          { S: "P", ActualText: "COPY of env_1", pieces: 1 },
        ],
      },
    ]);
  });

  test.each([
    ["a parent tree that contains itself", "<< /Type /StructTreeRoot /K 13 0 R /ParentTree 15 0 R >>", "<< /Kids [15 0 R 15 0 R] >>"],
    ["no parent tree", "<< /Type /StructTreeRoot /K 13 0 R >>", "null"],
    [
      "elements that are their own parents",
      "<< /Type /StructTreeRoot /K [13 0 R 14 0 R] /ParentTree 15 0 R >>",
      "<< /Nums [0 [14 0 R]] >>",
    ],
    ["a parent tree of other things", "<< /Type /StructTreeRoot /ParentTree 15 0 R >>", "<< /Nums [0 (a) (b) 7 1e99 [14 0 R] 3] >>"],
  ])("with %s is stamped all the same", async (_name, root, tree) => {
    const odd = archival({ part: 2, level: "A", more: { 12: root, 14: "<< /S /P /P 14 0 R /K 0 >>", 15: tree } });
    const { bytes } = await stampedOnto(odd, marks);
    expect((await PDF.load(bytes)).getPageCount()).toBe(1);
  });

  test("with content numbered beyond its parent tree gets other numbers", async () => {
    const odd = writePdf(
      onePage({
        content: `/P << /MCID 41 >> BDC ${text("x")} EMC`,
        catalog: "/MarkInfo << /Marked true >> /StructTreeRoot 12 0 R",
        more: { 12: "<< /Type /StructTreeRoot /K [] /ParentTree << /Nums [] >> >>" },
      }),
    );
    const { bytes } = await stampedOnto(odd, marks.slice(0, 1));
    expect(await structureOf(bytes)).toEqual(added.slice(0, 1));
  });
});

test("a document without structure gets none", async () => {
  const { bytes, stamped } = await stampedOnto(writePdf(onePage()), marks);
  expect(await structureOf(bytes)).toEqual([]);
  expect(stamped).toHaveLength(5);
  expect(Buffer.from(bytes).toString("latin1")).not.toContain("/StructParents");
});
