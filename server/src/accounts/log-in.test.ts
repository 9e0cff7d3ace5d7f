import { describe, expect, test } from "vitest";
import { client, type Send } from "../../test/client.ts";
import { joinInSession } from "../../test/invitations.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { PASSWORD, type TestOrg, testService } from "../../test/service.ts";
import { permissions } from "../shared/scopes.ts";

// With one trusted proxy each test can use its own address, so that no test uses up the quota of another.
const service = testService({ TRUST_PROXY_HOPS: "1" });

let addresses = 0;
const fromNewAddress = (): Send => client(service.url, { "x-forwarded-for": `192.0.2.${++addresses}` });

const wrong = refusedWith("Wrong e-mail or password");
const adminName = (org: TestOrg) => org.email.replace(/^admin(\d+)@.*$/, "Admin $1");

/** A person with an account joins with an invitation. */
const join = (org: TestOrg, person: TestOrg) => joinInSession(service, org, person, "viewer");

const logIn = (send: Send, email: string, values: object = {}) =>
  send("POST", "/auth/login", { body: { email, password: PASSWORD, ...values } });

describe("the response", () => {
  test("with mode token contains both tokens and sets no cookie", async () => {
    const org = await service.newOrg("Acme");
    const { status, headers, json } = await logIn(fromNewAddress(), org.email, { mode: "token" });
    expect(status).toBe(200);
    expect(json).toEqual({
      data: {
        status: "signed_in",
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        refresh_token: expect.stringMatching(/^[\w-]{43}$/),
        user: { user_id: org.user_id, email: org.email, name: adminName(org) },
        org: { org_id: org.org_id, name: "Acme" },
        role: "admin",
        permissions: [...permissions],
      },
    });
    expect(headers["set-cookie"]).toBeUndefined();
    expect(headers["cache-control"]).toBe("no-store");
  });

  test.each([undefined, "cookie"])("with mode %s sets the refresh token as a cookie that scripts cannot read", async (mode) => {
    const org = await service.newOrg("Acme");
    const { status, headers, json } = await logIn(fromNewAddress(), org.email, { mode });
    expect(status).toBe(200);
    expect(json).toEqual({
      data: {
        status: "signed_in",
        token: expect.any(String),
        expires_at: expect.any(String),
        user: { user_id: org.user_id, email: org.email, name: adminName(org) },
        org: { org_id: org.org_id, name: "Acme" },
        role: "admin",
        permissions: [...permissions],
      },
    });
    expect(String(headers["set-cookie"])).toMatch(
      /^countersign_refresh=[\w-]{43}; Path=\/api\/v2\/auth; HttpOnly; SameSite=Strict; Max-Age=604800$/,
    );
  });

  test("comes with an audit entry that has address and user agent", async () => {
    const org = await service.newOrg();
    const send = fromNewAddress();
    const body = { email: org.email, password: PASSWORD };
    const { headers } = await send("POST", "/auth/login", { body, headers: { "user-agent": "Browser/1.0" } });
    const { status, json } = await org.admin("GET", "/org/audit-trail?limit=1");
    const sessions = await org.admin("GET", "/auth/sessions?limit=1");
    expect(status).toBe(200);
    expect(json.data).toEqual([
      {
        seq: 4,
        type: "session.started",
        at: expect.any(String),
        actor: { kind: "user", id: org.user_id },
        data: {
          session_id: sessions.json.data[0].session_id,
          factors: [],
          via: "password",
          device_id: null,
          ip: `192.0.2.${addresses}`,
          user_agent: "Browser/1.0",
          request_id: headers["x-request-id"],
        },
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });

  test("does not depend on the case of the e-mail address", async () => {
    const org = await service.newOrg();
    const { status, json } = await logIn(fromNewAddress(), org.email.toUpperCase());
    expect(status).toBe(200);
    expect(json.data.user).toEqual({ user_id: org.user_id, email: org.email, name: adminName(org) });
  });

  test("to a wrong password and to an unknown address is identical", async () => {
    const org = await service.newOrg();
    const send = fromNewAddress();
    const refused = await logIn(send, org.email, { password: "not the password" });
    const unknown = await logIn(send, "nobody@example.com");
    expect([refused.status, refused.json]).toEqual([401, wrong]);
    expect([unknown.status, unknown.text]).toEqual([refused.status, refused.text]);
  });

  test("to an incomplete body names the missing fields", async () => {
    const { status, json } = await fromNewAddress()("POST", "/auth/login", { body: { email: 7, mode: "link" } });
    expect(status).toBe(422);
    expect(json).toEqual({
      error: "Validation failed",
      details: expect.arrayContaining([
        { location: "body", field: "password", code: "required", message: "is required" },
        { location: "body", field: "email", code: "invalid_type", message: "must be a string" },
        { location: "body", field: "mode", code: "invalid_value", message: "must be one of: cookie, token" },
      ]),
    });
  });
});

describe("a person in two orgs", () => {
  test("logs in to the one in org_id, or to the one used last", async () => {
    const [first, second] = [await service.newOrg("First"), await service.newOrg("Second")];
    await join(second, first);
    const orgOf = async (values: object) => {
      const { status, json } = await logIn(fromNewAddress(), first.email, values);
      return [status, json.data.org, json.data.role];
    };
    const inFirst = [200, { org_id: first.org_id, name: "First" }, "admin"];
    const inSecond = [200, { org_id: second.org_id, name: "Second" }, "viewer"];
    expect(await orgOf({ org_id: first.org_id })).toEqual(inFirst);
    expect(await orgOf({})).toEqual(inFirst);
    expect(await orgOf({ org_id: second.org_id })).toEqual(inSecond);
    expect(await orgOf({})).toEqual(inSecond);
  });

  test("gets the wrong-password response for an org that they are not in", async () => {
    const [org, foreign] = [await service.newOrg(), await service.newOrg()];
    const { status, json } = await logIn(fromNewAddress(), org.email, { org_id: foreign.org_id });
    expect([status, json]).toEqual([401, wrong]);
  });
});

describe("over https", () => {
  const secure = testService({ PUBLIC_URL: "https://sign.example.com" });

  test("the cookie is sent over https only", async () => {
    const org = await secure.newOrg();
    const { status, headers } = await secure.send("POST", "/auth/login", { body: { email: org.email, password: PASSWORD } });
    expect(status).toBe(200);
    expect(headers["set-cookie"]).toEqual([
      expect.stringMatching(/^__Host-countersign_refresh=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800; Secure$/),
      "countersign_refresh=; Path=/api/v2/auth; HttpOnly; SameSite=Strict; Max-Age=0; Secure",
    ]);
  });
});
