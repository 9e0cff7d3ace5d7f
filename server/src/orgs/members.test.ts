import { describe, expect, test } from "vitest";
import { client, type Send } from "../../test/client.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { PASSWORD, type TestOrg, testService } from "../../test/service.ts";
import { newId } from "../shared/ids.ts";

const service = testService();

const missing = refusedWith("Member not found");
const lastAdmin = refusedWith("The last admin cannot be removed or demoted. Make another member an admin first");
const adminName = (org: TestOrg) => org.email.replace(/^admin(\d+)@.*$/, "Admin $1");

let people = 0;

interface Person {
  readonly user_id: string;
  readonly email: string;
  readonly send: Send;
}

/** Adds a person to the org and returns a client with their session. */
async function join(org: TestOrg, role: string): Promise<Person> {
  const email = `person${++people}@example.com`;
  const invited = await org.admin("POST", "/org/invitations", { body: { email, role } });
  const token = invited.json.data.accept_url.split("#token=")[1];
  const { json } = await service.send("POST", "/auth/invitations/accept", { body: { token, name: "Ben", password: PASSWORD } });
  return { user_id: json.data.user.user_id, email, send: client(service.url, { authorization: `Bearer ${json.data.token}` }) };
}

const setRole = (send: Send, user_id: string, role: string) => send("PATCH", `/org/members/${user_id}`, { body: { role } });

async function adminsOf(org: TestOrg): Promise<string[]> {
  const rows = await service.database.owner("select user_id from members where org_id = $1 and role = 'admin'", [org.org_id]);
  return rows.map(({ user_id }) => user_id);
}

describe("the list of members", () => {
  test("shows all members of the org, newest first, to each of them", async () => {
    const org = await service.newOrg();
    await service.newOrg();
    const ben = await join(org, "viewer");
    for (const send of [org.admin, ben.send]) {
      const { status, json } = await send("GET", "/org/members");
      expect(status).toBe(200);
      const more = { joined_at: expect.any(String), ...(send === org.admin && { second_factor: false }) };
      expect(json).toEqual({
        data: [
          { user_id: ben.user_id, email: ben.email, name: "Ben", role: "viewer", ...more },
          { user_id: org.user_id, email: org.email, name: adminName(org), role: "admin", ...more },
        ],
        meta: { page: 1, limit: 50, total: 2 },
      });
    }
    const second = await org.admin("GET", "/org/members?page=2&limit=1");
    expect(second.json.data.map(({ user_id }: Person) => user_id)).toEqual([org.user_id]);
    expect(second.json.meta).toEqual({ page: 2, limit: 1, total: 2 });
  });
});

describe("a change of role", () => {
  test("returns the member and writes one audit entry", async () => {
    const org = await service.newOrg();
    const ben = await join(org, "viewer");
    for (let n = 0; n < 2; n++) {
      const { status, json } = await setRole(org.admin, ben.user_id, "member");
      expect([status, json]).toEqual([
        200,
        { data: { user_id: ben.user_id, email: ben.email, name: "Ben", role: "member", joined_at: expect.any(String) } },
      ]);
    }
    const trail = await org.admin("GET", "/org/audit-trail");
    expect(trail.json.data.filter(({ type }: { type: string }) => type === "member.role_changed")).toEqual([
      {
        seq: trail.json.meta.total,
        type: "member.role_changed",
        at: expect.any(String),
        actor: { kind: "user", id: org.user_id },
        data: {
          user_id: ben.user_id,
          from: "viewer",
          to: "member",
          ip: "127.0.0.1",
          user_agent: "",
          request_id: expect.stringMatching(/^req_/),
        },
        hash: expect.any(String),
      },
    ]);
  });

  test("to an unknown role is 422", async () => {
    const org = await service.newOrg();
    const { status, json } = await setRole(org.admin, org.user_id, "owner");
    const detail = {
      location: "body",
      field: "role",
      code: "invalid_value",
      message: "must be one of: admin, member, viewer, custodian, security_admin, auditor",
    };
    expect([status, json]).toEqual([422, { error: "Validation failed", details: [detail] }]);
  });
});

describe("removing a member", () => {
  test("ends the membership but keeps the account, and writes an audit entry", async () => {
    const org = await service.newOrg();
    const ben = await join(org, "member");
    const { status, json, headers } = await org.admin("DELETE", `/org/members/${ben.user_id}`);
    expect([status, json]).toEqual([200, { data: { user_id: ben.user_id, removed: true } }]);
    const members = await org.admin("GET", "/org/members");
    expect(members.json.data.map(({ user_id }: Person) => user_id)).toEqual([org.user_id]);
    const trail = await org.admin("GET", "/org/audit-trail?limit=1");
    expect(trail.json.data[0]).toMatchObject({
      type: "member.removed",
      actor: { kind: "user", id: org.user_id },
      data: { user_id: ben.user_id, ip: "127.0.0.1", user_agent: "", request_id: headers["x-request-id"] },
    });
    const again = await org.admin("DELETE", `/org/members/${ben.user_id}`);
    expect([again.status, again.json]).toEqual([404, missing]);
    expect(await service.database.owner("select email from users where user_id = $1", [ben.user_id])).toEqual([{ email: ben.email }]);
  });
});

describe("the last admin", () => {
  test("cannot be demoted or removed, not even by themselves", async () => {
    const org = await service.newOrg();
    await join(org, "member");
    const refusals = [
      await setRole(org.admin, org.user_id, "member"),
      await setRole(org.admin, org.user_id, "viewer"),
      await org.admin("DELETE", `/org/members/${org.user_id}`),
    ];
    for (const { status, json } of refusals) expect([status, json]).toEqual([409, lastAdmin]);
    expect((await setRole(org.admin, org.user_id, "admin")).status).toBe(200);
    expect(await adminsOf(org)).toEqual([org.user_id]);
  });

  test("can be removed once there is another admin", async () => {
    const org = await service.newOrg();
    const ben = await join(org, "member");
    expect((await setRole(org.admin, ben.user_id, "admin")).status).toBe(200);
    expect((await setRole(org.admin, org.user_id, "viewer")).status).toBe(200);
    expect(await adminsOf(org)).toEqual([ben.user_id]);
    expect((await ben.send("DELETE", `/org/members/${org.user_id}`)).status).toBe(200);
  });

  test("remains when two admins demote each other at once, 20 times", async () => {
    const org = await service.newOrg();
    const ben = await join(org, "admin");
    const sends = new Map<string, Send>([
      [org.user_id, org.admin],
      [ben.user_id, ben.send],
    ]);
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all([setRole(org.admin, ben.user_id, "member"), setRole(ben.send, org.user_id, "member")]);
      const [left, ...others] = await adminsOf(org);
      expect([left, others]).toEqual([expect.any(String), []]);
      // The second request fails because it would demote the last admin, or because its sender is no longer an admin.
      const lost = answers.filter(({ status }) => status !== 200);
      expect(lost).toHaveLength(1);
      expect([
        [409, lastAdmin],
        [403, refusedWith("Permission required: members:manage")],
      ]).toContainEqual([lost[0]?.status, lost[0]?.json]);
      const loser = left === org.user_id ? ben.user_id : org.user_id;
      expect((await setRole(sends.get(left ?? "") as Send, loser, "admin")).status).toBe(200);
    }
  });

  test("remains when five admins remove each other at once", async () => {
    const org = await service.newOrg();
    const admins: Person[] = [{ user_id: org.user_id, email: org.email, send: org.admin }];
    for (let n = 1; n < 5; n++) admins.push(await join(org, "admin"));
    const next = (n: number) => admins[(n + 1) % admins.length]?.user_id;
    await Promise.all(admins.map(({ send }, n) => send("DELETE", `/org/members/${next(n)}`)));
    expect((await adminsOf(org)).length).toBeGreaterThanOrEqual(1);
  });
});

describe("a member who is not an admin", () => {
  test.each(["member", "viewer", "custodian", "auditor"])("cannot manage members: %s", async (role) => {
    const org = await service.newOrg();
    const ben = await join(org, role);
    const answers = [
      await setRole(ben.send, ben.user_id, "admin"),
      await setRole(ben.send, "nonsense", "nonsense"),
      await ben.send("DELETE", `/org/members/${org.user_id}`),
      await ben.send("POST", "/org/invitations", { body: { email: "eve@example.com", role: "admin" } }),
      await ben.send("GET", "/org/invitations"),
      await ben.send("DELETE", `/org/invitations/${newId("invitation")}`),
    ];
    for (const { status, json } of answers) expect([status, json]).toEqual([403, refusedWith("Permission required: members:manage")]);
    const settings = await ben.send("PATCH", "/org/settings", { body: { name: "Mine" } });
    expect([settings.status, settings.json]).toEqual([403, refusedWith("Permission required: settings:manage")]);
    expect((await ben.send("GET", "/org/audit-trail")).status).toBe(role === "auditor" ? 200 : 403);
    expect(await adminsOf(org)).toEqual([org.user_id]);
  });

  test("can run the organization as security admin, but gives no one more administration and themselves no document", async () => {
    const org = await service.newOrg();
    const sam = await join(org, "security_admin");
    const ben = await join(org, "viewer");
    const invite = (role: string) => sam.send("POST", "/org/invitations", { body: { email: `${role}@example.com`, role } });
    const tooHigh = [403, refusedWith("Your role does not allow this")];
    const refused = [
      await setRole(sam.send, ben.user_id, "admin"),
      await setRole(sam.send, org.user_id, "member"),
      await sam.send("DELETE", `/org/members/${org.user_id}`),
      await invite("admin"),
      await setRole(sam.send, sam.user_id, "member"),
      await setRole(sam.send, sam.user_id, "admin"),
    ];
    for (const { status, json } of refused) expect([status, json]).toEqual(tooHigh);
    const invited = await org.admin("POST", "/org/invitations", { body: { email: "eve@example.com", role: "admin" } });
    const revoked = await sam.send("DELETE", `/org/invitations/${invited.json.data.invitation_id}`);
    expect([revoked.status, revoked.json]).toEqual(tooHigh);
    expect((await setRole(sam.send, ben.user_id, "member")).status).toBe(200);
    expect((await invite("auditor")).status).toBe(201);
    expect((await sam.send("DELETE", `/org/members/${ben.user_id}`)).status).toBe(200);
    for (const path of ["/partner/envelopes", "/partner/vault", "/partner/customers"]) {
      const { status, json } = await sam.send("GET", path);
      expect([status, json.error], path).toEqual([403, expect.stringMatching(/^Missing required scope: /)]);
    }
    const keys = await sam.send("GET", "/partners/keys");
    expect([keys.status, keys.json]).toEqual([403, refusedWith("Admin role required")]);
  });

  test("sees in their session what their role allows", async () => {
    const org = await service.newOrg();
    const { json } = await (await join(org, "auditor")).send("GET", "/auth/me");
    expect([json.data.role, json.data.permissions]).toEqual([
      "auditor",
      ["envelopes:read", "customers:read", "vault:read", "compliance:read", "webhooks:read", "audit:read", "audit:export"],
    ]);
  });
});

describe("a person of another org", () => {
  test("returns the same 404 as a missing person", async () => {
    const [org, foreign] = [await service.newOrg(), await service.newOrg()];
    const absent = await setRole(org.admin, newId("user"), "viewer");
    expect([absent.status, absent.json]).toEqual([404, missing]);
    for (const user_id of [newId("user"), foreign.user_id, org.org_id, "nonsense"]) {
      for (const answer of [await setRole(org.admin, user_id, "viewer"), await org.admin("DELETE", `/org/members/${user_id}`)]) {
        expect([answer.status, answer.text]).toEqual([404, absent.text]);
      }
    }
    expect(await adminsOf(foreign)).toEqual([foreign.user_id]);
  });
});

test("a removed member is no longer the default custodian", async () => {
  const org = await service.newOrg();
  const { json } = await org.admin("POST", "/org/invitations", { body: { email: "custodian@example.com", role: "member" } });
  const token = json.data.accept_url.split("#token=")[1];
  const joined = await service.send("POST", "/auth/invitations/accept", { body: { token, name: "C", password: PASSWORD } });
  const { user_id } = joined.json.data.user;
  await org.admin("PATCH", "/org/settings", { body: { default_custodian_user_id: user_id } });
  await org.admin("DELETE", `/org/members/${user_id}`);
  const { updated_at, ...settings } = (await org.admin("GET", "/org/settings")).json.data;
  expect(settings.default_custodian_user_id).toBeNull();
  expect((await org.admin("PATCH", "/org/settings", { body: settings })).status).toBe(200);
  const trail = (await org.admin("GET", "/org/audit-trail?limit=2")).json.data;
  expect(trail.map((entry: { type: string }) => entry.type)).toEqual(["settings.changed", "member.removed"]);
});
