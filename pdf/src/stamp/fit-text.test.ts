import { LINE_EM, PADDING_PT } from "@countersign/fields/fit";
import { describe, expect, test } from "vitest";
import fc from "../../../testing/properties.ts";
import { fitText, layOut, lineWidth, textBox } from "./fit-text.ts";
import { openFonts } from "./fonts.ts";
import { inVisualOrder, shape } from "./shape.ts";

const fonts = openFonts();
const fit = (value: string, w_pt: number, h_pt: number) => fitText(value, { w_pt, h_pt }, fonts);

describe("the size", () => {
  test("is 12 points if there is space, and 0.8 of the height of a low area", () => {
    expect(fit("Ann Example", 150, 20)).toEqual({ size_pt: 12, lines: ["Ann Example"] });
    expect(fit("Ann", 150, 14)?.size_pt).toBeCloseTo(11.2);
  });

  test("decreases by half points until the value fits, but not below 6", () => {
    const value = "ten mmmmmm";
    const em = lineWidth(layOut(value, { w_pt: 999, h_pt: 20 }, fonts)?.lines[0] ?? { letters: [], rightToLeft: false });
    const wide = (size: number): number => em * size + 2 * PADDING_PT + 0.01;
    expect(fit(value, wide(12), 14.5)?.size_pt).toBeCloseTo(11.6);
    expect(fit(value, wide(10), 14.5)?.size_pt).toBeCloseTo(9.6);
    expect(fit(value, wide(6), 14)).toEqual({ size_pt: 6, lines: [value] });
    expect(fit(value, wide(5.99), 14)).toBeNull();
  });

  test("depends on the area as it is stamped: clipped to the page", () => {
    expect(textBox({ page: 1, x: 0.9, y: 0.1, w: 0.3, h: 0.05 }, { w_pt: 600, h_pt: 800 })).toEqual({ w_pt: 60, h_pt: 40 });
    expect(fitText("Ann", textBox({ page: 1, x: 1.2, y: 0.1, w: 0.3, h: 0.05 }, { w_pt: 600, h_pt: 800 }), fonts)).toBeNull();
  });

  test("is 6 points in an area that is exactly one such line high", () => {
    expect(fit("Ann", 50, 7.3)).toEqual({ size_pt: 6, lines: ["Ann"] });
    expect(fit("Ann", 50, 7.1)).toBeNull();
  });
});

describe("lines", () => {
  test("break at spaces if two lines fit", () => {
    expect(fit("Ann Example Street", 85, 30)).toEqual({ size_pt: 12, lines: ["Ann Example", "Street"] });
  });

  test("are kept as typed, except for empty lines at the end", () => {
    expect(fit("one\n\nthree\r\nfour\n\n", 100, 60)).toEqual({ size_pt: 12, lines: ["one", "", "three", "four"] });
    expect(fit("one\ntwo\nthree", 100, 18)).toBeNull();
  });

  test("break within a word only if nothing else fits", () => {
    expect(fit("Donaudampfschifffahrt", 100, 40)?.lines).toEqual(["Donaudampfschifffahrt"]);
    expect(fit("x".repeat(60), 60, 60)?.lines.join("")).toBe("x".repeat(60));
    expect(fit("x".repeat(60), 60, 60)?.lines.length).toBeGreaterThan(1);
  });

  test("of Thai break between words, which have no spaces", () => {
    const fitted = fit("ขอแสดงความนับถืออย่างสูง", 70, 60);
    expect(fitted?.lines.join("")).toBe("ขอแสดงความนับถืออย่างสูง");
    expect(fitted?.lines.length).toBeGreaterThan(1);
    const words = new Set([...new Intl.Segmenter("th", { granularity: "word" }).segment("ขอแสดงความนับถืออย่างสูง")].map(({ index }) => index));
    let at = 0;
    for (const line of fitted?.lines ?? []) {
      expect(words).toContain(at);
      at += line.length;
    }
  });

  test("of Thai and Devanagari are higher if marks stand above or below", () => {
    const layout = layOut("ที่นี่ กฺ", { w_pt: 150, h_pt: 14 }, fonts);
    expect(layout?.pitch.line_em).toBeGreaterThan(LINE_EM);
    expect((layout?.size_pt ?? 0) * (layout?.pitch.line_em ?? 0)).toBeLessThanOrEqual(14);
    expect(layOut("Ann", { w_pt: 150, h_pt: 14 }, fonts)?.pitch.line_em).toBe(LINE_EM);
  });

  test("of Chinese and Japanese break anywhere, but not before a full stop", () => {
    const fitted = fit("東京都千代田区丸の内。", 40, 60);
    expect(fitted?.lines.join("")).toBe("東京都千代田区丸の内。");
    expect(fitted?.lines.length).toBeGreaterThan(1);
    expect(fitted?.lines.some((line) => line.startsWith("。"))).toBe(false);
  });
});

test("text that fits never exceeds its box and is complete", () => {
  const text = fc.string({ unit: fc.constantFrom(..."abc WXYZ,.-äßΩжשלוםمحمد漢字กี่ำहि्न☑\n"), maxLength: 60 });
  const side = fc.double({ min: 5, max: 300, noNaN: true });
  fc.assert(
    fc.property(text, side, side, (value, w_pt, h_pt) => {
      const layout = layOut(value, { w_pt, h_pt }, fonts);
      if (layout === null) return;
      const { size_pt, lines } = layout;
      expect(size_pt).toBeGreaterThanOrEqual(6);
      expect(lines.length * layout.pitch.line_em * size_pt).toBeLessThanOrEqual(h_pt + 1e-6);
      for (const line of lines) expect(lineWidth(line) * size_pt).toBeLessThanOrEqual(w_pt - 2 * PADDING_PT + 1e-6);
      const said = fitText(value, { w_pt, h_pt }, fonts)?.lines.join("").replaceAll(/\s/g, "");
      expect(said).toBe(value.normalize("NFC").replaceAll(/\s/g, ""));
    }),
    { numRuns: 300 },
  );
});

describe("visual order", () => {
  const seen = (value: string): string =>
    shape(value, fonts)
      .paragraphs.map(({ letters }) => inVisualOrder(letters))
      .map((letters) => letters.map(({ told }) => told).join(""))
      .join("\n");

  test("reverses Hebrew, keeps its numbers and Latin words, and mirrors its brackets", () => {
    expect(seen("שלום (אב) 123 abc")).toBe("abc 123 (בא) םולש");
    expect(seen("abc שלום 12 def")).toBe("abc 12 םולש def");
  });

  test("leaves left-to-right text unchanged", () => {
    expect(seen("Ann (12) Ελλ Рус")).toBe("Ann (12) Ελλ Рус");
  });

  test("contains Arabic letters in their joined shapes", () => {
    const { paragraphs } = shape("محمد سلام", fonts);
    const letters = paragraphs[0]?.letters ?? [];
    const forms = letters.map(({ face, glyph }) =>
      ["\ufee3", "\ufea4", "\ufee4", "\ufeaa", "\ufeb3", "\ufefc", "\ufee1"].find(
        (form) => face.glyphOf(form.codePointAt(0) ?? 0) === glyph,
      ),
    );
    expect(forms).toEqual(["\ufee3", "\ufea4", "\ufee4", "\ufeaa", undefined, "\ufeb3", "\ufefc", "\ufee1"]);
    expect(letters.map(({ text }) => text).join("")).toBe("محمد سلام");
    expect(shape("محمد", fonts)).toMatchObject({ missing: [], unshaped: false });
  });

  test("reports letters that are not joined as in their script, and characters without a font", () => {
    expect(shape("ښه", fonts).unshaped).toBe(true);
    expect(shape("বাংলা 😀 😀", fonts)).toMatchObject({ missing: ["ব", "া", "ং", "ল", "😀"], unshaped: true });
  });

  test("contains a space where the font has none, without a warning", () => {
    expect(shape("a\u2003c", fonts).missing).toEqual([]);
  });

  test("contains Devanagari and Thai letters that belong together as one, with every glyph in its place", () => {
    const parts = (value: string) => shape(value, fonts).paragraphs[0]?.letters.map(({ text, accents }) => [text, 1 + accents.length]);
    // The sign for i is drawn before its consonant; n without its vowel becomes a half form; k and sh become one glyph.
    expect(parts("हिन्दी")).toEqual([
      ["हि", 2],
      ["न्", 1],
      ["दी", 2],
    ]);
    expect(parts("क्ष")).toEqual([["क्ष", 1]]);
    // A consonant with a tone above am, which is split into a circle above and a letter.
    expect(parts("น้ำ")).toEqual([["น้ำ", 4]]);
    expect(shape("हिन्दी น้ำ", fonts)).toMatchObject({ missing: [], unshaped: false });
  });

  test("keeps accents on their letters", () => {
    const [paragraph] = shape("שָׁ", fonts).paragraphs;
    expect(paragraph?.letters.map(({ text, accents }) => [text, accents.length])).toEqual([["ש", 2]]);
    expect(shape("e\u0301", fonts).paragraphs[0]?.letters.map(({ text }) => text)).toEqual(["é"]);
  });
});
