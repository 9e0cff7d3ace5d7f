import { describe, expect, test } from "vitest";
import fc from "../../../testing/properties.ts";
import { parseRetryAfter, RETRY_SCHEDULE, retryDelay, type Tried } from "./retry-schedule.ts";

const answered = (code: number, retry_after_seconds: number | null = null): Tried => ({
  kind: "answered",
  code,
  retry_after_seconds,
});
const MIDDLE = 0.5;

test("ten attempts over about 76 hours", () => {
  const delays = Array.from({ length: 10 }, (_, n) => retryDelay(RETRY_SCHEDULE, n + 1, answered(500), MIDDLE));
  expect(delays).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
  const hours = delays.reduce<number>((sum, delay) => sum + (delay ?? 0), 0) / 3600;
  expect(Math.round(hours)).toBe(76);
});

test("a delay differs from the planned one by up to a fifth", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 1, noNaN: true }), (failures, random) => {
      const planned = RETRY_SCHEDULE[failures - 1] ?? 0;
      const delay = retryDelay(RETRY_SCHEDULE, failures, answered(500), random) ?? 0;
      expect(delay).toBeGreaterThanOrEqual(planned * 0.8 - 1e-6);
      expect(delay).toBeLessThanOrEqual(planned * 1.2 + 1e-6);
    }),
  );
});

test("after 429, 502, 504 and a time-out it is at least a minute", () => {
  for (const outcome of [answered(429), answered(502), answered(504), { kind: "failed", error: "timeout" } as const]) {
    expect(retryDelay(RETRY_SCHEDULE, 1, outcome, 0)).toBe(60);
    expect(retryDelay(RETRY_SCHEDULE, 2, outcome, MIDDLE)).toBe(300);
  }
  expect(retryDelay(RETRY_SCHEDULE, 1, { kind: "failed", error: "connection_error" }, MIDDLE)).toBe(5);
});

test("Retry-After is respected between the delay and twice the delay", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 1_000_000 }), (failures, asked) => {
      const delay = retryDelay(RETRY_SCHEDULE, failures, answered(503), MIDDLE) ?? 0;
      expect(retryDelay(RETRY_SCHEDULE, failures, answered(503, asked), MIDDLE)).toBe(Math.min(Math.max(asked, delay), 2 * delay));
    }),
  );
});

describe("parseRetryAfter", () => {
  const now = Date.parse("2026-01-05T09:30:00Z");
  test.each([
    ["120", 120],
    ["0", 0],
    ["Mon, 05 Jan 2026 09:31:00 GMT", 60],
    ["Mon, 05 Jan 2026 09:00:00 GMT", 0],
    ["", null],
    ["-5", null],
    ["1.5", null],
    ["12abc", null],
    ["tomorrow", null],
    ["2026-01-06", null],
    ["9".repeat(30), null],
  ])("%j is %j seconds", (header, seconds) => {
    expect(parseRetryAfter(header, now)).toBe(seconds);
  });
  test("a missing header is null", () => expect(parseRetryAfter(undefined, now)).toBeNull());
});
