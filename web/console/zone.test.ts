import { afterEach, describe, expect, test } from "vitest";
import { chooseZone, zones } from "./account/choose-zone.ts";
import { endOf } from "./keys/limits.ts";
import { timeZone } from "./zone.ts";
import { filterDay, inputTime, midnight, momentOf } from "./zone-inputs.ts";

/** Times that are read and entered in a zone that the user chose. */

afterEach(() => chooseZone(""));

describe("a chosen zone", () => {
  test.each([
    ["UTC", "2026-11-19T01:30:00.000Z", "2026-11-19T01:30"],
    ["Europe/Berlin", "2026-07-01T22:30:00.000Z", "2026-07-02T00:30"],
    ["America/New_York", "2026-01-01T03:00:00.000Z", "2025-12-31T22:00"],
    ["Asia/Kolkata", "2026-01-01T00:00:00.000Z", "2026-01-01T05:30"],
    ["Pacific/Kiritimati", "2026-01-01T12:00:00.000Z", "2026-01-02T02:00"],
  ])("%s: %s is entered as %s, and means it", (name, iso, input) => {
    chooseZone(name);
    expect(timeZone()).toBe(name);
    expect(inputTime(iso)).toBe(input);
    expect(momentOf(input)).toBe(iso);
  });

  test("an hour that is skipped means an hour later, and one that happens twice means one of the two", () => {
    chooseZone("Europe/Berlin");
    expect(momentOf("2026-03-29T02:30")).toBe("2026-03-29T01:30:00.000Z");
    expect(["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"]).toContain(momentOf("2026-10-25T02:30"));
  });

  test("a day begins and ends at its midnights, also when it has 23 or 25 hours; there is no 31 February", () => {
    chooseZone("Europe/Berlin");
    const hours = (day: string) => (Date.parse(midnight(day, 1) ?? "") - Date.parse(midnight(day) ?? "")) / 3_600_000;
    expect(["2026-03-28", "2026-03-29", "2026-10-25"].map(hours)).toEqual([24, 23, 25]);
    expect(midnight("2026-12-31", 1)).toBe("2026-12-31T23:00:00.000Z");
    for (const wrong of ["2026-02-31", "2026-13-01", "2026-1-1", "", null]) expect(midnight(wrong), String(wrong)).toBeNull();
  });

  test("the last day of the calendar has an end too", () => {
    chooseZone("UTC");
    expect(midnight("9999-12-31", 1)).toBe("+010000-01-01T00:00:00.000Z");
  });

  test("a list is filtered by days that its service takes; a later or earlier one means the last or first", () => {
    const days = ["2026-11-19", "2999-01-01", "0026-11-19", "9999-12-31"];
    expect(days.map(filterDay)).toEqual(["2026-11-19", "2100-12-31", "1970-01-01", "2100-12-31"]);
    for (const wrong of ["2026-02-31", "12026-01-01", "yesterday", "", null]) expect(filterDay(wrong), String(wrong)).toBeNull();
  });

  test("the last day of a key is never lost: one that the form cannot mean is left to the service, which refuses it", () => {
    chooseZone("UTC");
    expect([endOf(""), endOf("2026-12-31")]).toEqual([null, "2027-01-01T00:00:00.000Z"]);
    expect(endOf("9999-12-31")).toBe("2101-01-01T00:00:00.000Z");
    expect(endOf("12026-12-31")).toBe("12026-12-31");
  });

  test("is offered together with that of the computer and UTC", () => {
    expect(zones().slice(0, 2)).toEqual(["", "UTC"]);
    expect(zones()).toContain("Europe/Berlin");
    chooseZone("");
    expect(timeZone()).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  });
});
