import { expect, test } from "vitest";
import { pagesOf } from "./page-list.ts";

test("pages are read as people write them, each once and in order", () => {
  expect(pagesOf("2-4,7", 9)).toEqual([2, 3, 4, 7]);
  expect(pagesOf(" 7 , 2 – 3, 3", 9)).toEqual([2, 3, 7]);
});

test("what cannot be read, or names a page that is not there, is refused", () => {
  for (const text of ["", ",", "a", "0", "4-2", "1-10", "1;2", "-3", "1.5"]) expect(pagesOf(text, 9), text).toBeNull();
});
