import { createHash, X509Certificate } from "node:crypto";
import { type Facts2, rules2 } from "@countersign/evidence";
import { beforeAll, describe, expect, test } from "vitest";
import { unzipBundle, verifyBundle } from "../../../verify/src/index.ts";
import { signingSession, signingSessionWith } from "../../test/ceremony.ts";
import { chainOf, linkIn, linkTokenFor } from "../../test/envelopes.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../test/lease.ts";
import { ann, carl, lee, type SentContract, sam, sentContract, vera } from "../../test/recipients.ts";
import { newSandbox } from "../../test/sandboxes.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { draftOfThree } from "../../test/three-documents.ts";
import { until } from "../../test/until.ts";
import { readChain } from "../audit/read-chain.ts";
import { finishDocument } from "../envelopes/finish-document.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { storeEnvelope } from "../vault/store-envelope.ts";

const service = testService();
const values = { "Tenant name": "Ann Example", Rent: 1200, Start: "2026-03-01", Pet: true, Floor: "second" };

let live: TestOrg;
let sandbox: TestOrg;
beforeAll(async () => {
  live = await service.newOrg("Acme");
  sandbox = await newSandbox(service, live, "Harbor");
});

let key: TestKey;
let template_id: string;
beforeAll(async () => {
  key = await sandbox.newKey();
  template_id = await newTemplate(key);
});

interface Lease {
  readonly envelope_id: EnvelopeId;
  readonly sign: (body?: object, headers?: Record<string, string>) => ReturnType<TestKey["send"]>;
  readonly status: () => Promise<string>;
}

const onEnvelope = (envelope_id: EnvelopeId, by = key): Lease => ({
  envelope_id,
  sign: (body = {}, headers = {}) => by.send("POST", `/test/envelopes/${envelope_id}/sign`, { body, headers }),
  status: async () => (await by.send("GET", `/partner/envelopes/${envelope_id}/status`)).json.data.status,
});

/** A lease with required fields for the tenant and a signature of both. */
async function sentLease(more: object = {}, send: object = {}): Promise<Lease> {
  const envelope_id = (await newEnvelope(key, template_id, more)) as EnvelopeId;
  const body = { signers: [tenant, landlord], ...send };
  const { status, json } = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body });
  expect([status, json.error, json.details]).toEqual([200, undefined, undefined]);
  return onEnvelope(envelope_id);
}

const entries = (envelope_id: EnvelopeId) => chainOf(service, sandbox.org_id, envelope_id);
const factsOf = async (envelope_id: EnvelopeId): Promise<Facts2> => {
  const files = unzipBundle((await key.send("GET", `/partner/envelopes/${envelope_id}/vault/evidence`)).bytes);
  return JSON.parse(Buffer.from(files.find(({ name }) => name === "certificates/r1/facts.json")?.bytes ?? []).toString("utf8"));
};
const attribution = (facts: Facts2) => rules2.evaluate(facts).checks.find(({ id }) => id === "consent_and_attribution");

describe("an envelope that a test operation signs", () => {
  let contract: SentContract;
  let answer: Awaited<ReturnType<TestKey["send"]>>;
  beforeAll(async () => {
    const asked = { ...ann, step: 2, authentication: [{ method: "email_code" }, { method: "access_code", code: "blue-harbour" }] };
    const recipients = [{ ...lee, step: 1 }, asked, { ...sam, step: 2 }, { ...vera, step: 3 }, carl];
    contract = await sentContract(service, recipients, { message: "Please sign" }, undefined, sandbox);
    answer = await onEnvelope(contract.envelope_id, contract.key).sign({ values: { "Cost centre": "4711" } });
  });

  test("is completed, whoever signs, approves or confirms in whichever step; people who get a copy get it", async () => {
    expect([answer.status, answer.json.error, answer.json.details]).toEqual([200, undefined, undefined]);
    const { envelope_id } = contract;
    expect(answer.json.data).toEqual((await contract.key.send("GET", `/partner/envelopes/${envelope_id}/status`)).json.data);
    expect(answer.json.data).toMatchObject({ envelope_id, status: "completed", vaulted: false });
    expect(Object.values(await contract.now()).map(({ email, status }) => [email, status])).toEqual([
      [lee.email, "approved"],
      [ann.email, "signed"],
      [sam.email, "signed"],
      [vera.email, "confirmed"],
      [carl.email, "pending"],
    ]);
    expect(await contract.mail()).toEqual(expect.arrayContaining([`signing_invitation ${lee.email}`, `signing_turn ${vera.email}`]));
  });

  test("has the entries of a real ceremony, and each says that a test operation made it", async () => {
    const all = await entries(contract.envelope_id);
    const from = all.findIndex(({ type }) => type === "token.minted");
    const visits = all.slice(from).map(({ type, actor, data }) => ({ type, by: data.by, kind: actor.kind }));
    const token = { type: "token.minted", by: contract.key.key_id, kind: "key" };
    const as = (kind: string) => (type: string) => ({ type, by: "test_operation", kind });
    const [signer, recipient] = [as("signer"), as("recipient")];
    const signing = ["document.rendered", "consent.accepted", "signature.applied"].map(signer);
    expect(visits).toEqual([
      ...[token, recipient("recipient.opened"), recipient("document.rendered"), recipient("recipient.approved")],
      ...[token, signer("signer.opened"), signer("identity.passed"), signer("identity.passed"), signer("envelope.viewed"), ...signing],
      ...[token, signer("signer.opened"), ...signing],
      ...[token, recipient("recipient.opened"), recipient("document.rendered"), recipient("recipient.confirmed")],
      recipient("envelope.completed"),
    ]);
    const passed = all.filter(({ type }) => type === "identity.passed").map(({ data }) => [data.method, data.provider]);
    expect(passed).toEqual([
      ["email_code", "test_operation"],
      ["access_code", "test_operation"],
    ]);
    const [opened] = all.filter(({ type }) => type === "signer.opened");
    expect(opened?.data).toMatchObject({ credential: "embed_token", issued_by: contract.key.key_id, user_email: ann.email });
  });

  test("has certificates that say so, and evidence that verifies as a test record", async () => {
    const { envelope_id } = contract;
    const path = `/partner/envelopes/${envelope_id}`;
    const job = { org_id: sandbox.org_id, envelope_id };
    await finishDocument(service.features.envelopes, job);
    const signed = await textOf((await key.send("GET", `${path}/document`)).bytes);
    expect(signed).toContain("4711");
    expect(signed).toContain("Ann");
    const completion = await textOf((await key.send("GET", `${path}/completion-certificate`)).bytes);
    for (const words of SAID_IN_COMPLETION) expect(completion).toContain(words);
    expect(completion).not.toContain("Entered the right code");
    const certification = { accepted: true, terms_version: "2026-01" };
    const vaulting = key.send("POST", `${path}/vault-in-signed`, { body: { certification } });
    await until("the accepted terms", async () => {
      const rows = await service.database.owner("select 1 from certification_acceptances where envelope_id = $1", [envelope_id]);
      return rows.length === 1;
    });
    await storeEnvelope(service.features.vault, job);
    expect((await vaulting).status).toBe(200);
    const certificate = await textOf((await key.send("GET", `${path}/vault/certificate?format=pdf`)).bytes);
    for (const words of SAID_IN_CERTIFICATE) expect(certificate).toContain(words);
    const facts = await factsOf(envelope_id);
    const graded = { satisfied: true, grade: "attested", grade_reason: `${ann.email}: a test operation acted for the signer.` };
    expect(attribution(facts)).toMatchObject(graded);
    const links = await service.db.tx(sandbox.org_id, (tx) => readChain(tx, sandbox.org_id, envelope_id));
    expect(rules2.firstContradiction(facts, links)).toBeNull();
    // Facts that do not say it contradict the audit trail.
    const hidden = facts.signers.map((one) => ({ ...one, sessions: one.sessions.map(({ by: _by, ...visit }) => visit) }));
    expect(rules2.firstContradiction({ ...facts, signers: hidden }, links)?.what).toBe(`the link of ${ann.email}`);
    const files = unzipBundle((await key.send("GET", `${path}/vault/evidence`)).bytes);
    const { outcome } = await verifyBundle(() => files, { root: await testRoot(), tsa_roots: null });
    expect(outcome).toBe("TEST RECORD");
  });
});

const SAID_IN_COMPLETION = [
  "Opened the signing page with access that the sender created for an embedded page (test operation)",
  "Recorded as passed: code sent by e-mail (test operation)",
  "Approved the document (test operation)",
  "(typed) (test operation)",
  "Test operation, on an embedded page",
  "Code sent by e-mail, recorded by a test operation",
  "Test operation with an embed token",
];
const SAID_IN_CERTIFICATE = [
  "Signed by a test operation",
  "Ann <ann@example.com>, Sam <sam@example.com>: no person signed.",
  "test operation with an embed token: identity asserted by Harbor",
  "access code set by the sender, recorded by a test operation",
];

async function textOf(bytes: Uint8Array): Promise<string> {
  const { pages } = await service.features.pdf.inspect(Uint8Array.from(bytes), {});
  const texts: string[] = [];
  for (let page = 1; page <= pages; page++) texts.push(...(await service.features.pdf.text(Uint8Array.from(bytes), { page })).blocks);
  return texts.join(" ").replace(/\s+/g, " ");
}

async function testRoot(): Promise<string> {
  const trust = await fetch(`${service.url}/.well-known/countersign-test-trust.json`);
  const { root_certificate } = (await trust.json()) as { root_certificate: string };
  return createHash("sha256")
    .update(new X509Certificate(Buffer.from(root_certificate, "base64")).raw)
    .digest("hex");
}

describe("signing by a test operation", () => {
  test("with identity questions records them as passed, and a transferable record has the agreement of its maker", async () => {
    const certification = { accepted: true, terms_version: "2026-01" };
    const more = { kba_required: true, auto_vault_enabled: true, record_type: "transferable_record", maker_roles: ["Tenant"] };
    const lease = await sentLease(more, { certification });
    const { envelope_id } = lease;
    const unset = await lease.sign({ values });
    expect([unset.status, unset.headers["x-error-code"]]).toEqual([409, "identity_unavailable"]);
    const { recipients } = (await key.send("GET", `/partner/envelopes/${envelope_id}/recipients`)).json.data;
    const questions = [
      { text: "Your first street?", answer: "Elm" },
      { text: "Your first school?", answer: "Hill" },
    ];
    for (const { slug } of recipients) {
      expect((await key.send("PUT", `/partner/envelopes/${envelope_id}/signers/${slug}/kba`, { body: { questions } })).status).toBe(200);
    }
    const signed = await lease.sign({ values });
    expect([signed.status, signed.json.error]).toEqual([200, undefined]);
    const all = await entries(envelope_id);
    expect(all.filter(({ type }) => type === "kba.passed").map(({ data }) => [data.by, data.questions])).toEqual([
      ["test_operation", []],
      ["test_operation", []],
    ]);
    expect(all.filter(({ type }) => type === "agreement.accepted").map(({ data }) => [data.role, data.by])).toEqual([
      ["Tenant", "test_operation"],
    ]);
    const job = { org_id: sandbox.org_id, envelope_id };
    await finishDocument(service.features.envelopes, job);
    await storeEnvelope(service.features.vault, job);
    const facts = await factsOf(envelope_id);
    expect(attribution(facts)).toMatchObject({ satisfied: true });
    const links = await service.db.tx(sandbox.org_id, (tx) => readChain(tx, sandbox.org_id, envelope_id));
    expect(rules2.firstContradiction(facts, links)).toBeNull();
  });

  test("without a required value is 422 with its name, and no one has signed", async () => {
    const { envelope_id, key: own } = await sentContract(service, [lee, ann, sam], {}, undefined, sandbox);
    const before = await entries(envelope_id);
    for (const given of [{}, { values: { "Cost centre": " " } }, { values: { "Cost centre": null } }]) {
      const { status, json } = await onEnvelope(envelope_id, own).sign(given);
      const detail = { location: "body", field: "values.Cost centre", code: "required", message: "must be filled in" };
      expect([status, json.details]).toEqual([422, [detail]]);
    }
    expect(await entries(envelope_id)).toEqual(before);
    const others = await onEnvelope(envelope_id, own).sign({ emails: [ann.email], values: {} });
    expect(others.headers["x-error-code"], "the approver comes first").toBe("not_your_turn");
  });

  test("with a wrong value is 422 with the names of all, and no one has signed", async () => {
    const lease = await sentLease();
    const before = await entries(lease.envelope_id);
    const given = { Rent: "much", Start: "2026-03-01", "Landlord name": "Sam", Pet: null, Floor: ["first"], "Tenant name": { a: 1 } };
    const wrong = await lease.sign({ values: given });
    expect(wrong.status).toBe(422);
    expect(wrong.json.details).toEqual([
      {
        location: "body",
        field: "values.Landlord name",
        code: "unknown_field",
        message: "is not a field that these recipients fill in",
      },
      ...["Tenant name", "Rent", "Floor"].map((name) => expect.objectContaining({ field: `values.${name}`, code: "invalid_value" })),
    ]);
    expect(await entries(lease.envelope_id)).toEqual(before);
    expect(await lease.status()).toBe("sent");
  });

  test("takes effect for everyone or for no one", async () => {
    const asked = { ...landlord, authentication: [{ method: "access_code", code: "blue-harbour" }] };
    const lease = await sentLease({}, { signers: [tenant, asked] });
    await service.database.owner("update signers set status = 'locked' where envelope_id = $1 and email = $2", [
      lease.envelope_id,
      landlord.email,
    ]);
    const before = await entries(lease.envelope_id);
    const refused = await lease.sign({ values });
    expect([refused.status, refused.headers["x-error-code"]]).toEqual([409, "signer_locked"]);
    expect(await entries(lease.envelope_id)).toEqual(before);
  });

  test("for some addresses waits for none: only these sign, in their order, and those before them must have signed", async () => {
    const lease = await sentLease();
    const early = await lease.sign({ emails: [landlord.email] });
    expect([early.status, early.headers["x-error-code"]]).toEqual([409, "not_your_turn"]);
    const first = await lease.sign({ emails: ["ANN@example.com"], values });
    expect([first.status, first.json.data.status]).toEqual([200, "viewed"]);
    const again = await lease.sign({ emails: [tenant.email] });
    expect([again.status, again.headers["x-error-code"]]).toEqual([409, "recipient_has_acted"]);
    const unknown = await lease.sign({ emails: [landlord.email, "nobody@example.com"] });
    expect([unknown.status, unknown.json.details[0]]).toMatchObject([422, { field: "emails[1]", code: "not_found" }]);
    expect((await lease.sign()).json.data.status).toBe("completed");
  });

  test("uses what a person has entered on the page so far", async () => {
    const lease = await sentLease({}, { signers: [tenant, landlord] });
    const page = await signingSession(service, sandbox, lease.envelope_id, tenant.email);
    await page.see();
    await page.consent();
    expect((await page.fill({ "Tenant name": "Annie" })).status).toBe(200);
    expect((await lease.sign({ emails: [tenant.email], values: { Rent: 900 } })).status).toBe(200);
    const ofSam = await signingSession(service, sandbox, lease.envelope_id, landlord.email);
    const seen = JSON.stringify((await ofSam.open()).json.data);
    expect(seen).toContain("Annie");
    expect(seen).toContain("900");
  });

  test("of several documents signs them all", async () => {
    const draft = await draftOfThree(service, {}, sandbox);
    const body = { signers: [tenant, landlord] };
    expect((await draft.key.send("POST", `${draft.at}/send`, { body })).status).toBe(200);
    const signed = await onEnvelope(draft.envelope_id, draft.key).sign({ values: { "Tenant name": "Ann Example" } });
    expect([signed.status, signed.json.data.status]).toEqual([200, "completed"]);
    await finishDocument(service.features.envelopes, { org_id: sandbox.org_id, envelope_id: draft.envelope_id });
    expect((await draft.key.send("GET", `${draft.at}/document`)).status).toBe(200);
  });

  test("happens once, however often the request is repeated with its key", async () => {
    const lease = await sentLease();
    const sign = () => lease.sign({ values }, { "idempotency-key": lease.envelope_id });
    const [first, ...others] = await Promise.all([sign(), sign(), sign()]);
    expect([first.status, first.json.data.status]).toEqual([200, "completed"]);
    for (const one of [...others, await sign()]) expect([one.status, one.text]).toEqual([200, first.text]);
    expect((await entries(lease.envelope_id)).filter(({ type }) => type === "signature.applied")).toHaveLength(2);
    const later = await lease.sign({ values });
    expect([later.status, later.headers["x-error-code"]]).toEqual([409, "envelope_wrong_status"]);
  });

  test("is 409 for an envelope that no one can act on, and 404 for one of another sandbox", async () => {
    const draft = onEnvelope((await newEnvelope(key, template_id)) as EnvelopeId);
    expect((await draft.sign()).headers["x-error-code"]).toBe("envelope_wrong_status");
    const lease = await sentLease();
    await key.send("POST", `/partner/envelopes/${lease.envelope_id}/void`, { body: { reason: "x" } });
    expect((await lease.sign()).headers["x-error-code"]).toBe("envelope_wrong_status");
    const other = await (await newSandbox(service, live)).newKey();
    const foreign = await onEnvelope(lease.envelope_id, other).sign();
    expect([foreign.status, foreign.headers["x-error-code"]]).toEqual([404, "envelope_not_found"]);
  });

  test.each([
    ["no addresses", { emails: [] }, "emails"],
    ["values in a list", { values: [1] }, "values"],
    ["an unknown member", { value: {} }, "value"],
  ])("422 for %s", async (_what, body, field) => {
    const { status, json } = await onEnvelope("env_01h2xcejqtf2nbrexx3vqjhp41" as EnvelopeId).sign(body);
    expect([status, json.details?.[0]?.field]).toEqual([422, field]);
  });

  test("finds rows that differ from the audit trail, and notes it once the request is over", async () => {
    const lease = await sentLease();
    await service.database.owner("update signers set name = 'Eve' where envelope_id = $1 and email = $2", [
      lease.envelope_id,
      landlord.email,
    ]);
    const refused = await lease.sign({ values }, { "idempotency-key": lease.envelope_id });
    expect([refused.status, refused.headers["x-error-code"]]).toEqual([409, "record_mismatch"]);
    expect((await entries(lease.envelope_id)).at(-1)?.type).toBe("document.record_mismatch");
    expect(await lease.status()).toBe("sent");
  });
});

describe("an organization that accepts only the mailed link", () => {
  test("accepts the one in a captured e-mail of its sandbox, and a test operation", async () => {
    const strict = await newSandbox(service, live);
    const own = await strict.newKey();
    expect((await strict.admin("PATCH", "/org/settings", { body: { require_mailed_link: true } })).status).toBe(200);
    const envelope_id = (await newEnvelope(own, await newTemplate(own))) as EnvelopeId;
    await own.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord] } });
    const byToken = await signingSession(service, strict, envelope_id, tenant.email);
    expect((await byToken.open()).json.data.state).toBe("mailed_link_required");
    const [message] = (await own.send("GET", `/test/messages?envelope_id=${envelope_id}`)).json.data;
    const { slug, secret } = linkIn(message.text);
    const page = signingSessionWith(service, envelope_id, await linkTokenFor(service, slug, secret));
    expect((await page.open()).json.data.state).toBe("ready");
    const signed = await onEnvelope(envelope_id, own).sign({ values });
    expect([signed.status, signed.json.data?.status]).toEqual([200, "completed"]);
  });
});
