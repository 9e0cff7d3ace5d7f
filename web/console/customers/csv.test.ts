import { describe, expect, test } from "vitest";
import { csvOf, rowsOf } from "./csv.ts";

describe("a CSV file is parsed in the same way as on the server", () => {
  test("quoted cells can contain separators, line breaks and quotes", () => {
    expect(rowsOf('name,email\r\n"Ann, ""the"" first\r\nof two",ann@example.com\r\n')).toEqual([
      ["name", "email"],
      ['Ann, "the" first\nof two', "ann@example.com"],
    ]);
  });

  test("a quote inside an unquoted cell is part of its text", () => {
    expect(rowsOf('name\n6" pipe\n"6"" pipe"x\n')).toEqual([["name"], ['6" pipe'], ['6" pipex']]);
  });

  test("semicolons separate cells if the header contains no comma", () => {
    expect(rowsOf("name;email\nAnn, of Acme;ann@example.com")).toEqual([
      ["name", "email"],
      ["Ann, of Acme", "ann@example.com"],
    ]);
    expect(rowsOf("name,email;x\na;b,c")).toEqual([
      ["name", "email;x"],
      ["a;b", "c"],
    ]);
  });

  test("every kind of line break is supported, and the last row needs none", () => {
    expect(rowsOf("a\rb\r\nc\n\nd")).toEqual([["a"], ["b"], ["c"], [""], ["d"]]);
    expect(rowsOf('a\n""')).toEqual([["a"], [""]]);
    expect(rowsOf("")).toEqual([]);
  });

  test("the last row of a truncated text is dropped", () => {
    expect(rowsOf('name\nAnn\n"Sa', { isCut: true })).toEqual([["name"], ["Ann"]]);
  });
});

describe("CSV for a spreadsheet", () => {
  test("escapes quotes, keeps line breaks, and contains no formulas", () => {
    expect(
      csvOf([
        ["row", "column"],
        [2, '=HYPERLINK("http://x")'],
        [-3, null],
      ]),
    ).toBe('"row","column"\r\n"2","\'=HYPERLINK(""http://x"")"\r\n"-3",""\r\n');
    for (const preview of ["=", "+", "-", "@", "\t", "\r"]) expect(csvOf([[`${preview}1`]])).toBe(`"'${preview}1"\r\n`);
  });
});
