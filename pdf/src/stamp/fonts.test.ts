import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openFonts } from "./fonts.ts";

const FOLDER = new URL("../../fonts/", import.meta.url);
const fonts = openFonts();

test("every letter of Latin, Greek, Cyrillic, Hebrew and Arabic has a glyph", () => {
  const alphabets = "AZazÄÖÜäöüßçñšŁőŽ€ΑΩαωάΐАЯаяёЂѓאבגםןףץابتجحخدذرزسشصضطظعغفقكلمنهويپچژگیک٠٩";
  for (const letter of alphabets) expect(fonts.find(letter.codePointAt(0) ?? 0, letter), letter).not.toBeNull();
  for (let point = 0xfe80; point <= 0xfefc; point++) expect(fonts.find(point, ""), point.toString(16)).not.toBeNull();
});

test.each([
  ["a simplified text", "张伟国", "NotoSansSC-Regular"],
  ["a traditional text", "張偉國", "NotoSansTC-Regular"],
  ["a text that could be either", "王小明", "NotoSansSC-Regular"],
  ["a text with kana", "渡邉さくら", "NotoSansJP-Regular"],
  ["a text with Hangul", "金철수", "NotoSansKR-Regular"],
])("the first character of %s is drawn in the shapes of its country", (_, text, face) => {
  expect(fonts.find(text.codePointAt(0) ?? 0, text)?.face.name).toBe(face);
});

test("every kana, with its sound and length marks, has a glyph", () => {
  for (let point = 0x3041; point <= 0x30ff; point++) {
    if (/\p{Assigned}/u.test(String.fromCodePoint(point))) expect(fonts.find(point, "カ"), point.toString(16)).not.toBeNull();
  }
  for (const letter of "々〆ヶ、。「」・ー〜㈱㎡") expect(fonts.find(letter.codePointAt(0) ?? 0, "カ"), letter).not.toBeNull();
});

test("every Thai and Devanagari letter has a glyph, and so have symbols", () => {
  const marks = "☐☑✓✗→←★■●∑≤≠√∞⚠Ⅷ①℃½₹₿├";
  for (let point = 0x0e01; point <= 0x0e5b; point++) if (point < 0x0e3b || point > 0x0e3e) expect(fonts.find(point, "ไทย")).not.toBeNull();
  for (let point = 0x0900; point <= 0x097f; point++) expect(fonts.find(point, "हिन्दी"), point.toString(16)).not.toBeNull();
  for (const mark of marks) expect(fonts.find(mark.codePointAt(0) ?? 0, mark), mark).not.toBeNull();
});

test("emoji and scripts without a font are missing", () => {
  for (const letter of "😀⭐🇩বக") expect(fonts.find(letter.codePointAt(0) ?? 0, letter), letter).toBeNull();
});

test("a font of 10 MB is not read into memory", () => {
  const before = process.memoryUsage().arrayBuffers;
  for (const letter of "张伟北京市朝阳区") openFonts().find(letter.codePointAt(0) ?? 0, letter);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1e6);
});

test("each font file has a licence file and a row in the README", () => {
  const files = readdirSync(FOLDER);
  const readme = readFileSync(new URL("README.md", FOLDER), "utf8");
  const faces = files.filter((file) => file.endsWith(".ttf"));
  expect(faces).toHaveLength(14);
  for (const face of faces) {
    expect(readme).toContain(`| \`${face}\` |`);
    expect(readFileSync(new URL(face.replace("-Regular.ttf", "-OFL.txt"), FOLDER), "utf8")).toContain("SIL OPEN FONT LICENSE Version 1.1");
  }
});
