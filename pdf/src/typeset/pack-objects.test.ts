import { createBudget } from "pako";
import { expect, test } from "vitest";
import { makeOrg, NOW } from "../../fixtures/certificates.ts";
import { fonts } from "../../fixtures/marks.ts";
import { pages } from "../../fixtures/pages.ts";
import { pdfaClaim, pdfaFaults } from "../../fixtures/pdfa-rules.ts";
import { sealedBy } from "../../fixtures/sealed.ts";
import { writePdf } from "../../fixtures/writer.ts";
import { save } from "../doc.ts";
import { openPdf } from "../open.ts";
import { pageText } from "../render.ts";
import { typeset } from "../typeset.ts";
import { unchangedPages } from "../unchanged-pages.ts";
import { verifySeals } from "../verify-seal.ts";
import type { DocumentModel } from "./model.ts";
import { packObjects } from "./pack-objects.ts";

const trail = (rows: number): DocumentModel => ({
  title: "Audit trail",
  language: "en",
  paper: "a4",
  footer: { before: "env_1", after: "0123456789abcdef" },
  blocks: [
    {
      kind: "table",
      dense: true,
      columns: ["No.", "Event", "Person"].map((head) => ({ head, share: 1 })),
      rows: Array.from({ length: rows }, (_, index) => [String(index + 1), "document.viewed", `Ann Example ${(index * 7919) % 997}`]),
    },
  ],
});

test("a document with many objects keeps each of them, in less than half of the size", async () => {
  const file = await save(await openPdf(writePdf(pages(600)), createBudget()));
  const packed = packObjects(file);
  expect(packed.length).toBeLessThan(file.length / 2);
  const catalog = Number(/\/Root (\d+) 0 R/.exec(Buffer.from(file).toString("latin1"))?.[1]);
  expect(unchangedPages({ bytes: file, catalog }, { bytes: packed, catalog }).size).toBe(600);
  const { pages: again } = await openPdf(packed, createBudget());
  expect(again).toHaveLength(600);
});

test("a long document of our own is packed: it can be read, archived, sealed and verified", async () => {
  const org = await makeOrg();
  const { bytes, pages: count } = await typeset(trail(400), fonts);
  expect(Buffer.from(bytes).toString("latin1")).toContain("/ObjStm");
  expect((await pageText(bytes, count)).blocks.join(" ")).toContain("400 document.viewed Ann Example 188");
  expect([await pdfaClaim(bytes), await pdfaFaults(bytes)]).toEqual(["2u", []]);
  const sealed = await sealedBy(org, bytes);
  const [report] = await verifySeals(sealed, { roots: [org.root.certificate], at: NOW });
  expect(report).toMatchObject({ intact: true, trusted: true, covers_whole_file: true });
});

test("a short document stays as libpdf wrote it", async () => {
  const { bytes } = await typeset(trail(3), fonts);
  expect(Buffer.from(bytes).toString("latin1")).not.toContain("/ObjStm");
});
