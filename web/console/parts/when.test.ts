import { expect, test } from "vitest";
import { fromNow } from "./when.tsx";

const now = Date.parse("2026-11-18T12:00:00Z");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The day on which the clocks change has 23 or 25 hours. */
test.each([
  ["2027-03-27T12:00:00+01:00", "2027-03-30T12:00:00+02:00", "in 3 days"],
  ["2027-10-30T12:00:00+02:00", "2027-11-02T12:00:00+01:00", "in 3 days"],
  ["2027-03-14T12:00:00-07:00", "2027-03-13T12:00:00-08:00", "23 hours ago"],
  ["2027-10-31T12:00:00+01:00", "2027-10-30T12:00:00+02:00", "1 day ago"],
  ["2027-03-27T12:00:00+01:00", "2027-04-26T12:00:00+02:00", "in 30 days"],
])("at %s, %s is %s, over the change of the clocks", (at, iso, said) => {
  expect(fromNow(new Date(iso).toISOString(), Date.parse(at))).toBe(said);
});

test.each([
  [30_000, "in a moment"],
  [-30_000, "just now"],
  [-90_000, "1 minute ago"],
  [HOUR - 20_000, "in 1 hour"],
  [-23 * HOUR, "23 hours ago"],
  [30 * DAY - 5_000, "in 30 days"],
  [59 * DAY, "in 59 days"],
  [-1 * DAY, "1 day ago"],
  [61 * DAY, "in 2 months"],
  [-400 * DAY, "13 months ago"],
  [3 * 365.25 * DAY, "in 3 years"],
])("%i ms from now is %s", (ms, said) => {
  expect(fromNow(new Date(now + ms).toISOString(), now)).toBe(said);
});
