import { expect, test } from "vitest";
import { sheetOf } from "./screens-sheet.mjs";

const taken = {
  desktop: ["console-21-envelopes-dark.png", "console-21-envelopes.png"],
  phone: ["console-21-envelopes.png", "01-consent.png"],
};
const hrefs = (sheet: string) => [...sheet.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href);

test("the sheet has one row per screen, with both devices, light and dark", () => {
  expect(hrefs(sheetOf(taken, null))).toEqual([
    "phone/01-consent.png",
    "desktop/console-21-envelopes.png",
    "desktop/console-21-envelopes-dark.png",
    "phone/console-21-envelopes.png",
  ]);
});

test("the pictures of the design stand before the screen that they show, and the others at the end", () => {
  const design = {
    folder: "/design",
    files: ["02-envelopes-phone.png", "02-envelopes.png", "09-sign-phone-1-consent.png", "12-components.png"],
  };
  expect(hrefs(sheetOf(taken, design))).toEqual([
    "file:///design/09-sign-phone-1-consent.png",
    "phone/01-consent.png",
    "file:///design/02-envelopes-phone.png",
    "file:///design/02-envelopes.png",
    "desktop/console-21-envelopes.png",
    "desktop/console-21-envelopes-dark.png",
    "phone/console-21-envelopes.png",
    "file:///design/12-components.png",
  ]);
});
