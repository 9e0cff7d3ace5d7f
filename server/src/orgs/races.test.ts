import { hash } from "@node-rs/argon2";
import { expect, test } from "vitest";
import { client } from "../../test/client.ts";
import { logIn, PASSWORD, testService } from "../../test/service.ts";
import { until } from "../../test/until.ts";

const service = testService();
const OTHER = "seven green kettles hum";

const waiting = async () =>
  (await service.database.owner("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).length;

/** Locks an org's audit head, which every log-in needs last, until `inside` ends. */
async function withLockedHead<T>(org_id: string, inside: () => Promise<T>): Promise<T> {
  return service.db.tx(org_id as never, async (tx) => {
    await tx.query({ name: "hold-head", text: "select from audit_heads where org_id = $1 for update", values: [org_id] });
    return inside();
  });
}

test("a log-in that is in progress when the password changes does not survive the change", async () => {
  const { org_id, email, admin } = await service.newOrg();
  await service.database.owner("delete from quotas");
  const started: { logIn?: ReturnType<typeof service.send>; change?: ReturnType<typeof service.send> } = {};
  await withLockedHead(org_id, async () => {
    started.logIn = service.send("POST", "/auth/login", { body: { email, password: PASSWORD, mode: "token" } });
    await until("the log-on to wait", async () => (await waiting()) === 1);
    started.change = admin("POST", "/auth/password", { body: { current_password: PASSWORD, new_password: OTHER } });
    await until("the change to wait", async () => (await waiting()) === 2);
  });
  const [session, change] = await Promise.all([started.logIn, started.change]);
  expect(change?.status).toBe(200);
  const headers = { authorization: `Bearer ${session?.json.data?.token}` };
  expect((await service.send("GET", "/auth/me", { headers })).status).toBe(401);
});

test("a log-in that is in progress when the person ends their other sessions is ended too", async () => {
  const { org_id, email, admin } = await service.newOrg();
  await service.database.owner("delete from quotas");
  const started: { logIn?: ReturnType<typeof service.send>; end?: ReturnType<typeof service.send> } = {};
  await withLockedHead(org_id, async () => {
    started.logIn = service.send("POST", "/auth/login", { body: { email, password: PASSWORD, mode: "token" } });
    await until("the log-in to wait", async () => (await waiting()) === 1);
    started.end = admin("POST", "/auth/sessions/end-others");
    await until("the other request to wait", async () => (await waiting()) === 2);
  });
  const [session, ended] = await Promise.all([started.logIn, started.end]);
  expect(ended?.json).toEqual({ data: { ended: 1 } });
  const send = client(service.url, { authorization: `Bearer ${session?.json.data?.token}` });
  expect((await send("GET", "/auth/me")).status).toBe(401);
  expect((await admin("GET", "/auth/me")).status).toBe(200);
});

test("a rehash at log-in does not undo a password change", async () => {
  const { email, user_id } = await service.newOrg();
  const old = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
  await service.database.owner("update users set password_hash = $1 where user_id = $2", [old, user_id]);
  await service.database.owner("delete from quotas");
  // The change happens between the log-in's look-up and its rehash. The rehash finds another hash and does not replace it.
  const fresh = await hash(OTHER, { memoryCost: 19456, timeCost: 2, parallelism: 1 });
  await service.database.owner("update users set password_hash = $1 where user_id = $2", [fresh, user_id]);
  const [row] = await service.database.owner<{ done: boolean }>("select renew_password_hash($1, $2, $3) as done", [
    user_id,
    old,
    "renewed",
  ]);
  expect(row).toEqual({ done: false });
  expect(await logIn(service, email, OTHER)).toBeTypeOf("string");
});

test("two invitations to one new address accepted at once create one account, and the other caller must log in to join", async () => {
  const email = "twice@example.com";
  const links = await Promise.all(
    [await service.newOrg(), await service.newOrg()].map(async (org) => {
      const { json } = await org.admin("POST", "/org/invitations", { body: { email, role: "member" } });
      return new URL(json.data.accept_url).hash.slice("#token=".length);
    }),
  );
  const answers = await Promise.all(
    links.map((token) =>
      service.send("POST", "/auth/invitations/accept", { body: { token, name: "Twice", password: PASSWORD, mode: "token" } }),
    ),
  );
  expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409]);
  expect(answers.find((answer) => answer.status === 409)?.json).toMatchObject({ error: "Log in to join" });
  expect(await service.database.owner("select name from users where email = $1", [email])).toEqual([{ name: "Twice" }]);
});

test("twenty simultaneous password changes with Idempotency-Keys do not exhaust the connections", async () => {
  const { token } = await service.newOrg();
  await service.database.owner("delete from quotas");
  const send = client(service.url, { authorization: `Bearer ${token}` });
  const body = { current_password: "not the password at all", new_password: OTHER };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => send("POST", "/auth/password", { body, headers: { "idempotency-key": `k${n}` } })),
  );
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([422, 429]));
});

test("the set-up link stops working once an organization was created on the command line", async () => {
  const { runCommand } = await import("../../test/process.ts");
  const env = { ...service.database.env, APP_SECRET: service.config.appSecrets[0].secret };
  const { setupLink } = await import("./setup.ts");
  expect(await setupLink(service.features.orgs)).not.toBeNull();
  const args = ["orgs", "create", "--name", "Made here", "--admin-email", "here@example.com"];
  expect((await runCommand(args, env, `${PASSWORD}\n`)).code).toBe(0);
  expect(await setupLink(service.features.orgs)).toBeNull();
});
