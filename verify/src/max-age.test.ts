import { expect, test } from "vitest";
import { ageFault, readAge } from "./max-age.ts";

const now = new Date("2026-03-05T12:00:00.000Z");
const faultOf = (at: string) => ageFault(at, readAge("24h"), now);

test("a bundle is too old if it is as of an earlier time than the age allows", () => {
  expect(faultOf("2026-03-04T12:00:00.000Z")).toBeNull();
  expect(faultOf("2026-03-04T11:59:59.999Z")).toMatch(/^The bundle is as of 2026-03-04T11:59:59\.999Z, which is more than 24h before /);
});

test("a bundle that is as of a time to come is refused, beyond what clocks differ by", () => {
  expect(faultOf("2026-03-05T12:05:00.000Z")).toBeNull();
  expect(faultOf("2099-01-01T00:00:00.000Z")).toBe(
    "The bundle is as of 2099-01-01T00:00:00.000Z, which is after 2026-03-05T12:00:00.000Z.",
  );
});
