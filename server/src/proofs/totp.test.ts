import { expect, test } from "vitest";
import { base32, matchingStep, newTotpSecret, stepAt, totpCode } from "./totp.ts";

const secret = Buffer.from("12345678901234567890");

// RFC 6238, appendix B, the rows for SHA-1. The RFC prints eight digits; a code of six digits is their end.
test.each([
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
])("the code at %i seconds is that of RFC 6238", (seconds, printed) => {
  expect(totpCode(secret, stepAt(new Date(seconds * 1000)))).toBe(printed.slice(-6));
});

test("a code is accepted in its own step and in the one before and after, and says which step it is of", () => {
  const at = (step: number) => new Date(step * 30_000 + 29_999);
  const code = totpCode(secret, 1000);
  expect([998, 999, 1000, 1001, 1002].map((step) => matchingStep(secret, code, at(step)))).toEqual([null, 1000, 1000, 1000, null]);
  expect(matchingStep(secret, code === "000000" ? "000001" : "000000", at(1000))).toBeNull();
});

// RFC 4648, section 10, without padding.
test.each([
  ["", ""],
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("base32 of %j is %j", (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded);
});

test("a secret has 160 random bits", () => {
  expect([newTotpSecret().length, newTotpSecret().equals(newTotpSecret())]).toEqual([20, false]);
});
