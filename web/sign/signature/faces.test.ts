import type { MarkFont } from "@countersign/client/pages";
import { openFonts } from "@countersign/pdf/fit";
import { expect, test } from "vitest";
import { faceFor, type Ink, inkOf, lineOf } from "./faces.ts";

const written = ["dancing-script", "caveat", "great-vibes"] as const satisfies readonly MarkFont[];

test.each(written)("the font %s of the seal has every letter that the page shows in it", (font) => {
  const face = openFonts().signatureFace(font);
  const shown = Array.from({ length: 0xffff }, (_, point) => String.fromCharCode(point))
    // Characters without a glyph are not drawn.
    .filter((letter) => lineOf(letter) === letter && letter !== "" && !/\p{Cf}|\p{Cs}/u.test(letter))
    .filter((letter) => faceFor(letter, font) === font);
  expect(shown.length).toBeGreaterThan(300);
  expect(shown.filter((letter) => face?.glyphOf(letter.charCodeAt(0)) === 0)).toEqual([]);
});

test("a name with a letter that the font lacks is shown in the plain font", () => {
  expect(faceFor("Ann Example", "caveat")).toBe("caveat");
  expect(faceFor("Ann 安", "caveat")).toBe("plain");
  expect(faceFor("Анна", "dancing-script")).toBe("plain");
});

test("a combining accent is composed with its letter", () => {
  expect(lineOf(" Rene\u0301e \n Example ")).toBe("Ren\u00e9e Example");
  expect(faceFor("Rene\u0301e", "great-vibes")).toBe("great-vibes");
});

test("a line is measured by its ink, including overhangs", () => {
  const swung: Ink = { left: -0.2, right: 0.9, top: 0.8, bottom: -0.3, width: 0.5 };
  const space: Ink = { left: 0, right: 0, top: 0, bottom: 0, width: 0.25 };
  const round: Ink = { left: 0.05, right: 0.4, top: 0.4, bottom: 0, width: 0.45 };
  expect(inkOf([swung, space, round])).toEqual({ left: -0.2, right: 1.15, top: 0.8, bottom: -0.3, width: 1.2 });
});
