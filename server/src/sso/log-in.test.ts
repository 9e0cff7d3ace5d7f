import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../../test/client.ts";
import { newApp } from "../../test/factors.ts";
import { type IdentityProvider, startIdentityProvider } from "../../test/identity-provider.ts";
import { accept, invite } from "../../test/invitations.ts";
import { type NameServer, startNameServer } from "../../test/name-server.ts";
import { newSandbox } from "../../test/sandboxes.ts";
import { PASSWORD, type TestOrg, testService } from "../../test/service.ts";
import { Browser, connect, proveDomain, setMode, testConnection, withToken } from "../../test/sso.ts";
import { until } from "../../test/until.ts";
import { newMember } from "../../test/vaulted.ts";
import { addEmailChange } from "../accounts/email-change-store.ts";
import { makeResolveTexts } from "../outbound/name-resolver.ts";
import type { ConnectionId } from "../shared/ids.ts";
import { newToken, sha256 } from "../shared/secrets.ts";
import { lockConnection, updateConnection } from "./store.ts";

const service = testService();
let names: NameServer;
let provider: IdentityProvider;
let made = 0;
const newDomain = () => `company${++made}.example`;
const newSubject = () => `subject-${++made}`;
const problemOf = ({ status, headers }: Answer): [number, string] => [status, headers["x-error-code"] ?? ""];
const reasonOf = ({ json }: Answer): string => json.details[0].message;
const entriesOf = async (org: TestOrg, type: string) =>
  (await org.admin("GET", `/org/audit-trail?type=${type}`)).json.data.map(({ data }: { data: object }) => data);
const byPassword = (email: string, values: object = {}) =>
  service.send("POST", "/auth/login", { body: { email, password: PASSWORD, mode: "token", ...values } });
const rolesOf = async (org: TestOrg) =>
  Object.fromEntries((await org.admin("GET", "/org/members")).json.data.map(({ email, role }: Record<string, string>) => [email, role]));

beforeAll(async () => {
  names = await startNameServer();
  Object.assign(service.features.orgs, { resolveTexts: makeResolveTexts([names.address]) });
  provider = await startIdentityProvider(`${service.config.publicUrl}/auth/sso/callback`);
});
afterAll(async () => {
  await names.close();
  await provider.close();
});
afterEach(async () => {
  Object.assign(provider, { forge: null, signWith: "own", algorithms: null, away: false });
  await service.database.owner("delete from quotas");
});

interface SsoOrg {
  readonly org: TestOrg;
  readonly domain: string;
  readonly connection_id: string;
}

/** An org that offers single sign-on with the provider, for addresses in its domain. */
async function newSsoOrg(values: object = {}): Promise<SsoOrg> {
  const [org, domain] = [await service.newOrg(), newDomain()];
  await proveDomain(names, org, domain);
  const connection_id = await connect(org, provider, values);
  await setMode(org, "optional");
  return { org, domain, connection_id };
}

/** A person whom the provider knows logs in. */
function logIn({ connection_id }: SsoOrg, person: IdentityProvider["person"]): Promise<Answer> {
  provider.person = person;
  return new Browser(service).logIn(provider, { connection_id });
}

describe("a log-in with single sign-on", () => {
  test("makes a member who has no account, and lets them in again", async () => {
    const { org, domain, connection_id } = await newSsoOrg();
    const sub = newSubject();
    provider.person = { sub, email: `Ann@${domain}`, email_verified: true, name: "Ann" };
    const signed = await new Browser(service).logIn(provider, { email: `ann@${domain}` });
    expect([signed.status, signed.json.data]).toEqual([201, expect.objectContaining({ role: "member", sso_connection_id: connection_id })]);
    const { user_id } = signed.json.data.user;
    const again = await new Browser(service).logIn(provider, { connection_id });
    expect(again.json.data.user).toEqual({ user_id, email: `Ann@${domain}`, name: "Ann" });
    expect(await entriesOf(org, "sso.linked")).toEqual([
      expect.objectContaining({ user_id, connection_id, subject: sub, account: "new", membership: "new" }),
    ]);
    const vias = (await entriesOf(org, "session.started")).map(({ via }: { via: string }) => via);
    expect(vias).toEqual([`sso:${connection_id}`, `sso:${connection_id}`, "password"]);
  });

  test("ends when the connection says, at the latest", async () => {
    const at = await newSsoOrg({ max_hours: 2 });
    const send = withToken(service, await logIn(at, { sub: newSubject(), email: `ann@${at.domain}` }));
    const [session] = (await send("GET", "/auth/sessions")).json.data;
    expect(Date.parse(session.expires_at) - Date.parse(session.created_at)).toBe(2 * 3_600_000);
  });

  test.each<[string, object, object, string]>([
    ["with an address in a domain that the organization has not proved", {}, { email: "ann@elsewhere.example" }, "not in a domain"],
    ["without an address", {}, { email: undefined }, "no e-mail address"],
    ["with an address that the provider says is not verified", {}, { email_verified: false }, "did not verify"],
    ["without a role that the connection knows", { role_claim: "roles", default_role: null }, { roles: ["other"] }, "no role"],
    [
      "with groups that the provider left out",
      { role_claim: "groups" },
      { _claim_names: { groups: "src1" } },
      "Send app roles instead of groups",
    ],
    ["without the strength that is demanded", { required_acr: "gold" }, { acr: "silver" }, "the method that the organization demands"],
    ["without all demanded methods", { required_amr: ["mfa", "hwk"] }, { amr: ["mfa"] }, "the method that the organization demands"],
    ["who is no member, if the connection makes none", { provision: "off" }, {}, "ask an admin for an invitation"],
  ])("refuses a person %s", async (_who, settings, claims, reason) => {
    const at = await newSsoOrg(settings);
    const refused = await logIn(at, { sub: newSubject(), email: `ann@${at.domain}`, ...claims });
    expect(problemOf(refused)).toEqual([403, "not_provisioned"]);
    expect(reasonOf(refused)).toContain(reason);
    expect(Object.keys(await rolesOf(at.org))).toEqual([at.org.email]);
    expect(await entriesOf(at.org, "sso.refused")).toHaveLength(1);
  });

  test("accepts an unverified address if the connection trusts it and the domain is proved by DNS, but not by mail", async () => {
    const at = await newSsoOrg({ trust_email: true });
    const person = { sub: newSubject(), email: `ann@${at.domain}`, email_verified: false };
    await service.database.owner("update org_domains set method = 'mail' where org_id = $1", [at.org.org_id]);
    expect(problemOf(await logIn(at, person))).toEqual([403, "not_provisioned"]);
    await service.database.owner("update org_domains set method = 'dns' where org_id = $1", [at.org.org_id]);
    expect((await logIn(at, person)).status).toBe(201);
  });

  test("is not offered for an unknown domain, nor while it is off", async () => {
    const { org, domain, connection_id } = await newSsoOrg();
    const start = (body: object) => service.send("POST", "/auth/sso/start", { body });
    expect(problemOf(await start({ email: "ann@unknown.example" }))).toEqual([404, "sso_not_offered"]);
    await setMode(org, "off");
    expect(problemOf(await start({ email: `ann@${domain}` }))).toEqual([404, "sso_not_offered"]);
    expect(problemOf(await start({ connection_id }))).toEqual([404, "sso_not_offered"]);
  });

  test("keeps the account of a person whose address at the provider changes, and tells the admins", async () => {
    const at = await newSsoOrg();
    const sub = newSubject();
    const first = await logIn(at, { sub, email: `ann@${at.domain}` });
    const second = await logIn(at, { sub, email: at.org.email });
    expect(second.json.data.user).toEqual(first.json.data.user);
    const queued = await service.database.owner("select payload from outbox where payload->>'kind' = 'sso_address_changed'");
    expect(queued).toHaveLength(1);
  });

  test("does not bring back a member whom an admin removed, until they are invited again", async () => {
    const at = await newSsoOrg();
    const person = { sub: newSubject(), email: `ann@${at.domain}` };
    const { user_id } = (await logIn(at, person)).json.data.user;
    await at.org.admin("DELETE", `/org/members/${user_id}`);
    const refused = await logIn(at, person);
    expect([problemOf(refused), reasonOf(refused)]).toEqual([[403, "not_provisioned"], expect.stringContaining("no longer a member")]);
    const otherSubject = await logIn(at, { ...person, sub: newSubject() });
    expect([problemOf(otherSubject), reasonOf(otherSubject)]).toEqual([problemOf(refused), reasonOf(refused)]);
    const connection_id = await connect(at.org, provider, { name: "Another way" });
    const otherWay = await logIn({ ...at, connection_id }, person);
    expect([problemOf(otherWay), reasonOf(otherWay)]).toEqual([problemOf(refused), reasonOf(refused)]);
    const { token } = await invite(at.org, person.email);
    expect((await accept(service, token)).status).toBe(201);
    expect((await logIn(at, person)).status).toBe(201);
  });

  test("does not bring back a member whom an admin removed and who had never used it, until they are invited again", async () => {
    const at = await newSsoOrg();
    const email = `ben@${at.domain}`;
    const { user_id } = (await accept(service, (await invite(at.org, email)).token)).json.data.user;
    expect((await at.org.admin("DELETE", `/org/members/${user_id}`)).status).toBe(200);
    const person = { sub: newSubject(), email: email.toUpperCase() };
    const isRefused = async () => {
      const refused = await logIn(at, person);
      expect([problemOf(refused), reasonOf(refused)]).toEqual([[403, "not_provisioned"], expect.stringContaining("no longer a member")]);
    };
    await isRefused();
    // Nor with another account, which their address at the provider would get once theirs has another one.
    await service.database.owner("update users set email = $1 where user_id = $2", [`private-${user_id}@example.com`, user_id]);
    await isRefused();
    expect(Object.keys(await rolesOf(at.org))).toEqual([at.org.email]);
    expect((await accept(service, (await invite(at.org, email)).token)).status).toBe(201);
    expect((await logIn(at, person)).status).toBe(201);
  });

  test("does not give a member's place to another person at the provider with the same address", async () => {
    const at = await newSsoOrg();
    const email = `ann@${at.domain}`;
    await logIn(at, { sub: newSubject(), email });
    const refused = await logIn(at, { sub: newSubject(), email });
    expect([problemOf(refused), reasonOf(refused)]).toEqual([[403, "not_provisioned"], expect.stringContaining("another account")]);
  });
});

describe("a connection that leads to another provider", () => {
  test("knows people by their address first: a subject of the provider before is someone else's", async () => {
    const at = await newSsoOrg();
    const [ann, ben] = [`ann@${at.domain}`, `ben@${at.domain}`];
    const sub = newSubject();
    const before = await logIn(at, { sub, email: ann });
    const second = await startIdentityProvider(`${service.config.publicUrl}/auth/sso/callback`);
    try {
      const changed = await at.org.admin("PATCH", `/org/sso/${at.connection_id}`, { body: { issuer: second.issuer, ...second.client } });
      expect(changed.status).toBe(200);
      expect(problemOf(await withToken(service, before)("GET", "/auth/me"))).toEqual([401, "invalid_session"]);
      second.person = { sub, email: ben };
      const other = await new Browser(service).logIn(second, { connection_id: at.connection_id });
      expect([other.status, other.json.data.user.email]).toEqual([201, ben]);
      second.person = { sub: newSubject(), email: ann };
      const again = await new Browser(service).logIn(second, { connection_id: at.connection_id });
      expect([again.status, again.json.data.user]).toEqual([201, before.json.data.user]);
    } finally {
      await second.close();
    }
  });
});

test("a log-in that is finished while its connection is being disabled does not begin a session", async () => {
  const at = await newSsoOrg();
  const person = { sub: newSubject(), email: `ann@${at.domain}` };
  await logIn(at, person);
  const browser = new Browser(service);
  const code = (await browser.codeFrom(provider, { connection_id: at.connection_id })).get("code");
  const waiting = () =>
    service.database.owner("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'");
  const finishing = await service.db.tx(at.org.org_id, async (tx) => {
    const connection = await lockConnection(tx, at.org.org_id, at.connection_id as ConnectionId);
    await updateConnection(tx, at.org.org_id, { ...connection, state: "disabled" });
    const answer = browser.finish(code);
    await Promise.race([answer, until("the log-in to wait", async () => (await waiting()).length > 0)]);
    // As an object, so that it is not awaited before the transaction has ended.
    return { answer };
  });
  expect(problemOf(await finishing.answer)).toEqual([401, "invalid_sso_code"]);
});

test("a log-in that began before its connection was changed begins again", async () => {
  const at = await newSsoOrg();
  provider.person = { sub: newSubject(), email: `ann@${at.domain}` };
  const browser = new Browser(service);
  const code = (await browser.codeFrom(provider, { connection_id: at.connection_id })).get("code");
  await at.org.admin("PATCH", `/org/sso/${at.connection_id}`, { body: { required_amr: ["mfa"] } });
  expect(problemOf(await browser.finish(code))).toEqual([401, "invalid_sso_code"]);
});

describe("roles", () => {
  const settings = {
    role_claim: "realm_access.roles",
    role_map: [
      { value: "boss", role: "admin" },
      { value: "reader", role: "viewer" },
    ],
  };
  const withRoles = (...roles: string[]) => ({ realm_access: { roles } });

  test("come from the first rule whose value the provider sends, at each log-in, and cannot be changed by hand", async () => {
    const at = await newSsoOrg(settings);
    const person = { sub: newSubject(), email: `ann@${at.domain}` };
    const signed = await logIn(at, { ...person, ...withRoles("reader", "boss") });
    expect(signed.json.data.role).toBe("admin");
    const { user_id } = signed.json.data.user;
    expect((await logIn(at, { ...person, ...withRoles("reader") })).json.data.role).toBe("viewer");
    expect((await logIn(at, { ...person, ...withRoles() })).json.data.role).toBe("member");
    const changed = await at.org.admin("PATCH", `/org/members/${user_id}`, { body: { role: "admin" } });
    expect(problemOf(changed)).toEqual([409, "managed_by_sso"]);
  });

  test("never demote the last admin", async () => {
    const at = await newSsoOrg(settings);
    const admin = await service.database.owner<{ email: string }>("update users set email = $2 where user_id = $1 returning email", [
      at.org.user_id,
      `boss@${at.domain}`,
    ]);
    const signed = await logIn(at, { sub: newSubject(), email: admin[0]?.email ?? "", ...withRoles("reader") });
    expect([signed.status, signed.json.data.role]).toEqual([201, "admin"]);
    expect(await entriesOf(at.org, "sso.role_kept")).toEqual([
      expect.objectContaining({ from: "admin", to: "viewer", reason: "last_admin" }),
    ]);
  });

  test("without a claim for them stay as they were given by hand", async () => {
    const at = await newSsoOrg();
    const person = { sub: newSubject(), email: `ann@${at.domain}` };
    const { user_id } = (await logIn(at, person)).json.data.user;
    expect((await at.org.admin("PATCH", `/org/members/${user_id}`, { body: { role: "viewer" } })).status).toBe(200);
    expect((await logIn(at, person)).json.data.role).toBe("viewer");
  });
});

describe("an account that someone else prepared", () => {
  test("with an unverified address is returned to its owner, without its password, if it is in no other organization", async () => {
    const at = await newSsoOrg();
    const email = `ann@${at.domain}`;
    // Without a mail server an invitation proves nothing.
    const { token } = await invite(at.org, email);
    const planted = withToken(service, await accept(service, token));
    expect((await logIn(at, { sub: newSubject(), email })).status).toBe(201);
    expect(problemOf(await planted("GET", "/auth/me"))).toEqual([401, "invalid_session"]);
    expect(problemOf(await byPassword(email))).toEqual([401, "invalid_credentials"]);
    expect(await entriesOf(at.org, "account.reclaimed")).toHaveLength(1);
  });

  test("is not moved to another address by a change that they requested before", async () => {
    const at = await newSsoOrg();
    const email = `ann@${at.domain}`;
    const { token } = await invite(at.org, email);
    const planted = (await accept(service, token)).json.data.user;
    const link = newToken();
    const change = { user_id: planted.user_id, new_email: `eve${++made}@elsewhere.example`, life_seconds: 3_600 };
    await service.db.system((tx) => addEmailChange(tx, sha256(link), change));
    const signed = await logIn(at, { sub: newSubject(), email });
    expect(signed.json.data.user).toEqual({ ...planted, email });
    const moved = await service.send("POST", "/auth/email/confirm", { body: { token: link } });
    expect(problemOf(moved)).toEqual([422, "invalid_link"]);
  });

  test("in another organization gets the membership, but its password does not open it", async () => {
    const at = await newSsoOrg();
    const other = await service.newOrg();
    const email = `ann@${at.domain}`;
    const { token } = await invite(other, email);
    await accept(service, token);
    expect((await logIn(at, { sub: newSubject(), email })).json.data.org.org_id).toBe(at.org.org_id);
    expect((await byPassword(email)).json.data.org.org_id).toBe(other.org_id);
    const refused = await byPassword(email, { org_id: at.org.org_id });
    expect(problemOf(refused)).toEqual([403, "sso_required"]);
    expect(refused.json.details[0].connection_id).toBe(at.connection_id);
    const { refresh_token } = (await byPassword(email)).json.data;
    const moved = await service.send("POST", "/auth/refresh", { body: { refresh_token, org_id: at.org.org_id } });
    expect(problemOf(moved)).toEqual([403, "sso_required"]);
    expect(await entriesOf(other, "account.reclaimed")).toEqual([]);
  });
});

describe("a session of single sign-on", () => {
  test("stays in its organization and cannot change the account", async () => {
    const at = await newSsoOrg();
    const other = await service.newOrg();
    const email = `ann@${at.domain}`;
    const { token } = await invite(other, email);
    await accept(service, token);
    const signed = await logIn(at, { sub: newSubject(), email });
    const send = withToken(service, signed);
    expect((await send("GET", "/auth/me")).json.data.orgs).toEqual([{ org_id: at.org.org_id, name: expect.any(String), role: "member" }]);
    const { refresh_token } = signed.json.data;
    const moved = await service.send("POST", "/auth/refresh", { body: { refresh_token, org_id: other.org_id } });
    expect(problemOf(moved)).toEqual([409, "managed_by_sso"]);
    const invitation = await invite(await service.newOrg(), email);
    const joined = await send("POST", "/auth/invitations/accept", { body: { token: invitation.token } });
    expect(problemOf(joined)).toEqual([409, "managed_by_sso"]);
    const acts: [string, string, object?][] = [
      ["POST", "/auth/password", { current_password: PASSWORD, new_password: "x" }],
      ["POST", "/auth/confirm", { password: PASSWORD }],
      ["POST", "/auth/factors/totp", {}],
      ["POST", "/auth/factors/passkeys/start"],
      ["POST", "/auth/recovery-codes"],
      ["POST", "/auth/email/code"],
    ];
    for (const [method, path, body] of acts)
      expect([path, ...problemOf(await send(method, path, body && { body }))]).toEqual([path, 409, "managed_by_sso"]);
    const renewed = await service.send("POST", "/auth/refresh", { body: { refresh_token } });
    expect([renewed.status, renewed.json.data.sso_connection_id]).toEqual([200, at.connection_id]);
  });

  test("goes to the sandboxes of its organization and back, and to nothing else", async () => {
    const at = await newSsoOrg();
    const sandbox = await newSandbox(service, at.org);
    const elsewhere = await newSandbox(service, await service.newOrg());
    const signed = await logIn(at, { sub: newSubject(), email: `ann@${at.domain}` });
    const refresh = (refresh_token: string, org_id: string) => service.send("POST", "/auth/refresh", { body: { refresh_token, org_id } });
    expect(problemOf(await refresh(signed.json.data.refresh_token, elsewhere.org_id))).toEqual([409, "managed_by_sso"]);
    const there = await refresh(signed.json.data.refresh_token, sandbox.org_id);
    expect([there.status, there.json.data.org.org_id, there.json.data.mode]).toEqual([200, sandbox.org_id, "test"]);
    const me = (await withToken(service, there)("GET", "/auth/me")).json.data;
    expect(me.orgs.map(({ org_id }: { org_id: string }) => org_id).sort()).toEqual([at.org.org_id, sandbox.org_id].sort());
    const back = await refresh(there.json.data.refresh_token, at.org.org_id);
    expect([back.status, back.json.data.org.org_id]).toEqual([200, at.org.org_id]);
    // Who was kept out of the organization meanwhile does not come back from a sandbox.
    const again = await refresh(back.json.data.refresh_token, sandbox.org_id);
    await service.database.owner("update sso_connections set state = 'disabled' where org_id = $1", [at.org.org_id]);
    expect(problemOf(await refresh(again.json.data.refresh_token, at.org.org_id))).toEqual([409, "managed_by_sso"]);
  });

  test("ends the person's others in its organization alone, and a session of the account ends it too", async () => {
    const at = await newSsoOrg();
    const email = `ann@${at.domain}`;
    const { token } = await invite(await service.newOrg(), email);
    const elsewhere = withToken(service, await accept(service, token));
    const sub = newSubject();
    const [first, second] = [withToken(service, await logIn(at, { sub, email })), withToken(service, await logIn(at, { sub, email }))];
    expect((await second("POST", "/auth/sessions/end-others")).json).toEqual({ data: { ended: 1 } });
    expect((await first("GET", "/auth/me")).status).toBe(401);
    expect((await elsewhere("GET", "/auth/me")).status).toBe(200);
    expect((await elsewhere("POST", "/auth/sessions/end-others")).json).toEqual({ data: { ended: 1 } });
    expect((await second("GET", "/auth/me")).status).toBe(401);
  });

  test("that begins while the person ends their other sessions is ended too", async () => {
    const at = await newSsoOrg();
    const email = `ann@${at.domain}`;
    const { token } = await invite(await service.newOrg(), email);
    const elsewhere = withToken(service, await accept(service, token));
    const sub = newSubject();
    await logIn(at, { sub, email });
    await elsewhere("POST", "/auth/sessions/end-others");
    const browser = new Browser(service);
    const code = (await browser.codeFrom(provider, { connection_id: at.connection_id })).get("code");
    const [signed, ended] = await service.db.tx(at.org.org_id as never, async (tx) => {
      await tx.query({ name: "hold-head", text: "select from audit_heads where org_id = $1 for update", values: [at.org.org_id] });
      const waiting = async () =>
        (await service.database.owner("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))
          .length;
      const logsIn = browser.finish(code);
      await until("the log-in to wait", async () => (await waiting()) === 1);
      const ends = elsewhere("POST", "/auth/sessions/end-others");
      await until("the other request to wait", async () => (await waiting()) === 2);
      return [logsIn, ends] as const;
    });
    expect((await ended).json).toEqual({ data: { ended: 1 } });
    expect((await withToken(service, await signed)("GET", "/auth/me")).status).toBe(401);
  });

  test("does not see in which browsers its account is used elsewhere", async () => {
    const at = await newSsoOrg();
    const email = `ann@${at.domain}`;
    const { token } = await invite(await service.newOrg(), email);
    const elsewhere = withToken(service, await accept(service, token));
    const headers = { origin: service.config.publicUrl };
    expect((await service.send("POST", "/auth/login", { body: { email, password: PASSWORD }, headers })).status).toBe(200);
    expect((await elsewhere("GET", "/auth/devices")).json.data.devices).toHaveLength(1);
    const send = withToken(service, await logIn(at, { sub: newSubject(), email }));
    expect((await send("GET", "/auth/devices")).json.data).toEqual({ devices: [] });
  });

  test("is confirmed by a new log-in of the same person at the provider", async () => {
    const at = await newSsoOrg({ default_role: "admin" });
    const person = { sub: newSubject(), email: `ann@${at.domain}` };
    const signed = await logIn(at, person);
    const send = withToken(service, signed);
    const { user_id } = signed.json.data.user;
    await service.database.owner("update sessions set confirmed_at = now() - interval '11 minutes' where user_id = $1", [user_id]);
    const act = () => send("POST", "/org/domains", { body: { domain: newDomain() } });
    expect(problemOf(await act())).toEqual([403, "reauthentication_required"]);
    const headers = { authorization: `Bearer ${signed.json.data.token}` };
    const confirm = async () => {
      const browser = new Browser(service);
      const fragment = await browser.codeFrom(provider, { purpose: "confirm" }, headers);
      return browser.finish(fragment.get("code"));
    };
    provider.person = { ...person, auth_time: Math.floor(Date.now() / 1000) - 3_600 };
    expect(reasonOf(await confirm())).toContain("did not ask you to log in again");
    provider.person = { ...person, sub: newSubject() };
    expect(reasonOf(await confirm())).toContain("as someone else");
    provider.person = person;
    const confirmed = await confirm();
    expect([confirmed.status, confirmed.json.data]).toEqual([200, { status: "confirmed", confirmed_until: expect.any(String) }]);
    expect(provider.visits.prompts.at(-1)).toBe("login");
    expect((await act()).status).toBe(201);
  });

  test("ends when its connection is disabled", async () => {
    const at = await newSsoOrg();
    const send = withToken(service, await logIn(at, { sub: newSubject(), email: `ann@${at.domain}` }));
    await at.org.admin("PATCH", `/org/sso/${at.connection_id}`, { body: { state: "disabled" } });
    expect(problemOf(await send("GET", "/auth/me"))).toEqual([401, "invalid_session"]);
  });

  test("counts as a second factor if the connection demands a strength, and does not begin without one where a factor is required", async () => {
    const weak = await newSsoOrg();
    const strong = await newSsoOrg({ required_amr: ["mfa"] });
    for (const { org } of [weak, strong]) {
      await newApp(service, org.admin);
      await org.admin("PATCH", "/org/security", { body: { second_factor: "required", grace_days: 0 } });
    }
    const refused = await logIn(weak, { sub: newSubject(), email: `ann@${weak.domain}` });
    expect([problemOf(refused), reasonOf(refused)]).toEqual([
      [403, "not_provisioned"],
      expect.stringContaining("requires a second factor"),
    ]);
    const signed = await logIn(strong, { sub: newSubject(), email: `ann@${strong.domain}`, amr: ["pwd", "mfa"] });
    expect((await withToken(service, signed)("GET", "/partner/envelopes")).status).toBe(200);
  });
});

describe("what the provider sends back", () => {
  const hour = () => Math.floor(Date.now() / 1000) - 3_600;
  test.each<[string, Partial<IdentityProvider>]>([
    ["signed with another key", { signWith: "other" }],
    ["changed after it was signed", { signWith: "none", forge: (claims) => ({ ...claims, name: "Eve" }) }],
    ["that nothing signs", { signWith: "unsigned" }],
    ["signed with the client's secret", { signWith: "client_secret" }],
    ["signed with the provider's public key as a secret", { signWith: "public_key" }],
    ["for another client", { forge: (claims) => ({ ...claims, aud: "someone-else" }) }],
    ["of another issuer", { forge: (claims) => ({ ...claims, iss: "https://evil.example" }) }],
    ["for another log-in", { forge: (claims) => ({ ...claims, nonce: "other" }) }],
    ["that has expired", { forge: (claims) => ({ ...claims, iat: hour() - 60, exp: hour() }) }],
  ])("is refused as an ID token %s", async (_what, forgery) => {
    // Some providers publish weak algorithms besides the one that they use.
    provider.algorithms = ["RS256", "HS256", "none"];
    const { org, domain, connection_id } = await newSsoOrg();
    provider.person = { sub: newSubject(), email: `ann@${domain}` };
    Object.assign(provider, forgery);
    const fragment = await new Browser(service).codeFrom(provider, { connection_id });
    expect([...fragment]).toEqual([["error", "refused"]]);
    expect(await entriesOf(org, "sso.refused")).toEqual([expect.objectContaining({ connection_id, purpose: "login" })]);
    expect(Object.keys(await rolesOf(org))).toEqual([org.email]);
  });

  test("can contain characters that no database stores", async () => {
    const at = await newSsoOrg();
    const person = { sub: newSubject(), email: `ann@${at.domain}` };
    const nameless = await logIn(at, { ...person, name: "Ann\u0000", roles: ["\ud800"] });
    expect([nameless.status, nameless.json.data?.user.name]).toEqual([201, person.email]);
    provider.forge = (claims) => ({ ...claims, sub: "\u0000" });
    const subjectless = await new Browser(service).codeFrom(provider, { connection_id: at.connection_id });
    expect(subjectless.get("error")).toBe("refused");
    const browser = new Browser(service);
    const started = await browser.send("POST", "/auth/sso/start", { connection_id: at.connection_id });
    const wish = new URL(started.json.data.redirect_url).searchParams;
    const query = new URLSearchParams({ state: wish.get("state") ?? "", error: "access\u0000denied", iss: provider.issuer });
    expect((await browser.comeBack(`${wish.get("redirect_uri")}?${query}`)).get("error")).toBe("refused");
    expect(await entriesOf(at.org, "sso.refused")).toHaveLength(2);
  });

  test("works once, in the browser in which the log-in began", async () => {
    const { domain, connection_id } = await newSsoOrg();
    provider.person = { sub: newSubject(), email: `ann@${domain}` };
    const [mine, another] = [new Browser(service), new Browser(service)];
    const started = await mine.send("POST", "/auth/sso/start", { connection_id });
    const returned = await provider.visit(started.json.data.redirect_url);
    await another.send("POST", "/auth/sso/start", { connection_id });
    expect((await another.comeBack(returned)).get("error")).toBe("expired");
    const code = (await mine.comeBack(returned)).get("code");
    expect((await mine.comeBack(returned)).get("error")).toBe("expired");
    expect(problemOf(await another.finish(code))).toEqual([401, "invalid_sso_code"]);
    const elsewhere = await service.send("POST", "/auth/sso/finish", {
      body: { code },
      headers: { ...mine.headers, origin: "https://evil.example" },
    });
    expect(problemOf(elsewhere)).toEqual([403, "origin_refused"]);
    expect((await mine.finish(code)).status).toBe(201);
    expect(problemOf(await mine.finish(code))).toEqual([401, "invalid_sso_code"]);
  });

  test("is forgotten after a minute", async () => {
    const { domain, connection_id } = await newSsoOrg();
    provider.person = { sub: newSubject(), email: `ann@${domain}` };
    const browser = new Browser(service);
    const code = (await browser.codeFrom(provider, { connection_id })).get("code");
    await service.database.owner("update sso_attempts set handoff_until = now() - interval '1 second'");
    expect(problemOf(await browser.finish(code))).toEqual([401, "invalid_sso_code"]);
  });

  test("of two first log-ins at once makes one member", async () => {
    const { org, domain, connection_id } = await newSsoOrg();
    provider.person = { sub: newSubject(), email: `ann@${domain}` };
    const browsers = Array.from({ length: 4 }, () => new Browser(service));
    const codes: (string | null)[] = [];
    for (const browser of browsers) codes.push((await browser.codeFrom(provider, { connection_id })).get("code"));
    const answers = await Promise.all(browsers.map((browser, index) => browser.finish(codes[index] ?? null)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(Object.keys(await rolesOf(org))).toHaveLength(2);
  });
});

describe("a provider that is away", () => {
  test("is 502, and changes nothing", async () => {
    const { org, domain, connection_id } = await newSsoOrg();
    provider.person = { sub: newSubject(), email: `ann@${domain}` };
    const browser = new Browser(service);
    const started = await browser.send("POST", "/auth/sso/start", { connection_id });
    const returned = await provider.visit(started.json.data.redirect_url);
    provider.away = true;
    expect((await browser.comeBack(returned)).get("error")).toBe("away");
    // The metadata of a connection that was just changed is read again.
    await service.database.owner("update sso_connections set updated_at = now() where connection_id = $1", [connection_id]);
    expect(problemOf(await browser.send("POST", "/auth/sso/start", { connection_id }))).toEqual([502, "identity_provider_away"]);
    expect(problemOf(await org.admin("POST", `/org/sso/${connection_id}/test`))).toEqual([502, "identity_provider_away"]);
    expect(Object.keys(await rolesOf(org))).toEqual([org.email]);
    expect(await service.database.owner("select from sso_attempts where org_id = $1", [org.org_id])).toHaveLength(1);
  });
});

test("two organizations with a provider each: no subject, address or role of one opens the other", async () => {
  const second = await startIdentityProvider(`${service.config.publicUrl}/auth/sso/callback`);
  try {
    const mine = await newSsoOrg({ role_claim: "roles", role_map: [{ value: "boss", role: "admin" }] });
    const [theirs, domain] = [await service.newOrg(), newDomain()];
    await proveDomain(names, theirs, domain);
    const connection_id = await connect(theirs, second, { role_claim: "roles", role_map: [{ value: "boss", role: "admin" }] });
    await setMode(theirs, "optional");
    const sub = newSubject();
    const victim = await logIn(mine, { sub, email: `ann@${mine.domain}`, roles: ["boss"] });
    // The other provider says the same of someone.
    second.person = { sub, email: `ann@${mine.domain}`, roles: ["boss"] };
    const refused = await new Browser(service).logIn(second, { connection_id });
    expect([problemOf(refused), reasonOf(refused)]).toEqual([[403, "not_provisioned"], expect.stringContaining("not in a domain")]);
    second.person = { sub, email: `ann@${domain}`, roles: ["boss"] };
    const other = await new Browser(service).logIn(second, { connection_id });
    expect([other.status, other.json.data.org.org_id]).toEqual([201, theirs.org_id]);
    expect(other.json.data.user.user_id).not.toBe(victim.json.data.user.user_id);
    // What one provider sends back for its log-in does not fit a log-in with the other.
    const [a, b] = [new Browser(service), new Browser(service)];
    const ours = await a.send("POST", "/auth/sso/start", { connection_id: mine.connection_id });
    const state = new URL(ours.json.data.redirect_url).searchParams.get("state") ?? "";
    const begun = await b.send("POST", "/auth/sso/start", { connection_id });
    const returned = new URL(await second.visit(begun.json.data.redirect_url));
    returned.searchParams.set("state", state);
    expect((await a.comeBack(returned.href)).get("error")).toBe("expired");
    returned.pathname = new URL(ours.json.data.redirect_url).searchParams.get("redirect_uri")?.replace(service.config.publicUrl, "") ?? "";
    expect((await a.comeBack(returned.href)).get("error")).toBe("refused");
    expect(await rolesOf(mine.org)).toEqual({ [mine.org.email]: "admin", [`ann@${mine.domain}`]: "admin" });
    // The same domain belongs to one of them alone.
    const taken = await theirs.admin("POST", "/org/domains", { body: { domain: mine.domain } });
    expect(problemOf(taken)).toEqual([409, "domain_taken"]);
    // The other's connection does not exist here.
    expect(problemOf(await theirs.admin("POST", `/org/sso/${mine.connection_id}/test`))).toEqual([404, "connection_not_found"]);
  } finally {
    await second.close();
  }
});

test("a provider that sends its visitors on to the provider of another organization gets no code of it", async () => {
  const callback = `${service.config.publicUrl}/auth/sso/callback`;
  const [honest, evil] = [
    await startIdentityProvider(callback, { isNamed: false }),
    await startIdentityProvider(callback, { isNamed: false }),
  ];
  try {
    const orgs = [await service.newOrg(), await service.newOrg()] as const;
    const connections = [await connect(orgs[0], honest), await connect(orgs[1], evil)];
    const domain = newDomain();
    await proveDomain(names, orgs[0], domain);
    for (const org of orgs) await setMode(org, "optional");
    const [ann, eve] = [new Browser(service), new Browser(service)];
    const start = async (browser: Browser, connection_id = "") =>
      new URL((await browser.send("POST", "/auth/sso/start", { connection_id })).json.data.redirect_url);
    const ofEve = await start(eve, connections[0]);
    const ofAnn = await start(ann, connections[1]);
    // Eve's log-in at the honest provider, with the state of Ann's at Eve's own.
    const state = ofEve.searchParams.get("state") ?? "";
    ofEve.searchParams.set("state", ofAnn.searchParams.get("state") ?? "");
    honest.person = { sub: newSubject(), email: `ann@${domain}` };
    const returned = new URL(await honest.visit(ofEve.href));
    const ended = await ann.comeBack(returned.href);
    expect([ended.get("error"), evil.exchanges.count]).toEqual(["expired", 0]);
    // With the code, Eve would have logged in as Ann.
    returned.searchParams.set("state", state);
    expect((await eve.comeBack(returned.href)).get("error")).toBeNull();
  } finally {
    await honest.close();
    await evil.close();
  }
});

describe("an organization that requires single sign-on", () => {
  test("has tested it within the hour, and has a break-glass admin with a second factor", async () => {
    const at = await newSsoOrg();
    const { org } = at;
    const require = (values: object = {}) => org.admin("PATCH", "/org/security", { body: { sso_mode: "required", ...values } });
    const placeOf = ({ json }: Answer) => json.details[0].field;
    const withoutExit = await require();
    expect([problemOf(withoutExit), placeOf(withoutExit)]).toEqual([[422, "would_lock_out"], "break_glass"]);
    const withoutFactor = await require({ break_glass: [org.user_id] });
    expect([problemOf(withoutFactor), placeOf(withoutFactor)]).toEqual([[422, "invalid_request"], "break_glass[0]"]);
    const app = await newApp(service, org.admin);
    const untested = await require({ break_glass: [org.user_id] });
    expect([problemOf(untested), placeOf(untested)]).toEqual([[422, "would_lock_out"], "sso_mode"]);
    provider.person = { sub: newSubject(), email: `ann@${at.domain}` };
    const tested = await testConnection(service, org, provider, at.connection_id);
    expect(tested.json.data).toEqual({ status: "tested", subject: provider.person.sub, email: `ann@${at.domain}`, role: "member" });
    expect(Object.keys(await rolesOf(org))).toEqual([org.email]);
    await service.database.owner("update sso_connections set tested_at = now() - interval '61 minutes'");
    expect(problemOf(await require({ break_glass: [org.user_id] }))).toEqual([422, "would_lock_out"]);
    await testConnection(service, org, provider, at.connection_id);
    expect((await require({ break_glass: [org.user_id] })).status).toBe(200);
    // The way in stays.
    expect(problemOf(await org.admin("PATCH", "/org/security", { body: { break_glass: [] } }))).toEqual([422, "would_lock_out"]);
    const disabled = await org.admin("PATCH", `/org/sso/${at.connection_id}`, { body: { state: "disabled" } });
    expect(problemOf(disabled)).toEqual([422, "would_lock_out"]);
    expect(problemOf(await org.admin("DELETE", `/org/sso/${at.connection_id}`))).toEqual([422, "would_lock_out"]);
    expect(problemOf(await org.admin("DELETE", `/auth/factors/${app.factor_id}`))).toEqual([422, "would_lock_out"]);
  });

  test("lets only single sign-on in, and its break-glass admins, of whom all admins are told", async () => {
    const at = await newSsoOrg();
    const { org } = at;
    const viewer = await newMember(service, org, "viewer");
    const app = await newApp(service, org.admin);
    provider.person = { sub: newSubject(), email: `ann@${at.domain}` };
    await testConnection(service, org, provider, at.connection_id);
    expect((await viewer.send("GET", "/auth/me")).status).toBe(200);
    const body = { sso_mode: "required", break_glass: [org.user_id] };
    const changed = await org.admin("PATCH", "/org/security", { body });
    expect(changed.json.data).toEqual(expect.objectContaining(body));
    // Sessions that began with a password end.
    expect(problemOf(await viewer.send("GET", "/auth/me"))).toEqual([401, "invalid_session"]);
    expect((await org.admin("GET", "/auth/me")).status).toBe(200);
    const viewerEmail = Object.keys(await rolesOf(org)).find((email) => email !== org.email) ?? "";
    const refused = await byPassword(viewerEmail);
    expect([problemOf(refused), refused.json.details[0].connection_id]).toEqual([[403, "sso_required"], at.connection_id]);
    expect(problemOf(await byPassword(viewerEmail, { password: "wrong password 1931" }))).toEqual([401, "invalid_credentials"]);
    const pending = await byPassword(org.email);
    expect(pending.status).toBe(202);
    const finished = await service.send("POST", "/auth/login/second-factor", {
      body: { login_token: pending.json.data.login_token, code: await app.newCode(), mode: "token" },
    });
    expect(finished.status).toBe(200);
    expect(await entriesOf(org, "break_glass.used")).toEqual([expect.objectContaining({ user_id: org.user_id })]);
    expect(
      await service.database.owner("select from outbox where payload->>'kind' = 'break_glass_used' and payload->>'org_id' = $1", [
        org.org_id,
      ]),
    ).toHaveLength(1);
    expect((await logIn(at, provider.person)).status).toBe(201);
    // An invitation makes a member, who then logs in with single sign-on.
    const { token } = await invite(org, `ben@${at.domain}`, "viewer");
    const joined = await accept(service, token);
    expect([joined.status, joined.json.data.role, joined.json.data.token]).toEqual([200, "viewer", undefined]);
    const ben = await logIn(at, { sub: newSubject(), email: `ben@${at.domain}` });
    expect([ben.status, ben.json.data.role]).toEqual([201, "viewer"]);
  });
});
