import { spawnSync } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readTrustKeys, TEST_MARK } from "@countersign/evidence";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signAll } from "../../test/ceremony.ts";
import { form } from "../../test/form.ts";
import { landlord, newEnvelope, newTemplate, plainPdf, tenant } from "../../test/lease.ts";
import { testFolder } from "../../test/openssl.ts";
import { newSandbox } from "../../test/sandboxes.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { startSmtpPeer } from "../../test/smtp.ts";
import { finishDocument } from "../envelopes/finish-document.ts";
import { resumeMail } from "../mail/resume-mail.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { storeEnvelope } from "../vault/store-envelope.ts";

const peer = await startSmtpPeer();
const service = testService({ SMTP_URL: peer.url });
const folder = testFolder();
const verifier = fileURLToPath(new URL("../../../verify/bin/countersign-verify.js", import.meta.url));
afterAll(() => peer.stop());

const certification = { accepted: true, terms_version: "2026-01" };

interface Lease {
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly envelope_id: EnvelopeId;
}

const values = { "Tenant name": "Ann", Rent: "1200", Start: "2026-03-01", Pet: true, Floor: "second" };

async function signedLease(org: TestOrg, auto_vault_enabled: boolean): Promise<Lease> {
  const key = await org.newKey();
  const envelope_id = (await newEnvelope(key, await newTemplate(key), { auto_vault_enabled })) as EnvelopeId;
  const body = { signers: [tenant, landlord], ...(auto_vault_enabled && { certification }) };
  expect((await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body })).status).toBe(200);
  await signAll(service, org, envelope_id, [[tenant.email, values], [landlord.email]]);
  const job = { org_id: org.org_id, envelope_id };
  await finishDocument(service.features.envelopes, job);
  if (auto_vault_enabled) await storeEnvelope(service.features.vault, job);
  return { org, key, envelope_id };
}

let live: TestOrg;
let sandbox: TestOrg;
let vaulted: Lease;
beforeAll(async () => {
  live = await service.newOrg("Acme");
  sandbox = await newSandbox(service, live, "Harbor");
  vaulted = await signedLease(sandbox, true);
});

/** How many pages a PDF has, and how many say that they are a test. */
async function marked(bytes: Uint8Array): Promise<[pages: number, marked: number]> {
  const { pages, pages_with_text } = await service.features.pdf.inspect(Uint8Array.from(bytes), { text: TEST_MARK });
  return [pages, pages_with_text];
}

async function expectMarked(what: string, bytes: Uint8Array): Promise<void> {
  const [pages, count] = await marked(bytes);
  expect([what, pages > 0, count], what).toEqual([what, true, pages]);
}

const hashOf = (der: Uint8Array) => createHash("sha256").update(der).digest("hex");
const verify = (file: string, ...more: string[]) => spawnSync(process.execPath, [verifier, file, ...more], { encoding: "utf8" });

interface TrustDocument {
  readonly root_certificate: string;
  readonly keys: { readonly seals: readonly { readonly certificate_sha256: string }[] };
}

const trustOf = async (name: string) => {
  const { root_certificate, keys } = (await (await fetch(`${service.url}/.well-known/${name}.json`)).json()) as TrustDocument;
  return { root: new X509Certificate(Buffer.from(root_certificate, "base64")), keys };
};

test("every page of a document of a sandbox says that it is a test: prepared, signed, copy, certificates, and as a picture", async () => {
  const { org, key, envelope_id } = await signedLease(sandbox, false);
  const path = `/partner/envelopes/${envelope_id}`;
  const uploaded = await key.send(
    "POST",
    `/partner/customers/${await customerOf(key)}/documents`,
    form({ name: "Note" }, { bytes: plainPdf }),
  );
  expect(uploaded.status).toBe(201);
  const draft = uploaded.json.data.envelope_id;
  await expectMarked("upload", (await key.send("GET", `/partner/envelopes/${draft}/document`)).bytes);
  const page = await key.send("GET", `/partner/envelopes/${draft}/pages/1/text`);
  expect(JSON.stringify(page.json)).toContain(TEST_MARK);
  // The signature page is added when it is sent.
  const sent = await key.send("POST", `/partner/envelopes/${draft}/send`, { body: { signers: [tenant] } });
  expect(sent.status).toBe(200);
  const prepared = (await key.send("GET", `/partner/envelopes/${draft}/document`)).bytes;
  expect((await marked(prepared))[0]).toBe(2);
  await expectMarked("prepared", prepared);
  await expectMarked("signed", (await key.send("GET", `${path}/document`)).bytes);
  await expectMarked("completion certificate", (await key.send("GET", `${path}/completion-certificate`)).bytes);
  const record = `/partner/envelopes/${vaulted.envelope_id}`;
  await expectMarked("copy", (await key.send("GET", `${record}/vault/copy`)).bytes);
  await expectMarked("certificate", (await key.send("GET", `${record}/vault/certificate?format=pdf`)).bytes);
  expect(org.org_id).toBe(sandbox.org_id);
});

const customerOf = async (key: TestKey): Promise<string> => (await key.send("GET", "/customers?limit=1")).json.data[0].customer_id;

test("a document of an organization says nothing of tests, and its bytes are those of the same document without sandboxes", async () => {
  const { key, envelope_id } = await signedLease(live, false);
  const { bytes } = await key.send("GET", `/partner/envelopes/${envelope_id}/document`);
  expect((await marked(bytes))[1]).toBe(0);
});

test("the seals of a sandbox come from the test root, which the trust document of the installation does not know", async () => {
  const lease = await signedLease(live, false);
  const sealed = async ({ key, envelope_id }: Lease) => (await key.send("GET", `/partner/envelopes/${envelope_id}/document`)).bytes;
  const [here, there] = [await trustOf("countersign-trust"), await trustOf("countersign-test-trust")];
  expect(there.root.subject).toBe("CN=Countersign TEST root");
  expect(here.root.subject).toBe("CN=Countersign root");
  expect(readTrustKeys(Buffer.from(JSON.stringify(there.keys)))).toMatchObject({ test: true });
  const of = async (bytes: Uint8Array) => {
    const roots = [here.root.raw, there.root.raw];
    const [report] = await service.features.pdf.verify(Uint8Array.from(bytes), { roots, at: new Date() });
    return { subject: report?.certificate?.subject ?? "", sha256: report?.certificate?.sha256 ?? "" };
  };
  const listed = (trust: typeof here) => trust.keys.seals.map(({ certificate_sha256 }) => certificate_sha256);
  const test = await of(await sealed(await signedLease(sandbox, false)));
  expect(test.subject).toContain("Harbor TEST document seal");
  expect([listed(here).includes(test.sha256), listed(there).includes(test.sha256)]).toEqual([false, true]);
  const real = await of(await sealed(lease));
  // The published list is up to a minute old, so it is read from the service itself.
  expect(real.subject).not.toContain("TEST");
  expect(listed(there)).not.toContain(real.sha256);
});

test("the evidence of a sandbox verifies as a test record alone, under the test root and never under the other", async () => {
  const { bytes } = await vaulted.key.send("GET", `/partner/envelopes/${vaulted.envelope_id}/vault/evidence`);
  const file = join(folder.path, "test-record.zip");
  writeFileSync(file, bytes);
  const [here, there] = [await trustOf("countersign-trust"), await trustOf("countersign-test-trust")];
  const pinned = verify(file, "--root", hashOf(there.root.raw));
  expect([pinned.status, pinned.stdout.trim().split("\n").at(-1)], pinned.stdout + pinned.stderr).toEqual([5, "TEST RECORD"]);
  expect(verify(file).status).toBe(5);
  expect(verify(file, "--root", hashOf(here.root.raw), "--allow-test").status).toBe(1);
  const accepted = verify(file, "--root", hashOf(there.root.raw), "--allow-test");
  expect([accepted.status, accepted.stdout.trim().split("\n").at(-1)]).toEqual([0, "VERIFIED, TEST RECORD"]);
});

test("a record of a sandbox has no public status page", async () => {
  const { json } = await vaulted.key.send("GET", `/partner/envelopes/${vaulted.envelope_id}/vault`);
  const { pathname } = new URL(json.data.status_url);
  expect((await fetch(`${service.url}${pathname}`)).status).toBe(404);
  expect((await fetch(`${service.url}${pathname}.json`)).status).toBe(404);
});

test("mail of a sandbox is kept and read in its outbox and never sent, also codes; that of the organization is sent", async () => {
  const key = await sandbox.newKey();
  const envelope_id = await newEnvelope(key, await newTemplate(key));
  const asked = { ...tenant, authentication: [{ method: "email_code" }] };
  const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [asked, landlord] } });
  expect([sent.status, sent.json.error]).toEqual([200, undefined]);
  const jobs = await service.database.owner("select payload from outbox where task = 'mail.send'");
  // Also what was sent to people who have acted since: in an organization, they would have the message.
  const rows = await service.database.owner(
    "select org_id, captured, state, body_enc is not null as kept, expires_at > now() + interval '6 days' as later from mail_messages where org_id = $1",
    [sandbox.org_id],
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row).toEqual({ org_id: sandbox.org_id, captured: true, state: "queued", kept: true, later: true });
  const own = await service.database.owner("select message_id from mail_messages where org_id = $1", [sandbox.org_id]);
  expect(jobs.filter(({ payload }) => own.some(({ message_id }) => message_id === payload.message_id))).toEqual([]);
  await resumeMail(service.features.mail);
  const sender = new Set(peer.messages.map(({ raw }) => (raw.includes("Harbor") ? "sandbox" : "organization")));
  expect([...sender].filter((one) => one === "sandbox")).toEqual([]);
  const listed = (await sandbox.admin("GET", "/org/outbox")).json.data;
  const { text } = (await sandbox.admin("GET", `/org/outbox/${listed[0].message_id}`)).json.data;
  expect(text).toContain("/s/");
  const real = (await live.admin("GET", "/org/outbox")).json.data;
  if (real.length > 0) expect((await live.admin("GET", `/org/outbox/${real[0].message_id}`)).status).toBe(409);
});

test("events of a sandbox say that they are tests, and those of the organization are as before", async () => {
  const of = async (org: TestOrg) =>
    (await service.database.owner("select body from events where org_id = $1 order by event_id", [org.org_id])).map(({ body }) =>
      JSON.parse(body.toString()),
    );
  const events = await of(sandbox);
  expect(events.length).toBeGreaterThan(3);
  for (const { data, ...envelope } of events) {
    expect(data.test).toBe(true);
    expect(Object.keys(envelope)).toEqual(["event_type", "event_id", "org_id", "envelope_id", "timestamp"]);
  }
  const real = await of(live);
  expect(real.length).toBeGreaterThan(0);
  for (const { data } of real) expect(data).not.toHaveProperty("test");
});

test("a page that does not say that it is a test is never sealed in a sandbox", async () => {
  await expect(service.features.envelopes.seal(sandbox.org_id, Uint8Array.from(plainPdf), "Try")).rejects.toThrow("not marked as a test");
});
