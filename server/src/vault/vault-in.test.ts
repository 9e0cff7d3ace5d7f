import { describe, expect, test } from "vitest";
import { makeOrg } from "../../../pdf/fixtures/certificates.ts";
import { sealedBy } from "../../../pdf/fixtures/sealed.ts";
import { signAll } from "../../test/ceremony.ts";
import { form } from "../../test/form.ts";
import { testJobs } from "../../test/jobs.ts";
import { landlord, newEnvelope, newTemplate, plainPdf, tenant } from "../../test/lease.ts";
import { type TestKey, testService } from "../../test/service.ts";

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

async function upload(bytes: Uint8Array = plainPdf): Promise<{ key: TestKey; envelope_id: string }> {
  const key = await (await service.newOrg()).newKey();
  const { json } = await key.send("POST", "/partner/customers", { body: { name: "Ann", email: "ann@example.com" } });
  const made = await key.send("POST", `/partner/customers/${json.data.customer_id}/documents`, form({}, { bytes, name: "Scan.pdf" }));
  return { key, envelope_id: made.json.data.envelope_id };
}

const deposit = (key: TestKey, envelope_id: string, body: object) =>
  key.send("POST", `/partner/envelopes/${envelope_id}/vault-in-upload`, { body: { source: "paper_upload", certification, ...body } });

describe("a signed original from elsewhere", () => {
  test("on paper, with everything attested and a party named, is vaulted with score 100", async () => {
    const { key, envelope_id } = await upload();
    const { status, json } = await deposit(key, envelope_id, { secured_party, attestation: paper });
    expect([status, json.data?.missing_requirements]).toEqual([200, []]);
    expect(json.data).toMatchObject({
      status: "vaulted",
      vaulted: true,
      compliant: true,
      source: "paper_upload",
      score: 100,
      passed: true,
    });
    const copy = await key.send("GET", `/partner/envelopes/${envelope_id}/vault/copy`);
    expect([copy.status, copy.headers["x-document-rendition"]]).toEqual([200, "copy"]);
  });

  test("with a named party and no attestation scores 63 on paper, and 50 as an electronic file without a signature", async () => {
    const onPaper = await upload();
    expect((await deposit(onPaper.key, onPaper.envelope_id, { secured_party })).json.data.score).toBe(63);
    const electronic = await upload();
    const { json } = await deposit(electronic.key, electronic.envelope_id, { secured_party, source: "electronic_signed" });
    expect([json.data.source, json.data.score]).toEqual(["electronic_signed", 50]);
  });

  test("signed by another system is kept byte for byte, and its signature counts", async () => {
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

  test("is deposited once: the second call is 409, and so is an envelope that was never uploaded", async () => {
    const { key, envelope_id } = await upload();
    expect((await deposit(key, envelope_id, { attestation: paper })).status).toBe(200);
    expect((await deposit(key, envelope_id, { attestation: paper })).status).toBe(409);
    const other = await newEnvelope(key, await newTemplate(key), {});
    expect((await deposit(key, other, {})).status).toBe(409);
  });

  test("without accepted terms, or with those of another day, nothing is stored and nothing changes", async () => {
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

  test("needs vault:write, and another org's envelope is the same 404 as a missing one", async () => {
    const { key, envelope_id } = await upload();
    const stranger = await (await service.newOrg()).newKey();
    expect((await deposit(stranger, envelope_id, {})).status).toBe(404);
    const reader = await (await service.newOrg()).newKey({ scopes: ["vault:read"] });
    expect((await deposit(reader, envelope_id, {})).status).toBe(403);
    expect((await key.send("GET", `/partner/envelopes/${envelope_id}/compliance`)).json.data.score).toBeLessThan(100);
  });
});

describe("a completed envelope without auto-vault", () => {
  test("is vaulted by hand with accepted terms, once; what was issued before is counted", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const envelope_id = await newEnvelope(key, await newTemplate(key), {});
    await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord] } });
    const vaultIn = (body: object) => key.send("POST", `/partner/envelopes/${envelope_id}/vault-in-signed`, { body });
    expect((await vaultIn({ certification })).status, "not before it is completed").toBe(409);
    const values = { "Tenant name": "Ann", Rent: "1", Start: "2026-03-01", Pet: true, Floor: "second" };
    await signAll(service, org, envelope_id, [[tenant.email, values], [landlord.email]]);
    await expect.poll(async () => (await key.send("GET", `/partner/envelopes/${envelope_id}/document`)).status).toBe(200);
    const { status, json } = await vaultIn({ certification, secured_party });
    expect([status, json.data?.missing_requirements]).toEqual([200, []]);
    expect(json.data).toMatchObject({ source: "electronic_signed", score: 100 });
    expect((await vaultIn({ certification })).status).toBe(409);
    const certificate = await key.send("GET", `/partner/envelopes/${envelope_id}/vault/certificate?format=json`);
    expect(JSON.parse(Buffer.from(certificate.bytes).toString())).toMatchObject({ source: "signed_here" });
  });
});
