import { expect, test } from "vitest";
import fc from "../../../testing/properties.ts";
import { fold, foldText, plainForm } from "./fold.ts";

test.each([
  ["SIGN Here", "sign here"],
  ["oﬃce", "office"],
  ["Straße", "STRASSE"],
  ["ΟΔΟΣ", "οδος"],
  ["café", "cafe\u0301"],
  ["Ｓｉｇｎ", "sign"],
  ["“it’s” – now", '"it\'s" - now'],
  ["  a\u00a0 b\n", "a b"],
  ["sig\u00adna\u200bture", "signature"],
])("%s matches %s", (one, other) => {
  expect(foldText(one)).toBe(foldText(other));
});

test("different letters stay different", () => {
  expect(foldText("cafe")).not.toBe(foldText("café"));
  expect(foldText("İİ x")).toBe(foldText("i\u0307i\u0307 x"));
});

test("folding again changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(foldText(foldText(text))).toBe(foldText(text));
    }),
  );
});

test("folding again changes no character of Unicode", () => {
  const changed: string[] = [];
  for (let point = 0; point <= 0x10ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const once = fold(point);
    let twice = "";
    for (const char of once) twice += fold(char.codePointAt(0) ?? 0);
    if (twice !== once) changed.push(point.toString(16));
  }
  expect(changed).toEqual([]);
});

test("texts with the same NFKC form are equal", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme-composite" }), (text) => {
      expect(foldText(text).normalize("NFKD")).toBe(foldText(text.normalize("NFKC")).normalize("NFKD"));
    }),
  );
});

test("only real braces count in a tag", () => {
  expect(["{", "｛", "﹛", "Ａ", "\u00a0"].map((char) => plainForm(char.codePointAt(0) ?? 0))).toEqual(["{", "｛", "﹛", "A", " "]);
  expect(fold(0x200b)).toBe("");
});
