import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { jobsDone, testJobs } from "../../../test/jobs.ts";
import { ask, codeTo, logInWithCode, mailedCode, newPerson, withToken } from "../../../test/people.ts";
import { refusedWith } from "../../../test/refused-with.ts";
import { testService } from "../../../test/service.ts";
import { startSmtpPeer } from "../../../test/smtp.ts";
import { newId } from "../../shared/ids.ts";
import { ensurePerson } from "./ensure-person.ts";

const peer = await startSmtpPeer();
const service = testService({ SMTP_URL: peer.url, MAIL_FROM: "sign@example.com" });
const silent = testService();
testJobs(service);
afterAll(() => peer.stop());

// All requests come from one IP address, whose quotas are meant for many people.
beforeEach(async () => {
  await service.database.owner("delete from quotas where subject ~ '^(refused|person-(code|log-in|options|passkey)):'");
});

const session = (email: string, code: string) => ask(service, "POST", "session", { email, code });
const another = (code: string, by = 1) => String((Number(code) + by) % 100_000_000).padStart(8, "0");
const unknown = () => `${newId("person")}@nowhere.example`;
const wrong = [401, refusedWith("The code is wrong or has expired")];
const tooMany = (message: string) => [
  429,
  { error: "Rate limit exceeded", details: [{ location: "body", field: "code", code: "locked", message }] },
];
const sixth = tooMany("too many attempts. Request a new code");
const locked = tooMany("too many wrong codes today. Log in with a passkey, or request a code tomorrow (UTC)");
const tried = async (email: string, code: string) => {
  const { status, json } = await session(email, code);
  return [status, json];
};

/** Counts this many more, as if the person had done it. */
async function fillCounter(kind: string, email: string, more: number, limit: number): Promise<void> {
  const filled = await service.database.owner(
    "select take_quota(subject, $1, interval '1 day') from quotas, generate_series(1, $2) where subject like $3 || ':' || encode(sha256($4), 'hex') || '%'",
    [limit, more, kind, Buffer.from(email)],
  );
  expect(filled).toHaveLength(more);
}

test("a person is one for each address, in whatever case, and is the same for every organization", async () => {
  const email = unknown();
  const [one, two] = [await service.newOrg(), await service.newOrg()];
  const first = await service.db.tx(one.org_id, (tx) => ensurePerson(tx, email));
  const second = await service.db.tx(two.org_id, (tx) => ensurePerson(tx, email.toUpperCase()));
  expect(first).toMatch(/^ppl_/);
  expect(second).toBe(first);
});

describe("a log-in with a code", () => {
  test("starts a session of 30 minutes; the code works once and the mail says what it is for", async () => {
    const { email, person_id } = await newPerson(service);
    const code = await mailedCode(service, peer, email);
    const mail = peer.messages.findLast(({ to }) => to.includes(email));
    expect(mail?.text).toContain("Enter this code to log in and see the requests that wait for you");
    expect(mail?.headers.find(([name]) => name.toLowerCase() === "subject")?.[1]).not.toContain(code);
    const { status, json } = await session(email.toUpperCase(), code);
    expect(status).toBe(200);
    const minutes = (Date.parse(json.data.expires_at) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(29);
    expect(minutes).toBeLessThanOrEqual(30.1);
    const send = withToken(service, json.data.token);
    expect((await send("GET", "passkeys")).json).toEqual({ data: { email, passkeys: [] } });
    expect(await tried(email, code)).toEqual(wrong);
    const rows = await service.database.owner("select * from person_sessions where person_id = $1", [person_id]);
    expect(rows).toMatchObject([{ began_with: "code", passkey_id: null }]);
    expect(JSON.stringify(rows)).not.toContain(json.data.token);
  });

  test("ends after 30 minutes, or when the person signs out", async () => {
    const { email, person_id } = await newPerson(service);
    const [first, second] = [await logInWithCode(service, peer, email), await logInWithCode(service, peer, email)];
    expect((await first("DELETE", "session")).json).toEqual({ data: { done: true } });
    expect((await first("GET", "passkeys")).status).toBe(401);
    expect((await second("GET", "passkeys")).status).toBe(200);
    await service.database.owner("update person_sessions set expires_at = expires_at - interval '30 minutes' where person_id = $1", [
      person_id,
    ]);
    const { status, json } = await second("GET", "passkeys");
    expect([status, json]).toEqual([401, refusedWith("Invalid or expired session")]);
  });

  test("gives no access to the console or the API, and no other credential opens people's pages", async () => {
    const org = await service.newOrg();
    const person = await newPerson(service, org.email);
    const { json } = await session(person.email, await mailedCode(service, peer, person.email));
    const headers = { authorization: `Bearer ${json.data.token}` };
    for (const path of ["/auth/me", "/partner/envelopes", "/org/members"]) {
      expect((await service.send("GET", path, { headers })).status, path).toBe(401);
    }
    const key = await org.newKey();
    for (const send of [org.admin, key.send, service.send]) {
      expect((await send("GET", "/p/api/passkeys")).status).toBe(401);
    }
  });

  test("fails with a code that is 10 minutes old, or was replaced by a newer one", async () => {
    const { email, person_id } = await newPerson(service);
    const old = await mailedCode(service, peer, email);
    await service.database.owner("update person_codes set expires_at = expires_at - interval '10 minutes' where person_id = $1", [
      person_id,
    ]);
    expect(await tried(email, old)).toEqual(wrong);
    const replaced = await mailedCode(service, peer, email);
    const latest = await mailedCode(service, peer, email);
    expect(await tried(email, replaced)).toEqual(wrong);
    expect((await session(email, latest)).status).toBe(200);
  });

  test("fails with the code of another person", async () => {
    const [ann, ben] = [await newPerson(service), await newPerson(service)];
    const code = await mailedCode(service, peer, ann.email);
    await mailedCode(service, peer, ben.email);
    expect(await tried(ben.email, code)).toEqual(wrong);
    expect((await session(ann.email, code)).status).toBe(200);
  });

  test("fails after five wrong attempts even with the right code, and the sixth is 429; a new code brings new attempts", async () => {
    const { email } = await newPerson(service);
    const code = await mailedCode(service, peer, email);
    for (let n = 1; n <= 5; n++) expect(await tried(email, another(code, n))).toEqual(wrong);
    expect(await tried(email, code)).toEqual(sixth);
    const fresh = await mailedCode(service, peer, email);
    expect((await session(email, fresh)).status).toBe(200);
  });

  test("of twenty attempts at once, five are compared", async () => {
    const { email } = await newPerson(service);
    const code = await mailedCode(service, peer, email);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => session(email, another(code, n + 1))));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
    const [row] = await service.database.owner<{ tries: number }>(
      "select tries from person_codes join people using (person_id) where email = $1",
      [email],
    );
    expect(row).toEqual({ tries: 5 });
  });

  test("of two with the right code at once, one succeeds", async () => {
    const { email } = await newPerson(service);
    const code = await mailedCode(service, peer, email);
    const answers = await Promise.all([session(email, code), session(email, code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });
});

describe("limits", () => {
  test("20 failures on one day lock codes for everyone with this address until the next day; the right code fails and none is mailed", async () => {
    const { email } = await newPerson(service);
    const code = await mailedCode(service, peer, email);
    expect(await tried(email, another(code))).toEqual(wrong);
    await fillCounter("person-failures", email, 17, 20);
    for (let n = 2; n <= 3; n++) expect(await tried(email, another(code, n))).toEqual(wrong);
    const before = peer.messages.length;
    const answer = await session(email, code);
    expect([answer.status, answer.json]).toEqual(locked);
    expect(Number(answer.headers["retry-after"])).toBeLessThanOrEqual(86_400);
    expect((await ask(service, "POST", "code", { email })).status).toBe(202);
    await jobsDone(service);
    expect(peer.messages.length).toBe(before);
    // The next day, whose counter has another name; and the six codes of the hour are over.
    await service.database.owner(
      "update quotas set subject = regexp_replace(subject, '\\d{4}-\\d\\d-\\d\\d$', '2000-01-01') where subject like 'person-failures:%'",
    );
    await service.database.owner("delete from quotas where subject like 'person-codes:%'");
    expect((await session(email, await mailedCode(service, peer, email))).status).toBe(200);
  });

  test("a log-in that succeeds does not count as a failure", async () => {
    const { email } = await newPerson(service);
    const code = await mailedCode(service, peer, email);
    expect(await tried(email, another(code))).toEqual(wrong);
    expect((await session(email, code)).status).toBe(200);
    await fillCounter("person-failures", email, 18, 20);
    expect(await tried(email, code)).toEqual(wrong);
    expect(await tried(email, code)).toEqual(locked);
  });

  test("at most six codes an hour are mailed to a person; the seventh request gets the same answer", async () => {
    const { email } = await newPerson(service);
    const answers = [];
    for (let n = 0; n < 7; n++) answers.push(await ask(service, "POST", "code", { email }));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    await jobsDone(service);
    expect(peer.messages.filter(({ to }) => to.includes(email))).toHaveLength(6);
  });

  test("an IP address that asks too often gets 429, whatever the address", async () => {
    expect((await ask(service, "POST", "code", { email: unknown() })).status).toBe(202);
    await service.database.owner(
      "select take_quota(subject, 60, interval '15 minutes') from quotas, generate_series(1, 58) where subject like 'person-code:%'",
    );
    expect((await ask(service, "POST", "code", { email: unknown() })).status).toBe(202);
    expect((await ask(service, "POST", "code", { email: unknown() })).status).toBe(429);
    await jobsDone(service);
  });
});

test("an unknown address gets the same answers as a known one, to a request, to wrong codes and to the sixth attempt, and no mail", async () => {
  const [known, stranger] = [(await newPerson(service)).email, unknown()];
  const lasting = ({ status, text, headers }: Awaited<ReturnType<typeof ask>>) => {
    const ofThisRequest = /^(date|retry-after|x-request-id|x-ratelimit-(remaining|reset))$/;
    const rest = Object.entries(headers).filter(([name]) => !ofThisRequest.test(name));
    return [status, text, rest];
  };
  for (const [path, body] of [
    ["session", { code: "00000001" }],
    ["code", {}],
    ["code", { act_id: "act_1" }],
    ...Array.from({ length: 6 }, () => ["session", { code: "00000001" }] as const),
    ["code", {}],
    ["session", { code: "00000001" }],
  ] as const) {
    const answers = [];
    for (const email of [known, stranger]) {
      answers.push(lasting(await ask(service, "POST", path, { email, ...body })));
      if (path === "code") await jobsDone(service);
    }
    expect(answers[0]).toEqual(answers[1]);
  }
  expect(peer.messages.some(({ to }) => to.includes(known))).toBe(true);
  expect(peer.messages.some(({ to }) => to.includes(stranger))).toBe(false);
});

test("only argon2id hashes of codes are stored, and the queue does not show who asked", async () => {
  const { email, person_id } = await newPerson(service);
  const code = await mailedCode(service, peer, email);
  const rows = await service.database.owner("select code_hash, act_sha256 from person_codes where person_id = $1", [person_id]);
  expect(rows).toEqual([{ code_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/), act_sha256: null }]);
  expect(JSON.stringify(rows)).not.toContain(code);
});

test.each([
  ["code", {}, "email", "required"],
  ["code", { email: "nobody" }, "email", "invalid_format"],
  ["code", { email: "a@b.example", act_id: "x".repeat(101) }, "act_id", "too_long"],
  ["session", { email: "a@b.example" }, "code", "required"],
  ["session", { email: "a@b.example", code: "1234567" }, "code", "too_small"],
  ["session", { email: "a@b.example", code: "1234567a" }, "code", "invalid_format"],
  ["session/passkey", {}, "credential", "required"],
  ["session/passkey", { credential: { id: "!", rawId: "x", type: "public-key", response: {} } }, "credential.id", "invalid_format"],
])("POST %s with %j is 422", async (path, body, field, code) => {
  const { status, json } = await ask(service, "POST", path, body);
  expect(status).toBe(422);
  expect(json.details).toContainEqual(expect.objectContaining({ field, code }));
});

test("without a mail server no code can be requested, and the answer says so", async () => {
  const { email } = await newPerson(silent);
  const { status, json } = await ask(silent, "POST", "code", { email });
  expect([status, json]).toEqual([409, refusedWith("No mail server is set up, so no codes can be sent. Log in with a passkey")]);
  expect(await codeTo(service, peer, email)).toBeNull();
});
