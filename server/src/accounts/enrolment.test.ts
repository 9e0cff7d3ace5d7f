import { afterAll, expect, test } from "vitest";
import { type Answer, client, type Send } from "../../test/client.ts";
import { codeOf, newApp } from "../../test/factors.ts";
import { mailTo } from "../../test/mail.ts";
import { PASSWORD, testService } from "../../test/service.ts";
import { startSmtpPeer } from "../../test/smtp.ts";

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
  const first = await begin(send);
  const code = await mailed(org.email);
  const second = await begin(send);
  expect((await confirm(send, second, code)).json.details[0]).toMatchObject({ field: "email_code", code: "invalid_value" });
  expect(first.factor_id).not.toBe(second.factor_id);
  const [mail] = await mailTo(service, org.email, "enrollment_code");
  expect(mail?.subject).not.toMatch(/\d/);
  expect((await confirm(send, second, await mailed(org.email))).status).toBe(200);
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

test("a session that is not limited needs no code and gets none", async () => {
  const org = await service.newOrg();
  await newApp(service, org.admin);
  expect(await mailTo(service, org.email, "enrollment_code")).toEqual([]);
});
