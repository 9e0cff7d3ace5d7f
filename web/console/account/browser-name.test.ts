import { expect, test } from "vitest";
import { browserName } from "./browser-name.ts";

test("a user agent is shown as browser and system", () => {
  const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
  const named: readonly (readonly [string, string])[] = [
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36`, "Chrome on Windows"],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, "Edge on Windows"],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0", "Firefox on Linux"],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/18.0 Safari/605.1.15`, "Safari on macOS"],
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webkit} CriOS/140.0 Mobile/15E148 Safari/604.1`, "Chrome on iPhone"],
    [`Mozilla/5.0 (Linux; Android 15) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`, "Chrome on Android"],
    ["curl/8.5.0", "curl"],
    ["my-script 1.0", "Other program"],
    ["", "Unknown program"],
  ];
  expect(named.map(([agent]) => browserName(agent))).toEqual(named.map(([, name]) => name));
});
