import { expect, test } from "vitest";
import fc from "../../../testing/properties.ts";
import { latin1 } from "../../fixtures/writer.ts";
import { UnreadablePdf } from "../errors.ts";
import { Lexer, type Operand, operatorCode } from "./lexer.ts";
import { spellOperand } from "./rewrite-show.ts";

function words(text: string): (Operand | { op: number })[] {
  const lexer = new Lexer(latin1(text));
  const found: (Operand | { op: number })[] = [];
  for (let word = lexer.next(); word !== "end"; word = lexer.next())
    found.push(word === "operand" ? lexer.operand : { op: lexer.operator });
  return found;
}

const op = (name: string) => ({ op: operatorCode(name) });

test("numbers are read in every notation that occurs", () => {
  expect(words("1 -2 +3 .5 -.25 4. 0.001 --7")).toEqual([1, -2, 3, 0.5, -0.25, 4, 0.001, -7]);
});

test("strings are unescaped, may be nested and may span lines", () => {
  expect(words("(a\\(b\\)\\101\\n(x)\\\r\nc\r\nd)")).toEqual([latin1("a(b)A\n(x)c\nd")]);
  expect(words("<48 65 6c6c6F7>")).toEqual([latin1("Hellop")]);
});

test("names are unescaped, and operators need only delimiters between them", () => {
  expect(words("/F#31 12 Tf(a)Tj[(b)-3]TJ")).toEqual(["F1", 12, op("Tf"), latin1("a"), op("Tj"), [latin1("b"), -3], op("TJ")]);
});

test("comments and constants are not operators", () => {
  expect(words("true % (x) Tj\nnull false")).toEqual([true, null, false]);
});

test("an unclosed array ends before the operator", () => {
  expect(words("[(a) 5 TJ ET")).toEqual([[latin1("a"), 5], op("TJ"), op("ET")]);
});

test("stray brackets are skipped", () => {
  expect(words(") ] > } (a) Tj").slice(-2)).toEqual([latin1("a"), op("Tj")]);
});

test("arrays nested beyond the limit fail the file", () => {
  expect(() => words("[".repeat(200))).toThrow(UnreadablePdf);
  expect(words("[".repeat(50)).length).toBe(1);
});

test("written operands are read back", () => {
  const leaf = fc.oneof(
    fc.integer({ min: -100000, max: 100000 }),
    fc.string({ minLength: 1, unit: "binary-ascii" }),
    fc.uint8Array(),
    fc.boolean(),
    fc.constant(null),
  );
  const value = fc.oneof(
    leaf,
    fc.array(leaf),
    fc.dictionary(fc.string({ minLength: 1, unit: "binary-ascii" }), leaf).map((d) => new Map(Object.entries(d))),
  );
  fc.assert(
    fc.property(value, (operand) => {
      expect(words(spellOperand(operand as Operand))).toEqual([operand]);
    }),
  );
});

test("lexing any bytes terminates", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const lexer = new Lexer(bytes);
      let steps = 0;
      while (lexer.next() !== "end") expect(++steps).toBeLessThanOrEqual(bytes.length);
    }),
  );
});
