import { expect, test } from "vitest";
import { redact } from "./log.ts";

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
