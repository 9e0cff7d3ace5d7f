import { afterEach, expect, test, vi } from "vitest";
import { dateAndTime } from "./i18n.ts";

afterEach(() => void vi.unstubAllGlobals());

test.each([[["en-US@posix"]], [["en_US.UTF-8", "en-US@posix"]], [["c"]], [[]]])(
  "dates are formatted when the browser reports the languages %j",
  (languages) => {
    vi.stubGlobal("navigator", { languages });
    expect(dateAndTime("2026-03-01T12:00:00.000Z")).toContain("2026");
  },
);

test("dates follow the browser's region when it matches the page's language", () => {
  vi.stubGlobal("navigator", { languages: ["fr-FR", "en-GB", "en-US"] });
  expect(dateAndTime("2026-03-01T12:00:00.000Z")).toContain("1 March 2026");
});
