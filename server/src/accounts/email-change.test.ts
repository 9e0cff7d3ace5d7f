import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { softwarePasskey } from "../../../testing/software-authenticator.ts";
import { type Answer, client, type Send } from "../../test/client.ts";
import { codeOf, newApp } from "../../test/factors.ts";
import { jobsDone, testJobs } from "../../test/jobs.ts";
import { tokenIn } from "../../test/mail.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { PASSWORD, type TestOrg, testService } from "../../test/service.ts";
import { headerOf, startSmtpPeer } from "../../test/smtp.ts";
import { until } from "../../test/until.ts";
import { lockHead } from "../audit/read-head.ts";
import { insertMember } from "../orgs/store.ts";
import { lockOwnDetails } from "./store.ts";

const peer = await startSmtpPeer();
const service = testService({ SMTP_URL: peer.url, MAIL_FROM: "sign@example.com" });
const silent = testService();
testJobs(service);
afterAll(() => peer.stop());

beforeEach(async () => {
  await service.database.owner("delete from quotas where subject ~ '^(refused|login|reset|email-change)[:-]'");
});

let made = 0;
const newAddress = () => `moved${++made}@example.com`;
const answered = ({ status, json }: Answer) => [status, json];
const problemOf = ({ status, headers }: Answer): [number, string] => [status, headers["x-error-code"] ?? ""];
const refusal = refusedWith("The link is not valid, was already used, or has expired");
const badLink = [422, refusal];
const request = ({ admin }: TestOrg, new_email: string) => admin("POST", "/auth/email", { body: { new_email } });
const confirm = (token: string) => service.send("POST", "/auth/email/confirm", { body: { token } });
const undo = (token: string) => service.send("POST", "/auth/email/undo", { body: { token } });
const tryLogIn = async (email: string, password = PASSWORD) =>
  (await service.send("POST", "/auth/login", { body: { email, password, mode: "token" } })).status;
const addressOf = async ({ user_id }: TestOrg) =>
  (await service.database.owner<{ email: string }>("select email from users where user_id = $1", [user_id]))[0]?.email;
/** Messages that an address got, by their subject. */
async function mailTo(email: string, subject: string) {
  await jobsDone(service);
  return peer.messages.filter((message) => message.to.includes(email) && headerOf(message, "subject") === subject);
}
const CONFIRM = "Confirm your new e-mail address";
const CHANGED = "The e-mail address of your Countersign account was changed";
const IN_USE = "Your e-mail address was entered for another account";
const RESET = "Reset your Countersign password";
const lastToken = async (email: string, subject: string) => tokenIn({ text: (await mailTo(email, subject)).at(-1)?.text ?? "" });
const UNDONE = "Your Countersign account has its old e-mail address again";
const NEW_PASSWORD = "violet ladder 88 sparrow";
type EntryData = Readonly<Record<string, unknown>>;
const entriesVia = async (send: Send, type: string): Promise<EntryData[]> =>
  (await send("GET", `/org/audit-trail?type=${type}`)).json.data.map(({ data }: { data: EntryData }) => data);
const entriesOf = ({ admin }: TestOrg, type: string) => entriesVia(admin, type);

/** A passkey that was made for the person of a session, and not sent yet. */
async function offeredPasskey(send: Send) {
  const { challenge } = (await send("POST", "/auth/factors/passkeys/start", { body: {} })).json.data;
  const { origin, hostname } = new URL(service.config.publicUrl);
  return softwarePasskey().register({ challenge, origin, rp_id: hostname });
}

async function addPasskey(send: Send, name: string): Promise<void> {
  const credential = await offeredPasskey(send);
  expect((await send("POST", "/auth/factors/passkeys", { body: { credential, name } })).status).toBe(201);
}

/** Uses the link that was mailed for a new password, and begins to log in with it. */
async function chooseNewPassword(email: string) {
  const token = await lastToken(email, RESET);
  expect((await service.send("POST", "/auth/password-reset/confirm", { body: { token, password: NEW_PASSWORD } })).status).toBe(200);
  const { data } = (await service.send("POST", "/auth/login", { body: { email, password: NEW_PASSWORD, mode: "token" } })).json;
  const finish = (proof: object) =>
    service.send("POST", "/auth/login/second-factor", { body: { login_token: data.login_token, mode: "token", ...proof } });
  return { data, finish };
}

const join = ({ org_id }: TestOrg, { user_id }: Pick<TestOrg, "user_id">) =>
  service.db.system((tx) => tx.forOrg(org_id, () => insertMember(tx, org_id, user_id, "member")));

/** The link that was mailed to the new address. */
async function requested(org: TestOrg, new_email: string): Promise<string> {
  expect((await request(org, new_email)).status).toBe(202);
  return lastToken(new_email, CONFIRM);
}

async function moved(org: TestOrg, new_email = newAddress()): Promise<{ new_email: string; undo_token: string }> {
  expect((await confirm(await requested(org, new_email))).json).toEqual({ data: { email: new_email } });
  return { new_email, undo_token: await lastToken(org.email, CHANGED) };
}

describe("a change of the e-mail address", () => {
  test("happens with the link that the new address got, is recorded in each organization, and keeps the session", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    await join(other, org);
    const new_email = newAddress();
    const token = await requested(org, new_email);
    expect([await addressOf(org), await tryLogIn(new_email)]).toEqual([org.email, 401]);
    expect((await confirm(token)).json).toEqual({ data: { email: new_email } });
    expect([await tryLogIn(new_email), await tryLogIn(org.email)]).toEqual([200, 401]);
    const me = (await org.admin("GET", "/auth/me")).json.data;
    expect([me.user.email, me.email_verified]).toEqual([new_email, true]);
    for (const one of [org, other]) {
      expect(await entriesOf(one, "email.changed")).toMatchObject([{ user_id: org.user_id, from: org.email, to: new_email }]);
      const [asked] = await entriesOf(one, "email.change_requested");
      expect(asked).toMatchObject({ user_id: org.user_id });
      expect(JSON.stringify(asked)).not.toContain(new_email);
    }
  });

  test("verifies an address, because the link was only mailed to it", async () => {
    const org = await service.newOrg();
    await service.database.owner("update users set email_verified_at = null, email_verified_by = null where user_id = $1", [org.user_id]);
    await moved(org);
    expect((await org.admin("GET", "/auth/me")).json.data.email_verified).toBe(true);
  });

  test("needs a recent confirmation, a mail server, and an address that is another one", async () => {
    const org = await service.newOrg();
    for (const same of [org.email, org.email.toUpperCase()])
      expect((await request(org, same)).json.details[0]).toMatchObject({ field: "new_email", message: "is your address already" });
    expect((await request(org, "no address")).json.details[0]).toMatchObject({ field: "new_email", code: "invalid_format" });
    await service.database.owner("update sessions set confirmed_at = now() - interval '11 minutes' where user_id = $1", [org.user_id]);
    expect(problemOf(await request(org, newAddress()))).toEqual([403, "reauthentication_required"]);
    expect(problemOf(await request(await silent.newOrg(), newAddress()))).toEqual([409, "mail_not_set_up"]);
  });

  test("cannot be requested while a first factor must be added: the code for that goes to the address", async () => {
    const org = await service.newOrg();
    const { user_id, email } = await service.newOrg();
    await join(org, { user_id });
    const { token } = (
      await service.send("POST", "/auth/login", { body: { email, password: PASSWORD, org_id: org.org_id, mode: "token" } })
    ).json.data;
    const send = client(service.url, { authorization: `Bearer ${token}` });
    await newApp(service, org.admin);
    await org.admin("PATCH", "/org/security", { body: { second_factor: "required", grace_days: 0 } });
    const refused = await send("POST", "/auth/email", { body: { new_email: newAddress() } });
    expect(problemOf(refused)).toEqual([403, "enrollment_required"]);
    expect(await service.database.owner("select from email_changes where user_id = $1", [user_id])).toEqual([]);
  });

  test("five times a day is enough", async () => {
    const org = await service.newOrg();
    for (let n = 0; n < 5; n++) await requested(org, newAddress());
    expect(problemOf(await request(org, newAddress()))).toEqual([429, "rate_limited"]);
  });
});

describe("an address that has an account", () => {
  test("gets a notice, and the caller the same response as for a free one", async () => {
    const [org, owner] = [await service.newOrg(), await service.newOrg()];
    const lasting = ({ headers }: Answer) => Object.entries(headers).filter(([name]) => !/^(date|x-request-id|x-ratelimit-)/.test(name));
    const [taken, free] = [await request(org, owner.email.toUpperCase()), await request(org, newAddress())];
    expect([taken.status, taken.text, lasting(taken)]).toEqual([free.status, free.text, lasting(free)]);
    const [notice, ...more] = await mailTo(owner.email, IN_USE);
    expect([notice?.text, more]).toEqual([expect.stringContaining("Your account already has this address"), []]);
    expect(notice?.text).not.toContain(org.email);
    expect(await mailTo(owner.email, CONFIRM)).toEqual([]);
    // Nor do the entries tell the two apart.
    const [first, second] = await entriesOf(org, "email.change_requested");
    expect(Object.keys(first ?? {})).toEqual(Object.keys(second ?? {}));
    expect(first).toBeDefined();
  });

  test("replaces a change that waits, as a free one does", async () => {
    const [org, owner] = [await service.newOrg(), await service.newOrg()];
    const token = await requested(org, newAddress());
    await request(org, owner.email);
    expect(answered(await confirm(token))).toEqual(badLink);
  });

  test("since the link was mailed keeps it, also if two people use their links at once", async () => {
    const [ann, ben] = [await service.newOrg(), await service.newOrg()];
    const new_email = newAddress();
    const tokens = [await requested(ann, new_email)];
    await request(ben, new_email);
    tokens.push(await lastToken(new_email, CONFIRM));
    const answers = await Promise.all(tokens.map(confirm));
    expect(answers.map(problemOf).sort()).toEqual([
      [200, ""],
      [409, "address_taken"],
    ]);
    const addresses = [await addressOf(ann), await addressOf(ben)];
    expect(addresses.filter((email) => email === new_email)).toHaveLength(1);
  });
});

describe("the link to the new address", () => {
  test("works once, for an hour, and not after another request", async () => {
    const org = await service.newOrg();
    const first = await requested(org, newAddress());
    const second = await requested(org, newAddress());
    expect(answered(await confirm(first))).toEqual(badLink);
    await service.database.owner("update email_changes set expires_at = now() where user_id = $1", [org.user_id]);
    expect(answered(await confirm(second))).toEqual(badLink);
    const third = await requested(org, newAddress());
    const answers = await Promise.all([confirm(third), confirm(third), confirm(third)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    for (const nonsense of ["x", first.slice(1), `${first}a`]) expect(answered(await confirm(nonsense))).toEqual(badLink);
    // Each link does one thing.
    expect(answered(await undo(await requested(org, newAddress())))).toEqual(badLink);
  });

  test("is void after a password reset, and reset links to the old address are void after it", async () => {
    const org = await service.newOrg();
    const token = await requested(org, newAddress());
    await service.send("POST", "/auth/password-reset", { body: { email: org.email } });
    await jobsDone(service);
    const reset = await lastToken(org.email, RESET);
    const setPassword = (link: string) =>
      service.send("POST", "/auth/password-reset/confirm", { body: { token: link, password: NEW_PASSWORD } });
    expect((await setPassword(reset)).status).toBe(200);
    expect(answered(await confirm(token))).toEqual(badLink);
    const other = await service.newOrg();
    await service.send("POST", "/auth/password-reset", { body: { email: other.email } });
    await jobsDone(service);
    await moved(other);
    expect(answered(await setPassword(await lastToken(other.email, RESET)))).toEqual(badLink);
  });
});

describe("the link to the old address", () => {
  test("restores it for 7 days, ends every session, forgets browsers, and leads to a new password", async () => {
    const org = await service.newOrg();
    const cookie = { origin: service.config.publicUrl, "user-agent": "test" };
    await service.send("POST", "/auth/login", { body: { email: org.email, password: PASSWORD }, headers: cookie });
    const { new_email, undo_token } = await moved(org);
    expect((await mailTo(org.email, CHANGED))[0]?.text).toContain(new_email);
    expect((await undo(undo_token)).json).toEqual({ data: { email: org.email } });
    expect((await org.admin("GET", "/auth/me")).status).toBe(401);
    expect([await addressOf(org), await tryLogIn(new_email)]).toEqual([org.email, 401]);
    const [known] = await service.database.owner("select count(*)::int as n from devices where user_id = $1 and revoked_at is null", [
      org.user_id,
    ]);
    expect(known).toEqual({ n: 0 });
    await jobsDone(service);
    expect(await mailTo(org.email, RESET)).toHaveLength(1);
    // The person who changed the address knew the password.
    expect(await tryLogIn(org.email)).toBe(401);
    const later = client(service.url, { authorization: `Bearer ${(await chooseNewPassword(org.email)).data.token}` });
    expect((await later("GET", "/org/audit-trail?type=email.change_undone")).json.data[0].data).toMatchObject({
      user_id: org.user_id,
      from: new_email,
      to: org.email,
    });
    expect(answered(await undo(undo_token))).toEqual(badLink);
  });

  test("removes what was added to the account since the change was requested, and says in an e-mail exactly what", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    await join(other, org);
    const own = await newApp(service, org.admin);
    await addPasskey(org.admin, "Mine");
    const token = await requested(org, newAddress());
    // The holder of the session now adds factors of their own, before and after the link is used.
    await addPasskey(org.admin, "Theirs");
    await confirm(token);
    const undo_token = await lastToken(org.email, CHANGED);
    const theirs = await newApp(service, org.admin);
    const [renewed] = (await org.admin("POST", "/auth/recovery-codes", { body: {} })).json.data.recovery_codes;
    const waiting = (await service.send("POST", "/auth/login", { body: { email: await addressOf(org), password: PASSWORD } })).json.data;
    expect(waiting.status).toBe("second_factor_required");
    expect((await undo(undo_token)).status).toBe(200);

    const finish = (proof: object) =>
      service.send("POST", "/auth/login/second-factor", { body: { login_token: waiting.login_token, mode: "token", ...proof } });
    expect((await finish({ code: await theirs.newCode() })).status).toBe(401);
    // The password that the person who changed the address knew opens nothing.
    expect(await tryLogIn(org.email)).toBe(401);
    const back = await chooseNewPassword(org.email);
    expect(back.data.status).toBe("second_factor_required");
    for (const proof of [{ code: await theirs.newCode() }, { recovery_code: renewed }]) expect((await back.finish(proof)).status).toBe(401);
    const { token: session } = (await back.finish({ code: await own.newCode() })).json.data;
    const send = client(service.url, { authorization: `Bearer ${session}` });
    const { factors, recovery_codes_left } = (await send("GET", "/auth/factors")).json.data;
    expect([factors.map(({ name }: { name: string }) => name), recovery_codes_left]).toEqual([["Phone", "Mine"], 0]);

    const [letter] = await mailTo(org.email, UNDONE);
    expect(letter?.text).toContain("passkey “Theirs”, authenticator app “Phone”");
    expect(letter?.text).toContain("all recovery codes");
    expect(letter?.text).toMatch(/Still on your account: authenticator app “Phone” \(added .+\), passkey “Mine” \(added .+\)/);
    for (const one of [org, other]) {
      const removed = await entriesVia(one === org ? send : other.admin, "factor.removed");
      expect(removed.map(({ name }) => name).sort()).toEqual(["Phone", "Theirs"]);
      expect(removed).toContainEqual(expect.objectContaining({ factor_id: theirs.factor_id, kind: "totp" }));
      const [undone] = await entriesVia(one === org ? send : other.admin, "email.change_undone");
      expect(undone).toMatchObject({ factors_removed: 2, recovery_codes_removed: true, password_removed: true, sessions_ended: 1 });
    }
  });

  test("leaves factors and recovery codes from before the request", async () => {
    const org = await service.newOrg();
    const app = await newApp(service, org.admin);
    await undo((await moved(org)).undo_token);
    const back = await chooseNewPassword(org.email);
    expect((await back.finish({ recovery_code: app.recovery_codes[0] })).status).toBe(200);
    const [letter] = await mailTo(org.email, UNDONE);
    expect(letter?.text).toContain("No second factor was added");
    expect(letter?.text).not.toContain("recovery codes were");
  });

  test("is not outrun by requests of a session that it ends", async () => {
    const org = await service.newOrg();
    const { undo_token } = await moved(org);
    const { factor_id, secret } = (await org.admin("POST", "/auth/factors/totp", { body: {} })).json.data;
    const credential = await offeredPasskey(org.admin);
    const waiting = async () =>
      (await service.database.owner("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).length;
    // The person's row is held: the link waits for it first, and behind it requests that were authenticated before.
    const started = await service.db.system(async (tx) => {
      await lockOwnDetails(tx, org.user_id);
      const undone = undo(undo_token);
      await until("the link to wait", async () => (await waiting()) === 1);
      const late = [
        org.admin("POST", `/auth/factors/${factor_id}/confirm`, { body: { code: codeOf(secret) } }),
        org.admin("POST", "/auth/factors/passkeys", { body: { credential, name: "Theirs" } }),
        org.admin("POST", "/auth/email", { body: { new_email: newAddress() } }),
        org.admin("POST", "/auth/password", { body: { current_password: PASSWORD, new_password: NEW_PASSWORD } }),
      ];
      await until("the requests to wait", async () => (await waiting()) === 1 + late.length);
      return { undone, late };
    });
    expect((await started.undone).status).toBe(200);
    const answers = await Promise.all(started.late);
    expect(answers.map(problemOf)).toEqual(answers.map(() => [401, "invalid_session"]));
    expect(await tryLogIn(org.email, NEW_PASSWORD)).toBe(401);
    expect((await chooseNewPassword(org.email)).data.status).toBe("signed_in");
    expect(await service.database.owner("select from email_changes where user_id = $1 and confirmed_at is null", [org.user_id])).toEqual(
      [],
    );
  });

  test("is not outrun by a session that moves to another organization meanwhile", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    await join(other, org);
    const { undo_token } = await moved(org);
    const email = (await addressOf(org)) ?? "";
    const { data } = (await service.send("POST", "/auth/login", { body: { email, password: PASSWORD, org_id: org.org_id, mode: "token" } }))
      .json;
    const waiting = async () =>
      (await service.database.owner("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).length;
    // The chain of the other organization is held, so the new session waits for it, and the link for that request.
    const started = await service.db.tx(other.org_id, async (tx) => {
      await lockHead(tx, other.org_id, other.org_id);
      const body = { refresh_token: data.refresh_token, org_id: other.org_id };
      const moving = service.send("POST", "/auth/refresh", { body });
      await until("the session to wait", async () => (await waiting()) === 1);
      const undone = undo(undo_token);
      await until("the link to wait", async () => (await waiting()) === 2);
      return { moving, undone };
    });
    const { token } = (await started.moving).json.data;
    expect((await started.undone).status).toBe(200);
    expect((await client(service.url, { authorization: `Bearer ${token}` })("GET", "/auth/me")).status).toBe(401);
  });

  test("does not work after 7 days", async () => {
    const org = await service.newOrg();
    const { undo_token } = await moved(org);
    await service.database.owner("update email_changes set undo_until = now() where user_id = $1", [org.user_id]);
    expect(answered(await undo(undo_token))).toEqual(badLink);
  });

  test("takes the account back through several changes, whose own links are then void", async () => {
    const org = await service.newOrg();
    const { new_email, undo_token } = await moved(org);
    const further = newAddress();
    await confirm(await requested(org, further));
    const theirs = await lastToken(new_email, CHANGED);
    const waiting = await requested(org, newAddress());
    expect((await undo(undo_token)).json).toEqual({ data: { email: org.email } });
    expect(answered(await undo(theirs))).toEqual(badLink);
    expect(answered(await confirm(waiting))).toEqual(badLink);
    expect(await addressOf(org)).toBe(org.email);
  });

  test("works although a later change was undone with a link of its own", async () => {
    const org = await service.newOrg();
    const { new_email, undo_token } = await moved(org);
    // A thief who has the account changes the address again, and reverses that one in the mailbox that they named first.
    await confirm(await requested(org, newAddress()));
    const theirs = await lastToken(new_email, CHANGED);
    expect((await undo(theirs)).json).toEqual({ data: { email: new_email } });
    expect((await undo(undo_token)).json).toEqual({ data: { email: org.email } });
    expect([await addressOf(org), answered(await undo(theirs))]).toEqual([org.email, badLink]);
  });

  test("leaves an address unverified that was so before, so that a reset takes the account from the person who made it", async () => {
    const org = await service.newOrg();
    await service.database.owner("update users set email_verified_at = null, email_verified_by = null where user_id = $1", [org.user_id]);
    await newApp(service, org.admin);
    await undo((await moved(org)).undo_token);
    await jobsDone(service);
    const token = await lastToken(org.email, RESET);
    await service.send("POST", "/auth/password-reset/confirm", { body: { token, password: NEW_PASSWORD } });
    // The factor of the person before is gone.
    expect(await tryLogIn(org.email, NEW_PASSWORD)).toBe(200);
  });

  test("is refused if another account has the address by now", async () => {
    const org = await service.newOrg();
    const { undo_token } = await moved(org);
    const other = await service.newOrg();
    await service.database.owner("update users set email = $2 where user_id = $1", [other.user_id, org.email]);
    expect(problemOf(await undo(undo_token))).toEqual([409, "address_taken"]);
    expect((await org.admin("GET", "/auth/me")).status).toBe(200);
  });
});
