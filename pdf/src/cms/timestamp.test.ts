import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { makeRoot, NOW } from "../../fixtures/certificates.ts";
import { makeAuthority, type Wrong } from "../../fixtures/time-stamp-authority.ts";
import { readTimestampAnswer, timestampRequest } from "./timestamp.ts";

const authority = await makeAuthority();
const asked = { imprint: new Uint8Array(32).fill(5), nonce: Uint8Array.from([0x80, 1, 2, 3, 4, 5, 6, 7]) };

test("a granted response for our imprint and nonce gives its token and time", () => {
  const answer = authority.answer(timestampRequest(asked));
  expect(readTimestampAnswer(answer, { ...asked, roots: [authority.root] })).toEqual({
    token: expect.any(Uint8Array),
    at: NOW.toISOString(),
  });
});

test("a nonce with leading zeros is the same number", () => {
  const small = { ...asked, nonce: Uint8Array.from([0, 0, 0, 0x80, 1, 2, 3, 4]) };
  expect(readTimestampAnswer(authority.answer(timestampRequest(small)), { ...small, roots: [authority.root] }).at).toBe(NOW.toISOString());
});

test.each<[string, Wrong, string]>([
  ["a refusal", { status: 2 }, "refused (status 2)"],
  ["another nonce", { nonce: randomBytes(8) }, "nonce"],
  ["another imprint", { imprint: randomBytes(32) }, "imprint_mismatch"],
  ["a response over 64 KB", { padding: 65_536 }, "longer than"],
])("%s is rejected", (_name, wrong, message) => {
  const answer = authority.answer(timestampRequest(asked), wrong);
  expect(() => readTimestampAnswer(answer, { ...asked, roots: [authority.root] })).toThrow(message);
});

test("an unknown authority, a certificate that is not for time stamping, and garbage are rejected", async () => {
  const roots = [(await makeRoot()).certificate];
  const answer = authority.answer(timestampRequest(asked));
  expect(() => readTimestampAnswer(answer, { ...asked, roots })).toThrow("untrusted");
  const careless = await makeAuthority({ critical: false });
  const theirs = careless.answer(timestampRequest(asked));
  expect(() => readTimestampAnswer(theirs, { ...asked, roots: [careless.root] })).toThrow("not_for_time_stamping");
  expect(() => readTimestampAnswer(new Uint8Array(9), { ...asked, roots })).toThrow("cannot be read");
});

test("a changed byte in a response is noticed or harmless and never gives another time", () => {
  const answer = authority.answer(timestampRequest(asked));
  for (let at = 0; at < answer.length; at += 5) {
    const flipped = Uint8Array.from(answer);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    try {
      expect(readTimestampAnswer(flipped, { ...asked, roots: [authority.root] }).at).toBe(NOW.toISOString());
    } catch (error) {
      expect(error).toMatchObject({ name: "TimestampFault" });
    }
  }
});
