import { describe, expect, test } from "vitest";
import { accept, invite, membersOf, newEmail, preview, revoke } from "../../test/invitations.ts";
import { testService } from "../../test/service.ts";

const service = testService();

const badLink = { error: "The link is not valid, was used already, or has expired" };
const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe("accepting for a new address", () => {
  test("makes an account, joins with the invited role and signs in", async () => {
    const org = await service.newOrg("Acme");
    const email = newEmail();
    const { token, invitation_id } = await invite(org, email, "viewer");
    const { status, json } = await accept(service, token);
    expect(status).toBe(201);
    const { user } = json.data;
    expect(json).toEqual({
      data: {
        token: expect.any(String),
        expires_at: iso,
        refresh_token: expect.stringMatching(/^[\w-]{43}$/),
        user: { user_id: expect.stringMatching(/^usr_/), email, name: "Ben" },
        org: { org_id: org.org_id, name: "Acme" },
        role: "viewer",
      },
    });
    const me = await service.send("GET", "/auth/me", { headers: { authorization: `Bearer ${json.data.token}` } });
    expect([me.status, me.json.data.user]).toEqual([200, user]);
    expect(await membersOf(org)).toContainEqual([email, "viewer"]);
    const list = await org.admin("GET", "/org/invitations");
    expect(list.json.data).toEqual([expect.objectContaining({ invitation_id, accepted_at: iso, revoked_at: null })]);
    const trail = await org.admin("GET", "/org/audit-trail?limit=2");
    const actor = { kind: "user", id: user.user_id };
    expect(trail.json.data).toMatchObject([
      { type: "session.started", actor },
      { type: "member.joined", actor, data: { user_id: user.user_id, email, role: "viewer" } },
    ]);
  });

  test("needs a name, and the link stays good without one", async () => {
    const { token } = await invite(await service.newOrg(), newEmail());
    const { status, json } = await accept(service, token, { name: undefined });
    const detail = { location: "body", field: "name", code: "required", message: "is required" };
    expect([status, json]).toEqual([422, { error: "Validation failed", details: [detail] }]);
    expect((await accept(service, token)).status).toBe(201);
  });

  test("by ten at once makes one member and one account", async () => {
    const org = await service.newOrg();
    const email = newEmail();
    const { token } = await invite(org, email);
    const answers = await Promise.all(Array.from({ length: 10 }, () => accept(service, token)));
    const losers = answers.filter(({ status }) => status !== 201);
    expect(losers.map(({ status, json }) => [status, json])).toEqual(Array(9).fill([422, badLink]));
    expect(await membersOf(org)).toHaveLength(2);
    expect(await service.database.owner("select name from users where email = $1", [email])).toEqual([{ name: "Ben" }]);
  });
});

describe("accepting for an address with an account", () => {
  test("takes that account's password and changes nothing of the account", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    const { token } = await invite(org, other.email.toUpperCase());
    const rowOf = () => service.database.owner("select * from users where user_id = $1", [other.user_id]);
    const before = await rowOf();
    const wrong = await accept(service, token, { password: "violet ladder 88 sparrow" });
    expect([wrong.status, wrong.json]).toEqual([401, { error: "Wrong e-mail or password" }]);
    expect(await membersOf(org)).toHaveLength(1);

    const { status, json } = await accept(service, token, { name: "Somebody else" });
    expect(status).toBe(201);
    expect(json.data.user).toEqual({ user_id: other.user_id, email: other.email, name: expect.stringMatching(/^Admin \d+$/) });
    expect(await rowOf()).toEqual(before);
    expect((await other.admin("GET", "/auth/me")).json.data.orgs).toHaveLength(2);
  });

  test("a second time, by another link, is 409", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    const links = [await invite(org, other.email, "viewer"), await invite(org, other.email, "admin")];
    expect((await accept(service, links[0]?.token)).status).toBe(201);
    const { status, json } = await accept(service, links[1]?.token);
    expect([status, json]).toEqual([409, { error: "This person is already a member" }]);
    expect(await membersOf(org)).toContainEqual([other.email, "viewer"]);
  });
});

describe("a link that is used, revoked, expired or unknown", () => {
  test("opens nothing, and says the same each time", async () => {
    const org = await service.newOrg();
    const [used, revoked, expired] = [await invite(org, newEmail()), await invite(org, newEmail()), await invite(org, newEmail())];
    expect((await accept(service, used.token)).status).toBe(201);
    expect((await revoke(org, revoked.invitation_id)).status).toBe(200);
    const age = "update invitations set expires_at = expires_at - $2::interval where invitation_id = $1";
    await service.database.owner(age, [expired.invitation_id, "6 days 23 hours 55 minutes"]);
    expect((await preview(service, expired.token)).status).toBe(200);
    await service.database.owner(age, [expired.invitation_id, "5 minutes"]);
    for (const token of [used.token, revoked.token, expired.token, "no-such-token"]) {
      for (const { status, json } of [await preview(service, token), await accept(service, token)])
        expect([status, json]).toEqual([422, badLink]);
    }
    expect(await membersOf(org)).toHaveLength(2);
  });
});
