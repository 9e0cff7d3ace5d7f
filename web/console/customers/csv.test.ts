import { describe, expect, test } from "vitest";
import { csvOf } from "./csv.ts";

describe("CSV for a spreadsheet", () => {
  test("escapes quotes, keeps line breaks, and contains no formulas", () => {
    expect(
      csvOf([
        ["row", "column"],
        [2, '=HYPERLINK("http://x")'],
        [-3, null],
      ]),
    ).toBe('"row","column"\r\n"2","\'=HYPERLINK(""http://x"")"\r\n"-3",""\r\n');
    for (const start of ["=", "+", "-", "@", "\t", "\r"]) expect(csvOf([[`${start}1`]])).toBe(`"'${start}1"\r\n`);
  });
});
