import { describe, expect, test } from "vitest";
import type { FieldType } from "./field-type.ts";
import * as pages from "./pages.ts";
import { fieldTypeNames, fieldTypes, typesFrom } from "./types.ts";

const types: readonly [string, FieldType][] = Object.entries(fieldTypes);

describe("the table", () => {
  test.each(types)("%s stands under its own name, comes from somewhere and has a size", (name, { type, from, size_pt }) => {
    expect(type).toBe(name);
    expect(from.length).toBeGreaterThan(0);
    for (const points of size_pt) expect(points).toBeGreaterThan(0);
  });

  test("has the types of the specification, in its order", () => {
    expect(typesFrom("tag").slice(0, 8)).toEqual(["signature", "initials", "text", "date", "number", "checkbox", "select", "radio"]);
    expect(typesFrom("request").slice(0, 5)).toEqual(["signature", "initials", "text", "date", "checkbox"]);
  });

  test("what pages are given is the table's: a control and a size of each type", () => {
    expect(Object.keys(pages.controls)).toEqual(fieldTypeNames);
    for (const name of fieldTypeNames) {
      const { control, size_pt, required } = fieldTypes[name];
      expect([pages.otherControls[name] ?? name, pages.sizes_pt[name], pages.required[name]]).toEqual([control, size_pt, required]);
    }
    expect(JSON.parse(JSON.stringify(pages))).toEqual({ ...pages });
  });
});

const none = { options: null };
const choices = { options: ["monthly", "yearly"] };
const INVALID = { code: "invalid_value", message: expect.any(String) };

describe("what a field holds", () => {
  test.each([
    ["text", "  Ann ", "  Ann "],
    ["text", 12.5, "12.5"],
    ["text", "x".repeat(2_000), "x".repeat(2_000)],
    ["number", " 1200,50 ", "1200.50"],
    ["number", "+0,250", "0.250"],
    ["number", -3, "-3"],
    ["date", "2026-02-28", "2026-02-28"],
    ["checkbox", true, "true"],
    ["checkbox", "false", "false"],
    ["select", "monthly", "monthly"],
    ["radio", "yearly", "yearly"],
  ] as const)("a %s field holds %j", (type, value, held) => {
    expect(fieldTypes[type].held(choices, value)).toBe(held);
  });

  test.each([
    ["text", "x".repeat(2_001), "must be text of at most 2000 characters, without control characters"],
    ["text", "a\u202eb", "must be text of at most 2000 characters, without control characters"],
    ["text", true, "must be text of at most 2000 characters, without control characters"],
    ["number", "1,200.50", "must be a number such as 1200.50"],
    ["number", "1,200", "must be a number with a point before the decimals, such as 1200.50"],
    ["number", Number.POSITIVE_INFINITY, "must be a number such as 1200.50"],
    ["date", "2026-02-30", "must be a date in the form YYYY-MM-DD"],
    ["date", "2026-2-3", "must be a date in the form YYYY-MM-DD"],
    ["checkbox", "yes", "must be true or false"],
    ["select", "weekly", "must be one of: monthly, yearly"],
    ["radio", null, "must be one of: monthly, yearly"],
    ["signature", "Ann", "can only be filled in by the signer"],
    ["initials", "A", "can only be filled in by the signer"],
  ] as const)("a %s field does not hold %j", (type, value, message) => {
    expect(fieldTypes[type].held(choices, value)).toMatchObject({ message });
  });
});

describe("settings", () => {
  test.each(types.filter(([, { control }]) => control !== "select" && control !== "radio"))("%s has no options", (name, type) => {
    expect(type.settings({})).toEqual(none);
    expect(type.settings({ options: ["a", "b"] })).toEqual([{ setting: "options", message: `a field of type ${name} has no options` }]);
  });

  test.each(["select", "radio"] as const)("%s needs options, each once", (name) => {
    const settings = (options?: readonly string[]) => fieldTypes[name].settings({ options });
    const wrong = (message: string) => [{ setting: "options", message }];
    expect(settings(["a", "b"])).toEqual({ options: ["a", "b"] });
    expect(settings()).toEqual(wrong(`a field of type ${name} needs options=a,b,c`));
    expect(settings(["a", ""])).toEqual(wrong("options must be 1 to 100 texts separated by commas"));
    expect(settings(Array.from({ length: 101 }, (_, n) => `${n}`))).toEqual(wrong("options must be 1 to 100 texts separated by commas"));
    expect(settings(["a", "a"])).toEqual(wrong("options must not be repeated"));
  });
});

describe("defaults", () => {
  test("of a request are for text and dates", () => {
    const { text, date } = fieldTypes;
    const taking = types.filter(([, { requestDefault }]) => requestDefault !== undefined).map(([name]) => name);
    expect(taking.filter((name) => ["signature", "initials", "text", "date", "checkbox"].includes(name))).toEqual(["text", "date"]);
    expect([text.requestDefault?.("any"), date.requestDefault?.("2026-01-31")]).toEqual([null, null]);
    expect(date.requestDefault?.("2026-02-30")).toEqual({ code: "invalid_format", message: "must be a date in the form YYYY-MM-DD" });
  });

  test.each([
    ["text", "Any words", "Any words"],
    ["number", "1 200. 50", "1200.50"],
    ["number", "+7.50", "7.50"],
    ["date", "2026- 01-31", "2026-01-31"],
    ["checkbox", "TR UE", "true"],
    ["select", "yearly", "yearly"],
  ] as const)("of a tag for a %s field: %s", (type, written, read) => {
    expect(fieldTypes[type].tagDefault(choices, written)).toBe(read);
  });

  test.each([
    ["text", "x".repeat(2_001)],
    ["number", "1,5"],
    ["date", "31.1.2026"],
    ["checkbox", "yes"],
    ["radio", "weekly"],
    ["signature", "Ann"],
    ["initials", "A"],
  ] as const)("of a tag for a %s field cannot be %s", (type, written) => {
    expect(fieldTypes[type].tagDefault(choices, written)).toEqual(INVALID);
  });
});
