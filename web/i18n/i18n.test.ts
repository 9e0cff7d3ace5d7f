import { afterEach, expect, test, vi } from "vitest";
import { dateAndTime, day } from "./i18n.ts";

afterEach(() => void vi.unstubAllGlobals());

test.each([[["en-US@posix"]], [["en_US.UTF-8", "en-US@posix"]], [["c"]], [[]]])(
  "dates are formatted when the browser reports the languages %j",
  (languages) => {
    vi.stubGlobal("navigator", { languages });
    expect([day("2026-03-01"), dateAndTime("2026-03-01T12:00:00.000Z")]).toEqual(["March 1, 2026", expect.stringContaining("2026")]);
  },
);

test("dates follow the browser's region when it matches the page's language", () => {
  vi.stubGlobal("navigator", { languages: ["fr-FR", "en-GB", "en-US"] });
  expect(day("2026-03-01")).toBe("1 March 2026");
});
