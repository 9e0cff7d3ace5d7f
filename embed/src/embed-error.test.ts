import { expect, test } from "vitest";
import { EmbedError, rejectApiKey } from "./embed-error.ts";
import { sameOriginUrl } from "./renew.ts";

const key = `lk_${"0a".repeat(20)}`;

test.each([key, `Bearer ${key}`, `/embed-url?key=${key}`])("an API key in an attribute is rejected and not repeated: %s", (value) => {
  expect(() => rejectApiKey(["/embed-url", value])).toThrow(EmbedError);
  expect(() => rejectApiKey([value])).toThrow(expect.objectContaining({ message: expect.not.stringContaining(key) }));
});

test.each(["", "/embed-url", "lk_01m7enkvncfvxvhrey7c9vtv93", "lk_", `LK_${"0a".repeat(20)}`])("%j is not an API key", (value) => {
  expect(() => rejectApiKey([value])).not.toThrow();
});

const origin = "https://app.example.com";
const base = `${origin}/contracts/17`;

test.each([
  ["/embed-url", `${origin}/embed-url`],
  ["embed-url?envelope=1", `${origin}/contracts/embed-url?envelope=1`],
  [`${origin}/embed-url`, `${origin}/embed-url`],
])("renew-url %s resolves to %s", (renewUrl, expected) => {
  expect(sameOriginUrl(renewUrl, base, origin)).toBe(expected);
});

test.each([
  "https://other.example.com/embed-url",
  "//other.example.com/embed-url",
  "http://app.example.com/embed-url",
  "javascript:alert(1)",
  "https://[",
])("renew-url %s is rejected", (renewUrl) => {
  expect(() => sameOriginUrl(renewUrl, base, origin)).toThrow(EmbedError);
});
