import { describe, expect, test } from "vitest";
import { client } from "../../test/client.ts";
import { joinInSession } from "../../test/invitations.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { PASSWORD, type TestOrg, testService } from "../../test/service.ts";
import { newId } from "../shared/ids.ts";

const service = testService();

const noSession = refusedWith("Invalid or expired session");
const noRefresh = refusedWith("Invalid or expired refresh token");
const done = { data: { done: true } };
const missing = refusedWith("Session not found");

async function logIn(email: string, values: object = {}) {
  await service.database.owner("delete from quotas where subject like 'login:%'");
  const request = { body: { email, password: PASSWORD, mode: "token", ...values }, headers: { "user-agent": "Browser/1.0" } };
  const { json, headers } = await service.send("POST", "/auth/login", request);
  const { token, refresh_token } = json.data;
  const send = client(service.url, { authorization: `Bearer ${token}` });
  return { token, refresh_token, send, cookie: String(headers["set-cookie"]).split(";")[0] ?? "" };
}

async function idsOf(org: TestOrg): Promise<string[]> {
  const { json } = await org.admin("GET", "/auth/sessions");
  return json.data.map(({ session_id }: { session_id: string }) => session_id);
}

const typesOf = async (org: TestOrg) => (await org.admin("GET", "/org/audit-trail")).json.data.map(({ type }: { type: string }) => type);

describe("signing out", () => {
  test("takes effect on the next request, for both tokens, and writes an audit entry", async () => {
    const org = await service.newOrg();
    const { send, refresh_token } = await logIn(org.email);
    const [session_id] = await idsOf(org);
    const { status, json, headers } = await send("POST", "/auth/logout");
    expect([status, json]).toEqual([200, done]);
    expect(String(headers["set-cookie"])).toBe("countersign_refresh=; Path=/api/v2/auth; HttpOnly; SameSite=Strict; Max-Age=0");
    const next = await send("GET", "/auth/me");
    expect([next.status, next.json]).toEqual([401, noSession]);
    const refresh = await service.send("POST", "/auth/refresh", { body: { refresh_token } });
    expect([refresh.status, refresh.json]).toEqual([401, noRefresh]);
    const trail = await org.admin("GET", "/org/audit-trail?limit=1");
    expect(trail.json.data[0]).toMatchObject({
      type: "session.ended",
      actor: { kind: "user", id: org.user_id },
      data: { session_id, ip: "127.0.0.1", user_agent: "", request_id: headers["x-request-id"] },
    });
  });

  test("a second time is 200 and writes no second entry", async () => {
    const org = await service.newOrg();
    const { send, refresh_token } = await logIn(org.email);
    for (let n = 0; n < 2; n++) {
      const { status, json } = await send("POST", "/auth/logout", { body: { refresh_token } });
      expect([status, json]).toEqual([200, done]);
    }
    expect(await typesOf(org)).toEqual(["session.ended", "session.started", "session.started", "member.joined", "org.created"]);
  });

  test("works with only the refresh token", async () => {
    const org = await service.newOrg();
    const { send, refresh_token } = await logIn(org.email);
    const { status, json } = await service.send("POST", "/auth/logout", { body: { refresh_token } });
    expect([status, json]).toEqual([200, done]);
    expect((await send("GET", "/auth/me")).status).toBe(401);
  });

  test("accepts the cookie from the console's own pages only", async () => {
    const org = await service.newOrg();
    const { send, cookie } = await logIn(org.email, { mode: "cookie" });
    const foreign = await service.send("POST", "/auth/logout", { headers: { cookie, origin: "https://evil.example" } });
    expect([foreign.status, foreign.json]).toEqual([403, refusedWith("This request must come from the console")]);
    expect((await send("GET", "/auth/me")).status).toBe(200);
    const own = await service.send("POST", "/auth/logout", { headers: { cookie, origin: service.config.publicUrl } });
    expect([own.status, own.json]).toEqual([200, done]);
    expect((await send("GET", "/auth/me")).status).toBe(401);
  });

  test("without a token is 200 and ends no session", async () => {
    const org = await service.newOrg();
    const { status, json } = await service.send("POST", "/auth/logout", { headers: { authorization: `Bearer ${org.token}x` } });
    expect([status, json]).toEqual([200, done]);
    expect((await org.admin("GET", "/auth/me")).status).toBe(200);
  });
});

describe("the list of sessions", () => {
  test("shows the caller's own live sessions, newest first, and marks the current one", async () => {
    const org = await service.newOrg();
    const ended = await logIn(org.email);
    await ended.send("POST", "/auth/logout");
    const { send } = await logIn(org.email);
    const { status, json } = await send("GET", "/auth/sessions");
    expect(status).toBe(200);
    const session = (user_agent: string, current: boolean) => ({
      session_id: expect.stringMatching(/^ses_[0-9a-z]{26}$/),
      ip: "127.0.0.1",
      user_agent,
      created_at: expect.any(String),
      last_used_at: expect.any(String),
      expires_at: expect.any(String),
      current,
    });
    expect(json).toEqual({ data: [session("Browser/1.0", true), session("", false)], meta: { page: 1, limit: 50, total: 2 } });
    const [{ created_at, last_used_at, expires_at }] = json.data;
    expect(last_used_at).toBe(created_at);
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(7 * 86_400_000);
  });

  test("updates last_used_at after a request that comes more than a minute later", async () => {
    const org = await service.newOrg();
    const before = "update sessions set last_used_at = last_used_at - interval '2 minutes' where org_id = $1 returning last_used_at";
    const [aged] = await service.database.owner(before, [org.org_id]);
    const { json } = await org.admin("GET", "/auth/sessions");
    expect(Date.parse(json.data[0].last_used_at)).toBeGreaterThan(aged?.last_used_at.getTime() + 119_000);
  });
});

describe("DELETE /auth/sessions/:session_id", () => {
  test("ends one of the caller's own sessions at once", async () => {
    const org = await service.newOrg();
    const { send } = await logIn(org.email);
    const [session_id = ""] = await idsOf(org);
    const { status, json } = await org.admin("DELETE", `/auth/sessions/${session_id}`);
    expect([status, json]).toEqual([200, done]);
    const next = await send("GET", "/auth/me");
    expect([next.status, next.json]).toEqual([401, noSession]);
    expect(await idsOf(org)).toHaveLength(1);
    const again = await org.admin("DELETE", `/auth/sessions/${session_id}`);
    expect([again.status, again.json]).toEqual([404, missing]);
  });

  test("can end the current session", async () => {
    const org = await service.newOrg();
    const [session_id = ""] = await idsOf(org);
    expect((await org.admin("DELETE", `/auth/sessions/${session_id}`)).status).toBe(200);
    expect((await org.admin("GET", "/auth/me")).status).toBe(401);
  });

  test("returns the same for another person's session as for a missing one", async () => {
    const [org, foreign] = [await service.newOrg(), await service.newOrg()];
    const send = await joinInSession(service, org, foreign, "viewer");
    const theirs = (await send("GET", "/auth/sessions")).json.data[0].session_id;

    const absent = await org.admin("DELETE", `/auth/sessions/${newId("session")}`);
    expect([absent.status, absent.json]).toEqual([404, missing]);
    for (const session_id of [theirs, ...(await idsOf(foreign)), org.user_id, "nonsense"]) {
      const { status, text } = await org.admin("DELETE", `/auth/sessions/${session_id}`);
      expect([status, text]).toEqual([404, absent.text]);
    }
    expect((await send("GET", "/auth/me")).status).toBe(200);
    expect((await foreign.admin("GET", "/auth/me")).status).toBe(200);
  });
});

describe("POST /auth/sessions/end-others", () => {
  const PATH = "/auth/sessions/end-others";
  const entriesOf = async (org: TestOrg) =>
    (await org.admin("GET", "/org/audit-trail?type=sessions.ended")).json.data.map(({ actor, data }: Record<string, object>) => [
      actor,
      data,
    ]);
  const refreshed = (refresh_token: string, values: object = {}) =>
    service.send("POST", "/auth/refresh", { body: { refresh_token, ...values } });
  const opens = async ({ send }: Pick<Awaited<ReturnType<typeof logIn>>, "send">) => (await send("GET", "/auth/me")).status === 200;

  test("ends the others in every organization of the person, for both tokens, and keeps this one and other people's", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    // Joins and logs in there.
    const there = await joinInSession(service, other, org);
    const [here, second] = [await logIn(org.email, { org_id: org.org_id }), await logIn(org.email, { org_id: org.org_id })];
    const { status, json } = await here.send("POST", PATH);
    expect([status, json]).toEqual([200, { data: { ended: 3 } }]);
    for (const send of [there, second.send, org.admin]) expect((await send("GET", "/auth/me")).json).toEqual(noSession);
    expect((await refreshed(second.refresh_token)).json).toEqual(noRefresh);
    expect([await opens(here), (await refreshed(here.refresh_token)).status]).toEqual([true, 200]);
    expect((await other.admin("GET", "/auth/me")).status).toBe(200);
    const actor = { kind: "user", id: org.user_id };
    const entry = (ended: number) => [actor, expect.objectContaining({ user_id: org.user_id, ended })];
    expect(await entriesOf({ ...org, admin: here.send })).toEqual([entry(2)]);
    expect(await entriesOf(other)).toEqual([entry(1)]);
    // The second time there is nothing to end and to record.
    expect((await here.send("POST", PATH)).json).toEqual({ data: { ended: 0 } });
    expect(await entriesOf(other)).toHaveLength(1);
  });

  test("needs a confirmation that is not older than ten minutes, and ends nothing without it", async () => {
    const org = await service.newOrg();
    const second = await logIn(org.email);
    await service.database.owner("update sessions set confirmed_at = now() - interval '11 minutes' where org_id = $1", [org.org_id]);
    const { status, headers } = await org.admin("POST", PATH);
    expect([status, headers["x-error-code"]]).toEqual([403, "reauthentication_required"]);
    expect(await opens(second)).toBe(true);
  });

  test("of sessions that end each other at once, one stays", async () => {
    const org = await service.newOrg();
    const sessions = [await logIn(org.email), await logIn(org.email), await logIn(org.email), await logIn(org.email)];
    const answers = await Promise.all(sessions.map(({ send }) => send("POST", PATH)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    const open = await Promise.all(sessions.map(opens));
    expect(open).toEqual(answers.map(({ status }) => status === 200));
  });

  test("ends a session that is renewed at the same time, and one that switches to another organization", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    await joinInSession(service, other, org);
    for (let round = 0; round < 4; round++) {
      const at = { org_id: org.org_id };
      const [here, renewing, switching] = [await logIn(org.email, at), await logIn(org.email, at), await logIn(org.email, at)];
      const [ended, ...renewed] = await Promise.all([
        here.send("POST", PATH),
        refreshed(renewing.refresh_token),
        refreshed(switching.refresh_token, { org_id: other.org_id }),
      ]);
      expect(ended.status).toBe(200);
      for (const { status, json } of renewed) {
        expect([200, 401]).toContain(status);
        if (status !== 200) continue;
        const send = client(service.url, { authorization: `Bearer ${json.data.token}` });
        expect((await send("GET", "/auth/me")).json).toEqual(noSession);
        expect((await refreshed(json.data.refresh_token)).json).toEqual(noRefresh);
      }
      expect((await here.send("GET", "/auth/sessions")).json.meta.total).toBe(1);
    }
  });
});

describe("the requests of a person", () => {
  test("are limited to 300 a minute across all their sessions", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    const { send } = await logIn(org.email);
    const first = await org.admin("GET", "/auth/me");
    expect([first.status, first.headers["x-ratelimit-limit"], first.headers["x-ratelimit-remaining"]]).toEqual([200, "300", "299"]);
    // Turns the one request into 299.
    const grow = "update quotas set counts = array(select n * 299 from unnest(counts) n) where subject = $1";
    await service.database.owner(grow, [`user:${org.user_id}`]);
    expect((await send("GET", "/auth/me")).headers["x-ratelimit-remaining"]).toBe("0");
    for (const answer of [await send("GET", "/auth/me"), await org.admin("GET", "/auth/me")]) {
      expect([answer.status, answer.json]).toEqual([429, { error: "Rate limit exceeded" }]);
      expect(answer.headers).toMatchObject({ "retry-after": "60", "x-ratelimit-limit": "300", "x-ratelimit-remaining": "0" });
    }
    expect((await other.admin("GET", "/auth/me")).status).toBe(200);
  });
});

test("a sign-out with a token works even with a cookie of another origin", async () => {
  const { token } = await service.newOrg();
  const headers = { authorization: `Bearer ${token}`, cookie: "countersign_refresh=stray" };
  expect((await service.send("POST", "/auth/logout", { headers })).status).toBe(200);
  expect((await service.send("GET", "/auth/me", { headers })).status).toBe(401);
});
