import { createHash, X509Certificate } from "node:crypto";
import { type Facts2, type NamedFile, rules2 } from "@countersign/evidence";
import { afterAll, describe, expect, test, vi } from "vitest";
import { unzipBundle, verifyBundle } from "../../../../verify/src/index.ts";
import { makeReady, type SigningSession, signingSession } from "../../../test/ceremony.ts";
import { chainOf, signerStatuses } from "../../../test/envelopes.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../../test/lease.ts";
import { type TestKey, type TestOrg, testService } from "../../../test/service.ts";
import { startSmtpPeer } from "../../../test/smtp.ts";
import { until } from "../../../test/until.ts";
import { readChain } from "../../audit/read-chain.ts";
import { finishDocument } from "../../envelopes/finish-document.ts";
import { resumeMail } from "../../mail/resume-mail.ts";
import type { EnvelopeId } from "../../shared/ids.ts";
import { storeEnvelope } from "../../vault/store-envelope.ts";

const peer = await startSmtpPeer();
const service = testService({ SMTP_URL: peer.url, MAIL_FROM: "sign@example.com" });
const withoutMail = testService();
afterAll(() => peer.stop());

const SECRET = "Blue-Harbour-7";
const mailed = { method: "email_code" };
const agreed = { method: "access_code", code: SECRET };

interface Asked {
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly envelope_id: EnvelopeId;
  readonly slug: string;
  readonly at: (session?: string) => Promise<SigningSession>;
}

async function newEnvelopeWith(authentication: readonly object[], more: object = {}, others: object = landlord): Promise<Asked> {
  const org = await service.newOrg();
  const key = await org.newKey();
  const envelope_id = (await newEnvelope(key, await newTemplate(key), more)) as EnvelopeId;
  const body = { signers: [{ ...tenant, authentication }, others] };
  const { status, json } = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body });
  expect([status, json.error]).toEqual([200, undefined]);
  const at = (session?: string) => signingSession(service, org, envelope_id, tenant.email, session);
  return { org, key, envelope_id, slug: json.data.signers[0].slug, at };
}

const code = ({ status, json }: { status: number; json: { details?: { code: string }[] } }) => [status, json.details?.[0]?.code];
const start = (one: SigningSession, method: string) => one.send("POST", `/identity/${method}/start`);
const answer = (one: SigningSession, method: string, challenge_id: string, given: string) =>
  one.send("POST", `/identity/${method}/answer`, { body: { challenge_id, code: given } });

/** The code in the latest message that the mail server got. */
async function mailedCode(): Promise<string> {
  await resumeMail(service.features.mail);
  const mail = peer.messages.findLast(({ text }) => /^Code: \d{6}$/m.test(text ?? ""));
  return /^Code: (\d{6})$/m.exec(mail?.text ?? "")?.[1] ?? expect.fail("no code was mailed");
}

async function passMailed(one: SigningSession) {
  const { challenge_id } = (await start(one, "email_code")).json.data;
  return answer(one, "email_code", challenge_id, await mailedCode());
}

async function passAgreed(one: SigningSession, given = SECRET) {
  const { challenge_id } = (await start(one, "access_code")).json.data;
  return answer(one, "access_code", challenge_id, given);
}

const otherThan = (right: string): string => (right === "000000" ? "000001" : "000000");
const entriesOf = async ({ org, envelope_id }: Asked) =>
  (await chainOf(service, org.org_id, envelope_id)).filter(({ type }) => type.startsWith("identity."));
const pages = ["/pages/1", "/pages/1/text", "/document", "/pages/1?values=1"];

describe("codes that the sender requires", () => {
  test("come first, in the sender's order; nothing of the document is shown before", async () => {
    const asked = await newEnvelopeWith([mailed, agreed]);
    const one = await asked.at();
    expect((await one.open()).json.data).toMatchObject({
      state: "ready",
      document: null,
      fields: null,
      identity: {
        state: "required",
        level: 0,
        attempts_left: 5,
        steps: [
          { method: "email_code", state: "required", hint: "a***@example.com", attempts_left: 5, valid_until: null },
          { method: "access_code", state: "required", hint: null, attempts_left: 5, valid_until: null },
        ],
      },
    });
    const refused = async () => {
      for (const path of pages) expect([path, ...code(await one.send("GET", path))]).toEqual([path, 409, "identity_required"]);
      expect(code(await one.consent())).toEqual([409, "identity_required"]);
      expect(code(await one.save({ values: [] }))).toEqual([409, "identity_required"]);
      expect(code(await one.complete())).toEqual([409, "identity_required"]);
      expect(code(await one.send("POST", "/paper"))).toEqual([409, "identity_required"]);
    };
    await refused();
    expect(code(await start(one, "access_code")), "the other step comes first").toEqual([409, "identity_required"]);
    expect((await passMailed(one)).json.data).toMatchObject({ method: "email_code", state: "passed" });
    await refused();
    expect((await one.open()).json.data).toMatchObject({ document: null, identity: { state: "required", level: 1 } });
    expect((await passAgreed(one, `  ${SECRET} `)).json.data).toMatchObject({ method: "access_code", state: "passed" });
    const { identity, document } = (await one.open()).json.data;
    expect([identity.state, identity.level, document === null]).toEqual(["passed", 2, false]);
    await makeReady(one);
    expect((await one.complete()).status).toBe(200);
    expect((await entriesOf(asked)).map(({ type, data }) => [type, Object(data).method ?? Object(data).methods])).toEqual([
      ["identity.set", ["email_code", "access_code"]],
      ["identity.sent", "email_code"],
      ["identity.passed", "email_code"],
      ["identity.passed", "access_code"],
    ]);
  });

  test("are valid in one visit, for an hour", async () => {
    const asked = await newEnvelopeWith([agreed]);
    const one = await asked.at();
    await passAgreed(one);
    expect((await (await asked.at()).open()).json.data).toMatchObject({ document: null, identity: { state: "required" } });
    await makeReady(one);
    await service.database.owner("update identity_results set at = at - interval '61 minutes' where slug = $1", [asked.slug]);
    expect(code(await one.complete())).toEqual([409, "identity_expired"]);
    expect((await one.open()).json.data).toMatchObject({ document: null, identity: { state: "expired", level: 0 } });
    await passAgreed(one);
    expect((await one.complete()).status).toBe(200);
  });

  test("hide the document from people who cannot prove who they are: readers, and a cc before the result", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const envelope_id = (await newEnvelope(key, await newTemplate(key))) as EnvelopeId;
    const people = [
      { ...tenant, kind: "signer", step: 1, authentication: [agreed] },
      { ...landlord, kind: "signer", step: 2 },
      { kind: "cc", email: "carl@example.com", name: "Carl", step: 1 },
    ];
    const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { recipients: people } });
    expect([sent.status, sent.json.error]).toEqual([200, undefined]);
    const reader = await signingSession(service, org, envelope_id, "boss@example.com");
    expect((await reader.open()).json.data).toMatchObject({ state: "read_only", document: null });
    for (const path of pages.slice(0, 3)) expect([path, ...code(await reader.send("GET", path))]).toEqual([path, 409, "identity_required"]);
    expect((await start(reader, "access_code")).status).toBe(403);
    const copy = await signingSession(service, org, envelope_id, "carl@example.com");
    expect((await copy.open()).json.data).toMatchObject({ state: "waiting", document: null });
    const queued = await service.database.owner("select 1 from mail_messages where org_id = $1 and to_address = 'carl@example.com'", [
      org.org_id,
    ]);
    expect(queued, "no link before the result").toEqual([]);
  });

  test("keep their place before identity questions, which follow", async () => {
    const asked = await newEnvelopeWith([agreed], { kba_required: true });
    const questions = ["first", "second"].map((which) => ({ text: `The ${which} word?`, answer: which }));
    const path = `/partner/envelopes/${asked.envelope_id}/signers/${asked.slug}/kba`;
    expect((await asked.key.send("PUT", path, { body: { questions } })).status).toBe(200);
    const one = await asked.at();
    expect(code(await one.send("GET", "/kba"))).toEqual([409, "identity_required"]);
    await passAgreed(one);
    const { challenge_id } = (await one.send("GET", "/kba")).json.data;
    const answers = questions.map(({ answer: value }, index) => ({ id: index + 1, value }));
    expect((await one.send("POST", "/kba", { body: { challenge_id, answers } })).json.data).toMatchObject({ state: "passed", level: 1 });
    const { signers } = (await asked.key.send("GET", `/partner/envelopes/${asked.envelope_id}/signers`)).json.data;
    expect(signers.map((signer: { authentication: unknown }) => signer.authentication)).toEqual([
      [
        { method: "access_code", state: "passed" },
        { method: "kba", state: "passed" },
      ],
      [{ method: "kba", state: "unavailable" }],
    ]);
  });
});

describe("a code by e-mail", () => {
  test("a repeated request sends nothing for a minute; then another code, and the first no longer works; three in all", async () => {
    const asked = await newEnvelopeWith([mailed]);
    const one = await asked.at();
    const first = (await start(one, "email_code")).json.data;
    expect(first).toMatchObject({ sent_to: "a***@example.com", resend_after: expect.any(String) });
    const old = await mailedCode();
    const sends = () => service.database.owner("select sends from identity_challenges where challenge_id = $1", [first.challenge_id]);
    const both = await Promise.all([start(one, "email_code"), start(one, "email_code")]);
    expect(both.map(({ json }) => json.data.challenge_id)).toEqual([first.challenge_id, first.challenge_id]);
    expect(await sends()).toEqual([{ sends: 1 }]);
    const later = () =>
      service.database.owner("update identity_challenges set sent_at = sent_at - interval '61 seconds' where slug = $1", [asked.slug]);
    await later();
    expect((await start(one, "email_code")).json.data.challenge_id).toBe(first.challenge_id);
    const fresh = await mailedCode();
    if (fresh !== old) expect((await answer(one, "email_code", first.challenge_id, old)).json.data.attempts_left).toBe(4);
    await later();
    expect((await start(one, "email_code")).status).toBe(200);
    await later();
    const over = await start(one, "email_code");
    expect([over.status, Number(over.headers["retry-after"]) > 0]).toEqual([429, true]);
    expect((await answer(one, "email_code", first.challenge_id, await mailedCode())).json.data.state).toBe("passed");
    expect(code(await start(one, "email_code")), "passed once is enough").toEqual([409, "stale"]);
  });

  test("can be requested again a minute later by the database's clock, whatever that of the process says", async () => {
    const asked = await newEnvelopeWith([mailed]);
    const one = await asked.at();
    const { challenge_id } = (await start(one, "email_code")).json.data;
    const sends = async () =>
      (await service.database.owner("select sends from identity_challenges where challenge_id = $1", [challenge_id]))[0];
    // As far as a token's time may differ.
    const withClock = async (seconds: number, act: () => Promise<unknown>) => {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1000 });
      await act().finally(() => vi.useRealTimers());
    };
    await withClock(90, () => start(one, "email_code"));
    expect(await sends()).toEqual({ sends: 1 });
    await service.database.owner("update identity_challenges set sent_at = sent_at - interval '61 seconds' where slug = $1", [asked.slug]);
    await withClock(-25, () => start(one, "email_code"));
    expect(await sends()).toEqual({ sends: 2 });
  });

  test("says whether its e-mail has left, to the visit that requested it alone", async () => {
    const asked = await newEnvelopeWith([mailed]);
    const [one, other] = [await asked.at(), await asked.at()];
    const state = async (at: SigningSession) => (await at.send("GET", "/identity/email_code")).json;
    expect(await state(one)).toEqual({ data: { state: null } });
    await resumeMail(service.features.mail);
    await start(one, "email_code");
    expect(await state(one)).toEqual({ data: { state: "queued" } });
    peer.fail("451 at RCPT");
    await resumeMail(service.features.mail);
    expect(await state(one), "refused for now").toEqual({ data: { state: "queued" } });
    await service.database.owner("update mail_messages set next_attempt_at = now() where org_id = $1", [asked.org.org_id]);
    const right = await mailedCode();
    expect([await state(one), await state(other)]).toEqual([{ data: { state: "sent" } }, { data: { state: null } }]);
    const { challenge_id } = (await start(one, "email_code")).json.data;
    expect((await answer(one, "email_code", challenge_id, right)).json.data.state).toBe("passed");
    expect(await state(one), "there is no code to wait for").toEqual({ data: { state: null } });

    const refused = await (await newEnvelopeWith([mailed])).at();
    await resumeMail(service.features.mail);
    await start(refused, "email_code");
    peer.fail("550 at RCPT");
    await resumeMail(service.features.mail);
    expect(await state(refused)).toEqual({ data: { state: "failed" } });
  });

  test("ends after five wrong tries, however many come at once; six messages an hour; no one is locked", async () => {
    const asked = await newEnvelopeWith([mailed]);
    const one = await asked.at();
    for (let round = 0; round < 6; round++) {
      const { challenge_id } = (await start(one, "email_code")).json.data;
      const wrong = otherThan(await mailedCode());
      const tries = await Promise.all(Array.from({ length: 8 }, () => answer(one, "email_code", challenge_id, wrong)));
      expect(tries.filter(({ status }) => status === 200)).toHaveLength(5);
      expect(new Set(tries.filter(({ status }) => status !== 200).map((each) => code(each).join()))).toEqual(new Set(["409,stale"]));
      if (round === 0) expect(code(await answer(one, "email_code", challenge_id, await mailedCode()))).toEqual([409, "stale"]);
    }
    expect((await start(one, "email_code")).status).toBe(429);
    expect(await signerStatuses(service, asked.envelope_id)).toEqual(["pending", "pending"]);
  });

  test("is mailed 20 times a day, so that someone with the link cannot guess for days", async () => {
    const asked = await newEnvelopeWith([mailed]);
    const statuses: number[] = [];
    let last: Awaited<ReturnType<typeof start>> | undefined;
    for (let n = 0; n < 21; n++) {
      // An hour later, in another visit.
      await service.database.owner("delete from quotas where subject like 'identity-code:%' and subject not like '%:day'");
      last = await start(await asked.at(), "email_code");
      statuses.push(last.status);
    }
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
    expect(Number(last?.headers["retry-after"])).toBeGreaterThan(80_000);
  });

  test("expires after ten minutes, and belongs to the visit that requested it", async () => {
    const asked = await newEnvelopeWith([mailed]);
    const [one, other] = [await asked.at(), await asked.at()];
    const { challenge_id } = (await start(one, "email_code")).json.data;
    const right = await mailedCode();
    expect(code(await answer(other, "email_code", challenge_id, right))).toEqual([409, "stale"]);
    await service.database.owner("update identity_challenges set issued_at = issued_at - interval '11 minutes' where slug = $1", [
      asked.slug,
    ]);
    expect(code(await answer(one, "email_code", challenge_id, right))).toEqual([409, "stale"]);
    const again = (await start(one, "email_code")).json.data;
    expect(again.challenge_id).not.toBe(challenge_id);
    expect((await answer(one, "email_code", again.challenge_id, await mailedCode())).json.data.state).toBe("passed");
  });

  test("is 422 without a mail server, when sending and later", async () => {
    const org = await withoutMail.newOrg();
    const key = await org.newKey();
    const envelope_id = await newEnvelope(key, await newTemplate(key));
    const body = { signers: [{ ...tenant, authentication: [mailed] }, landlord] };
    const refused = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body });
    expect([...code(refused), refused.json.details[0].field]).toEqual([422, "mail_not_set_up", "signers[0].authentication[0].method"]);
    const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord] } });
    const path = `/partner/envelopes/${envelope_id}/signers/${sent.json.data.signers[0].slug}/identity`;
    expect(code(await key.send("PUT", path, { body: { authentication: [mailed] } }))).toEqual([422, "mail_not_set_up"]);
  });

  test("is in no row, entry or log once it was sent", async () => {
    const lines: string[] = [];
    const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = ((chunk: string | Uint8Array) => {
      lines.push(String(chunk));
      return write(chunk);
    }) as typeof process.stdout.write;
    const asked = await newEnvelopeWith([mailed, agreed]);
    const one = await asked.at();
    const { challenge_id } = (await start(one, "email_code")).json.data;
    const sent = await mailedCode();
    await answer(one, "email_code", challenge_id, sent);
    await passAgreed(one);
    process.stdout.write = write;
    const tables = await service.database.owner<{ name: string }>(
      "select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'",
    );
    expect(tables.length).toBeGreaterThan(30);
    for (const { name } of tables) {
      const hits = await service.database.owner(`select t::text as row from ${name} t where t::text like $1`, [`%${SECRET}%`]);
      expect([name, hits]).toEqual([name, []]);
    }
    const [message] = await service.database.owner("select body_enc from mail_messages where org_id = $1 and kind = 'signing_code'", [
      asked.org.org_id,
    ]);
    expect(message).toEqual({ body_enc: null });
    expect(JSON.stringify(await chainOf(service, asked.org.org_id, asked.envelope_id))).not.toContain(`"${sent}"`);
    expect(lines.join("")).not.toContain(SECRET);
  });
});

describe("an access code", () => {
  test("locks the person after five wrong ones in all visits, until the sender lets them try again", async () => {
    const asked = await newEnvelopeWith([agreed]);
    const [one, other] = [await asked.at(), await asked.at()];
    expect((await start(one, "access_code")).json.data).toMatchObject({ sent_to: null, resend_after: null });
    for (const [index, each] of [one, one, other, one].entries()) {
      expect((await passAgreed(each, "wrong code")).json.data).toMatchObject({ state: "required", attempts_left: 4 - index });
    }
    expect((await passAgreed(other, SECRET.toLowerCase())).json.data, "the case of letters counts").toMatchObject({ state: "locked" });
    expect(await signerStatuses(service, asked.envelope_id)).toEqual(["locked", "pending"]);
    expect(code(await start(one, "access_code"))).toEqual([409, "locked"]);
    expect((await one.open()).json.data).toMatchObject({ state: "locked", document: null });
    const path = `/partner/envelopes/${asked.envelope_id}/signers/${asked.slug}/identity`;
    const still = await asked.key.send("PUT", path, { body: { authentication: [{ ...agreed, code: "another code" }] } });
    expect([still.status, still.json.data.status]).toEqual([200, "locked"]);
    const reset = await asked.key.send("POST", `${path}/reset`);
    expect([reset.status, reset.json.data]).toEqual([
      200,
      { email: tenant.email, slug: asked.slug, status: "pending", authentication: [{ method: "access_code", state: "required" }] },
    ]);
    expect((await passAgreed(one)).json.data.attempts_left, "the code has changed").toBe(4);
    expect((await passAgreed(one, "another code")).json.data.state).toBe("passed");
    expect((await entriesOf(asked)).map(({ type }) => type)).toEqual([
      "identity.set",
      ...Array.from({ length: 5 }, () => "identity.failed"),
      "identity.locked",
      "identity.set",
      "identity.reset",
      "identity.failed",
      "identity.passed",
    ]);
  });

  test("that is set anew makes an open challenge stale and an earlier pass void; an empty list asks for nothing", async () => {
    const asked = await newEnvelopeWith([agreed]);
    const one = await asked.at();
    await passAgreed(one);
    const path = `/partner/envelopes/${asked.envelope_id}/signers/${asked.slug}/identity`;
    await asked.key.send("PUT", path, { body: { authentication: [{ ...agreed, code: "another code" }] } });
    expect((await one.open()).json.data).toMatchObject({ document: null, identity: { state: "required" } });
    const { challenge_id } = (await start(one, "access_code")).json.data;
    await asked.key.send("PUT", path, { body: { authentication: [agreed] } });
    expect(code(await answer(one, "access_code", challenge_id, SECRET))).toEqual([409, "stale"]);
    expect((await asked.key.send("PUT", path, { body: { authentication: [] } })).json.data.authentication).toEqual([]);
    expect((await one.open()).json.data.identity).toMatchObject({ state: "not_required", steps: [] });
    await makeReady(one);
    expect((await one.complete()).status).toBe(200);
    expect((await asked.key.send("PUT", path, { body: { authentication: [agreed] } })).status, "a signer who has signed").toBe(409);
  });

  test.each([
    ["no code", [{ method: "access_code" }], "authentication[0].code", "required"],
    ["a short code", [{ method: "access_code", code: " 12345  " }], "authentication[0].code", "too_small"],
    ["a code for mail", [{ method: "email_code", code: "123456" }], "authentication[0].code", "conflict"],
    ["one method twice", [mailed, mailed], "authentication[1].method", "duplicate"],
  ])("422 for %s, wherever it is set", async (_what, authentication, field, why) => {
    const asked = await newEnvelopeWith([agreed]);
    const path = `/partner/envelopes/${asked.envelope_id}/signers/${asked.slug}/identity`;
    const put = await asked.key.send("PUT", path, { body: { authentication } });
    expect([put.status, put.json.details[0].field, put.json.details[0].code]).toEqual([422, field, why]);
    const envelope_id = await newEnvelope(asked.key, await newTemplate(asked.key));
    const body = { signers: [{ ...tenant, authentication }, landlord] };
    const sent = await asked.key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body });
    expect([sent.status, sent.json.details[0].field]).toEqual([422, `signers[0].${field}`]);
  });

  test("stays required of the person who takes the place of an approver", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const envelope_id = (await newEnvelope(key, await newTemplate(key))) as EnvelopeId;
    const lee = { kind: "approver", email: "lee@example.com", name: "Lee", authentication: [agreed] };
    const recipients = [lee, { ...tenant, kind: "signer" }, { ...landlord, kind: "signer" }];
    const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { recipients, signing_order: "parallel" } });
    expect([sent.status, sent.json.error]).toEqual([200, undefined]);
    const all = (await key.send("GET", `/partner/envelopes/${envelope_id}/recipients`)).json.data.recipients;
    const { recipient_id } = all.find(({ email }: { email: string }) => email === lee.email);
    const place = `/partner/envelopes/${envelope_id}/recipients/${recipient_id}`;
    expect((await key.send("PATCH", place, { body: { email: "vic@example.com", name: "Vic" } })).status).toBe(200);
    const vic = await signingSession(service, org, envelope_id, "vic@example.com");
    expect((await vic.open()).json.data).toMatchObject({ document: null, identity: { state: "required" } });
    expect(code(await vic.send("POST", "/approve", { body: { state_sha256: "0".repeat(64) } }))).toEqual([409, "identity_required"]);
    expect((await passAgreed(vic)).json.data.state).toBe("passed");
  });
});

describe("the evidence", () => {
  test("says what was required and passed; check 5 rests on it; the bundle verifies", async () => {
    const asked = await newEnvelopeWith([mailed, agreed], { secured_party: { name: "First Example Bank, N.A." } });
    const { org, key, envelope_id } = asked;
    const lee = { kind: "approver", email: "lee@example.com", name: "Lee", step: 1 };
    const added = await key.send("POST", `/partner/envelopes/${envelope_id}/recipients`, { body: lee });
    expect([added.status, added.json.error]).toEqual([201, undefined]);
    const [{ slug: place }] = (await service.database.owner<{ slug: string }>(
      "select slug from signers where envelope_id = $1 and email = $2",
      [envelope_id, lee.email],
    )) as [{ slug: string }];
    const required = await key.send("PUT", `/partner/envelopes/${envelope_id}/signers/${place}/identity`, {
      body: { authentication: [agreed] },
    });
    expect(required.status).toBe(200);
    const approver = await signingSession(service, org, envelope_id, lee.email);
    await passAgreed(approver);
    const { state_sha256 } = (await approver.open()).json.data.document;
    expect((await approver.send("POST", "/approve", { body: { state_sha256 } })).status).toBe(200);
    const one = await asked.at();
    const { challenge_id } = (await start(one, "email_code")).json.data;
    await answer(one, "email_code", challenge_id, otherThan(await mailedCode()));
    expect((await answer(one, "email_code", challenge_id, await mailedCode())).json.data.state).toBe("passed");
    await passAgreed(one);
    await makeReady(one);
    expect((await one.complete()).status).toBe(200);
    const sam = await signingSession(service, org, envelope_id, landlord.email);
    await makeReady(sam, {}, "Sam");
    expect((await sam.complete()).status).toBe(200);
    await finishDocument(service.features.envelopes, { org_id: org.org_id, envelope_id });
    const completion = await textOf((await key.send("GET", `/partner/envelopes/${envelope_id}/completion-certificate`)).bytes);
    expect(completion).toContain("Code sent by e-mail to a***@example.com");
    expect(completion).toContain("Identity level 2 of 3");
    expect(completion).toContain("Access code set by the sender");
    const certification = { accepted: true, terms_version: "2026-01" };
    const vaulting = key.send("POST", `/partner/envelopes/${envelope_id}/vault-in-signed`, { body: { certification } });
    await until("the accepted terms", async () => {
      const rows = await service.database.owner("select 1 from certification_acceptances where envelope_id = $1", [envelope_id]);
      return rows.length === 1;
    });
    await storeEnvelope(service.features.vault, { org_id: org.org_id, envelope_id });
    expect((await vaulting).status).toBe(200);
    const files = unzipBundle((await key.send("GET", `/partner/envelopes/${envelope_id}/vault/evidence`)).bytes);
    expect((await verifyBundle(() => files, { root: await rootHash(), tsa_roots: null })).outcome).toBe("VERIFIED");
    const facts = factsIn(files);
    const [ann, second] = facts.signers;
    expect(ann?.required_methods).toEqual(["email_code", "access_code"]);
    expect(ann?.identity?.map(({ method, passed, provider }) => [method, passed, provider])).toEqual([
      ["email_code", false, "builtin"],
      ["email_code", true, "builtin"],
      ["access_code", true, "builtin"],
    ]);
    expect([second?.required_methods, second?.identity]).toEqual([undefined, undefined]);
    expect(facts.recipients?.map(({ required_methods, identity }) => [required_methods, identity?.map(({ passed }) => passed)])).toEqual([
      [["access_code"], [true]],
    ]);
    const check = (all: Facts2) => rules2.evaluate(all).checks.find(({ id }) => id === "consent_and_attribution");
    expect(check(facts)).toMatchObject({ satisfied: true, grade: "attested", grade_reason: expect.stringContaining("sam@example.com: ") });
    const without = { ...facts, signers: facts.signers.map((signer) => ({ ...signer, identity: [] })) };
    expect(check(without)).toMatchObject({ satisfied: false, detail: expect.stringContaining("ann@example.com signed without passing") });
    const links = await service.db.tx(org.org_id, (tx) => readChain(tx, org.org_id, envelope_id));
    expect(rules2.firstContradiction(facts, links)).toBeNull();
    expect(rules2.firstContradiction(without, links)?.what).toBe("a code of ann@example.com");
    const unasked = facts.recipients?.map(({ required_methods: _methods, ...person }) => person) ?? [];
    expect(rules2.firstContradiction({ ...facts, recipients: unasked }, links)?.what).toBe("how lee@example.com had to be identified");
  });
});

async function rootHash(): Promise<string> {
  const trust = await fetch(`${service.url}/.well-known/countersign-trust.json`);
  const { root_certificate } = (await trust.json()) as { root_certificate: string };
  const { raw } = new X509Certificate(Buffer.from(root_certificate, "base64"));
  return createHash("sha256").update(raw).digest("hex");
}

const factsIn = (all: readonly NamedFile[]): Facts2 =>
  JSON.parse(Buffer.from(all.find(({ name }) => name === "certificates/r1/facts.json")?.bytes ?? []).toString("utf8"));

async function textOf(bytes: Uint8Array): Promise<string> {
  const { pages: count } = await service.features.pdf.inspect(Buffer.from(bytes), {});
  const texts: string[] = [];
  for (let page = 1; page <= count; page++) texts.push(...(await service.features.pdf.text(Buffer.from(bytes), { page })).blocks);
  return texts.join(" ").replace(/\s+/g, " ");
}
