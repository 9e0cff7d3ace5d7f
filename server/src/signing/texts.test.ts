import { expect, test } from "vitest";
import { locales } from "../shared/locales.ts";
import { currentTexts } from "./texts.ts";

test.each(["disclosure", "intent"] as const)("the current %s is published in every language of the pages", (kind) => {
  expect(currentTexts(kind).map(({ locale }) => locale)).toEqual(locales);
});
