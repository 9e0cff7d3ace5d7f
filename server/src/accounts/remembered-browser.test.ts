import { beforeEach, expect, test } from "vitest";
import type { Answer } from "../../test/client.ts";
import { newApp } from "../../test/factors.ts";
import { joinInSession } from "../../test/invitations.ts";
import { PASSWORD, type TestOrg, testService } from "../../test/service.ts";

const service = testService();

beforeEach(async () => {
  await service.database.owner("delete from quotas where subject like 'refused:%' or subject like 'login:%'");
});

const cookieOf = (answer: Answer): string =>
  [answer.headers["set-cookie"] ?? []]
    .flat()
    .find((line) => line.startsWith("countersign_device="))
    ?.split(";")[0] ?? "";
const browser = (cookie = "") => ({ origin: service.config.publicUrl, "user-agent": "Firefox", ...(cookie !== "" && { cookie }) });
const logIn = (org: TestOrg, cookie = "", values: object = {}): Promise<Answer> =>
  service.send("POST", "/auth/login", {
    body: { email: org.email, password: PASSWORD, org_id: org.org_id, ...values },
    headers: browser(cookie),
  });

/** An admin with an app, whose browser is remembered. */
async function remembered(days = 30, values: object = { remember_device: true }) {
  const org = await service.newOrg();
  const app = await newApp(service, org.admin);
  await org.admin("PATCH", "/org/security", { body: { remember_device_days: days } });
  const begun = (await logIn(org)).json.data;
  expect(begun.remember_device_days).toBe(days);
  const finished = await service.send("POST", "/auth/login/second-factor", {
    body: { login_token: begun.login_token, code: await app.newCode(), ...values },
    headers: browser(),
  });
  expect(finished.status).toBe(200);
  return { org, app, cookie: cookieOf(finished) };
}

test("a browser that the person asked to remember needs the password alone, for the days that the organization allows", async () => {
  const { org, cookie } = await remembered();
  const again = await logIn(org, cookie);
  expect([again.status, again.json.data.status]).toEqual([200, "signed_in"]);
  const [started] = (await org.admin("GET", "/org/audit-trail?type=session.started")).json.data;
  expect(started.data.factors).toEqual(["device"]);
  expect((await logIn(org)).status).toBe(202);
  expect((await logIn(org, cookie, { mode: "token" })).status).toBe(202);
  await service.database.owner("update devices set remembered_at = now() - interval '31 days' where user_id = $1", [org.user_id]);
  expect((await logIn(org, cookie)).status).toBe(202);
});

test("without the person's wish, or where the organization does not allow it, the code is asked for", async () => {
  const unasked = await remembered(30, {});
  expect((await logIn(unasked.org, unasked.cookie)).status).toBe(202);
  const unwanted = await remembered(0);
  expect((await logIn(unwanted.org, unwanted.cookie)).status).toBe(202);
});

test("a shorter time applies at once, and another organization of the person decides for itself", async () => {
  const { org, cookie } = await remembered();
  const other = await service.newOrg();
  await joinInSession(service, other, org);
  expect((await logIn(org, cookie, { org_id: other.org_id })).status).toBe(202);
  const here = await logIn(org, cookie);
  const refresh = [here.headers["set-cookie"] ?? []].flat().find((line) => line.startsWith("countersign_refresh="));
  const moved = await service.send("POST", "/auth/refresh", {
    body: { org_id: other.org_id },
    headers: browser(refresh?.split(";")[0] ?? ""),
  });
  expect(moved.status).toBe(401);
  await org.admin("PATCH", "/org/security", { body: { remember_device_days: 0 } });
  expect((await logIn(org, cookie)).status).toBe(202);
});

test("a new app changes nothing; a removed one and a new password make browsers ask again", async () => {
  const { org, cookie } = await remembered();
  const second = await newApp(service, org.admin);
  expect((await logIn(org, cookie)).status).toBe(200);
  await org.admin("DELETE", `/auth/factors/${second.factor_id}`);
  expect((await logIn(org, cookie)).status).toBe(202);
  const another = await remembered();
  const changed = { current_password: PASSWORD, new_password: "seven green kettles hum" };
  expect((await another.org.admin("POST", "/auth/password", { body: changed })).status).toBe(200);
  expect((await logIn(another.org, another.cookie, { password: changed.new_password })).status).toBe(202);
});
