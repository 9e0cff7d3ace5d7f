// Checked with PDFium: the text it reads, its position, and the changed pixels.

import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { makeOrg, NOW } from "../fixtures/certificates.ts";
import { AREA, changes, DRAWN, fonts, open, SIGNING, stampedOnto, written } from "../fixtures/marks.ts";
import { onePage, page, pages, text } from "../fixtures/pages.ts";
import { readPdfiumPage } from "../fixtures/pdfium-chars.ts";
import { colorAt, pixelsOf } from "../fixtures/pixels.ts";
import { makePng } from "../fixtures/png.ts";
import { sealedBy } from "../fixtures/sealed.ts";
import { stream, writePdf } from "../fixtures/writer.ts";
import type { Area } from "./area.ts";
import { save } from "./doc.ts";
import { StampFault, UnreadablePdf } from "./errors.ts";
import { findAnchors } from "./find-text.ts";
import type { SignatureValue } from "./stamp/draw-signature.ts";
import { type Mark, stamp } from "./stamp.ts";
import { verifySeals } from "./verify-seal.ts";

const plain = (): Uint8Array => writePdf(onePage());
const blank = (): Uint8Array => writePdf(onePage({ content: "" }));
const readBy = async (bytes: Uint8Array, index = 0): Promise<string> => (await readPdfiumPage(bytes, index)).text.replaceAll("\r\n", "\n");
const signed = (value: SignatureValue, area: Area = AREA): Extract<Mark, { time: Date }> => ({
  kind: "mark",
  field: "Signature",
  signer: "sig_1",
  areas: [area],
  value,
  ...SIGNING,
});

describe("every kind", () => {
  test.each(["Ann Example", "12.50", "2026-03-01", "Second choice"])("text is drawn as it was stored: %s", async (value) => {
    const mark: Mark = { kind: "text", field: "Field", signer: "sig_1", areas: [AREA], value };
    const { bytes, stamped, warnings } = await stampedOnto(blank(), [mark]);
    expect(await readBy(bytes)).toBe(value);
    expect(stamped).toEqual([
      { field: "Field", signer: "sig_1", kind: "text", name: null, time: null, page: 1, box: { x: 0.2, y: 0.3, w: 0.4, h: 0.06 } },
    ]);
    expect(warnings).toEqual([]);
    expect(await changes(blank(), bytes, [AREA])).toMatchObject({ outside: 0, inside: expect.toSatisfy((n: number) => n > 100) });
  });

  test("a checked box is drawn in each of its areas; an unchecked box and an empty value are not drawn", async () => {
    const box = { page: 1, x: 0.5, y: 0.5, w: 0.03, h: 0.02 };
    const ticked = await stampedOnto(blank(), [{ kind: "cross", field: "Yes", signer: "sig_1", areas: [AREA, box], value: true }]);
    expect(ticked.stamped).toHaveLength(2);
    for (const area of [AREA, box]) expect((await changes(blank(), ticked.bytes, [area])).inside).toBeGreaterThan(20);
    const marks: Mark[] = [{ kind: "cross", field: "Yes", signer: "sig_1", areas: [AREA], value: false }, written("  \n")];
    const nothing = await stampedOnto(blank(), marks);
    expect(nothing.stamped).toEqual([]);
    expect(await changes(blank(), nothing.bytes, [])).toEqual({ inside: 0, outside: 0 });
  });

  test("a radio button fills the area of the selected option, or writes the option if there is a single area", async () => {
    const other = { ...AREA, y: 0.6 };
    const radio = { kind: "disc", field: "Pay", signer: "sig_1", options: ["now", "later"] } as const;
    const filled = await stampedOnto(blank(), [{ ...radio, areas: [AREA, other], value: "later" }]);
    expect(filled.stamped).toMatchObject([{ box: { y: 0.6 } }]);
    expect(await changes(blank(), filled.bytes, [other])).toMatchObject({ outside: 0, inside: expect.toSatisfy((n: number) => n > 100) });
    const writtenOut = await stampedOnto(blank(), [{ ...radio, areas: [AREA], value: "later" }]);
    expect(await readBy(writtenOut.bytes)).toBe("later");
    expect((await stampedOnto(blank(), [{ ...radio, areas: [AREA], value: null }])).stamped).toEqual([]);
    await expect(stampedOnto(blank(), [{ ...radio, areas: [AREA], value: "never" }])).rejects.toThrow("not one of its options");
  });

  test.each(["dancing-script", "caveat", "great-vibes", "plain"] as const)(
    "a name typed in %s is extracted as the name, with its caption",
    async (font) => {
      const { bytes, stamped } = await stampedOnto(plain(), [signed({ kind: "typed", text: "Ann Example", font })]);
      expect(await readBy(bytes)).toBe("Sign here\nAnn Example\nAnn Example · 2026-03-01 09:30:00 UTC · env_1");
      expect(stamped).toMatchObject([{ kind: "mark", name: "Ann Example", time: SIGNING.time, page: 1 }]);
      expect(await changes(plain(), bytes, [AREA])).toMatchObject({ outside: 0 });
    },
  );

  test("a drawn signature is only in its area, at the bottom left and in proportion", async () => {
    const area = { ...AREA, h: 0.02 };
    const { bytes } = await stampedOnto(plain(), [signed(DRAWN, area)]);
    const { inside, outside } = await changes(plain(), bytes, [area]);
    expect(outside).toBe(0);
    expect(inside).toBeGreaterThan(100);
    const [left, right] = [
      { ...area, w: 0.12 },
      { ...area, x: area.x + 0.15, w: area.w - 0.15 },
    ];
    expect((await changes(plain(), bytes, [left])).inside).toBe(inside);
    expect((await changes(plain(), bytes, [right])).inside).toBe(0);
  });

  test("initials of a single dot stay a dot", async () => {
    const { bytes } = await stampedOnto(blank(), [signed({ ...DRAWN, strokes: [[[300, 100, 0]]] }, { ...AREA, h: 0.02 })]);
    const { inside } = await changes(blank(), bytes, [AREA]);
    expect(inside).toBeGreaterThan(1);
    expect(inside).toBeLessThan(40);
  });

  test("initials in many areas of one size are stored once", async () => {
    const areas = Array.from({ length: 40 }, (_, i) => ({ ...AREA, page: i + 1, h: 0.02 }));
    const one = await stampedOnto(writePdf(pages(40)), [{ ...signed(DRAWN), areas: areas.slice(0, 1) }]);
    const all = await stampedOnto(writePdf(pages(40)), [{ ...signed(DRAWN), areas }]);
    expect(all.stamped).toHaveLength(40);
    expect((all.bytes.length - one.bytes.length) / 39).toBeLessThan(700);
    for (const index of [1, 40]) expect((await changes(writePdf(pages(40)), all.bytes, [AREA], index)).inside).toBeGreaterThan(100);
  });

  test("a signature without ink or letters, with more than 4,000 points, or with an invalid point is rejected", async () => {
    await expect(stampedOnto(blank(), [signed({ ...DRAWN, strokes: [[]] })])).rejects.toThrow("no ink");
    await expect(stampedOnto(blank(), [signed({ kind: "typed", text: " ", font: "caveat" })])).rejects.toThrow("no letter");
    const long = [Array.from({ length: 4_001 }, (_, i) => [i, i, i])];
    await expect(stampedOnto(blank(), [signed({ ...DRAWN, strokes: long })])).rejects.toThrow("4000 points");
    await expect(stampedOnto(blank(), [signed({ ...DRAWN, strokes: [[[1, Number.NaN, 0]]] })])).rejects.toThrow("without a place");
  });

  test("the page shows through a transparent image", async () => {
    const picture = makePng({ width: 40, height: 20, depth: 8, color: 6, pixel: (x) => [200, 0, 0, x < 20 ? 0 : 255] });
    const yellow = writePdf(onePage({ content: "1 1 0 rg 0 0 612 792 re f" }));
    const area = { page: 1, x: 0.25, y: 0.25, w: 0.5, h: 0.02 };
    const { bytes } = await stampedOnto(yellow, [signed({ kind: "uploaded", png: picture }, area)]);
    const shown = await pixelsOf(bytes, 0, 2);
    // 15.84 points high minus the padding: 25.3 by 12.7 points, starting at (154.6, 200.3).
    expect(colorAt(shown, 2 * 158, 2 * 206)).toEqual([255, 255, 0]);
    expect(colorAt(shown, 2 * 175, 2 * 206)).toEqual([200, 0, 0]);
    expect(await changes(yellow, bytes, [area])).toMatchObject({ outside: 0 });
    const refused = stampedOnto(blank(), [signed({ kind: "uploaded", png: Buffer.from("GIF89a") })]);
    await expect(refused).rejects.toBeInstanceOf(UnreadablePdf);
  });

  test("below 20 points there is no caption, and a caption that is too long is cut off", async () => {
    const low = await stampedOnto(blank(), [signed({ kind: "typed", text: "Ann", font: "plain" }, { ...AREA, h: 19.9 / 792 })]);
    expect(await readBy(low.bytes)).toBe("Ann");
    const narrow = { ...AREA, w: 0.1, h: 21 / 792 };
    const cut = await stampedOnto(blank(), [signed({ kind: "typed", text: "Ann", font: "plain" }, narrow)]);
    expect(await readBy(cut.bytes)).toContain("Ann Example · 2026-03-01 09:30:00 UTC · env_1");
    expect(await changes(blank(), cut.bytes, [narrow])).toMatchObject({ outside: 0 });
  });
});

describe("the place", () => {
  const odd = (rotate: number, user_unit: number): Uint8Array =>
    writePdf(
      onePage({ content: "", mediaBox: "[0 0 900 900]", page: `/CropBox [100 200 500 700] /Rotate ${rotate} /UserUnit ${user_unit}` }),
    );

  test.each([0, 90, 180, 270].flatMap((rotate) => [1, 2].map((unit) => [rotate, unit] as const)))(
    "is the same on a page rotated by %i degrees with a unit of %i points",
    async (rotate, unit) => {
      const { bytes } = await stampedOnto(odd(rotate, unit), [written("Upright")]);
      const { chars, shown, text: said } = await readPdfiumPage(bytes);
      expect(said).toBe("Upright");
      const w_pt = (rotate % 180 === 0 ? 400 : 500) * unit;
      const first = chars[0];
      if (first === undefined) throw new Error("nothing was read");
      // At the start, with two points of padding, and upright: the letter's box extends 8.8 points to the right of its origin and above
      // it.
      const [x, y] = shown(first.x, first.y);
      expect(x * w_pt).toBeCloseTo(AREA.x * w_pt + 2, 0);
      expect(y).toBeGreaterThan(AREA.y + AREA.h / 2);
      expect(y).toBeLessThan(AREA.y + AREA.h);
      const corners = [shown(first.left, first.bottom), shown(first.right, first.top)];
      expect(Math.max(...corners.map(([across]) => across)) * w_pt).toBeCloseTo(x * w_pt + 8.77, 1);
      expect(Math.min(...corners.map(([across]) => across)) * w_pt).toBeCloseTo(x * w_pt, 1);
      expect(Math.min(...corners.map(([, down]) => down))).toBeLessThan(y - 0.003);
      expect(Math.max(...corners.map(([, down]) => down))).toBeLessThan(AREA.y + AREA.h);
      expect(await changes(odd(rotate, unit), bytes, [AREA])).toMatchObject({
        outside: 0,
        inside: expect.toSatisfy((n: number) => n > 50),
      });
    },
  );

  test.each([
    ["leaves two q open after a scaling", `2 0 0 2 50 50 cm q 0.5 0 0 0.5 9 9 cm q ${text("Body", 10, 10)}`],
    ["ends with two Q too many", `${text("Body")} Q Q`],
  ])("does not move on a page whose content %s", async (_, content) => {
    const upload = writePdf(onePage({ content }));
    const { bytes } = await stampedOnto(upload, [written("Here")]);
    expect(await readBy(bytes)).toContain("Here");
    expect(await changes(upload, bytes, [AREA])).toMatchObject({ outside: 0, inside: expect.toSatisfy((n: number) => n > 50) });
  });

  test("is on the right page, although pages share their resources, and existing names are kept", async () => {
    const shared = "/Resources 9 0 R";
    const objects = {
      ...pages(2),
      9: "<< /Font << /F1 3 0 R /Stamp1 3 0 R /Stamp0 3 0 R >> >>",
      12: page(1).replace(/\/Resources << .* >> >> {2}>>$/, `${shared} >>`),
      14: page(2).replace(/\/Resources << .* >> >> {2}>>$/, `${shared} >>`),
      13: stream("", text("First").replace("/F1", "/Stamp0")),
      15: stream("", text("Second").replace("/F1", "/Stamp1")),
    };
    const upload = writePdf(objects);
    const { bytes } = await stampedOnto(upload, [written("Ωmega", { ...AREA, page: 2 })]);
    expect([await readBy(bytes, 0), await readBy(bytes, 1)]).toEqual(["First", "Second\nΩmega"]);
    expect(await changes(upload, bytes, [], 1)).toEqual({ inside: 0, outside: 0 });
    expect(await changes(upload, bytes, [AREA], 2)).toMatchObject({ outside: 0 });
  });

  test("may be stamped again, and both values stay", async () => {
    const once = await stampedOnto(plain(), [written("Once")]);
    const twice = await stampedOnto(once.bytes, [written("Twice", { ...AREA, y: 0.6 })]);
    expect(await readBy(twice.bytes)).toBe("Sign here\nOnce\nTwice");
    const doc = await open(plain());
    await stamp(doc, [written("One")], fonts);
    await stamp(doc, [written("Two", { ...AREA, y: 0.6 })], fonts);
    expect(await readBy(await save(doc))).toBe("Sign here\nOne\nTwo");
  });

  test("on a missing page is the caller's error", async () => {
    await expect(stampedOnto(plain(), [written("Ann", { ...AREA, page: 2 })])).rejects.toThrow(new RangeError("no page 2"));
    await expect(stampedOnto(plain(), [written("Ann", { ...AREA, x: 1.2 })])).rejects.toBeInstanceOf(StampFault);
  });
});

describe("a value that does not fit", () => {
  test("is rejected with its field's name before anything is drawn", async () => {
    const doc = await open(plain());
    const long = { ...written("far too long ".repeat(30)), field: "Address", areas: [{ ...AREA, h: 0.02 }] } as Mark;
    const refusal = await stamp(doc, [written("Ann"), long], fonts).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StampFault);
    expect(refusal).toMatchObject({ fault: "does_not_fit", field: "Address" });
    expect(await readBy(await save(doc))).toBe("Sign here");
  });
});

describe("scripts", () => {
  test.each([
    ["Greek", "Ελληνικά"],
    ["Cyrillic", "Русский текст"],
    ["Hebrew", "שלום עולם (אבג) 123 abc"],
    ["Hebrew within English", "ABC (12) שלום def"],
    ["Hebrew with brackets of every kind", "[אבג] {דה} «וז» <חט>, שָׁלוֹם (בֵּן)"],
    ["Arabic", "السلام عليكم ورحمة الله 123"],
    ["Arabic with brackets", "محمد (جدة)، «نعم»"],
    ["Persian", "پژوهشگاه گچساران"],
    ["Hebrew with vowel marks", "שָׁלוֹם דָּוִד"],
    ["Arabic with vowel marks", "كَتَبَ مُحَمَّدٌ لِلَّهِ"],
  ])("%s is read by PDFium as typed", async (_, value) => {
    const { bytes, warnings } = await stampedOnto(blank(), [written(value)]);
    // The order of several marks on one letter has no meaning.
    expect((await readBy(bytes)).normalize("NFC")).toBe(value.normalize("NFC"));
    expect(warnings).toEqual([]);
  });

  test.each([
    "Ann Example",
    "Русский",
    "שלום",
    "דוד (תל אביב)",
    "محمد",
    "محمد (جدة)",
    "张伟",
    "渡邉 さくら",
    "김철수",
    "สมชาย น้ำทิพย์",
    "हिन्दी क्षत्रिय",
    "שָׁלוֹם דָּוִד",
    "كَتَبَ مُحَمَّد",
  ])("%s is found by our own search, in its area", async (value) => {
    const { bytes } = await stampedOnto(blank(), [written(value)]);
    const [found] = findAnchors(await open(bytes), [{ anchor_text: value }]);
    expect(found).toMatchObject({ found: true, page: 1, matches: 1 });
    if (found?.found !== true) return;
    expect(found.match.x).toBeGreaterThan(AREA.x);
    expect(found.match.x + found.match.w).toBeLessThan(AREA.x + AREA.w);
    expect(found.match.y).toBeGreaterThan(AREA.y);
    // Aligned to the start: Hebrew and Arabic begin at the right.
    if (/[\u0590-\u06ff]/.test(value)) expect(found.match.x + found.match.w).toBeCloseTo(AREA.x + AREA.w - 2 / 612, 2);
    else expect(found.match.x).toBeCloseTo(AREA.x + 2 / 612, 2);
  });

  test("a character without a font is drawn as U+FFFD but extracted as itself, and the warning names it", async () => {
    const { bytes, warnings } = await stampedOnto(blank(), [written("ব Ann")]);
    expect(await readBy(bytes)).toBe("ব Ann");
    expect(warnings.filter(({ code }) => code === "font_missing")).toEqual([
      {
        code: "font_missing",
        field: "Note",
        characters: ["ব"],
        message: "Characters of Note are drawn as \ufffd, because no font has them: ব",
      },
    ]);
  });

  test("a script that we do not shape is drawn with a warning", async () => {
    const { warnings } = await stampedOnto(blank(), [written("ښه")]);
    expect(warnings).toMatchObject([{ code: "script_not_shaped", field: "Note" }]);
  });

  test("a caption keeps the date of a right-to-left name in order, on a line of its own", async () => {
    const { bytes } = await stampedOnto(blank(), [{ ...signed({ kind: "typed", text: "Ann", font: "caveat" }), name: "שרה כהן" }]);
    const text = await readBy(bytes);
    expect(text).toContain("שרה כהן");
    expect(text).toContain("2026-03-01 09:30:00 UTC · ");
  });

  test("a typed name that the chosen font cannot draw is plain throughout", async () => {
    const { bytes } = await stampedOnto(blank(), [signed({ kind: "typed", text: "Ann Ζωή", font: "great-vibes" })]);
    const file = Buffer.from(bytes).toString("latin1");
    expect(file).toContain("+NotoSans-Regular");
    expect(file).not.toContain("GreatVibes");
  });
});

test("a font is embedded once, with the glyphs in use, and only if it is used", async () => {
  const areas = [1, 2, 3].map((number) => ({ ...AREA, page: number }));
  const upload = writePdf(pages(3));
  const { bytes } = await stampedOnto(upload, [{ ...written("Ann Example"), areas } as Mark]);
  const file = Buffer.from(bytes).toString("latin1");
  expect(file.match(/\/FontFile2 /g)).toHaveLength(1);
  expect(file).not.toMatch(/Hebrew|Arabic|Caveat|GreatVibes|DancingScript/);
  expect(bytes.length - upload.length).toBeLessThan(12_000);
});

test("one signature in many places is stored once", async () => {
  const png = makePng({ width: 60, height: 20, color: 6, depth: 8, pixel: () => [...randomBytes(4)] });
  const value = { kind: "uploaded", png } as const;
  const at = (index: number) => ({ ...AREA, x: 0.01 * index });
  const once = await stampedOnto(blank(), [signed(value, at(0))]);
  const often = await stampedOnto(
    blank(),
    Array.from({ length: 30 }, (_, index) => signed(value, at(index))),
  );
  expect(often.stamped).toHaveLength(30);
  expect(
    Buffer.from(often.bytes)
      .toString("latin1")
      .match(/\/SMask \d+ 0 R/g),
  ).toHaveLength(1);
  expect(often.bytes.length - once.bytes.length).toBeLessThan(png.length * 10);
});

test("stamping five of 300 pages leaves the other pages unchanged", async () => {
  const upload = writePdf(pages(300));
  const numbers = [1, 60, 120, 180, 300];
  const { bytes, stamped } = await stampedOnto(
    upload,
    numbers.map((number) => written(`Value ${number}`, { ...AREA, page: number })),
  );
  expect(stamped.map((entry) => entry.page)).toEqual(numbers);
  for (const number of numbers) expect(await readBy(bytes, number - 1)).toBe(`Page ${number}\nValue ${number}`);
  expect(await readBy(bytes, 1)).toBe("Page 2");
  expect((await open(bytes)).pages).toHaveLength(300);
});

test("a stamped document can be sealed, and the seal verifies", async () => {
  const org = await makeOrg();
  const { bytes } = await stampedOnto(plain(), [
    written("Ann"),
    signed({ kind: "typed", text: "Ann", font: "caveat" }, { ...AREA, y: 0.6 }),
  ]);
  const sealed = await sealedBy(org, bytes);
  expect(await verifySeals(sealed, { roots: [org.root.certificate], at: NOW })).toMatchObject([
    { intact: true, trusted: true, covers_whole_file: true },
  ]);
  expect(await readBy(sealed)).toContain("Ann Example · 2026-03-01 09:30:00 UTC · env_1");
});
