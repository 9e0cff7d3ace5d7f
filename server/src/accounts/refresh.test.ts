import { describe, expect, test } from "vitest";
import { joinInSession } from "../../test/invitations.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { type Answer, PASSWORD, type TestOrg, testService } from "../../test/service.ts";
import { permissions, permissionsOfRole } from "../shared/scopes.ts";

const service = testService();

const refused = refusedWith("Invalid or expired refresh token");
const noSession = refusedWith("Invalid or expired session");

async function logIn(email: string, values: object = {}) {
  await service.database.owner("delete from quotas where subject like 'login:%'");
  const { json, headers } = await service.send("POST", "/auth/login", { body: { email, password: PASSWORD, mode: "token", ...values } });
  return { ...json.data, cookie: String(headers["set-cookie"]).split(";")[0] ?? "" };
}

const refresh = (refresh_token: string, values: object = {}) =>
  service.send("POST", "/auth/refresh", { body: { refresh_token, ...values } });

const me = (token: string) => service.send("GET", "/auth/me", { headers: { authorization: `Bearer ${token}` } });

const join = (org: TestOrg, person: TestOrg, role: string) => joinInSession(service, org, person, role);

describe("a refresh token", () => {
  test("is exchanged for a new pair of tokens, which work", async () => {
    const org = await service.newOrg("Acme");
    const signed = await logIn(org.email);
    const { status, headers, json } = await refresh(signed.refresh_token);
    expect(status).toBe(200);
    const { token, refresh_token, expires_at, ...rest } = json.data;
    expect(rest).toEqual({
      status: "signed_in",
      user: signed.user,
      org: { org_id: org.org_id, name: "Acme" },
      role: "admin",
      permissions: [...permissions],
    });
    expect(refresh_token).toMatch(/^[\w-]{43}$/);
    expect(refresh_token).not.toBe(signed.refresh_token);
    expect(Date.parse(expires_at)).toBeGreaterThanOrEqual(Date.parse(signed.expires_at));
    expect(headers["set-cookie"]).toBeUndefined();
    expect((await me(token)).status).toBe(200);
    expect((await refresh(refresh_token)).status).toBe(200);
  });

  test("that is used a second time ends the whole session and writes an audit entry", async () => {
    const org = await service.newOrg();
    const signed = await logIn(org.email);
    const next = await refresh(signed.refresh_token);
    const sessions = await org.admin("GET", "/auth/sessions");
    const reused = await refresh(signed.refresh_token);
    expect([reused.status, reused.json]).toEqual([401, refused]);
    for (const token of [signed.token, next.json.data.token]) {
      const dead = await me(token);
      expect([dead.status, dead.json]).toEqual([401, noSession]);
    }
    const after = await refresh(next.json.data.refresh_token);
    expect([after.status, after.json]).toEqual([401, refused]);
    const { json } = await org.admin("GET", "/org/audit-trail?limit=1");
    expect(json.data[0]).toEqual({
      seq: 5,
      type: "session.reuse_detected",
      at: expect.any(String),
      actor: { kind: "user", id: org.user_id },
      data: { session_id: sessions.json.data[0].session_id, ip: "127.0.0.1", user_agent: "", request_id: reused.headers["x-request-id"] },
      hash: expect.any(String),
    });
    // The person's other session is not affected.
    expect((await me(org.token)).status).toBe(200);
  });

  test("that is sent ten times at once works exactly once", async () => {
    const org = await service.newOrg();
    for (let round = 0; round < 3; round++) {
      const signed = await logIn(org.email);
      const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(signed.refresh_token)));
      const losers = answers.filter(({ status }) => status !== 200);
      expect(losers.map(({ status, json }) => [status, json])).toEqual(Array(9).fill([401, refused]));
      expect((await me(signed.token)).status).toBe(401);
    }
  });

  test.each(["", "no-such-token"])("without a session is rejected: %j", async (refresh_token) => {
    const { status, json } = await refresh(refresh_token);
    expect([status, json]).toEqual([401, refused]);
  });

  test("is required", async () => {
    const { status, json } = await service.send("POST", "/auth/refresh");
    expect([status, json]).toEqual([401, refused]);
  });

  test("returns the current role, not the one at log-in", async () => {
    const org = await service.newOrg();
    const other = await service.newOrg();
    await join(org, other, "admin");
    const signed = await logIn(other.email, { org_id: org.org_id });
    const { status } = await org.admin("PATCH", `/org/members/${other.user_id}`, { body: { role: "viewer" } });
    expect(status).toBe(200);
    expect((await refresh(signed.refresh_token)).json.data.role).toBe("viewer");
  });
});

const age = (table: string, column: string, by: string) =>
  service.database.owner(`update ${table} set ${column} = ${column} - $1::interval`, [by]);

describe("expiry", () => {
  test("a refresh token expires if it is not used for 24 hours", async () => {
    const org = await service.newOrg();
    const signed = await logIn(org.email);
    await age("refresh_tokens", "idle_until", "23 hours 55 minutes");
    const { status, json } = await refresh(signed.refresh_token);
    expect(status).toBe(200);
    await age("refresh_tokens", "idle_until", "24 hours");
    const late = await refresh(json.data.refresh_token);
    expect([late.status, late.json]).toEqual([401, refused]);
  });

  test("a session ends 7 days after log-in, however often it was refreshed", async () => {
    const org = await service.newOrg();
    let signed = await logIn(org.email);
    const [{ session_id, expires_at }] = (await org.admin("GET", "/auth/sessions")).json.data;
    await age("sessions", "expires_at", "6 days 23 hours 55 minutes");
    for (let n = 0; n < 3; n++) {
      const { status, json } = await refresh(signed.refresh_token);
      expect(status).toBe(200);
      signed = json.data;
    }
    await age("sessions", "expires_at", "5 minutes");
    const [row] = await service.database.owner("select expires_at from sessions where session_id = $1", [session_id]);
    expect(row?.expires_at.getTime()).toBe(Date.parse(expires_at) - 7 * 86_400_000);
    const late = await refresh(signed.refresh_token);
    expect([late.status, late.json]).toEqual([401, refused]);
    const dead = await me(signed.token);
    expect([dead.status, dead.json]).toEqual([401, noSession]);
  });
});

describe("the cookie", () => {
  const refreshBy = (given: string) =>
    service.send("POST", "/auth/refresh", { headers: { cookie: given, origin: service.config.publicUrl } });
  const cookieOf = ({ headers }: Answer) => String(headers["set-cookie"]).split(";")[0] ?? "";

  test("is refreshed for the console's own pages, and the body contains no refresh token", async () => {
    const org = await service.newOrg();
    const { cookie, user, org: signedTo } = await logIn(org.email, { mode: "cookie" });
    const headers = { cookie: `theme=dark; ${cookie}`, origin: service.config.publicUrl };
    const answer = await service.send("POST", "/auth/refresh", { headers });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      data: {
        status: "signed_in",
        token: expect.any(String),
        expires_at: expect.any(String),
        user,
        org: signedTo,
        role: "admin",
        permissions: [...permissions],
      },
    });
    const renewed = String(answer.headers["set-cookie"]);
    expect(renewed).toMatch(/^countersign_refresh=[\w-]{43}; Path=\/api\/v2\/auth; HttpOnly; SameSite=Strict; Max-Age=604800$/);
    expect(renewed).not.toContain(cookie);
  });

  test("can be sent again within ten seconds, by a page that was reloaded before it got the response; later it ends the session", async () => {
    const org = await service.newOrg();
    const { cookie } = await logIn(org.email, { mode: "cookie" });
    const answers = [await refreshBy(cookie), await refreshBy(cookie), await refreshBy(cookie)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    // The browser can continue with either response.
    const [renewed = "", ...repeated] = answers.map(cookieOf);
    expect(repeated).toEqual([renewed, renewed]);
    expect((await refreshBy(renewed)).status).toBe(200);
    await age("refresh_tokens", "used_at", "11 seconds");
    const late = await refreshBy(cookie);
    expect([late.status, late.json]).toEqual([401, refused]);
    expect((await me(answers[0]?.json.data.token)).status).toBe(401);
  });

  test("used twice at once gives the same successor: the first to use it continues, and the second use ends the session", async () => {
    const org = await service.newOrg();
    const { cookie } = await logIn(org.email, { mode: "cookie" });
    const [owner, thief] = await Promise.all([refreshBy(cookie), refreshBy(cookie)]);
    expect([owner.status, thief.status]).toEqual([200, 200]);
    expect(cookieOf(thief)).toBe(cookieOf(owner));
    const [{ session_id }] = (await org.admin("GET", "/auth/sessions")).json.data;
    const unused = "select from refresh_tokens where session_id = $1 and used_at is null";
    expect(await service.database.owner(unused, [session_id])).toHaveLength(1);

    const next = await refreshBy(cookieOf(owner));
    expect(next.status).toBe(200);
    const further = await refreshBy(cookieOf(next));
    expect(further.status).toBe(200);
    await age("refresh_tokens", "used_at", "11 seconds");
    const stolen = await refreshBy(cookieOf(thief));
    expect([stolen.status, stolen.json]).toEqual([401, refused]);
    expect((await refreshBy(cookieOf(further))).status).toBe(401);
    expect((await org.admin("GET", "/org/audit-trail?limit=1")).json.data[0].type).toBe("session.reuse_detected");
  });

  test.each([{}, { origin: "https://evil.example" }, { origin: "null" }, { origin: "http://localhost:3001" }])(
    "from another origin is rejected and stays valid: %j",
    async (headers) => {
      const org = await service.newOrg();
      const { cookie } = await logIn(org.email, { mode: "cookie" });
      const { status, json } = await service.send("POST", "/auth/refresh", { headers: { cookie, ...headers } });
      expect([status, json]).toEqual([403, refusedWith("This request must come from the console")]);
      const own = await service.send("POST", "/auth/refresh", { headers: { cookie, origin: service.config.publicUrl } });
      expect(own.status).toBe(200);
    },
  );
});

describe("switching to another org of the same person", () => {
  test("with org_id starts a new session and ends the old one", async () => {
    const [first, second] = [await service.newOrg("First"), await service.newOrg("Second")];
    await join(second, first, "member");
    const signed = await logIn(first.email, { org_id: first.org_id });
    const { status, json } = await refresh(signed.refresh_token, { org_id: second.org_id });
    expect(status).toBe(200);
    expect(json).toEqual({
      data: {
        status: "signed_in",
        token: expect.any(String),
        expires_at: expect.any(String),
        refresh_token: expect.stringMatching(/^[\w-]{43}$/),
        user: signed.user,
        org: { org_id: second.org_id, name: "Second" },
        role: "member",
        permissions: [...permissionsOfRole.member],
      },
    });
    expect((await me(json.data.token)).json.data.org).toEqual({ org_id: second.org_id, name: "Second" });
    const dead = await me(signed.token);
    expect([dead.status, dead.json]).toEqual([401, noSession]);
    const typeOfLast = async (org: TestOrg) => (await org.admin("GET", "/org/audit-trail?limit=1")).json.data[0].type;
    expect(await typeOfLast(first)).toBe("session.ended");
    expect(await typeOfLast(second)).toBe("session.started");
  });

  test("is rejected if the person is not a member, and the token stays valid", async () => {
    const [org, foreign] = [await service.newOrg(), await service.newOrg()];
    const signed = await logIn(org.email);
    const { status, json } = await refresh(signed.refresh_token, { org_id: foreign.org_id });
    expect([status, json]).toEqual([401, refused]);
    expect((await refresh(signed.refresh_token)).status).toBe(200);
  });

  test("is undone if the token is reused: both sessions end", async () => {
    const [first, second] = [await service.newOrg(), await service.newOrg()];
    await join(second, first, "member");
    const signed = await logIn(first.email, { org_id: first.org_id });
    const moved = await refresh(signed.refresh_token, { org_id: second.org_id });
    expect((await refresh(signed.refresh_token)).status).toBe(401);
    expect((await me(moved.json.data.token)).status).toBe(401);
    expect((await refresh(moved.json.data.refresh_token)).status).toBe(401);
    expect((await second.admin("GET", "/org/audit-trail?limit=1")).json.data[0].type).toBe("session.reuse_detected");
  });

  test("does not extend a session beyond 7 days", async () => {
    const [first, second] = [await service.newOrg(), await service.newOrg()];
    await join(second, first, "member");
    const signed = await logIn(first.email, { org_id: first.org_id });
    await refresh(signed.refresh_token, { org_id: second.org_id });
    const rows = await service.database.owner<{ expires_at: Date }>(
      "select expires_at from sessions where user_id = $1 and created_at > now() - interval '1 minute' order by session_id desc limit 2",
      [first.user_id],
    );
    expect(rows[0]?.expires_at).toEqual(rows[1]?.expires_at);
  });
});
