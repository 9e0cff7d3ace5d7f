import { beforeAll, describe, expect, test } from "vitest";
import { makeReady, type SigningSession, signingSession } from "../../../test/ceremony.ts";
import { chainOf } from "../../../test/envelopes.ts";
import { form } from "../../../test/form.ts";
import { envelopeBody, landlord, leasePdf, newTemplate, tenant } from "../../../test/lease.ts";
import { type TestKey, type TestOrg, testService } from "../../../test/service.ts";
import type { EnvelopeId } from "../../shared/ids.ts";
import { currentText } from "../../texts/current-texts.ts";

const service = testService();
const note = { record_type: "transferable_record", maker_roles: [tenant.role] };

let org: TestOrg;
let key: TestKey;
let template_id: string;
beforeAll(async () => {
  org = await service.newOrg();
  key = await org.newKey();
  template_id = await newTemplate(key);
});

const create = (more: object) => key.send("POST", "/partner/envelopes", { body: envelopeBody({ template_id, ...more }) });

async function sent(more: object = note): Promise<EnvelopeId> {
  const { envelope_id } = (await create({ signers: [tenant, landlord], ...more })).json.data;
  const { status } = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signing_order: "parallel" } });
  expect(status).toBe(200);
  return envelope_id;
}

const sessionOf = (envelope_id: string, { email }: typeof tenant): Promise<SigningSession> =>
  signingSession(service, org, envelope_id, email);
const agreements = async (envelope_id: EnvelopeId) =>
  (await chainOf(service, org.org_id, envelope_id)).filter(({ type }) => type === "agreement.accepted");
const values = { "Tenant name": "Ann", Rent: "1200", Start: "2026-03-01", Pet: true, Floor: "second" };

describe("a maker of a transferable record", () => {
  test("reads the text and accepts it once before signing, and the trail names it by its hash", async () => {
    const envelope_id = await sent();
    const one = await sessionOf(envelope_id, tenant);
    const text = currentText(service.features.texts, "agreement");
    expect((await one.open()).json.data.agreement).toEqual({ accepted_at: null, text });
    await one.see();
    const early = await one.agree();
    expect([early.status, early.json.details[0].code]).toEqual([409, "consent_required"]);
    await one.consent();
    const refused = await one.complete();
    expect([refused.status, refused.json.details[0].code]).toEqual([409, "agreement_required"]);
    const { status, json } = await one.agree();
    expect(status).toBe(200);
    expect((await one.agree()).json.data, "again").toEqual(json.data);
    expect((await one.open()).json.data.agreement.accepted_at).toBe(json.data.accepted_at);
    await makeReady(one, values);
    expect((await one.complete()).status).toBe(200);
    const [entry, ...others] = await agreements(envelope_id);
    expect(others).toEqual([]);
    expect(entry?.data).toMatchObject({
      agreement_version: text.version,
      agreement_locale: "en",
      agreement_sha256: text.sha256,
      prepared_sha256: (await one.open()).json.data.document.prepared_sha256,
      role: tenant.role,
      user_email: tenant.email,
    });
  });

  test("can read and accept it in another language", async () => {
    const envelope_id = await sent();
    const one = await sessionOf(envelope_id, tenant);
    const french = (await one.send("GET", "?lang=fr")).json.data.agreement.text;
    expect(french.locale).toBe("fr");
    await one.see();
    await one.consent();
    expect((await one.agree({ agreement_sha256: french.sha256 })).status).toBe(200);
    expect((await agreements(envelope_id))[0]?.data).toMatchObject({ agreement_locale: "fr" });
  });

  test("cannot accept another text than the one shown", async () => {
    const envelope_id = await sent();
    const one = await sessionOf(envelope_id, tenant);
    await one.see();
    await one.consent();
    for (const [field, wrong] of [
      ["agreement_version", { agreement_version: "2020-01" }],
      ["agreement_sha256", { agreement_sha256: currentText(service.features.texts, "disclosure").sha256 }],
      ["agreement_sha256", { agreement_sha256: undefined }],
    ] as const) {
      const { status, json } = await one.agree(wrong);
      expect([status, json.details[0].field]).toEqual([422, field]);
    }
    expect(await agreements(envelope_id)).toEqual([]);
  });
});

test("a signer who is not a maker is not asked, and a reader is refused", async () => {
  const envelope_id = await sent();
  const one = await sessionOf(envelope_id, landlord);
  expect((await one.open()).json.data.agreement).toBeNull();
  await makeReady(one);
  const refused = await one.agree();
  expect([refused.status, refused.json.error]).toEqual([
    409,
    "This signer does not have to agree that the document is a transferable record",
  ]);
  expect((await one.complete()).status).toBe(200);
  expect((await (await sessionOf(envelope_id, { ...tenant, email: "boss@example.com" })).agree()).status).toBe(403);
});

describe("maker_roles", () => {
  test("are roles of the document or its signers, in a transferable record", async () => {
    for (const [more, status, field] of [
      [{ ...note, maker_roles: ["Borrower"] }, 422, "maker_roles[0]"],
      [{ ...note, record_type: "chattel_paper" }, 422, "maker_roles"],
      [{ maker_roles: [tenant.role] }, 422, "maker_roles"],
      [{ ...note, maker_roles: [tenant.role, tenant.role] }, 422, "maker_roles"],
      [{ ...note, maker_roles: tenant.role }, 422, "maker_roles"],
    ] as const) {
      const { status: found, json } = await create(more);
      expect([found, json.details[0].field]).toEqual([status, field]);
    }
    const { metadata, envelope_id } = (await create(note)).json.data;
    expect(metadata.maker_roles).toEqual([tenant.role]);
    const patch = (body: object) => key.send("PATCH", `/partner/envelopes/${envelope_id}`, { body });
    expect((await patch({ maker_roles: ["Borrower"] })).json.details[0]).toMatchObject({ field: "maker_roles[0]", code: "unknown_role" });
    expect((await patch({ maker_roles: [landlord.role] })).json.data.metadata.maker_roles).toEqual([landlord.role]);
    expect((await patch({ maker_roles: [] })).json.data.metadata.maker_roles).toEqual([]);
  });

  test("of a draft without a document are checked when it is sent", async () => {
    const { template_id: _none, ...body } = envelopeBody({ ...note, maker_roles: ["Borrower"] }) as Record<string, unknown>;
    const { envelope_id } = (await key.send("POST", "/partner/envelopes", { body })).json.data;
    await key.send("POST", `/partner/envelopes/${envelope_id}/upload`, form({}, { bytes: leasePdf }));
    const { status, json } = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord] } });
    expect([status, json.details[0].field]).toEqual([422, "maker_roles[0]"]);
  });

  test("of a template apply to transferable records from it", async () => {
    const upload = (roles: string) =>
      key.send("POST", "/partner/templates", form({ name: "Note", maker_roles_json: roles }, { bytes: leasePdf }));
    const wrong = await upload(JSON.stringify(["Borrower"]));
    expect([wrong.status, wrong.json.details[0].field]).toEqual([422, "maker_roles_json[0]"]);
    expect((await upload("Tenant")).status).toBe(400);
    const { template_id: own } = (await upload(JSON.stringify([tenant.role]))).json.data;
    expect((await key.send("GET", `/partner/templates/${own}`)).json.data.maker_roles).toEqual([tenant.role]);
    const rolesOf = async (more: object) => (await create({ template_id: own, ...more })).json.data.metadata.maker_roles;
    expect(await rolesOf({ record_type: "transferable_record" })).toEqual([tenant.role]);
    expect(await rolesOf({ record_type: "transferable_record", maker_roles: [] })).toEqual([]);
    expect(await rolesOf({})).toEqual([]);
  });
});
