import { describe, expect, test } from "vitest";
import { makeReady, type SigningSession, signingSession } from "../../../../test/ceremony.ts";
import { chainOf, signerStatuses, statusOf } from "../../../../test/envelopes.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../../../test/lease.ts";
import { type TestKey, type TestOrg, testService } from "../../../../test/service.ts";
import type { EnvelopeId } from "../../../shared/ids.ts";
import { sha256 } from "../../../shared/secrets.ts";

const service = testService();

const CANARY = "zanzibar-canary-4711";
const questions = [
  { text: "Which flat did you visit?", answer: `Second floor, ${CANARY}` },
  { text: "Who recommended us?", answer: "My  Sister" },
];
const right = [`second FLOOR,  ${CANARY} `, "my sister"];
const wrong = [`second FLOOR,  ${CANARY} `, "my brother"];

interface Asked {
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly envelope_id: EnvelopeId;
  readonly slug: string;
  readonly at: (session?: string) => Promise<SigningSession>;
}

async function newEnvelopeWith(set: readonly object[] | null = questions): Promise<Asked> {
  const org = await service.newOrg();
  const key = await org.newKey();
  const envelope_id = (await newEnvelope(key, await newTemplate(key), { kba_required: true })) as EnvelopeId;
  const first = set === null ? tenant : { ...tenant, kba: { questions: set } };
  const { status, json } = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [first, landlord] } });
  expect([status, json.error]).toEqual([200, undefined]);
  return {
    org,
    key,
    envelope_id,
    slug: json.data.signers[0].slug,
    at: (session) => signingSession(service, org, envelope_id, tenant.email, session),
  };
}

async function answer(one: SigningSession, values: readonly string[]) {
  const asked = await one.send("GET", "/kba");
  expect([asked.status, asked.json.error]).toEqual([200, undefined]);
  const { challenge_id, questions: shown } = asked.json.data;
  const answers = shown.map(({ id }: { id: number }, index: number) => ({ id, value: values[index] ?? "" }));
  return one.send("POST", "/kba", { body: { challenge_id, answers } });
}

const code = ({ status, json }: { status: number; json: { details?: { code: string }[] } }) => [status, json.details?.[0]?.code];
const kbaEntries = async ({ org, envelope_id }: Asked) =>
  (await chainOf(service, org.org_id, envelope_id)).filter(({ type }) => type.startsWith("kba.")).map(({ type, data }) => [type, data]);

describe("identity questions", () => {
  test("hide the document from everyone who is not a signer: no page, text or file, before and after it is signed", async () => {
    const asked = await newEnvelopeWith();
    const boss = await signingSession(service, asked.org, asked.envelope_id, "boss@example.com");
    const isWithheld = async () => {
      expect((await boss.open()).json.data).toMatchObject({
        state: "read_only",
        identity: { state: "required", valid_until: null, attempts_left: null },
        document: null,
        fields: null,
        others: null,
        marks: null,
        copy: { ready: false },
      });
      for (const path of ["/pages/1", "/pages/1?w=2448", "/pages/1/text", "/document"]) {
        const { status, json } = await boss.send("GET", path);
        expect([path, status, json]).toEqual([
          path,
          409,
          {
            error: "Only a signer who has confirmed their identity can see this document",
            details: [
              {
                location: "path",
                field: null,
                code: "identity_required",
                message: "this token is not for a signer, so there are no questions to answer",
              },
            ],
          },
        ]);
      }
    };
    await isWithheld();
    expect((await boss.send("GET", "/kba")).status, "they have no questions to answer").toBe(403);
    const one = await asked.at();
    expect((await answer(one, right)).json.data.state).toBe("passed");
    await makeReady(one);
    expect((await one.complete()).status).toBe(200);
    await isWithheld();
    expect((await asked.key.send("GET", `/partner/envelopes/${asked.envelope_id}/document`)).status, "an API key can download it").toBe(
      200,
    );
  });

  test("come first: no page, text, value or document until they are answered", async () => {
    const asked = await newEnvelopeWith();
    const one = await asked.at();
    expect((await one.open()).json.data).toMatchObject({
      state: "ready",
      identity: { state: "required", attempts_left: 2 },
      document: null,
      fields: null,
      others: null,
    });
    for (const path of ["/pages/1", "/pages/1/text", "/document", "/pages/1?values=1"]) {
      expect([path, ...code(await one.send("GET", path))]).toEqual([path, 409, "identity_required"]);
    }
    for (const answerOf of [() => one.consent(), () => one.save({ values: [] }), () => one.complete()]) {
      expect(code(await answerOf())).toEqual([409, "identity_required"]);
    }
    expect(await statusOf(service, asked.envelope_id)).toBe("sent");
    const passed = await answer(one, right);
    expect([passed.status, passed.json.data]).toEqual([
      200,
      {
        state: "passed",
        valid_until: expect.stringMatching(/Z$/),
        attempts_left: 2,
        level: 1,
        steps: [{ method: "kba", state: "passed", valid_until: expect.stringMatching(/Z$/), attempts_left: 2, hint: null }],
      },
    ]);
    await makeReady(one);
    expect((await one.complete()).status).toBe(200);
    expect(await kbaEntries(asked)).toEqual([
      [
        "kba.set",
        { role: "Tenant", user_email: tenant.email, set: 1, questions_sha256: questions.map(({ text }) => sha256(text).toString("hex")) },
      ],
      [
        "kba.passed",
        {
          provider: "partner_questions",
          set: 1,
          questions: [
            { question: 1, right: true },
            { question: 2, right: true },
          ],
          signing_session: one.session,
        },
      ],
    ]);
  });

  test("show the questions but never the answers; asking again returns the same challenge", async () => {
    const { at } = await newEnvelopeWith();
    const one = await at();
    const first = await one.send("GET", "/kba");
    expect(first.json.data).toEqual({
      challenge_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      expires_at: expect.stringMatching(/Z$/),
      questions: [
        { id: 1, text: "Which flat did you visit?" },
        { id: 2, text: "Who recommended us?" },
      ],
      attempts_left: 2,
    });
    expect((await one.send("GET", "/kba")).json.data).toEqual(first.json.data);
  });

  test("that were passed in one session are not passed in another", async () => {
    const { at } = await newEnvelopeWith();
    await answer(await at(), right);
    const other = await at();
    expect(code(await other.see())).toEqual([409, "identity_required"]);
    const stolen = (await other.send("GET", "/kba")).json.data.challenge_id;
    const third = await at();
    expect(code(await third.send("POST", "/kba", { body: { challenge_id: stolen, answers: [] } }))).toEqual([409, "stale"]);
  });

  test("two failures lock the signer out, even if a right answer follows; the sender is notified and can reset it", async () => {
    const asked = await newEnvelopeWith();
    const one = await asked.at();
    expect((await answer(one, wrong)).json.data).toMatchObject({ state: "required", valid_until: null, attempts_left: 1 });
    expect((await answer(await asked.at(), wrong)).json.data).toMatchObject({ state: "locked", valid_until: null, attempts_left: 0 });
    expect(await signerStatuses(service, asked.envelope_id)).toEqual(["locked", "pending"]);
    expect((await one.open()).json.data).toMatchObject({ state: "locked", identity: { state: "locked" }, document: null });
    for (const path of ["/kba", "/pages/1", "/document"]) expect(code(await one.send("GET", path))).toEqual([409, "locked"]);
    expect(code(await one.complete())).toEqual([409, "locked"]);
    const notices = await service.database.owner(
      "select from outbox where task like 'orgs.notify-%' and payload ->> 'kind' = 'envelope_signer_locked'",
    );
    expect(notices.length).toBeGreaterThan(0);
    const reset = await asked.key.send("POST", `/partner/envelopes/${asked.envelope_id}/signers/${asked.slug}/kba/reset`);
    expect([reset.status, reset.json.data]).toEqual([200, { email: tenant.email, slug: asked.slug, status: "pending" }]);
    expect((await answer(one, right)).json.data.state).toBe("passed");
    expect((await kbaEntries(asked)).map(([type]) => type)).toEqual([
      "kba.set",
      "kba.failed",
      "kba.failed",
      "kba.locked",
      "kba.reset",
      "kba.passed",
    ]);
  });

  test("a failure after a pass revokes the pass", async () => {
    const { at } = await newEnvelopeWith();
    const one = await at();
    await answer(one, right);
    expect((await one.see()).status).toBe(200);
    await answer(await at(), wrong);
    expect(code(await one.see())).toEqual([409, "identity_required"]);
  });

  test("a pass is only valid for the current questions: new questions and a reset revoke it", async () => {
    const asked = await newEnvelopeWith();
    const one = await asked.at();
    const path = `/partner/envelopes/${asked.envelope_id}/signers/${asked.slug}/kba`;
    await answer(one, right);
    expect((await one.open()).json.data.identity.state).toBe("passed");
    await asked.key.send("POST", `${path}/reset`);
    expect((await one.open()).json.data.identity.state).toBe("required");
    await answer(one, right);
    await asked.key.send("PUT", path, { body: { questions } });
    expect((await one.open()).json.data.identity.state).toBe("required");
  });

  test("a session that starts with the questions is recorded as opened", async () => {
    const asked = await newEnvelopeWith();
    await answer(await asked.at(), right);
    const types = (await chainOf(service, asked.org.org_id, asked.envelope_id)).map(({ type }) => type);
    expect(types.indexOf("signer.opened")).toBeGreaterThan(0);
    expect(types.indexOf("signer.opened")).toBeLessThan(types.indexOf("kba.passed"));
  });

  test("consent can be withdrawn without an answer, in any session", async () => {
    const asked = await newEnvelopeWith();
    const one = await asked.at();
    await answer(one, right);
    await makeReady(one);
    expect((await (await asked.at()).send("POST", "/consent", { body: { accepted: false } })).status).toBe(200);
    expect(code(await one.complete())).toEqual([409, "consent_required"]);
  });

  test("a pass is valid for an hour until the signature", async () => {
    const asked = await newEnvelopeWith();
    const one = await asked.at();
    await answer(one, right);
    await makeReady(one);
    await service.database.owner("update identity_results set at = at - interval '61 minutes' where slug = $1", [asked.slug]);
    expect(code(await one.complete())).toEqual([409, "identity_expired"]);
    expect((await one.open()).json.data).toMatchObject({ identity: { state: "expired" }, document: null });
    await answer(one, right);
    expect((await one.complete()).status).toBe(200);
  });

  test("a challenge can be answered once, within ten minutes; an expired one costs no attempt", async () => {
    const asked = await newEnvelopeWith();
    const one = await asked.at();
    const { challenge_id } = (await one.send("GET", "/kba")).json.data;
    const body = { challenge_id, answers: [1, 2].map((id) => ({ id, value: right[id - 1] })) };
    await service.database.owner("update identity_challenges set issued_at = issued_at - interval '11 minutes' where challenge_id = $1", [
      challenge_id,
    ]);
    expect(code(await one.send("POST", "/kba", { body }))).toEqual([409, "stale"]);
    expect((await one.open()).json.data.identity.attempts_left).toBe(2);
    const fresh = (await one.send("GET", "/kba")).json.data.challenge_id;
    expect(fresh).not.toBe(challenge_id);
    // Twenty guesses at one challenge are one attempt: the first one recorded.
    const guesses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        one.send("POST", "/kba", {
          body: {
            challenge_id: fresh,
            answers: [
              { id: 1, value: `guess ${index}` },
              { id: 2, value: "no" },
            ],
          },
        }),
      ),
    );
    expect(guesses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await one.open()).json.data.identity.attempts_left).toBe(1);
  });

  test.each([
    ["both of two", 2, [true, true], true],
    ["one of two", 2, [true, false], false],
    ["two of three", 3, [true, false, true], true],
    ["one of three", 3, [true, false, false], false],
    ["four of five", 5, [true, true, false, true, true], true],
    ["three of five", 5, [true, true, false, true, false], false],
  ])("%s right: %s", async (_how, count, hits, passes) => {
    const set = Array.from({ length: count as number }, (_, index) => ({ text: `Question ${index}?`, answer: `answer ${index}` }));
    const { at } = await newEnvelopeWith(set);
    const given = (hits as boolean[]).map((hit, index) => (hit ? `Answer  ${index}` : "no idea"));
    expect((await answer(await at(), given)).json.data.state).toBe(passes ? "passed" : "required");
  });

  test("without questions no one can sign: a warning when sending and a state on the page, until the sender sets some", async () => {
    const asked = await newEnvelopeWith(null);
    const one = await asked.at();
    expect((await one.open()).json.data).toMatchObject({ state: "identity_unavailable", document: null });
    expect(code(await one.see())).toEqual([409, "identity_unavailable"]);
    expect(code(await one.send("GET", "/kba"))).toEqual([409, "identity_unavailable"]);
    const path = `/partner/envelopes/${asked.envelope_id}/signers/${asked.slug}/kba`;
    const set = await asked.key.send("PUT", path, { body: { questions } });
    expect([set.status, set.json.data]).toEqual([200, { email: tenant.email, slug: asked.slug, status: "pending", questions: 2 }]);
    expect((await answer(one, right)).json.data.state).toBe("passed");
  });

  test("new questions replace the earlier ones and make an open challenge stale", async () => {
    const asked = await newEnvelopeWith();
    const one = await asked.at();
    const { challenge_id } = (await one.send("GET", "/kba")).json.data;
    const others = [
      { text: "First pet?", answer: "Rex" },
      { text: "First car?", answer: "None" },
    ];
    await asked.key.send("PUT", `/partner/envelopes/${asked.envelope_id}/signers/${asked.slug}/kba`, { body: { questions: others } });
    const body = { challenge_id, answers: [1, 2].map((id) => ({ id, value: right[id - 1] })) };
    expect(code(await one.send("POST", "/kba", { body }))).toEqual([409, "stale"]);
    expect((await answer(one, ["rex", "none"])).json.data.state).toBe("passed");
  });

  test.each([
    ["one question", [questions[0]], "questions"],
    ["six", Array.from({ length: 6 }, (_, index) => ({ text: `Question ${index}?`, answer: "x" })), "questions"],
    ["the same twice", [questions[0], { ...questions[0], text: "which flat did you  VISIT?" }], "questions[1].text"],
    ["a blank answer", [questions[0], { text: "And then?", answer: "  " }], "questions[1].answer"],
  ])("422 for %s, wherever they are set", async (_what, set, field) => {
    const asked = await newEnvelopeWith(null);
    const put = await asked.key.send("PUT", `/partner/envelopes/${asked.envelope_id}/signers/${asked.slug}/kba`, {
      body: { questions: set },
    });
    expect([put.status, put.json.details[0].field]).toEqual([422, field]);
    const envelope_id = await newEnvelope(asked.key, await newTemplate(asked.key), { kba_required: true });
    const body = { signers: [{ ...tenant, kba: { questions: set } }, landlord] };
    const sent = await asked.key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body });
    expect([sent.status, sent.json.details[0].field]).toEqual([422, `signers[0].kba.${field}`]);
  });

  test("are refused if they are not required, for an unknown signer, and for a signer who has signed", async () => {
    const asked = await newEnvelopeWith();
    const plain = await newEnvelope(asked.key, await newTemplate(asked.key));
    const withQuestions = { signers: [{ ...tenant, kba: { questions } }, landlord] };
    expect((await asked.key.send("POST", `/partner/envelopes/${plain}/send`, { body: withQuestions })).status).toBe(422);
    await asked.key.send("POST", `/partner/envelopes/${plain}/send`, { body: { signers: [tenant, landlord] } });
    const slug = (await asked.key.send("GET", `/partner/envelopes/${plain}/signers`)).json.data.signers[0].slug;
    expect((await asked.key.send("PUT", `/partner/envelopes/${plain}/signers/${slug}/kba`, { body: { questions } })).status).toBe(409);
    expect(
      (await asked.key.send("PUT", `/partner/envelopes/${asked.envelope_id}/signers/${slug}/kba`, { body: { questions } })).status,
    ).toBe(404);
    const one = await asked.at();
    await answer(one, right);
    await makeReady(one);
    await one.complete();
    const path = `/partner/envelopes/${asked.envelope_id}/signers/${asked.slug}/kba`;
    expect((await asked.key.send("PUT", path, { body: { questions } })).status).toBe(409);
  });

  test("must be answered again by a signer who returns for their copy; the limit of attempts applies there too", async () => {
    const asked = await newEnvelopeWith();
    const one = await asked.at();
    await answer(one, right);
    await makeReady(one);
    await one.complete();
    const later = await asked.at();
    expect((await later.open()).json.data).toMatchObject({ state: "signed", document: null, identity: { state: "required" } });
    expect(code(await later.send("GET", "/document"))).toEqual([409, "identity_required"]);
    await answer(later, wrong);
    await answer(later, wrong);
    expect(code(await later.send("GET", "/kba"))).toEqual([409, "locked"]);
    expect(await signerStatuses(service, asked.envelope_id), "a signer who has signed stays signed").toEqual(["signed", "pending"]);
    await asked.key.send("POST", `/partner/envelopes/${asked.envelope_id}/signers/${asked.slug}/kba/reset`);
    expect((await answer(later, right)).json.data.state).toBe("passed");
    expect((await later.send("GET", "/document")).status).toBe(200);
  });

  test("a canary among the answers is in no row, event, entry, mail or log", async () => {
    const lines: string[] = [];
    const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = ((chunk: string | Uint8Array) => {
      lines.push(String(chunk));
      return write(chunk);
    }) as typeof process.stdout.write;
    const asked = await newEnvelopeWith();
    const one = await asked.at();
    await answer(one, wrong);
    await answer(one, right);
    process.stdout.write = write;
    const tables = await service.database.owner<{ name: string }>(
      "select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'",
    );
    expect(tables.length).toBeGreaterThan(30);
    for (const { name } of tables) {
      const hits = await service.database.owner(`select t::text as row from ${name} t where lower(t::text) like $1`, [`%${CANARY}%`]);
      expect([name, hits]).toEqual([name, []]);
    }
    expect(lines.join("").toLowerCase()).not.toContain(CANARY);
  });
});
