import { createBudget } from "pako";
import { expect, describe as group, test } from "vitest";
import { recataloged, repricedForm, withWrongPrev } from "../fixtures/older-values.ts";
import { onePage, text } from "../fixtures/pages.ts";
import { appendRevision, concat, type Layout, latin1, stream, writePdf } from "../fixtures/writer.ts";
import { save } from "./doc.ts";
import { UnreadablePdf } from "./errors.ts";
import { openPdf } from "./open.ts";
import { readWithPdfium } from "./pdfium.ts";
import { sanitize } from "./sanitize.ts";

const open = (bytes: Uint8Array) => openPdf(bytes, createBudget());

async function shown(bytes: Uint8Array): Promise<string[] | null> {
  return readWithPdfium(bytes, (document) => [...document.pages()].map((page) => page.getText().trim()));
}

const layouts: readonly (readonly [Layout, Layout])[] = (["table", "streams"] as const).flatMap((before) =>
  (["table", "streams"] as const).map((after) => [{ layout: before }, { layout: after }] as const),
);

group("a revision whose /Prev is wrong", () => {
  test.each(layouts)("the field shows the value of the last revision (%o, then %o)", async (before, after) => {
    const { bytes } = await sanitize(await open(repricedForm(before, after)));
    const [page] = (await shown(bytes)) ?? [];
    expect(page).toContain("2.00");
    expect(page).not.toContain("232,323.00");
  });

  test.each(layouts)("the catalog is the one that the last trailer names (%o, then %o)", async (before, after) => {
    expect(await shown(await save(await open(recataloged(before, after))))).toEqual(["New"]);
  });

  test("the third definition counts, not the second", async () => {
    const { 3: page } = onePage();
    const pageWith = (content: number): string => String(page).replace("4 0 R", `${content} 0 R`);
    let file = writePdf(onePage({ content: text("First") }), { layout: "streams" });
    file = appendRevision(file, { 3: pageWith(40), 40: stream("", text("Second")) }, { layout: "streams" });
    file = appendRevision(file, { 3: pageWith(50), 50: stream("", text("Third")) });
    expect(await shown(await save(await open(withWrongPrev(file))))).toEqual(["Third"]);
  });

  test("what looks like an object within an attached file is none", async () => {
    const attached = writePdf(onePage({ content: text("Attached") }));
    const file = appendRevision(writePdf(onePage({ content: text("First") })), {
      4: stream("", text("Second")),
      10: stream("/Type /EmbeddedFile", attached),
    });
    expect(await shown(await save(await open(withWrongPrev(file))))).toEqual(["Second"]);
  });

  test("a revision that brings all of its page is not read without the rest of the file", async () => {
    const { 5: _, ...others } = onePage({ content: text("Second") });
    const file = withWrongPrev(appendRevision(writePdf(onePage({ content: text("First") })), others));
    const written = await save(await open(file));
    expect(Buffer.from(written).toString("latin1")).toContain("/Helvetica");
    expect(await shown(written)).toEqual(["Second"]);
  });
});

group("a file in which nothing says what is newer is refused", () => {
  const refusal = async (bytes: Uint8Array): Promise<string | null> => {
    const error = await open(bytes).then(
      () => expect.fail("it opened"),
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof UnreadablePdf)) throw error;
    expect(error.fault).toBe("unparseable");
    return error.limit ?? null;
  };
  const cut = (file: Uint8Array): string =>
    Buffer.from(file)
      .toString("latin1")
      .replace(/startxref\n\d+/g, "startxref\n7");

  test("a second definition of a lower generation", async () => {
    const file = cut(writePdf(onePage())).replace(/\n4 0 obj/, "\n4 1 obj");
    await refusal(concat(latin1(file), latin1("4 0 obj\n<< /Length 0 >>\nstream\n\nendstream\nendobj\n")));
  });

  test("two catalogs, the second without its trailer", async () => {
    await refusal(latin1(cut(recataloged({}, {})).replace(/trailer(?![\s\S]*trailer)[\s\S]*$/, "")));
  });
});
