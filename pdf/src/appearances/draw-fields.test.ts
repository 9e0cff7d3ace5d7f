// Values of forms that a viewer would have to draw are drawn here: PDFium shows them afterwards without knowing that there was a form.

import { createBudget } from "pako";
import { expect, describe as group, test } from "vitest";
import fc from "../../../testing/properties.ts";
import { drawnAs, type FormField, formWith, rectOf, utf16 } from "../../fixtures/forms.ts";
import { onePage, page, pages } from "../../fixtures/pages.ts";
import { readPdfiumPage } from "../../fixtures/pdfium-chars.ts";
import { colorAt, inkIn, pixelsOf } from "../../fixtures/pixels.ts";
import { stream, writePdf } from "../../fixtures/writer.ts";
import { NotDrawable } from "../errors.ts";
import { findAnchors } from "../find-text.ts";
import { openPdf } from "../open.ts";
import { sanitize } from "../sanitize.ts";

const clean = async (bytes: Uint8Array) => sanitize(await openPdf(bytes, createBudget()));
const flat = async (bytes: Uint8Array): Promise<Uint8Array> => (await clean(bytes)).bytes;
const shown = async (bytes: Uint8Array): Promise<string> => (await readPdfiumPage(bytes)).text.replaceAll(/\s+/g, " ").trim();

/** The cleaned document with these fields, after checking that nothing of a form is left. */
async function drawn(fields: readonly FormField[], form = "", more = {}): Promise<Uint8Array> {
  const bytes = await flat(formWith(fields, form, more));
  expect(Buffer.from(bytes).toString("latin1")).not.toMatch(/AcroForm|NeedAppearances|Widget|\/Annots/);
  return bytes;
}

async function refusal(bytes: Uint8Array): Promise<NotDrawable["details"]> {
  const error = await flat(bytes).catch((thrown: unknown) => thrown);
  if (!(error instanceof NotDrawable)) expect.fail(`not refused: ${error}`);
  return error.details;
}

const text = (value: string, more = ""): FormField => ({ entries: `/FT /Tx /V ${value} ${more}` });
const COMB = 1 << 24;
const MULTILINE = 1 << 12;
const PASSWORD = 1 << 13;
const RADIO = 1 << 15;
const PUSH = 1 << 16;
const COMBO = 1 << 17;
const RECT = rectOf(0);

group("a text field", () => {
  for (const value of ["€ 9,000 – payable", "Łódź, dnia 7", "Договор № 7", "Ωμέγα", "naïve 50 %", "ab שלום cd"]) {
    test(`shows "${value}", for PDFium and for anchors`, async () => {
      const bytes = await drawn([text(utf16(value))]);
      expect(await shown(bytes)).toContain(value.includes("שלום") ? "שלום" : value);
      const [found] = findAnchors(await openPdf(bytes, createBudget()), [{ anchor_text: value }]);
      expect(found).toMatchObject({ found: true, page: 1, matches: 1 });
      expect((await inkIn(bytes, RECT))?.pixels).toBeGreaterThan(200);
    });
  }

  test.each(["สวัสดีครับ ที่นี่", "हिन्दी क्षत्रिय", "\u1eb9\u030a n\u033a"])("is read as typed where letters stack: %s", async (value) => {
    const fields = [text(utf16(value)), text(utf16(value), `/Ff ${MULTILINE}`), { entries: `/FT /Ch /Opt [${utf16(value)}]` }];
    for (const field of fields) {
      const bytes = await drawn([{ ...field, rect: [72, 500, 272, 560] }]);
      expect(await shown(bytes)).toBe(`Sign here ${value}`);
      const [found] = findAnchors(await openPdf(bytes, createBudget()), [{ anchor_text: value }]);
      expect(found).toMatchObject({ found: true, matches: 1 });
    }
  });

  test("states the text of each line separately where letters stack", async () => {
    const bytes = await drawn([
      { ...text(utf16("สวัสดีครับ\nที่นี่"), `/Ff ${MULTILINE} /DA (/Helv 12 Tf)`), rect: [72, 500, 272, 560] },
      text("(plain)"),
    ]);
    expect(await shown(bytes)).toBe("Sign here สวัสดีครับ ที่นี่ plain");
    const { chars } = await readPdfiumPage(bytes);
    const [first, second] = ["ส", "ท"].map((letter) => chars.find(({ char }) => char === letter));
    expect((first?.y ?? 0) - (second?.y ?? 0)).toBeGreaterThan(12);
  });

  test("shows a value that is written as a number", async () => {
    for (const value of ["1234.5", "-7", "0"]) expect(await shown(await drawn([text(value)]))).toBe(`Sign here ${value}`);
    const choice = { entries: `/FT /Ch /Ff ${COMBO} /V 2 /Opt [[1 (one)] [2 (two)]]` };
    expect(await shown(await drawn([choice]))).toBe("Sign here two");
  });

  group("that a script formats, in a form that calls its appearances outdated,", () => {
    const FORMAT = '/AA << /F << /S /JavaScript /JS (AFNumber_Format\\(2,0,0,0,"$",true\\)) >> >>';
    const shownAs = async (value: string, drawing: string, more = FORMAT): Promise<string> =>
      shown(await drawn([text(value, `/AP << /N 50 0 R >> ${more}`)], "/NeedAppearances true", { 50: drawnAs(drawing) }));

    test("keeps the appearance that shows its value", async () => {
      expect(await shownAs("(1234.5)", "$1,234.50")).toBe("Sign here $1,234.50");
      expect(await shownAs("(2026-11-16)", "16.11.2026")).toBe("Sign here 16.11.2026");
    });

    test("is drawn if its appearance shows another value, or none", async () => {
      expect(await shownAs("(1234.5)", "$0.00")).toBe("Sign here 1234.5");
      expect(await shownAs("(1234.5)", "")).toBe("Sign here 1234.5");
    });

    test("is drawn if it has no format", async () => {
      expect(await shownAs("(1234.5)", "$1,234.50", "")).toBe("Sign here 1234.5");
    });
  });

  test("is read in every encoding of PDF", async () => {
    const le = `<FFFE${Buffer.from("Ł €", "utf16le").toString("hex")}>`;
    const utf8 = `<EFBBBF${Buffer.from("Ł €").toString("hex")}>`;
    for (const value of [utf16("Ł €"), le, utf8, "<9520A0>"]) expect(await shown(await drawn([text(value)]))).toBe("Sign here Ł €");
  });

  test("is drawn from the left, in the middle or from the right", async () => {
    const lefts = [];
    for (const quadding of [0, 1, 2]) {
      const ink = await inkIn(await drawn([text("(Ann)", `/Q ${quadding} /DA (/Helv 12 Tf 0 g)`)]), RECT);
      lefts.push([Math.round((ink?.left ?? 0) - RECT[0]), Math.round(RECT[2] - (ink?.right ?? 0))]);
    }
    const [left, middle, right] = lefts as [number[], number[], number[]];
    for (const gap of [left[0], right[1]]) expect(Math.abs((gap ?? 0) - 2)).toBeLessThanOrEqual(1);
    expect(Math.abs((middle[0] ?? 0) - (middle[1] ?? 0))).toBeLessThanOrEqual(2);
  });

  test("has the stated size and colour", async () => {
    const height = async (size: number): Promise<number> => {
      const ink = await inkIn(
        await drawn([{ ...text("(H)", `/DA (/Helv ${size} Tf 1 0 0 rg)`), rect: [72, 600, 172, 640] }]),
        [72, 600, 172, 640],
      );
      return (ink?.top ?? 0) - (ink?.bottom ?? 0);
    };
    expect(await height(20)).toBeCloseTo(0.714 * 20, 0);
    expect(await height(8)).toBeCloseTo(0.714 * 8, 0);
    const pixels = await pixelsOf(await drawn([text("(IIIIIIII)", "/DA (/Helv 18 Tf 1 0 0 rg)")]), 0, 4);
    const inField = Array.from({ length: 400 }, (_, x) => colorAt(pixels, 4 * 72 + x, 4 * (792 - 660)));
    expect(inField.filter(([r, g, b]) => r > 240 && g < 20 && b < 20).length).toBeGreaterThan(10);
  });

  test("fills its height if the size is left to the viewer", async () => {
    const ink = await inkIn(await drawn([{ ...text("(Hg)"), rect: [72, 600, 272, 660] }]), [72, 600, 272, 660]);
    expect((ink?.top ?? 0) - (ink?.bottom ?? 0)).toBeGreaterThan(30);
  });

  test("whose text is too long is made smaller, and all of it is shown", async () => {
    const value = "A text that is much longer than the field in which it stands, at this size";
    const bytes = await drawn([text(`(${value})`, "/DA (/Helv 14 Tf 0 g)")]);
    expect(await shown(bytes)).toContain(value);
    const { chars } = await readPdfiumPage(bytes);
    expect(Math.max(...chars.map(({ right }) => right))).toBeLessThanOrEqual(RECT[2]);
  });

  test("with several lines breaks them", async () => {
    const words = "These words need more than one line in a field of this width";
    const bytes = await drawn([{ ...text(`(${words}\\nand end)`, `/Ff ${MULTILINE}`), rect: [72, 560, 222, 660] }]);
    expect(await shown(bytes)).toBe(`Sign here ${words} and end`);
    const lines = new Set((await readPdfiumPage(bytes)).chars.filter(({ y }) => y > 500 && y < 660).map(({ y }) => Math.round(y)));
    expect(lines.size).toBeGreaterThanOrEqual(4);
  });

  test("for a password shows asterisks", async () => {
    expect(await shown(await drawn([text("(secret)", `/Ff ${PASSWORD}`)]))).toBe("Sign here ******");
  });

  test("may have its attributes in any ancestor", async () => {
    const parents = {
      40: `<< /T (person) /FT /Tx /Ff ${COMB} /MaxLen 4 /Kids [41 0 R] >>`,
      41: "<< /T (year) /V (1984) /DA (/Helv 12 Tf 0 0 1 rg) /Q 1 /Parent 40 0 R /Kids [20 0 R] >>",
    };
    const bytes = await drawn([{ entries: "/Parent 41 0 R" }], "", parents);
    const cells = [0, 1, 2, 3].map((cell) => [RECT[0] + 50 * cell + 15, RECT[1], RECT[0] + 50 * cell + 35, RECT[3]]);
    for (const cell of cells) expect((await inkIn(bytes, cell))?.pixels ?? 0).toBeGreaterThan(20);
    for (const cell of cells) expect(await inkIn(bytes, [(cell[2] ?? 0) + 5, RECT[1], (cell[2] ?? 0) + 20, RECT[3]])).toBeNull();
    expect(await shown(bytes)).toBe("Sign here 1984");
  });

  test("that only its parent lists has the parent's attributes", async () => {
    const file = onePage({
      page: "/Annots [21 0 R]",
      catalog: "/AcroForm << /Fields [20 0 R] >>",
      more: {
        20: "<< /FT /Tx /T (a) /V (Listed) /Kids [21 0 R] >>",
        21: "<< /Type /Annot /Subtype /Widget /Rect [72 600 272 620] >>",
      },
    });
    expect(await shown(await flat(writePdf(file)))).toBe("Sign here Listed");
  });
});

group("a comb", () => {
  const cells = async (more: string, count: number): Promise<(number | null)[]> => {
    const bytes = await drawn([text("(80427)", `/Ff ${COMB} /MaxLen ${count} ${more}`)]);
    const width = (RECT[2] - RECT[0]) / count;
    const offsets: (number | null)[] = [];
    for (let cell = 0; cell < count; cell++) {
      const left = RECT[0] + cell * width;
      const ink = await inkIn(bytes, [left, RECT[1], left + width, RECT[3]]);
      // Nothing touches the edges of the cell, so nothing is cut off.
      if (ink !== null) expect([ink.left > left, ink.right < left + width]).toEqual([true, true]);
      offsets.push(ink === null ? null : (ink.left + ink.right) / 2 - left - width / 2);
    }
    return offsets;
  };

  test("has each digit whole and in the middle of its cell", async () => {
    for (const offsets of [await cells("", 10), await cells("/DA (/Helv 12 Tf 0 g)", 20), await cells("/DA (/Helv 40 Tf 0 g)", 40)]) {
      expect(offsets.slice(0, 5).every((offset) => offset !== null && Math.abs(offset) < 0.8)).toBe(true);
      expect(offsets.slice(5).every((offset) => offset === null)).toBe(true);
    }
  });

  test("starts in the cell that the quadding says", async () => {
    const used = async (quadding: number) => (await cells(`/Q ${quadding}`, 10)).map((offset) => (offset === null ? "-" : "x")).join("");
    expect([await used(0), await used(1), await used(2)]).toEqual(["xxxxx-----", "--xxxxx---", "-----xxxxx"]);
  });

  test("reads as one word", async () => {
    const bytes = await drawn([text("(80427)", `/Ff ${COMB} /MaxLen 10`)]);
    expect(findAnchors(await openPdf(bytes, createBudget()), [{ anchor_text: "80427" }])[0]).toMatchObject({ found: true, matches: 1 });
  });

  test("in Hebrew runs from right to left, and its numbers from left to right", async () => {
    const bytes = await drawn([text(utf16("רחוב 123"), `/Ff ${COMB} /MaxLen 10`)]);
    const { chars } = await readPdfiumPage(bytes);
    const at = (wanted: string): number => chars.find(({ char }) => char === wanted)?.x ?? Number.NaN;
    const order = ["1", "2", "3", "ב", "ו", "ח", "ר"];
    expect([...order].sort((a, b) => at(a) - at(b))).toEqual(order);
  });

  test("with more characters than cells is drawn as a line, so that none is lost", async () => {
    expect(await shown(await drawn([text("(80427)", `/Ff ${COMB} /MaxLen 3`)]))).toBe("Sign here 80427");
  });
});

group("a choice", () => {
  const options = "/Opt [[(DE) (Germany)] [(PL) (Poland)] (Spain)]";

  test("shows the display value of a combo box", async () => {
    expect(await shown(await drawn([{ entries: `/FT /Ch /Ff ${COMBO} ${options} /V (PL)` }]))).toBe("Sign here Poland");
    expect(await shown(await drawn([{ entries: `/FT /Ch /Ff ${COMBO} ${options} /V (Spain)` }]))).toBe("Sign here Spain");
    expect(await shown(await drawn([{ entries: `/FT /Ch /Ff ${COMBO} ${options} /V (typed in)` }]))).toBe("Sign here typed in");
    expect(await shown(await drawn([{ entries: `/FT /Ch /Ff ${COMBO} ${options} /I [0]` }]))).toBe("Sign here Germany");
    const crossed = "/Opt [[(1) (2)] [(2) (3)]]";
    expect(await shown(await drawn([{ entries: `/FT /Ch /Ff ${COMBO} ${crossed} /V (2)` }]))).toBe("Sign here 3");
  });

  test("marks the selected lines of a list", async () => {
    const rect = [72, 600, 172, 660] as const;
    const bytes = await drawn([{ entries: `/FT /Ch ${options} /V [(DE) (Spain)]`, rect }]);
    expect(await shown(bytes)).toBe("Sign here Germany Poland Spain");
    const pixels = await pixelsOf(bytes);
    const at = (line: number) => colorAt(pixels, 165, 792 - 660 + Math.round((line + 0.5) * 14.4));
    expect([at(0), at(1), at(2)]).toEqual([at(0), [255, 255, 255], at(0)]);
    expect(at(0)).not.toEqual([255, 255, 255]);
  });

  test("shows a selected line that would be out of sight", async () => {
    const many = Array.from({ length: 50 }, (_, index) => `(Option ${index})`).join(" ");
    const rect = [72, 600, 172, 650] as const;
    expect(await shown(await drawn([{ entries: `/FT /Ch /Opt [${many}] /V (Option 40)`, rect }]))).toContain("Option 40");
    expect(await shown(await drawn([{ entries: `/FT /Ch /Opt [${many}] /V [(Option 3) (Option 40)]`, rect }]))).toBe(
      "Sign here Option 3 Option 40",
    );
  });
});

group("a button", () => {
  const rect = [72, 600, 92, 620] as const;
  const ink = async (entries: string): Promise<number> =>
    (await inkIn(await drawn([{ entries: `/FT /Btn ${entries}`, rect }]), rect))?.pixels ?? 0;

  test("that is on shows the symbol that MK names", async () => {
    const areas = new Set<number>();
    for (const symbol of ["4", "l", "8", "u", "n", "H"]) areas.add(await ink(`/AS /Yes /MK << /CA (${symbol}) >>`));
    expect(areas.size).toBe(6);
    expect(Math.min(...areas)).toBeGreaterThan(200);
  });

  test("is on by its state or, without one, by its value", async () => {
    expect(await ink("/AS /Yes /V /Off")).toBeGreaterThan(0);
    expect(await ink("/V /Yes")).toBeGreaterThan(0);
    expect(await ink("/V (Yes)")).toBeGreaterThan(0);
    for (const off of ["", "/AS /Off /V /Yes", "/V /Off"]) expect(await ink(off)).toBe(0);
  });

  test("with appearances for its states, but no state, shows the state of its value", async () => {
    const states = "/AP << /N << /On 50 0 R /Off 51 0 R >> >>";
    const more = { 50: drawnAs("checked"), 51: drawnAs("not so") };
    expect(await shown(await drawn([{ entries: `/FT /Btn /V /On ${states}` }], "", more))).toBe("Sign here checked");
    expect(await shown(await drawn([{ entries: `/FT /Btn /V /On /AS /Off ${states}` }], "", more))).toBe("Sign here not so");
  });

  test("whose state has no appearance is shown as on or off, and never vanishes", async () => {
    const states = "/AP << /N << /Yes 50 0 R /Off 51 0 R >> >>";
    const more = { 50: drawnAs("checked"), 51: drawnAs("not so") };
    const look = async (entries: string): Promise<string> => shown(await drawn([{ entries: `/FT /Btn ${entries} ${states}` }], "", more));
    expect([await look(""), await look("/V /Off"), await look("/AS /None /V /Yes")]).toEqual([
      "Sign here not so",
      "Sign here not so",
      "Sign here checked",
    ]);
    expect([await look("/V /On /AS /On"), await look("/V /On")]).toEqual(["Sign here checked", "Sign here checked"]);
  });

  test("of a radio group that another button was chosen in keeps its picture of off", async () => {
    const states = (name: string): string => `/AP << /N << /${name} 50 0 R /Off 51 0 R >> >>`;
    const more = { 50: drawnAs("chosen"), 51: drawnAs("open"), 60: `<< /FT /Btn /Ff ${RADIO} /T (g) /V /1 >>` };
    const fields = ["1", "2"].map((name) => ({ entries: `/Parent 60 0 R ${states(name)}` }));
    expect(await shown(await drawn(fields, "", more))).toMatch(/chosen.*open/);
  });

  test("of a radio group is round", async () => {
    const bytes = await drawn([{ entries: `/FT /Btn /Ff ${RADIO} /AS /1 /MK << /BC [0 0 0] /BG [1 0 0] >>`, rect }]);
    const pixels = await pixelsOf(bytes);
    expect([colorAt(pixels, 73, 792 - 619), colorAt(pixels, 82, 792 - 610)]).toEqual([
      [255, 255, 255],
      [0, 0, 0],
    ]);
  });

  test("to press is never refused for its caption", async () => {
    const button = (caption: string, rect: FormField["rect"]): FormField => ({
      entries: `/FT /Btn /Ff ${PUSH} /MK << /CA ${caption} /BG [0.8] >>`,
      ...(rect !== undefined && { rect }),
    });
    const long = "Click this very long caption to submit the whole form now";
    expect(await shown(await drawn([button(`(${long})`, [72, 600, 132, 615])]))).toBe(`Sign here ${long}`);
    const symbol = await drawn([button(utf16("\uf0b7 Next"), [72, 600, 172, 620])]);
    expect(await shown(symbol)).toContain("Next");
  });

  test.each([
    [2, [0, -1]],
    [3, [0, 1]],
    [4, [1, 0]],
    [5, [-1, 0]],
    [6, [0, 0]],
  ])("to press shows an icon and a caption in layout %i", async (layout, side) => {
    const rect = [100, 500, 200, 560] as const;
    const more = { 50: stream("/Type /XObject /Subtype /Form /BBox [0 0 30 30]", "1 0 0 rg 0 0 30 30 re f") };
    const entries = `/FT /Btn /Ff ${PUSH} /MK << /CA (mmm) /TP ${layout} /I 50 0 R >> /DA (/Helv 8 Tf 0 g)`;
    const bytes = await drawn([{ entries, rect }], "", more);
    expect(await shown(bytes)).toBe("Sign here mmm");
    const caption = (await readPdfiumPage(bytes)).chars.find(({ char }) => char === "m");
    const pixels = await pixelsOf(bytes, 0, 1);
    const red: [number, number][] = [];
    for (let y = 500; y < 560; y++) for (let x = 100; x < 200; x++) if (colorAt(pixels, x, 791 - y).join() === "255,0,0") red.push([x, y]);
    const middle = (axis: 0 | 1): number => red.reduce((sum, point) => sum + point[axis], 0) / red.length;
    expect(red.length).toBeGreaterThan(500);
    if (side[0] !== 0) expect(Math.sign((caption?.x ?? 0) - middle(0))).toBe(side[0]);
    if (side[1] !== 0) expect(Math.sign((caption?.y ?? 0) - middle(1))).toBe(side[1]);
  });

  test("to press shows its caption", async () => {
    expect(await shown(await drawn([{ entries: `/FT /Btn /Ff ${PUSH} /MK << /CA (Print) >>` }]))).toBe("Sign here Print");
  });
});

group("the look", () => {
  test("has background and border of the stated style", async () => {
    const rect = [72, 600, 172, 640] as const;
    const colors = async (style: string) => {
      const bytes = await drawn([{ entries: `/FT /Tx /MK << /BG [1 1 0] /BC [0 0 1] >> /BS << /W 4 /S /${style} /D [200] >>`, rect }]);
      const pixels = await pixelsOf(bytes);
      return [
        colorAt(pixels, 73, 792 - 620),
        colorAt(pixels, 120, 792 - 601),
        colorAt(pixels, 120, 792 - 620),
        colorAt(pixels, 77, 792 - 620),
      ];
    };
    const [blue, yellow] = [
      [0, 0, 255],
      [255, 255, 0],
    ];
    expect(await colors("S")).toEqual([blue, blue, yellow, yellow]);
    expect(await colors("U")).toEqual([yellow, blue, yellow, yellow]);
    expect((await colors("B")).slice(0, 3)).toEqual([blue, blue, yellow]);
    expect((await colors("B"))[3]).toEqual([255, 255, 255]);
    expect((await colors("I"))[3]).toEqual([128, 128, 128]);
    expect((await colors("D"))[2]).toEqual(yellow);
  });

  test("is turned as MK says", async () => {
    const steps: string[] = [];
    for (const turn of [0, 90, 180, 270]) {
      const bytes = await drawn([{ entries: `/FT /Tx /V (AB) /DA (/Helv 12 Tf 0 g) /MK << /R ${turn} >>`, rect: [72, 600, 132, 660] }]);
      const [a, b] = (await readPdfiumPage(bytes)).chars.filter(({ char }) => char === "A" || char === "B");
      const [dx, dy] = [Math.sign(Math.round((b?.x ?? 0) - (a?.x ?? 0))), Math.sign(Math.round((b?.y ?? 0) - (a?.y ?? 0)))];
      steps.push(`${dx} ${dy}`);
    }
    expect(steps).toEqual(["1 0", "0 1", "-1 0", "0 -1"]);
  });

  test("never covers what is drawn later", async () => {
    const { jobs } = await import("../jobs.ts");
    const { AREA, changes, written } = await import("../../fixtures/marks.ts");
    const whole = { entries: `/FT /Tx /V ${utf16("€")} /MK << /BG [1 1 1] >>`, rect: [0, 0, 612, 792] as const };
    const { bytes } = await jobs.ingest(formWith([whole], "/NeedAppearances true"), { tags: "template" }, () => undefined);
    const stamped = await jobs.finish(bytes.slice(), { marks: [written("A value that shows")] }, () => undefined);
    expect((await changes(bytes, stamped.bytes, [AREA])).inside).toBeGreaterThan(100);
  });
});

group("which fields are drawn", () => {
  const stale = { 50: drawnAs("outdated") };
  const ap = "/AP << /N 50 0 R >>";

  test("outdated text and choices, if the form says so", async () => {
    const fields = [text(utf16("new €"), ap), { entries: `/FT /Ch /Ff ${COMBO} /V (chosen) ${ap}` }, { entries: `/FT /Tx ${ap}` }];
    expect(await shown(await drawn(fields, "/NeedAppearances true", stale))).toBe("Sign here new € chosen");
  });

  test("an appearance that the form does not call outdated is kept, as viewers show it", async () => {
    expect(await shown(await drawn([text("(new)", ap)], "", stale))).toBe("Sign here outdated");
    expect(await shown(await drawn([text("(new)", ap)], "/NeedAppearances false", stale))).toBe("Sign here outdated");
  });

  test("buttons keep their appearance in any case", async () => {
    const button = { entries: "/FT /Btn /AS /On /AP << /N << /On 50 0 R >> >>" };
    expect(await shown(await drawn([button], "/NeedAppearances true", stale))).toBe("Sign here outdated");
  });

  test("read-only, calculated and required fields too, but no hidden ones", async () => {
    const calculated = text("(42)", "/Ff 3 /AA << /C << /S /JavaScript /JS (x) >> >>");
    expect(await shown(await drawn([calculated], "/CO [20 0 R]"))).toBe("Sign here 42");
    for (const flag of [2, 32]) {
      const hidden = formWith([text(utf16("secret ก"))]);
      const bytes = Buffer.from(Buffer.from(hidden).toString("latin1").replace("/F 4", `/F ${flag}`.padEnd(4)), "latin1");
      expect(await shown(await flat(new Uint8Array(bytes)))).toBe("Sign here");
    }
  });

  test("a signature stays as it is drawn, and an empty signature field shows nothing", async () => {
    const signed = { entries: `/FT /Sig /V << /Type /Sig /Contents <00> >> ${ap}` };
    const result = await clean(formWith([signed, { entries: "/FT /Sig" }, text(utf16("€ 7"))], "/SigFlags 3", stale));
    expect(result.warnings).toEqual(["signatures_removed_by_cleaning"]);
    expect(await shown(result.bytes)).toBe("Sign here outdated € 7");
  });

  test("a field that two pages list is on both", async () => {
    const file = {
      ...pages(2),
      1: "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [20 0 R] >> >>",
      12: page(1, "/Annots [20 0 R]"),
      14: page(2, "/Annots [20 0 R]"),
      20: `<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V ${utf16("€ 1")} /Rect [72 600 172 620] >>`,
    };
    const bytes = await flat(writePdf(file));
    const texts = [(await readPdfiumPage(bytes, 0)).text, (await readPdfiumPage(bytes, 1)).text];
    expect(texts.map((each) => each.includes("€ 1"))).toEqual([true, true]);
  });
});

group("what cannot be drawn is refused", () => {
  test("with the full name of the field, its page and the reason", async () => {
    const parents = { 40: `<< /T ${utf16("Käufer")} /Kids [20 0 R] >>` };
    expect(await refusal(formWith([{ entries: `/FT /Tx /T (name) /V ${utf16("ok \u{10FFFD}")} /Parent 40 0 R` }], "", parents))).toEqual([
      { kind: "field", name: "Käufer.name", page: 1, reason: "there is no font for the character U+10FFFD" },
    ]);
  });

  test("all of it at once", async () => {
    const fields = [text(utf16("\u{10FFFD}")), text("(fine)"), { entries: `/FT /Ch /Ff ${COMBO} /V ${utf16("\u{F0000}")}` }];
    expect((await refusal(formWith(fields))).map(({ name }) => name)).toEqual(["field1", "field3"]);
  });

  test("a text that does not fit even if it is small", async () => {
    const long = text(`(${"many words ".repeat(300)})`);
    expect(await refusal(formWith([long]))).toMatchObject([{ name: "field1", reason: "the text does not fit" }]);
    expect(await refusal(formWith([{ ...long, entries: `${long.entries} /Ff ${MULTILINE}` }]))).toMatchObject([
      { reason: "the text does not fit" },
    ]);
  });

  test("a radio group whose selected button is unknown", async () => {
    const buttons = { 40: `<< /T (group) /FT /Btn /Ff ${RADIO} /V /2 /Kids [20 0 R 21 0 R] >>` };
    const kids = [{ entries: "/T () /Parent 40 0 R" }, { entries: "/T () /Parent 40 0 R" }];
    expect(await refusal(formWith(kids, "", buttons))).toMatchObject([{ reason: "the file does not say which button is selected" }, {}]);
  });

  test("but not if it is not shown", async () => {
    const away = { ...text(utf16("\u{10FFFD}")), rect: [700, 900, 800, 920] as const };
    expect(await shown(await flat(formWith([away])))).toBe("Sign here");
  });
});

test("any text is drawn or refused with the name of its field, and never blank", async () => {
  const VISIBLE = /[^\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string({ unit: "binary", maxLength: 12 }), fc.string({ unit: "grapheme", maxLength: 12 })),
      fc.constantFrom(0, MULTILINE, COMB),
      async (value, flags) => {
        const file = formWith([text(utf16(value), `/Ff ${flags} /MaxLen 30`)]);
        const result = await flat(file).catch((error: unknown) => error);
        if (result instanceof NotDrawable) {
          expect(result.details).toMatchObject([{ kind: "field", name: "field1", page: 1 }]);
          return;
        }
        if (!(result instanceof Uint8Array)) throw result;
        if (VISIBLE.test(value)) expect((await inkIn(result, RECT))?.pixels ?? 0).toBeGreaterThan(0);
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);

test("absurd numbers and shapes in a form are survived", async () => {
  const absurd = [
    "/FT /Tx /V (a) /BS << /W 1e308 /S /D /D [0 0 -1] >> /MK << /BC [9 9 9] /BG [-1] /R 1e9 >>",
    "/FT /Tx /V (a) /MaxLen 999999999 /Ff 16777216",
    "/FT /Tx /V (a) /Q 77 /DA (/Helv 99999999999999999999 Tf 1 2 3 4 5 k ]] >> \\( )",
    "/FT /Tx /V (a) /DA (/Helv -12 Tf)",
    "/FT /Tx /V [1 2 3] /MK 7 /BS [1] /Border [0 0 -5 [-1]]",
    "/FT /Tx /V (a) /Parent 20 0 R /Kids [20 0 R]",
    "/FT /Ch /Opt 5 /V << >> /I (x) /TI -1e9",
    "/FT /Ch /Opt [[] [[]] 5 (a)] /V [(a) 5 []] /TI 1e300",
    "/FT /Btn /AS 5 /V [] /MK << /CA 5 /I 5 /TP 3 >>",
    "/FT /Foo /V (a)",
  ];
  for (const entries of absurd) await drawn([{ entries }]);
  for (const rect of [
    [0, 0, 0, 0],
    [72, 600, 72, 700],
    [-1e30, -1e30, 1e30, 1e30],
    [72, 600, 72.001, 600.001],
    [300, 700, 200, 600],
  ]) {
    await drawn([{ entries: "/FT /Tx /V (a)", rect: rect as unknown as typeof RECT }]).catch((error: unknown) =>
      expect(error).toBeInstanceOf(NotDrawable),
    );
  }
});
