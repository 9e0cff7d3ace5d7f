import { expect, test } from "vitest";
import { rowsOf } from "./rows-of.ts";
import { writeCsv } from "./write-csv.ts";

test("rows are read back as they were written", () => {
  const rows = [
    ["name", "note"],
    ['Ann "the first", of Example', "two\r\nlines"],
    ["", "Zoë"],
  ];
  expect(rowsOf(writeCsv(rows))).toEqual(rows);
});

test("a text that a spreadsheet would run is marked as text, and numbers are not", () => {
  expect(writeCsv([["=1+1", "-2", "@cmd", -2, null]])).toBe("'=1+1,'-2,'@cmd,-2,\r\n");
});
