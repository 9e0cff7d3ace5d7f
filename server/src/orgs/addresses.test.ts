import { beforeEach, describe, expect, test } from "vitest";
import { softwarePasskey } from "../../../testing/software-authenticator.ts";
import { type Answer, client } from "../../test/client.ts";
import { joinInSession } from "../../test/invitations.ts";
import { PASSWORD, type TestOrg, testService } from "../../test/service.ts";
import { newMember } from "../../test/vaulted.ts";
import { clearAddresses } from "./clear-addresses.ts";

const service = testService({ TRUST_PROXY_HOPS: "1" });

const OFFICE = "203.0.113.7";
const HOME = "198.51.100.9";

beforeEach(async () => {
  await service.database.owner("delete from quotas where subject like 'refused:%' or subject like 'login:%'");
});

const problemOf = ({ status, headers }: Answer): [number, string] => [status, headers["x-error-code"] ?? ""];
const at = (address: string, token?: string) =>
  client(service.url, {
    "x-forwarded-for": address,
    "user-agent": "browser/1",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  });
const change = ({ token }: TestOrg, allowed_cidrs: readonly string[], from = OFFICE): Promise<Answer> =>
  at(from, token)("PATCH", "/org/security", { body: { allowed_cidrs } });
const logIn = ({ email }: Pick<TestOrg, "email">, address: string, more: object = {}): Promise<Answer> =>
  at(address)("POST", "/auth/login", { body: { email, password: PASSWORD, mode: "token", ...more } });
const refresh = (refresh_token: string, address: string, more: object = {}): Promise<Answer> =>
  at(address)("POST", "/auth/refresh", { body: { refresh_token, ...more } });
const attempts = ({ org_id }: TestOrg) =>
  service.database.owner<object>(
    `select method, result, reason, host(ip) as ip, user_agent, attempts from sign_in_attempts
     where only_org = $1 and reason = 'address' order by method`,
    [org_id],
  );

async function officeOrg(): Promise<TestOrg> {
  const org = await service.newOrg();
  expect((await change(org, ["203.0.113.0/24", "2001:db8::/32"])).status).toBe(200);
  return org;
}

describe("an organization with a list of addresses", () => {
  test("is used from these alone; a session elsewhere is refused like an unknown one, and goes on at an address of the list", async () => {
    const org = await officeOrg();
    const ask = (address: string) => at(address, org.token)("GET", "/partner/envelopes");
    expect((await ask(OFFICE)).status).toBe(200);
    expect((await ask("::ffff:203.0.113.8")).status).toBe(200);
    expect((await ask("2001:db8:1::5")).status).toBe(200);
    const refused = await ask(HOME);
    const unknown = await at(HOME, "unknown")("GET", "/partner/envelopes");
    expect(problemOf(refused)).toEqual([401, "invalid_session"]);
    expect(refused.json).toEqual(unknown.json);
    expect(problemOf(await at(HOME, org.token)("GET", "/auth/me"))).toEqual([401, "invalid_session"]);
    expect((await ask(OFFICE)).status).toBe(200);
    expect(await attempts(org)).toEqual([
      { method: "session", result: "refused", reason: "address", ip: HOME, user_agent: "browser/1", attempts: 2 },
    ]);
  });

  test("refuses a correct password from elsewhere with the reason, a wrong one as always, and records it", async () => {
    const org = await officeOrg();
    const refused = await logIn(org, HOME);
    expect(problemOf(refused)).toEqual([403, "address_not_allowed"]);
    expect(refused.json.details[0].message).toContain(HOME);
    expect(problemOf(await logIn(org, HOME, { password: "mauve otter kettle 1932" }))).toEqual([401, "invalid_credentials"]);
    expect((await logIn(org, OFFICE)).status).toBe(200);
    expect(await attempts(org)).toMatchObject([{ method: "password", result: "refused", ip: HOME, attempts: 1 }]);
  });

  test("refuses a passkey from elsewhere, and a second factor whose password was entered at an address of the list", async () => {
    const org = await officeOrg();
    const { origin, hostname: rp_id } = new URL(service.config.publicUrl);
    const passkey = softwarePasskey();
    const { challenge } = (await at(OFFICE, org.token)("POST", "/auth/factors/passkeys/start", { body: {} })).json.data;
    const credential = passkey.register({ challenge, origin, rp_id });
    const added = await at(OFFICE, org.token)("POST", "/auth/factors/passkeys", { body: { credential, name: "Laptop" } });
    expect(added.status).toBe(201);
    const approve = async () => {
      const started = await service.send("POST", "/auth/passkey/start", { body: {} });
      return passkey.approve({ challenge: started.json.data.challenge, origin, rp_id });
    };
    const finish = async (address: string) =>
      at(address)("POST", "/auth/passkey/finish", { body: { passkey: await approve(), mode: "token" } });
    expect(problemOf(await finish(HOME))).toEqual([403, "address_not_allowed"]);
    expect(await attempts(org)).toMatchObject([{ method: "passkey", result: "refused", ip: HOME, attempts: 1 }]);
    expect((await finish(OFFICE)).status).toBe(200);

    const waiting = await logIn(org, OFFICE);
    expect(waiting.status).toBe(202);
    const { login_token } = waiting.json.data;
    const second = async (address: string) =>
      at(address)("POST", "/auth/login/second-factor", { body: { login_token, passkey: await approve(), mode: "token" } });
    expect(problemOf(await second(HOME))).toEqual([403, "address_not_allowed"]);
    expect((await second(OFFICE)).status).toBe(200);
  });

  test("refuses a refresh from elsewhere without using the token up", async () => {
    const org = await officeOrg();
    const { refresh_token } = (await logIn(org, OFFICE)).json.data;
    expect(problemOf(await refresh(refresh_token, HOME))).toEqual([403, "address_not_allowed"]);
    expect(problemOf(await refresh(refresh_token, HOME))).toEqual([403, "address_not_allowed"]);
    expect((await refresh(refresh_token, OFFICE)).status).toBe(200);
  });

  test("does not stop its members in their other organizations, but no session of those gets in from elsewhere", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    await joinInSession(service, other, org);
    expect((await change(org, [`${OFFICE}/32`])).status).toBe(200);
    const signed = await logIn(org, HOME);
    expect([signed.status, signed.json.data.org.org_id]).toEqual([200, other.org_id]);
    const { refresh_token } = signed.json.data;
    expect(problemOf(await refresh(refresh_token, HOME, { org_id: org.org_id }))).toEqual([403, "address_not_allowed"]);
    const moved = await refresh(refresh_token, OFFICE, { org_id: org.org_id });
    expect([moved.status, moved.json.data.org.org_id]).toEqual([200, org.org_id]);
    expect(problemOf(await logIn(org, HOME, { org_id: org.org_id }))).toEqual([403, "address_not_allowed"]);
  });

  test("lets an invited person accept from elsewhere, without a session", async () => {
    const org = await officeOrg();
    const invite = { body: { email: "kim@addresses.example", role: "viewer" } };
    const { accept_url } = (await at(OFFICE, org.token)("POST", "/org/invitations", invite)).json.data;
    const token = new URL(accept_url).hash.slice("#token=".length);
    const body = { token, name: "Kim", password: PASSWORD, mode: "token" };
    const { status, json } = await at(HOME)("POST", "/auth/invitations/accept", { body });
    expect([status, json.data.token, json.data.role]).toEqual([200, undefined, "viewer"]);
    expect(problemOf(await logIn({ email: "kim@addresses.example" }, HOME))).toEqual([403, "address_not_allowed"]);
    expect((await logIn({ email: "kim@addresses.example" }, OFFICE)).status).toBe(200);
  });

  test("does not limit API keys, which have lists of their own", async () => {
    const org = await officeOrg();
    const { json } = await at(OFFICE, org.token)("POST", "/partners/keys", { body: { partner_name: "Acme", scopes: ["envelopes:read"] } });
    const key = client(service.url, { "x-forwarded-for": HOME, "x-api-key": json.data.api_key });
    expect((await key("GET", "/partner/envelopes")).status).toBe(200);
  });
});

describe("the list of addresses", () => {
  test("is changed with an entry, is seen by those who administer security alone, and is removed by an empty one", async () => {
    const org = await service.newOrg();
    const viewer = await newMember(service, org, "viewer");
    const changed = await change(org, [` ${OFFICE}`, "127.0.0.1"]);
    expect([changed.status, changed.json.data.allowed_cidrs]).toEqual([200, [`${OFFICE}/32`, "127.0.0.1/32"]]);
    expect((await viewer.send("GET", "/org/security")).json.data).not.toHaveProperty("allowed_cidrs");
    expect((await change(org, [])).json.data.allowed_cidrs).toEqual([]);
    expect((await at(HOME, org.token)("GET", "/org/security")).json.data.allowed_cidrs).toEqual([]);
    const entries = (await org.admin("GET", "/org/audit-trail?type=security.changed")).json.data;
    expect(entries.map(({ data }: { data: { changes: object } }) => data.changes)).toEqual([
      { allowed_cidrs: { from: [`${OFFICE}/32`, "127.0.0.1/32"], to: [] } },
      { allowed_cidrs: { from: [], to: [`${OFFICE}/32`, "127.0.0.1/32"] } },
    ]);
  });

  test("contains the address of the admin who saves it", async () => {
    const org = await service.newOrg();
    const refused = await change(org, ["192.0.2.0/24"]);
    expect(problemOf(refused)).toEqual([422, "would_lock_out"]);
    expect(refused.json.details[0]).toMatchObject({ field: "allowed_cidrs", message: `must contain your own address, ${OFFICE}` });
    expect((await at(OFFICE, org.token)("GET", "/org/security")).json.data.allowed_cidrs).toEqual([]);
  });

  test("refuses what is not a range, with the rules of keys, and more than 50", async () => {
    const org = await service.newOrg();
    const { status, json } = await change(org, [OFFICE, "203.0.113.7/24"]);
    expect([status, json.details[0].field, json.details[0].code]).toEqual([422, "allowed_cidrs[1]", "invalid_format"]);
    const many = Array.from({ length: 51 }, (_, index) => `203.0.113.${index}`);
    expect((await change(org, many)).status).toBe(422);
  });

  test("is removed by the operator with an entry, when it keeps everyone out", async () => {
    const org = await officeOrg();
    const by = { ip: "127.0.0.1", user_agent: "countersign", request_id: "req_test" };
    const clear = () => service.db.tx(org.org_id, (tx) => clearAddresses(tx, org.org_id, by));
    expect(await clear()).toEqual(["203.0.113.0/24", "2001:db8::/32"]);
    expect(await clear()).toEqual([]);
    expect((await at(HOME, org.token)("GET", "/auth/me")).status).toBe(200);
    const [entry, ...older] = (await org.admin("GET", "/org/audit-trail?type=security.changed")).json.data;
    expect([entry.actor.kind, entry.data.changes, older.length]).toEqual([
      "system",
      { allowed_cidrs: { from: ["203.0.113.0/24", "2001:db8::/32"], to: [] } },
      1,
    ]);
  });
});

describe("behind a proxy that is not trusted", () => {
  const plain = testService();

  test("a list is refused with a hint, because no member would pass it", async () => {
    const { admin } = await plain.newOrg();
    const { status, json } = await admin("PATCH", "/org/security", { body: { allowed_cidrs: [OFFICE, "127.0.0.1"] } });
    expect([status, json.details[0].field]).toEqual([422, "allowed_cidrs"]);
    expect(json.details[0].message).toContain("TRUST_PROXY_HOPS");
  });
});
