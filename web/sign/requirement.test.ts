import { locales } from "@countersign/client/lists";
import type { FieldSettings } from "@countersign/client/pages";
import { describe, expect, test } from "vitest";
import { requirement } from "./requirement.ts";

describe("what a field takes is said in a sentence", () => {
  const say = (type: Parameters<typeof requirement>[0]["type"], settings: FieldSettings, language = "en" as const) =>
    requirement({ type, settings }, language);

  test.each([
    ["text", { format: "digits" }, "Enter digits only."],
    ["text", { mask: "99-AA" }, "Use the form 99-AA: 9 is a digit, A a letter, * either."],
    ["text", { max_length: 1 }, "At most 1 character."],
    ["text", { max_length: 40, multiline: true }, "At most 40 characters."],
    ["text", { sender_fills: true }, null],
    ["number", { min: "0.5", max: "10", unit: "EUR" }, "Enter a number from 0.5\u00a0EUR to 10\u00a0EUR."],
    ["number", { max: "10", places: 1 }, "Enter a number of at most 10 with at most 1 decimal."],
    ["number", { places: 0 }, "Enter a number without decimals."],
    ["number", { unit: "EUR" }, null],
    ["date", { earliest: "2028-02-29" }, "Enter 29 Feb 2028 or a later day."],
    ["date", { fill: "signing_day" }, null],
    ["checkbox", { group: "Pets", min: "1", max: "2" }, "Pets: Tick 1 to 2 of these boxes."],
    ["checkbox", { group: "Pets", min: "2", max: "2" }, "Pets: Tick exactly 2 of these boxes."],
    ["checkbox", { group: "Pets", min: "0", max: "2" }, "Pets: Tick at most 2 of these boxes."],
    ["checkbox", { group: "Pets", min: "0" }, null],
    ["checkbox", { group: "Pets" }, null],
    ["select", {}, null],
  ] as const)("%s with %j: %s", (type, settings, sentence) => {
    expect(say(type, settings)).toBe(sentence);
  });

  test("in every language, with numbers and dates as they are written there", () => {
    const said = (type: "number" | "date" | "checkbox" | "text", settings: FieldSettings) =>
      locales.map((language) => requirement({ type, settings }, language));
    const every = [
      ...(["email", "phone", "digits", "letters"] as const).map((format) => said("text", { format })),
      ...[said("text", { mask: "9" }), said("text", { max_length: 1 }), said("text", { max_length: 2 })],
      ...[said("number", { min: "1.5" }), said("number", { min: "1", max: "2" }), said("number", { max: "2" })],
      ...[said("number", { places: 0 }), said("number", { places: 1 }), said("number", { places: 2 })],
      ...[said("date", { earliest: "2027-03-01" }), said("date", { latest: "2027-03-01" })],
      said("date", { earliest: "2027-03-01", latest: "2027-03-02" }),
      ...[said("checkbox", { group: "G", min: "1" }), said("checkbox", { group: "G", max: "1" })],
      ...[said("checkbox", { group: "G", min: "1", max: "2" }), said("checkbox", { group: "G", min: "1", max: "1" })],
    ];
    for (const sentences of every) {
      expect(new Set(sentences).size, `${sentences}`).toBe(locales.length);
      for (const sentence of sentences) expect(sentence).toMatch(/^\S.*\S\.$/);
    }
    const german = (type: "number" | "date", settings: FieldSettings) => requirement({ type, settings }, "de");
    expect([german("number", { min: "1.5" }), german("date", { latest: "2027-03-01" })]).toEqual([
      "Geben Sie eine Zahl ab 1,5 ein.",
      "Geben Sie den 01.03.2027 oder einen früheren Tag ein.",
    ]);
  });
});
