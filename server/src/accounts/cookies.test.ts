import { describe, expect, test } from "vitest";
import type { Answer } from "../../test/client.ts";
import { newApp } from "../../test/factors.ts";
import { PASSWORD, type TestOrg, testService } from "../../test/service.ts";

/** Cookies over https, where pages of neighbouring hosts can set some for this one. */

const PUBLIC_URL = "https://sign.example.com";
const service = testService({ PUBLIC_URL });
const [REFRESH, DEVICE] = ["countersign_refresh", "countersign_device"];

const linesOf = ({ headers }: Answer): string[] => [headers["set-cookie"] ?? []].flat();
/** The value of a cookie that is set, not removed. */
const setValue = (answer: Answer, name: string): string | undefined =>
  linesOf(answer).flatMap((line) => new RegExp(`^${name}=([\\w-]{43});`).exec(line)?.[1] ?? [])[0];
/** Bytes, so that the headers are sent in Latin-1 too. */
const post = (path: string, cookie: string, body: object = {}) =>
  service.send("POST", path, {
    raw: Buffer.from(JSON.stringify(body)),
    headers: { origin: PUBLIC_URL, "content-type": "application/json", "user-agent": "Firefox", ...(cookie !== "" && { cookie }) },
  });
const logIn = ({ email }: TestOrg, cookie = "", more: object = {}) => post("/auth/login", cookie, { email, password: PASSWORD, ...more });
const cookieOf = async (org: TestOrg) => setValue(await logIn(org), `__Host-${REFRESH}`) ?? expect.fail("no cookie was set");
const whose = (answer: Answer) => [answer.status, answer.json.data?.user.email];

/** As an earlier version began it. */
const madeOld = ({ user_id }: TestOrg) =>
  service.database.owner("update sessions set cookie_without_prefix = true where user_id = $1", [user_id]);

describe("a session", () => {
  test("has cookies with the prefix, and those without it are removed", async () => {
    const org = await service.newOrg();
    const lines = linesOf(await logIn(org));
    expect(lines).toEqual([
      expect.stringMatching(/^__Host-countersign_refresh=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800; Secure$/),
      "countersign_refresh=; Path=/api/v2/auth; HttpOnly; SameSite=Strict; Max-Age=0; Secure",
      expect.stringMatching(/^__Host-countersign_device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=15552000; Secure$/),
      "countersign_device=; Path=/api/v2/auth; HttpOnly; SameSite=Strict; Max-Age=0; Secure",
    ]);
    const ended = await post("/auth/logout", `__Host-${REFRESH}=${await cookieOf(org)}`);
    expect(linesOf(ended)).toEqual([
      "__Host-countersign_refresh=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0; Secure",
      "countersign_refresh=; Path=/api/v2/auth; HttpOnly; SameSite=Strict; Max-Age=0; Secure",
    ]);
  });

  test("that an earlier version began goes on with the cookie that it has, and gets one with the prefix", async () => {
    const org = await service.newOrg();
    const old = await cookieOf(org);
    await madeOld(org);
    const renewed = await post("/auth/refresh", `${REFRESH}=${old}`);
    expect(whose(renewed)).toEqual([200, org.email]);
    const value = setValue(renewed, `__Host-${REFRESH}`);
    expect([value, setValue(renewed, REFRESH)]).toEqual([expect.any(String), undefined]);
    expect(whose(await post("/auth/refresh", `${REFRESH}=${old}`)), "the answer was lost").toEqual([200, org.email]);
    expect(whose(await post("/auth/refresh", `__Host-${REFRESH}=${value}`))).toEqual([200, org.email]);
    const other = await service.newOrg();
    const ending = await cookieOf(other);
    await madeOld(other);
    await post("/auth/logout", `${REFRESH}=${ending}`);
    expect((await post("/auth/refresh", `${REFRESH}=${ending}`)).status).toBe(401);
  });

  test("is not replaced by one that a neighbouring host plants, whatever the order; nor does the planted one begin to count after a sign-out", async () => {
    const [org, eve] = [await service.newOrg(), await service.newOrg()];
    const planted = `${REFRESH}=${await cookieOf(eve)}`;
    for (const isFirst of [true, false]) {
      const mine = `__Host-${REFRESH}=${await cookieOf(org)}`;
      expect(whose(await post("/auth/refresh", isFirst ? `${planted}; ${mine}` : `${mine}; ${planted}`))).toEqual([200, org.email]);
    }
    expect((await post("/auth/refresh", planted)).status).toBe(401);
    // A browser takes this name for one without the prefix. `trim` would remove the blank.
    for (const blank of ["\u00a0", "\u0085"]) {
      const name = `a=1; ${blank}__Host-${REFRESH}`;
      expect((await post("/auth/refresh", `${name}=${await cookieOf(eve)}`)).status).toBe(401);
    }
  });
});

describe("a known browser", () => {
  /** Twenty failures by others. Then only known browsers log in. */
  const pause = async (org: TestOrg) => {
    for (let n = 0; n < 20; n++) await logIn(org, "", { password: "not the password", mode: "token" });
    expect((await logIn(org)).status).toBe(429);
    await service.database.owner("delete from quotas where subject like 'refused:%'");
  };

  test("of an earlier version stays known, and gets a cookie with the prefix and another value", async () => {
    const org = await service.newOrg();
    const old = setValue(await logIn(org), `__Host-${DEVICE}`);
    await pause(org);
    const again = await logIn(org, `${DEVICE}=${old}`);
    expect(again.status).toBe(200);
    const value = setValue(again, `__Host-${DEVICE}`);
    expect([value, value === old]).toEqual([expect.any(String), false]);
    expect((await logIn(org, `__Host-${DEVICE}=${value}`)).status).toBe(200);
    expect((await logIn(org, `${DEVICE}=${old}`)).status, "the earlier cookie").toBe(429);
  });

  test("has no cookie whose value a neighbouring host knows, so that one cannot take the place of a second factor", async () => {
    const [org, eve] = [await service.newOrg(), await service.newOrg()];
    const app = await newApp(service, org.admin);
    await org.admin("PATCH", "/org/security", { body: { remember_device_days: 30 } });
    const planted = `${DEVICE}=${setValue(await logIn(eve), `__Host-${DEVICE}`)}`;
    const { login_token } = (await logIn(org, planted)).json.data;
    const finished = await post("/auth/login/second-factor", planted, { login_token, code: await app.newCode(), remember_device: true });
    expect(finished.status).toBe(200);
    const value = setValue(finished, `__Host-${DEVICE}`);
    expect((await logIn(org, planted)).status, "the code is asked for").toBe(202);
    expect((await logIn(org, planted.replace(DEVICE, `__Host-${DEVICE}`))).status).toBe(202);
    expect((await logIn(org, `${planted}; __Host-${DEVICE}=${value}`)).status).toBe(200);
  });
});
