import { expect, test } from "vitest";
import { hostValue } from "./host-value.ts";

test.each([
  ["number", " +1200,50 ", "1200.50"],
  ["number", "1200.50", "1200.50"],
  ["number", "-0,5", "-0.5"],
  ["text", "1200,50", "1200,50"],
  ["checkbox", true, true],
] as const)("a %s with the host's value %j gets %j", (control, given, value) => {
  expect(hostValue(control, given)).toBe(value);
});

test("1,200 stays as it is and is refused like an entry, because it means different things in different countries", () => {
  expect(hostValue("number", "1,200")).toBe("1,200");
});

test.each(["\0", "a\ud800"])("a text that cannot be stored is left out", (given) => {
  expect(hostValue("text", given)).toBeUndefined();
});
