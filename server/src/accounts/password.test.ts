import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hash } from "@node-rs/argon2";
import { afterAll, describe, expect, test } from "vitest";
import { client } from "../../test/client.ts";
import { joinInSession } from "../../test/invitations.ts";
import { mailTo } from "../../test/mail.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { logIn, PASSWORD, type TestOrg, testService } from "../../test/service.ts";
import { createOrg } from "../orgs/create-org.ts";

const service = testService();

const NEW_PASSWORD = "violet ladder 88 sparrow";

const invalid = (field: string, code: string, message: string) => ({
  error: "Validation failed",
  details: [{ location: "body", field, code, message }],
});

const withToken = (token: string) => client(service.url, { authorization: `Bearer ${token}` });

async function hashOf({ user_id }: Pick<TestOrg, "user_id">): Promise<string> {
  const [row] = await service.database.owner("select password_hash from users where user_id = $1", [user_id]);
  return row?.password_hash;
}

const change = (org: TestOrg, current_password: string, new_password: string) =>
  org.admin("POST", "/auth/password", { body: { current_password, new_password } });

async function tryLogIn(email: string, password: string): Promise<number> {
  await service.database.owner("delete from quotas where subject like 'login:%'");
  return (await service.send("POST", "/auth/login", { body: { email, password } })).status;
}

describe("changing the password", () => {
  test("ends every session of the person in every org, and writes an audit entry in each org", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    const elsewhere = await joinInSession(service, other, org, "viewer");
    const sessions = [org.admin, withToken(await logIn(service, org.email)), elsewhere];
    for (const send of sessions) expect((await send("GET", "/auth/me")).status).toBe(200);

    const { status, json, headers } = await change(org, PASSWORD, NEW_PASSWORD);
    expect([status, json]).toEqual([200, { data: { done: true } }]);
    for (const send of sessions) {
      const next = await send("GET", "/auth/me");
      expect([next.status, next.json]).toEqual([401, refusedWith("Invalid or expired session")]);
    }
    expect(await tryLogIn(org.email, PASSWORD)).toBe(401);
    expect(await tryLogIn(org.email, NEW_PASSWORD)).toBe(200);
    expect((await other.admin("GET", "/auth/me")).status).toBe(200);
    const [mail, ...more] = await mailTo(service, org.email, "password_changed");
    expect([mail?.text, more]).toEqual([expect.stringContaining("in a session of yours"), []]);

    const body = { email: org.email, password: NEW_PASSWORD, org_id: org.org_id };
    const again = await service.send("POST", "/auth/login", { body });
    for (const send of [withToken(again.json.data.token), other.admin]) {
      const trail = await send("GET", "/org/audit-trail");
      const entries = trail.json.data.filter(({ type }: { type: string }) => type === "password.changed");
      expect(entries).toEqual([
        {
          seq: expect.any(Number),
          type: "password.changed",
          at: expect.any(String),
          actor: { kind: "user", id: org.user_id },
          data: { user_id: org.user_id, how: "signed in", ip: "127.0.0.1", user_agent: "", request_id: headers["x-request-id"] },
          hash: expect.any(String),
        },
      ]);
    }
  });

  test("requires the current password, and changes nothing without it", async () => {
    const org = await service.newOrg();
    const { status, json } = await change(org, "not the password", NEW_PASSWORD);
    expect([status, json]).toEqual([422, invalid("current_password", "invalid_value", "is not your password")]);
    expect((await org.admin("GET", "/auth/me")).status).toBe(200);
    expect(await tryLogIn(org.email, PASSWORD)).toBe(200);
  });

  test("to a weak password is rejected, and the sessions stay", async () => {
    const org = await service.newOrg();
    const { status, json } = await change(org, PASSWORD, "Password1234!");
    const message = madeOf(WORD);
    expect([status, json]).toEqual([422, invalid("new_password", "invalid_value", message)]);
    expect((await org.admin("GET", "/auth/me")).status).toBe(200);
    expect(await tryLogIn(org.email, PASSWORD)).toBe(200);
  });

  test("counts attempts with the current password like log-ins", async () => {
    const org = await service.newOrg();
    await service.database.owner("delete from quotas where subject like 'login:%'");
    for (let n = 0; n < 10; n++) expect((await change(org, "not the password", NEW_PASSWORD)).status).toBe(422);
    const { status, json } = await change(org, PASSWORD, NEW_PASSWORD);
    expect([status, json]).toEqual([429, { error: "Rate limit exceeded" }]);
    expect(await tryLogIn(org.email, PASSWORD)).toBe(200);
  });
});

const madeOf = (parts: string) => `is too easy to guess: it is mostly ${parts}. Use several unrelated words`;
const WORD = "a common word or password";
const ROW = "a row of the alphabet or the keyboard";
const AGAIN = "a repetition";
const weak: Record<string, [password: string, code: string, message: string]> = {
  "too short": ["only eleven", "too_small", "must have at least 12 characters"],
  "too short in characters, though not in bytes": ["éééééé€€€€€", "too_small", "must have at least 12 characters"],
  "too long": ["violet ladder ".repeat(10), "too_long", "must have at most 128 characters"],
  "a common one with digits": ["Password1234!", "invalid_value", madeOf(WORD)],
  "a common one twice": ["passwordpassword", "invalid_value", madeOf(WORD)],
  "a common word twice": ["WelcomeWelcome", "invalid_value", madeOf(`${WORD} and ${AGAIN}`)],
  "a common one with the usual swaps": ["P@55w0rd!!!!!", "invalid_value", madeOf(`${WORD} and ${AGAIN}`)],
  "a word, a year and signs": ["Sommer2026!!", "invalid_value", madeOf(`${WORD}, a year and ${AGAIN}`)],
  "the name of the product": ["Countersign2026!", "invalid_value", madeOf("your name, your address or your organization and a year")],
  "a name of the person": ["Newcomer-1977", "invalid_value", madeOf("your name, your address or your organization and a year")],
  "the organization": ["Zyxwold Ltd 99", "invalid_value", madeOf(`your name, your address or your organization and ${AGAIN}`)],
  "one character": ["aaaaaaaaaaaa", "invalid_value", madeOf(AGAIN)],
  "two characters": ["abababababab", "invalid_value", madeOf(AGAIN)],
  "a run of digits": ["123456789012", "invalid_value", madeOf(ROW)],
  "a run of digits downwards": ["987654321098", "invalid_value", madeOf(ROW)],
  "a run of letters": ["abcdefghijklm", "invalid_value", madeOf(ROW)],
  "a run of the keyboard": ["qwertyuiopas", "invalid_value", madeOf(ROW)],
  "the e-mail address": ["newcomer@example.com", "invalid_value", "must not be the e-mail address"],
  "the e-mail address in capitals": ["NEWCOMER@EXAMPLE.COM", "invalid_value", "must not be the e-mail address"],
};

describe("a password", () => {
  test("is rejected if it is weak, and accepted with 12 to 128 characters", async () => {
    const org = await service.newOrg("Zyxwold Ltd");
    const invited = await org.admin("POST", "/org/invitations", { body: { email: "newcomer@example.com", role: "member" } });
    const token = invited.json.data.accept_url.split("#token=")[1];
    const accept = (password: string) => service.send("POST", "/auth/invitations/accept", { body: { token, name: "New", password } });
    for (const [what, [password, code, message]] of Object.entries(weak)) {
      const { status, json } = await accept(password);
      expect([what, status, json]).toEqual([what, 422, invalid("password", code, message)]);
    }
    expect((await accept("mauve otter kettle ".repeat(7).slice(0, 128))).status).toBe(201);
  });

  test("of 12 characters is long enough, and is the same in composed and decomposed Unicode", async () => {
    const org = await service.newOrg();
    expect((await change(org, PASSWORD, "caf\u00e9 tulip 7x")).status).toBe(200);
    expect(await tryLogIn(org.email, "cafe\u0301 tulip 7x")).toBe(200);
    expect(await tryLogIn(org.email, "cafe tulip 7x")).toBe(401);
  });

  test("is stored as argon2id with the current parameters, and two people with the same password have different hashes", async () => {
    const by = { ip: "127.0.0.1", user_agent: "test", request_id: "test" };
    const chooses = async (name: string, email: string) => {
      const prepared = await createOrg.prepare(service.features, { org_name: name, email, name, password: NEW_PASSWORD });
      return service.db.system((tx) => createOrg.save(tx, by, prepared));
    };
    const people = [await chooses("Ann", "ann@example.com"), await chooses("Sam", "sam@example.com")];
    const hashes = await Promise.all(people.map(hashOf));
    for (const stored of hashes) expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(hashes[0]).not.toBe(hashes[1]);
  });

  test("stored with other parameters is rehashed at log-in, and only then", async () => {
    const org = await service.newOrg();
    const old = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await service.database.owner("update users set password_hash = $2 where user_id = $1", [org.user_id, old]);
    expect(await tryLogIn(org.email, "not the password")).toBe(401);
    expect(await hashOf(org)).toBe(old);
    expect(await tryLogIn(org.email, PASSWORD)).toBe(200);
    const renewed = await hashOf(org);
    expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await tryLogIn(org.email, PASSWORD)).toBe(200);
    expect(await hashOf(org)).toBe(renewed);
    // Earlier sessions are still valid, because the password is the same.
    expect((await org.admin("GET", "/auth/me")).status).toBe(200);
  });
});

describe("a password that is easy to guess", () => {
  test.each([
    "P@ssw0rd1234",
    "Passw0rd2024!",
    "passwordpasswordpassword",
    "adminadminadmin",
    "zyxwvutsrqponm",
    "abcdefghijklmnopqrstuvwxyz0123",
    "123456789abc",
    "qwertzuiop123",
    "\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff441234",
  ])("is rejected, also with substitutions and repetitions: %s", async (password) => {
    const { status, json } = await change(await service.newOrg(), PASSWORD, password);
    expect([status, json.details?.[0]]).toMatchObject([422, { field: "new_password", code: "invalid_value" }]);
  });

  test.each(["mauve otter kettle 1931", "Tr0ub4dor&3-and-more", "x9$kQ2!vLm0pZr", "ein pferd frisst keinen gurkensalat"])(
    "does not include %s",
    async (password) => {
      const org = await service.newOrg();
      const { status } = await change(org, PASSWORD, password);
      expect(status).toBe(200);
    },
  );
});

describe("a list of breached passwords", () => {
  const folder = mkdtempSync(join(tmpdir(), "breached-"));
  const file = join(folder, "ordered-by-hash.txt");
  const stolen = ["violet ladder 88 sparrow", "copper lantern 55 thistle", "\u00e9clair marmot 64 umbrella"];
  const hashes = [...stolen, ...Array.from({ length: 500 }, (_, n) => `other ${n}`)].map((password) =>
    createHash("sha1").update(password).digest("hex").toUpperCase(),
  );
  // As Pwned Passwords has them: counts of several lengths, and lines that end as on Windows.
  writeFileSync(
    file,
    `${hashes
      .sort()
      .map((hash, n) => `${hash}:${10 ** (n % 7)}`)
      .join("\r\n")}\r\n`,
  );
  const checking = testService({ BREACHED_PASSWORDS_FILE: file });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("refuses the passwords in it, wherever they are in the file, and no others", async () => {
    const org = await checking.newOrg();
    for (const password of stolen) {
      const { status, json } = await change(org, PASSWORD, password);
      expect([status, json]).toEqual([422, invalid("new_password", "invalid_value", "is in a list of stolen passwords. Use another one")]);
    }
    expect((await change(org, PASSWORD, "quartz meadow 72 falcon")).status).toBe(200);
  });
});
