import { describe, expect, test } from "vitest";
import { accept, invite, membersOf, newEmail, preview, revoke } from "../../test/invitations.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { PASSWORD, type TestOrg, type TestService, testService } from "../../test/service.ts";
import { permissionsOfRole } from "../shared/scopes.ts";

const service = testService();

const badLink = refusedWith("The link is not valid, was already used, or has expired");
const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

async function logInStatus({ database, send }: TestService, email: string, password = PASSWORD): Promise<number> {
  await database.owner("delete from quotas where subject like 'login:%'");
  return (await send("POST", "/auth/login", { body: { email, password } })).status;
}

describe("accepting for a new address", () => {
  test("creates an account, joins with the invited role and logs in", async () => {
    const org = await service.newOrg("Acme");
    const email = newEmail();
    const { token, invitation_id } = await invite(org, email, "viewer");
    const { status, json } = await accept(service, token);
    expect(status).toBe(201);
    const { user } = json.data;
    expect(json).toEqual({
      data: {
        status: "signed_in",
        token: expect.any(String),
        expires_at: iso,
        refresh_token: expect.stringMatching(/^[\w-]{43}$/),
        user: { user_id: expect.stringMatching(/^usr_/), email, name: "Ben" },
        org: { org_id: org.org_id, name: "Acme" },
        role: "viewer",
        permissions: [...permissionsOfRole.viewer],
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

  test("requires a name and a password; without them the link stays valid", async () => {
    const { token } = await invite(await service.newOrg(), newEmail());
    const required = (field: string) => ({ location: "body", field, code: "required", message: "is required" });
    const { status, json } = await accept(service, token, { name: undefined });
    expect([status, json]).toEqual([422, { error: "Validation failed", details: [required("name")] }]);
    const neither = await accept(service, token, { name: undefined, password: undefined });
    expect([neither.status, neither.json.details]).toEqual([422, [required("password"), required("name")]]);
    expect((await accept(service, token)).status).toBe(201);
  });

  test("ten times at once creates one member and one account", async () => {
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
  const inSession = (person: TestOrg, token: string) => person.admin("POST", "/auth/invitations/accept", { body: { token } });
  const refusal = (error: string, code: string, message: string) => ({
    error,
    details: [{ location: "body", field: null, code, message }],
  });
  const signIn = "this e-mail address already has an account. Log in, then accept the invitation with the session's token";

  test("is rejected without a session, even with the right password, and does not change the account", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    const { token } = await invite(org, other.email.toUpperCase());
    const rowOf = () => service.database.owner("select * from users where user_id = $1", [other.user_id]);
    const before = await rowOf();
    for (const values of [{}, { name: undefined }, { password: "violet ladder 88 sparrow" }, { name: undefined, password: undefined }]) {
      const { status, json } = await accept(service, token, values);
      expect([status, json]).toEqual([409, refusal("Log in to join", "sign_in_to_join", signIn)]);
    }
    expect([await membersOf(org), await rowOf()]).toEqual([[[org.email, "admin"]], before]);
  });

  test("joins with the account of the session, which stays in its organization", async () => {
    const [org, other] = [await service.newOrg("Acme"), await service.newOrg()];
    const { token, invitation_id } = await invite(org, other.email.toUpperCase(), "viewer");
    const before = await service.database.owner("select * from users where user_id = $1", [other.user_id]);
    const { status, json } = await inSession(other, token);
    const user = { user_id: other.user_id, email: other.email, name: expect.stringMatching(/^Admin \d+$/) };
    expect([status, json]).toEqual([200, { data: { user, org: { org_id: org.org_id, name: "Acme" }, role: "viewer" } }]);
    const me = (await other.admin("GET", "/auth/me")).json.data;
    expect([me.org.org_id, me.orgs.map(({ org_id }: TestOrg) => org_id).sort()]).toEqual([other.org_id, [org.org_id, other.org_id].sort()]);
    expect(await membersOf(org)).toContainEqual([other.email, "viewer"]);
    expect(await service.database.owner("select * from users where user_id = $1", [other.user_id])).toEqual(before);
    const trail = await org.admin("GET", "/org/audit-trail?limit=1");
    expect(trail.json.data).toMatchObject([
      {
        type: "member.joined",
        actor: { kind: "user", id: other.user_id },
        data: { user_id: other.user_id, email: other.email, role: "viewer", invitation_id, account: "existing" },
      },
    ]);
    expect((await inSession(other, token)).json).toEqual(badLink);
  });

  test("works for the invited address only", async () => {
    const [org, invited, other] = [await service.newOrg(), await service.newOrg(), await service.newOrg()];
    const { token } = await invite(org, invited.email);
    const { status, json } = await inSession(other, token);
    const message = "log in with the account of the invited address, which the preview shows";
    expect([status, json]).toEqual([
      409,
      refusal("This invitation is for a different e-mail address", "invitation_for_other_address", message),
    ]);
    expect((await inSession(invited, token)).status).toBe(200);
  });

  test("requires a live session: an ended or foreign token is 401, and the link stays valid", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    const { token } = await invite(org, other.email);
    const bearer = async (value: string) =>
      service.send("POST", "/auth/invitations/accept", { body: { token }, headers: { authorization: `Bearer ${value}` } });
    const key = await other.newKey();
    for (const value of ["nonsense", key.api_key]) expect((await bearer(value)).json).toEqual(refusedWith("Invalid or expired session"));
    const second = await service.newOrg();
    await second.admin("POST", "/auth/logout");
    expect((await inSession(second, token)).status).toBe(401);
    expect((await inSession(other, token)).status).toBe(200);
  });

  test("a second time with another link is 409", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    const links = [await invite(org, other.email, "viewer"), await invite(org, other.email, "admin")];
    expect((await inSession(other, links[0]?.token)).status).toBe(200);
    const { status, json } = await inSession(other, links[1]?.token);
    expect([status, json]).toEqual([409, refusedWith("This person is already a member")]);
    expect(await membersOf(org)).toContainEqual([other.email, "viewer"]);
  });

  test("joins two organizations whose links are used at the same time", async () => {
    const [one, two, other] = [await service.newOrg(), await service.newOrg(), await service.newOrg()];
    const tokens = [(await invite(one, other.email)).token, (await invite(two, other.email)).token];
    const answers = await Promise.all(tokens.map((token) => inSession(other, token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe("an account that is no longer in any organization", () => {
  test("is reset by the next invitation, and its former owner loses access", async () => {
    const [first, second] = [await service.newOrg(), await service.newOrg()];
    const email = newEmail();
    const before = await accept(service, (await invite(first, email)).token);
    const { user_id } = before.json.data.user;
    await first.admin("DELETE", `/org/members/${user_id}`);
    const { token } = await invite(second, email.toUpperCase());
    const other = "seven green kettles hum";
    const { status, json } = await accept(service, token, { name: "Ben Again", password: other });
    expect([status, json.data.user]).toEqual([201, { user_id, email, name: "Ben Again" }]);
    expect(await logInStatus(service, email)).toBe(401);
    expect(await logInStatus(service, email, other)).toBe(200);
    expect(await service.database.owner("select email_verified_by, bound_org_id from users where user_id = $1", [user_id])).toEqual([
      { email_verified_by: null, bound_org_id: second.org_id },
    ]);
  });

  test("is reset by one of two invitations that are accepted at once; the other caller must log in to join", async () => {
    const [first, second, third] = [await service.newOrg(), await service.newOrg(), await service.newOrg()];
    const email = newEmail();
    const { user_id } = (await accept(service, (await invite(first, email)).token)).json.data.user;
    await first.admin("DELETE", `/org/members/${user_id}`);
    const links = [await invite(second, email), await invite(third, email)];
    const answers = await Promise.all(links.map(({ token }) => accept(service, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await service.database.owner("select from members where user_id = $1", [user_id])).toHaveLength(1);
  });
});

describe("a link that is used, revoked, expired or unknown", () => {
  test("gives no access and always gets the same response", async () => {
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
