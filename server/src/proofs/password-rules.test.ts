import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import fc from "../../../testing/properties.ts";
import { isBreached } from "./breached.ts";
import { estimate } from "./password-rules.ts";
import { hashOfWord, isCommonWord } from "./words.ts";

const OWN = ["Acme Corp", "Ann Example", "ann.example@acme.example", "countersign"];
const bits = (password: string): number => Math.round(estimate(password, OWN).bits);

describe("the estimate of a password", () => {
  test.each<[string, number]>([
    ["Sommer2026!!", 25],
    ["Countersign2026!", 13],
    ["correct horse battery staple", 67],
    ["P@55w0rd!!!!!", 19],
    ["acmecorp1234", 8],
    ["Ann.Example.1990", 20],
    ["aaaaaaaaaaaa", 6],
    ["123456789012", 12],
    ["qwertyuiop[]", 16],
  ])("of %s is %d bits", (password, expected) => {
    expect(bits(password)).toBe(expected);
  });

  test.each(["mauve otter kettle 1931", "x9$kQ2!vLm0pZr", "caf\u00e9 tulip 7x", "ein pferd frisst keinen gurkensalat"])(
    "of %s is enough",
    (password) => {
      expect(bits(password)).toBeGreaterThanOrEqual(36);
    },
  );

  test("is the same for capitals, accents and full-width letters", () => {
    for (const same of ["SOMMER2026!!", "S\u00f6mmer2026!!", "\uff33ommer2026!!"]) expect(bits(same), same).toBe(25);
  });

  test("grows by one repetition at most when something is repeated, and never exceeds that of single characters", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 12 }), (unit) => {
        expect(estimate(unit.repeat(6), []).bits).toBeLessThanOrEqual(estimate(unit.repeat(3), []).bits + 6 + 1e-9);
      }),
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (password) => {
        const { bits: found, parts } = estimate(password, OWN);
        expect(found).toBeGreaterThanOrEqual(0);
        expect(found).toBeLessThanOrEqual(5 * [...password.normalize("NFKC")].length + 1e-9);
        expect(parts.length).toBeLessThanOrEqual([...password.normalize("NFKC")].length);
      }),
    );
  });
});

describe("the list of common words", () => {
  const hashes = readFileSync(new URL("../../data/common-words.bin", import.meta.url));

  test("is sorted, without duplicates, and knows passwords and words of several languages", () => {
    const all = Array.from({ length: hashes.length / 4 }, (_, index) => hashes.readUInt32LE(index * 4));
    expect(all.length).toBe(220_000);
    expect(all.every((hash, index) => index === 0 || hash > (all[index - 1] ?? 0))).toBe(true);
    for (const word of ["password", "iloveyou", "sommer", "bonjour", "gracias", "kettle", "M\u00fcller", "obrigado"])
      expect([word, isCommonWord(hashOfWord(word))]).toEqual([word, true]);
    for (const word of ["xqzvkw", "pfrtlmn", "zzkqxjv"]) expect([word, isCommonWord(hashOfWord(word))]).toEqual([word, false]);
  });
});

describe("a file of breached passwords", () => {
  const folder = mkdtempSync(join(tmpdir(), "breached-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const sha1 = (text: string) => createHash("sha1").update(text).digest("hex").toUpperCase();
  const fileOf = (lines: readonly string[], end = "\n") => {
    const file = join(folder, `${lines.length}-${end.length}.txt`);
    writeFileSync(file, lines.map((line) => line + end).join(""));
    return file;
  };

  test.each([1, 2, 3, 64, 1000])("of %d lines finds each of them, and nothing else", (count) => {
    const passwords = Array.from({ length: count }, (_, n) => `password ${n}`);
    for (const end of ["\n", "\r\n"]) {
      const lines = passwords.map(sha1).sort();
      const file = fileOf(
        lines.map((hash, n) => `${hash}:${10 ** (n % 9)}`),
        end,
      );
      for (const password of passwords) expect([password, isBreached(file, password)]).toEqual([password, true]);
      for (const other of ["", "password", "password -1"]) expect([other, isBreached(file, other)]).toEqual([other, false]);
    }
  });

  test("that is empty has no password, and one that is something else is refused", () => {
    expect(isBreached(fileOf([]), "password 1")).toBe(false);
    expect(() => isBreached(fileOf(["not a hash"]), "password 1")).toThrow("BREACHED_PASSWORDS_FILE");
    expect(() => isBreached(join(folder, "missing"), "password 1")).toThrow("ENOENT");
  });
});
