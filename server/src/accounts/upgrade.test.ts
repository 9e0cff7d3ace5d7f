import { randomBytes } from "node:crypto";
import { userInfo } from "node:os";
import { hash } from "@node-rs/argon2";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { client } from "../../test/client.ts";
import { makeLogins } from "../../test/database.ts";
import { databaseUrl, withClient } from "../../test/global-setup.ts";
import { type Running, runCommand, startProcess, stopProcess } from "../../test/process.ts";
import { PASSWORD } from "../../test/service.ts";
import { migrate, readMigrations } from "../db/migrate.ts";
import { newId } from "../shared/ids.ts";
import { newToken, sha256 } from "../shared/secrets.ts";

/** A database that is older than address verification, with an open invitation. */

const name = `test_${randomBytes(6).toString("hex")}`;
const APP_SECRET = "a secret of the tests: 8d1f0c77aa";
const [org_id, other_id, user_id, invitation_id] = [newId("org"), newId("org"), newId("user"), newId("invitation")];
const token = newToken();
let url: string;
let running: Running | undefined;

beforeAll(async () => {
  await withClient(inject("adminUrl"), (admin) => admin.query(`create database ${name}`));
  url = databaseUrl(inject("adminUrl"), name);
  const all = await readMigrations();
  const before = all.findIndex((one) => one.name.endsWith("-verify-addresses.sql"));
  await migrate(url, all.slice(0, before));
  const password_hash = await hash(PASSWORD);
  await withClient(url, async (owner) => {
    for (const id of [org_id, other_id]) {
      await owner.query("insert into orgs (org_id, name) values ($1, 'Old')", [id]);
      await owner.query("insert into org_settings (org_id) values ($1)", [id]);
    }
    const user = "insert into users (user_id, email, name, password_hash) values ($1, 'ada@example.com', 'Ada', $2)";
    await owner.query(user, [user_id, password_hash]);
    await owner.query("insert into members (org_id, user_id, role) values ($1, $2, 'admin')", [org_id, user_id]);
    const invitation = `insert into invitations (org_id, invitation_id, email, role, token_hash, expires_at)
      values ($1, $2, $3, 'member', $4, now() + interval '7 days')`;
    await owner.query(invitation, [org_id, invitation_id, "ben@example.com", sha256(token)]);
    await owner.query(invitation, [other_id, newId("invitation"), "ada@example.com", sha256(`${token}2`)]);
  });
});
afterAll(async () => {
  if (running !== undefined) await stopProcess(running);
  await withClient(inject("adminUrl"), (admin) => admin.query(`drop database if exists ${name} with (force)`));
});

test("after the upgrade people can log in, an old invitation works but verifies nothing, and the audit trail names who migrated", async () => {
  const env = { DATABASE_URL: url, APP_SECRET };
  const migrated = await runCommand(["migrate"], env);
  expect([migrated.code, migrated.stderr, migrated.stdout]).toEqual([
    0,
    "",
    expect.stringMatching(/^applied \d{4}-verify-addresses\.sql$/m),
  ]);
  const { env: logins } = await makeLogins(name);
  running = await startProcess("serve", { ...logins, APP_SECRET });
  const send = client(running.url.replace("localhost", "127.0.0.1"));
  const signedIn = await send("POST", "/auth/login", { body: { email: "ada@example.com", password: PASSWORD, mode: "token" } });
  const headers = { authorization: `Bearer ${signedIn.json.data.token}` };
  expect((await send("GET", "/auth/me", { headers })).json.data).toMatchObject({
    email_verified: false,
    orgs: [{ org_id, role: "admin" }],
  });
  const further = await send("POST", "/auth/invitations/accept", { body: { token: `${token}2` }, headers });
  expect([further.status, further.json.details[0].code]).toEqual([409, "address_not_verified"]);

  const body = { token, name: "Ben", password: PASSWORD, mode: "token" };
  const joined = await send("POST", "/auth/invitations/accept", { body });
  expect([joined.status, joined.json.data.org.org_id]).toEqual([201, org_id]);
  const ben = { authorization: `Bearer ${joined.json.data.token}` };
  expect((await send("GET", "/auth/me", { headers: ben })).json.data.email_verified).toBe(false);
  const trail = await send("GET", "/org/audit-trail", { headers });
  expect(trail.json.data.at(-1)).toMatchObject({
    type: "database.migrated",
    actor: { kind: "system", id: "system" },
    data: { applied: expect.arrayContaining([expect.stringMatching(/-verify-addresses\.sql$/)]), operator: userInfo().username },
  });
});
