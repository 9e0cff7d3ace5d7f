import { beforeEach, describe, expect, test } from "vitest";
import { type SoftwarePasskey, softwarePasskey, type Told } from "../../../testing/software-authenticator.ts";
import { type Answer, client, type Send } from "../../test/client.ts";
import { newApp } from "../../test/factors.ts";
import { mailTo } from "../../test/mail.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { PASSWORD, type TestOrg, testService } from "../../test/service.ts";
import { ConfigError, readConfig } from "../config.ts";
import { makeResetLink } from "./password-reset.ts";

const service = testService();

beforeEach(async () => {
  await service.database.owner("delete from quotas where subject ~ '^(refused|login|passkey):'");
});

const problemOf = ({ status, headers }: Answer): [number, string] => [status, headers["x-error-code"] ?? ""];
const told = (challenge: string, changes: Partial<Told> = {}): Told => {
  const { origin, hostname } = new URL(service.config.publicUrl);
  return { challenge, origin, rp_id: hostname, ...changes };
};
const offer = (send: Send): Promise<Answer> => send("POST", "/auth/factors/passkeys/start", { body: {} });

async function add(send: Send, passkey: SoftwarePasskey = softwarePasskey(), changes: Partial<Told> = {}): Promise<Answer> {
  const { challenge } = (await offer(send)).json.data;
  const credential = passkey.register(told(challenge, changes));
  return send("POST", "/auth/factors/passkeys", { body: { credential, name: "Laptop" } });
}

const start = async (): Promise<string> => (await service.send("POST", "/auth/passkey/start", { body: {} })).json.data.challenge;
const signed = async (passkey: SoftwarePasskey, changes: Partial<Told> = {}) => passkey.approve(told(await start(), changes));
const logIn = async (passkey: SoftwarePasskey, changes: Partial<Told> = {}, values: object = {}): Promise<Answer> =>
  service.send("POST", "/auth/passkey/finish", { body: { passkey: await signed(passkey, changes), mode: "token", ...values } });

/** An admin with a passkey. */
async function withPasskey(passkey = softwarePasskey()) {
  const org = await service.newOrg();
  const added = await add(org.admin, passkey);
  expect(added.status).toBe(201);
  return { org, passkey, factor_id: added.json.data.factor_id as string, recovery_codes: added.json.data.recovery_codes as string[] };
}
const entriesOf = async (org: TestOrg, type: string) =>
  (await org.admin("GET", `/org/audit-trail?type=${type}`)).json.data.map((entry: { data: object }) => entry.data);

describe("with PASSKEY_RP_ID", () => {
  const under = testService({ PUBLIC_URL: "https://sign.example.com", PASSKEY_RP_ID: "Example.com" });
  const site = { origin: "https://sign.example.com", rp_id: "example.com" };

  test("a passkey belongs to the domain above the host, and to no other", async () => {
    const { admin, email } = await under.newOrg();
    const begin = async (send: Send) => (await send("POST", "/auth/factors/passkeys/start", { body: {} })).json.data;
    const [first, second] = [await begin(admin), await begin(admin)];
    expect(first.rp.id).toBe("example.com");
    const ofHost = softwarePasskey().register({ ...site, challenge: first.challenge, rp_id: "sign.example.com" });
    const refused = await admin("POST", "/auth/factors/passkeys", { body: { credential: ofHost, name: "Laptop" } });
    expect([refused.status, refused.json.details[0].field]).toEqual([422, "credential"]);
    const passkey = softwarePasskey();
    const credential = passkey.register({ ...site, challenge: second.challenge });
    expect((await admin("POST", "/auth/factors/passkeys", { body: { credential, name: "Laptop" } })).status).toBe(201);
    const { challenge, rpId } = (await under.send("POST", "/auth/passkey/start", { body: {} })).json.data;
    expect(rpId).toBe("example.com");
    const body = { passkey: passkey.approve({ ...site, challenge }), mode: "token" };
    const { status, json } = await under.send("POST", "/auth/passkey/finish", { body });
    expect([status, json.data.user.email]).toEqual([200, email]);
  });

  test.each([
    ["https://sign.example.com", "other.com"],
    ["https://sign.example.com", "ample.com"],
    ["https://sign.example.com", "com"],
    ["https://sign.example.com", ".example.com"],
    ["https://sign.example.com", "a.sign.example.com"],
    ["https://192.0.2.7", "2.7"],
  ])("the service at %s does not start with %s", (PUBLIC_URL, PASSKEY_RP_ID) => {
    const read = () => readConfig({ APP_SECRET: "a secret of the tests: 8d1f0c77aa", PUBLIC_URL, PASSKEY_RP_ID });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow("PASSKEY_RP_ID must be the host of PUBLIC_URL");
  });
});

describe("adding a passkey", () => {
  test("returns recovery codes with the first factor only, is recorded and mailed, and excludes passkeys that exist", async () => {
    const { org, passkey, factor_id, recovery_codes } = await withPasskey();
    expect(recovery_codes).toHaveLength(10);
    expect((await org.admin("GET", "/auth/factors")).json.data.factors).toEqual([
      { factor_id, kind: "passkey", name: "Laptop", created_at: expect.any(String), last_used_at: null },
    ]);
    expect(await entriesOf(org, "factor.added")).toEqual([expect.objectContaining({ factor_id, kind: "passkey", name: "Laptop" })]);
    expect((await mailTo(service, org.email, "factor_added"))[0]?.text).toContain("The passkey “Laptop” was added");
    const { json } = await offer(org.admin);
    expect(json.data).toMatchObject({
      user: { name: org.email },
      attestation: "none",
      excludeCredentials: [{ type: "public-key", id: passkey.credential_id }],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    expect(problemOf(await add(org.admin, passkey))).toEqual([409, "passkey_known"]);
    expect((await add(org.admin)).json.data).not.toHaveProperty("recovery_codes");
  });

  test.each<[string, Partial<Told>]>([
    ["another origin", { origin: "https://evil.example" }],
    ["another host", { rp_id: "evil.example" }],
    ["no check of the person", { user_verified: false }],
    ["the type of a log-in", { type: "webauthn.get" }],
    ["a frame of another site", { cross_origin: true }],
  ])("with %s is refused", async (_, changes) => {
    const org = await service.newOrg();
    const { status, json } = await add(org.admin, softwarePasskey(), changes);
    expect([status, json.details[0].field, json.details[0].code]).toEqual([422, "credential", "invalid_value"]);
    expect((await org.admin("GET", "/auth/factors")).json.data.factors).toEqual([]);
  });

  test("needs an open challenge of the same person, which works once", async () => {
    const [ann, ben] = [await service.newOrg(), await service.newOrg()];
    const send = (challenge: string) =>
      ann.admin("POST", "/auth/factors/passkeys", { body: { credential: softwarePasskey().register(told(challenge)) } });
    const own = (await offer(ann.admin)).json.data.challenge;
    const late = (await offer(ann.admin)).json.data.challenge;
    expect((await send(own)).status).toBe(201);
    await service.database.owner("update account_challenges set expires_at = now()");
    const foreign = (await offer(ben.admin)).json.data.challenge;
    for (const challenge of [own, late, foreign, await start()])
      expect((await send(challenge)).json.details[0].code, challenge).toBe("expired");
  });

  test("ends at ten, also of many at once", async () => {
    const org = await service.newOrg();
    const challenges = await Promise.all(Array.from({ length: 12 }, async () => (await offer(org.admin)).json.data.challenge as string));
    const answers: Answer[] = [];
    const racers = challenges.map(
      (challenge) => async () =>
        answers.push(
          await org.admin("POST", "/auth/factors/passkeys", { body: { credential: softwarePasskey().register(told(challenge)) } }),
        ),
    );
    await Promise.all(racers.map((run) => run()));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), 409, 409]);
    expect(answers.filter(({ json }) => json.data?.recovery_codes !== undefined)).toHaveLength(1);
    expect(problemOf(await offer(org.admin))).toEqual([409, "too_many_passkeys"]);
  });
});

describe("logging in with a passkey", () => {
  test.each(["ES256", "EdDSA", "RS256"] as const)(
    "of the algorithm %s needs neither password nor code, and confirms the person",
    async (kind) => {
      const { org, passkey } = await withPasskey(softwarePasskey(kind));
      const { status, json } = await logIn(passkey, { user_handle: Buffer.from(org.user_id).toString("base64url") });
      expect([status, json.data.user.email, json.data.org.org_id]).toEqual([200, org.email, org.org_id]);
      const send = client(service.url, { authorization: `Bearer ${json.data.token}` });
      expect((await send("PATCH", "/org/security", { body: { max_hours: 100 } })).status).toBe(200);
      const [started] = await entriesOf(org, "session.started");
      expect(started.factors).toEqual(["passkey"]);
    },
  );

  test("returns the same 401 for an unknown or removed passkey, a wrong signature, another person's handle and a foreign organization", async () => {
    const { org, passkey, factor_id } = await withPasskey();
    const stranger = await service.newOrg();
    const forged = { ...(await signed(passkey)), ...{ response: { ...(await signed(softwarePasskey())).response } } };
    const answers = [
      await logIn(softwarePasskey()),
      await logIn(passkey, { user_handle: Buffer.from(stranger.user_id).toString("base64url") }),
      await logIn(passkey, { origin: "https://evil.example" }),
      await logIn(passkey, { user_verified: false }),
      await logIn(passkey, {}, { org_id: stranger.org_id }),
      await service.send("POST", "/auth/passkey/finish", { body: { passkey: forged } }),
    ];
    await org.admin("DELETE", `/auth/factors/${factor_id}`);
    answers.push(await logIn(passkey));
    for (const { status, json } of answers) expect([status, json]).toEqual([401, refusedWith("The passkey was not accepted")]);
  });

  test("uses a challenge once", async () => {
    const { passkey } = await withPasskey();
    const answer = await signed(passkey);
    const send = () => service.send("POST", "/auth/passkey/finish", { body: { passkey: answer, mode: "token" } });
    expect((await Promise.all([send(), send()])).map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test("refuses and records a count that goes back; a count of 0 is no count", async () => {
    const { org, passkey, factor_id } = await withPasskey(softwarePasskey("ES256", { counts: true }));
    expect((await logIn(passkey, { count: 7 })).status).toBe(200);
    for (const count of [7, 6, 0]) expect((await logIn(passkey, { count })).status).toBe(401);
    expect(await entriesOf(org, "factor.refused")).toEqual(
      [0, 6, 7].map((sign_count) => expect.objectContaining({ factor_id, sign_count })),
    );
    expect((await logIn(passkey, { count: 8 })).status).toBe(200);
    const uncounted = await withPasskey();
    for (let n = 0; n < 2; n++) expect((await logIn(uncounted.passkey)).status).toBe(200);
  });
});

describe("a passkey as the second step", () => {
  test("completes a log-in with the password, also after too many wrong codes; another person's does not", async () => {
    const { org, passkey } = await withPasskey();
    await newApp(service, org.admin);
    const begin = async () =>
      (await service.send("POST", "/auth/login", { body: { email: org.email, password: PASSWORD, mode: "token" } })).json.data;
    const { login_token, methods } = await begin();
    expect(methods).toEqual(["totp", "passkey", "recovery_code"]);
    const finish = async (token: string, by: SoftwarePasskey) =>
      service.send("POST", "/auth/login/second-factor", { body: { login_token: token, passkey: await signed(by), mode: "token" } });
    expect(problemOf(await finish(login_token, (await withPasskey()).passkey))).toEqual([401, "invalid_code"]);
    await service.database.owner("select take_quota($1, 20, interval '1 hour') from generate_series(1, 20)", [
      `factor:user:${org.user_id}`,
    ]);
    const code = await service.send("POST", "/auth/login/second-factor", { body: { login_token, code: "000000", mode: "token" } });
    expect(code.status).toBe(429);
    expect((await finish(login_token, passkey)).status).toBe(200);
  });

  test("is what a person without an app needs besides the password, or a recovery code", async () => {
    const { org, recovery_codes } = await withPasskey();
    const { json } = await service.send("POST", "/auth/login", { body: { email: org.email, password: PASSWORD, mode: "token" } });
    expect(json.data.methods).toEqual(["passkey", "recovery_code"]);
    const body = { login_token: json.data.login_token, recovery_code: recovery_codes[0], mode: "token" };
    expect((await service.send("POST", "/auth/login/second-factor", { body })).status).toBe(200);
  });
});

test("a passkey alone confirms who the person is; another person's does not", async () => {
  const { org, passkey } = await withPasskey();
  await service.database.owner("update sessions set confirmed_at = now() - interval '11 minutes' where user_id = $1", [org.user_id]);
  expect(problemOf(await offer(org.admin))).toEqual([403, "reauthentication_required"]);
  const confirm = async (by: SoftwarePasskey) => org.admin("POST", "/auth/confirm", { body: { passkey: await signed(by) } });
  expect((await confirm((await withPasskey()).passkey)).json.details[0]).toMatchObject({ field: "passkey", code: "invalid_value" });
  expect((await org.admin("POST", "/auth/confirm", { body: {} })).json.details[0]).toMatchObject({ field: "password", code: "required" });
  expect((await confirm(passkey)).status).toBe(200);
  expect((await offer(org.admin)).status).toBe(200);
});

test("a passkey is the second factor that an organization requires, and removing the last factor removes the recovery codes", async () => {
  const { org, factor_id } = await withPasskey();
  expect((await org.admin("PATCH", "/org/security", { body: { second_factor: "required", grace_days: 0 } })).status).toBe(200);
  expect((await org.admin("GET", "/org/members")).json.data[0].second_factor).toBe(true);
  expect((await org.admin("PATCH", `/auth/factors/${factor_id}`, { body: { name: "Key ring" } })).json.data.name).toBe("Key ring");
  await org.admin("DELETE", `/auth/factors/${factor_id}`);
  expect(problemOf(await org.admin("GET", "/org/members"))).toEqual([403, "enrollment_required"]);
  expect((await org.admin("GET", "/auth/factors")).json.data).toEqual({ factors: [], recovery_codes_left: 0 });
});

describe("an account without a password", () => {
  const ready = async () => {
    const { org, passkey, ...first } = await withPasskey();
    const second = softwarePasskey();
    const added = await add(org.admin, second);
    return { org, passkey, second, ...first, second_id: added.json.data.factor_id as string };
  };
  const remove = ({ admin }: TestOrg) => admin("DELETE", "/auth/password");
  const lapse = ({ user_id }: TestOrg) =>
    service.database.owner("update sessions set confirmed_at = now() - interval '11 minutes' where user_id = $1", [user_id]);

  test("needs two passkeys and an unused recovery code, and logs in with passkeys alone", async () => {
    const { org, passkey } = await withPasskey();
    expect(problemOf(await remove(org))).toEqual([409, "passkeys_missing"]);
    await newApp(service, org.admin);
    expect(problemOf(await remove(org))).toEqual([409, "passkeys_missing"]);
    await add(org.admin);
    await service.database.owner("update recovery_codes set used_at = now() where user_id = $1", [org.user_id]);
    expect(problemOf(await remove(org))).toEqual([409, "passkeys_missing"]);
    await org.admin("POST", "/auth/recovery-codes");
    await lapse(org);
    expect(problemOf(await remove(org))).toEqual([403, "reauthentication_required"]);
    await service.database.owner("update sessions set confirmed_at = now() where user_id = $1", [org.user_id]);
    expect((await remove(org)).json).toEqual({ data: { done: true } });
    expect(problemOf(await remove(org))).toEqual([409, "password_missing"]);
    expect((await org.admin("GET", "/auth/me")).json.data.has_password).toBe(false);
    expect(await entriesOf(org, "password.removed")).toEqual([expect.objectContaining({ user_id: org.user_id })]);
    expect(await mailTo(service, org.email, "password_removed")).toHaveLength(1);
    expect((await service.send("POST", "/auth/login", { body: { email: org.email, password: PASSWORD } })).status).toBe(401);
    expect((await logIn(passkey)).status).toBe(200);
  });

  test("answers a log-in with a password as an unknown address does, and gets no link for one", async () => {
    const { org } = await ready();
    await remove(org);
    const [known, unknown] = [org.email, "nobody@example.com"].map((email) =>
      service.send("POST", "/auth/login", { body: { email, password: PASSWORD } }),
    );
    expect((await known)?.text).toBe((await unknown)?.text);
  });

  test("ends log-ins that wait for a second factor", async () => {
    const { org } = await ready();
    const waiting = await service.send("POST", "/auth/login", { body: { email: org.email, password: PASSWORD, mode: "token" } });
    expect(waiting.status).toBe(202);
    await remove(org);
    const { recovery_codes } = (await org.admin("POST", "/auth/recovery-codes")).json.data;
    const body = { login_token: waiting.json.data.login_token, recovery_code: recovery_codes[0], mode: "token" };
    expect(problemOf(await service.send("POST", "/auth/login/second-factor", { body }))).toEqual([401, "invalid_login_token"]);
  });

  test("confirms with a passkey, and not with a password", async () => {
    const { org, passkey } = await ready();
    await remove(org);
    await lapse(org);
    const byPassword = await org.admin("POST", "/auth/confirm", { body: { password: PASSWORD, code: "000000" } });
    expect(byPassword.json.details[0]).toMatchObject({ field: "password", code: "conflict" });
    expect((await org.admin("POST", "/auth/confirm", { body: { passkey: await signed(passkey) } })).status).toBe(200);
    expect((await org.admin("POST", "/auth/recovery-codes")).status).toBe(200);
  });

  test("keeps two passkeys, until it has a password again", async () => {
    const { org, factor_id } = await ready();
    await remove(org);
    expect(problemOf(await org.admin("DELETE", `/auth/factors/${factor_id}`))).toEqual([409, "passkeys_missing"]);
    const third = (await add(org.admin)).json.data.factor_id;
    const answers = await Promise.all([factor_id, third].map((id) => org.admin("DELETE", `/auth/factors/${id}`)));
    expect(answers.map(problemOf).sort()).toEqual([
      [200, ""],
      [409, "passkeys_missing"],
    ]);
    expect((await org.admin("GET", "/auth/factors")).json.data.factors).toHaveLength(2);
  });

  test("gets a password with a recent confirmation and no current one, and every session ends", async () => {
    const { org, passkey } = await ready();
    const set = (body: object) => org.admin("POST", "/auth/password", { body });
    expect((await set({ new_password: "violet ladder 88 sparrow" })).json.details[0]).toMatchObject({
      field: "current_password",
      code: "required",
    });
    await remove(org);
    expect((await set({ current_password: PASSWORD, new_password: "violet ladder 88 sparrow" })).json.details[0]).toMatchObject({
      field: "current_password",
      code: "conflict",
    });
    await lapse(org);
    expect(problemOf(await set({ new_password: "violet ladder 88 sparrow" }))).toEqual([403, "reauthentication_required"]);
    await org.admin("POST", "/auth/confirm", { body: { passkey: await signed(passkey) } });
    expect((await set({ new_password: "violet ladder 88 sparrow" })).status).toBe(200);
    expect((await org.admin("GET", "/auth/me")).status).toBe(401);
    const again = await service.send("POST", "/auth/login", { body: { email: org.email, password: "violet ladder 88 sparrow" } });
    // The passkeys are a second factor again.
    expect(again.status).toBe(202);
  });

  test("gets one with a mailed link too, which replaces no second factor: a recovery code does", async () => {
    const { org, recovery_codes } = await ready();
    await remove(org);
    const link = await service.db.system((tx) => makeResetLink(service.features.orgs, tx, org.email));
    const token = new URL(link?.url ?? "").hash.slice("#token=".length);
    const password = "violet ladder 88 sparrow";
    expect((await service.send("POST", "/auth/password-reset/confirm", { body: { token, password } })).status).toBe(200);
    const waiting = await service.send("POST", "/auth/login", { body: { email: org.email, password, mode: "token" } });
    expect(waiting.status).toBe(202);
    const body = { login_token: waiting.json.data.login_token, recovery_code: recovery_codes[0], mode: "token" };
    expect((await service.send("POST", "/auth/login/second-factor", { body })).status).toBe(200);
  });

  test("first sets a password to use a link that removes factors", async () => {
    const { org } = await ready();
    await remove(org);
    expect((await org.admin("POST", `/org/members/${org.user_id}/reset-factors`, { body: { reason: "lost both" } })).status).toBe(202);
    const [mail] = await mailTo(service, org.email, "factor_reset_link");
    const token = /#token=([\w-]+)/.exec(mail?.text ?? "")?.[1];
    const refused = await service.send("POST", "/auth/factors/reset", { body: { token, password: PASSWORD } });
    expect(problemOf(refused)).toEqual([409, "password_missing"]);
    const { factors } = (await org.admin("GET", "/auth/factors")).json.data;
    expect(factors).toHaveLength(2);
  });
});
