import { describe, expect, test } from "vitest";
import { testInAll } from "../../../testing/all.ts";
import { client } from "../../test/client.ts";
import { joinInSession } from "../../test/invitations.ts";
import { jobsDone, testJobs } from "../../test/jobs.ts";
import { mailTo, tokenIn } from "../../test/mail.ts";
import { refusalText, refusedWith } from "../../test/refused-with.ts";
import { PASSWORD, testService } from "../../test/service.ts";
import { makeResetLink } from "./password-reset.ts";

const service = testService({ TRUST_PROXY_HOPS: "1" });
testJobs(service);

const NEW_PASSWORD = "violet ladder 88 sparrow";
const sent = { data: { done: true } };
const badLink = refusedWith("The link is not valid, was already used, or has expired");

async function request(email: string) {
  await service.database.owner("delete from quotas where subject like 'reset:%'");
  return service.send("POST", "/auth/password-reset", { body: { email } });
}

const confirm = (token: string, password = NEW_PASSWORD) =>
  service.send("POST", "/auth/password-reset/confirm", { body: { token, password } });

async function resetMails(email: string) {
  await jobsDone(service);
  return mailTo(service, email, "password_reset");
}

/** Requests a link and returns it from the mail. */
async function resetToken(email: string): Promise<string> {
  expect((await request(email)).status).toBe(202);
  return tokenIn((await resetMails(email)).at(-1) ?? { text: "" });
}

async function logInStatus(email: string, password: string): Promise<number> {
  await service.database.owner("delete from quotas where subject like 'login:%'");
  return (await service.send("POST", "/auth/login", { body: { email, password } })).status;
}

describe("a request for a new password", () => {
  test("gets the same response for a known and an unknown address, and only the known one gets mail", async () => {
    const { email } = await service.newOrg();
    const known = await request(email);
    const unknown = await request("nobody@example.com");
    expect([known.status, known.json]).toEqual([202, sent]);
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    expect(await resetMails("nobody@example.com")).toEqual([]);
    expect(await resetMails(email)).toEqual([
      {
        org_id: null,
        subject: "Reset your Countersign password",
        text: expect.stringMatching(
          /^We received a request .*\n\nChoose a new password within 1 hour:\nhttp:\/\/localhost:3000\/console\/reset#token=[\w-]{43}\n\nIf you did not request/,
        ),
      },
    ]);
  });

  test("does not store its token in the database", async () => {
    const { email } = await service.newOrg();
    const token = await resetToken(email);
    const tables = await service.database.owner(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
    );
    const dumps = await Promise.all(
      tables.map(({ name }) => service.database.owner(`select coalesce(string_agg(t::text, E'\\n'), '') as dump from ${name} t`)),
    );
    const everything = dumps.map(([row]) => row?.dump).join("\n");
    expect(everything).toContain(email);
    for (const form of [token, Buffer.from(token).toString("hex"), Buffer.from(token, "base64url").toString("hex")]) {
      expect(everything.toLowerCase()).not.toContain(form.toLowerCase());
    }
  });

  test("is rejected after 10 in 15 minutes from one IP address, for known and unknown e-mail addresses", async () => {
    const { email } = await service.newOrg();
    await request("nobody@example.com");
    const send = (to: string) => service.send("POST", "/auth/password-reset", { body: { email: to } });
    const others = await Promise.all(Array.from({ length: 9 }, (_, n) => send(`nobody${n}@example.com`)));
    expect(others.map(({ status }) => status)).toEqual(Array(9).fill(202));
    const { status, json } = await send(email);
    expect([status, json]).toEqual([429, { error: "Rate limit exceeded" }]);
    expect(await resetMails(email)).toEqual([]);
  });

  test("for an invalid address is 422", async () => {
    const { status, json } = await request("not an address");
    const detail = {
      location: "body",
      field: "email",
      code: "invalid_format",
      message: "must be an e-mail address, for example ann@example.com",
    };
    expect([status, json]).toEqual([422, { error: "Validation failed", details: [detail] }]);
  });
});

describe("repeated requests", () => {
  const openLinks = async (user_id: string): Promise<number> => {
    const open = "select from password_resets where user_id = $1 and used_at is null and expires_at > now()";
    return (await service.database.owner(open, [user_id])).length;
  };

  testInAll("240 for one person from 24 addresses are all 202; three links are mailed, and three are valid", async () => {
    const { email, user_id } = await service.newOrg();
    const statuses: number[] = [];
    for (let address = 1; address <= 24; address++) {
      const send = client(service.url, { "x-forwarded-for": `198.51.100.${address}` });
      const ask = (n: number) => send("POST", "/auth/password-reset", { body: { email: n % 2 ? email : email.toUpperCase() } });
      statuses.push(...(await Promise.all(Array.from({ length: 10 }, (_, n) => ask(n)))).map(({ status }) => status));
    }
    expect(statuses).toEqual(Array(240).fill(202));
    expect(await resetMails(email)).toHaveLength(3);
    expect(await openLinks(user_id)).toBe(3);
  });

  test("a fourth link invalidates the oldest", async () => {
    const { email, user_id } = await service.newOrg();
    const tokens = [await resetToken(email), await resetToken(email), await resetToken(email), await resetToken(email)];
    expect(await openLinks(user_id)).toBe(3);
    expect((await confirm(tokens[0] ?? "")).json).toEqual(badLink);
    expect((await confirm(tokens[1] ?? "")).status).toBe(200);
  });

  test("of ten links created at once, three stay valid", async () => {
    const { email, user_id } = await service.newOrg();
    await Promise.all(Array.from({ length: 10 }, () => service.db.system((tx) => makeResetLink(service.features.orgs, tx, email))));
    expect(await openLinks(user_id)).toBe(3);
  });
});

describe("the mailed link", () => {
  test("sets the password once, ends every session in every org, and writes an audit entry in each org", async () => {
    const [ben, first, second] = [await service.newOrg(), await service.newOrg(), await service.newOrg()];
    const { email, user_id } = ben;
    const orgs = [first, second];
    const memberships = [await joinInSession(service, first, ben), await joinInSession(service, second, ben)];
    for (const send of memberships) expect((await send("GET", "/auth/me")).status).toBe(200);
    const token = await resetToken(email);

    const { status, json, headers } = await confirm(token);
    expect([status, json]).toEqual([200, { data: { done: true } }]);
    for (const send of memberships) {
      const dead = await send("GET", "/auth/me");
      expect([dead.status, dead.json]).toEqual([401, refusedWith("Invalid or expired session")]);
    }
    expect(await logInStatus(email, PASSWORD)).toBe(401);
    expect(await logInStatus(email, NEW_PASSWORD)).toBe(200);
    const told = (await mailTo(service, email, "password_changed")).map(({ text }) => text);
    expect(told).toEqual([expect.stringContaining("with a link that was made for it")]);
    for (const { admin } of orgs) {
      const trail = await admin("GET", "/org/audit-trail");
      const entries = trail.json.data.filter(({ type }: { type: string }) => type === "password.changed");
      expect(entries).toEqual([
        {
          seq: expect.any(Number),
          type: "password.changed",
          at: expect.any(String),
          actor: { kind: "user", id: user_id },
          data: { user_id, how: "reset link", ip: "127.0.0.1", user_agent: "", request_id: headers["x-request-id"] },
          hash: expect.any(String),
        },
      ]);
    }
    const again = await confirm(token, "another violet ladder 9");
    expect([again.status, again.json]).toEqual([422, badLink]);
    expect(await logInStatus(email, NEW_PASSWORD)).toBe(200);
  });

  test("of an earlier mail stops working when a later one is used", async () => {
    const { email } = await service.newOrg();
    const [earlier, later] = [await resetToken(email), await resetToken(email)];
    expect((await confirm(later)).status).toBe(200);
    const { status, json } = await confirm(earlier);
    expect([status, json]).toEqual([422, badLink]);
  });

  test("works once when it is used ten times at once", async () => {
    const { email } = await service.newOrg();
    const token = await resetToken(email);
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(token)));
    const losers = answers.filter(({ status }) => status !== 200);
    expect(losers.map(({ status, json }) => [status, json])).toEqual(Array(9).fill([422, badLink]));
  });

  test("works for one hour", async () => {
    const age = (by: string) => service.database.owner("update password_resets set expires_at = expires_at - $1::interval", [by]);
    const { email } = await service.newOrg();
    const [late, inTime] = [await resetToken(email), await resetToken(email)];
    await age("59 minutes");
    expect((await confirm(inTime)).status).toBe(200);
    await service.database.owner("update password_resets set used_at = null");
    await age("1 minute");
    const { status, json } = await confirm(late);
    expect([status, json]).toEqual([422, badLink]);
    expect((await confirm("no-such-token")).text).toBe(refusalText("The link is not valid, was already used, or has expired"));
  });

  test("stays valid after a weak password was rejected", async () => {
    const { email } = await service.newOrg();
    const token = await resetToken(email);
    const { status, json } = await confirm(token, "too short");
    const detail = { location: "body", field: "password", code: "too_small", message: "must have at least 12 characters" };
    expect([status, json]).toEqual([422, { error: "Validation failed", details: [detail] }]);
    expect(await logInStatus(email, PASSWORD)).toBe(200);
    expect((await confirm(token)).status).toBe(200);
  });
});

test("a reset rejects the person's own address as password, and the link still works", async () => {
  const { email } = await service.newOrg();
  const token = await resetToken(email);
  const { status, json } = await confirm(token, email.toUpperCase());
  expect([status, json.details[0].message]).toEqual([422, "must not be the e-mail address"]);
  expect((await confirm(token)).status).toBe(200);
});

test("more than ten requests from one address in 15 minutes are 429 with the remaining wait and quota", async () => {
  await service.database.owner("delete from quotas where subject like 'reset:%'");
  const ask = () => service.send("POST", "/auth/password-reset", { body: { email: "nobody@example.com" } });
  for (let n = 0; n < 10; n++) expect((await ask()).status).toBe(202);
  const before = Date.now() / 1000;
  const { status, headers } = await ask();
  const after = Date.now() / 1000;
  expect([status, headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]]).toEqual([429, "10", "0"]);
  expect(Number(headers["retry-after"])).toBeGreaterThan(800);
  // Both are whole seconds.
  const answered = Number(headers["x-ratelimit-reset"]) - Number(headers["retry-after"]);
  expect([answered >= before - 1, answered <= after + 1]).toEqual([true, true]);
});
