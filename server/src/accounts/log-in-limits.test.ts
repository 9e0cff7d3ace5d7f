import { execFileSync } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { testInAll } from "../../../testing/all.ts";
import { type Answer, client, type Send } from "../../test/client.ts";
import { runCommand } from "../../test/process.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { PASSWORD, testService } from "../../test/service.ts";
import { until } from "../../test/until.ts";
import { createProofPool } from "../proofs/pool.ts";
import { LANE_LIMITS, LogInLane } from "./log-in-lane.ts";
import { countersOf } from "./log-in-throttle.ts";

// With one trusted proxy each test can use its own address, so that no test uses up the quota of another. The service has its own
// password threads, so that other tests do not change its figures.
const service = testService({ TRUST_PROXY_HOPS: "1", PASSWORD_WORKERS: "1" });

let addresses = 0;
const fromNewAddress = (): Send => client(service.url, { "x-forwarded-for": `198.51.${Math.floor(++addresses / 250)}.${addresses % 250}` });

const wrong = refusedWith("Wrong e-mail or password");
const limited = { error: "Rate limit exceeded" };
const paused = {
  ...limited,
  details: [{ location: "body", field: null, code: "unknown_browser", message: expect.stringMatching(/^too many failed log-ins/) }],
};

const logIn = (send: Send, email: string, values: object = {}, headers: Record<string, string> = {}) =>
  send("POST", "/auth/login", { body: { email, password: PASSWORD, ...values }, headers });
const guess = (send: Send, email: string) => logIn(send, email, { password: "not the password" });

/** A log-in with a browser on the console's page, with the cookie of an earlier log-in if given. */
const logInByBrowser = (send: Send, email: string, cookie = "", values: object = {}) =>
  logIn(send, email, values, { origin: service.config.publicUrl, ...(cookie !== "" && { cookie }) });

const deviceOf = ({ headers }: Answer): string => /countersign_device=[\w-]+/.exec(String(headers["set-cookie"]))?.[0] ?? "";

/** A known browser of the account: it has logged in once. */
async function knownBrowser(email: string): Promise<string> {
  const answer = await logInByBrowser(fromNewAddress(), email);
  expect(answer.status).toBe(200);
  return deviceOf(answer);
}

const tried = () => service.features.proofs.stats().verified;

/** Twenty wrong passwords from unknown browsers at twenty addresses. */
async function fillAccount(email: string): Promise<void> {
  for (let n = 0; n < 20; n++) expect((await guess(fromNewAddress(), email)).status).toBe(401);
}

describe("wrong passwords for one account", () => {
  test.each(["an account", "an address without an account"])(
    "20 of 150 wrong passwords from 30 addresses for %s are checked, the others are not",
    async (whose) => {
      const email = whose === "an account" ? (await service.newOrg()).email : "nobody@example.com";
      const before = tried();
      const answers: Answer[] = [];
      for (let address = 0; address < 30; address++) {
        const send = fromNewAddress();
        answers.push(...(await Promise.all(Array.from({ length: 5 }, (_, n) => guess(send, n % 2 ? email : email.toUpperCase())))));
      }
      const refused = answers.filter(({ status }) => status === 429);
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(20);
      expect(refused).toHaveLength(130);
      expect(tried() - before).toBe(20);
      for (const { json, headers } of refused) {
        expect(json).toEqual(paused);
        expect(Number(headers["retry-after"])).toBeGreaterThan(3_000);
      }
    },
  );

  test("block new browsers for an hour, even with the right password, and no one else", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    await fillAccount(org.email);
    const before = tried();
    const refused = await logIn(fromNewAddress(), org.email);
    expect([refused.status, refused.json]).toEqual([429, paused]);
    expect(tried()).toBe(before);
    expect((await logIn(fromNewAddress(), other.email)).status).toBe(200);
    const quotas = "update quotas set ats = array(select t - interval '1 hour' from unnest(ats) with ordinality as a(t, n) order by n)";
    await service.database.owner(`${quotas} where subject like 'login:account:%'`);
    expect((await logIn(fromNewAddress(), org.email)).status).toBe(200);
  });

  test("never lock out a known browser", async () => {
    const { email } = await service.newOrg();
    const browser = await knownBrowser(email);
    await fillAccount(email);
    expect((await logInByBrowser(fromNewAddress(), email, browser)).status).toBe(200);
  });

  test("from a known browser lock it out after ten in 15 minutes, while another known browser still works", async () => {
    const { email } = await service.newOrg();
    const [browser, another] = [await knownBrowser(email), await knownBrowser(email)];
    const send = fromNewAddress();
    for (let n = 0; n < 10; n++) {
      expect((await logInByBrowser(send, email, browser, { password: "not the password" })).status).toBe(401);
    }
    const before = tried();
    const refused = await logInByBrowser(fromNewAddress(), email, browser);
    expect([refused.status, refused.json]).toEqual([429, limited]);
    const wait = Number(refused.headers["retry-after"]);
    expect(wait).toBeGreaterThan(840);
    expect(wait).toBeLessThanOrEqual(901);
    expect(tried()).toBe(before);
    expect((await logInByBrowser(send, email, another)).status).toBe(200);
    // Its failures do not count for new browsers.
    expect((await logIn(fromNewAddress(), email)).status).toBe(200);
  });

  test("with the cookie of another account or an invented cookie count as a new browser's", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    const foreign = await knownBrowser(other.email);
    await fillAccount(org.email);
    for (const cookie of [foreign, `countersign_device=${"a".repeat(43)}`, "countersign_device=x"]) {
      expect((await logInByBrowser(fromNewAddress(), org.email, cookie)).status).toBe(429);
    }
  });

  test("are cleared by the operator with users unlock, which writes an audit entry", async () => {
    const org = await service.newOrg();
    const browser = await knownBrowser(org.email);
    await fillAccount(org.email);
    for (let n = 0; n < 10; n++) await logInByBrowser(fromNewAddress(), org.email, browser, { password: "not the password" });
    const env = { ...service.database.env, APP_SECRET: service.config.appSecrets[0].secret, SUDO_USER: "olga" };
    const unlocked = await runCommand(["users", "unlock", org.email.toUpperCase()], env);
    expect([unlocked.code, unlocked.stdout]).toEqual([0, `${org.email.toUpperCase()} can log in again from every browser.\n`]);
    expect((await logIn(fromNewAddress(), org.email)).status).toBe(200);
    expect((await logInByBrowser(fromNewAddress(), org.email, browser)).status).toBe(200);
    const trail = await org.admin("GET", "/org/audit-trail");
    const entry = trail.json.data.find(({ type }: { type: string }) => type === "login.unlocked");
    expect(entry).toMatchObject({
      actor: { kind: "system", id: "system" },
      data: { user_id: org.user_id, operator: expect.stringMatching(/^.+ \(sudo by olga\)$/) },
    });
    const unknown = await runCommand(["users", "unlock", "nobody@example.com"], env);
    expect([unknown.code, unknown.stderr]).toEqual([1, "No account has this e-mail address.\n"]);
  });
});

describe("a flood of log-ins", () => {
  test("uses one connection of ten: other requests are answered while 40 log-ins are blocked", async () => {
    const { email, admin } = await service.newOrg();
    expect((await guess(fromNewAddress(), email)).status).toBe(401);
    // A transaction that locks the account's counter blocks every log-in to that account.
    const holder = new pg.Client({ connectionString: service.database.url });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query("begin");
    await holder.query("select from quotas where subject = $1 for update", countersOf(email, []));
    const flood = Array.from({ length: 40 }, () => guess(fromNewAddress(), email));
    await until("a log-in waits for the counter", async () => (await waitingForLocks()) === 1);
    expect((await admin("GET", "/partner/envelopes")).status).toBe(200);
    expect(await waitingForLocks()).toBe(1);
    await holder.query("rollback");
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(19);
    expect(statuses.filter((status) => status === 429)).toHaveLength(21);
  });

  const waitingForLocks = async () => {
    const count = "select count(*)::integer as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    return (await service.database.owner<{ n: number }>(count))[0]?.n;
  };
});

describe("an office with one address and 50 wrong passwords", () => {
  let pauses: number[] = [];
  let passed: Promise<unknown> = Promise.resolve();
  let lane: LogInLane;

  beforeEach(() => {
    pauses = [];
    passed = Promise.resolve();
    lane = service.features.orgs.logInLane;
    // The test controls the spacing: each pause deletes the count of the log-in before.
    const pause = async (ms: number) => {
      pauses.push(ms);
      await passed;
      await service.database.owner("delete from quotas where subject like 'login:lane:%'");
    };
    Object.assign(service.features.orgs, { logInLane: new LogInLane({ ...LANE_LIMITS, spacing_seconds: 3600, pause }) });
  });
  afterEach(() => Object.assign(service.features.orgs, { logInLane: lane }));

  async function officeAfterGuesses(): Promise<Send> {
    const send = fromNewAddress();
    expect((await guess(send, "nobody@example.org")).status).toBe(401);
    // Turns the one failure into 50.
    const grow = "update quotas set counts = array(select n * 50 from unnest(counts) n) where subject = $1 returning subject";
    const address = `login:198.51.${Math.floor(addresses / 250)}.${addresses % 250}`;
    expect(await service.database.owner(grow, [address])).toHaveLength(1);
    return send;
  }

  test("does not lock out colleagues: a known browser logs in at once, a new one after the spacing", async () => {
    const [ann, ben, eve] = [await service.newOrg(), await service.newOrg(), await service.newOrg()];
    const browser = await knownBrowser(ann.email);
    const office = await officeAfterGuesses();
    expect((await logInByBrowser(office, ann.email, browser)).status).toBe(200);
    expect((await logIn(office, ben.email)).status).toBe(200);
    expect(pauses).toEqual([]);
    expect((await logIn(office, eve.email)).status).toBe(200);
    expect(pauses).toEqual([3_600_000]);
    expect((await logInByBrowser(office, ann.email, browser)).status).toBe(200);
    expect(pauses).toHaveLength(1);
  });

  test("has new browsers checked one at a time; eight can wait, and the next gets 429 with a Retry-After of a minute", async () => {
    const { email } = await service.newOrg();
    const office = await officeAfterGuesses();
    expect((await logIn(office, email)).status).toBe(200);
    const gate = new EventEmitter();
    passed = once(gate, "open");
    const waiting = Array.from({ length: 9 }, () => logIn(office, email));
    const first = await Promise.race(waiting);
    const full = { ...limited, details: [{ location: "body", field: null, code: "unknown_browser", message: expect.any(String) }] };
    expect([first.status, first.json, first.headers["retry-after"]]).toEqual([429, full, "60"]);
    // Another address does not wait.
    expect((await logIn(fromNewAddress(), email)).status).toBe(200);
    gate.emit("open");
    const answers = await Promise.all(waiting);
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(8).fill(200), 429]);
    expect(pauses).toHaveLength(8);
  });
});

describe("a flood of log-ins", () => {
  testInAll("of 120 at once is answered completely, each with 401 or with 503 and a Retry-After of a second", async () => {
    const answers = await Promise.all(Array.from({ length: 120 }, (_, n) => guess(fromNewAddress(), `flood${n}@example.com`)));
    for (const { status, json, headers } of answers) {
      if (status === 401) expect(json).toEqual(wrong);
      else
        expect([status, json, headers["retry-after"]]).toEqual([
          503,
          refusedWith("Too many passwords are being checked. Try again in a second"),
          "1",
        ]);
    }
    const { waiting, running } = service.features.proofs.stats();
    expect([waiting, running]).toEqual([0, 0]);
  });

  test("that finds the queue full gets 503 and is not counted as attempts", async () => {
    const { email } = await service.newOrg();
    const { proofs } = service.features.orgs;
    const full = createProofPool();
    await full.close();
    Object.assign(service.features.orgs, { proofs: full });
    try {
      for (let n = 0; n < 25; n++) {
        const { status, json, headers } = await logIn(fromNewAddress(), email);
        expect([status, json, headers["retry-after"]]).toEqual([
          503,
          refusedWith("Too many passwords are being checked. Try again in a second"),
          "1",
        ]);
      }
    } finally {
      Object.assign(service.features.orgs, { proofs });
    }
    expect((await logIn(fromNewAddress(), email)).status).toBe(200);
  });

  test("does not use the threads that read documents: a password is checked while all of them are blocked", async () => {
    // Makes sure that the password thread and the database connections exist.
    expect((await guess(fromNewAddress(), "nobody@example.net")).status).toBe(401);
    const folder = mkdtempSync(join(tmpdir(), "countersign-threads-"));
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    // Opening a pipe that has no writer blocks a libuv thread until there is one.
    const held = Array.from({ length: Number(process.env.UV_THREADPOOL_SIZE ?? 4) }, () => open(pipe, "r"));
    let isReleased = false;
    const release = async () => {
      if (isReleased) return;
      isReleased = true;
      const writer = openSync(pipe, "w");
      for (const handle of await Promise.all(held)) await handle.close();
      closeSync(writer);
      rmSync(folder, { recursive: true });
    };
    onTestFinished(release);
    const { status, json } = await guess(fromNewAddress(), "nobody@example.net");
    expect([status, json]).toEqual([401, wrong]);
    await release();
  });
});

describe("invalid credentials", () => {
  test("beyond 60 a minute from one address are 429, and valid ones still work", async () => {
    const org = await service.newOrg();
    const send = fromNewAddress();
    const refusals = await Promise.all([
      ...Array.from({ length: 5 }, (_, n) => logIn(send, `nobody${n}@example.com`)),
      ...Array.from({ length: 25 }, () => send("POST", "/auth/refresh", { body: { refresh_token: "none" } })),
      ...Array.from({ length: 30 }, () => send("GET", "/auth/me", { headers: { authorization: "Bearer none" } })),
    ]);
    expect(refusals.map(({ status }) => status)).toEqual(Array(60).fill(401));
    for (const answer of [await logIn(send, "nobody6@example.com"), await send("GET", "/auth/me")]) {
      expect([answer.status, answer.json]).toEqual([429, limited]);
      expect(answer.headers).toMatchObject({ "retry-after": "60", "x-ratelimit-limit": "60", "x-ratelimit-remaining": "0" });
    }
    expect((await logIn(send, org.email)).status).toBe(200);
    expect((await send("GET", "/auth/me", { headers: { authorization: `Bearer ${org.token}` } })).status).toBe(200);
    expect((await fromNewAddress()("GET", "/auth/me")).status).toBe(401);
  });
});

test("successful log-ins are not counted: thirty in a row from one address all work", async () => {
  const org = await service.newOrg();
  const send = fromNewAddress();
  for (let n = 1; n <= 30; n++) expect((await logIn(send, org.email)).status).toBe(200);
});

test("neither a port after the address nor another address of the same IPv6 network gets around the limit of an address", async () => {
  for (const [from, group] of [
    [(n: number) => `203.0.113.7:${5000 + n}`, "203.0.113.7"],
    [(n: number) => `2001:db8:1:2::${n}`, "2001:db8:1:2::/64"],
  ] as const) {
    for (let n = 1; n <= 3; n++) await guess(client(service.url, { "x-forwarded-for": from(n) }), `nobody${n}@example.com`);
    const [row] = await service.database.owner("select (select sum(n) from unnest(counts) n)::int as used from quotas where subject = $1", [
      `login:${group}`,
    ]);
    expect(row).toEqual({ used: 3 });
  }
});

test("an invalid address of any length counts as the proxy's own", async () => {
  const send = client(service.url, { "x-forwarded-for": "x".repeat(7000) });
  expect((await send("GET", "/partner/envelopes")).status).toBe(401);
});
