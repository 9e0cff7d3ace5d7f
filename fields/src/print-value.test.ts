import { expect, test } from "vitest";
import { printed, printLanguages } from "./print-value.ts";

test.each([
  ["number", "1200.50", { en: "1200.50", es: "1200,50", fr: "1200,50", de: "1200,50" }],
  ["number", "-3", { en: "-3", es: "-3", fr: "-3", de: "-3" }],
  ["date", "2027-03-01", { en: "1 Mar 2027", es: "01/03/2027", fr: "01/03/2027", de: "01.03.2027" }],
  ["date", "2027-12-31", { en: "31 Dec 2027", es: "31/12/2027", fr: "31/12/2027", de: "31.12.2027" }],
  ["text", "1200.50", { en: "1200.50", es: "1200.50", fr: "1200.50", de: "1200.50" }],
  ["text", "2027-03-01", { en: "2027-03-01", es: "2027-03-01", fr: "2027-03-01", de: "2027-03-01" }],
] as const)("a %s %s is written as each language writes it", (control, held, forms) => {
  expect(Object.fromEntries(printLanguages.map((language) => [language, printed(control, held, language)]))).toEqual(forms);
});

test.each([
  ["number", "1200,50"],
  ["number", "+5"],
  ["date", "1.3.2027"],
] as const)("a %s that an earlier version held as %s is written as it is", (control, held) => {
  for (const language of printLanguages) expect(printed(control, held, language)).toBe(held);
});
