import { afterAll, describe, expect, test, vi } from "vitest";
import { onePage, text } from "../pdf/fixtures/pages.ts";
import { writePdf } from "../pdf/fixtures/writer.ts";
import { printSideBySide, printTable } from "./compare-table.mjs";
import type { Compared } from "./compare-worker.mjs";
import { openComparer } from "./comparer.mjs";

const comparer = openComparer();
afterAll(() => comparer.close());

async function compare(before: Uint8Array, after: Uint8Array): Promise<Compared> {
  const compared = await comparer.compare(before, after, null);
  if ("unread" in compared) throw new Error(compared.unread);
  return compared;
}

const plain = writePdf(onePage());
const form = (value: string) =>
  writePdf(
    onePage({
      catalog: "/AcroForm << /Fields [10 0 R] /NeedAppearances true /DR << /Font << /Helv 5 0 R >> >> >>",
      page: "/Annots [10 0 R]",
      more: {
        10: `<< /Type /Annot /Subtype /Widget /FT /Tx /T (Amount) /V (${value}) /DA (/Helv 40 Tf 0 g) /Rect [72 300 500 360] /F 4 /P 3 0 R >>`,
      },
    }),
  );

describe("the comparison", () => {
  test("of a file with itself finds nothing", async () => {
    expect(await compare(plain, plain)).toMatchObject({ pages: [1, 1], compared: 1, differences: [] });
  });

  test("names the words that were lost and gained, and where the page looks different", async () => {
    const { differences } = await compare(plain, writePdf(onePage({ content: text("Sign elsewhere") })));
    expect(differences).toMatchObject([{ page: 1, lost: ["here"], gained: ["elsewhere"], lost_words: 1, gained_words: 1 }]);
    expect(differences[0]?.changed_pixels).toBeGreaterThan(0);
  });

  test("sees a field that is filled in and no longer shown", async () => {
    const { before, after, differences } = await compare(form("9,000 WWWW"), plain);
    expect(before).toMatchObject({ widgets: 1, need_appearances: true, without_appearance: { Widget: 1 } });
    expect(after).toMatchObject({ widgets: 0, need_appearances: false });
    expect(differences[0]?.changed_squares).toBeGreaterThan(0);
  });

  test("counts fields that can still be filled in", async () => {
    expect((await compare(form("9,000"), form("9,000"))).after).toMatchObject({ widgets: 1, need_appearances: true });
  });

  test("says so if PDFium cannot open the upload", async () => {
    expect(await comparer.compare(new Uint8Array([1, 2, 3]), plain, null)).toEqual({ unread: "PDFium cannot open the upload" });
  });
});

describe("the table", () => {
  const lost = {
    name: "a.pdf",
    outcome: "compared",
    compared: 1,
    pages: [1, 1] as [number, number],
    differences: [
      { page: 1, lost: ["here"], gained: [], lost_words: 1, gained_words: 0, changed_pixels: 9, box: null, changed_squares: 0 },
    ],
  };

  test("says that a lost word is not explained", () => {
    expect(printed(() => printTable([lost]))).toMatch(
      /^a.pdf: words lost 1, pages that look different 1. lost words NOT EXPLAINED; look NOT EXPLAINED$/m,
    );
  });

  test("says that words are missing because hidden content was removed from their page, if the answer names it", () => {
    const answered = (page: number) => ({ ...lost, page_warnings: [{ code: "hidden_content_removed", pages: [page] }] });
    expect(printed(() => printTable([answered(1)]))).toMatch(/ 1. (hidden content was removed, as the answer says); \1$/m);
    expect(printed(() => printTable([answered(2)]))).toContain("lost words NOT EXPLAINED");
  });

  test("shows two runs side by side", () => {
    const refused = { name: "a.pdf", outcome: "refused", why: "unparseable" };
    const lines = printed(() => printSideBySide([lost], [refused]));
    expect(lines).toContain("a.pdf\n  before: words lost 1, pages that look different 1\n  after:  refused: unparseable");
    expect(lines).toMatch(/^ +1 +0 {4}words lost$/m);
    expect(lines).toMatch(/^ +0 +1 {2}refused$/m);
  });

  function printed(print: () => void): string {
    const lines = vi.spyOn(console, "log").mockImplementation(() => undefined);
    lines.mockClear();
    print();
    return lines.mock.calls.map(([line]) => line).join("\n");
  }
});
