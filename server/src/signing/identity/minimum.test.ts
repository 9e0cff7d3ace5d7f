import { writeCsv } from "@countersign/csv";
import { type Facts2, type NamedFile, rules2 } from "@countersign/evidence";
import { afterAll, describe, expect, test } from "vitest";
import { unzipBundle } from "../../../../verify/src/index.ts";
import { makeReady, type SigningSession, signingSession, signingSessionWith } from "../../../test/ceremony.ts";
import type { Answer } from "../../../test/client.ts";
import { chainOf, linkTokenFor, newSession, page, tokenFor } from "../../../test/envelopes.ts";
import { form } from "../../../test/form.ts";
import { newForm, start as startForm } from "../../../test/forms.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../../test/lease.ts";
import { type TestKey, type TestOrg, type TestService, testService } from "../../../test/service.ts";
import { startSmtpPeer } from "../../../test/smtp.ts";
import { until } from "../../../test/until.ts";
import { readChain } from "../../audit/read-chain.ts";
import { checkBatch } from "../../bulk/check-batch.ts";
import { runBatch } from "../../bulk/run-batch.ts";
import { finishDocument } from "../../envelopes/finish-document.ts";
import { type SendRequest, sendEnvelope } from "../../envelopes/send-envelope.ts";
import { resumeMail } from "../../mail/resume-mail.ts";
import { systemCaller } from "../../shared/caller.ts";
import type { BatchId, EnvelopeId } from "../../shared/ids.ts";
import type { Slug } from "../../shared/slugs.ts";
import { storeEnvelope } from "../../vault/store-envelope.ts";

/** What the organization demands of everyone who acts: `min_identity_level` and `embed_identity` of its security settings. */

const peer = await startSmtpPeer();
const service = testService({ SMTP_URL: peer.url, MAIL_FROM: "sign@example.com", BULK_ROWS_PER_MINUTE: "1000000" });
const withoutMail = testService();
afterAll(() => peer.stop());

const agreed = { method: "access_code", code: "Blue-Harbour-7" };
const approver = { kind: "approver", email: "lee@example.com", name: "Lee" };
const reader = { kind: "cc", email: "kim@example.com", name: "Kim" };
const problems = ({ status, json }: Answer) => [
  status,
  ...(json.details ?? []).map(({ field, code }: Record<string, string>) => `${field} ${code}`),
];

interface Demanding {
  readonly org: TestOrg;
  readonly key: TestKey;
}

async function demanding(security: object, on: TestService = service): Promise<Demanding> {
  const org = await on.newOrg();
  const { status, json } = await org.admin("PATCH", "/org/security", { body: security });
  expect([status, json.data]).toEqual([200, expect.objectContaining(security)]);
  return { org, key: await org.newKey() };
}

async function send({ key }: Demanding, recipients: readonly object[], more: object = {}): Promise<Answer & { envelope_id: EnvelopeId }> {
  const envelope_id = (await newEnvelope(key, await newTemplate(key), more)) as EnvelopeId;
  const answer = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { recipients, signing_order: "parallel" } });
  return { ...answer, envelope_id };
}

const signers = (authentication?: readonly object[]) => [
  { kind: "signer", ...tenant, ...(authentication !== undefined && { authentication }) },
  { kind: "signer", ...landlord, ...(authentication !== undefined && { authentication }) },
];

interface Sent extends Demanding {
  readonly envelope_id: EnvelopeId;
}

async function sent(by: Demanding, recipients: readonly object[], more: object = {}): Promise<Sent> {
  const { status, json, envelope_id } = await send(by, recipients, more);
  expect([status, json.error]).toEqual([200, undefined]);
  return { ...by, envelope_id };
}

/** What is required of each person who acts, as the chain has it. */
async function requiredIn({ org, envelope_id }: Sent) {
  const sets = (await chainOf(service, org.org_id, envelope_id)).filter(({ type }) => type === "identity.set");
  return sets.map(({ data }) => {
    const { user_email, methods, link_methods = [] } = data as Record<string, unknown>;
    return [user_email, methods, link_methods];
  });
}

const slugOf = async ({ envelope_id }: Sent, email: string): Promise<Slug> =>
  (
    await service.database.owner<{ slug: Slug }>("select slug from signers where envelope_id = $1 and email = $2 and removed_at is null", [
      envelope_id,
      email,
    ])
  )[0]?.slug ?? expect.fail("no such person");

const byToken = ({ org, envelope_id }: Sent, email: string) => signingSession(service, org, envelope_id, email);
const byLink = async (at: Sent, email: string) =>
  signingSessionWith(service, at.envelope_id, await linkTokenFor(service, await slugOf(at, email)));
const stepsOf = async (one: SigningSession): Promise<string[]> =>
  (await one.open()).json.data.identity.steps.map(({ method }: { method: string }) => method);

async function passMailed(one: SigningSession): Promise<void> {
  const { challenge_id } = (await one.send("POST", "/identity/email_code/start")).json.data;
  await resumeMail(service.features.mail);
  const mail = peer.messages.findLast(({ text }) => /^Code: \d{6}$/m.test(text ?? ""));
  const code = /^Code: (\d{6})$/m.exec(mail?.text ?? "")?.[1];
  expect((await one.send("POST", "/identity/email_code/answer", { body: { challenge_id, code } })).status).toBe(200);
}

async function signed(one: SigningSession): Promise<void> {
  await makeReady(one);
  expect((await one.complete()).status).toBe(200);
}

describe("level 1", () => {
  test("adds a code by e-mail for everyone who acts of whom nothing is required; not for people who get a copy", async () => {
    const recipients = [{ ...signers()[0] }, { ...signers([agreed])[1] }, approver, reader];
    const at = await sent(await demanding({ min_identity_level: 1 }), recipients);
    expect(await requiredIn(at)).toEqual([
      [tenant.email, [], ["email_code"]],
      [landlord.email, ["access_code"], []],
      [approver.email, [], ["email_code"]],
    ]);
    const one = await byLink(at, tenant.email);
    expect((await one.open()).json.data).toMatchObject({ document: null, identity: { state: "required", level: 0 } });
    expect((await one.complete()).json.details[0].code).toBe("identity_required");
    expect(await stepsOf(await byLink(at, landlord.email))).toEqual(["access_code"]);
    await passMailed(one);
    expect((await one.open()).json.data).toMatchObject({ identity: { state: "passed", level: 1 } });
    // A person who gets a copy has nothing to prove, so they see nothing before the result.
    expect((await (await byLink(at, reader.email)).open()).json.data).toMatchObject({ state: "waiting", document: null });
  });

  test("is met by identity questions, and concerns envelopes that are sent from then on", async () => {
    const org = await service.newOrg();
    const before = await sent({ org, key: await org.newKey() }, signers());
    await org.admin("PATCH", "/org/security", { body: { min_identity_level: 1 } });
    expect(await stepsOf(await byLink(before, tenant.email))).toEqual([]);
    expect(await requiredIn(await sent(before, signers(), { kba_required: true }))).toEqual([]);
  });

  test("applies to links that the sender hands over: the code goes to the person's own address", async () => {
    const at = await sent(
      await demanding({ min_identity_level: 1 }),
      signers().map((one) => ({ ...one, delivery: "link" })),
    );
    const slug = await slugOf(at, tenant.email);
    const { url } = (await at.key.send("POST", `/partner/envelopes/${at.envelope_id}/signers/${slug}/link`)).json.data;
    const secret = /#k=([0-9a-f]{32})/.exec(url)?.[1];
    const one = signingSessionWith(service, at.envelope_id, await linkTokenFor(service, slug, secret));
    expect(await stepsOf(one)).toEqual(["email_code"]);
    await passMailed(one);
    expect((await one.open()).json.data.identity).toMatchObject({ state: "passed", level: 1 });
  });

  test("without a mail server is 422 for people without an access code", async () => {
    const by = await demanding({ min_identity_level: 1 }, withoutMail);
    expect(problems(await send(by, signers()))).toEqual([422, "recipients[0].authentication identity_level_too_low"]);
    expect((await send(by, signers([agreed]))).status).toBe(200);
    const envelope_id = await newEnvelope(by.key, await newTemplate(by.key), { signers: [tenant, landlord] });
    expect(problems(await by.key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: {} }))).toEqual([
      422,
      "signers identity_level_too_low",
    ]);
  });

  test("stays when a sender takes back what they required, and for people who are added or replaced later", async () => {
    const at = await sent(await demanding({ min_identity_level: 1 }), [...signers([agreed]), approver]);
    const path = `/partner/envelopes/${at.envelope_id}`;
    const slug = await slugOf(at, tenant.email);
    const { status, json } = await at.key.send("PUT", `${path}/signers/${slug}/identity`, { body: { authentication: [] } });
    expect([status, json.data.authentication]).toEqual([200, [{ method: "email_code", state: "required", links_only: true }]]);
    const added = { kind: "viewer", email: "eve@example.com", name: "Eve", step: 1 };
    expect((await at.key.send("POST", `${path}/recipients`, { body: added })).status).toBe(201);
    expect(await stepsOf(await byLink(at, added.email))).toEqual(["email_code"]);
    const [lee] = (await at.key.send("GET", `${path}/recipients`)).json.data.recipients.filter(
      ({ kind }: { kind: string }) => kind === "approver",
    );
    await at.key.send("PATCH", `${path}/recipients/${lee.recipient_id}`, { body: { email: "lea@example.com" } });
    expect(await stepsOf(await byLink(at, "lea@example.com"))).toEqual(["email_code"]);
    expect(await stepsOf(await byToken(at, "lea@example.com"))).toEqual([]);
  });
});

describe("people with a token of the organization's own application", () => {
  test("are trusted with `partner`: they and readers with a token are not asked, and check 5 knows it", async () => {
    const at = await sent(await demanding({ min_identity_level: 1 }), signers(), { auto_vault_enabled: false });
    const signersNow = (await at.key.send("GET", `/partner/envelopes/${at.envelope_id}/signers`)).json.data.signers;
    expect(signersNow[0].authentication).toEqual([{ method: "email_code", state: "required", links_only: true }]);
    const reading = page(service, await tokenFor(at.org, at.envelope_id, "staff@partner.example"), newSession());
    expect((await reading("GET", `/embed/sign/${at.envelope_id}`)).json.data.document).not.toBeNull();
    const ann = await byToken(at, tenant.email);
    expect((await ann.open()).json.data).toMatchObject({ identity: { state: "not_required", steps: [] } });
    expect((await ann.send("POST", "/identity/email_code/start")).json.details[0].code).toBe("identity_unavailable");
    await signed(ann);
    const sam = await byLink(at, landlord.email);
    await passMailed(sam);
    await signed(sam);
    const facts = await factsOf(at);
    expect(facts.signers.map(({ required_methods, required_of_links }) => [required_methods, required_of_links])).toEqual([
      [[], ["email_code"]],
      [[], ["email_code"]],
    ]);
    const check = (all: Facts2) => rules2.evaluate(all).checks.find(({ id }) => id === "consent_and_attribution");
    expect(check(facts)).toMatchObject({
      satisfied: true,
      detail: expect.stringContaining("Passed before signing: sam@example.com: code sent by e-mail."),
    });
    const links = await service.db.tx(at.org.org_id, (tx) => readChain(tx, at.org.org_id, at.envelope_id));
    expect(rules2.firstContradiction(facts, links)).toBeNull();
    const silent = facts.signers.map(({ required_of_links: _, ...signer }) => signer);
    expect(rules2.firstContradiction({ ...facts, signers: silent }, links)?.what).toBe("how ann@example.com had to be identified");
    // The same person with a link would have had to pass it.
    const byLinks = facts.signers.map((signer) => ({
      ...signer,
      sessions: signer.sessions.map((each) => ({ ...each, credential: "email_link" })),
    }));
    expect(check({ ...facts, signers: byLinks })).toMatchObject({ satisfied: false });
  });

  test("are asked with `same`, and readers with a token see nothing", async () => {
    const at = await sent(await demanding({ min_identity_level: 1, embed_identity: "same" }), signers());
    expect(await requiredIn(at)).toEqual([
      [tenant.email, ["email_code"], []],
      [landlord.email, ["email_code"], []],
    ]);
    const ann = await byToken(at, tenant.email);
    expect((await ann.open()).json.data).toMatchObject({ document: null, identity: { state: "required" } });
    const reading = page(service, await tokenFor(at.org, at.envelope_id, "staff@partner.example"), newSession());
    expect((await reading("GET", `/embed/sign/${at.envelope_id}`)).json.data.document).toBeNull();
    await passMailed(ann);
    await signed(ann);
  });

  test("are always asked what the sender requires", async () => {
    const at = await sent(await demanding({ min_identity_level: 1 }), signers([{ method: "email_code" }]));
    expect(await stepsOf(await byToken(at, tenant.email))).toEqual(["email_code"]);
  });
});

describe("level 2", () => {
  test("is 422 for people of whom the sender requires nothing that they know, and adds the code by e-mail for the others", async () => {
    const by = await demanding({ min_identity_level: 2 });
    for (const authentication of [undefined, [], [{ method: "email_code" }]])
      expect(problems(await send(by, signers(authentication)))).toEqual([422, "recipients[0].authentication identity_level_too_low"]);
    const at = await sent(by, signers([agreed]));
    expect(await requiredIn(at)).toEqual([
      [tenant.email, ["email_code", "access_code"], []],
      [landlord.email, ["email_code", "access_code"], []],
    ]);
    expect(await requiredIn(await sent(by, signers(), { kba_required: true }))).toEqual([
      [tenant.email, ["email_code"], []],
      [landlord.email, ["email_code"], []],
    ]);
    // An application is trusted for the first level only.
    expect(await stepsOf(await byToken(at, tenant.email))).toEqual(["email_code", "access_code"]);
    const path = `/partner/envelopes/${at.envelope_id}`;
    const slug = await slugOf(at, tenant.email);
    expect(problems(await at.key.send("PUT", `${path}/signers/${slug}/identity`, { body: { authentication: [] } }))).toEqual([
      422,
      "authentication identity_level_too_low",
    ]);
    const added = { ...approver, step: 1 };
    expect(problems(await at.key.send("POST", `${path}/recipients`, { body: added }))).toEqual([422, "kind identity_level_too_low"]);
    expect((await at.key.send("POST", `${path}/recipients`, { body: reader })).status).toBe(201);
  });
});

describe("a level that is raised while an envelope is being sent", () => {
  /** Both steps of a send, with a change of the policy in between. */
  async function raised(to: number, recipients: readonly object[]): Promise<Sent> {
    const by = await demanding({ min_identity_level: 0 });
    const envelope_id = (await newEnvelope(by.key, await newTemplate(by.key))) as EnvelopeId;
    const caller = systemCaller(by.org.org_id);
    const { envelopes } = service.features;
    const anyState = () => undefined;
    const request = { recipients, signing_order: "parallel" } as SendRequest;
    const prepared = await sendEnvelope.prepare(envelopes, caller, envelope_id, request, anyState);
    await by.org.admin("PATCH", "/org/security", { body: { min_identity_level: to } });
    await sendEnvelope.save(envelopes, caller, prepared, anyState);
    return { ...by, envelope_id };
  }

  test("is asked of its people; one that the sender has to meet leaves the draft as it was", async () => {
    const at = await raised(1, [{ ...signers()[0] }, { ...signers([agreed])[1] }, reader]);
    expect(await requiredIn(at)).toEqual([
      [tenant.email, [], ["email_code"]],
      [landlord.email, ["access_code"], []],
    ]);
    expect(await stepsOf(await byLink(at, tenant.email))).toEqual(["email_code"]);
    expect(await requiredIn(await raised(2, signers([agreed])))).toEqual([
      [tenant.email, ["email_code", "access_code"], []],
      [landlord.email, ["email_code", "access_code"], []],
    ]);
    await expect(raised(2, signers())).rejects.toMatchObject({
      code: "invalid_request",
      details: [{ field: "recipients[0].authentication", code: "identity_level_too_low" }],
    });
    const [draft] = await service.database.owner("select status, submission_id from envelopes order by created_at desc limit 1");
    expect(draft).toEqual({ status: "preparing", submission_id: null });
  });
});

describe("public forms", () => {
  test("ask visitors for the code too, also those without a link by e-mail; level 2 closes them", async () => {
    const { org } = await demanding({ min_identity_level: 1 });
    const { slug, form_id, template_id } = await newForm(org, { verify_email: false });
    const begun = await startForm(service, slug);
    expect([begun.status, begun.json.error]).toEqual([201, undefined]);
    const url = new URL(begun.json.data.embed_url);
    const envelope_id = url.pathname.split("/").at(-1) ?? "";
    const one = signingSessionWith(service, envelope_id, new URLSearchParams(url.hash.slice(1)).get("token") ?? "");
    expect((await one.open()).json.data).toMatchObject({ document: null, identity: { state: "required" } });
    await passMailed(one);
    expect((await one.open()).json.data.identity.state).toBe("passed");
    await org.admin("PATCH", "/org/security", { body: { min_identity_level: 2 } });
    expect((await startForm(service, slug)).status).toBe(409);
    expect(problems(await org.admin("POST", "/partner/forms", { body: { template_id } }))).toEqual([
      422,
      "template_id identity_level_too_low",
    ]);
    await org.admin("POST", `/partner/forms/${form_id}/pause`);
    expect((await org.admin("POST", `/partner/forms/${form_id}/resume`)).status).toBe(422);
  });

  test("make no envelope without a mail server, which could not be sent", async () => {
    const { org } = await demanding({ min_identity_level: 1 }, withoutMail);
    const { slug, form_id } = await newForm(org, { verify_email: false });
    const { status, headers } = await startForm(withoutMail, slug);
    expect([status, headers["x-error-code"]]).toEqual([409, "form_closed"]);
    expect(await withoutMail.database.owner("select from envelopes where form_id = $1", [form_id])).toEqual([]);
  });
});

describe("bulk sends", () => {
  const table = Buffer.from(
    writeCsv([
      ["Tenant.name", "Tenant.email", "Landlord.name", "Landlord.email"],
      ["Ann", "ann@example.com", "Sam", "sam@example.com"],
    ]),
  );

  async function uploaded({ org, key }: Demanding): Promise<string> {
    const template_id = await newTemplate(key);
    const { batch_id } = (await key.send("POST", "/partner/bulk-batches", form({ template_id }, { bytes: table, name: "Leases.csv" }))).json
      .data;
    await checkBatch(service, { org_id: org.org_id, batch_id });
    return batch_id;
  }
  const read = async ({ key }: Demanding, batch_id: string) => (await key.send("GET", `/partner/bulk-batches/${batch_id}`)).json.data;

  test("add the code by e-mail to each row at level 1, and are refused at level 2", async () => {
    const by = await demanding({ min_identity_level: 1 });
    const batch_id = await uploaded(by);
    await by.key.send("POST", `/partner/bulk-batches/${batch_id}/start`, { body: {} });
    const run = { org_id: by.org.org_id, batch_id: batch_id as BatchId, run_no: 1, tries: 0 };
    await runBatch(service.features.bulk, run);
    expect(await read(by, batch_id)).toMatchObject({ sent: 1, failed: 0 });
    const [row] = await service.database.owner<{ envelope_id: EnvelopeId }>("select envelope_id from envelopes where batch_id = $1", [
      batch_id,
    ]);
    expect(await requiredIn({ ...by, envelope_id: row?.envelope_id ?? expect.fail("no envelope") })).toEqual([
      ["ann@example.com", [], ["email_code"]],
      ["sam@example.com", [], ["email_code"]],
    ]);
    const late = await uploaded(by);
    await by.key.send("POST", `/partner/bulk-batches/${late}/start`, { body: {} });
    await by.org.admin("PATCH", "/org/security", { body: { min_identity_level: 2 } });
    // Raised after the check: the other rows wait, instead of leaving a draft each.
    await runBatch(service.features.bulk, { ...run, batch_id: late as BatchId });
    expect(await read(by, late)).toMatchObject({ state: "paused", reason: "identity_level_too_low", sent: 0, failed: 0, ready: 1 });
    expect(await read(by, await uploaded(by))).toMatchObject({
      state: "refused",
      problems: [{ column: null, message: expect.stringContaining("identity level 2") }],
    });
  });
});

/** The facts of the certificate, after signing and vaulting. */
async function factsOf({ org, key, envelope_id }: Sent): Promise<Facts2> {
  await finishDocument(service.features.envelopes, { org_id: org.org_id, envelope_id });
  const certification = { accepted: true, terms_version: "2026-01" };
  const vaulting = key.send("POST", `/partner/envelopes/${envelope_id}/vault-in-signed`, { body: { certification } });
  await acceptance(envelope_id);
  await storeEnvelope(service.features.vault, { org_id: org.org_id, envelope_id });
  expect((await vaulting).status).toBe(200);
  const files: readonly NamedFile[] = unzipBundle((await key.send("GET", `/partner/envelopes/${envelope_id}/vault/evidence`)).bytes);
  return JSON.parse(Buffer.from(files.find(({ name }) => name === "certificates/r1/facts.json")?.bytes ?? []).toString("utf8"));
}

const acceptance = (envelope_id: string) =>
  until("the accepted terms", async () => {
    const rows = await service.database.owner("select 1 from certification_acceptances where envelope_id = $1", [envelope_id]);
    return rows.length === 1;
  });
