import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { settings } from "../src/config.ts";
import { newId } from "../src/shared/ids.ts";
import { verifyCopy } from "../src/vault/keeping/verify-copy.ts";
import { client } from "./client.ts";
import { type TestDatabase, testDatabase } from "./database.ts";
import { newApp } from "./factors.ts";
import { mailTo } from "./mail.ts";
import { runCommand } from "./process.ts";
import { PASSWORD, type TestOrg, testService } from "./service.ts";
import { flipBit, vaultedCopy } from "./vaulted.ts";

const APP_SECRET = "the command line's own secret: 71c09e55d2";
const service = testService({ APP_SECRET });
const fresh = testDatabase();
const unset = testDatabase();
const keyed = testDatabase();

const run = (args: string[], env: Record<string, string> = {}, input = "") =>
  runCommand(args, { ...service.database.env, APP_SECRET, ...env }, input);

const testRun =
  (database: TestDatabase) =>
  (args: string[], env: Record<string, string> = {}) =>
    runCommand(args, { ...database.env, APP_SECRET, ...env });

describe("countersign setup", () => {
  test("refuses an address that has an account, and creates nothing", async () => {
    const { email } = await service.newOrg();
    const { code, stderr } = await run(["setup", "--org", "C", "--email", email], { SETUP_PASSWORD: PASSWORD });
    expect([code, stderr]).toEqual([1, "This e-mail address already has an account\n  invite the owner of this address instead\n"]);
    expect(await service.database.owner("select from orgs where name = 'C'")).toEqual([]);
  });

  test("creates the first organization with the password from standard input, and refuses a second time", async () => {
    const args = ["setup", "--org", "Acme", "--email", "ada@example.com"];
    const first = await run(args, fresh.env, `${PASSWORD}\n`);
    expect([first.code, first.stdout]).toEqual([
      0,
      expect.stringMatching(/^Created organization org_\w{26} with admin ada@example\.com\.\n$/),
    ]);
    const second = await run(args, fresh.env, `${PASSWORD}\n`);
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining("already set up")]);
  });

  test("reads the password from SETUP_PASSWORD, and says what is wrong with a weak one", async () => {
    const { code, stderr } = await run(["setup", "--org", "B", "--email", "b@example.com"], { SETUP_PASSWORD: "short" });
    expect([code, stderr]).toEqual([1, expect.stringContaining("must have at least 12 characters")]);
  });

  test("says what is wrong with a weak password and creates nothing", async () => {
    const { code, stderr } = await run(["setup", "--org", "B", "--email", "b@example.com"], {}, "short\n");
    expect([code, stderr]).toEqual([1, expect.stringContaining("must have at least 12 characters")]);
    expect(await service.database.owner("select from orgs where name = 'B'")).toEqual([]);
  });
});

describe("countersign instance-keys and seals", () => {
  const command = testRun(keyed);

  test("rotate replaces a key and records it in every audit trail with the operator; list shows the generations", async () => {
    expect((await command(["instance-keys", "list"])).stdout).toBe("There are no keys yet. The first start creates them.\n");
    await command(["setup", "--org", "Keys", "--email", "keys@example.com"], { SETUP_PASSWORD: PASSWORD });
    const rotated = await command(["instance-keys", "rotate", "records"]);
    expect([rotated.code, rotated.stdout]).toEqual([
      0,
      expect.stringMatching(/^Generation 2 of the key for records is in use: [0-9a-f]{64}\n/),
    ]);
    const root = await command(["instance-keys", "rotate", "root"]);
    expect(root.stdout).toMatch(/Publish the SHA-256 of the new root certificate: [0-9a-f]{64}\n$/);
    const entries = await keyed.owner<{ data: { purpose: string; operator: string } }>(
      "select d.data from audit_entries e join audit_entry_data d using (org_id, subject, seq) where e.type = 'instance_key.rotated' order by e.seq",
    );
    expect(entries.map(({ data }) => [data.purpose, data.operator])).toEqual([
      ["records", userInfo().username],
      ["root", userInfo().username],
    ]);
    const lines = (await command(["instance-keys", "list"])).stdout.trim().split("\n");
    expect(lines.map((line) => line.split(/ +/).slice(0, 3).join(" "))).toEqual([
      "log 1 EdDSA",
      "records 1 EdDSA",
      "records 2 EdDSA",
      "root 1 ES256",
      "root 2 ES256",
      "vault 1 X25519",
    ]);
  });

  test("wrong usage changes nothing", async () => {
    const seal = newId("seal");
    const future = new Date(Date.now() + 3_600_000).toISOString();
    for (const [args, says] of [
      [["instance-keys", "rotate", "other"], "needs one of: root, records, log, vault"],
      [["instance-keys", "rotate", "log", "--old-key-lost"], "--old-key-lost is for"],
      [["seals", "revoke", "x", "--reason", "superseded"], "needs the id of a seal"],
      [["seals", "revoke", seal, "--reason", "lost"], "--reason must be one of"],
      [["seals", "revoke", seal, "--reason", "key_compromise"], "--invalid-from must be a time such as"],
      [["seals", "revoke", seal, "--reason", "key_compromise", "--invalid-from", future], "must not be in the future"],
      [["seals", "revoke", seal, "--reason", "superseded", "--invalid-from", "2026-01-01T00:00:00Z"], "--invalid-from is for"],
    ] as const) {
      const { code, stderr } = await command([...args]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
    }
    const unknown = await command(["seals", "revoke", seal, "--reason", "superseded"]);
    expect([unknown.code, unknown.stderr]).toEqual([1, "This seal does not exist.\n"]);
  });
});

describe("countersign orgs", () => {
  const signIn = async (email: string) => {
    const { json } = await service.send("POST", "/auth/login", { body: { email, password: PASSWORD, mode: "token" } });
    return client(service.url, { authorization: `Bearer ${json.data.token}` });
  };

  test("create with a password creates the admin's account, and without one an invitation that an existing account can accept", async () => {
    const made = await run(["orgs", "create", "--name", "One", "--admin-email", "eve@example.com"], { ADMIN_PASSWORD: PASSWORD });
    expect([made.code, made.stdout]).toEqual([
      0,
      expect.stringMatching(/^Created organization org_\w{26} with admin eve@example\.com\.\n$/),
    ]);
    const again = await run(["orgs", "create", "--name", "Two", "--admin-email", "EVE@example.com"]);
    expect([again.code, again.stdout.split("\n").slice(3)]).toEqual([
      0,
      ["The address already has an account. Its owner must log in and accept the invitation. Until then the account has no access.", ""],
    ]);
    const list = await run(["orgs", "list"]);
    expect(list.stdout).toMatch(/One {2}\(1 members\)\n.*Two {2}\(0 members\)/s);
    const eve = await signIn("eve@example.com");
    const body = { token: /#token=([\w-]+)/.exec(again.stdout)?.[1] };
    expect((await eve("POST", "/auth/invitations/accept", { body })).status).toBe(200);
    const { data } = (await eve("GET", "/auth/me")).json;
    expect([data.email_verified, data.orgs.map((org: { name: string }) => org.name).sort()]).toEqual([true, ["One", "Two"]]);
  });

  test("invite-admin prints another link, and refuses members and invalid addresses", async () => {
    const org = await service.newOrg();
    const { code, stdout } = await run(["orgs", "invite-admin", "--org", org.org_id, "second@example.com"]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Give second@example\.com this link to join as admin\. It works once, for 7 days:\n\S+#token=[\w-]{43}\n$/),
    ]);
    const member = await run(["orgs", "invite-admin", "--org", org.org_id, org.email]);
    expect([member.code, member.stderr]).toEqual([1, "This person is already a member\n"]);
    expect((await run(["orgs", "invite-admin", "--org", org.org_id, "no address"])).code).toBe(1);
    expect((await run(["orgs", "invite-admin", "--org", org.org_id])).code).toBe(2);
    expect((await org.admin("GET", "/org/invitations")).json.meta.total).toBe(1);
  });
});

describe("countersign keys", () => {
  test("create, list and deactivate work on one organization", async () => {
    const { org_id } = await service.newOrg();
    const created = await run(["keys", "create", "--org", org_id, "--name", "CI", "--scopes", "envelopes:read", "--rate-limit", "7"]);
    const [, key_id, api_key] = /^(lk_\w{26}) {2}CI\nThe key is shown only once: (lk_[0-9a-f]{40})\n$/.exec(created.stdout) ?? [];
    const headers = { "x-api-key": api_key ?? "" };
    expect((await service.send("GET", "/partner/envelopes", { headers })).headers["x-ratelimit-limit"]).toBe("7");
    const list = await run(["keys", "list", "--org", org_id]);
    expect(list.stdout).toContain(`${key_id}  `);
    expect(list.stdout).not.toContain(api_key);
    expect((await run(["keys", "deactivate", "--org", org_id, key_id ?? ""])).code).toBe(0);
    expect((await service.send("GET", "/partner/envelopes", { headers })).status).toBe(401);
    expect((await run(["keys", "list", "--org", org_id])).stdout).toContain("deactivated");
  });

  test("an unknown organization, scope or key is reported, with exit code 2 for wrong usage", async () => {
    const { org_id } = await service.newOrg();
    const unknownOrg = await run(["keys", "list", "--org", newId("org")]);
    expect([unknownOrg.code, unknownOrg.stderr]).toEqual([2, expect.stringContaining("This organization does not exist")]);
    const scope = await run(["keys", "create", "--org", org_id, "--name", "x", "--scopes", "all"]);
    expect([scope.code, scope.stderr]).toEqual([2, expect.stringContaining("Unknown scope: all")]);
    const key = await run(["keys", "deactivate", "--org", org_id, "lk_00000000000000000000000000"]);
    expect([key.code, key.stderr]).toEqual([1, "Key not found\n"]);
  });
});

describe("countersign vault repair", () => {
  test("restores the file of a damaged vaulted document, and accepts no other file", async () => {
    const org = await service.newOrg();
    const one = await vaultedCopy(service, org);
    const folder = mkdtempSync(join(tmpdir(), "countersign-restore-"));
    const [good, bad] = [join(folder, "good.pdf"), join(folder, "bad.pdf")];
    writeFileSync(good, await service.features.storage.blobs.read(org.org_id, one.sha256));
    writeFileSync(bad, "other bytes");
    await flipBit(service, org, one.sha256);
    expect(await verifyCopy(service.features.vault, org.org_id, one.envelope_id)).toBe("tampered");
    const restore = (file: string) =>
      run(["vault", "repair", "--org", org.org_id, one.envelope_id, file], { DATA_DIR: service.config.dataDir });
    const refused = await restore(bad);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      "The file does not match any hash that the vault has on record for this envelope\n",
    ]);
    const restored = await restore(good);
    expect([restored.code, restored.stdout]).toEqual([0, `${one.envelope_id} matches its record.\n`]);
    const [entry] = await service.database.owner(
      `select d.data->>'operator' as operator from audit_entries e join audit_entry_data d using (org_id, subject, seq)
       where e.type = 'vault.document.restored' and e.subject = $1`,
      [one.envelope_id],
    );
    expect(entry).toEqual({ operator: userInfo().username });
    expect(await verifyCopy(service.features.vault, org.org_id, one.envelope_id)).toBe("sound");
    // The form of the release before.
    const earlier = await run(["restore", "--org", org.org_id, "--vault-blob", one.envelope_id, good], {
      DATA_DIR: service.config.dataDir,
    });
    expect([earlier.code, earlier.stderr]).toEqual([
      1,
      "This form is going to be removed. Use: countersign vault repair --org ORG_ID ENVELOPE_ID FILE\nThe authoritative copy is active, which does not allow this\n",
    ]);
    rmSync(folder, { recursive: true });
  });

  test("without an envelope or a file is wrong usage", async () => {
    for (const args of [["x", "file"], [newId("envelope")], []]) {
      expect((await run(["vault", "repair", "--org", newId("org"), ...args])).code).toBe(2);
    }
    expect((await run(["restore"])).code).toBe(2);
  });
});

describe("countersign users reset-link", () => {
  test("prints a link that sets a new password once", async () => {
    const { email } = await service.newOrg();
    const { stdout, code } = await run(["users", "reset-link", email]);
    expect(code).toBe(0);
    const token = /#token=([\w-]+)/.exec(stdout)?.[1];
    const confirm = () => service.send("POST", "/auth/password-reset/confirm", { body: { token, password: "seven green kettles hum" } });
    expect([(await confirm()).status, (await confirm()).status]).toEqual([200, 422]);
    expect((await run(["users", "reset-link", "nobody@example.com"])).code).toBe(1);
    const [told, ...others] = await mailTo(service, email, "reset_link_printed");
    expect(others).toEqual([]);
    expect(told?.text).toContain("The operator of your installation printed a link");
    expect(told?.text).not.toContain(token);
  });
});

describe("countersign users reset-factors", () => {
  test("removes the second factors of a person, whose password alone then logs in", async () => {
    const org = await service.newOrg();
    await newApp(service, org.admin);
    const logIn = () => service.send("POST", "/auth/login", { body: { email: org.email, password: PASSWORD } });
    expect((await logIn()).status).toBe(202);
    expect(await run(["users", "reset-factors", org.email])).toMatchObject({ code: 0, stdout: expect.stringContaining("are removed") });
    expect((await logIn()).status).toBe(200);
    expect(await run(["users", "reset-factors", org.email])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("no second factor"),
    });
    expect((await run(["users", "reset-factors", "unknown@example.com"])).code).toBe(1);
  });
});

describe("a change made by a command", () => {
  const entries = async (org: TestOrg, count: number) =>
    (await org.admin("GET", `/org/audit-trail?limit=${count}`)).json.data.map(
      ({ type, actor, data }: { type: string; actor: { kind: string }; data: { operator?: string } }) => [type, actor.kind, data.operator],
    );
  const { username } = userInfo();

  test("is in the audit trail of the organization, with the operator's login name", async () => {
    const org = await service.newOrg();
    await service.database.owner("update users set email_verified_at = null, email_verified_by = null where user_id = $1", [org.user_id]);
    const created = await run(["keys", "create", "--org", org.org_id, "--name", "CI"]);
    const key_id = created.stdout.split(" ")[0] ?? "";
    await run(["keys", "deactivate", "--org", org.org_id, key_id], { SUDO_USER: "ann" });
    await run(["orgs", "invite-admin", "--org", org.org_id, "third@example.com"]);
    await run(["users", "verify", org.email]);
    await run(["users", "reset-link", org.email], { SUDO_USER: username });
    expect(await entries(org, 6)).toEqual([
      ["password.reset_link_printed", "system", username],
      ["email.verified", "system", username],
      ["invitation.created", "system", username],
      ["key.deactivated", "system", `${username} (sudo by ann)`],
      ["key.created", "system", username],
      ["session.started", "user", undefined],
    ]);
  });

  test("is also recorded for an organization created by setup or orgs create", async () => {
    const operators = (database: TestDatabase) =>
      database.owner(`
        select e.type, d.data->>'operator' as operator from audit_entries e join audit_entry_data d using (org_id, subject, seq)
        where e.type in ('org.created', 'invitation.created') and e.org_id = (select max(org_id collate "C") from orgs) order by e.seq`);
    const made = testRun(unset);
    expect((await made(["setup", "--org", "A", "--email", "a@example.com"], { SETUP_PASSWORD: PASSWORD })).code).toBe(0);
    expect(await operators(unset)).toEqual([{ type: "org.created", operator: username }]);
    expect((await made(["orgs", "create", "--name", "B", "--admin-email", "b@example.com"])).code).toBe(0);
    expect(await operators(unset)).toEqual([
      { type: "org.created", operator: username },
      { type: "invitation.created", operator: username },
    ]);
  });
});

describe("countersign config", () => {
  test("lists every setting and its source, but no value", async () => {
    const { stdout } = await run(["config"], { PORT: "3123" });
    for (const name of Object.keys(settings)) expect(stdout).toContain(name);
    expect(stdout).toMatch(/^PORT +environment/m);
    expect(stdout).toMatch(/^HOST +default/m);
    expect(stdout).not.toContain(APP_SECRET);
    expect(stdout).not.toContain("3123");
  });

  test("an invalid setting stops a start with its name and the rule", async () => {
    for (const [name, value, says] of [
      ["PORT", "70000", "PORT must be a whole number"],
      ["PUBLIC_URL", "sign.example.com/x", "PUBLIC_URL must be an address"],
      ["APP_SECRET", "short", "APP_SECRET must have at least 32 characters"],
      ["DATABASE_URL", "mysql://x", "DATABASE_URL must start with postgres://"],
      ["DATABASE_URL", "postgres://user:pass@host:port/name", "DATABASE_URL must be an address such as postgres://user"],
      ["SETUP_ORG", "Acme", "belong together"],
      ["LOG_LEVEL", "loud", "LOG_LEVEL must be one of"],
    ] as const) {
      const { code, stderr } = await run(["serve"], { [name]: value });
      expect([name, code, stderr]).toEqual([name, 1, expect.stringContaining(says)]);
      if (value.length > 6) expect(stderr).not.toContain(value);
    }
    const sample = await run(["serve"], { PUBLIC_URL: "https://sign.example.com", APP_SECRET: "a".repeat(40) });
    expect([sample.code, sample.stderr]).toEqual([1, expect.stringContaining("sample or too simple")]);
  });
});

describe("the command line", () => {
  test("applies the API's rules to names and addresses", async () => {
    for (const [name, email] of [
      ["Fine", "bad"],
      ["Fine", "x y@z.co"],
      ["Fine", `${"a".repeat(300)}@b.co`],
      ["Fine", "a@b.co\nBcc: x"],
      ["x".repeat(201), "a@b.co"],
      ["two\nlines", "a@b.co"],
      ["  ", "a@b.co"],
    ]) {
      const { code } = await run(["orgs", "create", "--name", name ?? "", "--admin-email", email ?? ""], {}, `${PASSWORD}\n`);
      expect([name, email, code === 0]).toEqual([name, email, false]);
    }
    expect(await service.database.owner("select from users where email like 'a@b.co%' or email = 'bad'")).toEqual([]);
  });

  test("does not take properties of objects for commands, and refuses extra arguments", async () => {
    for (const args of [["constructor"], ["__proto__"], ["keys", "toString"], ["migrate", "now"], ["serve", "--port", "1"]]) {
      const { code, stderr } = await run(args);
      expect([args, code]).toEqual([args, 2]);
      expect(stderr).not.toContain("    at ");
    }
    expect((await run(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("explains database errors in one sentence", async () => {
    const url = new URL(service.database.appUrl);
    url.password = "wrong";
    const login = await run(["orgs", "list"], { DATABASE_APP_URL: url.href });
    expect([login.code, login.stderr]).toEqual([1, "The database refuses the login in DATABASE_APP_URL. Check user and password.\n"]);
    const missing = await run(["orgs", "list"], { DATABASE_APP_URL: service.database.appUrl.replace(/test_\w+/, "no_such_database") });
    expect([missing.code, missing.stderr]).toEqual([1, "The database in DATABASE_APP_URL does not exist. Create it first.\n"]);
    const away = await run(["orgs", "list"], { DATABASE_APP_URL: "postgres://x:y@127.0.0.1:1/z" });
    expect([away.code, away.stderr]).toEqual([1, "The database cannot be reached (ECONNREFUSED). Check DATABASE_APP_URL.\n"]);
    const ofOwner = await run(["migrate"], { DATABASE_URL: "postgres://x:y@127.0.0.1:1/z" });
    expect([ofOwner.code, ofOwner.stderr]).toEqual([1, "The database cannot be reached (ECONNREFUSED). Check DATABASE_URL.\n"]);
  });
});

test("wrong usage prints the help and exits with 2; no arguments print it and exit with 0", async () => {
  expect((await run(["nonsense"])).code).toBe(2);
  expect((await run(["keys", "nonsense"])).code).toBe(2);
  expect((await run(["keys", "list", "--colour", "red"])).code).toBe(2);
  expect(await run([])).toMatchObject({ code: 0, stdout: expect.stringContaining("users reset-link") });
});

test("countersign migrate says when there is nothing to do", async () => {
  const { url } = service.database;
  expect(await run(["migrate"], { DATABASE_URL: url })).toMatchObject({ code: 0, stdout: "The database is up to date.\n" });
});

test("countersign migrate --status shows the processes that run and what jobs fill in, and --contract has nothing to take away", async () => {
  const { url, owner } = service.database;
  const org = await service.newOrg();
  await owner(
    `insert into worker_heartbeats (worker_id, beat_at, role, version, migration) values
       ('serve-new', now(), 'serve', '9.9.9', 9001), ('worker-old', now(), null, null, null), ('serve-dead', now() - interval '1 minute', 'serve', '1', 1)`,
  );
  await owner("insert into backfills (name, org_id) values ('some-words', $1)", [org.org_id]);
  const { code, stdout } = await run(["migrate", "--status"], { DATABASE_URL: url });
  const [newest] = await owner<{ name: string }>("select max(name) as name from schema_migrations");
  expect([code, stdout.split("\n")]).toEqual([
    0,
    [
      `database  ${newest?.name}`,
      `program   ${newest?.name.slice(0, 4)}`,
      expect.stringMatching(/^runs {6}serve serve-new of version 9\.9\.9, seen \d seconds ago, program 9001$/),
      expect.stringMatching(/^runs {6}worker worker-old of an earlier version, seen \d seconds ago$/),
      "fills in  some-words for 1 organizations",
      "",
    ],
  ]);
  expect(await run(["migrate", "--contract"], { DATABASE_URL: url })).toMatchObject({ code: 0, stdout: "The database is up to date.\n" });
  expect((await run(["migrate", "--contract", "--status"], { DATABASE_URL: url })).code).toBe(2);
  await owner("delete from worker_heartbeats; delete from backfills");
});
