import { createHash, X509Certificate } from "node:crypto";
import { firstFault } from "@countersign/evidence";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unzipBundle, verifyBundle } from "../../verify/src/index.ts";
import { readChain } from "../src/audit/read-chain.ts";
import { makeReady, type SigningSession, signingSessionWith } from "./ceremony.ts";
import { client, type Send } from "./client.ts";
import { testDatabase } from "./database.ts";
import { type EarlierEnvelope, fillAndMigrate, readEarlier, writeBlobs } from "./earlier-installation.ts";
import { endedAs, linkIn, linkTokenFor } from "./envelopes.ts";
import { jobsDone, testJobs } from "./jobs.ts";
import { landlord, tenant } from "./lease.ts";
import { testService } from "./service.ts";
import { startSmtpPeer } from "./smtp.ts";

/** Envelopes of a service whose recipients had no kinds and no steps go through the rest of their lives. */

const before = readEarlier("before-recipients");
const database = testDatabase((url) => fillAndMigrate(url, before, "0055-ask-for-paper.sql"));
const inbox = await startSmtpPeer();
const service = testService({ SMTP_URL: inbox.url, APP_SECRET: before.app_secret }, undefined, undefined, database);
testJobs(service);
afterAll(() => inbox.stop());

const certification = { accepted: true, terms_version: "2026-01" };
const values = { "Tenant name": "Ann Example", Rent: "1200", Start: "2026-03-01", Pet: true, Floor: "second" };
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
let send: Send;
let root: string;

beforeAll(async () => {
  await writeBlobs(service.config.dataDir, before);
  send = client(service.url, { "x-api-key": before.api_key });
  const trust = (await (await fetch(`${service.url}/.well-known/countersign-trust.json`)).json()) as { root_certificate: string };
  root = sha256(new X509Certificate(Buffer.from(trust.root_certificate, "base64")).raw);
});

const earlier = (name: string): EarlierEnvelope => before.envelopes[name] ?? expect.fail(`no envelope ${name}`);
const path = (name: string): string => `/partner/envelopes/${earlier(name).envelope_id}`;

async function ok(method: string, to: string, body?: object) {
  const { status, json, bytes } = await send(method, to, body === undefined ? {} : { body });
  expect([status < 300, json?.error, json?.details], `${method} ${to}`).toEqual([true, undefined, undefined]);
  return { data: json?.data, bytes };
}

const statusOf = async (name: string): Promise<string> => (await ok("GET", `${path(name)}/status`)).data.status;

/** With the link of the newest mail to this person about this envelope, from before or after the upgrade. */
async function withLink(name: string, email: string): Promise<SigningSession> {
  await jobsDone(service);
  const { envelope_id, links } = earlier(name);
  const { data } = await ok("GET", `${path(name)}/signers`);
  const { slug } = data.signers.find((one: { email: string }) => one.email === email);
  const sent = inbox.messages.flatMap((mail) => (mail.to.includes(email) && mail.text?.includes("/s/") ? [linkIn(mail.text)] : []));
  const link = sent.findLast((one) => one.slug === slug) ?? links[email] ?? expect.fail(`no link for ${email}`);
  expect(link.slug).toBe(slug);
  return signingSessionWith(service, envelope_id, await linkTokenFor(service, link.slug, link.secret));
}

async function sign(name: string, email: string, filled: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const one = await withLink(name, email);
  await makeReady(one, filled, email === tenant.email ? "Ann Example" : "Sam Example");
  const done = await one.complete();
  expect([done.status, done.json.error]).toEqual([200, undefined]);
}

/** Vaults a completed envelope and verifies its evidence as anyone could. */
async function vaultAndVerify(name: string): Promise<void> {
  await jobsDone(service);
  await ok("POST", `${path(name)}/vault-in-signed`, { certification });
  expect(await statusOf(name)).toBe("vaulted");
  await verifyEvidence(name);
}

async function verifyEvidence(name: string): Promise<void> {
  const { bytes } = await ok("GET", `${path(name)}/vault/evidence`);
  const { outcome, steps } = await verifyBundle(() => unzipBundle(bytes), { root, tsa_roots: null });
  expect([outcome, steps.filter(({ passed }) => !passed)]).toEqual(["VERIFIED", []]);
}

test("every envelope is found with the status that it had, in lists and by the words of its name, document and signers", async () => {
  const { data } = await ok("GET", "/partner/envelopes?limit=100");
  const names = Object.fromEntries(Object.entries(before.envelopes).map(([name, { envelope_id }]) => [envelope_id, name]));
  const listed = data.map((one: { envelope_id: string; status: string }) => [names[one.envelope_id], one.status]);
  expect(Object.fromEntries(listed)).toEqual(before.statuses);
  await jobsDone(service);
  const found = await ok("GET", "/partner/envelopes?q=half%20sam");
  expect(found.data.map((one: { envelope_id: string }) => names[one.envelope_id])).toEqual(["half"]);
});

test("a draft is sent to the signers that it has, in their order, with the values that its sender entered", async () => {
  const people = (await ok("GET", `${path("draft")}/recipients`)).data.recipients;
  expect(people.map(({ kind, email, role }: Record<string, unknown>) => [kind, email, role])).toEqual([
    ["signer", tenant.email, tenant.role],
    ["signer", landlord.email, landlord.role],
  ]);
  await ok("POST", `${path("draft")}/send`, {});
  const ann = await withLink("draft", tenant.email);
  const { fields } = (await ann.open()).json.data;
  expect(fields.find(({ name }: { name: string }) => name === "Tenant name").value).toBe("Ann Prefilled");
  await sign("draft", tenant.email, { ...values, "Tenant name": "Ann Prefilled" });
  await sign("draft", landlord.email);
  expect(await statusOf("draft")).toBe("completed");
  await vaultAndVerify("draft");
});

test("an earlier invitation opens its envelope; the second signer is asked when the first has signed, and a copy can be added", async () => {
  const carl = { kind: "cc", email: "carl@example.com", name: "Carl", step: 3 };
  expect((await send("POST", `${path("sent")}/recipients`, { body: carl })).status).toBe(201);
  await sign("sent", tenant.email, values);
  await sign("sent", landlord.email);
  expect(await statusOf("sent")).toBe("completed");
  await jobsDone(service);
  expect(inbox.messages.some((mail) => mail.to.includes(carl.email))).toBe(true);
  await vaultAndVerify("sent");
});

test("what a signer had entered is still there, and both can sign at the same time as before", async () => {
  const ann = await withLink("viewed", tenant.email);
  const { fields, consent } = (await ann.open()).json.data;
  const entered = fields.map(({ name, value }: Record<string, unknown>) => [name, value]);
  expect(Object.fromEntries(entered)).toMatchObject({ "Tenant name": "Ann Half", Rent: "1300" });
  expect(consent.given_at).not.toBeNull();
  await sign("viewed", landlord.email);
  await sign("viewed", tenant.email, values);
  await vaultAndVerify("viewed");
});

test("a signature of before stands beside one of after in the sealed document", async () => {
  await sign("half", landlord.email);
  await jobsDone(service);
  const { bytes } = await ok("GET", `${path("half")}/document`);
  const text = (await service.features.pdf.text(bytes, { page: 1 })).blocks.join(" ");
  for (const part of ["Ann Example", "Sam Example"]) expect(text).toContain(part);
  await vaultAndVerify("half");
});

test("a signed document is the same bytes as before, and can be vaulted", async () => {
  const versions = (before.rows["public.document_versions"] ?? []) as { envelope_id: string; kind: string; sha256: string }[];
  const sealed = versions.find((one) => one.envelope_id === earlier("completed").envelope_id && one.kind === "signed");
  const { bytes } = await ok("GET", `${path("completed")}/document`);
  expect(sha256(bytes)).toBe(sealed?.sha256);
  await vaultAndVerify("completed");
});

test("a vaulted record verifies, is evaluated again, and its new evidence verifies too", async () => {
  await verifyEvidence("vaulted");
  const { data } = await ok("POST", `${path("vaulted")}/compliance`, {});
  expect(data.checks).toHaveLength(8);
  await verifyEvidence("vaulted");
});

test("an upload gets fields and signers, and is signed", async () => {
  const area = { page: 1, x: 0.1, y: 0.1, w: 0.3, h: 0.06 };
  const field = { name: "Signature", type: "signature", role: tenant.role, required: true, placement: { mode: "absolute", areas: [area] } };
  await ok("POST", `${path("uploaded")}/fields`, { fields: [field] });
  await ok("POST", `${path("uploaded")}/send`, { signers: [tenant] });
  await sign("uploaded", tenant.email);
  expect(await statusOf("uploaded")).toBe("completed");
});

test("what had ended stays ended: links say why, nothing can be sent, and a duplicate can", async () => {
  for (const name of ["declined", "voided"]) {
    const { slug, secret } = earlier(name).links[tenant.email] ?? expect.fail("no link");
    expect(endedAs(await service.send("POST", `/embed/links/${slug}/token`, { body: { secret } }))).toEqual([409, name]);
    expect((await send("POST", `${path(name)}/send`, { body: {} })).status).toBe(409);
    const { data } = await ok("POST", `${path(name)}/duplicate`, {});
    expect((await ok("POST", `/partner/envelopes/${data.envelope_id}/send`, {})).data.status).toBe("sent");
  }
});

test("a template of before makes an envelope, and the audit trail of every envelope is a whole chain", async () => {
  const body = { envelope_name: "New", customer_email: tenant.email, customer_name: tenant.name, template_id: before.template_id };
  const made = await ok("POST", "/partner/envelopes", { ...body, signers: [tenant, landlord] });
  await ok("POST", `/partner/envelopes/${made.data.envelope_id}/send`, {});
  const { org_id } = before;
  for (const { envelope_id } of Object.values(before.envelopes)) {
    const chain = await service.db.tx(org_id, (tx) => readChain(tx, org_id, envelope_id));
    expect(firstFault(chain, { org_id, subject: envelope_id })).toBeNull();
  }
});
