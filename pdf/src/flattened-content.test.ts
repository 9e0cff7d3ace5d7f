import { createBudget } from "pako";
import { expect, describe as group, test } from "vitest";
import { formWith, utf16 } from "../fixtures/forms.ts";
import { onePage, text } from "../fixtures/pages.ts";
import { appendRevision, flate, latin1, type Objects, stream, writePdf } from "../fixtures/writer.ts";
import { canBeEnclosed, layersOf } from "./flattened-content.ts";
import { jobs } from "./jobs.ts";
import { openPdf } from "./open.ts";
import { expectedChanges } from "./sanitize/expected-changes.ts";
import { unchangedPages } from "./unchanged-pages.ts";

const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

/** The pages that are proven after cleaning; `replaced` is changed in the result first, to something of the same length. */
async function proven(file: Uint8Array, replaced?: readonly [from: RegExp, to: string]): Promise<number[]> {
  const expected = expectedChanges(await openPdf(file.slice(), createBudget()));
  const { bytes, fields } = await jobs.ingest(file.slice(), { tags: "document" }, () => undefined);
  const touched = new Map([...expected].map(([page, each]) => [page, { tagged: fields.length > 0, fields: each.fields }] as const));
  const result = latin(bytes);
  const catalog = Number(/\/Root (\d+) 0 R/.exec(result)?.[1]);
  const changed = replaced === undefined ? result : result.replace(...replaced);
  expect(changed.length).toBe(result.length);
  expect(changed === result).toBe(replaced === undefined);
  return [...unchangedPages({ bytes: file, catalog: 1 }, { bytes: latin1(changed), catalog }, touched)];
}

const APPEARANCE = flate(
  "/Subtype /Form /BBox [60 690 300 712] /Matrix [1 0 0 1 -60 -690] /Resources << /ExtGState << /G << /BM /Multiply >> >> >>",
  "/G gs 1 1 0 rg 60 690 240 22 re f",
);

/** A page with these annotations, numbered from 20. */
const annotated = (annotations: readonly string[], more: Objects = {}, odd: Parameters<typeof onePage>[0] = {}): Objects => ({
  ...onePage({
    content: `${text("The rent is 900 EUR")} ${text("Second line", 72, 500)}`,
    page: `/Annots [${annotations.map((_, index) => `${20 + index} 0 R`).join(" ")}]`,
    ...odd,
  }),
  ...Object.fromEntries(annotations.map((annotation, index) => [20 + index, `<< /Type /Annot ${annotation} >>`])),
  40: APPEARANCE,
  ...more,
});

const HIGHLIGHT = "/Subtype /Highlight /F 4 /C [1 1 0] /Rect [70 695 190 706] /AP << /N 40 0 R >>";
const STAMP = "/Subtype /Stamp /F 4 /Rect [300 500 400 540] /AP << /N 39 0 R >>";
const stampForm = stream("/Type /XObject /Subtype /Form /BBox [0 0 50 20] /Resources << >>", "1 0 0 RG 2 2 46 16 re S");
const marked = annotated([HIGHLIGHT, STAMP], { 39: stampForm });
const form = formWith([{ entries: `/FT /Tx /V ${utf16("€ 9,000 – payable")}` }, { entries: "/FT /Btn /V /Yes /AS /Yes" }]);

group("a page whose annotations became part of it need not be drawn", () => {
  test("if they are drawn by their own appearances, in their places", async () => {
    expect(await proven(writePdf(marked))).toEqual([1]);
    expect(await proven(writePdf(marked, { layout: "streams" }))).toEqual([1]);
  });

  test("if they are fields, whether they had an appearance or were drawn by us", async () => {
    expect(await proven(form)).toEqual([1]);
  });

  test("if they and a new value were appended as a revision", async () => {
    const plain = annotated([]);
    for (const layout of ["table", "streams"] as const) {
      const file = appendRevision(
        writePdf(plain, { layout }),
        { 3: marked[3], 20: marked[20], 21: marked[21], 40: APPEARANCE, 39: stampForm } as Objects,
        {
          layout,
        },
      );
      expect(await proven(file)).toEqual([1]);
    }
  });

  test("if there are fields, marks, links and tags at once", async () => {
    const field = "/Subtype /Widget /FT /Tx /T (Rent) /V (900) /F 4 /Rect [72 300 272 320] /DA (/F1 12 Tf 0 g)";
    const link = "/Subtype /Link /Rect [72 100 200 120] /Border [0 0 1] /A << /S /URI /URI (https://example.com/) >>";
    const content = `${text("The rent is 900 EUR")} ${text("Sign: {{Sig;type=signature}}", 72, 500)}`;
    const odd = { content, catalog: "/AcroForm << /Fields [20 0 R] /DR << /Font << /F1 5 0 R >> >> >>" };
    const objects = annotated(
      [field, HIGHLIGHT, link, STAMP, "/Subtype /Popup /Rect [400 600 500 700] /Parent 21 0 R"],
      { 39: stampForm },
      odd,
    );
    expect(await proven(writePdf({ ...objects, 3: `${objects[3]}`.replace("/Annots [", "/Annots [ ") }))).toEqual([1]);
  });
});

group("it is drawn", () => {
  const result: readonly (readonly [string, RegExp, string])[] = [
    ["an appearance is in another place", / (\d)(\S*) cm \/Stamp0 Do/, " 3$2 cm /Stamp0 Do"],
    ["an appearance is missing", /\/Stamp1 Do/, "          "],
    ["the appearances are exchanged", /\/Stamp0 Do Q\n(.*)\/Stamp1 Do/, "/Stamp1 Do Q\n$1/Stamp0 Do"],
    ["an appearance is another", /2 2 46 16 re S/, "2 2 46 16 re f"],
    ["a letter of the page is another", /900 EUR/, "800 EUR"],
    ["something else is drawn", /\/Stamp1 Do Q/, "0 0 9 9 re f"],
    ["the page is turned", /\/MediaBox \[\s*0 0 612 792\s*\]/, "/MediaBox [0 0 792 612]"],
  ];
  test.each(result)("if %s", async (_, from, to) => {
    const file = writePdf({ ...marked, 4: stream("", `${text("The rent is 900 EUR")} ${text("Second line", 72, 500)}`) });
    expect(await proven(file, [from, to])).toEqual([]);
  });

  test("if a field is drawn outside of its place", async () => {
    expect(await proven(form, [/q 1 0 0 1 72 650 cm \/Field/, "q 1 0 0 1 72 150 cm /Field"])).toEqual([]);
  });

  const uploads: readonly (readonly [string, Objects])[] = [
    ["a mark has no appearance", annotated([HIGHLIGHT.replace(/\/AP.*/, "/QuadPoints [70 706 190 706 70 695 190 695]")])],
    ["a note keeps its size and stays upright", annotated([HIGHLIGHT.replace("/Highlight /F 4", "/Text /F 28")])],
    ["an attachment is removed with its icon", annotated([HIGHLIGHT.replace("/Highlight", "/FileAttachment")])],
    ["the content ends what it has not begun", annotated([HIGHLIGHT], { 4: stream("", `1 0 0 rg Q ${text("Red")}`) })],
    ["the content leaves something open", annotated([HIGHLIGHT], { 4: stream("", `q ${text("Open")}`) })],
    ["the page is a group of its own", annotated([HIGHLIGHT], {}, { page: "/Annots [20 0 R] /Group << /S /Transparency /I true >>" })],
    [
      "a form uses the resources of the page",
      annotated(
        [HIGHLIGHT],
        { 41: stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9]", "0 0 9 9 re f") },
        {
          page: "/Annots [20 0 R]",
          resources: "/XObject << /Fm 41 0 R >>",
        },
      ),
    ],
  ];
  test.each(uploads)("if %s", async (_, objects) => {
    expect(await proven(writePdf(objects))).toEqual([]);
  });
});

group("content that is enclosed and drawn over", () => {
  const bytes = (...parts: string[]): Uint8Array[] => parts.map(latin1);
  const drawing = "\nq\n1 0 0 1 0 0 cm\nq 1 0 0 1 5 -6.5 cm /Stamp0 Do Q\nQ\n";

  test("is found with the forms above it, however often it was drawn over", () => {
    const once = bytes("q\n", "own", "\n Q\n", drawing);
    const form0 = { name: "Stamp0", matrix: [1, 0, 0, 1, 5, -6.5] };
    expect(layersOf(once, 1)).toEqual({ own: [1, 2], drawn: [form0] });
    const later = "\nq\nq 2 0 0 2 0 0 cm /Field1 Do Q\nQ\n";
    const twice = [...bytes("q\n"), ...once, ...bytes("\n Q\n", later)];
    expect(layersOf(twice, 1)).toEqual({ own: [2, 3], drawn: [form0, { name: "Field1", matrix: [2, 0, 0, 2, 0, 0] }] });
    expect(layersOf(bytes("a", "b"), 2)).toEqual({ own: [0, 2], drawn: [] });
  });

  test("is not taken apart if anything is written in another way", () => {
    for (const parts of [
      bytes("q\n", "own", drawing),
      bytes("q\n", "own", "\nET Q\n", drawing),
      bytes("Q\n", "own", "\n Q\n", drawing),
      bytes("q\n", "own", "\n Q\n", drawing.replace("Do", "Do S")),
      bytes("q\n", "own", "\n Q\n", drawing.replace("cm\nq", "cm\n0 g\nq")),
      bytes("q\n", "own", "\n Q\n", drawing.replace("-6.5", "6.5.5")),
    ])
      expect(layersOf(parts, 1)).toBeNull();
  });

  test("is the same between q and Q only if it is complete, and does not use the names that are added", () => {
    const enclosed = (content: string): boolean => canBeEnclosed(latin1(content), ["Stamp0"]);
    expect(enclosed("q 0 g BT (a) Tj ET Q /Stamp Do")).toBe(true);
    for (const content of ["Q 0 g", "q 0 g", "BT (a) Tj", "/P BMC", "BT (a Tj ET", "0 g 5", "/Stamp0 Do"])
      expect(enclosed(content)).toBe(false);
  });
});
