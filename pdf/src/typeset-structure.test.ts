// Our own documents are tagged (ISO 32000-2, 14.8) and fit for archives (ISO 19005-2).

import { PDF, type PdfString } from "@libpdf/core";
import { createBudget } from "pako";
import { describe, expect, test } from "vitest";
import { makeOrg } from "../fixtures/certificates.ts";
import { DRAWN, fonts } from "../fixtures/marks.ts";
import { pdfaClaim, pdfaFaults } from "../fixtures/pdfa-rules.ts";
import { colorAt, pixelsOf } from "../fixtures/pixels.ts";
import { makePng } from "../fixtures/png.ts";
import { sealedBy } from "../fixtures/sealed.ts";
import { type Shown, structureOf } from "../fixtures/structure.ts";
import { decodeStream } from "./content/filters.ts";
import { resolve } from "./doc.ts";
import type { DocumentModel, PictureCell } from "./typeset/model.ts";
import { typeset } from "./typeset.ts";

describe("our own documents", () => {
  const long = "A text that is long enough to need a second line on the page, because words must not run together where a line ends.";
  const model: DocumentModel = {
    title: "Certificate <1> & more",
    subject: "Envelope",
    author: "Acme",
    language: "de-AT",
    paper: "a4",
    footer: { before: "env_1", after: "Countersign" },
    blocks: [
      { kind: "title", text: "Certificate", below: "of env_1" },
      { kind: "callout", tone: "good", title: "Passed", text: "All checks", figure: "100" },
      { kind: "heading", level: 1, text: "Parties" },
      { kind: "heading", level: 3, text: "Details" },
      { kind: "paragraph", words: long },
      { kind: "item", mark: "1.", words: "First" },
      { kind: "item", mark: "2.", words: "שלום" },
      { kind: "rule" },
      { kind: "pairs", rows: [{ label: "Hash", value: { text: "0123456789abcdef", look: "fixed" } }] },
      {
        kind: "table",
        columns: [
          { head: "When", share: 1 },
          { head: "What", share: 1 },
        ],
        rows: [["now", ["a", "b"]]],
      },
    ],
  };

  test("have headings, paragraphs, lists and tables", async () => {
    const { bytes } = await typeset(model, fonts);
    expect(await structureOf(bytes)).toEqual([
      {
        S: "Document",
        below: [
          { S: "H1", pieces: 1 },
          { S: "P", pieces: 1 },
          {
            S: "Div",
            below: [
              { S: "P", pieces: 1 },
              { S: "P", pieces: 1 },
              { S: "P", pieces: 1 },
            ],
          },
          { S: "H2", pieces: 1 },
          { S: "H4", pieces: 1 },
          { S: "P", ActualText: long, pieces: 1 },
          {
            S: "L",
            below: [
              {
                S: "LI",
                below: [
                  { S: "Lbl", pieces: 1 },
                  { S: "LBody", pieces: 1 },
                ],
              },
              {
                S: "LI",
                below: [
                  { S: "Lbl", pieces: 1 },
                  { S: "LBody", ActualText: "שלום", pieces: 1 },
                ],
              },
            ],
          },
          {
            S: "Table",
            below: [
              {
                S: "TR",
                below: [
                  { S: "TH", Scope: "Row", pieces: 1 },
                  { S: "TD", pieces: 1 },
                ],
              },
            ],
          },
          {
            S: "Table",
            below: [
              {
                S: "TR",
                below: [
                  { S: "TH", Scope: "Column", pieces: 1 },
                  { S: "TH", Scope: "Column", pieces: 1 },
                ],
              },
              {
                S: "TR",
                below: [
                  { S: "TD", pieces: 1 },
                  { S: "TD", ActualText: "a\nb", pieces: 1 },
                ],
              },
            ],
          },
        ],
      },
    ]);
  });

  test("repeat the header of a table as decoration", async () => {
    const rows = Array.from({ length: 200 }, (_, n) => [`row ${n}`, ""]);
    const { bytes, pages } = await typeset(
      {
        ...model,
        blocks: [
          {
            kind: "table",
            columns: [
              { head: "When", share: 1 },
              { head: "What", share: 1 },
            ],
            rows,
          },
        ],
      },
      fonts,
    );
    const below = (shown: Shown | undefined): Shown[] => (shown === undefined ? [] : (shown.below ?? []));
    const [document] = await structureOf(bytes);
    const [table] = below(document);
    expect(pages).toBeGreaterThan(2);
    expect(below(table).map((row) => below(row)[0])).toEqual([
      { S: "TH", Scope: "Column", pieces: 1 },
      ...rows.map(() => ({ S: "TD", pieces: 1 })),
    ]);
  });

  test("read a table of more than 1,000 rows as paragraphs, one for each row", async () => {
    const rows = Array.from({ length: 1_001 }, (_, n) => [`row ${n}`, "sent"]);
    const columns = [
      { head: "When", share: 1 },
      { head: "What", share: 1 },
    ];
    const { bytes } = await typeset({ ...model, blocks: [{ kind: "table", columns, rows }] }, fonts);
    const texts = ["When, What", ...rows.map(([name]) => `${name}, sent`)];
    const below = texts.map((ActualText) => ({ S: "P", ActualText, pieces: 1 }));
    expect(await structureOf(bytes)).toEqual([{ S: "Document", below: [{ S: "Div", below }] }]);
  });

  test("are PDF/A-2u, before and after they are sealed", async () => {
    const { bytes } = await typeset(model, fonts);
    const sealed = await sealedBy(await makeOrg(), bytes);
    for (const file of [bytes, sealed]) expect([await pdfaClaim(file), await pdfaFaults(file)]).toEqual(["2u", []]);
  });

  describe("with pictures of signatures", () => {
    const red = makePng({ width: 40, height: 20, depth: 8, color: 6, pixel: (x) => [200, 0, 0, x < 20 ? 0 : 255] });
    const picture = (value: PictureCell["picture"], name: string): PictureCell => ({ picture: value, alt: `Signature of ${name}` });
    const signed: DocumentModel = {
      ...model,
      blocks: [
        {
          kind: "table",
          columns: [
            { head: "Who", share: 1 },
            { head: "Signature", share: 1 },
          ],
          rows: [
            ["Ann", picture(DRAWN, "Ann")],
            ["Ben", picture({ kind: "typed", text: "Ben Example", font: "caveat" }, "Ben")],
          ],
        },
        { kind: "pairs", rows: [{ label: "Mark", value: picture({ kind: "uploaded", png: Buffer.from(red).toString("base64") }, "Cy") }] },
      ],
    };

    test("they are figures with their description and place", async () => {
      const { bytes } = await typeset(signed, fonts);
      const all = (shown: Shown): Shown[] => [shown, ...(shown.below ?? []).flatMap(all)];
      const figures = (await structureOf(bytes)).flatMap(all).filter(({ S }) => S === "Figure");
      expect(figures).toEqual(["Ann", "Ben", "Cy"].map((name) => ({ S: "Figure", Alt: `Signature of ${name}`, pieces: 1 })));
      expect(
        Buffer.from(bytes)
          .toString("latin1")
          .match(/\/BBox \[[\d. ]+\]/g)?.length,
      ).toBeGreaterThanOrEqual(3);
    });

    test("they are drawn, and the file stays PDF/A-2u with the same bytes each time", async () => {
      const [{ bytes }, again] = [await typeset(signed, fonts), await typeset(signed, fonts)];
      expect(Buffer.compare(bytes, again.bytes)).toBe(0);
      expect([await pdfaClaim(bytes), await pdfaFaults(bytes)]).toEqual(["2u", []]);
      const shown = await pixelsOf(bytes, 0, 1);
      const colors = Array.from({ length: shown.width * shown.height }, (_, at) =>
        colorAt(shown, at % shown.width, Math.floor(at / shown.width)).join(" "),
      );
      expect(colors.filter((color) => color === "200 0 0").length).toBeGreaterThan(100);
      const isInk = (color: string): boolean => {
        const [r = 0, , b = 0] = color.split(" ").map(Number);
        return b > r + 60;
      };
      expect(colors.filter(isInk).length).toBeGreaterThan(100);
    });
  });

  test("state title and language", async () => {
    const { bytes } = await typeset(model, fonts);
    const pdf = await PDF.load(bytes);
    const catalog = pdf.context.catalog.getDict();
    expect((catalog.get("Lang") as PdfString).asString()).toBe("de-AT");
    const metadata = resolve({ pdf }, catalog.get("Metadata"));
    const xmp = Buffer.from(decodeStream({ pdf, budget: createBudget() }, metadata as never)).toString();
    expect(xmp).toContain("Certificate &lt;1&gt; &amp; more");
  });
});
