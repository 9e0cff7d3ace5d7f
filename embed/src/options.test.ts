import { describe, expect, test } from "vitest";
import { attributeText, readPrefill, readTarget, wordsIn } from "./options.ts";

describe("a list in an attribute", () => {
  test.each([
    [null, []],
    ["", []],
    ["header", ["header"]],
    [" header  decline,download ", ["header", "decline", "download"]],
  ])("%j is %j", (list, words) => expect(wordsIn(list)).toEqual(words));
});

test("a property takes a text, a list of words or an object", () => {
  expect(["header", ["header", "decline"], [], { Pet: true }].map(attributeText)).toEqual(["header", "header decline", "", '{"Pet":true}']);
});

describe("values for fields", () => {
  test.each([
    [null, {}],
    ["{}", {}],
    ['{"Full name": "Ann", "Pet": true}', { "Full name": "Ann", Pet: true }],
  ])("%j are %j", (json, values) => expect(readPrefill(json)).toEqual(values));

  test.each(["x", "[]", "7", '{"Rent": 7}', '{"Name": null}'])("%s is refused", (json) => expect(() => readPrefill(json)).toThrow());
});

describe("the address after signing", () => {
  const base = "https://app.example.com/deals/7";

  test.each([
    ["/done", "https://app.example.com/done"],
    ["done?id=7", "https://app.example.com/deals/done?id=7"],
    ["https://other.example.com/x", "https://other.example.com/x"],
  ])("%s leads to %s", (given, target) => expect(readTarget(given, base)).toBe(target));

  test.each(["javascript:alert(1)", "data:text/html,x", "blob:https://app.example.com/1", "http://"])("%s is refused", (given) =>
    expect(() => readTarget(given, base)).toThrow(),
  );
});
