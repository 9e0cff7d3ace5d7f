import { expect, test } from "vitest";
import { blankText, fontFor, suggestedText } from "./typed-text.ts";

test("the name is suggested as signature, and its first letters as initials", () => {
  expect(suggestedText("signature", "  Ann  Example ")).toBe("Ann Example");
  expect(suggestedText("initials", "Ann van der Example")).toBe("AvdE");
  expect(suggestedText("initials", "(Ann) Émile-Example 2nd -")).toBe("AÉn");
  expect(suggestedText("initials", "")).toBe("");
});

test("a name longer than the service accepts is cut", () => {
  expect(suggestedText("signature", "A".repeat(120))).toBe("A".repeat(100));
});

test("spaces and invisible characters are not a name", () => {
  expect(["", "  ", "\u200b\u200f", "A"].map(blankText)).toEqual([true, true, true, false]);
});

test("the chosen font is used if it has every letter, otherwise the first font that has", () => {
  expect(fontFor("Ann Example", "great-vibes")).toBe("great-vibes");
  expect(fontFor("Анна", "dancing-script")).toBe("caveat");
  expect(fontFor("Nguyễn Thị Hồng", "caveat")).toBe("dancing-script");
  expect(fontFor("אנה", "caveat")).toBe("plain");
  expect(fontFor("安娜", "great-vibes")).toBe("plain");
});
