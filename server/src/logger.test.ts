import { expect, test } from "vitest";
import { forPeople, redact, withoutConnection } from "./logger.ts";

test.each([
  [`key lk_${"a1".repeat(20)} used`, "key lk_[redacted] used"],
  ["whsec_c2VjcmV0", "whsec_[redacted]"],
  ["Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln", "Bearer [redacted token]"],
  ["http://localhost/console/setup#token=abc-DEF_1", "http://localhost/console/setup#token=[redacted]"],
  ["postgres://owner:secret@db:5432/x", "postgres://owner:[redacted]@db:5432/x"],
  ["lk_01m7enkvncfvxvhrey7c9vtv93 is an id", "lk_01m7enkvncfvxvhrey7c9vtv93 is an id"],
])("%s is logged as %s", (line, logged) => {
  expect(redact(line)).toBe(logged);
});

test("a terminal shows one short line per request, and all data of a failure", () => {
  const line = {
    level: 30,
    time: "2026-01-02T03:04:05.678Z",
    request_id: "req_1",
    method: "GET",
    route: "/api/v2/auth/me",
    status: 401,
    duration_ms: 3.1,
    problem: "invalid_session",
    msg: "request",
  };
  expect(forPeople(JSON.stringify(line))).toBe("03:04:05 GET /api/v2/auth/me 401 3.1 ms invalid_session\n");
  expect(forPeople(JSON.stringify({ level: 50, time: "2026-01-02T03:04:05.678Z", err: { message: "no" }, msg: "worker loop" }))).toBe(
    '03:04:05 worker loop {"err":{"message":"no"}}\n',
  );
});

test("an error is logged with its code and cause, and without the connection that was lost", () => {
  const lost = Object.assign(new Error("lost", { cause: new Error("reset") }), { code: "57P01", client: { host: "db" } });
  const logged = withoutConnection(lost);
  expect(logged).toMatchObject({ type: "Error", message: "lost: reset", code: "57P01", stack: expect.stringContaining("lost") });
  expect(logged).not.toHaveProperty("client");
  expect(withoutConnection("a text")).toBe("a text");
});
