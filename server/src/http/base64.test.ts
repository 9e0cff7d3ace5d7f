import { expect, test } from "vitest";
import fc from "../../../testing/properties.ts";
import { isBase64 } from "./base64.ts";

const PATTERN = /^[A-Za-z0-9+/]+={0,2}$/;

test("isBase64 agrees with its pattern for any text", () => {
  const near = fc.string({ unit: fc.constantFrom(..."AZaz09+/=-_ \n\u00e9\u{1f58b}".split("")), maxLength: 12 });
  fc.assert(fc.property(fc.oneof(near, fc.string()), (text) => isBase64(text) === PATTERN.test(text)));
  const digits = fc.string({ unit: fc.constantFrom(..."ABCxyz019+/".split("")), minLength: 1 });
  fc.assert(fc.property(digits, fc.constantFrom("", "=", "=="), (text, padding) => isBase64(text + padding)));
});

test("an empty text, padding alone and a misplaced character are not Base64", () => {
  expect(["", "=", "==", "AAAA===", "AA=A", "AAA\u0001", "AAAA\u0001", "AAAAA-AA", "AA AA"].filter(isBase64)).toEqual([]);
  expect(["A", "AA", "AAA", "AAAA", "AAAA==", "/w==", "/x==", "+/+/"].filter((text) => !isBase64(text))).toEqual([]);
});
