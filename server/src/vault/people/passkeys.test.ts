import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { softwarePasskey, type Told } from "../../../../testing/software-authenticator.ts";
import { jobsDone, testJobs } from "../../../test/jobs.ts";
import { addPasskey, ask, logInWithCode, logInWithPasskey, newPerson, told, tryPasskey, withToken } from "../../../test/people.ts";
import { refusedWith } from "../../../test/refused-with.ts";
import { testService } from "../../../test/service.ts";
import { startSmtpPeer } from "../../../test/smtp.ts";
import { newId } from "../../shared/ids.ts";

const peer = await startSmtpPeer();
const service = testService({ SMTP_URL: peer.url, MAIL_FROM: "sign@example.com" });
testJobs(service);
afterAll(() => peer.stop());

// All requests come from one IP address, whose quotas are meant for many people.
beforeEach(async () => {
  await service.database.owner("delete from quotas where subject ~ '^(refused|person-(code|log-in|options|passkey)):'");
});

const refused = [401, refusedWith("The passkey was not accepted")];
const needsPasskey = [403, refusedWith("Log in with one of your passkeys to add or remove a passkey")];

/** A person with a passkey, and a session that began with it. */
async function withPasskey(counts = false) {
  const person = await newPerson(service);
  const byCode = await logInWithCode(service, peer, person.email);
  const passkey = await addPasskey(service, byCode, softwarePasskey("ES256", { counts }));
  return { ...person, passkey, byCode };
}

describe("the first passkey", () => {
  test("needs a session that began with a code, is kept as SPKI, and logs in", async () => {
    const { email, person_id } = await newPerson(service);
    const send = await logInWithCode(service, peer, email);
    const { json } = await send("POST", "passkeys", { body: {} });
    expect(json.data).toMatchObject({
      rp: { id: "localhost", name: "Countersign" },
      user: { id: Buffer.from(person_id).toString("base64url"), name: email },
      attestation: "none",
      excludeCredentials: [],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    expect(json.data.pubKeyCredParams.map(({ alg }: { alg: number }) => alg)).toEqual([-7, -8, -257]);
    const passkey = softwarePasskey("EdDSA");
    const credential = passkey.register(told(service, json.data.challenge));
    const added = await send("POST", "passkeys/verify", { body: { credential, name: "Blue key" } });
    expect([added.status, added.json.data.passkey_id]).toEqual([201, expect.stringMatching(/^pk_/)]);
    const rows = await service.database.owner("select spki, algorithm, sign_count from person_passkeys where person_id = $1", [person_id]);
    expect(rows).toEqual([{ spki: passkey.spki, algorithm: "EdDSA", sign_count: expect.toBeOneOf([0, "0"]) }]);
    const { status, json: session } = await tryPasskey(service, passkey, { person_id });
    expect([status, Date.parse(session.data.expires_at)]).toEqual([200, expect.closeTo(Date.now() + 1_800_000, -5)]);
    const listed = await withToken(service, session.data.token)("GET", "passkeys");
    expect(listed.json.data.passkeys).toMatchObject([
      { passkey_id: added.json.data.passkey_id, credential_id: passkey.credential_id, name: "Blue key", backed_up: false },
    ]);
    expect(listed.json.data.passkeys[0].last_used_at).not.toBeNull();
  });

  test.each<[string, Partial<Told>]>([
    ["another origin", { origin: "https://evil.example" }],
    ["another host", { rp_id: "evil.example" }],
    ["no check of the person", { user_verified: false }],
    ["the type of a log-in", { type: "webauthn.get" }],
  ])("with %s is refused", async (_, changes) => {
    const send = await logInWithCode(service, peer, (await newPerson(service)).email);
    const { json } = await send("POST", "passkeys", { body: {} });
    const credential = softwarePasskey().register(told(service, json.data.challenge, changes));
    const { status, json: answer } = await send("POST", "passkeys/verify", { body: { credential } });
    expect([status, answer.details]).toEqual([
      422,
      [{ location: "body", field: "credential", code: "invalid_value", message: "is not a passkey that this site asked for" }],
    ]);
    expect((await send("GET", "passkeys")).json.data.passkeys).toEqual([]);
  });

  test("with a challenge that was used, has expired, or belongs to another person or a log-in is refused", async () => {
    const [ann, ben] = [await newPerson(service), await newPerson(service)];
    const [ofAnn, ofBen] = [await logInWithCode(service, peer, ann.email), await logInWithCode(service, peer, ben.email)];
    const options = async (send: typeof ofAnn) => (await send("POST", "passkeys", { body: {} })).json.data.challenge as string;
    const verify = (send: typeof ofAnn, challenge: string, passkey = softwarePasskey()) =>
      send("POST", "passkeys/verify", { body: { credential: passkey.register(told(service, challenge)) } });
    const foreign = await options(ofBen);
    const late = await options(ofAnn);
    await service.database.owner("update person_challenges set expires_at = now() where person_id = $1", [ann.person_id]);
    const forLogIn = (await ask(service, "POST", "session/passkey-options", {})).json.data.challenge;
    const invented = Buffer.alloc(32).toString("base64url");
    for (const challenge of [foreign, late, forLogIn, invented]) {
      const { status, json } = await verify(ofAnn, challenge);
      expect([status, json.details[0].code]).toEqual([422, "expired"]);
    }
    const used = await options(ofAnn);
    expect((await verify(ofAnn, used)).status).toBe(201);
    expect((await verify(ofAnn, used)).json.details[0].code).toBe("expired");
  });

  test("of two sessions at once is added once", async () => {
    const { email } = await newPerson(service);
    const [one, two] = [await logInWithCode(service, peer, email), await logInWithCode(service, peer, email)];
    const answers = await Promise.all(
      [one, two].map(async (send) => {
        const { json } = await send("POST", "passkeys", { body: {} });
        return () =>
          send("POST", "passkeys/verify", { body: { credential: softwarePasskey().register(told(service, json.data.challenge)) } });
      }),
    ).then((verify) => Promise.all(verify.map((run) => run())));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403]);
  });
});

describe("further passkeys", () => {
  test("cannot be added or removed in a session that began with a code", async () => {
    const { byCode, email } = await withPasskey();
    const again = await logInWithCode(service, peer, email);
    const [{ passkey_id }] = (await again("GET", "passkeys")).json.data.passkeys;
    for (const send of [byCode, again]) {
      const { status, json } = await send("POST", "passkeys", { body: {} });
      expect([status, json]).toEqual(needsPasskey);
      const removed = await send("DELETE", `passkeys/${passkey_id}`);
      expect([removed.status, removed.json]).toEqual(needsPasskey);
    }
  });

  test("are added in a session that began with one, which excludes those that exist; a known one is refused", async () => {
    const { passkey, email } = await withPasskey();
    const send = await logInWithPasskey(service, passkey);
    const { json } = await send("POST", "passkeys", { body: {} });
    expect(json.data.excludeCredentials).toEqual([{ type: "public-key", id: passkey.credential_id }]);
    const twice = await send("POST", "passkeys/verify", { body: { credential: passkey.register(told(service, json.data.challenge)) } });
    expect([twice.status, twice.json]).toEqual([409, refusedWith("This passkey is already registered")]);
    const second = await addPasskey(service, send, softwarePasskey("RS256"));
    const bySecond = await logInWithPasskey(service, second);
    expect((await bySecond("GET", "passkeys")).json.data).toMatchObject({ email, passkeys: [{}, {}] });
  });

  test("are at most ten", async () => {
    const { passkey, person_id } = await withPasskey();
    const send = await logInWithPasskey(service, passkey);
    await service.database.owner(
      "insert into person_passkeys (passkey_id, person_id, credential_id, spki, algorithm, sign_count, backed_up, name) " +
        "select 'pk_' || n || $1, $1, n || $1, '', 'ES256', 0, false, 'x' from generate_series(1, 9) n",
      [person_id],
    );
    const { status, json } = await send("POST", "passkeys", { body: {} });
    expect([status, json]).toEqual([409, refusedWith("You already have 10 passkeys, the maximum. Remove one first")]);
  });

  test("are removed by their person alone; a removed one and its sessions stop working, and the next first one needs a code", async () => {
    const { passkey, email } = await withPasskey();
    const [one, two] = [await logInWithPasskey(service, passkey), await logInWithPasskey(service, passkey)];
    const [{ passkey_id }] = (await one("GET", "passkeys")).json.data.passkeys;
    const stranger = await logInWithPasskey(service, (await withPasskey()).passkey);
    for (const id of [passkey_id, newId("passkey"), "pk_x"]) {
      const { status, json } = await stranger("DELETE", `passkeys/${id}`);
      expect([id, status, json]).toEqual([id, 404, refusedWith("Passkey not found")]);
    }
    expect((await one("DELETE", `passkeys/${passkey_id}`)).json).toEqual({ data: { done: true } });
    for (const send of [one, two]) expect((await send("GET", "passkeys")).status).toBe(401);
    const { status, json } = await tryPasskey(service, passkey);
    expect([status, json]).toEqual(refused);
    await addPasskey(service, await logInWithCode(service, peer, email));
  });

  test("each change is mailed to the person and to the other people of their parties", async () => {
    const { passkey, email } = await withPasskey();
    const [other, stranger] = [(await newPerson(service)).email, (await newPerson(service)).email];
    const org = await service.newOrg();
    const people = [email, other].map((address) => ({ email: address, name: "A person", rights: "approve" }));
    for (const body of [
      { kind: "people", name: "First Bank", people },
      { kind: "people", name: "Second Bank", people: [{ email: stranger, name: "A stranger", rights: "approve" }] },
    ]) {
      expect((await org.admin("POST", "/partner/parties", { body })).status).toBe(201);
    }
    const send = await logInWithPasskey(service, passkey);
    await addPasskey(service, send);
    const [, { passkey_id }] = (await send("GET", "passkeys")).json.data.passkeys;
    await send("DELETE", `passkeys/${passkey_id}`);
    await jobsDone(service);
    expect(peer.messages.some(({ to, text }) => to.includes(stranger) && text?.includes("passkey"))).toBe(false);
    const toOther = peer.messages.filter(({ to, text }) => to.includes(other) && text?.includes("passkey")).map(({ text }) => text ?? "");
    // Two messages of two moments can arrive in either order.
    expect(toOther.map((text) => text.split("\n")[0]).sort()).toEqual([
      `${email}, who confirms requests for First Bank as you do, has added the passkey “Key of a test”.`,
      `${email}, who confirms requests for First Bank as you do, has removed the passkey “Key of a test”.`,
    ]);
    const toPerson = peer.messages.filter(({ to, text }) => to.includes(email) && text?.includes("The passkey"));
    expect(toPerson).toHaveLength(3);
  });
});

describe("a log-in with a passkey", () => {
  test.each<[string, Partial<Told>]>([
    ["another origin", { origin: "https://evil.example" }],
    ["another host", { rp_id: "evil.example" }],
    ["a frame of another site", { cross_origin: true }],
    ["no check of the person", { user_verified: false }],
    ["the handle of another person", { user_handle: Buffer.from(newId("person")).toString("base64url") }],
    ["a challenge that the service did not make", { challenge: Buffer.alloc(32).toString("base64url") }],
  ])("with %s is refused", async (_, changes) => {
    const { passkey } = await withPasskey();
    const { status, json } = await tryPasskey(service, passkey, changes);
    expect([status, json]).toEqual(refused);
    expect((await tryPasskey(service, passkey)).status).toBe(200);
  });

  test("is refused when it is replayed, comes after five minutes, or is of an unknown passkey", async () => {
    const { passkey } = await withPasskey();
    const options = async () => (await ask(service, "POST", "session/passkey-options", {})).json.data.challenge as string;
    const credential = passkey.approve(told(service, await options()));
    expect((await ask(service, "POST", "session/passkey", { credential })).status).toBe(200);
    const replayed = await ask(service, "POST", "session/passkey", { credential });
    expect([replayed.status, replayed.json]).toEqual(refused);
    const late = passkey.approve(told(service, await options()));
    await service.database.owner("update person_challenges set expires_at = expires_at - interval '5 minutes'");
    expect((await ask(service, "POST", "session/passkey", { credential: late })).status).toBe(401);
    const { status, json } = await tryPasskey(service, softwarePasskey());
    expect([status, json]).toEqual(refused);
  });

  test("is refused if the count of signatures does not grow, so that a copy of the passkey is noticed", async () => {
    const { passkey } = await withPasskey(true);
    expect((await tryPasskey(service, passkey, { count: 7 })).status).toBe(200);
    for (const count of [7, 6, 0]) expect((await tryPasskey(service, passkey, { count })).status, `count ${count}`).toBe(401);
    expect((await tryPasskey(service, passkey, { count: 8 })).status).toBe(200);
  });

  test("works while codes are locked", async () => {
    const { passkey, email } = await withPasskey();
    await ask(service, "POST", "session", { email, code: "00000000" });
    await service.database.owner(
      "select take_quota(subject, 20, interval '1 day') from quotas, generate_series(1, 20) where subject like 'person-failures:%'",
    );
    expect((await ask(service, "POST", "session", { email, code: "00000000" })).status).toBe(429);
    expect((await tryPasskey(service, passkey)).status).toBe(200);
  });
});
