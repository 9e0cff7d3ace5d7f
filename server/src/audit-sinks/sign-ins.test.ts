import { describe, expect, test } from "vitest";
import { client, type Send } from "../../test/client.ts";
import { memberOf } from "../../test/invitations.ts";
import { PASSWORD, type TestOrg, testService } from "../../test/service.ts";
import { recordSignIns } from "./record-sign-ins.ts";

const service = testService({ TRUST_PROXY_HOPS: "1" });

let addresses = 0;
const newAddress = () => `198.51.100.${++addresses}`;
const from = (address: string, headers: Record<string, string> = {}): Send =>
  client(service.url, { "x-forwarded-for": address, "user-agent": "thief/1", ...headers });
const guess = (send: Send, email: string) => send("POST", "/auth/login", { body: { email, password: "not the password" } });

/** Makes what was noted as old as the job finds it, and runs the job. */
async function record() {
  await service.database.owner("update sign_in_attempts set minute = minute - interval '2 minutes'");
  return recordSignIns(service.features.auditSinks);
}

interface Line {
  readonly event_no: number;
  readonly count: number;
  readonly reason: string;
}

async function eventsOf({ admin }: Pick<TestOrg, "admin">, query = ""): Promise<{ lines: Line[]; next_after: number | null }> {
  const { status, text, headers } = await admin("GET", `/org/sign-in-events${query}`);
  expect(status, text).toBe(200);
  expect(headers["content-type"]).toMatch(/^application\/x-ndjson/);
  const all = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  return { ...all.pop(), lines: all };
}

describe("GET /org/sign-in-events", () => {
  test("has wrong passwords of a member once a minute with their number, and never the e-mail address", async () => {
    const org = await service.newOrg();
    const address = newAddress();
    for (let n = 0; n < 3; n++) expect((await guess(from(address), org.email)).status).toBe(401);
    expect((await eventsOf(org)).lines).toEqual([]);
    await record();
    const { lines, next_after } = await eventsOf(org);
    expect(lines).toEqual([
      {
        event_no: next_after,
        user_id: org.user_id,
        key_id: null,
        ip: address,
        user_agent: "thief/1",
        method: "password",
        result: "failed",
        reason: "wrong_password",
        count: 3,
        first_at: expect.any(String),
        last_at: expect.any(String),
      },
    ]);
    const stored = await service.database.owner<{ row: string }>("select e::text as row from sign_in_events e");
    for (const { row } of stored) expect(row).not.toContain("@");
  });

  test("shows failures of a person to each of their organizations, and those with unknown addresses to none", async () => {
    const [one, other, third] = [await service.newOrg(), await service.newOrg(), await service.newOrg()];
    await service.database.owner("insert into members (org_id, user_id, role) values ($1, $2, 'viewer')", [other.org_id, one.user_id]);
    await guess(from(newAddress()), one.email);
    await guess(from(newAddress()), "unknown@example.com");
    expect(await record()).toMatchObject({ placed: 2, unknown: 1 });
    for (const org of [one, other]) expect((await eventsOf(org)).lines).toMatchObject([{ user_id: one.user_id, count: 1 }]);
    expect((await eventsOf(third)).lines).toEqual([]);
  });

  test("has log-ins that were blocked after too many failures", async () => {
    const org = await service.newOrg();
    for (let n = 0; n < 21; n++) await guess(from(`203.0.113.${n}`), org.email);
    await record();
    const { lines } = await eventsOf(org);
    expect(lines.filter(({ reason }) => reason === "wrong_password")).toHaveLength(20);
    expect(lines.filter(({ reason }) => reason === "too_many_attempts")).toMatchObject([{ result: "blocked", method: "password" }]);
  });

  test("has a wrong code and a wrong password of a session that confirms who it is", async () => {
    const org = await service.newOrg();
    const confirm = (body: object) => org.admin("POST", "/auth/confirm", { body });
    expect((await confirm({ password: "not the password" })).status).toBe(422);
    expect((await confirm({ password: PASSWORD })).status).toBe(200);
    await record();
    expect((await eventsOf(org)).lines).toMatchObject([{ user_id: org.user_id, method: "password", reason: "wrong_password" }]);
  });

  test("has refused keys and what keys and members were not allowed to do, but no request for a confirmation", async () => {
    const org = await service.newOrg();
    const { key_id, api_key, send } = await org.newKey({ scopes: ["customers:read"] });
    expect((await send("GET", "/partner/envelopes")).status).toBe(403);
    const viewer = await memberOf(service, org, "viewer");
    const { json: me } = await viewer("GET", "/auth/me");
    expect((await viewer("GET", "/partners/keys")).status).toBe(403);
    await service.database.owner("update sessions set confirmed_at = null where org_id = $1", [org.org_id]);
    const asked = await org.admin("POST", "/partners/keys", { body: { partner_name: "Acme", scopes: ["envelopes:read"] } });
    expect([asked.status, asked.json.details[0].code]).toEqual([403, "reauthentication_required"]);
    await service.database.owner("update api_keys set expires_at = now() - interval '1 second' where key_id = $1", [key_id]);
    const address = newAddress();
    expect((await from(address, { "x-api-key": api_key })("GET", "/partner/customers")).status).toBe(401);
    await record();
    expect((await eventsOf(org)).lines).toMatchObject([
      { key_id, user_id: null, method: "api_key", result: "forbidden", reason: "scope_missing" },
      { key_id: null, user_id: me.data.user.user_id, method: "session", result: "forbidden", reason: "admin_required" },
      { key_id, user_id: null, method: "api_key", result: "refused", reason: "expired", ip: address },
    ]);
  });

  test("continues without a gap and without a repetition, or shows the latest ones", async () => {
    const org = await service.newOrg();
    for (let n = 0; n < 5; n++) await guess(from(newAddress()), org.email);
    await record();
    const { lines: all } = await eventsOf(org);
    expect(all).toHaveLength(5);
    const first = await eventsOf(org, "?limit=3");
    expect(first.lines).toEqual(all.slice(0, 3));
    expect((await eventsOf(org, `?after=${first.next_after}`)).lines).toEqual(all.slice(3));
    expect((await eventsOf(org, "?latest=2")).lines).toEqual(all.slice(3));
    expect((await org.admin("GET", "/org/sign-in-events?latest=2&after=1")).status).toBe(422);
    const beyond = await org.admin("GET", "/org/sign-in-events?after=99999999");
    expect([beyond.status, beyond.json.details[0].code]).toEqual([409, "audit_position_unknown"]);
  });

  test("keeps at most 200 rows of a minute, and forgets them after the days that the operator set", async () => {
    const org = await service.newOrg();
    await service.database.owner(
      `insert into sign_in_attempts (minute, address_group, who, method, result, reason, only_org, user_id, ip, user_agent, first_at, last_at)
       select date_trunc('minute', now()), network(('203.0.113.' || n % 250)::inet), 'person ' || n, 'session', 'forbidden', 'scope_missing', $1, $2,
         ('203.0.113.' || n % 250)::inet, '', now(), now() from generate_series(1, 230) n`,
      [org.org_id, org.user_id],
    );
    expect(await record()).toMatchObject({ placed: 200, dropped: 30 });
    expect((await eventsOf(org)).lines).toHaveLength(200);
    await service.database.owner("update sign_in_events set last_at = now() - interval '401 days' where org_id = $1", [org.org_id]);
    await record();
    expect((await eventsOf(org)).lines).toEqual([]);
  });

  test("is for those who may export the audit log, and for keys with audit:read", async () => {
    const org = await service.newOrg();
    for (const [role, status] of [
      ["auditor", 200],
      ["security_admin", 200],
      ["member", 403],
      ["viewer", 403],
    ] as const) {
      expect((await (await memberOf(service, org, role))("GET", "/org/sign-in-events")).status, role).toBe(status);
    }
    const { send } = await org.newKey({ scopes: ["audit:read"] });
    expect((await send("GET", "/org/sign-in-events")).status).toBe(200);
  });
});
