import { userInfo } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeResolveTexts } from "../src/outbound/name-resolver.ts";
import { type Answer, client } from "./client.ts";
import { codeOf, newApp } from "./factors.ts";
import { type IdentityProvider, startIdentityProvider } from "./identity-provider.ts";
import { type NameServer, startNameServer } from "./name-server.ts";
import { runCommand } from "./process.ts";
import { PASSWORD, type TestOrg, testService } from "./service.ts";
import { Browser, connect, proveDomain, setMode, testConnection } from "./sso.ts";
import { newMember } from "./vaulted.ts";

/** The commands with which an operator lets members in whom their organization's own rules keep out. */

const APP_SECRET = "the secret of commands for log-ins: 5e1f0c77a9";
// No mail server, so that only the operator can hand out codes.
const service = testService({ APP_SECRET, TRUST_PROXY_HOPS: "1" });
let names: NameServer;
let provider: IdentityProvider;
beforeAll(async () => {
  names = await startNameServer();
  Object.assign(service.features.orgs, { resolveTexts: makeResolveTexts([names.address]) });
  provider = await startIdentityProvider(`${service.config.publicUrl}/auth/sso/callback`);
});
afterAll(() => Promise.all([names.close(), provider.close()]));

const run = (...args: string[]) => runCommand(args, { ...service.database.env, APP_SECRET });
const logIn = (email: string, headers: Record<string, string> = {}): Promise<Answer> =>
  service.send("POST", "/auth/login", { body: { email, password: PASSWORD, mode: "token" }, headers });
const problemOf = ({ status, headers }: Answer) => [status, headers["x-error-code"]];
const withToken = ({ json }: Answer) => client(service.url, { authorization: `Bearer ${json.data.token}` });
const { username } = userInfo();

const changesBySystem = async (org: TestOrg) =>
  (await org.admin("GET", "/org/audit-trail?type=security.changed")).json.data
    .filter(({ actor }: { actor: { kind: string } }) => actor.kind === "system")
    .map(({ data }: { data: { changes: object; operator: string } }) => [data.changes, data.operator]);

test("orgs sso-off lets members in with their passwords while the provider that the organization requires is away", async () => {
  const org = await service.newOrg();
  await proveDomain(names, org, "away.example");
  const connection_id = await connect(org, provider);
  await setMode(org, "optional");
  await newApp(service, org.admin);
  const member = await newMember(service, org, "viewer");
  const { email } = (await member.send("GET", "/auth/me")).json.data.user;
  provider.person = { sub: "ann", email: "ann@away.example" };
  expect((await testConnection(service, org, provider, connection_id)).status).toBe(200);
  const required = await org.admin("PATCH", "/org/security", { body: { sso_mode: "required", break_glass: [org.user_id] } });
  expect(required.status).toBe(200);

  provider.away = true;
  // The metadata of a connection that was just changed is read again.
  await service.database.owner("update sso_connections set updated_at = now() where connection_id = $1", [connection_id]);
  const started = await new Browser(service).send("POST", "/auth/sso/start", { connection_id });
  expect(problemOf(started)).toEqual([502, "identity_provider_away"]);
  expect(problemOf(await logIn(email))).toEqual([403, "sso_required"]);

  const { code, stdout } = await run("orgs", "sso-off", org.org_id);
  expect([code, stdout]).toEqual([0, "Single sign-on is off. Members log in with their passwords or passkeys.\n"]);
  const back = await logIn(email);
  expect([back.status, (await withToken(back)("GET", "/partner/envelopes")).status]).toEqual([200, 200]);
  expect(await changesBySystem(org)).toEqual([[{ sso_mode: { from: "required", to: "off" } }, username]]);

  expect((await run("orgs", "sso-off", org.org_id)).stdout).toBe("Single sign-on was already off.\n");
  expect(await changesBySystem(org)).toHaveLength(1);
  expect((await run("orgs", "sso-off")).code).toBe(2);
});

test("orgs clear-addresses lets members in from everywhere, when no one can reach the organization from its list", async () => {
  const org = await service.newOrg();
  const [office, home] = [{ "x-forwarded-for": "203.0.113.7" }, { "x-forwarded-for": "198.51.100.9" }];
  const atOffice = client(service.url, { authorization: `Bearer ${org.token}`, ...office });
  const listed = await atOffice("PATCH", "/org/security", { body: { allowed_cidrs: ["203.0.113.0/24"] } });
  expect(listed.status).toBe(200);
  expect(problemOf(await logIn(org.email, home))).toEqual([403, "address_not_allowed"]);

  const { code, stdout } = await run("orgs", "clear-addresses", org.org_id);
  expect([code, stdout]).toEqual([0, "Removed from the list: 203.0.113.0/24. Members can log in from all addresses.\n"]);
  expect((await logIn(org.email, home)).status).toBe(200);
  expect(await changesBySystem(org)).toEqual([[{ allowed_cidrs: { from: ["203.0.113.0/24"], to: [] } }, username]]);

  expect((await run("orgs", "clear-addresses", org.org_id)).stdout).toBe("The organization had no list of addresses.\n");
  expect((await run("orgs", "clear-addresses")).code).toBe(2);
});

test("users code prints a code with which a member sets up the second factor that the organization requires", async () => {
  const org = await service.newOrg();
  const member = await newMember(service, org, "viewer");
  const { email } = (await member.send("GET", "/auth/me")).json.data.user;
  await newApp(service, org.admin);
  expect((await org.admin("PATCH", "/org/security", { body: { second_factor: "required", grace_days: 0 } })).status).toBe(200);
  const logged = await logIn(email);
  expect(logged.json.data.limited).toBe("enroll");
  const send = withToken(logged);
  expect(problemOf(await send("GET", "/partner/envelopes"))).toEqual([403, "enrollment_required"]);
  const { factor_id, secret } = (await send("POST", "/auth/factors/totp", { body: {} })).json.data;
  const confirm = (more: object = {}) => send("POST", `/auth/factors/${factor_id}/confirm`, { body: { code: codeOf(secret), ...more } });
  expect(problemOf(await confirm())).toEqual([403, "email_code_required"]);

  const printed = await run("users", "code", email);
  const [, email_code] =
    /^With this code, \S+ can set up a second factor\. It works once, for 15 minutes:\n(\d{6})\n$/.exec(printed.stdout) ?? [];
  expect([printed.code, email_code]).toEqual([0, expect.any(String)]);
  expect((await confirm({ email_code })).status).toBe(200);
  expect((await send("GET", "/partner/envelopes")).status).toBe(200);
  const [entry, ...others] = (await org.admin("GET", "/org/audit-trail?type=enrollment_code.printed")).json.data;
  expect([entry.actor.kind, entry.data, others]).toEqual([
    "system",
    { user_id: member.user_id, operator: username, ip: "127.0.0.1", user_agent: "countersign cli", request_id: "cli" },
    [],
  ]);

  const unknown = await run("users", "code", "nobody@example.com");
  expect([unknown.code, unknown.stderr]).toEqual([1, "No account has this e-mail address.\n"]);
  expect((await run("users", "code")).code).toBe(2);
});
