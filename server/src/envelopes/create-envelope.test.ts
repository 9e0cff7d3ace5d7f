import { describe, expect, test } from "vitest";
import { envelopeBody, landlord, newEnvelope, newTemplate, tenant } from "../../test/lease.ts";
import { refusalText } from "../../test/refused-with.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { newId } from "../shared/ids.ts";

const service = testService();

let shared: Promise<{ org: TestOrg; key: TestKey; template_id: string }> | undefined;
function withTemplate() {
  shared ??= (async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    return { org, key, template_id: await newTemplate(key) };
  })();
  return shared;
}

const create = (key: TestKey, more: object = {}) => key.send("POST", "/partner/envelopes", { body: envelopeBody(more) });
const codesOf = (json: { details: { field: string; code: string }[] }) => json.details.map(({ field, code }) => `${field} ${code}`);

describe("creating an envelope", () => {
  test("without a template: pending, with the single-envelope view, its event and the first entry of its chain", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const party = { name: "First Bank", role: "lender", identifier: "LEI-1" };
    const { status, json } = await create(key, { external_id: "mine-1", secured_party: party, metadata: { deal: 7 }, kba_required: true });
    expect(status).toBe(201);
    expect(json.data).toEqual({
      envelope_id: expect.stringMatching(/^env_/),
      envelope_name: "Lease",
      status: "pending",
      customer_id: expect.stringMatching(/^cust_/),
      external_id: "mine-1",
      template_id: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      vaulted: false,
      compliant: false,
      metadata: {
        custom: { deal: 7 },
        is_upload: false,
        directory_id: null,
        auto_vault_enabled: false,
        kba_required: true,
        sent_at: null,
        expires_at: null,
        signer_count: 0,
        secured_party: party,
        record_type: "other",
        maker_roles: [],
        tags: [],
        owner_user_id: org.user_id,
        form_id: null,
        batch_id: null,
        prepared_by: { key_id: key.key_id, partner_name: "Partner" },
        instrument: null,
        vault_file_path: null,
        message: null,
        mail_subject: null,
        signing_order: "sequential",
        expires_in_days: 30,
        reminders: null,
        signers: [],
        recipients: [],
      },
    });
    const { envelope_id, customer_id } = json.data;
    const [event] = await service.database.owner<{ body: Buffer }>("select body from events where envelope_id = $1", [envelope_id]);
    expect(JSON.parse(String(event?.body))).toMatchObject({
      event_type: "envelope.created",
      data: { envelope_id, customer_id, external_id: "mine-1" },
    });
    expect(await service.database.owner("select type from audit_entries where subject = $1", [envelope_id])).toEqual([
      { type: "envelope.created" },
    ]);
    const read = await key.send("GET", `/partner/envelopes/${envelope_id}`);
    expect(read.json).toEqual(json);
  });

  test("with a template: preparing, with its document and fields, and its values filled in", async () => {
    const { key, template_id } = await withTemplate();
    const prefilled_data = { "Tenant name": "Ann", Rent: 900.5, Start: "2027-01-01", Pet: true, Floor: "second" };
    const { status, json } = await create(key, { template_id, prefilled_data, signers: [tenant, landlord], expires_in_days: 7 });
    expect([status, json.data.status, json.data.template_id, json.data.metadata.signer_count]).toEqual([201, "preparing", template_id, 2]);
    const fields = await service.database.owner(
      "select name, role, prefilled from envelope_fields where envelope_id = $1 order by position",
      [json.data.envelope_id],
    );
    expect(fields).toEqual([
      { name: "Tenant name", role: "Tenant", prefilled: "Ann" },
      { name: "Rent", role: "Tenant", prefilled: "900.5" },
      { name: "Start", role: "Tenant", prefilled: "2027-01-01" },
      { name: "Pet", role: "Tenant", prefilled: "true" },
      { name: "Floor", role: "Tenant", prefilled: "second" },
      { name: "Tenant signature", role: "Tenant", prefilled: null },
      { name: "Landlord signature", role: "Landlord", prefilled: null },
    ]);
  });

  test("422 for a prefilled name without a field and a value that its field cannot hold, all at once", async () => {
    const { key, template_id } = await withTemplate();
    const prefilled_data = { Nobody: "x", Rent: "cheap", Start: "tomorrow", Pet: "maybe", Floor: "third", "Tenant signature": "Ann" };
    const { status, json } = await create(key, { template_id, prefilled_data });
    expect(status).toBe(422);
    expect(codesOf(json)).toEqual([
      "prefilled_data.Nobody unknown_field",
      "prefilled_data.Rent invalid_value",
      "prefilled_data.Start invalid_value",
      "prefilled_data.Pet invalid_value",
      "prefilled_data.Floor invalid_value",
      "prefilled_data.Tenant signature invalid_value",
    ]);
    const undrawable = await create(key, { template_id, prefilled_data: { "Tenant name": "Ann 😀" } });
    expect([undrawable.status, undrawable.json.details]).toEqual([
      422,
      [expect.objectContaining({ field: "prefilled_data.Tenant name", message: expect.stringMatching(/: 😀 \(U\+1F600\)$/) })],
    ]);
    expect(codesOf((await create(key, { prefilled_data: { A: "b" } })).json)).toEqual(["prefilled_data.A unknown_field"]);
  });

  test("404 for a template that is unknown, of another org or not an id; 409 for an archived one", async () => {
    const { template_id } = await withTemplate();
    const key = await (await service.newOrg()).newKey();
    for (const unknown of [newId("template"), template_id, "nonsense"]) {
      const { status, text } = await create(key, { template_id: unknown });
      expect([status, text]).toEqual([404, refusalText("Template not found")]);
    }
    const mine = await newTemplate(key);
    await key.send("DELETE", `/partner/templates/${mine}`);
    expect((await create(key, { template_id: mine })).status).toBe(409);
  });

  test("422 for duplicate signers, roles that the template does not have, expiry out of range, metadata over 4 KiB", async () => {
    const { key, template_id } = await withTemplate();
    const refusal = async (more: object) => codesOf((await create(key, { template_id, ...more })).json);
    expect(await refusal({ signers: [tenant, { ...landlord, email: "ANN@example.com" }] })).toEqual(["signers[1].email duplicate"]);
    expect(await refusal({ signers: [{ ...tenant, name: "Ann 😀" }] })).toEqual(["signers[0].name invalid_value"]);
    expect(await refusal({ signers: [{ ...tenant, role: "Agent" }] })).toEqual(["signers[0].role unknown_role"]);
    expect(await refusal({ expires_in_days: 366 })).toEqual(["expires_in_days too_big"]);
    expect(await refusal({ expires_in_days: 0 })).toEqual(["expires_in_days too_small"]);
    expect(await refusal({ metadata: { x: "y".repeat(4_096) } })).toEqual(["metadata too_long"]);
    expect(await refusal({ customer_email: "nobody", envelope_name: "" })).toEqual([
      "envelope_name too_small",
      "customer_email invalid_format",
    ]);
  });

  test("twenty at once for a new customer create one customer", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const emails = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? "New@example.com" : "new@EXAMPLE.com"));
    const answers = await Promise.all(emails.map((customer_email) => create(key, { customer_email })));
    expect(new Set(answers.map(({ json }) => json.data.customer_id)).size).toBe(1);
    expect(await service.database.owner("select from customers where org_id = $1", [org.org_id])).toHaveLength(1);
  });

  test("of several customers with one address, the one with the same name is used; if there is none, 409 with candidates and nothing is created", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    for (const name of ["Ann", "Sam"]) await key.send("POST", "/partner/customers", { body: { name, email: "office@example.com" } });
    const named = await create(key, { customer_email: "office@example.com", customer_name: "Sam" });
    expect(named.status).toBe(201);
    const unclear = await create(key, { customer_email: "office@example.com", customer_name: "Eve" });
    expect([unclear.status, unclear.json.candidates.length]).toEqual([409, 2]);
    expect((await key.send("GET", "/partner/envelopes")).json.meta.total).toBe(1);
  });
});

describe("reading envelopes", () => {
  test("the status view has six fields and an ETag, and is 304 for a caller that has it", async () => {
    const { key, template_id } = await withTemplate();
    const envelope_id = await newEnvelope(key, template_id);
    const path = `/partner/envelopes/${envelope_id}/status`;
    const { json, headers } = await key.send("GET", path);
    expect(json.data).toEqual({
      envelope_id,
      status: "preparing",
      vaulted: false,
      compliant: false,
      signed_at: null,
      updated_at: expect.any(String),
    });
    expect((await key.send("GET", path, { headers: { "if-none-match": headers.etag ?? "" } })).status).toBe(304);
    await key.send("PATCH", `/partner/envelopes/${envelope_id}`, { body: { envelope_name: "Other" } });
    expect((await key.send("GET", path, { headers: { "if-none-match": headers.etag ?? "" } })).status).toBe(200);
  });

  test("the list can be filtered by customer and status, and an unknown status is 422", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const first = await create(key);
    await create(key, { customer_email: "other@example.com" });
    const mine = await key.send("GET", `/partner/envelopes?customer_id=${first.json.data.customer_id}`);
    expect([mine.json.meta.total, mine.json.data[0].envelope_id]).toEqual([1, first.json.data.envelope_id]);
    await key.send("DELETE", `/partner/envelopes/${first.json.data.envelope_id}`);
    expect((await key.send("GET", "/partner/envelopes?status=voided")).json.meta.total).toBe(1);
    expect((await key.send("GET", `/partner/envelopes?status=pending&customer_id=${first.json.data.customer_id}`)).json.meta.total).toBe(0);
    expect((await key.send("GET", "/partner/envelopes?status=gone")).status).toBe(422);
  });
});

describe("a draft", () => {
  test("is changed by PATCH, which keeps what the request leaves out", async () => {
    const { key, template_id } = await withTemplate();
    const envelope_id = await newEnvelope(key, template_id, { external_id: "a" });
    const path = `/partner/envelopes/${envelope_id}`;
    const { status, json } = await key.send("PATCH", path, {
      body: { envelope_name: "Lease 2", kba_required: true, secured_party: { name: "Bank" }, signers: [tenant] },
    });
    expect([status, json.data.envelope_name, json.data.external_id]).toEqual([200, "Lease 2", "a"]);
    expect(json.data.metadata).toMatchObject({ kba_required: true, secured_party: { name: "Bank" }, signer_count: 1 });
    expect((await key.send("PATCH", path, { body: { external_id: null, secured_party: null } })).json.data).toMatchObject({
      external_id: null,
      metadata: { secured_party: null },
    });
    expect((await key.send("PATCH", path, { body: { signers: [{ ...tenant, role: "Agent" }] } })).status).toBe(422);
  });

  test("is discarded by DELETE: voided with the reason discarded, then it can be neither changed nor discarded again", async () => {
    const { key, template_id } = await withTemplate();
    const path = `/partner/envelopes/${await newEnvelope(key, template_id)}`;
    const { status, json } = await key.send("DELETE", path);
    expect([status, json.data]).toEqual([
      200,
      { envelope_id: expect.any(String), status: "voided", voided_at: expect.any(String), reason: "discarded" },
    ]);
    const again = await key.send("DELETE", path);
    expect([again.status, again.json.error]).toEqual([409, "The envelope is voided, which does not allow this"]);
    expect((await key.send("PATCH", path, { body: { envelope_name: "x" } })).status).toBe(409);
  });
});
