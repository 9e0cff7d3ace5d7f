import { describe, expect, test } from "vitest";
import { csvOf, rowsOf } from "./csv.ts";

describe("a file of customers is read as the service reads it", () => {
  test("quotes hold separators, line ends and quotes", () => {
    expect(rowsOf('name,email\r\n"Ann, ""the"" first\r\nof two",ann@example.com\r\n')).toEqual([
      ["name", "email"],
      ['Ann, "the" first\nof two', "ann@example.com"],
    ]);
  });

  test("a quote inside a cell that is not quoted is part of it", () => {
    expect(rowsOf('name\n6" pipe\n"6"" pipe"x\n')).toEqual([["name"], ['6" pipe'], ['6" pipex']]);
  });

  test("semicolons separate where the header has no comma", () => {
    expect(rowsOf("name;email\nAnn, of Acme;ann@example.com")).toEqual([
      ["name", "email"],
      ["Ann, of Acme", "ann@example.com"],
    ]);
    expect(rowsOf("name,email;x\na;b,c")).toEqual([
      ["name", "email;x"],
      ["a;b", "c"],
    ]);
  });

  test("any line end counts once, and a last row needs none", () => {
    expect(rowsOf("a\rb\r\nc\n\nd")).toEqual([["a"], ["b"], ["c"], [""], ["d"]]);
    expect(rowsOf('a\n""')).toEqual([["a"], [""]]);
    expect(rowsOf("")).toEqual([]);
  });

  test("of a text that was cut off the last row is not told", () => {
    expect(rowsOf('name\nAnn\n"Sa', { isCut: true })).toEqual([["name"], ["Ann"]]);
  });
});

describe("what is written for a spreadsheet", () => {
  test("holds quotes and line ends, and no formula", () => {
    expect(
      csvOf([
        ["row", "column"],
        [2, '=HYPERLINK("http://x")'],
        [-3, null],
      ]),
    ).toBe('"row","column"\r\n"2","\'=HYPERLINK(""http://x"")"\r\n"-3",""\r\n');
    for (const opening of ["=", "+", "-", "@", "\t", "\r"]) expect(csvOf([[`${opening}1`]])).toBe(`"'${opening}1"\r\n`);
  });
});
