import { describe, expect, test } from "vitest";
import { client, type Send } from "../../test/client.ts";
import { PASSWORD, testService } from "../../test/service.ts";

// Behind one proxy a test can come from an address of its own, so that no test uses up the quota of another.
const service = testService({ TRUST_PROXY_HOPS: "1" });

let addresses = 0;
const fromNewAddress = (): Send => client(service.url, { "x-forwarded-for": `192.0.2.${++addresses}` });

const wrong = { error: "Wrong e-mail or password" };
const limited = { error: "Rate limit exceeded" };

const logIn = (send: Send, email: string, values: object = {}) =>
  send("POST", "/auth/login", { body: { email, password: PASSWORD, ...values } });

describe("tries", () => {
  test("beyond 10 in 15 minutes by one address for one person are refused, also with the right password", async () => {
    const org = await service.newOrg();
    const other = await service.newOrg();
    const send = fromNewAddress();
    for (let n = 1; n <= 10; n++) {
      const { status, json } = await logIn(send, n % 2 ? org.email : org.email.toUpperCase(), { password: `wrong password ${n}` });
      expect([status, json]).toEqual([401, wrong]);
    }
    const refused = await logIn(send, org.email);
    expect([refused.status, refused.json]).toEqual([429, limited]);
    const wait = Number(refused.headers["retry-after"]);
    expect(wait).toBeGreaterThan(870);
    expect(wait).toBeLessThanOrEqual(901);
    // Neither the person elsewhere nor anybody else here pays for it.
    expect((await logIn(fromNewAddress(), org.email)).status).toBe(200);
    expect((await logIn(send, other.email)).status).toBe(200);
  });

  test("from more than 15 minutes ago do not count", async () => {
    const org = await service.newOrg();
    const send = fromNewAddress();
    const tries = await Promise.all(Array.from({ length: 12 }, () => logIn(send, org.email, { password: "not the password" })));
    expect(tries.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), 429, 429]);
    await service.database.owner(
      `update quotas set ats = array(select t - interval '15 minutes' from unnest(ats) with ordinality as a(t, n) order by n)
       where subject like $1`,
      [`login:192.0.2.${addresses}%`],
    );
    expect((await logIn(send, org.email)).status).toBe(200);
  });

  test("beyond 50 in 15 minutes by one address are refused, whoever they name", async () => {
    const org = await service.newOrg();
    const send = fromNewAddress();
    expect((await logIn(send, "nobody@example.com")).status).toBe(401);
    // As if the one try had been 49.
    const grow = "update quotas set counts = array(select n * 49 from unnest(counts) n) where subject = $1 returning subject";
    expect(await service.database.owner(grow, [`login:192.0.2.${addresses}`])).toHaveLength(1);
    expect((await logIn(send, "somebody@example.com")).status).toBe(401);
    for (const email of ["another@example.com", org.email]) {
      const { status, json } = await logIn(send, email);
      expect([status, json]).toEqual([429, limited]);
    }
    expect((await logIn(fromNewAddress(), org.email)).status).toBe(200);
  });
});

describe("refused credentials", () => {
  test("beyond 60 in a minute by one address are 429, and a good one still gets in", async () => {
    const org = await service.newOrg();
    const send = fromNewAddress();
    const refusals = await Promise.all([
      ...Array.from({ length: 5 }, (_, n) => logIn(send, `nobody${n}@example.com`)),
      ...Array.from({ length: 25 }, () => send("POST", "/auth/refresh", { body: { refresh_token: "none" } })),
      ...Array.from({ length: 30 }, () => send("GET", "/auth/me", { headers: { authorization: "Bearer none" } })),
    ]);
    expect(refusals.map(({ status }) => status)).toEqual(Array(60).fill(401));
    for (const answer of [await logIn(send, "nobody@example.com"), await send("GET", "/auth/me")]) {
      expect([answer.status, answer.json]).toEqual([429, limited]);
      expect(answer.headers).toMatchObject({ "retry-after": "60", "x-ratelimit-limit": "60", "x-ratelimit-remaining": "0" });
    }
    expect((await logIn(send, org.email)).status).toBe(200);
    expect((await send("GET", "/auth/me", { headers: { authorization: `Bearer ${org.token}` } })).status).toBe(200);
    expect((await fromNewAddress()("GET", "/auth/me")).status).toBe(401);
  });
});

test("log-ons that succeed are no guesses: fifteen in a row from one address all work", async () => {
  const org = await service.newOrg();
  const send = fromNewAddress();
  for (let n = 1; n <= 15; n++) expect((await logIn(send, org.email)).status).toBe(200);
});

test("neither a port behind the address nor another address of one IPv6 network is a way around the limit", async () => {
  const { email } = await service.newOrg();
  for (const from of [(n: number) => `192.0.2.250:${5000 + n}`, (n: number) => `2001:db8:0:1::${n}`]) {
    const statuses: number[] = [];
    for (let n = 1; n <= 11; n++) {
      const send = client(service.url, { "x-forwarded-for": from(n) });
      statuses.push((await logIn(send, email, { password: "wrong password" })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
  }
});

test("an address that is none, however long, counts as the proxy's own", async () => {
  const send = client(service.url, { "x-forwarded-for": "x".repeat(7000) });
  expect((await send("GET", "/partner/envelopes")).status).toBe(401);
});
