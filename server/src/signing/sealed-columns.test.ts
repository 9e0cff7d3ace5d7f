import { afterAll, afterEach, describe, expect, test } from "vitest";
import { makeReady, type SigningSession, signingSession } from "../../test/ceremony.ts";
import { client, type Send } from "../../test/client.ts";
import { chainOf } from "../../test/envelopes.ts";
import { form } from "../../test/form.ts";
import { startKmsPeer } from "../../test/kms-peer.ts";
import { landlord, newEnvelope, newTemplate, plainPdf, tenant } from "../../test/lease.ts";
import { secondProcess } from "../../test/second-process.ts";
import { type TestOrg, type TestService, testService } from "../../test/service.ts";
import type { EnvelopeId } from "../shared/ids.ts";

const peer = await startKmsPeer();
const { arn, endpoint, accessKeyId, secretAccessKey } = peer.settings;
const kms = { KMS: `aws:${arn}`, KMS_ENDPOINT: endpoint, KMS_ACCESS_KEY_ID: accessKeyId, KMS_SECRET_ACCESS_KEY: secretAccessKey };
const service = testService(kms);
afterAll(() => peer.close());

const questions = [
  { text: "Which flat did you visit?", answer: "second floor" },
  { text: "Who recommended us?", answer: "my sister" },
];
const opened: TestService[] = [];
afterEach(async () => {
  for (const { app } of opened.splice(0)) await app.close();
});

/** A process that has just started, so that it has to ask the key service. */
async function started(): Promise<TestService> {
  const next = await secondProcess(service, kms);
  opened.push(next);
  return next;
}

async function sentLease(more: object = {}): Promise<{ org: TestOrg; envelope_id: EnvelopeId }> {
  const org = await service.newOrg();
  const key = await org.newKey();
  const envelope_id = (await newEnvelope(key, await newTemplate(key), "kba" in more ? { kba_required: true } : {})) as EnvelopeId;
  const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [{ ...tenant, ...more }, landlord] } });
  expect([sent.status, sent.json.error]).toEqual([200, undefined]);
  return { org, envelope_id };
}

const at = (process: TestService, { org, envelope_id }: { org: TestOrg; envelope_id: EnvelopeId }, email = tenant.email) =>
  signingSession(process, org, envelope_id, email);
const AWAY = [503, "The key service cannot be reached. Try again", "key_service_away", "5"];
const answer = ({ status, json, headers }: Awaited<ReturnType<SigningSession["open"]>>) => [
  status,
  json.error,
  headers["x-error-code"],
  headers["retry-after"],
];
const flipped = (column: string) => `${column} = set_byte(${column}, 25, get_byte(${column}, 25) # 4)`;

test("signing asks the key service nothing while the key of the organization is in memory", async () => {
  const lease = await sentLease({ kba: { questions } });
  const before = peer.requests.length;
  const one = await at(service, lease);
  const { challenge_id } = (await one.send("GET", "/kba")).json.data;
  const answers = questions.map((question, index) => ({ id: index + 1, value: question.answer }));
  expect((await one.send("POST", "/kba", { body: { challenge_id, answers } })).json.data.state).toBe("passed");
  await makeReady(one, { Rent: "1200" });
  expect((await one.complete()).status).toBe(200);
  expect(peer.requests.length).toBe(before);
});

describe("while the key service is away", () => {
  test("a page that needs a value answers 503 and works again afterwards; nothing counts as changed, and nothing is lost", async () => {
    const lease = await sentLease();
    const one = await at(service, lease);
    await makeReady(one, { Rent: "1200" });
    expect((await one.complete()).status).toBe(200);
    const sam = await at(service, lease, landlord.email);
    await makeReady(sam, {}, "Sam Example");
    const late = await at(await started(), lease, landlord.email);
    for (const call of [() => late.open(), () => late.see(), () => late.save({ values: [] })]) {
      peer.fail("denied", 1);
      expect(answer(await call())).toEqual(AWAY);
    }
    const shown = await late.open();
    expect([shown.status, shown.json.data.others.map(({ value }: { value: unknown }) => value)]).toEqual([
      200,
      expect.arrayContaining(["1200"]),
    ]);
    await makeReady(late, {}, "Sam Example");
    expect((await late.complete()).status).toBe(200);
    const trail = await chainOf(service, lease.org.org_id, lease.envelope_id);
    expect(trail.filter(({ type }) => type === "document.record_mismatch")).toEqual([]);
  });

  test("a document answers 503, for its sender and its signer, and so does an upload; then they are as before", async () => {
    const lease = await sentLease();
    const path = `/partner/envelopes/${lease.envelope_id}/document`;
    const before = await lease.org.admin("GET", path);
    const calls = [
      (org: Send) => org("GET", path),
      (org: Send) => org("POST", "/partner/templates", form({ name: "Lease" }, { bytes: plainPdf })),
      async (_org: Send, late: TestService) => (await at(late, lease)).send("GET", "/document"),
    ];
    for (const call of calls) {
      const late = await started();
      const org = client(late.url, { authorization: `Bearer ${lease.org.token}` });
      peer.fail("denied", 1);
      expect(answer(await call(org, late))).toEqual(AWAY);
      expect((await call(org, late)).status).toBeLessThan(300);
    }
    expect((await lease.org.admin("GET", path)).bytes).toEqual(before.bytes);
  });

  test("questions are not asked, and no attempt is used up", async () => {
    const lease = await sentLease({ kba: { questions } });
    const one = await at(await started(), lease);
    peer.fail("denied", 1);
    expect(answer(await one.send("GET", "/kba"))).toEqual(AWAY);
    const { data } = (await one.send("GET", "/kba")).json;
    expect([data.questions.map(({ text }: { text: string }) => text), data.attempts_left]).toEqual([questions.map(({ text }) => text), 2]);
  });
});

describe("what the audit trail does not have, changed in the database,", () => {
  test.each([
    ["a draft", "signing_drafts", "values_sealed"],
    ["a signature that is not applied yet", "adopted_marks", "content_sealed"],
  ])("is not shown as something else: %s", async (_what, table, column) => {
    const lease = await sentLease();
    const one = await at(service, lease);
    await makeReady(one, { Rent: "1200" });
    const change = () =>
      service.database.owner(
        `update ${table} set ${flipped(column)} where slug in (select slug from signers where envelope_id = $1 and turn = 1)`,
        [lease.envelope_id],
      );
    await change();
    for (const call of [() => one.open(), () => one.save({ values: [] }), () => one.complete()]) expect((await call()).status).toBe(500);
    // The operator removes what was changed, and the signer starts again.
    const ofSigner = "where slug in (select slug from signers where envelope_id = $1 and turn = 1)";
    await service.database.owner(`delete from signing_drafts ${ofSigner}`, [lease.envelope_id]);
    if (table === "adopted_marks") await service.database.owner(`delete from adopted_marks ${ofSigner}`, [lease.envelope_id]);
    await makeReady(one, { Rent: "1200" });
    expect((await one.complete()).status).toBe(200);
  });

  test("or one of another person, is not shown to a signer", async () => {
    const lease = await sentLease();
    const one = await at(service, lease);
    await makeReady(one, { Rent: "1200" });
    const other = await sentLease();
    const two = await at(service, other);
    await makeReady(two, { Rent: "900" });
    await service.database.owner(
      `update signing_drafts d set values_sealed = o.values_sealed from signing_drafts o join signers s on s.slug = o.slug
       where s.envelope_id = $1 and d.slug in (select slug from signers where envelope_id = $2)`,
      [other.envelope_id, lease.envelope_id],
    );
    expect((await one.open()).status).toBe(500);
  });

  test("questions included, which are not asked", async () => {
    const lease = await sentLease({ kba: { questions } });
    const one = await at(service, lease);
    await service.database.owner(
      `update kba_questions set question_sealed = (select question_sealed from kba_questions where slug = $1 and question_no = 2)
       where slug = $1 and question_no = 1`,
      [
        (
          await service.database.owner<{ slug: string }>("select slug from signers where envelope_id = $1 and turn = 1", [
            lease.envelope_id,
          ])
        )[0]?.slug,
      ],
    );
    expect((await one.send("GET", "/kba")).status).toBe(500);
  });
});

test("questions follow a signer whose address is corrected, although the link changes", async () => {
  const lease = await sentLease({ kba: { questions } });
  const { signers } = (await lease.org.admin("GET", `/partner/envelopes/${lease.envelope_id}/signers`)).json.data;
  const corrected = await lease.org.admin("PATCH", `/partner/envelopes/${lease.envelope_id}/signers/${signers[0].slug}`, {
    body: { email: "anne@example.com" },
  });
  expect([corrected.status, corrected.json.data?.slug === signers[0].slug]).toEqual([200, false]);
  const one = await at(service, lease, "anne@example.com");
  expect((await one.send("GET", "/kba")).json.data.questions.map(({ text }: { text: string }) => text)).toEqual(
    questions.map(({ text }) => text),
  );
});
