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
    expect(typesFrom("request")).toEqual(expect.arrayContaining(["signature", "initials", "text", "date", "checkbox"]));
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
    expect(type.settings({}, "request")).toEqual(none);
    const read = type.settings({ options: ["a", "b"] }, "request");
    expect(read).toEqual([{ setting: "options", message: expect.stringMatching(`a field of type ${name} has no (options|such setting)`) }]);
  });

  test.each(["select", "radio"] as const)("%s needs options, each once", (name) => {
    const settings = (options?: readonly string[]) => fieldTypes[name].settings({ options }, "tag");
    const wrong = (message: string) => [{ setting: "options", message }];
    expect(settings(["a", "b"])).toEqual({ options: ["a", "b"] });
    expect(settings()).toEqual(wrong(`a field of type ${name} needs options=a,b,c`));
    expect(settings(["a", ""])).toEqual(wrong("options must be 1 to 100 texts separated by commas"));
    expect(settings(Array.from({ length: 101 }, (_, n) => `${n}`))).toEqual(wrong("options must be 1 to 100 texts separated by commas"));
    expect(settings(["a", "a"])).toEqual(wrong("options must not be repeated"));
    const requested = (options?: readonly string[]) => fieldTypes[name].settings({ options }, "request");
    expect(requested(["a", "b"])).toEqual({ options: ["a", "b"] });
    expect(requested()).toEqual(wrong(`a field of type ${name} needs options`));
    for (const options of [["a"], ["a", " "], ["a", "x".repeat(201)]]) {
      expect(requested(options)).toEqual(wrong("must be 2 to 100 texts of at most 200 characters"));
    }
  });
});

describe("settings of each type", () => {
  const MASK = "must be text of at most 100 characters with at least one of 9, A and *, without spaces at its ends";
  const read = (type: keyof typeof fieldTypes, given: object) => fieldTypes[type].settings({ ...given }, "request");

  test.each([
    ["text", { multiline: true, max_length: 40 }],
    ["text", { format: "email" }],
    ["text", { mask: "99-AA-*" }],
    ["text", { sender_fills: true }],
    ["date", { fill: "signing_day" }],
    ["date", { earliest: "2027-01-01", latest: "2027-01-01" }],
    ["number", { min: "-0.5", max: "10", places: 2, unit: "EUR" }],
    ["checkbox", { group: "Pets", min: "1", max: "2" }],
    ["checkbox", { group: "Pets", min: "9", max: "10" }],
  ] as const)("a %s field has %j", (type, given) => {
    expect(read(type, given)).toEqual({ options: null, ...given });
  });

  test.each([
    ["text", { max_length: 0 }, "max_length", "must be a whole number from 1 to 2000"],
    ["text", { max_length: 2_001 }, "max_length", "must be a whole number from 1 to 2000"],
    ["text", { format: "regex" }, "format", "must be one of: email, phone, digits, letters"],
    ["text", { mask: "--" }, "mask", MASK],
    ["text", { mask: "99 " }, "mask", MASK],
    ["text", { mask: "9".repeat(101) }, "mask", MASK],
    ["text", { mask: "99", max_length: 2 }, "max_length", "cannot be combined with mask"],
    ["text", { mask: "99", format: "digits" }, "mask", "cannot be combined with format"],
    ["text", { multiline: true, format: "digits" }, "multiline", "cannot be combined with format or mask"],
    ["text", { places: 2 }, "places", "a field of type text has no such setting"],
    ["date", { fill: "today" }, "fill", "must be signing_day"],
    ["date", { fill: "signing_day", latest: "2027-01-01" }, "fill", "cannot be combined with other settings"],
    ["date", { earliest: "2027-02-30" }, "earliest", "must be a date in the form YYYY-MM-DD"],
    ["date", { earliest: "2027-02-02", latest: "2027-02-01" }, "latest", "must not be before the earliest day"],
    ["number", { min: 1 }, "min", 'must be a number as text of at most 40 characters, such as "1200.50"'],
    ["number", { max: "9".repeat(41) }, "max", 'must be a number as text of at most 40 characters, such as "1200.50"'],
    ["number", { min: "10", max: "9.5" }, "max", "must not be less than the smallest value"],
    ["number", { min: "0.001", max: "0.009", places: 2 }, "places", "leaves no number between the smallest and the largest value"],
    ["number", { min: "-0.9", max: "-0.1", places: 0 }, "places", "leaves no number between the smallest and the largest value"],
    ["number", { places: 7 }, "places", "must be a whole number from 0 to 6"],
    ["number", { unit: "x".repeat(21) }, "unit", "must be text of at most 20 characters, without spaces at its ends"],
    ["number", { unit: " " }, "unit", "must be text of at most 20 characters, without spaces at its ends"],
    ["checkbox", { group: "Pets", min: 1 }, "min", 'must be a whole number from 0 to 100 as text, such as "1"'],
    ["checkbox", { group: "Pets", max: "0" }, "max", 'must be a whole number from 1 to 100 as text, such as "1"'],
    ["checkbox", { min: "1" }, "group", "is required where the number of ticked boxes is limited"],
    ["checkbox", { group: "Pets", min: "3", max: "2" }, "max", "must not be less than the number that must be ticked"],
    ["signature", { sender_fills: true }, "sender_fills", "can only be filled in by the signer"],
    ["label", { sender_fills: true }, "sender_fills", "a label is always filled in by the sender"],
    ["label", { multiline: true }, "multiline", "a field of type label has no such setting"],
  ] as const)("a %s field cannot have %j", (type, given, setting, message) => {
    expect(read(type, given)).toEqual([{ setting, message }]);
  });

  test("all mistakes are reported at once", () => {
    expect(read("text", { max_length: -1, format: "x", places: 1 })).toHaveLength(3);
  });

  const held = (type: keyof typeof fieldTypes, given: object, value: unknown) => fieldTypes[type].held({ options: null, ...given }, value);

  test.each([
    ["text", { format: "phone" }, "+44 20 7946-0000", "+442079460000"],
    ["text", { format: "email" }, " ann@example.com ", "ann@example.com"],
    ["text", { format: "letters" }, "Zoë O’Neil-Łuk", "Zoë O’Neil-Łuk"],
    ["text", { mask: "99-AA-9*" }, "12-ÄB-3z", "12-ÄB-3z"],
    ["text", { mask: "Ñ-99" }, "N\u0303-12", "Ñ-12"],
    ["text", { mask: "AA" }, "e\u0301\u{20bb7}", "é\u{20bb7}"],
    ["text", { mask: "№ 99 ☎" }, " № 12 ☎ ", "№ 12 ☎"],
    ["text", { max_length: 2 }, "\u{20bb7}\u{20bb7}", "\u{20bb7}\u{20bb7}"],
    ["text", { format: "phone", max_length: 7 }, "+12-34 56", "+123456"],
    ["text", { format: "phone" }, `+${"1".repeat(15)}`, `+${"1".repeat(15)}`],
    ["text", { multiline: true }, "a\nb", "a\nb"],
    ["text", {}, "a\nb", "a\nb"],
    ["date", {}, "2028-02-29", "2028-02-29"],
    ["date", { latest: "2028-02-29" }, "2028-02-29", "2028-02-29"],
    ["number", { min: "0" }, "-0.00", "-0.00"],
    ["number", { max: "-0.5" }, "-0.50", "-0.50"],
    ["number", { places: 2 }, "5", "5.00"],
    ["number", { places: 0 }, "5.0", "5"],
    ["number", { places: 1 }, "5.500", "5.5"],
    ["number", { min: "0.1", max: "0.3" }, "0.30", "0.30"],
    ["number", { max: "9007199254740993" }, "9007199254740993", "9007199254740993"],
    ["date", { earliest: "2027-01-01" }, "2027-01-01", "2027-01-01"],
  ] as const)("a %s field with %j holds %j as %j", (type, given, value, kept) => {
    expect(held(type, given, value)).toBe(kept);
  });

  test.each([
    ["text", { format: "phone" }, "020 7946", "must be a phone number with its country code, such as +44 20 7946 0000"],
    ["text", { format: "email" }, "ann@example", "must be an e-mail address such as ann@example.com"],
    ["text", { format: "digits" }, "12a", "must consist of digits only"],
    ["text", { mask: "99-AA" }, "12-A", "must have the form 99-AA"],
    ["text", { mask: "99" }, "1٢", "must have the form 99"],
    ["text", { multiline: false }, "a\nb", "must be a single line"],
    ["text", { max_length: 40 }, "a\nb", "must be a single line"],
    ["text", { sender_fills: true }, "a\u2028b", "must be a single line"],
    ["text", { mask: "A" }, "\u0301", "must have the form A"],
    ["text", { max_length: 2 }, "\u{20bb7}\u{20bb7}\u{20bb7}", "must be text of at most 2 characters, without control characters"],
    ["text", { format: "phone" }, "+12345", "must be a phone number with its country code, such as +44 20 7946 0000"],
    ["text", { format: "phone" }, `+${"1".repeat(16)}`, "must be a phone number with its country code, such as +44 20 7946 0000"],
    ["text", { format: "letters" }, "Ann 2", "must consist of letters, spaces, hyphens and apostrophes only"],
    ["date", {}, "2027-02-29", "must be a date in the form YYYY-MM-DD"],
    ["date", {}, "2100-02-29", "must be a date in the form YYYY-MM-DD"],
    ["date", { earliest: "2028-02-29" }, "2028-02-28", "must not be before 2028-02-29"],
    ["text", { max_length: 3 }, "abcd", "must be text of at most 3 characters, without control characters"],
    ["number", { places: 2 }, "5.001", "must have at most 2 digits after the decimal point"],
    ["number", { places: 0 }, "5.01", "must be a whole number"],
    ["number", { min: "0.1" }, "0.09", "must be at least 0.1"],
    ["number", { max: "9007199254740993" }, "9007199254740994", "must be at most 9007199254740993"],
    ["date", { latest: "2027-01-01" }, "2027-01-02", "must not be after 2027-01-01"],
    ["date", { fill: "signing_day" }, "2027-01-02", "is filled in with the day of signing"],
  ] as const)("a %s field with %j does not hold %j", (type, given, value, message) => {
    expect(held(type, given, value)).toMatchObject({ message });
  });
});

describe("defaults", () => {
  test("of a request are for text and dates", () => {
    const { text, date } = fieldTypes;
    const taking = types.filter(([, { requestDefault }]) => requestDefault !== undefined).map(([name]) => name);
    expect(taking.filter((name) => ["signature", "initials", "text", "date", "checkbox"].includes(name))).toEqual(["text", "date"]);
    expect([text.requestDefault?.(none, "any"), date.requestDefault?.(none, "2026-01-31")]).toEqual(["any", "2026-01-31"]);
    expect(fieldTypes.number.requestDefault?.({ options: null, places: 2 }, "750")).toBe("750.00");
    expect(fieldTypes.label.requestDefault?.(none, "a\u202eb")).toEqual(INVALID);
    expect(date.requestDefault?.(none, "2026-02-30")).toEqual({ code: "invalid_format", message: "must be a date in the form YYYY-MM-DD" });
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
