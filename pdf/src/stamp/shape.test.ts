import { expect, test } from "vitest";
import { openFonts } from "./fonts.ts";
import { shape } from "./shape.ts";

const fonts = openFonts();

/** Makes no letter, but is no common character either, so that its whole text is shaped character by character. */
const ZERO_WIDTH_SPACE = "\u200b";

test("common characters, whose letters are made once, have the same letters as when they are shaped one by one", () => {
  const points = [
    [0x20, 0x7e],
    [0xa0, 0xac],
    [0xae, 0xff],
    [0x2013, 0x2014],
    [0x2018, 0x2019],
    [0x201c, 0x201d],
    [0x2022, 0x2022],
    [0x2026, 0x2026],
  ] as const;
  const text = points
    .map(([from, to]) => Array.from({ length: to - from + 1 }, (_, n) => String.fromCodePoint(from + n)).join(""))
    .join("");
  // The text ends with a letter, because spaces at its end are not drawn.
  for (const given of [`${text}.`, "Ann's “lease” – page 1 of 8 · §\u00a03"]) {
    const oneByOne = shape(given + ZERO_WIDTH_SPACE, fonts);
    expect(shape(given, fonts)).toEqual(oneByOne);
    expect(oneByOne.missing).toEqual([]);
    expect(oneByOne.paragraphs[0]?.letters).toHaveLength(given.length);
  }
});
