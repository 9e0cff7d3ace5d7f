import type { Locale } from "@countersign/client/types";
import { expect, test } from "vitest";
import { parseNumber } from "./parse-number.ts";

test.each<[Locale, string, string]>([
  ["en", "1,200", "1200"],
  ["en", "1.200", "1.200"],
  ["en", "1,234,567.89", "1234567.89"],
  ["en", "12,5", "12.5"],
  ["de", "1.200", "1200"],
  ["de", "1,200", "1.200"],
  ["de", "1.234.567,89", "1234567.89"],
  ["de", "1200.50", "1200.50"],
  ["fr", "1 234 567,89", "1234567.89"],
  ["fr", "1\u202f200", "1200"],
  ["es", "12.345,6", "12345.6"],
  ["es", "1 200", "1200"],
  ["de", " −1.200,00 ", "-1200.00"],
  ["en", "+7", "7"],
  ["en", "007", "007"],
  ["en", "0,500", "0.500"],
  ["de", "0.500", "0.500"],
  ["es", "-0.125", "-0.125"],
])("in %s, %s is the number %s", (locale, typed, normal) => {
  expect(parseNumber(typed, locale)).toBe(normal);
});

test.each(["", "a lot", "1,2,3", "1.2.3", "1,200.", ".5", "1e6", "12 34", "1,200,50"])("%s is no number", (typed) => {
  for (const locale of ["en", "de", "fr", "es"] as const) expect(parseNumber(typed, locale)).toBeNull();
});
