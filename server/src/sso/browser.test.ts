import { expect, test } from "vitest";
import { newToken } from "../shared/secrets.ts";
import { browserCookie, browserFor, browserOf } from "./browser.ts";

const deps = { publicUrl: "https://sign.example.com" };

test("over https, the cookie is one that pages of neighbouring hosts cannot set, and one of theirs does not count", () => {
  const mine = newToken();
  const line = browserCookie(deps, mine);
  expect(line).toBe(`__Host-countersign_sso=${mine}; Path=/; HttpOnly; SameSite=Lax; Max-Age=600; Secure`);
  const planted = { cookies: { countersign_sso: newToken() } };
  expect(browserOf(deps, planted)).toBeNull();
  expect(browserFor(deps, planted)).not.toBe(planted.cookies.countersign_sso);
  expect(browserOf(deps, { cookies: { ...planted.cookies, "__Host-countersign_sso": mine } })).toBe(mine);
});
