import { afterAll, expect, test } from "vitest";
import { softwarePasskey } from "../../../testing/software-authenticator.ts";
import { type Answer, client, type Send } from "../../test/client.ts";
import { codeOf, newApp } from "../../test/factors.ts";
import { mailTo } from "../../test/mail.ts";
import { PASSWORD, testService } from "../../test/service.ts";
import { startSmtpPeer } from "../../test/smtp.ts";
import { insertMember } from "../orgs/store.ts";
import { makeResetLink } from "./password-reset.ts";

const peer = await startSmtpPeer();
const service = testService({ SMTP_URL: peer.url, MAIL_FROM: "sign@example.com" });
afterAll(() => peer.stop());

/** An admin whose organization requires a second factor that they no longer have. */
async function mustEnrol() {
  const org = await service.newOrg();
  const { factor_id } = await newApp(service, org.admin);
  await org.admin("PATCH", "/org/security", { body: { second_factor: "required", grace_days: 0 } });
  await org.admin("DELETE", `/auth/factors/${factor_id}`);
  const { json } = await service.send("POST", "/auth/login", { body: { email: org.email, password: PASSWORD, mode: "token" } });
  return { org, send: client(service.url, { authorization: `Bearer ${json.data.token}` }) };
}

const mailed = async (email: string): Promise<string> =>
  /^\d{6}$/m.exec((await mailTo(service, email, "enrollment_code")).at(-1)?.text ?? "")?.[0] ?? expect.fail("no code was mailed");
const begin = async (send: Send) => (await send("POST", "/auth/factors/totp", { body: {} })).json.data;
const confirm = (send: Send, { factor_id, secret }: { factor_id: string; secret: string }, email_code: string): Promise<Answer> =>
  send("POST", `/auth/factors/${factor_id}/confirm`, { body: { code: codeOf(secret), email_code } });

test("a limited session adds its factor with the code that was mailed, which works once and is not in the subject", async () => {
  const { org, send } = await mustEnrol();
  expect((await send("GET", "/org/settings")).status).toBe(403);
  const state = async () => (await send("GET", "/auth/email/code")).json.data.state;
  const first = await begin(send);
  expect(await state()).toBe("queued");
  const code = await mailed(org.email);
  const second = await begin(send);
  expect((await confirm(send, second, code)).json.details[0]).toMatchObject({ field: "email_code", code: "invalid_value" });
  expect(first.factor_id).not.toBe(second.factor_id);
  const [mail] = await mailTo(service, org.email, "enrollment_code");
  expect(mail?.subject).not.toMatch(/\d/);
  expect((await confirm(send, second, await mailed(org.email))).status).toBe(200);
  expect(await state(), "there is no code to wait for").toBeNull();
  expect((await send("GET", "/org/settings")).status).toBe(200);
});

test("five wrong codes use up the code, and ten codes a day are mailed", async () => {
  const { org, send } = await mustEnrol();
  const app = await begin(send);
  const code = await mailed(org.email);
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
  const codes: string[] = [];
  for (let n = 0; n < 5; n++) codes.push((await confirm(send, app, wrong)).json.details[0].code);
  expect(codes).toEqual([...Array(4).fill("invalid_value"), "expired"]);
  expect((await confirm(send, app, code)).json.details[0].code).toBe("expired");
  const answers: number[] = [];
  for (let n = 0; n < 10; n++) answers.push((await send("POST", "/auth/factors/totp", { body: {} })).status);
  expect(answers).toEqual([...Array(9).fill(201), 429]);
});

test("someone with the password alone cannot keep the owner of the mailbox out: a new password by link starts the count of codes again", async () => {
  const { org, send } = await mustEnrol();
  const statuses: number[] = [];
  for (let n = 0; n < 11; n++) statuses.push((await send("POST", "/auth/factors/totp", { body: {} })).status);
  expect(statuses).toEqual([...Array(10).fill(201), 429]);
  const link = await service.db.system((tx) => makeResetLink(service.features.orgs, tx, org.email));
  const token = link?.url.split("#token=")[1];
  const password = "violet harbour 58 lantern";
  expect((await service.send("POST", "/auth/password-reset/confirm", { body: { token, password } })).status).toBe(200);
  await service.database.owner("delete from quotas where subject like 'login:%'");
  const { json } = await service.send("POST", "/auth/login", { body: { email: org.email, password, mode: "token" } });
  const owner = client(service.url, { authorization: `Bearer ${json.data.token}` });
  expect((await confirm(owner, await begin(owner), await mailed(org.email))).status).toBe(200);
});

/** The person of `mustEnrol` is also in an organization that demands nothing, with a session there. */
async function andElsewhere() {
  const at = await mustEnrol();
  const other = await service.newOrg();
  await service.db.system((tx) => tx.forOrg(other.org_id, () => insertMember(tx, other.org_id, at.org.user_id, "member")));
  const body = { email: at.org.email, password: PASSWORD, org_id: other.org_id, mode: "token" };
  const { json } = await service.send("POST", "/auth/login", { body });
  expect(json.data.limited).toBeUndefined();
  const elsewhere = client(service.url, { authorization: `Bearer ${json.data.token}` });
  return { ...at, other, elsewhere, refresh_token: json.data.refresh_token };
}

test("another limited session does not open when the person adds the factor, but ends", async () => {
  const { org, send } = await mustEnrol();
  const body = { email: org.email, password: PASSWORD, mode: "token" };
  const { json } = await service.send("POST", "/auth/login", { body });
  const thief = client(service.url, { authorization: `Bearer ${json.data.token}` });
  expect((await thief("GET", "/org/settings")).headers["x-error-code"]).toBe("enrollment_required");
  const app = await begin(send);
  expect((await confirm(send, app, await mailed(org.email))).status).toBe(200);
  expect((await send("GET", "/org/settings")).status).toBe(200);
  expect((await thief("GET", "/org/settings")).status).toBe(401);
  const refreshed = await service.send("POST", "/auth/refresh", { body: { refresh_token: json.data.refresh_token } });
  expect(refreshed.status).toBe(401);
  const [entry] = (await send("GET", "/org/audit-trail?type=sessions.ended")).json.data;
  // Also the session from before the policy.
  expect(entry.data).toMatchObject({ user_id: org.user_id, ended: 2 });
});

test("the code is needed in another organization of the person too, and the address stays until then", async () => {
  const { org, send, elsewhere } = await andElsewhere();
  const app = await begin(elsewhere);
  const without = await elsewhere("POST", `/auth/factors/${app.factor_id}/confirm`, { body: { code: codeOf(app.secret) } });
  expect([without.status, without.headers["x-error-code"]]).toEqual([403, "email_code_required"]);
  const moved = await elsewhere("POST", "/auth/email", { body: { new_email: "thief@example.com" } });
  expect([moved.status, moved.headers["x-error-code"]]).toEqual([403, "enrollment_required"]);
  expect((await confirm(elsewhere, app, await mailed(org.email))).status).toBe(200);
  expect((await elsewhere("GET", "/auth/me")).status).toBe(200);
  expect((await send("GET", "/auth/me")).status, "the limited session").toBe(401);
});

test("a passkey needs the code there too, which can be sent after the passkey was made", async () => {
  const { org, send, elsewhere } = await andElsewhere();
  const { challenge } = (await elsewhere("POST", "/auth/factors/passkeys/start")).json.data;
  const { origin, hostname } = new URL(service.config.publicUrl);
  const credential = softwarePasskey().register({ challenge, origin, rp_id: hostname });
  const add = (more: object) => elsewhere("POST", "/auth/factors/passkeys", { body: { credential, name: "Laptop", ...more } });
  const without = await add({});
  expect([without.status, without.headers["x-error-code"]]).toEqual([403, "email_code_required"]);
  expect((await add({ email_code: await mailed(org.email) })).status).toBe(201);
  expect((await send("GET", "/auth/me")).status).toBe(401);
});

test("a session that began without a factor does not move to the organization that demands one", async () => {
  const { org, elsewhere, refresh_token } = await andElsewhere();
  const app = await begin(elsewhere);
  expect((await confirm(elsewhere, app, await mailed(org.email))).status).toBe(200);
  const moved = await service.send("POST", "/auth/refresh", { body: { refresh_token, org_id: org.org_id } });
  expect([moved.status, moved.headers["x-error-code"]]).toEqual([401, "invalid_refresh_token"]);
  expect((await service.send("POST", "/auth/refresh", { body: { refresh_token } })).status, "it goes on where it is").toBe(200);
});

test("a session that is not limited needs no code and gets none", async () => {
  const org = await service.newOrg();
  await newApp(service, org.admin);
  expect(await mailTo(service, org.email, "enrollment_code")).toEqual([]);
});
