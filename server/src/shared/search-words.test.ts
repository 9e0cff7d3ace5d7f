import { describe, expect, test } from "vitest";
import { tries } from "../../../testing/all.ts";
import fc from "../../../testing/properties.ts";
import { isTooExpensive } from "../../test/thread-time.ts";
import { endOfPrefix, foldText, MAX_WORD_LENGTH, MAX_WORDS, nameKey, searchedWords, wordsOf } from "./search-words.ts";

const finds = (q: string, ...texts: string[]): boolean => {
  const [searched, words] = [searchedWords(q), wordsOf(texts)];
  return searched.length > 0 && searched.every((one) => words.some((word) => word.startsWith(one)));
};

describe("folding", () => {
  test("ignores case, width, composition, the Turkish dotless i, sharp s and the final sigma", () => {
    expect(foldText("ＬＥＡＳＥ ﬁle №5")).toBe("lease file no5");
    expect(foldText("E\u0301te\u0301")).toBe("été");
    expect(["İSTANBUL", "ISTANBUL", "istanbul", "ıstanbul", "i\u0307stanbul"].map(foldText)).toEqual(Array(5).fill("istanbul"));
    expect(["Straße", "STRASSE", "STRAẞE"].map(foldText)).toEqual(Array(3).fill("strasse"));
    expect(["ΟΔΟΣ", "οδος", "οδοσ"].map(foldText)).toEqual(Array(3).fill("οδοσ"));
  });

  test("is done after once, and does not depend on the case of any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        const folded = foldText(text);
        expect(foldText(folded)).toBe(folded);
        expect(foldText(text.normalize("NFD"))).toBe(folded);
        expect(foldText(text.normalize("NFC").toUpperCase())).toBe(foldText(text.normalize("NFC")));
      }),
      { numRuns: tries(5_000) },
    );
  });

  test("half a character does no harm", () => {
    expect(wordsOf(["a\ud800b", "\udc00"])).toEqual(["a", "b"]);
  });
});

describe("words", () => {
  test("are separated by anything that is not a letter or a digit; an e-mail address is also whole and by its domain", () => {
    expect(wordsOf(["Lease 7/B, the_mill", null, "REF-77"])).toEqual(["lease", "7", "b", "the", "mill", "ref", "77"]);
    expect(wordsOf(["Ann.Lee@Example.com"])).toEqual(["ann.lee@example.com", "example.com", "ann", "lee", "example", "com"]);
    expect(wordsOf(["Write to <ann@example.com>, please"])).toContain("ann@example.com");
    expect(wordsOf(["", " ", "%", "@", undefined])).toEqual([]);
  });

  test("keep combining marks with their letter", () => {
    expect(wordsOf(["हिन्दी भाषा"])).toEqual(["हिन्दी", "भाषा"]);
    expect(finds("भा", "हिन्दी भाषा")).toBe(true);
  });

  test("of scripts without spaces are found from every place", () => {
    expect(finds("契約", "賃貸借契約書 2026")).toBe(true);
    expect(finds("賃貸借契約書", "賃貸借契約書")).toBe(true);
    expect(finds("ローン", "住宅ローン申込書")).toBe(true);
    expect(finds("เช่า", "สัญญาเช่า")).toBe(true);
    expect(finds("貸契", "賃貸借契約書")).toBe(false);
    expect(finds("greement", "Agreement"), "other scripts only from the beginning of a word").toBe(false);
  });

  test("are at most 40 of at most 60 characters, however long and strange the text is", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 400 }), { maxLength: 30 }), (texts) => {
        const words = wordsOf(texts);
        expect(words.length).toBeLessThanOrEqual(MAX_WORDS);
        expect(new Set(words).size).toBe(words.length);
        for (const word of words) {
          expect(Array.from(word).length).toBeLessThanOrEqual(MAX_WORD_LENGTH);
          expect(word).not.toMatch(/\s/);
          expect(word.isWellFormed()).toBe(true);
          expect(word < endOfPrefix(word)).toBe(true);
        }
      }),
      { numRuns: tries(500) },
    );
    const long = "x".repeat(1_000_000);
    const texts = [long, `${"a ".repeat(100_000)}`, "賃".repeat(500_000), "@".repeat(500_000)];
    expect(wordsOf(texts)).toContain("x".repeat(MAX_WORD_LENGTH));
    expect(isTooExpensive(() => wordsOf(texts), 1_000)).toBe(false);
  });
});

describe("a search", () => {
  test("finds a text by the beginning of each of its words, in any order and case", () => {
    const word = fc.stringMatching(/^[\p{Ll}\p{Nd}]{1,12}$/u);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), fc.infiniteStream(fc.nat({ max: 11 })), (words, sizes) => {
        const q = words.map((one) =>
          Array.from(one)
            .slice(0, 1 + (sizes.next().value as number))
            .join(""),
        );
        expect(finds(q.reverse().join(" ").toUpperCase(), words.join(" "))).toBe(true);
      }),
      { numRuns: tries(2_000) },
    );
  });

  test("takes part of an address as part of an address, and drops what another word begins with", () => {
    expect(searchedWords("ann@exam")).toEqual(["ann@exam"]);
    expect(searchedWords("@example.com")).toEqual(["example.com"]);
    expect(searchedWords("ann@")).toEqual(["ann@"]);
    expect(searchedWords("Lease le LEASES")).toEqual(["leases"]);
    expect(searchedWords("% _ \\")).toEqual([]);
    expect(finds("ann@ex", "Ann <ann@example.com>")).toBe(true);
    expect(finds("ben@example.com", "ann@example.com")).toBe(false);
  });
});

test("names are sorted without regard to case and white space around them, by their first 80 characters", () => {
  expect(nameKey("  Ｌease\u3000 of  the MILL ")).toBe("lease of the mill");
  expect(Array.from(nameKey("𝒳".repeat(100)))).toHaveLength(80);
});
