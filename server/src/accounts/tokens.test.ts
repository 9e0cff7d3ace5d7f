import { decodeJwt, decodeProtectedHeader, type JWTPayload, SignJWT } from "jose";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { client } from "../../test/client.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { PASSWORD, type TestOrg, testService } from "../../test/service.ts";
import { newId } from "../shared/ids.ts";

const service = testService();

const noSession = refusedWith("Invalid or expired session");
const header = { alg: "HS256", typ: "session+jwt", kid: "1" };

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const sign = (payload: JWTPayload, protectedHeader: { alg: string; typ?: string; kid?: string } = header, key: Uint8Array = ownKey()) =>
  new SignJWT(payload).setProtectedHeader(protectedHeader).sign(key);
const ownKey = () => service.features.orgs.keys.session[0].key;
const without = (payload: JWTPayload, claim: string) => Object.fromEntries(Object.entries(payload).filter(([name]) => name !== claim));
const me = (headers: Record<string, string>) => service.send("GET", "/auth/me", { headers });

describe("a session token", () => {
  test("contains the user, the org and its expiry, and nothing else", async () => {
    const org = await service.newOrg();
    const { json } = await org.admin("GET", "/auth/sessions");
    expect(decodeProtectedHeader(org.token)).toEqual(header);
    const { iat = 0, ...claims } = decodeJwt(org.token);
    expect(claims).toEqual({
      iss: service.config.publicUrl,
      aud: "console",
      sub: org.user_id,
      org: org.org_id,
      role: "admin",
      sid: json.data[0].session_id,
      exp: iat + 15 * 60,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test("made with the right key and claims is accepted, so each forgery below fails for its own reason", async () => {
    const { token } = await service.newOrg();
    expect((await me({ authorization: `Bearer ${await sign(decodeJwt(token))}` })).status).toBe(200);
    expect((await me({ authorization: `bearer ${token}` })).status).toBe(200);
  });
});

type Forge = (real: JWTPayload, token: string, org: TestOrg) => string | Promise<string>;

const part = (token: string, index: number) => token.split(".")[index] ?? "";

const forgeries: Record<string, Forge> = {
  "alg none without a signature": (real) => `${base64({ alg: "none", typ: "session+jwt" })}.${base64(real)}.`,
  "alg none with the signature of a real one": (real, token) =>
    `${base64({ alg: "none", typ: "session+jwt" })}.${base64(real)}.${part(token, 2)}`,
  "another key": (real) => sign(real, header, Buffer.alloc(32, 7)),
  "an empty key": (real) => sign(real, header, new Uint8Array(1)),
  "the key of another purpose": (real) => sign(real, header, service.features.orgs.keys.setup[0].key),
  "another algorithm of the same key": (real) => sign(real, { ...header, alg: "HS512" }, Buffer.concat([ownKey(), Buffer.alloc(32)])),
  "type JWT": (real) => sign(real, { ...header, typ: "JWT" }),
  "the type of an embed token": (real) => sign(real, { ...header, typ: "embed+jwt" }),
  "no type": (real) => sign(real, { alg: "HS256" }),
  "another issuer": (real) => sign({ ...real, iss: "https://evil.example" }),
  "another audience": (real) => sign({ ...real, aud: "embed" }),
  "an end that has passed": (real) => sign({ ...real, exp: Math.floor(Date.now() / 1000) - 1 }),
  "a start in the future": (real) => sign({ ...real, nbf: Math.floor(Date.now() / 1000) + 60 }),
  ...Object.fromEntries(
    ["iss", "aud", "sub", "org", "role", "sid", "iat", "exp", "jti"].map((claim) => [
      `no ${claim}`,
      (real: JWTPayload) => sign(without(real, claim)),
    ]),
  ),
  "the id of a person for a session": (real, _token, org) => sign({ ...real, sid: org.user_id }),
  "a number for a session": (real) => sign({ ...real, sid: 7 }),
  "a session that never was": (real) => sign({ ...real, sid: newId("session") }),
  "a payload that was tampered with": (real, token) => `${part(token, 0)}.${base64({ ...real, role: "viewer" })}.${part(token, 2)}`,
  "a header that was tampered with": (_real, token) => `${base64({ ...header, cty: "x" })}.${part(token, 1)}.${part(token, 2)}`,
  "a version of the secret that is not known": (real) => sign(real, { ...header, kid: "2" }),
  "a name of its key that is a number": (real) => sign(real, { ...header, kid: 1 as unknown as string }),
  "a signature that was cut": (_real, token) => token.slice(0, -4),
  "a payload that is no JSON": (_real, token) => `${part(token, 0)}.bm90IGpzb24.${part(token, 2)}`,
  "two parts": (_real, token) => token.split(".").slice(0, 2).join("."),
  garbage: () => "garbage",
  "only dots": () => "..",
  nothing: () => "",
};

describe("a forged token", () => {
  let org: TestOrg;
  beforeAll(async () => {
    org = await service.newOrg();
  });
  // Invalid credentials have a quota per address, and all of these come from one address.
  beforeEach(() => service.database.owner("delete from quotas where subject like 'refused:%'"));

  test.each(Object.entries(forgeries))("with %s is rejected", async (_name, forge) => {
    const token = await forge(decodeJwt(org.token), org.token, org);
    const { status, json } = await me({ authorization: `Bearer ${token}` });
    expect([status, json]).toEqual([401, noSession]);
  });

  test("of an ended session is rejected, even with a valid signature", async () => {
    const { admin, token } = await service.newOrg();
    await admin("POST", "/auth/logout");
    const { status, json } = await me({ authorization: `Bearer ${await sign(decodeJwt(token))}` });
    expect([status, json]).toEqual([401, noSession]);
  });

  test("cannot raise a role, because the role comes from the database", async () => {
    const viewer = await join(org, "viewer");
    const raised = await sign({ ...decodeJwt(viewer.token), role: "admin" });
    const { status, json } = await service.send("GET", "/org/invitations", { headers: { authorization: `Bearer ${raised}` } });
    expect([status, json]).toEqual([403, refusedWith("Permission required: members:manage")]);
  });

  test("gets the same response as anything other than a Bearer token", async () => {
    const { api_key } = await org.newKey();
    const refused = [
      {},
      { authorization: org.token },
      { authorization: `Basic ${org.token}` },
      { authorization: `Bearer ${org.token} ${org.token}` },
      { "x-api-key": api_key },
      { cookie: `countersign_refresh=${org.token}` },
    ];
    for (const headers of refused) {
      const { status, json } = await me(headers as Record<string, string>);
      expect([status, json]).toEqual([401, noSession]);
    }
  });
});

let people = 0;

/** Adds a person to the org and returns a client with their session. */
async function join(org: TestOrg, role: string, email = `person${++people}@example.com`) {
  const invited = await org.admin("POST", "/org/invitations", { body: { email, role } });
  const token = invited.json.data.accept_url.split("#token=")[1];
  const body = { token, name: "Ben", password: PASSWORD, mode: "token" };
  const { json } = await service.send("POST", "/auth/invitations/accept", { body });
  const send = client(service.url, { authorization: `Bearer ${json.data.token}` });
  return { user_id: json.data.user.user_id, token: json.data.token, refresh_token: json.data.refresh_token, send };
}

describe("changes to a member take effect on their next request", () => {
  test("a demoted admin is rejected with the token from before", async () => {
    const org = await service.newOrg();
    const { user_id, send } = await join(org, "admin");
    expect((await send("GET", "/org/invitations")).status).toBe(200);
    expect((await org.admin("PATCH", `/org/members/${user_id}`, { body: { role: "member" } })).status).toBe(200);
    const { status, json } = await send("GET", "/org/invitations");
    expect([status, json]).toEqual([403, refusedWith("Permission required: members:manage")]);
    expect((await send("GET", "/auth/me")).json.data.role).toBe("member");
  });

  test("a promoted viewer is an admin with the token from before", async () => {
    const org = await service.newOrg();
    const { user_id, send } = await join(org, "viewer");
    expect((await send("GET", "/org/invitations")).status).toBe(403);
    await org.admin("PATCH", `/org/members/${user_id}`, { body: { role: "admin" } });
    expect((await send("GET", "/org/invitations")).status).toBe(200);
  });

  test("a removed member has no session, and cannot refresh one", async () => {
    const org = await service.newOrg();
    const { user_id, send, refresh_token } = await join(org, "member");
    expect((await org.admin("DELETE", `/org/members/${user_id}`)).status).toBe(200);
    const { status, json } = await send("GET", "/auth/me");
    expect([status, json]).toEqual([401, noSession]);
    const refresh = await service.send("POST", "/auth/refresh", { body: { refresh_token } });
    expect([refresh.status, refresh.json]).toEqual([401, refusedWith("Invalid or expired refresh token")]);
  });

  test("a removed member who joins again does not get the old session back", async () => {
    const org = await service.newOrg();
    const before = await join(org, "admin", "returning@example.com");
    await org.admin("DELETE", `/org/members/${before.user_id}`);
    const after = await join(org, "viewer", "returning@example.com");
    expect([after.user_id, (await after.send("GET", "/auth/me")).status]).toEqual([before.user_id, 200]);
    const { status, json } = await before.send("GET", "/auth/me");
    expect([status, json]).toEqual([401, noSession]);
  });
});
