import { expect, test } from "vitest";
import { pagesOf } from "./page-list.ts";

test("page numbers and ranges are parsed into a sorted list without duplicates", () => {
  expect(pagesOf("2-4,7", 9)).toEqual([2, 3, 4, 7]);
  expect(pagesOf(" 7 , 2 – 3, 3", 9)).toEqual([2, 3, 7]);
});

test("invalid text and pages that do not exist are rejected", () => {
  for (const text of ["", ",", "a", "0", "4-2", "1-10", "1;2", "-3", "1.5"]) expect(pagesOf(text, 9), text).toBeNull();
});
