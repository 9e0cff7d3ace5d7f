import { openFonts } from "@countersign/pdf/fit";
import { expect, test } from "vitest";
import { cjkWidth, type Measure, unitsOf } from "./units.ts";

test("Chinese, Japanese and Korean characters have the widths of the document's fonts", () => {
  const fonts = openFonts();
  for (const text of ["张伟国、。（）", "張偉國", "渡邉さくらカナー「」", "김철수", "ｱｲｳ", "０Ａ！"]) {
    for (const character of text) {
      const found = fonts.find(character.codePointAt(0) ?? 0, text);
      expect(found?.face.widthOf(found.glyph), character).toBeCloseTo(cjkWidth(character) ?? 0, 3);
    }
  }
  expect(["A", "é", "ש", "ก", " "].map(cjkWidth)).toEqual([null, null, null, null, null]);
});

test("a value is divided like in the document: accents stay with their letter, and a word is as wide as its joined letters", () => {
  // Joined letters are narrower than single ones.
  const measure: Measure = (text) => ({ width: text.length === 1 ? 0.6 : 0.5 * text.length, above: 0, below: 0 });
  const [first, second] = unitsOf("e\u0301 שָׁל\nمحمد", measure);
  expect(first?.letters.map(({ text }) => text)).toEqual(["é", " ", "שָׁ", "ל"]);
  expect([first?.rightToLeft, second?.rightToLeft]).toEqual([false, true]);
  expect(second?.letters.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(2);
});
