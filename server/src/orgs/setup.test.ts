import { describe, expect, test } from "vitest";
import { refusedWith } from "../../test/refused-with.ts";
import { PASSWORD, type TestService, testService } from "../../test/service.ts";
import { permissions } from "../shared/scopes.ts";
import { setUpLocally, setupLink } from "./setup.ts";

const wanted = { org_name: "Acme", name: "Ada", email: "ada@example.com", password: PASSWORD };
const here = { ip: "127.0.0.1", user_agent: "environment", request_id: "start" };

async function linkToken(service: TestService): Promise<string> {
  const link = await setupLink(service.features.orgs);
  const [page, token] = (link ?? "").split("#token=");
  expect(page).toBe(`${service.config.publicUrl}/console/setup`);
  return token ?? "";
}

function setUp(service: TestService, token: string, values: object = {}) {
  return service.send("POST", "/setup", { body: { token, ...wanted, mode: "token", ...values } });
}

async function counts(service: TestService) {
  const [row] = await service.database.owner(`
    select (select count(*)::int from orgs) as orgs, (select count(*)::int from users) as users,
           (select count(*)::int from members) as members, (select count(*)::int from sessions) as sessions`);
  return row;
}

const done = refusedWith("This installation is already set up. Log in, or ask an admin for an invitation");

describe("the set-up link", () => {
  const service = testService();

  test("creates the org and its admin, logs in, and works once", async () => {
    const token = await linkToken(service);
    const { status, json } = await setUp(service, token);
    expect(status).toBe(201);
    const { org, user } = json.data;
    expect(json).toEqual({
      data: {
        status: "signed_in",
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        refresh_token: expect.stringMatching(/^[\w-]{43}$/),
        user: { user_id: expect.stringMatching(/^usr_/), email: "ada@example.com", name: "Ada" },
        org: { org_id: expect.stringMatching(/^org_/), name: "Acme" },
        role: "admin",
        permissions: [...permissions],
      },
    });
    const headers = { authorization: `Bearer ${json.data.token}` };
    const me = await service.send("GET", "/auth/me", { headers });
    expect([me.status, me.json]).toEqual([
      200,
      {
        data: {
          user,
          email_verified: true,
          has_password: true,
          locale: null,
          org,
          role: "admin",
          permissions: [...permissions],
          orgs: [{ ...org, role: "admin" }],
          second_factor_due_at: null,
        },
      },
    ]);
    const trail = await service.send("GET", "/org/audit-trail", { headers });
    expect(trail.json.data.map(({ seq, type, actor }: Record<string, unknown>) => ({ seq, type, actor }))).toEqual([
      { seq: 3, type: "session.started", actor: { kind: "user", id: user.user_id } },
      { seq: 2, type: "member.joined", actor: { kind: "system", id: "system" } },
      { seq: 1, type: "org.created", actor: { kind: "system", id: "system" } },
    ]);

    const again = await setUp(service, token, { email: "eve@example.com" });
    expect([again.status, again.json]).toEqual([409, done]);
    expect(await setupLink(service.features.orgs)).toBeNull();
    expect(await counts(service)).toEqual({ orgs: 1, users: 1, members: 1, sessions: 1 });
  });
});

describe("a rejected set-up", () => {
  const service = testService();
  const nothing = { orgs: 0, users: 0, members: 0, sessions: 0 };

  test("with a wrong token creates nothing", async () => {
    const token = await linkToken(service);
    for (const wrong of ["wrong", `${token}x`, token.slice(0, -1), token.toUpperCase()]) {
      const { status, json } = await setUp(service, wrong);
      expect([status, json]).toEqual([422, refusedWith("The link is not valid, was already used, or has expired")]);
    }
    expect(await counts(service)).toEqual(nothing);
    expect(await linkToken(service)).toBe(token);
  });

  test("names each missing field", async () => {
    const { status, json } = await service.send("POST", "/setup", { body: {} });
    expect(status).toBe(422);
    const required = (field: string) => ({ location: "body", field, code: "required", message: "is required" });
    expect(json).toEqual({ error: "Validation failed", details: ["token", "org_name", "name", "email", "password"].map(required) });
  });
});

describe("a weak password at set-up", () => {
  const service = testService();

  test("is rejected with its location in the body, and the link still works", async () => {
    const token = await linkToken(service);
    const { status, json } = await setUp(service, token, { password: "too short" });
    expect([status, json]).toEqual([
      422,
      {
        error: "Validation failed",
        details: [{ location: "body", field: "password", code: "too_small", message: "must have at least 12 characters" }],
      },
    ]);
    const both = await setUp(service, token, { email: "ada", password: "too short" });
    expect(
      both.json.details.map(({ field }: { field: string }) => field),
      "the address as well, in one answer",
    ).toEqual(["email", "password"]);
    expect(await counts(service)).toEqual({ orgs: 0, users: 0, members: 0, sessions: 0 });
    const good = await setUp(service, token);
    expect(good.status).toBe(201);
    expect(good.json.data.org.name).toBe("Acme");
  });
});

describe("20 simultaneous set-ups", () => {
  const service = testService();

  test("have one winner, and the others leave no trace", async () => {
    const token = await linkToken(service);
    const racers = Array.from({ length: 20 }, (_, n) => setUp(service, token, { org_name: `Org ${n}`, email: `racer${n}@example.com` }));
    const answers = await Promise.all(racers);
    const [winner, ...others] = answers.filter(({ status }) => status === 201);
    expect(others).toEqual([]);
    const losers = answers.filter((answer) => answer !== winner);
    expect(losers.map(({ status, json }) => [status, json])).toEqual(Array(19).fill([409, done]));
    expect(await counts(service)).toEqual({ orgs: 1, users: 1, members: 1, sessions: 1 });
    expect(await service.database.owner("select org_id, name from orgs")).toEqual([winner?.json.data.org]);
  });
});

describe("set-up from the environment", () => {
  const service = testService();

  test("and with the link at the same time has one winner", async () => {
    const token = await linkToken(service);
    const made: string[] = [];
    const refused: string[] = [];
    const fromHere = Array.from({ length: 5 }, (_, n) =>
      setUpLocally(service.features.orgs, here, { ...wanted, email: `here${n}@example.com` }).then(
        ({ org_id }) => made.push(org_id),
        (problem) => refused.push(problem.says),
      ),
    );
    const byLink = Array.from({ length: 5 }, async (_, n) => {
      const { status, json } = await setUp(service, token, { email: `link${n}@example.com` });
      if (status === 201) made.push(json.data.org.org_id);
      else refused.push(json.error);
    });
    await Promise.all([...byLink, ...fromHere]);
    expect(refused).toEqual(Array(9).fill(done.error));
    expect(await service.database.owner("select org_id from orgs")).toEqual(made.map((org_id) => ({ org_id })));
    const late = await setUp(service, token);
    expect([late.status, late.json]).toEqual([409, done]);
  });
});
