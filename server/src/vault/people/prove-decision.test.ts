import { createHash } from "node:crypto";
import { type PasskeyProof, passkeyProofFault } from "@countersign/evidence";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { softwarePasskey, type Told } from "../../../../testing/software-authenticator.ts";
import { jobsDone, testJobs } from "../../../test/jobs.ts";
import { addPasskey, ask, codeTo, logInWithCode, mailedCode, newPerson, told } from "../../../test/people.ts";
import { testService } from "../../../test/service.ts";
import { startSmtpPeer } from "../../../test/smtp.ts";
import type { PersonCaller } from "../../shared/caller.ts";
import { Problem } from "../../shared/problems.ts";
import { type DecidedAct, type DecisionCredential, proveDecision } from "./prove-decision.ts";

const peer = await startSmtpPeer();
const service = testService({ SMTP_URL: peer.url, MAIL_FROM: "sign@example.com" });
testJobs(service);
afterAll(() => peer.stop());

beforeEach(async () => {
  await service.database.owner("delete from quotas where subject ~ '^(refused|person-(code|log-in|options|passkey)):'");
  // Acts are another part of the vault, which passes this in.
  Object.assign(service.features.people, {
    lookUpActOf: async (_tx: unknown, person_id: string, act_id: string) => {
      const act = acts.get(act_id);
      return act?.person_id === person_id ? { sha256: act.sha256, summary: "Assign “Lease 12” to Second Bank" } : null;
    },
  });
});

const acts = new Map<string, DecidedAct & { person_id: string }>();

function newAct(person_id: string): DecidedAct {
  const act_id = `act_${acts.size}`;
  const act = { act_id, sha256: createHash("sha256").update(act_id).digest("hex"), person_id };
  acts.set(act_id, act);
  return act;
}

async function someone(): Promise<PersonCaller> {
  const { person_id, email } = await newPerson(service);
  const person = { person_id, email, began_with: "code", expires_at: new Date(), token_hash: Buffer.alloc(32) } as const;
  return { ip: "127.0.0.1", user_agent: "", request_id: "test", actor: { kind: "person", id: person_id }, person };
}

async function prove(who: PersonCaller, act: DecidedAct, given: DecisionCredential) {
  const prepared = await proveDecision.prepare(service.features.people, who, act, given);
  return service.db.system((tx) => proveDecision.save(tx, prepared));
}

async function refusalOf(attempt: Promise<unknown>): Promise<readonly [string, string | undefined, string | undefined]> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof Problem) return [error.code, error.details?.[0]?.field ?? undefined, error.details?.[0]?.message];
    throw error;
  }
  return expect.fail("nothing was refused");
}

const wrongCode = ["invalid_request", "code", "is wrong, has expired or is not for this act"];
const badPasskey = ["invalid_request", "assertion", "is of a passkey that you do not have, that was removed, or that may have been copied"];

describe("a decision with a passkey", () => {
  async function withPasskey(counts = false) {
    const who = await someone();
    const passkey = await addPasskey(service, await logInWithCode(service, peer, who.person.email), softwarePasskey("ES256", { counts }));
    const act = newAct(who.person.person_id);
    const challenge = Buffer.from(act.sha256, "hex").toString("base64url");
    return { who, passkey, act, approve: (changes: Partial<Told> = {}) => passkey.approve(told(service, challenge, changes)) };
  }

  test("is proven by what anyone can check offline, and by nothing that was changed", async () => {
    const { who, act, passkey, approve } = await withPasskey();
    const { method, proof } = await prove(who, act, { assertion: approve() });
    expect([method, proof]).toEqual([
      "passkey",
      {
        credential_id: passkey.credential_id,
        spki: passkey.spki.toString("base64"),
        algorithm: "ES256",
        authenticator_data: expect.any(String),
        client_data: expect.any(String),
        signature: expect.any(String),
        rp_id: "localhost",
        origin: service.config.publicUrl,
      },
    ]);
    const kept = JSON.parse(JSON.stringify(proof)) as PasskeyProof;
    expect(passkeyProofFault(kept, act.sha256)).toBeNull();
    expect(passkeyProofFault(kept, newAct("").sha256)).toBe("challenge");
    for (const member of ["spki", "algorithm", "authenticator_data", "client_data", "signature", "rp_id", "origin"] as const) {
      expect(passkeyProofFault({ ...kept, [member]: `A${kept[member].slice(1)}x` }, act.sha256), member).not.toBeNull();
    }
  });

  test("is refused for another act, from another site, without a check of the person, and with another person's passkey", async () => {
    const { who, act, approve } = await withPasskey();
    const said = async (changes: Partial<Told>) => (await refusalOf(prove(who, act, { assertion: approve(changes) })))[2];
    expect(await said({ challenge: Buffer.alloc(32).toString("base64url") })).toBe("approves something other than this act");
    expect(await said({ origin: "https://evil.example" })).toBe("was not made on this site");
    expect(await said({ rp_id: "evil.example" })).toBe("was not made for this site");
    expect(await said({ user_verified: false })).toBe("was made without a check of the person, such as a PIN or a fingerprint");
    const stranger = await someone();
    expect(await refusalOf(prove(stranger, act, { assertion: approve() }))).toEqual(badPasskey);
    const assertion = softwarePasskey().approve(told(service, Buffer.from(act.sha256, "hex").toString("base64url")));
    expect(await refusalOf(prove(who, act, { assertion }))).toEqual(badPasskey);
    const forged = { ...assertion, id: approve().id };
    expect((await refusalOf(prove(who, act, { assertion: forged })))[2]).toBe("does not fit the passkey");
  });

  test("is refused if the count does not grow or the passkey was removed in the meantime", async () => {
    const { who, act, approve } = await withPasskey(true);
    const assertion = approve({ count: 5 });
    await prove(who, act, { assertion });
    expect(await refusalOf(prove(who, act, { assertion }))).toEqual(badPasskey);
    const two = approve({ count: 6 });
    const prepared = await proveDecision.prepare(service.features.people, who, act, { assertion: two });
    await service.database.owner("update person_passkeys set revoked_at = now() where person_id = $1", [who.person.person_id]);
    expect(await refusalOf(service.db.system((tx) => proveDecision.save(tx, prepared)))).toEqual(badPasskey);
  });
});

describe("a decision with a code", () => {
  test("is proven by the address, the message and the times, and never contains the code", async () => {
    const who = await someone();
    const act = newAct(who.person.person_id);
    const code = await mailedCode(service, peer, who.person.email, act.act_id);
    expect(peer.messages.at(-1)?.text).toContain("Enter this code to decide on this request: Assign “Lease 12” to Second Bank");
    const { method, proof } = await prove(who, act, { code });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect([method, proof]).toEqual([
      "code",
      { address: who.person.email, message_id: expect.stringMatching(/^msg_/), made_at: time, mail_accepted_at: time, used_at: time },
    ]);
    expect(JSON.stringify(proof)).not.toContain(code);
    expect(await refusalOf(prove(who, act, { code }))).toEqual(wrongCode);
  });

  test("is refused with the code for another act or for log-in, and a code for an act does not log in", async () => {
    const who = await someone();
    const { email, person_id } = who.person;
    const [one, two] = [newAct(person_id), newAct(person_id)];
    const forOne = await mailedCode(service, peer, email, one.act_id);
    const forTwo = await mailedCode(service, peer, email, two.act_id);
    const forLogIn = await mailedCode(service, peer, email);
    expect(await refusalOf(prove(who, one, { code: forTwo }))).toEqual(wrongCode);
    expect(await refusalOf(prove(who, one, { code: forLogIn }))).toEqual(wrongCode);
    expect((await ask(service, "POST", "session", { email, code: forOne })).status).toBe(401);
    expect((await prove(who, one, { code: forOne })).method).toBe("code");
    expect((await prove(who, two, { code: forTwo })).method).toBe("code");
    expect((await ask(service, "POST", "session", { email, code: forLogIn })).status).toBe(200);
  });

  test("is 429 at the sixth attempt, whatever the code", async () => {
    const who = await someone();
    const act = newAct(who.person.person_id);
    const code = await mailedCode(service, peer, who.person.email, act.act_id);
    const another = (n: number) => String((Number(code) + n) % 100_000_000).padStart(8, "0");
    for (let n = 1; n <= 5; n++) expect(await refusalOf(prove(who, act, { code: another(n) }))).toEqual(wrongCode);
    expect((await refusalOf(prove(who, act, { code })))[0]).toBe("rate_limited");
  });

  test("is not used up if the transaction of the decision fails, and works for one of two at once", async () => {
    const who = await someone();
    const act = newAct(who.person.person_id);
    const code = await mailedCode(service, peer, who.person.email, act.act_id);
    const prepared = await proveDecision.prepare(service.features.people, who, act, { code });
    const failing = service.db.system(async (tx) => {
      await proveDecision.save(tx, prepared);
      throw new Problem("envelope_changed");
    });
    await expect(failing).rejects.toMatchObject({ code: "envelope_changed" });
    const both = await Promise.allSettled([prove(who, act, { code }), prove(who, act, { code })]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("has no code for an act that the person cannot decide on", async () => {
    const [ann, ben] = [await someone(), await someone()];
    const act = newAct(ben.person.person_id);
    for (const act_id of [act.act_id, "act_none"]) {
      expect((await ask(service, "POST", "code", { email: ann.person.email, act_id })).status).toBe(202);
    }
    await jobsDone(service);
    expect(await codeTo(service, peer, ann.person.email)).toBeNull();
  });
});
