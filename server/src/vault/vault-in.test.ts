import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { makeOrg } from "../../../pdf/fixtures/certificates.ts";
import { sealedBy } from "../../../pdf/fixtures/sealed.ts";
import { testInAll } from "../../../testing/all.ts";
import { signAll } from "../../test/ceremony.ts";
import { chainOf } from "../../test/envelopes.ts";
import { form } from "../../test/form.ts";
import { testJobs } from "../../test/jobs.ts";
import { landlord, newEnvelope, newTemplate, plainPdf, tenant } from "../../test/lease.ts";
import { png } from "../../test/png.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { flipBit, vaultedCopy } from "../../test/vaulted.ts";
import { MAX_FILE_BYTES } from "../http/form.ts";
import type { EnvelopeId } from "../shared/ids.ts";

const service = testService();
testJobs(service);

const certification = { accepted: true, terms_version: "2026-01", accepted_by: { name: "Ann", email: "ann@example.com" } };
const secured_party = { name: "First Example Bank, N.A.", address: "1 Example Square" };
const today = new Date().toISOString().slice(0, 10);
const paper = {
  attested_by: { name: "Ann", title: "Records manager" },
  signers: [{ name: "Sam", role: "Tenant", signed_on: today, identified_by: "government_id" }],
  paper: {
    ink_signed: true,
    all_signatures_present: true,
    page_count: 1,
    original_disposition: "destroyed",
    disposition_on: today,
    disposition_by: "Ann",
  },
};

interface Upload {
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly envelope_id: EnvelopeId;
}

async function upload(bytes: Uint8Array = plainPdf): Promise<Upload> {
  const org = await service.newOrg();
  const key = await org.newKey();
  const { json } = await key.send("POST", "/partner/customers", { body: { name: "Ann", email: "ann@example.com" } });
  const made = await key.send("POST", `/partner/customers/${json.data.customer_id}/documents`, form({}, { bytes, name: "Scan.pdf" }));
  return { org, key, envelope_id: made.json.data.envelope_id };
}

const deposit = (key: TestKey, envelope_id: string, body: object) =>
  key.send("POST", `/partner/envelopes/${envelope_id}/vault-in-upload`, { body: { source: "paper_upload", certification, ...body } });

describe("a signed original from elsewhere", () => {
  test("on paper, with a full attestation and a secured party, is vaulted with score 100", async () => {
    const { key, envelope_id } = await upload();
    const { status, json } = await deposit(key, envelope_id, { secured_party, attestation: paper });
    expect([status, json.data?.missing_requirements]).toEqual([200, []]);
    expect(json.data).toMatchObject({
      status: "vaulted",
      vaulted: true,
      compliant: true,
      source: "paper_upload",
      signed_here: false,
      score: 100,
      passed: true,
    });
    const copy = await key.send("GET", `/partner/envelopes/${envelope_id}/vault/copy`);
    expect([copy.status, copy.headers["x-document-rendition"]]).toEqual([200, "copy"]);
  });

  testInAll("with a secured party and no attestation scores 63 on paper, and 50 as an electronic file without a signature", async () => {
    const onPaper = await upload();
    expect((await deposit(onPaper.key, onPaper.envelope_id, { secured_party })).json.data.score).toBe(63);
    const electronic = await upload();
    const { json } = await deposit(electronic.key, electronic.envelope_id, { secured_party, source: "electronic_signed" });
    expect([json.data.source, json.data.score]).toEqual(["electronic_signed", 50]);
  });

  test("signed by another system is stored byte for byte, and its signature counts", async () => {
    const { key, envelope_id } = await upload(await sealedBy(await makeOrg(), plainPdf));
    const attestation = {
      attested_by: { name: "Ann" },
      signers: [{ name: "Sam", signed_on: today, auth_methods: ["email_link"] }],
      external: { consent_confirmed: true, prior_copy_status: "marked_as_copy" },
    };
    const { json } = await deposit(key, envelope_id, { secured_party, source: "electronic_signed", attestation });
    expect(json.data.missing_requirements).toEqual([]);
    expect(json.data.score).toBe(100);
  });

  test("that is blank is refused with 422 and stays an upload", async () => {
    const white = png({ width: 200, height: 260, alpha: 255, grey: 250 });
    const { key, envelope_id } = await upload(white);
    const { status, json } = await deposit(key, envelope_id, { secured_party, attestation: paper });
    expect([status, json.error]).toEqual([422, "Every page of the document is blank"]);
    expect((await key.send("GET", `/partner/envelopes/${envelope_id}`)).json.data.status).toBe("uploaded");
  });

  test("with a party already on record does not accept another one with the deposit", async () => {
    const { key, envelope_id } = await upload();
    await key.send("PUT", `/partner/envelopes/${envelope_id}/secured-party`, { body: { name: "Second Example Bank" } });
    const { status, json } = await deposit(key, envelope_id, { secured_party });
    expect([status, json.error]).toEqual([409, "A secured party is already on record. Only an assignment with its consent can change it"]);
  });

  test("is deposited once: a second call returns 409, and so does an envelope without an upload", async () => {
    const { key, envelope_id } = await upload();
    expect((await deposit(key, envelope_id, { attestation: paper })).status).toBe(200);
    expect((await deposit(key, envelope_id, { attestation: paper })).status).toBe(409);
    const other = await newEnvelope(key, await newTemplate(key), {});
    expect((await deposit(key, other, {})).status).toBe(409);
  });

  test("without accepted terms, or with terms of another version, is not stored, and nothing changes", async () => {
    const { key, envelope_id } = await upload();
    for (const wrong of [
      { ...certification, accepted: false },
      { ...certification, terms_version: "1999-01" },
    ]) {
      expect((await deposit(key, envelope_id, { certification: wrong })).status).toBe(422);
    }
    expect((await key.send("GET", `/partner/envelopes/${envelope_id}`)).json.data).toMatchObject({ status: "uploaded", vaulted: false });
    expect((await deposit(key, envelope_id, { attestation: { paper: { original_disposition: "eaten" } } })).status).toBe(422);
  });

  test("needs vault:write, and another organization's envelope returns the same 404 as a missing one", async () => {
    const { key, envelope_id } = await upload();
    const stranger = await (await service.newOrg()).newKey();
    expect((await deposit(stranger, envelope_id, {})).status).toBe(404);
    const reader = await (await service.newOrg()).newKey({ scopes: ["vault:read"] });
    expect((await deposit(reader, envelope_id, {})).status).toBe(403);
    expect((await key.send("GET", `/partner/envelopes/${envelope_id}/compliance`)).json.data.score).toBeLessThan(100);
  });
});

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
const elsewhere = {
  attested_by: { name: "Ann" },
  signers: [{ name: "Sam", role: "Tenant", signed_on: today, auth_methods: ["email_link" as const] }],
  external: {
    provider: "another service",
    transaction_id: "7",
    consent_confirmed: true,
    prior_copy_status: "marked_as_copy" as const,
    document_sha256: sha256(plainPdf),
  },
};

describe("an evidence file of the issuing system", () => {
  const TRAIL = '{"events":["opened by Sam","signed by Sam"]}';

  const depositWith = ({ key, envelope_id }: Upload, evidence: string | Uint8Array, more: object = {}) => {
    const body = { source: "electronic_signed", certification, secured_party, attestation: elsewhere, ...more };
    const file = { bytes: Buffer.from(evidence), name: "audit", part: "evidence" };
    return key.send("POST", `/partner/envelopes/${envelope_id}/vault-in-upload`, form({ payload: JSON.stringify(body) }, file));
  };
  const evidenceOf = ({ envelope_id }: Upload) =>
    service.database.owner("select sha256, size, content_type from evidence_files where envelope_id = $1", [envelope_id]);
  const evaluated = async ({ key, envelope_id }: Upload) =>
    (await key.send("POST", `/partner/envelopes/${envelope_id}/compliance`, { body: {} })).json.data;

  test("replaces signatures in the PDF: it is stored byte for byte, its hash is in the trail, and every evaluation reads it again", async () => {
    const one = await upload();
    const { status, json } = await depositWith(one, TRAIL);
    expect([status, json.data.score, json.data.missing_requirements]).toEqual([200, 100, []]);
    expect(await evidenceOf(one)).toEqual([{ sha256: sha256(TRAIL), size: TRAIL.length, content_type: "application/json" }]);
    const entry = (await chainOf(service, one.org.org_id, one.envelope_id)).find(({ type }) => type === "attestation.recorded");
    expect(entry?.data).toMatchObject({
      evidence_sha256: sha256(TRAIL),
      evidence_size: TRAIL.length,
      attestation: { external: { evidence_sha256: sha256(TRAIL) } },
    });
    expect((await depositWith(one, TRAIL)).status, "a second one").toBe(409);

    const wrong = { ...elsewhere, external: { ...elsewhere.external, evidence_sha256: sha256("another") } };
    const refused = await one.key.send("POST", `/partner/envelopes/${one.envelope_id}/attestations`, { body: wrong });
    expect([refused.status, refused.json.details]).toEqual([
      422,
      [{ location: "body", field: "external.evidence_sha256", code: "conflict", message: expect.any(String) }],
    ]);

    await flipBit(service, one.org, sha256(TRAIL));
    const { missing_requirements } = await evaluated(one);
    expect(missing_requirements).toEqual([
      expect.stringMatching(/^single_authoritative_copy: The authoritative copy is marked as tampered since /),
      "signatures_complete: The evidence file does not name Sam.",
      "consent_and_attribution: The evidence file does not match its recorded hash.",
      "copies_and_retention: The evidence file is missing.",
    ]);
    expect((await one.key.send("GET", `/partner/envelopes/${one.envelope_id}/vault`)).json.data.state).toBe("tampered");
  });

  test("that does not name the attested signer, or is an image, shows nothing: the record scores 88", async () => {
    for (const evidence of ["{}", png({ width: 20, height: 20 })]) {
      const { json } = await depositWith(await upload(), evidence);
      expect([json.data.score, json.data.missing_requirements]).toEqual([
        88,
        ["signatures_complete: The evidence file does not name Sam."],
      ]);
    }
  });

  testInAll(
    "with a hash other than the attestation's, of another type, or for another envelope is refused, and nothing changes",
    async () => {
      const one = await upload();
      const naming = { ...elsewhere, external: { ...elsewhere.external, evidence_sha256: sha256("another") } };
      const named = await depositWith(one, TRAIL, { attestation: naming });
      expect([named.status, named.json.details[0].field]).toEqual([422, "attestation.external.evidence_sha256"]);
      const deep = `${"[".repeat(101)}${"]".repeat(101)}`;
      for (const odd of ["a text", '{"events":[', "17", Buffer.from([0x7b, 0xff, 0x7d]), `[${"0,".repeat(2_700_000)}0]`, deep]) {
        expect((await depositWith(one, odd)).status, String(odd).slice(0, 20)).toBe(415);
      }
      const claimed = await deposit(one.key, one.envelope_id, { source: "electronic_signed", attestation: naming });
      expect([claimed.status, claimed.json.details[0].field], "without the file").toEqual([422, "attestation.external.evidence_sha256"]);
      const stranger = { ...one, key: await (await service.newOrg()).newKey() };
      expect((await depositWith(stranger, TRAIL)).status).toBe(404);
      const send = (...parts: Parameters<typeof form>) =>
        one.key.send("POST", `/partner/envelopes/${one.envelope_id}/vault-in-upload`, form(...parts));
      const evidence = { bytes: Buffer.from(TRAIL), part: "evidence" };
      const refused = [
        await send({}, evidence),
        await send({ payload: "{" }, evidence),
        await send({ payload: "{}" }),
        await send({ payload: "[]" }, evidence),
        await send({ payload: "{}" }, evidence, evidence),
        await send({ payload: "{}" }, { bytes: new Uint8Array(MAX_FILE_BYTES + 1), part: "evidence" }),
      ];
      expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 422, 400, 413]);
      expect(await evidenceOf(one)).toEqual([]);
      expect((await one.key.send("GET", `/partner/envelopes/${one.envelope_id}`)).json.data.status).toBe("uploaded");
    },
  );
});

describe("a later attestation", () => {
  const attest = (key: TestKey, envelope_id: string, body: object) =>
    key.send("POST", `/partner/envelopes/${envelope_id}/attestations`, { body });

  test("is recorded in addition to the first one, and the next evaluation uses it", async () => {
    const { org, key, envelope_id } = await upload();
    expect((await deposit(key, envelope_id, { secured_party })).json.data.score).toBe(63);
    const { status, json } = await attest(key, envelope_id, paper);
    expect([status, json.data]).toEqual([
      201,
      {
        envelope_id,
        attestation_no: 2,
        attestation_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        recorded_at: expect.any(String),
      },
    ]);
    const current = await key.send("GET", `/partner/envelopes/${envelope_id}/compliance`);
    expect(current.json.data.score, "earlier certificates stay").toBe(63);
    const again = await key.send("POST", `/partner/envelopes/${envelope_id}/compliance`, { body: {} });
    expect([again.json.data.score, again.json.data.missing_requirements]).toEqual([100, []]);
    const recorded = (await chainOf(service, org.org_id, envelope_id)).filter(({ type }) => type === "attestation.recorded");
    expect(recorded.map(({ data }) => (data as { attestation_sha256: string }).attestation_sha256)).toEqual([
      expect.any(String),
      json.data.attestation_sha256,
    ]);

    const other = await attest(key, envelope_id, { ...paper, external: { consent_confirmed: true } });
    expect([other.status, other.json.details[0]]).toMatchObject([422, { field: "external", code: "conflict" }]);
    expect((await attest(key, envelope_id, { paper: { original_disposition: "eaten" } })).status).toBe(422);
    const stranger = await (await service.newOrg()).newKey();
    expect((await attest(stranger, envelope_id, paper)).status).toBe(404);
  });

  test("needs a vaulted document that was signed elsewhere: others return 409", async () => {
    const { org, key, envelope_id } = await upload();
    expect((await attest(key, envelope_id, paper)).status, "not vaulted yet").toBe(409);
    const here = await vaultedCopy(service, org);
    expect((await attest(key, here.envelope_id, {})).status, "signed here").toBe(409);
    const another = await upload();
    const wrong = await deposit(another.key, another.envelope_id, { attestation: { ...paper, external: { consent_confirmed: true } } });
    expect([wrong.status, wrong.json.details[0].field], "also with the deposit").toEqual([422, "attestation.external"]);
  });
});

describe("a completed envelope without auto-vault", () => {
  test("is vaulted manually with accepted terms, once; documents issued before are counted", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const envelope_id = await newEnvelope(key, await newTemplate(key), {});
    await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord] } });
    const vaultIn = (body: object) => key.send("POST", `/partner/envelopes/${envelope_id}/vault-in-signed`, { body });
    expect((await vaultIn({ certification })).status, "not before it is completed").toBe(409);
    const values = { "Tenant name": "Ann", Rent: "1", Start: "2026-03-01", Pet: true, Floor: "second" };
    await signAll(service, org, envelope_id, [[tenant.email, values], [landlord.email]]);
    const documentStatus = async () => (await key.send("GET", `/partner/envelopes/${envelope_id}/document`)).status;
    await expect.poll(documentStatus, { timeout: 20_000 }).toBe(200);
    const { status, json } = await vaultIn({ certification, secured_party });
    expect([status, json.data?.missing_requirements]).toEqual([200, []]);
    expect(json.data).toMatchObject({ source: "electronic_signed", signed_here: true, score: 100 });
    const record = await key.send("GET", `/partner/envelopes/${envelope_id}/vault`);
    expect(record.json.data).toMatchObject({ source: "electronic_signed", signed_here: true });
    expect((await vaultIn({ certification })).status).toBe(409);
    const certificate = await key.send("GET", `/partner/envelopes/${envelope_id}/vault/certificate?format=json`);
    expect(certificate.json.data).toMatchObject({ source: "signed_here" });
  });
});
