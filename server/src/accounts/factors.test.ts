import { beforeEach, describe, expect, test } from "vitest";
import { type Answer, client } from "../../test/client.ts";
import { codeOf, newApp } from "../../test/factors.ts";
import { joinInSession } from "../../test/invitations.ts";
import { mailTo } from "../../test/mail.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { PASSWORD, type TestOrg, testService } from "../../test/service.ts";
import { declaredEndpoints } from "../main.ts";
import { makeResetLink } from "./password-reset.ts";
import { resetFactors } from "./reset-factors.ts";

const service = testService();

beforeEach(async () => {
  await service.database.owner("delete from quotas where subject like 'refused:%' or subject like 'login:%'");
});

const logIn = (email: string, password = PASSWORD) => service.send("POST", "/auth/login", { body: { email, password, mode: "token" } });
const finish = (login_token: string, proof: object): Promise<Answer> =>
  service.send("POST", "/auth/login/second-factor", { body: { login_token, mode: "token", ...proof } });
const begin = async (email: string): Promise<string> => (await logIn(email)).json.data.login_token;
const codeFor = (answer: Answer): [number, string] => [answer.status, answer.headers["x-error-code"] ?? ""];
const wrongOf = (code: string): string => String((Number(code) + 500_000) % 1_000_000).padStart(6, "0");
const entriesOf = async (org: TestOrg, type: string) =>
  (await org.admin("GET", `/org/audit-trail?type=${type}`)).json.data.map((entry: { data: object }) => entry.data);

describe("adding an authenticator app", () => {
  test("counts only after its first code, returns ten recovery codes once, and is mailed and recorded in every organization", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    await joinInSession(service, other, org);
    const { status, json } = await org.admin("POST", "/auth/factors/totp", { body: {} });
    const { factor_id, secret, otpauth_url } = json.data;
    expect([status, secret]).toEqual([201, expect.stringMatching(/^[A-Z2-7]{32}$/)]);
    expect(otpauth_url).toBe(
      `otpauth://totp/Countersign:${encodeURIComponent(org.email)}?secret=${secret}&issuer=Countersign&algorithm=SHA1&digits=6&period=30`,
    );
    expect((await org.admin("GET", "/auth/factors")).json.data).toEqual({ factors: [], recovery_codes_left: 0 });
    expect((await logIn(org.email)).status).toBe(200);
    const confirm = (code: string) => org.admin("POST", `/auth/factors/${factor_id}/confirm`, { body: { code } });
    expect((await confirm(wrongOf(codeOf(secret)))).json.details).toEqual([
      { location: "body", field: "code", code: "invalid_value", message: expect.stringContaining("is not the present code") },
    ]);
    const confirmed = await confirm(codeOf(secret));
    expect([confirmed.status, confirmed.json.data.recovery_codes.length]).toEqual([200, 10]);
    expect(new Set(confirmed.json.data.recovery_codes).size).toBe(10);
    const { factors, recovery_codes_left } = (await org.admin("GET", "/auth/factors")).json.data;
    expect([factors, recovery_codes_left]).toEqual([
      [{ factor_id, kind: "totp", name: "Authenticator app", created_at: expect.any(String), last_used_at: expect.any(String) }],
      10,
    ]);
    for (const chain of [org, other]) expect(await entriesOf(chain, "factor.added")).toEqual([expect.objectContaining({ factor_id })]);
    expect((await mailTo(service, org.email, "factor_added")).map(({ text }) => text)).toEqual([
      expect.stringMatching(/was added.*If this was not you, ask the operator/s),
    ]);
    expect((await confirm(codeOf(secret))).status).toBe(422);
  });

  test("needs its first code within 15 minutes, and a person has at most two apps", async () => {
    const org = await service.newOrg();
    const { factor_id, secret } = (await org.admin("POST", "/auth/factors/totp", { body: {} })).json.data;
    await service.database.owner("update factors set created_at = now() - interval '16 minutes' where factor_id = $1", [factor_id]);
    expect(codeFor(await org.admin("POST", `/auth/factors/${factor_id}/confirm`, { body: { code: codeOf(secret) } }))).toEqual([
      404,
      "factor_not_found",
    ]);
    expect((await newApp(service, org.admin)).recovery_codes.length).toBe(10);
    expect((await newApp(service, org.admin)).recovery_codes).toEqual([]);
    expect(codeFor(await org.admin("POST", "/auth/factors/totp", { body: {} }))).toEqual([409, "too_many_factors"]);
  });

  test("confirmed four times at the same moment counts once, with one set of recovery codes, which work", async () => {
    const org = await service.newOrg();
    const { factor_id, secret } = (await org.admin("POST", "/auth/factors/totp", { body: {} })).json.data;
    const confirm = () => org.admin("POST", `/auth/factors/${factor_id}/confirm`, { body: { code: codeOf(secret) } });
    const confirmed = await Promise.all([confirm(), confirm(), confirm(), confirm()]);
    expect(confirmed.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
    const codes = confirmed.flatMap(({ json }) => json.data?.recovery_codes ?? []);
    expect([codes.length, (await entriesOf(org, "factor.added")).length]).toEqual([10, 1]);
    expect((await finish(await begin(org.email), { recovery_code: codes[0] })).status).toBe(200);
  });

  test("the database has the secret only encrypted, and recovery codes only as hashes", async () => {
    const org = await service.newOrg();
    const { secret } = (await org.admin("POST", "/auth/factors/totp", { body: {} })).json.data;
    const [row] = await service.database.owner("select secret_enc from factors where user_id = $1", [org.user_id]);
    for (const form of ["latin1", "hex", "base64"] as const) expect(row?.secret_enc.toString(form)).not.toContain(secret);
    const { recovery_codes } = await newApp(service, org.admin);
    const codes = await service.database.owner("select code_hash from recovery_codes where user_id = $1", [org.user_id]);
    expect([codes.length, codes.some(({ code_hash }) => code_hash.toString("latin1").includes(recovery_codes[0]))]).toEqual([10, false]);
  });

  test("a factor can be renamed, and other people's factors do not exist", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    const { factor_id } = await newApp(service, org.admin);
    const renamed = await org.admin("PATCH", `/auth/factors/${factor_id}`, { body: { name: "Work phone" } });
    expect([renamed.status, renamed.json.data.name]).toEqual([200, "Work phone"]);
    expect(codeFor(await other.admin("DELETE", `/auth/factors/${factor_id}`))).toEqual([404, "factor_not_found"]);
    expect((await org.admin("GET", "/auth/factors")).json.data.factors[0].name).toBe("Work phone");
  });
});

describe("logging in with a second factor", () => {
  test("takes the password first and then a code, and the session says what proved it", async () => {
    const org = await service.newOrg();
    const app = await newApp(service, org.admin);
    const asked = await logIn(org.email);
    expect([asked.status, asked.json.data]).toEqual([
      202,
      {
        status: "second_factor_required",
        login_token: expect.any(String),
        methods: ["totp", "recovery_code"],
        remember_device_days: 0,
        expires_at: expect.any(String),
      },
    ]);
    expect((await logIn(org.email, "not the password")).json).toEqual(refusedWith("Wrong e-mail or password"));
    const { status, json } = await finish(asked.json.data.login_token, { code: await app.newCode() });
    expect([status, json.data.status, json.data.user.email]).toEqual([200, "signed_in", org.email]);
    const send = client(service.url, { authorization: `Bearer ${json.data.token}` });
    expect((await send("GET", "/auth/me")).status).toBe(200);
    expect((await entriesOf(org, "session.started"))[0]).toMatchObject({ factors: ["totp"] });
    expect(codeFor(await finish(asked.json.data.login_token, { code: await app.newCode() }))).toEqual([401, "invalid_login_token"]);
  });

  test("of two log-ins with the same code at the same moment, one wins", async () => {
    const org = await service.newOrg();
    const app = await newApp(service, org.admin);
    const tokens = [await begin(org.email), await begin(org.email)];
    const code = await app.newCode();
    const answers = await Promise.all(tokens.map((token) => finish(token, { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const [used] = await service.database.owner("select count(*)::int as n from sessions where user_id = $1 and factors = '{totp}'", [
      org.user_id,
    ]);
    expect(used?.n).toBe(1);
  });

  test("after a clock that was an hour ahead, codes wait until it is reached, and a recovery code logs in meanwhile", async () => {
    const org = await service.newOrg();
    const app = await newApp(service, org.admin);
    const code = await app.newCode();
    const used = (ahead_seconds: number) =>
      service.database.owner("update factors set last_step = (extract(epoch from now()) + $2)::bigint / 30 where factor_id = $1", [
        app.factor_id,
        ahead_seconds,
      ]);
    await used(3_600);
    const token = await begin(org.email);
    expect(codeFor(await finish(token, { code }))).toEqual([401, "invalid_code"]);
    expect((await finish(token, { recovery_code: app.recovery_codes[0] })).status).toBe(200);
    // As an hour later.
    await used(-90);
    expect((await finish(await begin(org.email), { code })).status).toBe(200);
  });

  test("ends with the fifth wrong code and after ten minutes, also for the right code", async () => {
    const org = await service.newOrg();
    const app = await newApp(service, org.admin);
    const token = await begin(org.email);
    const wrong = wrongOf(await app.newCode());
    for (let n = 0; n < 4; n++) expect(codeFor(await finish(token, { code: wrong }))).toEqual([401, "invalid_code"]);
    expect(codeFor(await finish(token, { code: wrong }))).toEqual([401, "invalid_login_token"]);
    expect(codeFor(await finish(token, { code: await app.newCode() }))).toEqual([401, "invalid_login_token"]);
    const late = await begin(org.email);
    await service.database.owner("update pending_logins set expires_at = now() where user_id = $1", [org.user_id]);
    expect(codeFor(await finish(late, { code: await app.newCode() }))).toEqual([401, "invalid_login_token"]);
  });

  test("needs exactly one of code and recovery code", async () => {
    const org = await service.newOrg();
    const { recovery_codes } = await newApp(service, org.admin);
    const token = await begin(org.email);
    const faults = [await finish(token, {}), await finish(token, { code: "123456", recovery_code: recovery_codes[0] })];
    expect(faults.map(({ status, json }) => [status, json.details[0].field, json.details[0].code])).toEqual([
      [422, "code", "required"],
      [422, "recovery_code", "conflict"],
    ]);
  });

  test("after 20 wrong codes in an hour the account refuses further ones, but no recovery code, and none of a browser that it knows", async () => {
    const org = await service.newOrg();
    const app = await newApp(service, org.admin);
    const origin = { origin: new URL(service.config.publicUrl).origin };
    const byBrowser = async (headers: Record<string, string>) => {
      const asked = await service.send("POST", "/auth/login", { headers, body: { email: org.email, password: PASSWORD } });
      const body = { login_token: asked.json.data.login_token, code: await app.newCode() };
      return service.send("POST", "/auth/login/second-factor", { headers, body });
    };
    const first = await byBrowser(origin);
    expect(first.status).toBe(200);
    const cookie = /countersign_device=[\w-]+/.exec(String(first.headers["set-cookie"]))?.[0] ?? "";
    for (let n = 0; n < 4; n++) {
      const token = await begin(org.email);
      for (let wrong = 0; wrong < 5; wrong++) await finish(token, { code: wrongOf(await app.newCode()) });
    }
    expect((await finish(await begin(org.email), { code: await app.newCode() })).status).toBe(429);
    expect((await finish(await begin(org.email), { recovery_code: app.recovery_codes[0] })).status).toBe(200);
    expect((await byBrowser({ ...origin, cookie })).status).toBe(200);
  });

  test("a recovery code works once, however it is typed, and the person learns how many are left", async () => {
    const org = await service.newOrg();
    const { recovery_codes } = await newApp(service, org.admin);
    const typed = recovery_codes[0]?.toLowerCase().replaceAll("-", " ") ?? "";
    const used = await finish(await begin(org.email), { recovery_code: typed });
    expect(used.status).toBe(200);
    expect(codeFor(await finish(await begin(org.email), { recovery_code: recovery_codes[0] }))).toEqual([401, "invalid_code"]);
    expect(await entriesOf(org, "recovery_code.used")).toEqual([expect.objectContaining({ left: 9 })]);
    expect((await mailTo(service, org.email, "recovery_code_used")).map(({ text }) => text)).toEqual([
      expect.stringContaining("9 recovery codes are left."),
    ]);
    // The console sends a key with every act. Here it means nothing: the lost codes of an earlier request cannot be shown again.
    const renewal = { headers: { "idempotency-key": "renewal" } };
    expect((await org.admin("POST", "/auth/recovery-codes", renewal)).status).toBe(200);
    const renewed = (await org.admin("POST", "/auth/recovery-codes", renewal)).json.data.recovery_codes;
    expect(codeFor(await finish(await begin(org.email), { recovery_code: recovery_codes[1] }))).toEqual([401, "invalid_code"]);
    expect((await finish(await begin(org.email), { recovery_code: renewed[0] })).status).toBe(200);
    expect(await entriesOf(org, "recovery_codes.renewed")).toHaveLength(2);
  });
});

describe("what ends a log-in that waits", () => {
  test("removing the factor; then the password alone logs in, and the recovery codes are gone", async () => {
    const org = await service.newOrg();
    const app = await newApp(service, org.admin);
    const token = await begin(org.email);
    const code = await app.newCode();
    expect((await org.admin("DELETE", `/auth/factors/${app.factor_id}`)).status).toBe(200);
    expect(codeFor(await finish(token, { code }))).toEqual([401, "invalid_login_token"]);
    expect(codeFor(await finish(token, { recovery_code: app.recovery_codes[0] }))).toEqual([401, "invalid_login_token"]);
    expect((await logIn(org.email)).json.data.status).toBe("signed_in");
    expect((await org.admin("GET", "/auth/factors")).json.data).toEqual({ factors: [], recovery_codes_left: 0 });
    expect(codeFor(await org.admin("POST", "/auth/recovery-codes"))).toEqual([409, "factor_missing"]);
    expect(await entriesOf(org, "factor.removed")).toEqual([expect.objectContaining({ name: "Phone" })]);
    expect((await mailTo(service, org.email, "factor_removed")).map(({ text }) => text)).toEqual([expect.stringContaining("was removed")]);
  });

  test("a new password by link, which does not replace the second factor", async () => {
    const org = await service.newOrg();
    const app = await newApp(service, org.admin);
    const token = await begin(org.email);
    const link = await service.db.system((tx) => makeResetLink(service.features.orgs, tx, org.email));
    const body = { token: link?.url.split("#token=")[1], password: "seven green kettles hum" };
    expect((await service.send("POST", "/auth/password-reset/confirm", { body })).status).toBe(200);
    expect(codeFor(await finish(token, { code: await app.newCode() }))).toEqual([401, "invalid_login_token"]);
    const again = await logIn(org.email, body.password);
    expect(again.status).toBe(202);
    expect((await finish(again.json.data.login_token, { code: await app.newCode() })).status).toBe(200);
  });

  test("an account whose address was not verified returns to its owner without the factors of the person who made it", async () => {
    const org = await service.newOrg();
    await newApp(service, org.admin);
    await service.database.owner("update users set email_verified_at = null, email_verified_by = null where user_id = $1", [org.user_id]);
    const link = await service.db.system((tx) => makeResetLink(service.features.orgs, tx, org.email));
    const body = { token: link?.url.split("#token=")[1], password: "seven green kettles hum" };
    await service.send("POST", "/auth/password-reset/confirm", { body });
    expect((await logIn(org.email, body.password)).json.data.status).toBe("signed_in");
  });
});

describe("confirming who one is", () => {
  const age = (org: TestOrg) =>
    service.database.owner("update sessions set confirmed_at = now() - interval '11 minutes' where org_id = $1", [org.org_id]);

  test("is needed ten minutes after the log-in, and a refresh does not replace it", async () => {
    const org = await service.newOrg();
    const { json } = await logIn(org.email);
    await age(org);
    const refreshed = await service.send("POST", "/auth/refresh", { body: { refresh_token: json.data.refresh_token } });
    const send = client(service.url, { authorization: `Bearer ${refreshed.json.data.token}` });
    const refused = await send("POST", "/auth/factors/totp", { body: {} });
    expect([refused.status, refused.headers["x-error-code"], refused.json]).toEqual([
      403,
      "reauthentication_required",
      {
        error: "Confirm your identity",
        details: [
          {
            location: "header",
            field: "Authorization",
            code: "reauthentication_required",
            message: expect.stringContaining("POST /auth/confirm"),
          },
        ],
      },
    ]);
    expect((await send("POST", "/auth/confirm", { body: { password: "not the password" } })).json.details[0]).toMatchObject({
      field: "password",
      code: "invalid_value",
    });
    expect((await send("POST", "/auth/factors/totp", { body: {} })).status).toBe(403);
    const confirmed = await send("POST", "/auth/confirm", { body: { password: PASSWORD } });
    expect([confirmed.status, Date.parse(confirmed.json.data.confirmed_until) > Date.now()]).toEqual([200, true]);
    expect((await send("POST", "/auth/factors/totp", { body: {} })).status).toBe(201);
    expect(await entriesOf(org, "session.confirmed")).toHaveLength(1);
    expect((await org.admin("POST", "/auth/factors/totp", { body: {} })).status, "another session of the same person").toBe(403);
  });

  const guarded = declaredEndpoints().filter(({ stepUp }) => stepUp);

  test("is needed for these acts and no others", () => {
    expect(guarded.map(({ name }) => name).sort()).toEqual([
      "add_account_passkey",
      "add_domain",
      "add_totp",
      "confirm_factor",
      "create_audit_sink",
      "create_control_batch",
      "create_key",
      "create_sso_connection",
      "create_vault_export",
      "decide_act",
      "decide_remote_request",
      "delete_audit_sink",
      "end_all_sessions",
      "end_member_session",
      "end_member_sessions",
      "end_other_sessions",
      "end_session",
      "forget_device",
      "get_endpoint_secret",
      "invite_member",
      "offer_account_passkey",
      "propose_act",
      "release_legal_hold",
      "remove_domain",
      "remove_factor",
      "remove_mail_sender",
      "remove_member",
      "remove_password",
      "remove_registry",
      "remove_sso_connection",
      "renew_recovery_codes",
      "request_email_change",
      "reset_member_factors",
      "rotate_endpoint_secret",
      "rotate_key",
      "set_mail_sender",
      "set_registry",
      "test_audit_sink",
      "test_sso_connection",
      "update_audit_sink",
      "update_factor",
      "update_key",
      "update_password",
      "update_role",
      "update_security",
      "update_sso_connection",
      "verify_domain",
    ]);
  });

  test("each of them refuses a session that was confirmed earlier before it reads the body, and no API key", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const { json } = await logIn(org.email);
    const fresh = client(service.url, { authorization: `Bearer ${json.data.token}` });
    const created = await fresh("POST", "/partners/keys", { body: { partner_name: "At once", scopes: ["envelopes:read"] } });
    expect(created.status, "a script that logs in and creates a key").toBe(201);
    await age(org);
    for (const { name, method, path, access } of guarded) {
      const asked = path.replace(/:(\w+)/g, "x");
      const options = method === "GET" ? {} : { body: { not: "read" } };
      expect(codeFor(await org.admin(method, asked, options)), name).toEqual([403, "reauthentication_required"]);
      if (access === "anyone" || !("anyScope" in access)) continue;
      expect((await key.send(method, asked, options)).headers["x-error-code"], name).not.toBe("reauthentication_required");
    }
    expect((await org.admin("GET", "/partners/keys")).status).toBe(200);
  });

  test("needs the second factor too, if the person has one", async () => {
    const org = await service.newOrg();
    const app = await newApp(service, org.admin);
    await age(org);
    const confirm = (proof: object) => org.admin("POST", "/auth/confirm", { body: { password: PASSWORD, ...proof } });
    expect((await confirm({})).json.details[0]).toMatchObject({ field: "code", code: "required" });
    expect((await confirm({ code: wrongOf(await app.newCode()) })).json.details[0]).toMatchObject({ field: "code", code: "invalid_value" });
    expect((await confirm({ recovery_code: "nonsense" })).json.details[0]).toMatchObject({ field: "recovery_code", code: "invalid_value" });
    const code = await app.newCode();
    expect([(await confirm({ code })).status, (await confirm({ code })).status]).toEqual([200, 422]);
    expect((await org.admin("DELETE", `/auth/factors/${app.factor_id}`)).status).toBe(200);
  });

  test("a session that moves to another organization keeps the time of its confirmation", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    await joinInSession(service, other, org);
    const body = { email: org.email, password: PASSWORD, org_id: org.org_id, mode: "token" };
    const { json } = await service.send("POST", "/auth/login", { body });
    await age(org);
    const moved = await service.send("POST", "/auth/refresh", {
      body: { refresh_token: json.data.refresh_token, org_id: other.org_id },
    });
    const send = client(service.url, { authorization: `Bearer ${moved.json.data.token}` });
    expect((await send("POST", "/auth/factors/totp", { body: {} })).status).toBe(403);
  });
});

test("the operator removes the factors of a person who lost them, which ends their sessions and is recorded and mailed", async () => {
  const org = await service.newOrg();
  await newApp(service, org.admin);
  const by = { ip: "127.0.0.1", user_agent: "countersign cli", request_id: "cli", operator: "ada" };
  expect(await resetFactors(service.features.orgs, by, "unknown@example.com")).toBeNull();
  expect(await resetFactors(service.features.orgs, by, org.email)).toEqual({ removed: 1, entries: 1 });
  expect((await org.admin("GET", "/auth/me")).status).toBe(401);
  const { json } = await logIn(org.email);
  const send = client(service.url, { authorization: `Bearer ${json.data.token}` });
  const [entry] = (await send("GET", "/org/audit-trail?type=factor.reset")).json.data;
  expect([entry.actor.kind, entry.data]).toEqual(["system", expect.objectContaining({ removed: 1, operator: "ada" })]);
  expect(await mailTo(service, org.email, "factors_reset")).toHaveLength(1);
  expect(await resetFactors(service.features.orgs, by, org.email)).toEqual({ removed: 0, entries: 0 });
});
