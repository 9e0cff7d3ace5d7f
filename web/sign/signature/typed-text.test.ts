import { expect, test } from "vitest";
import { blankText, fontFor, proposed } from "./typed-text.ts";

test("a signature begins with the name, initials with the first letters of its words", () => {
  expect(proposed("signature", "  Ann  Example ")).toBe("Ann Example");
  expect(proposed("initials", "Ann van der Example")).toBe("AvdE");
  expect(proposed("initials", "(Ann) Émile-Example 2nd -")).toBe("AÉn");
  expect(proposed("initials", "")).toBe("");
});

test("a longer name than the service takes is cut", () => {
  expect(proposed("signature", "A".repeat(120))).toBe("A".repeat(100));
});

test("spaces and signs without a shape are no name", () => {
  expect(["", "  ", "\u200b\u200f", "A"].map(blankText)).toEqual([true, true, true, false]);
});

test("the chosen style stays while it has every letter, else the first that has", () => {
  expect(fontFor("Ann Example", "great-vibes")).toBe("great-vibes");
  expect(fontFor("Анна", "dancing-script")).toBe("caveat");
  expect(fontFor("Nguyễn Thị Hồng", "caveat")).toBe("dancing-script");
  expect(fontFor("אנה", "caveat")).toBe("plain");
  expect(fontFor("安娜", "great-vibes")).toBe("plain");
});
