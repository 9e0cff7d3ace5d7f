import { createHmac, randomBytes, randomInt } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { softwarePasskey } from "../../../../testing/software-authenticator.ts";
import { type SigningSession, signingSession } from "../../../test/ceremony.ts";
import { chainOf } from "../../../test/envelopes.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../../test/lease.ts";
import { type TestOrg, testService } from "../../../test/service.ts";
import type { AssertionResponse } from "../../proofs/protocol.ts";
import { asSystem, systemOrigin, type WidgetCaller } from "../../shared/caller.ts";
import type { EnvelopeId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import type { Slug } from "../../shared/slugs.ts";
import { answerChallenge } from "./answer-challenge.ts";
import type { Hashing } from "./kba/answers.ts";
import { type Against, type Method, type MethodName, type Methods, methods, type Person } from "./method.ts";
import { type Authentication, hashRequirements } from "./requirement.ts";
import { setRequirements } from "./set-requirements.ts";
import { startChallenge } from "./start-challenge.ts";

/**
 * What every method must do, and that methods of other kinds fit into the same port: a code to a telephone number that the sender gives, a
 * passkey, and a check by a service outside that takes its time. Those three exist only here.
 */

const service = testService();
const site = { rp_id: "sign.example.com", origin: "https://sign.example.com" };

/** What the provider of text messages was given to send. */
const texts: { to: string | null; code: string }[] = [];

const smsCode: Method = {
  ...methods.email_code,
  name: "sms_code" as MethodName,
  provider: "sms.example",
  material: {
    faultOf: (given) => (/^\+\d{8,15}$/.test(given) ? null : { code: "invalid_value", message: "must be a number such as +4930123456" }),
    keep: async (_hashing, given) => given,
  },
  issuing: {
    perChallenge: 3,
    againAfterSeconds: 60,
    // A number can be asked for in many envelopes, so it has a limit of its own.
    quotas: (of, { slug, material }) => {
      const [person, number] = [slug, material ?? ""].map((text) => createHmac("sha256", "sms").update(text).digest("hex"));
      return [
        { subject: `sms:${person}`, limit: 6, seconds: 3_600 },
        { subject: `sms:number:${number}`, limit: 2, seconds: 3_600 },
        { subject: `sms:org:${of}`, limit: 200, seconds: 86_400 },
      ];
    },
    make: methods.email_code.issuing?.make ?? expect.fail("a mailed code is made"),
    send: async ({ person }, code) => {
      texts.push({ to: person.material, code });
      return null;
    },
    tell: () => null,
  },
  lacks: () => null,
  hint: ({ material }) => `***${(material ?? "").slice(-3)}`,
};

/** A device that the person registered before. */
const device = softwarePasskey();

const passkey: Method = {
  name: "passkey" as MethodName,
  provider: "builtin",
  tries: 5,
  locks: false,
  minutes: 5,
  material: null,
  issuing: {
    perChallenge: 20,
    againAfterSeconds: 0,
    quotas: () => [],
    make: async () => ({ secret: "", kept: randomBytes(32).toString("base64url") }),
    send: null,
    tell: (challenge) => ({ challenge, rp_id: site.rp_id }),
  },
  lacks: () => null,
  hint: () => null,
  async judge({ proofs, org }, answer, { kept }) {
    if (kept === null || typeof answer !== "object" || answer === null || !("response" in answer)) return "failed";
    const key = { spki: device.spki, algorithm: device.algorithm, sign_count: 0 };
    const checked = await proofs.checkPasskey(site, kept, answer as AssertionResponse, key, { known: true, group: org });
    return checked.ok ? "passed" : "failed";
  },
};

/** What the service outside says of each check, by its reference. */
const checks = new Map<string, "pending" | "passed" | "failed">();

const idCheck: Method = {
  name: "id_check" as MethodName,
  provider: "id.example",
  tries: 3,
  locks: true,
  minutes: 60,
  material: null,
  issuing: {
    perChallenge: 3,
    againAfterSeconds: 60,
    quotas: () => [],
    async make(_hashing, { name }) {
      const ref = randomBytes(8).toString("hex");
      checks.set(ref, "pending");
      return { secret: "", kept: JSON.stringify({ ref, url: `https://id.example/${ref}?name=${encodeURIComponent(name)}` }) };
    },
    send: null,
    tell: (kept) => ({ url: JSON.parse(kept).url }),
  },
  lacks: ({ mailsCodes }) => (mailsCodes ? { code: "conflict", message: "is not set up here" } : null),
  hint: () => null,
  judge: async (_hashing, _answer, { kept }) => (kept === null ? "failed" : (checks.get(JSON.parse(kept).ref) ?? "failed")),
};

const all = { ...methods, sms_code: smsCode, passkey, id_check: idCheck } as Methods;
const named = (name: string): MethodName => name as MethodName;

let org: TestOrg;
let hashing: Hashing;
beforeAll(async () => {
  Object.assign(service.features.envelopes, { identityMethods: all });
  Object.assign(service.features.signing, { identityMethods: all });
  // What the migration of a method that keeps something would do.
  await service.database.owner("alter table identity_requirements drop constraint identity_requirements_check");
  org = await service.newOrg();
  hashing = { proofs: service.features.proofs, org: org.org_id };
});

interface Example {
  readonly method: Method;
  /** what the sender gives, if anything */
  readonly given: string | null;
  /** right and wrong answers to a challenge */
  answers(made: { readonly secret: string; readonly kept: string } | null): { readonly right: unknown; readonly wrong: unknown };
}

const told = (challenge: string) => ({ ...site, challenge });

const examples: readonly Example[] = [
  {
    method: methods.email_code,
    given: null,
    answers: (made) => ({ right: ` ${made?.secret.slice(0, 3)} ${made?.secret.slice(3)}`, wrong: otherThan(made?.secret ?? "") }),
  },
  { method: methods.access_code, given: "Blue-Harbour-7", answers: () => ({ right: " Blue-Harbour-7", wrong: "Blue-Harbour-8" }) },
  { method: smsCode, given: "+4930123456", answers: (made) => ({ right: made?.secret, wrong: otherThan(made?.secret ?? "") }) },
  {
    method: passkey,
    given: null,
    answers: (made) => ({
      right: device.approve(told(made?.kept ?? "")),
      wrong: device.approve(told(randomBytes(32).toString("base64url"))),
    }),
  },
];

const otherThan = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

async function personFor({ method, given }: Example): Promise<Person> {
  const material = method.material === null || given === null ? null : await method.material.keep(hashing, given);
  return { slug: "a".repeat(32) as Slug, email: "ann@example.com", name: "Ann Example", material };
}

async function challenged(example: Example): Promise<{ against: Against; right: unknown; wrong: unknown }> {
  const person = await personFor(example);
  const made = (await example.method.issuing?.make(hashing, person)) ?? null;
  return { against: { person, kept: made?.kept ?? null }, ...example.answers(made) };
}

describe.each(examples.map((example) => [example.method.name, example] as const))("the method %s", (_name, example) => {
  const { method } = example;

  test("tells right answers from wrong ones, and takes an answer of another form for a wrong one", async () => {
    const { against, right, wrong } = await challenged(example);
    expect(await method.judge(hashing, right, against)).toBe("passed");
    for (const answer of [wrong, "", undefined, null, 481516, {}, [], { response: {} }, { code: right }])
      expect([answer, await method.judge(hashing, answer, against)]).toEqual([answer, "failed"]);
  });

  test("judges by this person and this challenge", async () => {
    const [one, another] = [await challenged(example), await challenged(example)];
    const nothing = { person: { ...one.against.person, material: null }, kept: null };
    expect(await method.judge(hashing, one.right, nothing)).toBe("failed");
    if (method.issuing !== null) expect(await method.judge(hashing, one.right, another.against)).toBe("failed");
  });

  test("counts under subjects that name no one, and shows where something is sent only in part", async () => {
    const person = await personFor(example);
    const subjects = method.issuing?.quotas(org.org_id, person).map(({ subject }) => subject) ?? [];
    for (const secret of [person.slug, person.email, example.given ?? "ann"]) {
      for (const subject of subjects) expect(subject).not.toContain(secret);
      expect(method.hint(person) ?? "").not.toContain(secret);
    }
    expect(new Set(subjects).size).toBe(subjects.length);
  });

  test("keeps nothing from which the secret can be read", async () => {
    const person = await personFor(example);
    const made = (await method.issuing?.make(hashing, person)) ?? null;
    if (made !== null && made.secret !== "") expect(made.kept).not.toContain(made.secret);
    if (method === methods.access_code) expect(person.material).not.toContain(example.given);
  });
});

interface Asked {
  readonly one: SigningSession;
  readonly who: WidgetCaller;
  readonly envelope_id: EnvelopeId;
}

const deps = () => service.features.signing;

async function askedFor(given: Authentication): Promise<Asked> {
  const key = await org.newKey();
  const envelope_id = (await newEnvelope(key, await newTemplate(key))) as EnvelopeId;
  const { json } = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord] } });
  const slug = json.data.signers[0].slug as Slug;
  const required = await hashRequirements({ methods: all, mailsCodes: false }, hashing, given, "authentication");
  const origin = systemOrigin("test", "test");
  const caller = { ...origin, org: org.org_id, actor: asSystem(origin).actor, scopes: [], session: null };
  await setRequirements(deps(), caller, { envelope_id, slug }, required);
  const one = await signingSession(service, org, envelope_id, tenant.email);
  const holder = {
    envelope_id,
    user_email: tenant.email,
    slug,
    credential: "embed_token",
    link: null,
    token_expires_at: new Date(Date.now() + 900_000),
    token_sha256: "0".repeat(64),
    signing_session: one.session,
  } as const;
  return { one, envelope_id, who: { ...caller, actor: { kind: "signer", id: slug }, holder } as unknown as WidgetCaller };
}

const start = ({ who }: Asked, method: string) => startChallenge(deps(), who, named(method));
const answer = async ({ who }: Asked, method: string, challenge_id: string, given: unknown) =>
  answerChallenge.record(deps(), who, named(method), await answerChallenge.judge(deps(), who, named(method), { challenge_id, given }));
const codeOf = (error: unknown) => (error instanceof Problem ? error.code : error);
const refusal = (run: Promise<unknown>) => run.then(() => "accepted", codeOf);
const seen = async ({ one }: Asked) => (await one.send("GET", "/pages/1")).status;
const entriesOf = async ({ envelope_id }: Asked) =>
  (await chainOf(service, org.org_id, envelope_id)).flatMap(({ type, data }) =>
    /^identity\.(sent|passed|failed|locked)$/.test(type) ? [[type, data.method, data.provider, data.hint, data.message_id]] : [],
  );

describe("in a ceremony, without a change to it", () => {
  test("a code to a number that the sender gave is sent by its provider, and limited for the number in all envelopes", async () => {
    const number = `+49${randomInt(10_000_000, 99_999_999)}`;
    const hint = `***${number.slice(-3)}`;
    const sms = [{ method: named("sms_code"), code: number }];
    const asked = await askedFor(sms);
    expect(await seen(asked)).toBe(409);
    const { challenge_id, sent_to } = await start(asked, "sms_code");
    expect(sent_to).toBe(hint);
    const code = texts.at(-1)?.code ?? "";
    expect(texts).toEqual([{ to: number, code: expect.stringMatching(/^\d{6}$/) }]);
    expect(await answer(asked, "sms_code", challenge_id, otherThan(code))).toMatchObject({ state: "required", attempts_left: 4, hint });
    expect(await answer(asked, "sms_code", challenge_id, code)).toMatchObject({ state: "passed" });
    expect(await seen(asked)).toBe(200);
    expect(await entriesOf(asked)).toEqual([
      ["identity.sent", "sms_code", "sms.example", hint, undefined],
      ["identity.failed", "sms_code", "sms.example", undefined, undefined],
      ["identity.passed", "sms_code", "sms.example", undefined, undefined],
    ]);
    expect(await refusal(start(await askedFor(sms), "sms_code"))).toBe("accepted");
    expect(await refusal(start(await askedFor(sms), "sms_code"))).toBe("rate_limited");
    const other = await askedFor([{ method: named("sms_code"), code: "+4930000000" }]);
    expect(await refusal(start(other, "sms_code"))).toBe("accepted");
    expect(await refusal(askedFor([{ method: named("sms_code"), code: "030 123" }]))).toBe("invalid_request");
    expect(await refusal(askedFor([{ method: named("sms_code") }]))).toBe("invalid_request");
  });

  test("a passkey signs the challenge that the page is told, once", async () => {
    const asked = await askedFor([{ method: named("passkey") }]);
    expect(await seen(asked)).toBe(409);
    const { challenge_id, told: first, sent_to } = await start(asked, "passkey");
    expect([sent_to, first]).toEqual([null, { challenge: expect.stringMatching(/^[\w-]{43}$/), rp_id: site.rp_id }]);
    const { told: second, ...again } = await start(asked, "passkey");
    expect(again.challenge_id).toBe(challenge_id);
    const sign = (it: unknown) => device.approve(told((it as { challenge: string }).challenge));
    expect(await answer(asked, "passkey", challenge_id, sign(first)), "another challenge took its place").toMatchObject({
      state: "required",
      attempts_left: 4,
    });
    expect(await answer(asked, "passkey", challenge_id, sign(second))).toMatchObject({ state: "passed" });
    expect(await refusal(answer(asked, "passkey", challenge_id, sign(second)))).toBe("challenge_over");
    expect(await seen(asked)).toBe(200);
    expect(await entriesOf(asked), "nothing was sent").toEqual([
      ["identity.failed", "passkey", "builtin", undefined, undefined],
      ["identity.passed", "passkey", "builtin", undefined, undefined],
    ]);
  });

  test("a passkey's challenge ends after the minutes of its method, and the others after theirs", async () => {
    const asked = await askedFor([{ method: named("passkey") }, { method: "access_code", code: "Blue-Harbour-7" }]);
    const later = (minutes: number) =>
      service.database.owner("update identity_challenges set issued_at = issued_at - make_interval(mins => $2) where slug = $1", [
        asked.who.holder.slug,
        minutes,
      ]);
    const { challenge_id, told: it } = await start(asked, "passkey");
    await later(6);
    const signed = device.approve(told((it as { challenge: string }).challenge));
    expect(await refusal(answer(asked, "passkey", challenge_id, signed))).toBe("challenge_over");
    const next = await start(asked, "passkey");
    await answer(asked, "passkey", next.challenge_id, device.approve(told((next.told as { challenge: string }).challenge)));
    const agreed = await start(asked, "access_code");
    await later(6);
    expect(await answer(asked, "access_code", agreed.challenge_id, "Blue-Harbour-7")).toMatchObject({ state: "passed" });
  });

  test("a check that is pending decides and records nothing until its provider has decided", async () => {
    const asked = await askedFor([{ method: named("id_check") }]);
    const { challenge_id, told: it } = await start(asked, "id_check");
    const { url } = it as { url: string };
    const ref = /^https:\/\/id\.example\/([0-9a-f]{16})\?name=/.exec(url)?.[1] ?? "";
    expect((await start(asked, "id_check")).told, "the same check while it is new").toEqual(it);
    for (let asks = 0; asks < 5; asks++)
      expect(await answer(asked, "id_check", challenge_id, null)).toMatchObject({ state: "required", attempts_left: 3 });
    expect([await entriesOf(asked), await seen(asked)]).toEqual([[], 409]);
    checks.set(ref, "passed");
    expect(await answer(asked, "id_check", challenge_id, null)).toMatchObject({ state: "passed" });
    expect(await entriesOf(asked)).toEqual([["identity.passed", "id_check", "id.example", undefined, undefined]]);
    expect(await seen(asked)).toBe(200);
  });

  test("a check that fails three times locks the person, as an access code does", async () => {
    const asked = await askedFor([{ method: named("id_check") }]);
    const { challenge_id, told: it } = await start(asked, "id_check");
    checks.set(/([0-9a-f]{16})\?/.exec((it as { url: string }).url)?.[1] ?? "", "failed");
    const states = [];
    for (let tries = 0; tries < 3; tries++) states.push((await answer(asked, "id_check", challenge_id, null)).state);
    expect(states).toEqual(["required", "required", "locked"]);
    expect(await refusal(start(asked, "id_check"))).toBe("signer_locked");
    expect((await entriesOf(asked)).map(([type]) => type)).toEqual([...Array(3).fill("identity.failed"), "identity.locked"]);
  });

  test("a method that is not set up here is refused with its own reason", async () => {
    const given = [{ method: named("id_check") }];
    const fault = hashRequirements({ methods: all, mailsCodes: true }, hashing, given, "authentication").catch(
      (error: unknown) => error instanceof Problem && error.details,
    );
    expect(await fault).toEqual([{ location: "body", field: "authentication[0].method", code: "conflict", message: "is not set up here" }]);
  });
});
