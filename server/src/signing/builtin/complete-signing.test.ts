import { hashOfState } from "@countersign/evidence";
import { describe, expect, test } from "vitest";
import { testInAll } from "../../../../testing/all.ts";
import { makeReady, type SigningSession, signAll, signingSession } from "../../../test/ceremony.ts";
import { chainOf, endedAs, sentEnvelope, signerStatuses, statusOf, tokenFor, voidEnvelope } from "../../../test/envelopes.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../../test/lease.ts";
import { type TestKey, type TestOrg, testService } from "../../../test/service.ts";
import { signedValues } from "../../../test/signed-values.ts";
import type { EnvelopeId } from "../../shared/ids.ts";
import { currentText } from "../../texts/current-texts.ts";

const service = testService();

const both = ["ann@example.com", "sam@example.com"] as const;
const rows = (table: string, envelope_id: string) => service.database.owner(`select * from ${table} where envelope_id = $1`, [envelope_id]);

async function sentLease(more: object = {}, send: object = {}): Promise<{ org: TestOrg; key: TestKey; envelope_id: EnvelopeId }> {
  const org = await service.newOrg();
  const key = await org.newKey();
  const envelope_id = await newEnvelope(key, await newTemplate(key), more);
  const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord], ...send } });
  expect(sent.status).toBe(200);
  return { org, key, envelope_id: envelope_id as EnvelopeId };
}

/** A refused signature must leave no record at all. */
async function expectUnsigned(org: TestOrg, envelope_id: EnvelopeId): Promise<void> {
  expect(await rows("signatures", envelope_id)).toEqual([]);
  expect(await rows("signed_values", envelope_id)).toEqual([]);
  const types = (await chainOf(service, org.org_id, envelope_id)).map(({ type }) => type);
  expect(types).not.toContain("signature.applied");
  expect(types).not.toContain("envelope.completed");
}

describe("POST /embed/sign/:envelope_id/complete", () => {
  test("signs, and records everything that links the signature to the signer, the text, the version and the values", async () => {
    const { org, envelope_id } = await sentLease();
    const one = await signingSession(service, org, envelope_id, tenant.email);
    await makeReady(one, { "Tenant name": "Ann Example", Rent: "1200" });
    const { prepared_sha256, state_sha256 } = (await one.open()).json.data.document;
    const { status, json } = await one.complete();
    expect([status, json.data]).toEqual([
      200,
      { status: "signed", signed_at: expect.stringMatching(/Z$/), envelope_status: "viewed", signed: 1, total: 2 },
    ]);
    expect(await signerStatuses(service, envelope_id)).toEqual(["signed", "pending"]);
    const chain = await chainOf(service, org.org_id, envelope_id);
    const { version, locale, sha256 } = currentText(service.features.texts, "intent");
    expect(chain.filter(({ type }) => type === "signature.applied").map(({ data }) => data)).toEqual([
      {
        field: "Tenant signature",
        position: expect.any(Number),
        kind: "signature",
        method: "typed",
        mark_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        role: "Tenant",
        user_email: tenant.email,
        intent_version: version,
        intent_locale: locale,
        intent_sha256: sha256,
        prepared_sha256,
        state_sha256,
        values_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        timezone: "Europe/Berlin",
        signed_at: expect.stringMatching(/Z$/),
        signing_session: one.session,
      },
    ]);
    const order = ["signer.opened", "document.rendered", "consent.accepted", "signature.applied"];
    expect(chain.map(({ type }) => type).filter((type) => order.includes(type))).toEqual(order);
    const [signature] = await rows("signatures", envelope_id);
    expect(signature).toMatchObject({
      ip: "127.0.0.1",
      user_agent: "a browser",
      session: one.session,
      prepared_sha256,
      state_sha256,
      intent_sha256: sha256,
    });
    expect(await rows("signed_values", envelope_id)).toHaveLength(2);
  });

  test("the hash of what was seen can be recomputed from the version and the earlier values", async () => {
    const { org, envelope_id } = await sentLease();
    await signAll(service, org, envelope_id, [[tenant.email, { "Tenant name": "Ann", Pet: true }]]);
    const sam = await signingSession(service, org, envelope_id, landlord.email);
    const { document, others } = (await sam.open()).json.data;
    const marks = await service.database.owner<{ position: number; value: null; mark_sha256: string }>(
      "select position, null as value, mark_sha256 from signatures where envelope_id = $1",
      [envelope_id],
    );
    const values = (await signedValues(service, org.org_id, envelope_id)).map((value) => ({ ...value, mark_sha256: null }));
    expect(document.state_sha256).toBe(hashOfState(document.prepared_sha256, [...values, ...marks]));
    expect(others.map(({ type, value, name }: { type: string; value: unknown; name: string }) => [type, value, name])).toEqual([
      ["text", "Ann", "Ann"],
      ["checkbox", true, "Ann"],
      ["signature", null, "Ann"],
    ]);
  });

  test("sequential: the next signer is told that it is their turn, and the last one completes the envelope", async () => {
    const { org, key, envelope_id } = await sentLease();
    await signAll(service, org, envelope_id, [[tenant.email]]);
    const mails = async () =>
      (
        await service.database.owner<{ kind: string }>("select kind from mail_messages where org_id = $1 order by created_at", [org.org_id])
      ).map(({ kind }) => kind);
    expect(await mails()).toEqual(["signing_invitation", "signing_turn"]);
    const sam = await signingSession(service, org, envelope_id, landlord.email);
    await makeReady(sam);
    expect((await sam.complete()).json.data).toMatchObject({ envelope_status: "completed", signed: 2, total: 2 });
    const { json } = await key.send("GET", `/partner/envelopes/${envelope_id}/status`);
    expect([json.data.status, json.data.signed_at]).toEqual(["completed", expect.stringMatching(/Z$/)]);
    expect((await chainOf(service, org.org_id, envelope_id)).at(-1)?.type).toBe("envelope.completed");
    const jobs = await service.database.owner(
      "select payload from outbox where task = 'envelopes.finish-document' and payload ->> 'envelope_id' = $1",
      [envelope_id],
    );
    expect(jobs).toEqual([{ payload: { org_id: org.org_id, envelope_id } }]);
    expect(
      await service.database.owner(
        "select event_type from events where org_id = $1 and event_type not in ('envelope.created', 'envelope.sent')",
        [org.org_id],
      ),
    ).toEqual([]);
  });

  test("out of turn is refused, also by the database", async () => {
    const { org, envelope_id } = await sentLease();
    const sam = await signingSession(service, org, envelope_id, landlord.email);
    const { status, json } = await sam.complete();
    expect([status, json.details[0].code]).toEqual([409, "not_your_turn"]);
    await expect(
      service.database.owner("update signers set status = 'signed' where envelope_id = $1 and turn = 2", [envelope_id]),
    ).rejects.toThrow(/out of turn/);
    await expectUnsigned(org, envelope_id);
  });

  test("works only once: the second request is 409, and with the same Idempotency-Key it gets the same response", async () => {
    const { org, envelope_id } = await sentLease();
    const one = await signingSession(service, org, envelope_id, tenant.email);
    await makeReady(one);
    const { data } = (await one.open()).json;
    const { version, locale, sha256 } = currentText(service.features.texts, "intent");
    const { prepared_sha256, state_sha256 } = data.document;
    const body = { revision: data.revision, prepared_sha256, state_sha256, intent: { version, locale, sha256 } };
    const headers = { "idempotency-key": `${one.session}-${data.revision}` };
    const answers = await Promise.all(Array.from({ length: 10 }, () => one.send("POST", "/complete", { body, headers })));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    const again = await one.send("POST", "/complete", { body });
    expect([again.status, again.json.details[0].code]).toEqual([409, "conflict"]);
    expect(await rows("signatures", envelope_id)).toHaveLength(1);
  });

  test("without consent, without a signature, or with required fields empty or invalid is refused, and nothing is recorded", async () => {
    const { org, envelope_id } = await sentLease();
    const one = await signingSession(service, org, envelope_id, tenant.email);
    await one.see();
    expect((await one.complete()).json.details[0].code).toBe("consent_required");
    await one.consent();
    const empty = await one.complete();
    expect([empty.status, empty.json.details.map(({ code }: { code: string }) => code)]).toEqual([422, ["required"]]);
    await makeReady(one);
    await one.fill({ Rent: "a lot", Start: "tomorrow" });
    const wrong = await one.complete();
    expect([wrong.status, wrong.json.details]).toEqual([
      422,
      [
        expect.objectContaining({ code: "invalid_value", message: "Rent must be a number such as 1200.50" }),
        expect.objectContaining({ code: "invalid_value", message: "Start must be a date in the form YYYY-MM-DD" }),
      ],
    ]);
    await expectUnsigned(org, envelope_id);
  });

  test("requires at least one signature, even if all signature fields are optional", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org);
    await service.database.owner("update envelope_fields set required = false where envelope_id = $1", [envelope.envelope_id]);
    const one = await signingSession(service, org, envelope.envelope_id, "ann@example.com");
    await one.see();
    await one.consent();
    const { status, json } = await one.complete();
    expect([status, json.details[0]]).toEqual([422, expect.objectContaining({ field: "signature", code: "required" })]);
    await expectUnsigned(org, envelope.envelope_id);
  });

  test("is stale when the draft, the version or other signers' values differ from what was seen", async () => {
    const { org, envelope_id } = await sentLease({}, { signing_order: "parallel" });
    const ann = await signingSession(service, org, envelope_id, tenant.email);
    await makeReady(ann);
    const { data } = (await ann.open()).json;
    for (const stale of [{ revision: data.revision - 1 }, { prepared_sha256: "0".repeat(64) }, { state_sha256: "0".repeat(64) }]) {
      const { status, json } = await ann.complete(stale);
      expect([status, json.details[0].code]).toEqual([409, "stale"]);
    }
    await expectUnsigned(org, envelope_id);
    await signAll(service, org, envelope_id, [[landlord.email]]);
    expect((await ann.complete({ state_sha256: data.document.state_sha256 })).json.details[0].code, "Sam signed in the meantime").toBe(
      "stale",
    );
    expect((await ann.complete()).status).toBe(200);
  });

  test("is refused in a session that was shown no page, even if another session was", async () => {
    const { org, envelope_id } = await sentLease();
    await makeReady(await signingSession(service, org, envelope_id, tenant.email));
    const other = await signingSession(service, org, envelope_id, tenant.email);
    expect((await other.complete()).json.details[0].code).toBe("document_not_rendered");
    await other.see();
    expect((await other.complete()).status).toBe(200);
  });

  test("with an unknown time zone is 422", async () => {
    const { org, envelope_id } = await sentLease();
    const one = await signingSession(service, org, envelope_id, tenant.email);
    await makeReady(one);
    expect((await one.complete({ timezone: "Not/AZone" })).json.details[0].field).toBe("timezone");
  });

  test("with another intent than the one shown is 422", async () => {
    const { org, envelope_id } = await sentLease();
    const one = await signingSession(service, org, envelope_id, tenant.email);
    await makeReady(one);
    const { version, locale, sha256 } = currentText(service.features.texts, "intent");
    for (const intent of [
      { version: "1", locale, sha256 },
      { version, locale: "xx", sha256 },
      { version, locale: "de", sha256 },
      { version, locale, sha256: currentText(service.features.texts, "intent", "de").sha256 },
      { version, locale, sha256: "0".repeat(64) },
    ]) {
      expect((await one.complete({ intent })).status).toBe(422);
    }
    await expectUnsigned(org, envelope_id);
  });

  test("records the intent in the language in which it was shown, whatever the language of the consent", async () => {
    const { org, envelope_id } = await sentLease();
    const one = await signingSession(service, org, envelope_id, tenant.email);
    await makeReady(one);
    const { version, locale, sha256 } = currentText(service.features.texts, "intent", "de");
    expect((await one.complete({ intent: { version, locale, sha256 } })).status).toBe(200);
    const recorded = await service.database.owner("select intent_locale, intent_sha256 from signatures where envelope_id = $1", [
      envelope_id,
    ]);
    expect(recorded).toEqual([{ intent_locale: "de", intent_sha256: sha256 }]);
    const [applied] = (await chainOf(service, org.org_id, envelope_id as EnvelopeId)).filter(({ type }) => type === "signature.applied");
    expect(applied?.data).toMatchObject({ intent_version: version, intent_locale: "de", intent_sha256: sha256 });
  });

  test("two last signers at once: both sign, and the envelope is completed once", async () => {
    for (let round = 0; round < 5; round++) {
      const org = await service.newOrg();
      const { envelope_id } = await sentEnvelope(service, org, { signers: both, order: "parallel" });
      const signingSessions = await Promise.all(both.map((email) => signingSession(service, org, envelope_id, email)));
      for (const one of signingSessions) await makeReady(one);
      // The second one would sign a state that they have not seen, and must read it again.
      const press = async (one: SigningSession): Promise<string> => {
        for (;;) {
          const { status, json } = await one.complete();
          if (status === 200) return json.data.envelope_status;
          expect([status, json.details[0].code]).toEqual([409, "stale"]);
        }
      };
      expect((await Promise.all(signingSessions.map(press))).sort()).toEqual(["completed", "viewed"]);
      const types = (await chainOf(service, org.org_id, envelope_id)).map(({ type }) => type);
      expect(types.filter((type) => type === "envelope.completed")).toHaveLength(1);
      expect(await statusOf(service, envelope_id)).toBe("completed");
    }
  });

  testInAll("void against the last signature: exactly one wins, and the other is 409", async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 8; round++) {
      const org = await service.newOrg();
      const { envelope_id } = await sentEnvelope(service, org);
      const one = await signingSession(service, org, envelope_id, "ann@example.com");
      await makeReady(one);
      const key = await org.newKey();
      const [signed, voided] = await Promise.all([
        one.complete(),
        key.send("POST", `/partner/envelopes/${envelope_id}/void`, { body: { reason: "Changed our minds" } }),
      ]);
      expect([signed.status, voided.status].sort()).toEqual([200, 409]);
      const status = await statusOf(service, envelope_id);
      expect(status).toBe(signed.status === 200 ? "completed" : "voided");
      if (status === "voided") {
        expect(endedAs(signed)).toEqual([409, "voided"]);
        await expectUnsigned(org, envelope_id);
      }
      outcomes.add(String(status));
    }
    expect(outcomes.size).toBeGreaterThan(0);
  });

  test("expiry against completion: nothing can be signed after the expiry date, even before the sweep", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org);
    const one = await signingSession(service, org, envelope_id, "ann@example.com");
    await makeReady(one);
    await service.database.owner("update envelopes set expires_at = now() where envelope_id = $1", [envelope_id]);
    expect(endedAs(await one.complete())).toEqual([409, "expired"]);
    await expectUnsigned(org, envelope_id);
  });

  test("after a void or a decline, every call of the page says so", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org);
    const one = await signingSession(service, org, envelope_id, "ann@example.com");
    await makeReady(one);
    await voidEnvelope(service, envelope_id);
    for (const [method, path, body] of [
      ["GET", ""],
      ["GET", "/pages/1"],
      ["GET", "/pages/1/text"],
      ["GET", "/document"],
      ["GET", "/kba"],
      ["POST", "/consent", { accepted: false }],
      ["PUT", "/fields", { values: [] }],
      ["POST", "/decline", {}],
    ] as const) {
      const answer = await one.send(method, path, body === undefined ? {} : { body });
      expect([path, ...endedAs(answer)]).toEqual([path, 409, "voided"]);
    }
    expect(endedAs(await one.complete())).toEqual([409, "voided"]);
  });

  test("a token of another envelope, widget or org cannot sign", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    const [mine, theirs] = [await sentEnvelope(service, org), await sentEnvelope(service, other)];
    const elsewhere = await signingSession(service, other, theirs.envelope_id, "ann@example.com");
    await makeReady(elsewhere);
    const token = await tokenFor(other, theirs.envelope_id, "ann@example.com");
    const headers = { authorization: `Bearer ${token}`, "x-signing-session": elsewhere.session };
    for (const [method, path] of [
      ["POST", "/complete"],
      ["PUT", "/fields"],
      ["POST", "/consent"],
      ["GET", "/document"],
      ["GET", "/pages/1"],
    ] as const) {
      const answer = await service.send(method, `/embed/sign/${mine.envelope_id}${path}`, {
        headers,
        ...(method === "GET" ? {} : { body: {} }),
      });
      expect([path, answer.status]).toEqual([path, 404]);
    }
    await expectUnsigned(org, mine.envelope_id);
  });
});
