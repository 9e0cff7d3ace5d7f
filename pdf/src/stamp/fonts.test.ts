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

test("a character without an installed package is missing, and the value's script determines the package", () => {
  const bare = openFonts("file:///");
  expect(bare.find(0x6f22, "漢")).toBeNull();
  expect(bare.missingPackage(0x6f22, "漢字")).toBe("@expo-google-fonts/noto-sans-sc");
  expect(bare.missingPackage(0x6f22, "漢かな")).toBe("@expo-google-fonts/noto-sans-jp");
  expect(bare.missingPackage(0x6f22, "漢한")).toBe("@expo-google-fonts/noto-sans-kr");
  expect(bare.missingPackage(0x0e44, "ไทย")).toBeNull();
});

test("each font file has a licence file and a row in the README", () => {
  const files = readdirSync(FOLDER);
  const readme = readFileSync(new URL("README.md", FOLDER), "utf8");
  const faces = files.filter((file) => file.endsWith(".ttf"));
  expect(faces).toHaveLength(6);
  for (const face of faces) {
    expect(readme).toContain(`| \`${face}\` |`);
    expect(readFileSync(new URL(face.replace("-Regular.ttf", "-OFL.txt"), FOLDER), "utf8")).toContain("SIL OPEN FONT LICENSE Version 1.1");
  }
});
