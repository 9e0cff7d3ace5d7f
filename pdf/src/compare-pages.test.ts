import { expect, describe as group, test } from "vitest";
import fc from "../../testing/properties.ts";
import { attachmentIcon, wrongPageCount } from "../fixtures/changed-look.ts";
import { fontNameInGbk, GBK_NAMES, positionsOffByOne } from "../fixtures/lost-words.ts";
import { onePage, text } from "../fixtures/pages.ts";
import { stream, writePdf } from "../fixtures/writer.ts";
import { comparePages, lostWords, MAX_COMPARED, pagesToCompare } from "./compare-pages.ts";
import { jobs } from "./jobs.ts";
import { finderIn } from "./page-look.ts";
import type { DisplayedPage } from "./page-tree.ts";
import { pageText } from "./render.ts";

const ingest = (file: Uint8Array) => jobs.ingest(file, { tags: "template" }, () => undefined);
const letter: DisplayedPage = { x: 0, y: 0, w: 612, h: 792, rotate: 0, user_unit: 1 };

type Box = [number, number, number, number];

const compare = (before: string, after: string, boxes: { pixels?: Box; expected?: Box } = {}) => {
  const allowed = {
    words: [],
    pixels: boxes.pixels === undefined ? [] : [boxes.pixels],
    expected: boxes.expected === undefined ? [] : [boxes.expected],
  };
  return comparePages(writePdf(onePage({ content: before })), writePdf(onePage({ content: after })), [{ page: 1, allowed }], [letter]);
};

group("two versions of a page", () => {
  const seal = "1 0 0 rg 300 300 40 40 re f";

  test("are equal if they show the same", async () => {
    expect(await compare(`${text("Total 100")} ${seal}`, `${seal} 0 g ${text("Total 100")}`)).toEqual({
      compared: [1],
      comparable: true,
      differences: [],
    });
  });

  test("differ, without a loss, by a hairline that moved by a fraction of a pixel", async () => {
    const lines = (y: number): string => `0.2 w ${[0, 1, 2, 3].map((n) => `72 ${y + 30 * n} m 500 ${y + 30 * n} l S`).join(" ")}`;
    const [difference] = (await compare(lines(300), lines(301.5))).differences;
    expect(difference?.kind ?? "changed").toBe("changed");
    expect((await compare(lines(300), "")).differences).toMatchObject([{ kind: "lost" }]);
  });

  test("differ by a lost word, visible or not", async () => {
    const { differences } = await compare(text("Total 100 EUR"), text("Total EUR"));
    expect(differences).toMatchObject([{ page: 1, kind: "lost", words: 1 }]);
    const invisible = (shown: string): string => `${text("Seen")} BT 3 Tr /F1 9 Tf 72 300 Td (${shown}) Tj ET`;
    expect((await compare(invisible("Total 100"), invisible("Total"))).differences).toMatchObject([{ kind: "lost", words: 1, pixels: 0 }]);
  });

  test("differ by a lost drawing, unless it was expected or is not compared", async () => {
    expect((await compare(`${text("A")} ${seal}`, text("A"))).differences).toMatchObject([{ kind: "lost", words: 0 }]);
    const box: Box = [300, 300, 340, 340];
    expect((await compare(`${text("A")} ${seal}`, text("A"), { expected: box })).differences).toMatchObject([{ kind: "changed" }]);
    expect((await compare(`${text("A")} ${seal}`, text("A"), { pixels: box })).differences).toEqual([]);
  });

  test("differ, without a loss, by something new", async () => {
    expect((await compare(text("A"), `${text("A")} ${seal}`)).differences).toMatchObject([{ kind: "changed" }]);
  });

  test("cannot be compared if PDFium cannot show the first", async () => {
    const after = writePdf(onePage());
    expect(await comparePages(new Uint8Array(10), after, [{ page: 1, allowed: null }], [letter])).toEqual({
      compared: [],
      comparable: false,
      differences: [],
    });
  });
});

test("a word is not lost if something was drawn right beside it", () => {
  expect(lostWords(["Name:", "Date:"], ["Name:Ann", "Date:"])).toBe(0);
  expect(lostWords(["Total", "100", "100"], ["Total", "100"])).toBe(0);
  expect(lostWords(["Total", "100"], ["Total"])).toBe(1);
});

group("the pages that are compared", () => {
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

  test("are one of 15 in doubt, from the first to the last, and those that cleaning changed", () => {
    expect(pagesToCompare([])).toEqual([]);
    expect(pagesToCompare([4])).toEqual([4]);
    expect(pagesToCompare(upTo(15))).toEqual([1]);
    expect(pagesToCompare(upTo(60))).toEqual([1, 21, 40, 60]);
    expect(pagesToCompare([1, 2], [3, 7])).toEqual([1, 3, 7]);
    expect(pagesToCompare([], [7, 21])).toEqual([7, 21]);
  });

  test("are at most 12, whatever the document", () => {
    for (const count of [1, 2, 14, 100, 179, 300, 2_000]) {
      for (const changed of [[], upTo(count)]) {
        const compared = pagesToCompare(
          upTo(count).map((page) => page + 2_000),
          changed,
        );
        expect(compared.length).toBeLessThanOrEqual(MAX_COMPARED);
        expect(compared).toEqual([...new Set(compared)].sort((a, b) => a - b));
      }
    }
  });
});

group("an upload", () => {
  test("whose words would be lost by cleaning is not accepted", async () => {
    await expect(ingest(writePdf(fontNameInGbk(GBK_NAMES.withSpace)))).rejects.toMatchObject({ fault: "content_lost", limit: "page 1" });
  });

  test("whose page would be blank, because objects are not where its table says, is not accepted", async () => {
    const file = positionsOffByOne();
    expect((await pageText(file.slice(), 1)).blocks).toEqual(["Potato"]);
    await expect(ingest(file)).rejects.toMatchObject({ fault: "content_lost", limit: "page 1" });
  });

  test("whose attachment was removed with its icon names the page", async () => {
    expect((await ingest(writePdf(attachmentIcon()))).page_warnings).toEqual([{ code: "look_changed", pages: [2] }]);
  });

  test("with tags and filled fields has no warning: their look is meant to change", async () => {
    const file = writePdf(
      onePage({
        content: `${text("Sign: {{Sig;type=signature}}")} ${text("Rent", 72, 500)}`,
        catalog: "/AcroForm << /Fields [40 0 R] /DA (/F1 12 Tf 0 g) /DR << /Font << /F1 5 0 R >> >> >>",
        page: "/Annots [40 0 R]",
        more: {
          40: "<< /Type /Annot /Subtype /Widget /FT /Tx /T (Rent) /V (900) /Rect [110 495 200 515] /AP << /N 41 0 R >> >>",
          41: stream(
            "/Type /XObject /Subtype /Form /BBox [0 0 90 20] /Resources << /Font << /F1 5 0 R >> >>",
            "BT /F1 12 Tf 2 5 Td (900) Tj ET",
          ),
        },
      }),
    );
    expect((await ingest(file)).page_warnings).toEqual([]);
  });

  test("that PDFium cannot show says that it was not compared", async () => {
    const { page_warnings } = await ingest(writePdf(wrongPageCount()));
    expect(page_warnings).toEqual([{ code: "look_not_compared", pages: [] }]);
  });
});

test("a point is found in the boxes that contain it, wherever and however large they are", () => {
  const side = fc.double({ min: -2_000, max: 2_000, noNaN: true });
  const box = fc.tuple(side, side, fc.double({ min: 0, max: 500, noNaN: true }), fc.double({ min: 0, max: 500, noNaN: true }));
  fc.assert(
    fc.property(fc.array(box, { maxLength: 20 }), fc.array(fc.tuple(side, side), { maxLength: 20 }), (sizes, points) => {
      const boxes = sizes.map(([x, y, w, h]): Box => [x, y, x + w, y + h]);
      const isInside = finderIn(boxes);
      for (const [x, y] of [...points, ...boxes.map(([left, bottom]) => [left, bottom] as const)]) {
        expect(isInside(x, y)).toBe(boxes.some(([left, bottom, right, top]) => x >= left && x <= right && y >= bottom && y <= top));
      }
    }),
  );
});
