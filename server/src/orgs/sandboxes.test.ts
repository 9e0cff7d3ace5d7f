import { isSandboxId } from "@countersign/evidence";
import { describe, expect, test } from "vitest";
import { client } from "../../test/client.ts";
import { joinInSession, membersOf } from "../../test/invitations.ts";
import { newSandbox, signedIn } from "../../test/sandboxes.ts";
import { testService } from "../../test/service.ts";
import { until } from "../../test/until.ts";
import { isSandbox, newId, newSandboxId } from "../shared/ids.ts";

const service = testService();

const waiting = async () =>
  (await service.database.owner("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).length;

test("the id of a sandbox says what it is, to the service, to the database and to the verifier", async () => {
  for (const [org_id, expected] of [
    [newId("org"), false],
    [newSandboxId(), true],
    [newId("org", 0), false],
    [newSandboxId(0), true],
  ] as const) {
    expect(isSandbox(org_id)).toBe(expected);
    expect(isSandboxId(org_id)).toBe(expected);
    expect(await service.database.owner("select is_sandbox_id($1) as is", [org_id])).toEqual([{ is: expected }]);
  }
  const insert = (org_id: string, of: string | null) =>
    service.database.owner("insert into orgs (org_id, name, sandbox_of) values ($1, 'Example', $2)", [org_id, of]);
  const { org_id } = await service.newOrg();
  await expect(insert(newId("org"), org_id)).rejects.toThrow("orgs_sandbox_id");
  await expect(insert(newSandboxId(), null)).rejects.toThrow("orgs_sandbox_id");
});

describe("a sandbox", () => {
  test("is created by an admin, is listed, and its audit trail begins with it", async () => {
    const org = await service.newOrg("Acme");
    const made = await org.admin("POST", "/org/sandboxes", { body: { name: "Acme – Test" } });
    expect(made.status).toBe(201);
    const { org_id, created_at } = made.json.data;
    expect(made.json.data).toEqual({ org_id, name: "Acme – Test", sandbox_of: org.org_id, created_at, resetting_since: null });
    expect((await org.admin("GET", "/org/sandboxes")).json.data.sandboxes).toEqual([made.json.data]);
    const trail = (await org.admin("GET", "/org/audit-trail")).json.data;
    expect(trail[0]).toMatchObject({ type: "sandbox.created", actor: { id: org.user_id }, data: { sandbox_org_id: org_id } });
    const other = await service.newOrg();
    expect((await other.admin("GET", "/org/sandboxes")).json.data.sandboxes).toEqual([]);
  });

  test("is made once, however often the request is repeated with its key", async () => {
    const org = await service.newOrg();
    const make = () => org.admin("POST", "/org/sandboxes", { headers: { "idempotency-key": "once" }, body: { name: "Test" } });
    const [first, again] = [await make(), await make()];
    expect([first.status, again.status, again.json]).toEqual([201, 201, first.json]);
    expect((await org.admin("GET", "/org/sandboxes")).json.data.sandboxes).toHaveLength(1);
  });

  test("of which there are five already is refused, also of many that are asked for at once", async () => {
    const org = await service.newOrg();
    const make = () => org.admin("POST", "/org/sandboxes", { body: { name: "Test" } });
    const answers = await Promise.all(Array.from({ length: 7 }, make));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 409, 409]);
    expect((await make()).json.error).toBe("An organization has at most 5 sandboxes");
  });

  test("has no sandboxes, and needs a name and an admin of its organization", async () => {
    const org = await service.newOrg();
    const sandbox = await newSandbox(service, org);
    const make = (send = org.admin, name = "Test") => send("POST", "/org/sandboxes", { body: { name } });
    expect((await make(sandbox.admin)).headers["x-error-code"]).toBe("sandbox_follows_live");
    expect((await sandbox.admin("GET", "/org/sandboxes")).json.data.sandboxes).toHaveLength(1);
    for (const name of ["", " ", "x".repeat(61)]) expect((await make(org.admin, name)).status).toBe(422);
    const person = await service.newOrg();
    const member = await joinInSession(service, org, person, "member");
    const token = (await service.send("POST", "/auth/refresh", { body: await switching(person.email, org.org_id) })).json.data.token;
    expect(member).toBeDefined();
    const asMember = await service.send("POST", "/org/sandboxes", {
      headers: { authorization: `Bearer ${token}` },
      body: { name: "Test" },
    });
    expect(asMember.status).toBe(403);
    // The door itself refuses both too.
    const insert = (of: string) =>
      service.db.tx(of as never, (tx) =>
        tx.query({ name: "try", text: "select create_sandbox($1, $2, 'Test', 5)", values: [sandbox.org_id, newSandboxId()] }),
      );
    await expect(insert(sandbox.org_id)).rejects.toThrow("a sandbox has no sandboxes");
    await expect(insert(org.org_id)).rejects.toThrow("only the organization itself");
  });

  const switching = async (email: string, org_id: string) => ({ refresh_token: (await signedIn(service, email)).refresh_token, org_id });
});

describe("members of an organization", () => {
  test("are members of its sandboxes, with the same role, until they are removed", async () => {
    const org = await service.newOrg();
    const person = await service.newOrg();
    const sandbox = await newSandbox(service, org);
    expect(await membersOf(sandbox)).toEqual([[org.email, "admin"]]);
    await joinInSession(service, org, person, "viewer");
    expect(await membersOf(sandbox)).toEqual(await membersOf(org));
    await org.admin("PATCH", `/org/members/${person.user_id}`, { body: { role: "admin" } });
    expect(Object.fromEntries(await membersOf(sandbox))).toEqual({ [org.email]: "admin", [person.email]: "admin" });
    const { refresh_token } = await signedIn(service, person.email);
    const { token } = (await service.send("POST", "/auth/refresh", { body: { refresh_token, org_id: sandbox.org_id } })).json.data;
    const asked = () => service.send("GET", "/auth/me", { headers: { authorization: `Bearer ${token}` } });
    expect((await asked()).status).toBe(200);
    await org.admin("DELETE", `/org/members/${person.user_id}`);
    expect(await membersOf(sandbox)).toEqual([[org.email, "admin"]]);
    expect((await asked()).status).toBe(401);
    // Who comes back begins anew.
    await joinInSession(service, org, person, "viewer");
    expect((await asked()).status).toBe(401);
  });

  test("lose their sessions in a sandbox with those in the organization, whether they or an admin end them", async () => {
    const org = await service.newOrg();
    const person = await service.newOrg();
    await joinInSession(service, org, person, "viewer");
    const sandbox = await newSandbox(service, org);
    const inSandbox = async ({ email }: { readonly email: string }) => {
      const { refresh_token } = await signedIn(service, email);
      const { token } = (await service.send("POST", "/auth/refresh", { body: { refresh_token, org_id: sandbox.org_id } })).json.data;
      return client(service.url, { authorization: `Bearer ${token}` });
    };
    const statuses = (...all: readonly (typeof org.admin)[]) =>
      Promise.all(all.map(async (send) => (await send("GET", "/auth/me")).status));

    const [theirs, mine] = [await inSandbox(person), await inSandbox(org)];
    expect((await org.admin("DELETE", `/org/members/${person.user_id}/sessions`)).status).toBe(200);
    expect(await statuses(theirs, mine, sandbox.admin)).toEqual([401, 200, 200]);

    const again = await inSandbox(person);
    expect((await mine("POST", "/auth/sessions/end-others")).status).toBe(200);
    expect(await statuses(again, mine, sandbox.admin, org.admin)).toEqual([200, 200, 401, 401]);

    const { token } = await signedIn(service, org.email);
    expect((await client(service.url, { authorization: `Bearer ${token}` })("DELETE", "/org/sessions")).status).toBe(200);
    expect(await statuses(again, mine)).toEqual([401, 401]);
  });

  test("are changed in the organization alone", async () => {
    const org = await service.newOrg();
    const person = await service.newOrg();
    await joinInSession(service, org, person, "viewer");
    const sandbox = await newSandbox(service, org);
    const member = `/org/members/${person.user_id}`;
    const answers = [
      await sandbox.admin("PATCH", member, { body: { role: "admin" } }),
      await sandbox.admin("DELETE", member),
      await sandbox.admin("POST", "/org/invitations", { body: { email: "new@example.com", role: "viewer" } }),
      await sandbox.admin("PATCH", "/org/security", { body: { idle_minutes: 30 } }),
      await sandbox.admin("POST", "/org/domains", { body: { domain: "harbor.example" } }),
    ];
    for (const { status, json } of answers)
      expect([status, json.error]).toEqual([409, "Change this in the organization. Its sandboxes follow it"]);
    expect(await membersOf(sandbox)).toEqual(await membersOf(org));
  });

  test("who join while a sandbox is created are members of it, whichever comes first", async () => {
    const org = await service.newOrg();
    const people = await Promise.all(Array.from({ length: 6 }, () => service.newOrg()));
    const tasks = people.map((person) => () => joinInSession(service, org, person, "viewer"));
    const make = () => org.admin("POST", "/org/sandboxes", { body: { name: "Test" } });
    const order = [...tasks.slice(0, 2), make, ...tasks.slice(2, 4), make, ...tasks.slice(4)];
    await Promise.all(order.map((run) => run()));
    await Promise.all([org.admin("DELETE", `/org/members/${people[0]?.user_id}`), make()]);
    const rows = await service.database.owner(
      `select o.org_id, array_agg(m.user_id || ' ' || m.role order by m.user_id) as members
       from orgs o join members m using (org_id) where o.org_id = $1 or o.sandbox_of = $1 group by 1`,
      [org.org_id],
    );
    expect(rows).toHaveLength(4);
    expect(new Set(rows.map(({ members }) => String(members))).size).toBe(1);
    expect(rows[0]?.members).toHaveLength(6);
  });

  test("who are being added hold back a sandbox that is created meanwhile, which then has them", async () => {
    const org = await service.newOrg();
    const person = await service.newOrg();
    const started: { make?: ReturnType<typeof org.admin> } = {};
    await service.db.tx(org.org_id, async (tx) => {
      const values = [org.org_id, person.user_id];
      await tx.query({ name: "add", text: "insert into members (org_id, user_id, role) values ($1, $2, 'viewer')", values });
      started.make = org.admin("POST", "/org/sandboxes", { body: { name: "Test" } });
      await until("the sandbox to wait", async () => (await waiting()) === 1);
    });
    const sandbox_id = (await started.make)?.json.data.org_id;
    const rows = await service.database.owner("select user_id from members where org_id = $1", [sandbox_id]);
    expect(rows.map(({ user_id }) => user_id).sort()).toEqual([org.user_id, person.user_id].sort());
  });

  test("who are removed while a sandbox is created are not members of it", async () => {
    const org = await service.newOrg();
    const person = await service.newOrg();
    await joinInSession(service, org, person, "viewer");
    const started: { remove?: ReturnType<typeof org.admin> } = {};
    const sandbox_id = newSandboxId();
    await service.db.tx(org.org_id, async (tx) => {
      await tx.query({ name: "make", text: "select create_sandbox($1, $2, 'Test', 5)", values: [org.org_id, sandbox_id] });
      started.remove = org.admin("DELETE", `/org/members/${person.user_id}`);
      await until("the removal to wait", async () => (await waiting()) === 1);
    });
    expect((await started.remove)?.status).toBe(200);
    expect(await service.database.owner("select user_id from members where org_id = $1", [sandbox_id])).toEqual([{ user_id: org.user_id }]);
  });

  test("of a sandbox cannot be changed by the program past the trigger either", async () => {
    const org = await service.newOrg();
    const sandbox = await newSandbox(service, org);
    const values = [sandbox.org_id];
    const removed = await service.db.tx(org.org_id, (tx) =>
      tx.query({ name: "past", text: "delete from members where org_id = $1 returning 1", values }),
    );
    expect(removed.rowCount).toBe(0);
    const [forced] = await service.database.owner("select relforcerowsecurity as is from pg_class where oid = 'members'::regclass");
    // With FORCE, the trigger would find no sandboxes.
    expect(forced).toEqual({ is: false });
  });

  test("have the same limits in a sandbox, also those that are changed later", async () => {
    const org = await service.newOrg();
    await org.admin("PATCH", "/org/security", { body: { idle_minutes: 60 } });
    const sandbox = await newSandbox(service, org);
    const limits = async () => {
      const [here, there] = [await org.admin("GET", "/org/security"), await sandbox.admin("GET", "/org/security")];
      expect({ ...there.json.data, updated_at: null }).toEqual({ ...here.json.data, updated_at: null });
      return there.json.data;
    };
    expect((await limits()).idle_minutes).toBe(60);
    await org.admin("PATCH", "/org/security", { body: { max_hours: 24 } });
    expect(await limits()).toMatchObject({ idle_minutes: 60, max_hours: 24 });
  });
});

describe("a session", () => {
  test("switches to a sandbox and back, sees both, and begins in neither by a log-in", async () => {
    const org = await service.newOrg("Acme");
    const sandbox = await newSandbox(service, org, "Acme – Test");
    const me = (await sandbox.admin("GET", "/auth/me")).json.data;
    expect(me.org).toEqual({ org_id: sandbox.org_id, name: "Acme – Test" });
    const listed = [
      { org_id: sandbox.org_id, name: "Acme – Test", role: "admin", sandbox_of: org.org_id },
      { org_id: org.org_id, name: "Acme", role: "admin" },
    ];
    expect(me.orgs).toEqual(expect.arrayContaining(listed));
    expect(me.orgs).toHaveLength(2);
    // The sandbox was used last, and a log-in still opens the organization.
    const again = await signedIn(service, org.email);
    const mine = await service.send("GET", "/auth/me", { headers: { authorization: `Bearer ${again.token}` } });
    expect(mine.json.data.org.org_id).toBe(org.org_id);
    const there = await service.send("POST", "/auth/refresh", { body: { refresh_token: again.refresh_token, org_id: sandbox.org_id } });
    const back = await service.send("POST", "/auth/refresh", {
      body: { refresh_token: there.json.data.refresh_token, org_id: org.org_id },
    });
    expect(back.json.data.org.org_id).toBe(org.org_id);
  });

  test("and a key say which data they reach, in their views and in a header", async () => {
    const org = await service.newOrg("Acme");
    const sandbox = await newSandbox(service, org);
    for (const [one, mode] of [
      [org, "live"],
      [sandbox, "test"],
    ] as const) {
      const key = await one.newKey({ scopes: ["envelopes:read"], rate_limit_rpm: 90 });
      const answer = await key.send("GET", "/partner/me");
      expect(answer.headers["x-mode"]).toBe(mode);
      expect(answer.json.data).toEqual({
        org_id: one.org_id,
        org_name: mode === "test" ? "Test" : "Acme",
        mode,
        key_id: key.key_id,
        partner_name: "Partner",
        scopes: ["envelopes:read"],
        rate_limit_rpm: 90,
        lenient_fields: false,
        console_url: `${service.config.publicUrl}/console`,
      });
      const listed = await one.admin("GET", "/partners/keys");
      expect(listed.headers["x-mode"]).toBe(mode);
      expect(listed.json.data.map((row: { mode: string }) => row.mode)).toEqual([mode]);
      expect((await one.admin("GET", "/partner/me")).json.data).toMatchObject({ org_id: one.org_id, mode, key_id: null });
    }
    expect((await service.send("GET", "/partner/me")).headers["x-mode"]).toBeUndefined();
  });
});

test("a sandbox is no party of another organization and pins no vault, and none has it as one", async () => {
  const org = await service.newOrg();
  const other = await service.newOrg();
  const sandbox = await newSandbox(service, org);
  const party = (send: typeof org.admin, org_id: string) =>
    send("POST", "/partner/parties", { body: { kind: "org", name: "Example", org_id } });
  const pin = (send: typeof org.admin, org_id: string) =>
    send("POST", "/partner/remote-vaults", { body: { url: service.url, root_sha256: "ab".repeat(32), org_id } });
  for (const refused of [
    await party(sandbox.admin, other.org_id),
    await party(other.admin, sandbox.org_id),
    await pin(sandbox.admin, other.org_id),
    await pin(other.admin, sandbox.org_id),
  ]) {
    expect(refused.status).toBe(422);
    expect(refused.json.details[0]).toMatchObject({ field: "org_id", code: "invalid_value" });
  }
});
