import { beforeEach, describe, expect, test } from "vitest";
import { type Answer, client } from "../../test/client.ts";
import { newApp } from "../../test/factors.ts";
import { joinInSession } from "../../test/invitations.ts";
import { mailTo, tokenIn } from "../../test/mail.ts";
import { PASSWORD, type TestOrg, testService } from "../../test/service.ts";
import { newMember } from "../../test/vaulted.ts";

const service = testService();

beforeEach(async () => {
  await service.database.owner("delete from quotas where subject like 'refused:%' or subject like 'login:%'");
});

const problemOf = ({ status, headers }: Answer): [number, string] => [status, headers["x-error-code"] ?? ""];
const entriesOf = async (org: TestOrg, type: string) =>
  (await org.admin("GET", `/org/audit-trail?type=${type}`)).json.data.map((entry: { data: object }) => entry.data);
const emailOf = async (org: TestOrg, user_id: string): Promise<string> =>
  (await org.admin("GET", "/org/members")).json.data.find((one: { user_id: string }) => one.user_id === user_id).email;
const logIn = (email: string, password = PASSWORD): Promise<Answer> =>
  service.send("POST", "/auth/login", { body: { email, password, mode: "token" } });

describe("sessions of members", () => {
  test("are listed for roles that manage security alone, and one of them is ended, with an entry and an e-mail to the person", async () => {
    const org = await service.newOrg();
    const { send, user_id } = await newMember(service, org, "viewer");
    const email = await emailOf(org, user_id);
    const second = (await logIn(email)).json.data.token;
    const path = `/org/members/${user_id}/sessions`;
    expect(problemOf(await send("GET", path))).toEqual([403, "insufficient_permission"]);
    const { data, meta } = (await org.admin("GET", path)).json;
    expect([meta.total, data.map(({ current }: { current: boolean }) => current)]).toEqual([2, [false, false]]);
    const [newest] = data;
    expect((await org.admin("DELETE", `${path}/${newest.session_id}`)).json.data).toEqual({ done: true });
    expect((await service.send("GET", "/auth/me", { headers: { authorization: `Bearer ${second}` } })).status).toBe(401);
    expect((await send("GET", "/auth/me")).status).toBe(200);
    expect(problemOf(await org.admin("DELETE", `${path}/${newest.session_id}`))).toEqual([404, "session_not_found"]);
    expect(await entriesOf(org, "session.ended")).toEqual([expect.objectContaining({ session_id: newest.session_id, user_id })]);
    expect(await mailTo(service, email, "sessions_ended")).toHaveLength(1);
  });

  test("all end in this organization, and stay in the person's other one", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    await joinInSession(service, org, other);
    const here = await service.send("POST", "/auth/login", {
      body: { email: other.email, password: PASSWORD, org_id: org.org_id, mode: "token" },
    });
    const path = `/org/members/${other.user_id}/sessions`;
    // The person joined in one and logged in to another.
    expect((await org.admin("DELETE", path)).json.data).toEqual({ ended: 2 });
    expect((await service.send("GET", "/auth/me", { headers: { authorization: `Bearer ${here.json.data.token}` } })).status).toBe(401);
    expect((await other.admin("GET", "/auth/me")).status).toBe(200);
    expect((await org.admin("DELETE", path)).json.data).toEqual({ ended: 0 });
    expect(await mailTo(service, other.email, "sessions_ended")).toHaveLength(1);
    expect(await entriesOf(org, "sessions.ended")).toEqual([expect.objectContaining({ user_id: other.user_id, ended: 2 })]);
  });

  test("of the whole organization end, except the admin's own", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    const people = [await newMember(service, org, "viewer"), await newMember(service, org, "member")];
    const own = (await logIn(org.email)).json.data.token;
    expect((await org.admin("DELETE", "/org/sessions")).json.data).toEqual({ ended: 3 });
    for (const { send } of people) expect((await send("GET", "/auth/me")).status).toBe(401);
    expect((await service.send("GET", "/auth/me", { headers: { authorization: `Bearer ${own}` } })).status).toBe(401);
    for (const { admin } of [org, other]) expect((await admin("GET", "/auth/me")).status).toBe(200);
    for (const { user_id } of people) expect(await mailTo(service, await emailOf(org, user_id), "sessions_ended")).toHaveLength(1);
    expect(await mailTo(service, org.email, "sessions_ended")).toEqual([]);
  });

  test("are at most 20 per person and organization: the oldest ends", async () => {
    const org = await service.newOrg();
    const { send, user_id } = await newMember(service, org, "viewer");
    const email = await emailOf(org, user_id);
    const tokens: string[] = [];
    for (let n = 0; n < 20; n++) {
      await service.database.owner("delete from quotas where subject like 'login:%'");
      tokens.push((await logIn(email)).json.data.token);
    }
    expect((await send("GET", "/auth/me")).status).toBe(401);
    const first = client(service.url, { authorization: `Bearer ${tokens[0]}` });
    expect((await first("GET", "/auth/sessions")).json.meta.total).toBe(20);
  });
});

describe("resetting the second factors of a member", () => {
  const request = (org: TestOrg, user_id: string) =>
    org.admin("POST", `/org/members/${user_id}/reset-factors`, { body: { reason: "Lost phone" } });
  const use = (token: string, password = PASSWORD) => service.send("POST", "/auth/factors/reset", { body: { token, password } });

  test("needs the mailed link and the password; then the factors are gone, sessions end, and it is recorded and mailed", async () => {
    const org = await service.newOrg();
    const { send, user_id } = await newMember(service, org, "viewer");
    const email = await emailOf(org, user_id);
    await newApp(service, send);
    expect((await request(org, user_id)).status).toBe(202);
    expect((await logIn(email)).status).toBe(202);
    const [mail] = await mailTo(service, email, "factor_reset_link");
    const token = tokenIn(mail ?? expect.fail("no link was mailed"));
    expect((await use(token, "not the password")).json.details[0]).toMatchObject({ field: "password", code: "invalid_value" });
    expect(problemOf(await use("x"))).toEqual([422, "invalid_link"]);
    expect((await use(token)).status).toBe(200);
    expect(problemOf(await use(token))).toEqual([422, "invalid_link"]);
    expect((await send("GET", "/auth/me")).status).toBe(401);
    expect((await logIn(email)).json.data.status).toBe("signed_in");
    expect(await entriesOf(org, "factor.reset_requested")).toEqual([expect.objectContaining({ user_id, reason: "Lost phone" })]);
    expect(await entriesOf(org, "factor.reset")).toEqual([expect.objectContaining({ user_id, removed: 1 })]);
    expect(await mailTo(service, email, "factors_reset")).toHaveLength(1);
  });

  test("allows five passwords an hour, and the link works for one hour", async () => {
    const org = await service.newOrg();
    const { send, user_id } = await newMember(service, org, "viewer");
    await newApp(service, send);
    await request(org, user_id);
    const [mail] = await mailTo(service, await emailOf(org, user_id), "factor_reset_link");
    const token = tokenIn(mail ?? expect.fail("no link was mailed"));
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) statuses.push((await use(token, "not the password")).status);
    expect(statuses).toEqual([...Array(5).fill(422), 429]);
    await service.database.owner("update account_links set expires_at = now() where user_id = $1", [user_id]);
    expect(problemOf(await use(token))).toEqual([422, "invalid_link"]);
  });

  test("is refused for a person who is in another organization too, and for one without factors", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    await joinInSession(service, org, other);
    expect(problemOf(await request(org, other.user_id))).toEqual([409, "member_without_factor"]);
    await newApp(service, other.admin);
    expect(problemOf(await request(org, other.user_id))).toEqual([409, "operator_only"]);
    expect(await mailTo(service, other.email, "factor_reset_link")).toEqual([]);
  });
});
