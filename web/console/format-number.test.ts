import { expect, test } from "vitest";
import { englishOf } from "./format-number.ts";

test.each([
  ["en", "en"],
  ["en-GB", "en-GB"],
  ["en-001", "en-001"],
  ["en-GB-oxendict", "en-GB"],
  ["en-US@posix", "en-US"],
  ["en-Latn-US", "en"],
  ["en_US", "en"],
  ["eng", "en"],
  ["de-DE", "en"],
  ["C", "en"],
  ["", "en"],
])("the English of a browser with %j is %s, which can be formatted with", (tag, english) => {
  expect(englishOf(tag)).toBe(english);
  expect(new Intl.NumberFormat(englishOf(tag)).format(1)).toBe("1");
});
