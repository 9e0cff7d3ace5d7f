import { describe, expect, test } from "vitest";
import { type Answer, client, type Send } from "../../test/client.ts";
import { joinInSession } from "../../test/invitations.ts";
import { jobsDone, testJobs } from "../../test/jobs.ts";
import { mailTo, tokenIn } from "../../test/mail.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { PASSWORD, testService } from "../../test/service.ts";

const service = testService({ TRUST_PROXY_HOPS: "1" });
testJobs(service);

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0";
const badLink = refusedWith("The link is not valid, was already used, or has expired");

let addresses = 0;
const fromNewAddress = (): Send => client(service.url, { "x-forwarded-for": `192.0.2.${++addresses}` });

const logIn = (send: Send, email: string, values: object = {}, headers: Record<string, string> = {}) =>
  send("POST", "/auth/login", { body: { email, password: PASSWORD, ...values }, headers });

const logInByBrowser = (send: Send, email: string, cookie = "") =>
  logIn(send, email, {}, { origin: service.config.publicUrl, "user-agent": FIREFOX, ...(cookie !== "" && { cookie }) });

const cookiesOf = ({ headers }: Answer): string[] => [headers["set-cookie"] ?? []].flat();
const deviceOf = (answer: Answer): string =>
  cookiesOf(answer)
    .find((line) => line.startsWith("countersign_device="))
    ?.split(";")[0] ?? "";

const notices = (email: string) => mailTo(service, email, "new_device");

/** Twenty failures, and one more attempt, which is rejected. */
async function guessUntilPaused(email: string): Promise<void> {
  for (let n = 0; n < 20; n++) await logIn(fromNewAddress(), email, { password: "not the password" });
  expect((await logIn(fromNewAddress(), email)).status).toBe(429);
}

describe("the cookie of a known browser", () => {
  test("is set by a log-in on the console's page for 180 days, and scripts cannot read it; only its hash is stored", async () => {
    const { email } = await service.newOrg();
    const answer = await logInByBrowser(fromNewAddress(), email);
    expect(cookiesOf(answer)).toEqual([
      expect.stringMatching(/^countersign_refresh=/),
      expect.stringMatching(/^countersign_device=[\w-]{43}; Path=\/api\/v2\/auth; HttpOnly; SameSite=Strict; Max-Age=15552000$/),
    ]);
    const token = deviceOf(answer).split("=")[1] ?? "";
    const [row] = await service.database.owner("select d::text as text, label, first_ip from devices d order by device_id desc limit 1");
    expect(row).toMatchObject({ label: "Firefox on Windows", first_ip: `192.0.2.${addresses}` });
    expect(row?.text).not.toContain(token);
  });

  test.each([{ mode: "token" }, { mode: "cookie" }, {}])("is not set for programs, which send no origin: %j", async (values) => {
    const { email } = await service.newOrg();
    expect(deviceOf(await logIn(fromNewAddress(), email, values))).toBe("");
  });

  test("stays the same at the next log-in, and works for two people who use one browser", async () => {
    const [ann, ben] = [await service.newOrg(), await service.newOrg()];
    const cookie = deviceOf(await logInByBrowser(fromNewAddress(), ann.email));
    expect(deviceOf(await logInByBrowser(fromNewAddress(), ann.email, cookie))).toBe(cookie);
    expect(deviceOf(await logInByBrowser(fromNewAddress(), ben.email, cookie))).toBe(cookie);
    for (const { email } of [ann, ben]) {
      await guessUntilPaused(email);
      expect((await logInByBrowser(fromNewAddress(), email, cookie)).status).toBe(200);
    }
  });

  test("is never a value that the browser chose", async () => {
    const { email } = await service.newOrg();
    const planted = `countersign_device=${"p".repeat(43)}`;
    const given = deviceOf(await logInByBrowser(fromNewAddress(), email, planted));
    expect(given).toMatch(/^countersign_device=[\w-]{43}$/);
    expect(given).not.toBe(planted);
  });

  test("expires after 180 days without a log-in", async () => {
    const { email, user_id } = await service.newOrg();
    const cookie = deviceOf(await logInByBrowser(fromNewAddress(), email));
    await guessUntilPaused(email);
    await service.database.owner("update devices set known_until = now() where user_id = $1", [user_id]);
    expect((await logInByBrowser(fromNewAddress(), email, cookie)).status).toBe(429);
  });

  test("a person has at most 50 known browsers; the least recently used one is dropped", async () => {
    const { email, user_id } = await service.newOrg();
    const first = deviceOf(await logInByBrowser(fromNewAddress(), email));
    await service.database.owner("update devices set last_seen_at = now() - interval '1 day' where user_id = $1", [user_id]);
    await service.database.owner(
      `insert into devices (device_id, user_id, token_hash, label, first_ip, last_ip, known_until)
       select 'dev_' || n, $1, sha256(n::text::bytea), '', '', '', now() + interval '1 day' from generate_series(1, 49) n`,
      [user_id],
    );
    const next = deviceOf(await logInByBrowser(fromNewAddress(), email));
    expect(await service.database.owner("select from devices where user_id = $1", [user_id])).toHaveLength(50);
    await guessUntilPaused(email);
    expect((await logInByBrowser(fromNewAddress(), email, next)).status).toBe(200);
    expect((await logInByBrowser(fromNewAddress(), email, first)).status).toBe(429);
  });
});

describe("the link that makes a browser known", () => {
  const know = (token: string) =>
    service.send("POST", "/auth/known-browser", { body: { token }, headers: { origin: service.config.publicUrl, "user-agent": FIREFOX } });
  const links = async (email: string) => {
    await jobsDone(service);
    return mailTo(service, email, "known_browser");
  };

  test("is mailed once an hour to the owner of an account under attack, and lets a new browser log in with the password", async () => {
    const org = await service.newOrg();
    await guessUntilPaused(org.email);
    await guessUntilPaused(org.email);
    const mails = await links(org.email);
    expect(mails).toEqual([
      {
        org_id: null,
        subject: "Log in to Countersign with a new browser",
        text: expect.stringMatching(/http:\/\/localhost:3000\/console\/known-browser#token=[\w-]{43}\n/),
      },
    ]);
    const token = tokenIn(mails[0] ?? { text: "" });
    const known = await know(token);
    expect([known.status, known.json]).toEqual([200, { data: { done: true } }]);
    const cookie = deviceOf(known);
    const headers = { origin: service.config.publicUrl, cookie };
    expect((await logIn(fromNewAddress(), org.email, { password: "not the password" }, headers)).status).toBe(401);
    expect((await logInByBrowser(fromNewAddress(), org.email, cookie)).status).toBe(200);
    expect((await logInByBrowser(fromNewAddress(), org.email)).status).toBe(429);
    const trail = await org.admin("GET", "/org/audit-trail");
    expect(trail.json.data.find(({ type }: { type: string }) => type === "browser.known")).toMatchObject({
      actor: { kind: "user", id: org.user_id },
      data: {
        user_id: org.user_id,
        how: "mailed link",
        device_id: expect.stringMatching(/^dev_/),
        request_id: known.headers["x-request-id"],
      },
    });
    const again = await know(token);
    expect([again.status, again.json, deviceOf(again)]).toEqual([422, badLink, ""]);
  });

  test("can be requested on the log-in page; the response does not reveal whether the address has an account", async () => {
    const { email } = await service.newOrg();
    const ask = (address: string) => fromNewAddress()("POST", "/auth/known-browser/request", { body: { email: address } });
    const [known, unknown] = [await ask(email), await ask("nobody@example.com")];
    expect([known.status, known.json]).toEqual([202, { data: { done: true } }]);
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    expect((await ask(email)).status).toBe(202);
    expect(await links(email)).toHaveLength(1);
    expect(await links("nobody@example.com")).toEqual([]);
  });

  test("works for one hour and once, also if it is used ten times at once, and for no other purpose", async () => {
    const [org, late] = [await service.newOrg(), await service.newOrg()];
    for (const { email } of [org, late]) await fromNewAddress()("POST", "/auth/known-browser/request", { body: { email } });
    const token = tokenIn((await links(org.email))[0] ?? { text: "" });
    const lateToken = tokenIn((await links(late.email))[0] ?? { text: "" });
    await service.database.owner("update account_links set expires_at = now() where user_id = $1", [late.user_id]);
    expect((await know(lateToken)).json).toEqual(badLink);
    expect((await service.send("POST", "/auth/not-me", { body: { token } })).json).toEqual(badLink);
    expect((await service.send("POST", "/auth/password-reset/confirm", { body: { token, password: "violet ladder 88 x" } })).status).toBe(
      422,
    );
    const answers = await Promise.all(Array.from({ length: 10 }, () => know(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)]);
    expect((await know("no-such-token")).json).toEqual(badLink);
  });

  test("can be requested at most ten times in 15 minutes from one address", async () => {
    const send = fromNewAddress();
    for (let n = 0; n < 10; n++) {
      expect((await send("POST", "/auth/known-browser/request", { body: { email: `x${n}@example.com` } })).status).toBe(202);
    }
    expect((await send("POST", "/auth/known-browser/request", { body: { email: "x@example.com" } })).status).toBe(429);
  });
});

test("setting a new password on the console's page with a mailed link also makes the browser known", async () => {
  const { email } = await service.newOrg();
  await guessUntilPaused(email);
  await fromNewAddress()("POST", "/auth/password-reset", { body: { email } });
  await jobsDone(service);
  const [mail] = await mailTo(service, email, "password_reset");
  const body = { token: tokenIn(mail ?? { text: "" }), password: "violet ladder 88 sparrow" };
  const origin = service.config.publicUrl;
  const reset = await service.send("POST", "/auth/password-reset/confirm", { body, headers: { origin } });
  expect(reset.status).toBe(200);
  const headers = { origin, cookie: deviceOf(reset) };
  expect((await logIn(fromNewAddress(), email, { password: body.password }, headers)).status).toBe(200);
  expect((await logIn(fromNewAddress(), email, { password: body.password })).status).toBe(429);
});

describe("a log-in that the person may not know about", () => {
  test("from a new browser sends a mail with time, address, browser and a link; from a known browser it does not", async () => {
    const { email } = await service.newOrg();
    const cookie = deviceOf(await logInByBrowser(fromNewAddress(), email));
    const ip = `192.0.2.${addresses}`;
    expect(await notices(email)).toEqual([
      { org_id: null, subject: "New log-in to your Countersign account", text: expect.stringContaining(`IP address: ${ip}\n`) },
    ]);
    const { text } = (await notices(email))[0] ?? { text: "" };
    expect(text).toMatch(/\nTime: \d{1,2} \w+ \d{4}( at|,) \d\d:\d\d UTC\n\n/);
    expect(text).toContain("\nBrowser: Firefox on Windows\n");
    expect(text).toMatch(/http:\/\/localhost:3000\/console\/not-me#token=[\w-]{43}\n/);
    await logInByBrowser(fromNewAddress(), email, cookie);
    expect(await notices(email)).toHaveLength(1);
    // The same address without the cookie is another browser or another person.
    await logInByBrowser(fromNewAddress(), email);
    expect(await notices(email)).toHaveLength(2);
  });

  test("by a program sends one mail for each address, at most five a day", async () => {
    const { email } = await service.newOrg();
    const send = fromNewAddress();
    for (const mode of ["token", "cookie", "token"]) expect((await logIn(send, email, { mode })).status).toBe(200);
    expect(await notices(email)).toHaveLength(1);
    for (let n = 0; n < 6; n++) expect((await logIn(fromNewAddress(), email, { mode: "token" })).status).toBe(200);
    expect(await notices(email)).toHaveLength(5);
  });

  test("sends no mail if it failed", async () => {
    const { email } = await service.newOrg();
    await logIn(fromNewAddress(), email, { password: "not the password" });
    expect(await notices(email)).toEqual([]);
  });
});

describe("This was not me", () => {
  const report = (token: string) => service.send("POST", "/auth/not-me", { body: { token } });

  test("ends the session, makes its browser unknown and mails a link for a new password, and works once", async () => {
    const org = await service.newOrg();
    const answer = await logInByBrowser(fromNewAddress(), org.email);
    const stolen = client(service.url, { authorization: `Bearer ${answer.json.data.token}` });
    const { session_id } = (await stolen("GET", "/auth/sessions?limit=1")).json.data[0];
    const token = tokenIn((await notices(org.email))[0] ?? { text: "" });
    const reported = await report(token);
    expect([reported.status, reported.json]).toEqual([200, { data: { done: true } }]);
    expect((await stolen("GET", "/auth/me")).status).toBe(401);
    expect((await org.admin("GET", "/auth/me")).status).toBe(200);
    const trail = await org.admin("GET", "/org/audit-trail?limit=1");
    expect(trail.json.data[0]).toMatchObject({ type: "session.reported", actor: { kind: "user", id: org.user_id }, data: { session_id } });
    await jobsDone(service);
    const [reset] = await mailTo(service, org.email, "password_reset");
    const body = { token: tokenIn(reset ?? { text: "" }), password: "violet ladder 88 sparrow" };
    expect((await service.send("POST", "/auth/password-reset/confirm", { body })).status).toBe(200);
    await guessUntilPaused(org.email);
    const headers = { origin: service.config.publicUrl, cookie: deviceOf(answer) };
    expect((await logIn(fromNewAddress(), org.email, { password: body.password }, headers)).status).toBe(429);
    const again = await report(token);
    expect([again.status, again.json]).toEqual([422, badLink]);
  });

  test("also ends the session in another organization that it was switched to", async () => {
    const [first, second] = [await service.newOrg(), await service.newOrg()];
    await joinInSession(service, second, first);
    const signed = await logIn(fromNewAddress(), first.email, { mode: "token", org_id: first.org_id });
    const body = { refresh_token: signed.json.data.refresh_token, org_id: second.org_id };
    const moved = await service.send("POST", "/auth/refresh", { body });
    const stolen = client(service.url, { authorization: `Bearer ${moved.json.data.token}` });
    expect((await stolen("GET", "/auth/me")).status).toBe(200);
    expect((await report(tokenIn((await notices(first.email)).at(-1) ?? { text: "" }))).status).toBe(200);
    expect((await stolen("GET", "/auth/me")).status).toBe(401);
  });

  test("still mails a link if the session has already ended", async () => {
    const { email } = await service.newOrg();
    const { json } = await logIn(fromNewAddress(), email, { mode: "token" });
    await service.send("POST", "/auth/logout", { headers: { authorization: `Bearer ${json.data.token}` } });
    expect((await report(tokenIn((await notices(email))[0] ?? { text: "" }))).status).toBe(200);
    await jobsDone(service);
    expect(await mailTo(service, email, "password_reset")).toHaveLength(1);
  });
});
