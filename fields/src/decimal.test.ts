import { expect, test } from "vitest";
import fc from "../../testing/properties.ts";
import { compareDecimals, firstFrom, isDecimal, placesOf, withPlaces } from "./decimal.ts";

const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 3 }))
  .map(([value, places, zeros]) => {
    const digits = String(value < 0n ? -value : value).padStart(places + 1, "0");
    const [whole, fraction] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)];
    return `${value < 0n ? "-" : ""}${"0".repeat(zeros)}${whole}${places === 0 ? "" : `.${fraction}`}`;
  });

const scaled = (text: string): bigint => BigInt(withPlaces(text, 8).replace(".", ""));

test("decimals are compared by their value, however many zeros they are written with", () => {
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      const [one, other] = [scaled(a), scaled(b)];
      expect(isDecimal(a)).toBe(true);
      expect(Math.sign(compareDecimals(a, b))).toBe(one < other ? -1 : one > other ? 1 : 0);
      expect(compareDecimals(a, a)).toBe(0);
    }),
  );
  expect([compareDecimals("-0", "0.00"), compareDecimals("007.10", "7.1")]).toEqual([0, 0]);
});

test("the first number with few places is not below the given one, and no other such number is between the two", () => {
  fc.assert(
    fc.property(decimal, fc.integer({ min: 0, max: 6 }), (given, places) => {
      const first = firstFrom(given, places);
      expect(placesOf(first)).toBeLessThanOrEqual(places);
      const gap = scaled(first) - scaled(given);
      expect(gap >= 0n && gap < 10n ** BigInt(8 - places)).toBe(true);
    }),
  );
});
