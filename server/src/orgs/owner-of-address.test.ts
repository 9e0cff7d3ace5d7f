import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { testInAll } from "../../../testing/all.ts";
import { client, type Send } from "../../test/client.ts";
import { accept, invite, membersOf, newEmail } from "../../test/invitations.ts";
import { jobsDone, testJobs } from "../../test/jobs.ts";
import { runCommand } from "../../test/process.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { PASSWORD, type TestOrg, type TestService, testService } from "../../test/service.ts";
import { startSmtpPeer } from "../../test/smtp.ts";
import { declaredEndpoints } from "../main.ts";

/** An account belongs to the owner of its address. An admin who invites an address cannot take over its account. */

const APP_SECRET = randomBytes(32).toString("hex");
const peer = await startSmtpPeer();
const mailing = testService({ APP_SECRET, SMTP_URL: peer.url, MAIL_FROM: "sign@example.com" });
testJobs(mailing);
const silent = testService({ APP_SECRET });
afterAll(() => peer.stop());

const NEW_PASSWORD = "violet ladder 88 sparrow";

const withToken = (service: TestService, token: string): Send => client(service.url, { authorization: `Bearer ${token}` });
const command = (service: TestService, args: string[], env: Record<string, string> = {}) =>
  runCommand(args, { ...service.database.env, APP_SECRET, ...env });

/** The token in the link of the newest mail to an address. */
async function mailedToken(email: string): Promise<string> {
  await jobsDone(mailing);
  return /#token=([\w-]{43})/.exec(peer.messages.findLast(({ to }) => to.includes(email))?.text ?? "")?.[1] ?? "";
}

async function logIn(service: TestService, email: string, password: string) {
  await service.database.owner("delete from quotas where subject like 'login:%'");
  return service.send("POST", "/auth/login", { body: { email, password, mode: "token" } });
}

const acceptInSession = (send: Send, token: string) => send("POST", "/auth/invitations/accept", { body: { token } });

const notVerified = {
  error: "Verify your e-mail address before you join another organization",
  details: [
    {
      location: "body",
      field: null,
      code: "address_not_verified",
      message: "enter the code that POST /auth/email/code mails, or ask the operator to verify the address",
    },
  ],
};

describe("with a mail server", () => {
  test("the link of an invitation is only in the mail, and in no response that an admin can get", async () => {
    const org = await mailing.newOrg();
    const email = "treasurer@newbank.example";
    const hook = await org.admin("POST", "/webhooks/endpoints", { body: { url: "https://example.com/hooks" } });
    const invited = await org.admin("POST", "/org/invitations", {
      body: { email, role: "admin" },
      headers: { "idempotency-key": "again" },
    });
    expect([invited.status, Object.keys(invited.json.data)]).toEqual([
      201,
      ["invitation_id", "email", "role", "invited_by", "created_at", "expires_at", "accepted_at", "revoked_at"],
    ]);
    const waiting = await mailing.database.owner<{ message_id: string }>("select message_id from mail_messages where to_address = $1", [
      email,
    ]);
    const outbox = await org.admin("GET", `/org/outbox/${waiting[0]?.message_id}`);
    expect([outbox.status, outbox.json]).toEqual([404, refusedWith("Message not found")]);
    const token = await mailedToken(email);
    expect(token).toHaveLength(43);

    const again = await org.admin("POST", "/org/invitations", { body: { email, role: "admin" }, headers: { "idempotency-key": "again" } });
    expect([again.status, again.text]).toEqual([201, invited.text]);
    const lists = declaredEndpoints().filter(({ method, params }) => method === "GET" && Object.keys(params).length === 0);
    expect(lists.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["list_invitations", "list_outbox", "list_org_audit_trail", "list_endpoints"]),
    );
    const deliveries = await org.admin("GET", `/webhooks/endpoints/${hook.json.data.endpoint_id}/deliveries`);
    expect([deliveries.status, deliveries.json.meta.total]).toEqual([200, 0]);
    const answers = [invited, outbox, again, ...(await Promise.all(lists.map(({ path }) => org.admin("GET", path))))];
    expect(answers.filter(({ text }) => text.includes(token) || text.includes("#token="))).toEqual([]);
    expect(await tablesWithToken(mailing, token)).toEqual([]);
  });

  test("accepting verifies the address, so the account can join other organizations", async () => {
    const [first, second] = [await mailing.newOrg(), await mailing.newOrg()];
    const email = newEmail();
    await first.admin("POST", "/org/invitations", { body: { email, role: "member" } });
    const { json } = await accept(mailing, await mailedToken(email));
    const send = withToken(mailing, json.data.token);
    expect((await send("GET", "/auth/me")).json.data.email_verified).toBe(true);
    const trail = await first.admin("GET", "/org/audit-trail?limit=3");
    expect(trail.json.data.slice(1)).toMatchObject([
      { type: "member.joined", data: { email, account: "new", email_verified_by: "mail" } },
      { type: "invitation.created", data: { email, link: "mailed" } },
    ]);
    await second.admin("POST", "/org/invitations", { body: { email, role: "viewer" } });
    expect((await acceptInSession(send, await mailedToken(email))).status).toBe(200);
  });

  test("a link that the admin saw proves nothing, even if a mail server was configured later", async () => {
    const org = await mailing.newOrg();
    const email = newEmail();
    const before = await withoutMail(mailing, () => invite(org, email));
    const { json } = await accept(mailing, before.token);
    expect((await withToken(mailing, json.data.token)("GET", "/auth/me")).json.data.email_verified).toBe(false);
  });
});

describe("without a mail server", () => {
  testInAll("an account created with the link is bound to its organization, and the operator's command gives it no access", async () => {
    const [attacker, other] = [await silent.newOrg("Attacker"), await silent.newOrg("Other")];
    const email = "treasurer@newbank.example";
    const { token, accept_url } = await invite(attacker, email);
    const waiting = await silent.database.owner<{ message_id: string }>("select message_id from mail_messages where to_address = $1", [
      email,
    ]);
    expect((await attacker.admin("GET", `/org/outbox/${waiting[0]?.message_id}`)).status).toBe(404);
    expect(accept_url).toMatch(/\/console\/invite#token=/);
    const hijacked = await accept(silent, token);
    const session = withToken(silent, hijacked.json.data.token);
    const me = async () => (await session("GET", "/auth/me")).json.data;
    expect([hijacked.status, (await me()).email_verified]).toEqual([201, false]);
    const joining = await acceptInSession(session, (await invite(other, email)).token);
    expect([joining.status, joining.json]).toEqual([409, notVerified]);

    const args = ["orgs", "create", "--name", "Newbank", "--admin-email", email];
    const refused = await command(silent, args, { ADMIN_PASSWORD: PASSWORD });
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([
      1,
      "",
      "This e-mail address already has an account, so the password cannot be used. No organization was created.\n" +
        "Run the command without a password. It prints an invitation link, which the owner of the account can accept after logging in.\n",
    ]);
    expect(await silent.database.owner("select from orgs where name = 'Newbank'")).toEqual([]);

    const made = await command(silent, args);
    const [, org_id = "", link = ""] =
      /^Created organization (org_\w{26})\. It has no members yet\.\nGive .+ this link to join as admin\. It works once, for 7 days:\n\S+#token=([\w-]{43})\n/.exec(
        made.stdout,
      ) ?? [];
    expect([made.code, made.stderr, made.stdout.split("\n").slice(3)]).toEqual([
      0,
      "",
      [
        "The address already has an account. Its owner must log in and accept the invitation. Until then the account has no access.",
        "The address of that account was never verified, so someone else may have created it. It cannot join until its owner has set a new " +
          `password, on the log-in page or with a link from: countersign users reset-link ${email}`,
        "",
      ],
    ]);
    expect(await silent.database.owner("select from members where org_id = $1", [org_id])).toEqual([]);
    expect((await me()).orgs.map(({ name }: { name: string }) => name)).toEqual(["Attacker"]);
    // Even with the operator's link, the account that the attacker created gets no access.
    expect([(await acceptInSession(session, link)).json, (await accept(silent, link)).json.error]).toEqual([notVerified, "Log in to join"]);

    const printed = await command(silent, ["users", "reset-link", email]);
    const reset = { token: /#token=([\w-]+)/.exec(printed.stdout)?.[1], password: NEW_PASSWORD };
    expect((await silent.send("POST", "/auth/password-reset/confirm", { body: reset })).status).toBe(200);
    expect((await session("GET", "/auth/me")).status).toBe(401);
    expect((await logIn(silent, email, PASSWORD)).status).toBe(401);
    const owner = withToken(silent, (await logIn(silent, email, NEW_PASSWORD)).json.data.token);
    expect((await owner("GET", "/auth/me")).json.data.email_verified).toBe(true);
    expect((await acceptInSession(owner, link)).json.data).toMatchObject({ org: { org_id, name: "Newbank" }, role: "admin" });
    const trail = await attacker.admin("GET", "/org/audit-trail?limit=4");
    expect(trail.json.data.slice(1).map(({ type }: { type: string }) => type)).toEqual([
      "account.reclaimed",
      "password.changed",
      "password.reset_link_printed",
    ]);
  });

  test("an account created with the operator's link is verified, so an installation without mail can have a second organization", async () => {
    const email = newEmail();
    const made = await command(silent, ["orgs", "create", "--name", "Second", "--admin-email", email]);
    expect(made.stdout.trimEnd().split("\n")).toHaveLength(3);
    const { status, json } = await accept(silent, /#token=([\w-]+)/.exec(made.stdout)?.[1] ?? "");
    expect([status, json.data.role]).toEqual([201, "admin"]);
    const admin = withToken(silent, json.data.token);
    expect((await admin("GET", "/auth/me")).json.data.email_verified).toBe(true);
    const trail = (await admin("GET", "/org/audit-trail")).json.data;
    expect(trail.slice(1)).toMatchObject([
      { type: "member.joined", data: { email, account: "new", email_verified_by: "operator" } },
      { type: "invitation.created", actor: { kind: "system" }, data: { link: "printed for the operator" } },
      { type: "org.created", data: { name: "Second" } },
    ]);
    expect((await acceptInSession(admin, (await invite(await silent.newOrg(), email)).token)).status).toBe(200);
  });

  test("an unverified account can rejoin its own organization", async () => {
    const org = await silent.newOrg();
    const email = newEmail();
    const { json } = await accept(silent, (await invite(org, email)).token);
    const other = await silent.newOrg();
    await silent.database.owner("insert into members (org_id, user_id, role) values ($1, $2, 'viewer')", [
      other.org_id,
      json.data.user.user_id,
    ]);
    await org.admin("DELETE", `/org/members/${json.data.user.user_id}`);
    const session = withToken(silent, (await logIn(silent, email, PASSWORD)).json.data.token);
    expect((await acceptInSession(session, (await invite(org, email)).token)).status).toBe(200);
    expect(await membersOf(org)).toContainEqual([email, "member"]);
  });
});

describe("an account that is older than address verification", () => {
  const asBefore = (org: TestOrg) =>
    silent.database.owner("update users set email_verified_at = null, email_verified_by = null where user_id = $1", [org.user_id]);

  test("keeps its organizations, can log in, and joins another one once the operator vouches for it", async () => {
    const [old, further] = [await silent.newOrg("Old"), await silent.newOrg()];
    await asBefore(old);
    expect((await logIn(silent, old.email, PASSWORD)).status).toBe(200);
    const { token } = await invite(further, old.email);
    const early = await acceptInSession(old.admin, token);
    expect([early.status, early.json]).toEqual([409, notVerified]);
    const verified = await command(silent, ["users", "verify", old.email.toUpperCase()]);
    expect([verified.code, verified.stderr, verified.stdout]).toEqual([
      0,
      "",
      `The address ${old.email.toUpperCase()} is verified. The account keeps its password and can now join other organizations.\n` +
        "It is a member of: Old\n" +
        `If you do not know who created this account, return it to its owner with: countersign users reset-link ${old.email.toUpperCase()}\n`,
    ]);
    expect((await command(silent, ["users", "verify", old.email])).stdout).toBe(`The address ${old.email} is already verified.\n`);
    expect((await acceptInSession(old.admin, token)).status).toBe(200);
    const unknown = await command(silent, ["users", "verify", "nobody@example.com"]);
    expect([unknown.code, unknown.stderr]).toEqual([1, "No account has this e-mail address.\n"]);
  });

  test("is reclaimed by the first mailed link for a new password", async () => {
    const org = await mailing.newOrg();
    await mailing.database.owner("update users set email_verified_at = null, email_verified_by = null where user_id = $1", [org.user_id]);
    for (const password of [NEW_PASSWORD, PASSWORD]) {
      await mailing.send("POST", "/auth/password-reset", { body: { email: org.email } });
      const body = { token: await mailedToken(org.email), password };
      expect((await mailing.send("POST", "/auth/password-reset/confirm", { body })).status).toBe(200);
    }
    const admin = withToken(mailing, (await logIn(mailing, org.email, PASSWORD)).json.data.token);
    expect((await admin("GET", "/auth/me")).json.data.email_verified).toBe(true);
    const trail = (await admin("GET", "/org/audit-trail")).json.data.filter(({ type }: { type: string }) => type === "account.reclaimed");
    expect(trail).toMatchObject([{ actor: { kind: "user", id: org.user_id }, data: { user_id: org.user_id, verified_by: "mail" } }]);
  });
});

/** The state before SMTP_URL was set. */
async function withoutMail<T>({ features }: TestService, run: () => Promise<T>): Promise<T> {
  const { mail } = features.orgs;
  Object.assign(features.orgs, { mail: { ...mail, smtp: null } });
  try {
    return await run();
  } finally {
    Object.assign(features.orgs, { mail });
  }
}

/** Tables that contain a token, as text or as bytes. */
async function tablesWithToken({ database }: TestService, token: string): Promise<string[]> {
  const tables = await database.owner<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
  );
  const forms = [token, Buffer.from(token).toString("hex"), Buffer.from(token, "base64url").toString("hex")];
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await database.owner<{ row: string }>(`select t::text as row from ${name} t`);
      return rows.some(({ row }) => forms.some((form) => row.toLowerCase().includes(form.toLowerCase()))) ? [name] : [];
    }),
  );
  return found.flat();
}
