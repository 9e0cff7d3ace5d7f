import { createHash } from "node:crypto";
import { UnreadablePdf } from "@countersign/pdf/pool";
import { describe, expect, onTestFinished, test } from "vitest";
import { signAll } from "../../test/ceremony.ts";
import { chainOf } from "../../test/envelopes.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../test/lease.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { finishDocument } from "../envelopes/finish-document.ts";
import { sealRoots } from "../seals/verify-own-seal.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import type { BlobStore } from "../storage/blob-store.ts";
import { gatherFacts } from "./gather-facts.ts";
import { storeEnvelope } from "./store-envelope.ts";

const service = testService();

interface Lease {
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly envelope_id: EnvelopeId;
}

const values = { "Tenant name": "Ann Example", Rent: "1200", Start: "2026-03-01", Pet: true, Floor: "second" };
const certification = { accepted: true, terms_version: "2026-01" };
const secured_party = { name: "First Example Bank, N.A.", address: "1 Example Square", identifier: "RSSD 123" };

async function signedLease(more: object = {}): Promise<Lease> {
  const org = await service.newOrg("Example Company");
  const key = await org.newKey();
  const envelope_id = (await newEnvelope(key, await newTemplate(key), { auto_vault_enabled: true, ...more })) as EnvelopeId;
  const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord], certification } });
  expect([sent.status, sent.json.error]).toEqual([200, undefined]);
  await signAll(service, org, envelope_id, [[tenant.email, values], [landlord.email]]);
  return { org, key, envelope_id };
}

async function vault({ org, envelope_id }: Lease): Promise<void> {
  await finishDocument(service.features.envelopes, { org_id: org.org_id, envelope_id });
  await storeEnvelope(service.features.vault, { org_id: org.org_id, envelope_id });
}

const get = ({ key, envelope_id }: Lease, path: string) => key.send("GET", `/partner/envelopes/${envelope_id}${path}`);
const typesOf = async ({ org, envelope_id }: Lease) => (await chainOf(service, org.org_id, envelope_id)).map(({ type }) => type);
const eventsOf = ({ envelope_id }: Lease) =>
  service.database.owner<{ event_type: string; body: Buffer }>(
    "select event_type, body from events where envelope_id = $1 and event_type like 'vault.%' order by event_id",
    [envelope_id],
  );

describe("an envelope with auto-vault and accepted terms", () => {
  test("is vaulted with score 100: copy, custodian, assignee, certificate, and two events in order", async () => {
    const lease = await signedLease({ secured_party });
    await vault(lease);
    const compliance = (await get(lease, "/compliance")).json.data;
    expect(compliance.checks.filter(({ satisfied }: { satisfied: boolean }) => !satisfied)).toEqual([]);
    expect(compliance).toMatchObject({ score: 100, passed: true, vaulted: true, compliant: true, missing_requirements: [] });
    expect((await get(lease, "/status")).json.data).toMatchObject({ status: "vaulted", vaulted: true, compliant: true });
    expect((await typesOf(lease)).slice(-5)).toEqual([
      "document.stamped",
      "vault.stored",
      "custody.assigned",
      "assignment.recorded",
      "vault.certificate.issued",
    ]);
    const record = (await get(lease, "/vault")).json.data;
    expect(record).toMatchObject({ state: "active", source: null, signed_here: true, legal_hold: false, secured_party });
    expect(record.custodian.user_id).toBe(lease.org.user_id);
    const events = (await eventsOf(lease)).map(({ event_type, body }) => [event_type, JSON.parse(body.toString()).data]);
    expect(events).toEqual([
      ["vault.stored", { path: record.path, hash: record.hash, customer_id: expect.any(String), external_id: null }],
      [
        "vault.compliance.passed",
        {
          score: 100,
          certificate_path: record.certificate.path,
          rules: 2,
          proven_score: record.certificate.proven_score,
          standing: "attested",
          customer_id: expect.any(String),
          external_id: null,
        },
      ],
    ]);
  });

  test("is evaluated by reading each of its blobs once", async () => {
    const lease = await signedLease();
    await vault(lease);
    const { vault: deps } = service.features;
    const { blobs } = deps.storage;
    const reads: string[] = [];
    const counting: BlobStore = {
      ...blobs,
      read(org, sha256) {
        reads.push(sha256);
        return blobs.read(org, sha256);
      },
    };
    const certificate = { revision: 2, path: "certificates/2" };
    const facts = await gatherFacts({ ...deps, storage: { ...deps.storage, blobs: counting } }, lease.org.org_id, lease.envelope_id, {
      certificate,
      covered: null,
    });
    const versions = facts.versions.flatMap(({ kind, sha256 }) => (kind === "received" ? [] : [sha256]));
    expect(reads.toSorted()).toEqual([...new Set([facts.copy?.sha256, facts.document?.hash, ...versions])].toSorted());
  });

  test("on a machine too busy to open its pages in time gets no certificate of failure: the next run vaults it", async () => {
    const lease = await signedLease({ secured_party });
    const { vault: deps } = service.features;
    const { pdf } = deps;
    onTestFinished(() => void Object.assign(deps, { pdf }));
    const late = Object.assign(Object.create(pdf), {
      inspect: () => Promise.reject(new UnreadablePdf("too_complex", "more than 30 s of work")),
    });
    Object.assign(deps, { pdf: late });
    await expect(vault(lease)).rejects.toThrow("more than 30 s of work");
    expect((await get(lease, "/status")).json.data).toMatchObject({ status: "completed", vaulted: false });
    Object.assign(deps, { pdf });
    await vault(lease);
    expect((await get(lease, "/compliance")).json.data.score).toBe(100);

    Object.assign(deps, { pdf: late });
    const again = await lease.key.send("POST", `/partner/envelopes/${lease.envelope_id}/compliance`, { body: {} });
    expect([again.status, again.headers["retry-after"]]).toEqual([503, "5"]);
    expect((await eventsOf(lease)).map(({ event_type }) => event_type)).toEqual(["vault.stored", "vault.compliance.passed"]);
  });

  test("without a secured party scores exactly 87, and only check 8 is missing", async () => {
    const lease = await signedLease();
    await vault(lease);
    const { score, passed, missing_requirements, compliant } = (await get(lease, "/compliance")).json.data;
    expect([score, passed, compliant]).toEqual([87, false, true]);
    expect(missing_requirements).toEqual(["secured_party: No secured party is named on the envelope."]);
    expect((await eventsOf(lease)).map(({ event_type }) => event_type)).toEqual(["vault.stored", "vault.compliance.failed"]);
  });

  test("is vaulted once, however often and by however many workers the job is run", async () => {
    const lease = await signedLease({ secured_party });
    await finishDocument(service.features.envelopes, { org_id: lease.org.org_id, envelope_id: lease.envelope_id });
    const job = { org_id: lease.org.org_id, envelope_id: lease.envelope_id };
    await Promise.all([1, 2, 3].map(() => storeEnvelope(service.features.vault, job)));
    await storeEnvelope(service.features.vault, job);
    expect((await eventsOf(lease)).map(({ event_type }) => event_type)).toEqual(["vault.stored", "vault.compliance.passed"]);
    expect((await typesOf(lease)).filter((type) => type === "vault.stored" || type === "vault.certificate.issued")).toHaveLength(2);
  });

  test("provides copies marked on every page and a sealed certificate; the original is never served", async () => {
    const lease = await signedLease({ secured_party });
    await vault(lease);
    const { hash } = (await get(lease, "/vault")).json.data;
    const copy = await get(lease, "/vault/copy");
    expect([copy.status, copy.headers["x-document-rendition"], copy.headers["x-authoritative-sha256"]]).toEqual([200, "copy", hash]);
    const inspected = await service.features.pdf.inspect(copy.bytes, { text: "COPY, not the authoritative copy" });
    expect(inspected.pages_with_text).toBe(inspected.pages);
    const certificate = await get(lease, "/vault/certificate");
    expect([certificate.status, certificate.headers["content-type"]]).toEqual([200, "application/pdf"]);
    const roots = await sealRoots(service.features.seals, lease.org.org_id);
    const [seal] = await service.features.pdf.verify(certificate.bytes, { ...roots, at: new Date() });
    expect(seal).toMatchObject({ intact: true, trusted: true, covers_whole_file: true });
    const json = await get(lease, "/vault/certificate?format=json");
    expect(json.json).toEqual({ data: expect.objectContaining({ score: 100, revision: 1 }) });
    expect([json.headers["content-type"], json.headers["content-disposition"]]).toEqual(["application/json; charset=utf-8", undefined]);
    const file = await get(lease, "/vault/certificate?format=file");
    expect([file.headers["content-type"], file.headers["content-disposition"]]).toEqual([
      "application/vnd.countersign.certificate+json",
      expect.stringContaining('filename="Lease - certificate 1.json"'),
    ]);
    expect(JSON.parse(file.bytes.toString())).toEqual(json.json.data);
    const [recorded] = await service.database.owner("select json_sha256 from certificates where envelope_id = $1", [lease.envelope_id]);
    expect(recorded, "the exact bytes that were hashed").toEqual({
      json_sha256: createHash("sha256").update(file.bytes).digest("hex"),
    });
    const log = (await get(lease, "/vault/access-log")).json;
    expect(log.data.map(({ data }: { data: { what: string } }) => data.what)).toEqual([
      "certificate",
      "certificate",
      "certificate",
      "copy",
    ]);
  });

  test("when evaluated again gets a new revision, a new certificate and another event; the old certificate stays", async () => {
    const lease = await signedLease({ secured_party });
    await vault(lease);
    const again = await lease.key.send("POST", `/partner/envelopes/${lease.envelope_id}/compliance`, { body: {} });
    expect([again.status, again.json.data?.score, again.json.data?.certificate_path]).toEqual([
      200,
      100,
      expect.stringContaining("certificate-r2.pdf"),
    ]);
    expect((await eventsOf(lease)).map(({ event_type }) => event_type)).toEqual([
      "vault.stored",
      "vault.compliance.passed",
      "vault.compliance.passed",
    ]);
  });
});

describe("before vaulting", () => {
  test("the eight checks are a preview in every status, without certificate and event", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const envelope_id = await newEnvelope(key, await newTemplate(key), {});
    const { status, json } = await key.send("GET", `/partner/envelopes/${envelope_id}/compliance`);
    expect([status, json.data.checks.length, json.data.certificate_path, json.data.compliant]).toEqual([200, 8, null, false]);
    expect(json.data.missing_requirements[0]).toBe("single_authoritative_copy: No authoritative copy is stored.");
  });

  test("vault endpoints return 409, and an evaluation cannot be requested", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const envelope_id = await newEnvelope(key, await newTemplate(key), {});
    for (const path of ["", "/copy", "/certificate", "/access-log"]) {
      expect([path, (await key.send("GET", `/partner/envelopes/${envelope_id}/vault${path}`)).status]).toEqual([path, 409]);
    }
    expect((await key.send("POST", `/partner/envelopes/${envelope_id}/compliance`, { body: {} })).status).toBe(409);
  });
});
