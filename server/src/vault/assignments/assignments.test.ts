import { chainFacts, hashOfJson, replayAssignments } from "@countersign/evidence";
import { beforeAll, describe, expect, test } from "vitest";
import { chainOf, sentEnvelope } from "../../../test/envelopes.ts";
import { type TestKey, type TestOrg, testService } from "../../../test/service.ts";
import { vaultedCopy, vaultedEnvelope } from "../../../test/vaulted.ts";
import { readChain } from "../../audit/read-chain.ts";
import type { EnvelopeId } from "../../shared/ids.ts";

const service = testService();

let org: TestOrg;
let key: TestKey;
beforeAll(async () => {
  org = await service.newOrg();
  key = await org.newKey();
});

const bank = { name: "First Example Bank, N.A.", role: "Lender" };
const other = { name: "Second Example Bank", address: "1 Example Street" };
// Not before the present party was recorded: a day counts as a whole.
const today = `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
const consent = { method: "written", given_by: { name: "Ann" }, given_at: today };

const unconfirmed = { status: "effective", party_id: null, confirmation: "unconfirmed", act_id: null };
const designate = (envelope_id: string, body: object = bank) =>
  key.send("PUT", `/partner/envelopes/${envelope_id}/secured-party`, { body });
const assign = (envelope_id: string, more: object = {}) =>
  key.send("POST", `/partner/envelopes/${envelope_id}/assignments`, { body: { secured_party: other, consent, present_seq: 1, ...more } });
const partyOf = async (envelope_id: string) =>
  (await key.send("GET", `/partner/envelopes/${envelope_id}`)).json.data.metadata.secured_party;
const recorded = async (envelope_id: EnvelopeId) =>
  (await chainOf(service, org.org_id, envelope_id)).filter(({ type }) => type === "assignment.recorded").map(({ data }) => data);

describe("the secured party", () => {
  test("is named once, and the row, the envelope and the audit entry agree", async () => {
    const { envelope_id } = await vaultedEnvelope(service, org);
    const { status, json } = await designate(envelope_id, bank);
    expect([status, json.data]).toEqual([
      200,
      { envelope_id, seq: 1, secured_party: bank, consent: null, ...unconfirmed, recorded_at: expect.any(String) },
    ]);
    expect(await partyOf(envelope_id)).toEqual(bank);
    expect(await recorded(envelope_id)).toEqual([{ seq: 1, party: bank, party_sha256: hashOfJson(bank), consent: null }]);
    const again = await designate(envelope_id, other);
    expect([again.status, again.json.error]).toEqual([
      409,
      "A secured party is already on record. Only an assignment with its consent can change it",
    ]);
    expect(await partyOf(envelope_id)).toEqual(bank);
  });

  test.each(["TBD", " ", "--", "x"])(
    "cannot be %s: designation and assignment return 422, and a real name is still accepted",
    async (name) => {
      const { envelope_id } = await vaultedEnvelope(service, org);
      const refused = await designate(envelope_id, { name });
      expect([refused.status, refused.json.details[0].field]).toEqual([422, "name"]);
      expect((await designate(envelope_id)).status).toBe(200);
      const assigned = await assign(envelope_id, { secured_party: { name } });
      expect([assigned.status, assigned.json.details[0].field]).toEqual([422, "secured_party.name"]);
    },
  );

  test.each(["pending", "uploaded", "preparing", "sent", "viewed", "completed"] as const)(
    "can be named while the envelope is %s",
    async (status) => {
      const { envelope_id } = await sentEnvelope(service, org, { status });
      expect((await designate(envelope_id)).status).toBe(200);
    },
  );

  test.each(["voided", "declined", "expired"] as const)("cannot be named when the envelope is %s", async (status) => {
    const { envelope_id } = await sentEnvelope(service, org, { status });
    const { status: code, json } = await designate(envelope_id);
    expect([code, json.error]).toEqual([409, `The envelope is ${status}, which does not allow this`]);
    expect(await recorded(envelope_id)).toEqual([]);
  });

  test("on record is not replaced by updating the draft either", async () => {
    const { envelope_id } = await sentEnvelope(service, org, { status: "preparing" });
    await designate(envelope_id);
    for (const secured_party of [other, null]) {
      const { status, json } = await key.send("PATCH", `/partner/envelopes/${envelope_id}`, { body: { secured_party } });
      expect([status, json.error]).toEqual([
        409,
        "A secured party is already on record. Only an assignment with its consent can change it",
      ]);
    }
    expect((await key.send("PATCH", `/partner/envelopes/${envelope_id}`, { body: { envelope_name: "Other" } })).status).toBe(200);
    expect(await partyOf(envelope_id)).toEqual(bank);
  });

  test("is set once when ten requests name one at the same time", async () => {
    const { envelope_id } = await vaultedCopy(service, org);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => designate(envelope_id, { name: `Bank ${n}` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect(await recorded(envelope_id)).toHaveLength(1);
    expect(await partyOf(envelope_id)).toEqual(answers.find(({ status }) => status === 200)?.json.data.secured_party);
  });
});

describe("an assignment", () => {
  test("is recorded once when ten requests carry the consent of the same party", async () => {
    const { envelope_id } = await vaultedCopy(service, org);
    await designate(envelope_id);
    const assigning = (n: number) => assign(envelope_id, { secured_party: { name: `Bank ${n}` }, present_seq: 1 });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => assigning(n)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    expect(answers.find(({ status }) => status === 409)?.json.error).toBe(
      "The secured party has changed in the meantime. The consent is not from the current one",
    );
    expect(await recorded(envelope_id)).toHaveLength(2);
  });

  test("with written consent takes effect immediately, and the register can be rebuilt from the chain", async () => {
    const { envelope_id } = await vaultedCopy(service, org);
    await designate(envelope_id);
    const given = { ...consent, given_by: { name: "Ann", email: "ann@example.com" }, statement: "We assign it." };
    const { status, json } = await assign(envelope_id, { consent: { ...given, given_at: today.replace(".000Z", "+00:00") } });
    expect([status, json.data]).toEqual([
      201,
      { envelope_id, seq: 2, secured_party: other, consent: { ...given, act_id: null }, ...unconfirmed, recorded_at: expect.any(String) },
    ]);
    expect(await partyOf(envelope_id)).toEqual(other);
    expect((await assign(envelope_id, { secured_party: bank, present_seq: 2 })).json.data).toMatchObject({
      seq: 3,
      consent: { method: "written", given_by: { name: "Ann", email: null }, statement: null, given_at: consent.given_at },
    });
    const links = await service.db.tx(org.org_id, (tx) => readChain(tx, org.org_id, envelope_id));
    const { assignments, fault } = replayAssignments(chainFacts(links, { org_id: org.org_id, subject: envelope_id }).milestones);
    const rows = await service.database.owner(
      "select seq, party, party_sha256, consent, entry_seq from assignments where envelope_id = $1 order by seq",
      [envelope_id],
    );
    expect([fault, assignments.map(({ recorded_at, ...row }) => row)]).toEqual([null, rows]);
    const listed = await key.send("GET", `/partner/envelopes/${envelope_id}/assignments`);
    expect([listed.json.data.map(({ seq }: { seq: number }) => seq), listed.json.meta.total]).toEqual([[3, 2, 1], 3]);
  });

  test("does not change the custodian of the copy", async () => {
    const one = await vaultedCopy(service, org);
    await designate(one.envelope_id);
    await assign(one.envelope_id);
    const rows = await service.database.owner("select user_id, state from custodian_permissions where copy_id = $1", [one.copy_id]);
    expect(rows).toEqual([{ user_id: org.user_id, state: "active" }]);
  });

  test("by e-mail confirmation is refused as not supported in this version", async () => {
    const { envelope_id } = await vaultedCopy(service, org);
    await designate(envelope_id);
    const { status, json } = await assign(envelope_id, { consent: { ...consent, method: "email_confirmation" } });
    expect([status, json.details]).toEqual([
      422,
      [
        {
          location: "body",
          field: "consent.method",
          code: "invalid_value",
          message: "must be written. A party that has people confirms an act of kind assign itself",
        },
      ],
    ]);
    expect(await recorded(envelope_id)).toHaveLength(1);
  });

  test("needs a previous party, consent given in the past, and a different party", async () => {
    const { envelope_id } = await vaultedCopy(service, org);
    const early = await assign(envelope_id);
    expect([early.status, early.json.error]).toEqual([409, "No secured party is on record yet. Name one first"]);
    await designate(envelope_id);
    const future = await assign(envelope_id, { consent: { ...consent, given_at: "2100-01-01T00:00:00.000Z" } });
    expect([future.status, future.json.details[0].field]).toEqual([422, "consent.given_at"]);
    const same = await assign(envelope_id, { secured_party: bank });
    expect([same.status, same.json.details[0]]).toMatchObject([422, { field: "secured_party", message: "is already the secured party" }]);
    const without = await key.send("POST", `/partner/envelopes/${envelope_id}/assignments`, { body: { secured_party: other } });
    expect(without.status).toBe(422);
    expect(await recorded(envelope_id)).toHaveLength(1);
  });

  test.each(["escrowed", "exported"])("of a copy that is %s is refused because its register was packed with it", async (state) => {
    const one = await vaultedCopy(service, org);
    await designate(one.envelope_id);
    await service.database.owner("update authoritative_copies set state = $2 where copy_id = $1", [one.copy_id, state]);
    const { status, json } = await assign(one.envelope_id);
    expect([status, json.error]).toEqual([409, `The authoritative copy is ${state}, which does not allow this`]);
  });
});
