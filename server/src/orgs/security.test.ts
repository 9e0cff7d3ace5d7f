import { beforeEach, describe, expect, test } from "vitest";
import { type Answer, client } from "../../test/client.ts";
import { codeOf, newApp } from "../../test/factors.ts";
import { joinInSession } from "../../test/invitations.ts";
import { PASSWORD, type TestOrg, testService } from "../../test/service.ts";
import { newMember } from "../../test/vaulted.ts";
import { printEnrolmentCode } from "../accounts/enrolment.ts";

const service = testService();

beforeEach(async () => {
  await service.database.owner("delete from quotas where subject like 'refused:%' or subject like 'login:%'");
});

const from = { ip: expect.any(String), user_agent: expect.any(String), request_id: expect.any(String) };
const problemOf = ({ status, headers }: Answer): [number, string] => [status, headers["x-error-code"] ?? ""];
const change = (org: TestOrg, body: object): Promise<Answer> => org.admin("PATCH", "/org/security", { body });
const defaults = {
  second_factor: "off",
  grace_days: 7,
  remember_device_days: 0,
  idle_minutes: 1440,
  max_hours: 168,
  min_password: 12,
  max_key_days: null,
  sso_mode: "off",
  min_identity_level: 0,
  embed_identity: "partner",
  second_factor_since: null,
  updated_at: expect.any(String),
};
const age = (column: "created_at" | "last_used_at", user_id: string, minutes: number) =>
  service.database.owner(`update sessions set ${column} = now() - $2 * interval '1 minute' where user_id = $1`, [user_id, minutes]);

describe("the security settings", () => {
  test("have defaults, which every member can read, and an admin changes them with an entry that has both values", async () => {
    const org = await service.newOrg();
    const viewer = await newMember(service, org, "viewer");
    expect((await viewer.send("GET", "/org/security")).json.data).toEqual(defaults);
    expect(problemOf(await viewer.send("PATCH", "/org/security", { body: { max_hours: 8 } }))).toEqual([403, "insufficient_permission"]);
    const changed = await change(org, { max_hours: 8, max_key_days: 90, grace_days: 7 });
    expect([changed.status, changed.json.data]).toEqual([
      200,
      { ...defaults, max_hours: 8, max_key_days: 90, break_glass: [], allowed_cidrs: [] },
    ]);
    const entries = (await org.admin("GET", "/org/audit-trail?type=security.changed")).json.data;
    expect(entries.map(({ data }: { data: object }) => data)).toEqual([
      { ...from, changes: { max_hours: { from: 168, to: 8 }, max_key_days: { from: null, to: 90 } } },
    ]);
  });

  test.each<[string, object]>([
    ["grace_days", { grace_days: 31 }],
    ["remember_device_days", { remember_device_days: 91 }],
    ["idle_minutes", { idle_minutes: 4 }],
    ["max_hours", { max_hours: 169 }],
    ["min_password", { min_password: 11 }],
    ["max_key_days", { max_key_days: 0 }],
    ["second_factor", { second_factor: "maybe" }],
    ["min_identity_level", { min_identity_level: 3 }],
    ["embed_identity", { embed_identity: "never" }],
  ])("refuse a value of %s that is out of range", async (field, body) => {
    const { status, json } = await change(await service.newOrg(), body);
    expect([status, json.details[0].field]).toEqual([422, field]);
  });

  test("need a recent confirmation", async () => {
    const org = await service.newOrg();
    await service.database.owner("update sessions set confirmed_at = now() - interval '11 minutes' where user_id = $1", [org.user_id]);
    expect(problemOf(await change(org, { max_hours: 8 }))).toEqual([403, "reauthentication_required"]);
  });
});

describe("limits of sessions", () => {
  test("apply to open sessions from their next request, and to their refresh tokens; other organizations are not affected", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    for (const { user_id } of [org, other]) await age("created_at", user_id, 90);
    await change(org, { max_hours: 2 });
    expect((await org.admin("GET", "/auth/me")).status).toBe(200);
    await change(org, { max_hours: 1 });
    expect(problemOf(await org.admin("GET", "/auth/me"))).toEqual([401, "invalid_session"]);
    expect((await other.admin("GET", "/auth/me")).status).toBe(200);
    const { json } = await service.send("POST", "/auth/login", { body: { email: org.email, password: PASSWORD, mode: "token" } });
    const { token, refresh_token } = json.data;
    const again = client(service.url, { authorization: `Bearer ${token}` });
    const [session] = (await again("GET", "/auth/sessions")).json.data;
    expect(Date.parse(session.expires_at) - Date.parse(session.created_at)).toBe(3_600_000);
    await age("created_at", org.user_id, 61);
    expect(problemOf(await service.send("POST", "/auth/refresh", { body: { refresh_token } }))).toEqual([401, "invalid_refresh_token"]);
  });

  test("an idle session ends, a session in use does not", async () => {
    const org = await service.newOrg();
    const { send, user_id } = await newMember(service, org, "viewer");
    await change(org, { idle_minutes: 10 });
    await age("last_used_at", user_id, 10);
    expect((await send("GET", "/auth/me")).status).toBe(200);
    // The request before was a use.
    expect((await send("GET", "/auth/sessions")).json.data).toHaveLength(1);
    await age("last_used_at", user_id, 12);
    expect(problemOf(await send("GET", "/auth/me"))).toEqual([401, "invalid_session"]);
  });
});

test("a new password has as many characters as the strictest organization of the person demands", async () => {
  const [org, other] = [await service.newOrg(), await service.newOrg()];
  await joinInSession(service, other, org);
  await change(other, { min_password: 30 });
  const { status, json } = await org.admin("POST", "/auth/password", {
    body: { current_password: PASSWORD, new_password: "mauve otter kettle 1931" },
  });
  expect([status, json.details[0].message]).toEqual([422, "must have at least 30 characters"]);
  const invited = await other.admin("POST", "/org/invitations", { body: { email: "kim@example.com", role: "viewer" } });
  const token = new URL(invited.json.data.accept_url).hash.slice("#token=".length);
  const accept = (password: string) =>
    service.send("POST", "/auth/invitations/accept", { body: { token, name: "Kim", password, mode: "token" } });
  expect((await accept("mauve otter kettle 1931")).json.details[0].message).toBe("must have at least 30 characters");
  expect((await accept("mauve otter kettle 1931 seven green")).status).toBe(201);
});

test("keys end within the days that the organization allows; existing keys go on", async () => {
  const org = await service.newOrg();
  const create = (body: object = {}) =>
    org.admin("POST", "/partners/keys", { body: { partner_name: "Acme", scopes: ["envelopes:read"], ...body } });
  const before = (await create()).json.data;
  await change(org, { max_key_days: 30 });
  const ahead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  expect(Date.parse((await create()).json.data.expires_at)).toBeCloseTo(Date.now() + 30 * 86_400_000, -5);
  expect((await create({ expires_at: ahead(29) })).status).toBe(201);
  for (const expires_at of [null, ahead(31)]) {
    const { status, json } = await create({ expires_at });
    expect([status, json.details[0]]).toMatchObject([422, { field: "expires_at", code: "out_of_range" }]);
  }
  const patch = (body: object) => org.admin("PATCH", `/partners/keys/${before.key_id}`, { body });
  expect((await patch({ partner_name: "Acme Ltd" })).json.data).toMatchObject({ partner_name: "Acme Ltd", expires_at: null });
  expect((await patch({ expires_at: ahead(31) })).status).toBe(422);
});

describe("a required second factor", () => {
  const requireFactor = async (org: TestOrg, body: object = {}) => {
    await newApp(service, org.admin);
    expect((await change(org, { second_factor: "required", grace_days: 0, ...body })).status).toBe(200);
  };

  test("can only be demanded by an admin who has one", async () => {
    const org = await service.newOrg();
    expect(problemOf(await change(org, { second_factor: "required" }))).toEqual([409, "factor_missing"]);
    await requireFactor(org);
    expect((await org.admin("GET", "/org/settings")).status).toBe(200);
  });

  test("leaves members time: from the day it was demanded, or on which they joined", async () => {
    const org = await service.newOrg();
    const { send, user_id } = await newMember(service, org, "viewer");
    await service.database.owner("update members set created_at = now() - interval '30 days' where user_id = $1", [user_id]);
    await requireFactor(org, { grace_days: 7 });
    const { second_factor_due_at } = (await send("GET", "/auth/me")).json.data;
    expect(Date.parse(second_factor_due_at)).toBeCloseTo(Date.now() + 7 * 86_400_000, -5);
    const past = "update org_security set second_factor_since = now() - interval '8 days' where org_id = $1";
    await service.database.owner(past, [org.org_id]);
    expect(problemOf(await send("GET", "/org/settings"))).toEqual([403, "enrollment_required"]);
    const joined = await newMember(service, org, "viewer");
    expect((await joined.send("GET", "/org/settings")).status).toBe(200);
  });

  test("limits sessions without one to /auth/, in this organization alone, until the app and the operator's code are confirmed", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    const { send, user_id } = await newMember(service, org, "member");
    const { email } = (await send("GET", "/auth/me")).json.data.user;
    await requireFactor(org);
    const refused = await send("GET", "/partner/envelopes");
    expect([refused.status, refused.json]).toEqual([
      403,
      {
        error: "Set up a second factor first",
        details: [{ location: "header", field: "Authorization", code: "enrollment_required", message: expect.stringContaining("/auth/") }],
      },
    ]);
    expect((await other.admin("GET", "/org/settings")).status).toBe(200);
    const logged = await service.send("POST", "/auth/login", { body: { email, password: PASSWORD, mode: "token" } });
    expect([logged.status, logged.json.data.limited]).toEqual([200, "enroll"]);
    const again = client(service.url, { authorization: `Bearer ${logged.json.data.token}` });
    const { factor_id, secret } = (await again("POST", "/auth/factors/totp", { body: {} })).json.data;
    const confirm = (body: object) => again("POST", `/auth/factors/${factor_id}/confirm`, { body: { code: codeOf(secret), ...body } });
    expect(problemOf(await confirm({}))).toEqual([403, "email_code_required"]);
    const by = { ip: "127.0.0.1", user_agent: "test", request_id: "test" };
    const printed = await service.db.system((tx) => printEnrolmentCode(service.features.orgs, tx, by, email));
    const code = printed?.code ?? expect.fail("no code");
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
    expect((await confirm({ email_code: wrong })).json.details[0]).toMatchObject({ field: "email_code", code: "invalid_value" });
    const confirmed = await confirm({ email_code: code });
    expect([confirmed.status, confirmed.json.data.recovery_codes.length]).toEqual([200, 10]);
    expect((await again("GET", "/partner/envelopes")).status).toBe(200);
    // A session from before did not enter the code: someone who knows only the password may have it.
    expect((await send("GET", "/partner/envelopes")).status).toBe(401);
    const types = (await org.admin("GET", `/org/audit-trail?actor_id=${user_id}`)).json.data.map(({ type }: { type: string }) => type);
    expect(types).toContain("factor.added");
    expect((await org.admin("GET", "/org/audit-trail?type=enrollment_code.printed")).json.data).toHaveLength(1);
  });

  test("the list of members says to admins alone who has one", async () => {
    const org = await service.newOrg();
    const { send, user_id } = await newMember(service, org, "viewer");
    await newApp(service, org.admin);
    const seen = (await org.admin("GET", "/org/members")).json.data;
    expect(Object.fromEntries(seen.map((one: { user_id: string; second_factor: boolean }) => [one.user_id, one.second_factor]))).toEqual({
      [org.user_id]: true,
      [user_id]: false,
    });
    expect((await send("GET", "/org/members")).json.data[0]).not.toHaveProperty("second_factor");
  });
});
