import { afterAll, describe, expect, test } from "vitest";
import { type TestOrg, testService } from "../../test/service.ts";
import { startSmtpPeer } from "../../test/smtp.ts";
import { resumeMail } from "../mail/resume-mail.ts";

const peer = await startSmtpPeer();
const service = testService({ SMTP_URL: peer.url, MAIL_FROM: "sign@example.com" });
const silent = testService();
afterAll(() => peer.stop());

async function unverified(): Promise<TestOrg> {
  const org = await service.newOrg();
  await service.database.owner("update users set email_verified_at = null, email_verified_by = null where user_id = $1", [org.user_id]);
  return org;
}

const askForCode = ({ admin }: TestOrg) => admin("POST", "/auth/email/code");
const verify = ({ admin }: TestOrg, code: string) => admin("POST", "/auth/email/verify", { body: { code } });
const isVerified = async ({ admin }: TestOrg) => (await admin("GET", "/auth/me")).json.data.email_verified;

async function mailedCode(org: TestOrg): Promise<string> {
  const { status, json } = await askForCode(org);
  expect([status, json]).toEqual([202, { data: { done: true } }]);
  await resumeMail(service.features.mail);
  const mail = peer.messages.findLast(({ to }) => to.includes(org.email));
  return /^(\d{6})$/m.exec(mail?.text ?? "")?.[1] ?? "";
}

const stateOf = async ({ admin }: TestOrg) => (await admin("GET", "/auth/email/code")).json;
const another = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, "0");
const refusal = (code: string, message: string) => [
  422,
  { error: "Validation failed", details: [{ location: "body", field: "code", code, message }] },
];
const wrong = refusal("invalid_value", "does not match the code in the e-mail");
const over = refusal("expired", "has expired. Request a new one");
const verified = {
  error: "Your e-mail address is already verified",
  details: [{ location: "body", field: null, code: "address_verified", message: "you do not need to do anything" }],
};

const tryCode = async (org: TestOrg, code: string) => {
  const { status, json } = await verify(org, code);
  return [status, json];
};

describe("the mailed code", () => {
  test("verifies the address once, and writes an audit entry in each organization", async () => {
    const org = await unverified();
    expect(await isVerified(org)).toBe(false);
    const code = await mailedCode(org);
    expect(await tryCode(org, code)).toEqual([200, { data: { email_verified: true } }]);
    expect(await isVerified(org)).toBe(true);
    const { json } = await org.admin("GET", "/org/audit-trail?limit=1");
    expect(json.data).toMatchObject([
      { type: "email.verified", actor: { kind: "user", id: org.user_id }, data: { user_id: org.user_id, verified_by: "mail" } },
    ]);
    expect(json.data[0].data).not.toHaveProperty("code");
    expect(await tryCode(org, code)).toEqual([409, verified]);
    expect([(await askForCode(org)).status, (await askForCode(org)).json]).toEqual([409, verified]);
  });

  test("says whether its e-mail has left, to its owner alone", async () => {
    const [org, other] = [await unverified(), await unverified()];
    expect(await stateOf(org)).toEqual({ data: { state: null } });
    peer.fail("451 at RCPT");
    await askForCode(org);
    await resumeMail(service.features.mail);
    expect([await stateOf(org), await stateOf(other)]).toEqual([{ data: { state: "queued" } }, { data: { state: null } }]);
    const code = await mailedCode(org);
    expect(await stateOf(org)).toEqual({ data: { state: "sent" } });
    peer.refuse(other.email);
    await askForCode(other);
    await resumeMail(service.features.mail);
    expect(await stateOf(other)).toEqual({ data: { state: "failed" } });
    expect((await tryCode(org, code))[0]).toBe(200);
    expect(await stateOf(org), "there is no code to wait for").toEqual({ data: { state: null } });
  });

  test("stops working after five wrong attempts, whatever is entered", async () => {
    const org = await unverified();
    const code = await mailedCode(org);
    for (let n = 1; n < 5; n++) expect(await tryCode(org, another(code, n))).toEqual(wrong);
    expect(await tryCode(org, another(code, 5))).toEqual(over);
    expect(await tryCode(org, code)).toEqual(over);
    expect(await isVerified(org)).toBe(false);
    expect(await tryCode(org, await mailedCode(org))).toEqual([200, { data: { email_verified: true } }]);
  });

  test("checks five of twenty simultaneous attempts", async () => {
    const org = await unverified();
    const code = await mailedCode(org);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => tryCode(org, another(code, n + 1))));
    expect(answers.filter((answer) => JSON.stringify(answer) === JSON.stringify(wrong))).toHaveLength(4);
    expect(await tryCode(org, code)).toEqual(over);
  });

  test("expires after ten minutes, or when another is mailed", async () => {
    const org = await unverified();
    const first = await mailedCode(org);
    await service.database.owner("update email_codes set expires_at = expires_at - interval '10 minutes' where user_id = $1", [
      org.user_id,
    ]);
    expect(await tryCode(org, first)).toEqual(over);
    const second = await mailedCode(org);
    const third = await mailedCode(org);
    if (second !== third) expect(await tryCode(org, second)).toEqual(wrong);
    expect(await tryCode(org, third)).toEqual([200, { data: { email_verified: true } }]);
  });

  test("of another person verifies nothing", async () => {
    const [ann, ben] = [await unverified(), await unverified()];
    const code = await mailedCode(ann);
    expect(await tryCode(ben, code)).toEqual(over);
    expect([await isVerified(ann), await isVerified(ben)]).toEqual([false, false]);
  });

  test("is mailed at most ten times a day", async () => {
    const org = await unverified();
    const answers = [];
    for (let n = 0; n < 11; n++) answers.push(await askForCode(org));
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(202), 429]);
    expect(Number(answers[10]?.headers["retry-after"])).toBeGreaterThan(0);
  });

  test("has six digits, and only its keyed hash is stored", async () => {
    const org = await unverified();
    await askForCode(org);
    const rows = await service.database.owner("select user_id, octet_length(code_hash) as bytes from email_codes where user_id = $1", [
      org.user_id,
    ]);
    expect(rows).toEqual([{ user_id: org.user_id, bytes: 32 }]);
    for (const code of ["12345", "1234567", "12345a", ""]) {
      expect([code, (await verify(org, code)).status]).toEqual([code, 422]);
    }
  });
});

test("without a mail server there is no code, and the error says who can help", async () => {
  const org = await silent.newOrg();
  const { status, json } = await askForCode(org);
  const message = "the operator runs: countersign users verify <e-mail>";
  expect([status, json]).toEqual([
    409,
    {
      error: "No mail server is set up. Ask the operator of the service",
      details: [{ location: "body", field: null, code: "mail_not_set_up", message }],
    },
  ]);
});
