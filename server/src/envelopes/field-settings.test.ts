import { describe, expect, test } from "vitest";
import { makeReady, type SigningSession, signingSession, typedMark } from "../../test/ceremony.ts";
import { chainOf } from "../../test/envelopes.ts";
import { newEnvelope, newTemplate, plainPdf, tenant } from "../../test/lease.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { finishDocument } from "./finish-document.ts";

const service = testService();

interface Draft {
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly envelope_id: EnvelopeId;
  readonly path: string;
}

async function draft(more: object = {}): Promise<Draft> {
  const org = await service.newOrg();
  const key = await org.newKey();
  const template_id = await newTemplate(key, plainPdf);
  const placed = await key.send("POST", `/partner/templates/${template_id}/fields`, { body: { fields: every } });
  expect([placed.status, placed.json.details]).toEqual([200, undefined]);
  const envelope_id = (await newEnvelope(key, template_id, {
    signers: [tenant],
    prefilled_data: { Currency: "EUR", Motto: "Mill Lane" },
    ...more,
  })) as EnvelopeId;
  return { org, key, envelope_id, path: `/partner/envelopes/${envelope_id}` };
}

let line = 0;
const field = (name: string, type: string, more: object = {}) => ({
  name,
  type,
  ...(type !== "label" && { role: "Tenant" }),
  placement: { mode: "absolute", areas: [{ page: 1, x: 0.1, y: 0.03 * ++line, w: 0.4, h: 0.025 }] },
  ...more,
});

const every = [
  field("Sign", "signature", { required: true }),
  field("Phone", "text", { settings: { format: "phone" } }),
  field("Plate", "text", { settings: { mask: "AA-99" } }),
  field("Rent", "number", { settings: { min: "100", max: "5000", places: 2, unit: "EUR" }, default_value: "750" }),
  field("Start", "date", { settings: { earliest: "2027-01-01" } }),
  field("Signed on", "date", { settings: { fill: "signing_day" }, required: true }),
  field("Cat", "checkbox", { settings: { group: "Pets", min: 1, max: 2 } }),
  field("Dog", "checkbox", { settings: { group: "Pets" } }),
  field("Fish", "checkbox", { settings: { group: "Pets" } }),
  field("Floor", "select", { options: ["first", "second"], default_value: "second" }),
  field("Payment", "radio", { options: ["monthly", "yearly"] }),
  field("Currency", "text", { settings: { sender_fills: true } }),
  field("Motto", "label"),
];

const send = ({ key, path }: Draft) => key.send("POST", `${path}/send`, { body: { signers: [tenant] } });

async function signer(one: Draft): Promise<SigningSession> {
  const sent = await send(one);
  expect([sent.status, sent.json.details]).toEqual([200, undefined]);
  return signingSession(service, one.org, one.envelope_id, tenant.email);
}

const errorsOf = async (one: SigningSession, values: object) => {
  const { status, json } = await one.fill({ ...values });
  expect(status).toBe(200);
  return json.data.errors.map(({ code, message }: { code: string; message: string }) => [code, message]);
};

describe("fields with settings", () => {
  test("are stored as they were given, with a key made from their name, and travel from template to envelope", async () => {
    const { key, path } = await draft();
    const { fields } = (await key.send("GET", `${path}/fields`)).json.data;
    const found = Object.fromEntries(fields.map((one: { field_key: string }) => [one.field_key, one]));
    expect(Object.keys(found)).toEqual([
      ...["sign", "phone", "plate", "rent", "start", "signed_on", "cat", "dog", "fish", "floor", "payment", "currency", "motto"],
    ]);
    expect(found.rent.settings).toEqual({ min: "100", max: "5000", places: 2, unit: "EUR" });
    expect([found.motto.role, found.motto.readonly, found.currency.readonly]).toEqual([null, true, true]);
    expect(found.sign.settings, "only what is set").toBeUndefined();
  });

  test("hold what their settings allow, and are printed with their unit; the day of signing is the signer's", async () => {
    const one = await draft();
    const ann = await signer(one);
    await makeReady(ann, { Phone: "+44 20 7946-0000", Plate: "KA-12", Rent: 1200.5, Start: "2027-03-01", Cat: true, Payment: "yearly" });
    const before = Date.now();
    const done = await ann.complete({ timezone: "Pacific/Kiritimati" });
    expect([done.status, done.json.details]).toEqual([200, undefined]);
    await finishDocument(service.features.envelopes, { org_id: one.org.org_id, envelope_id: one.envelope_id });
    const { bytes } = await one.key.send("GET", `${one.path}/document`);
    const printed = (await service.features.pdf.text(bytes, { page: 1 })).blocks.join(" ").replaceAll("\u00a0", " ");
    for (const value of ["+442079460000", "KA-12", "1200.50 EUR", "1 Mar 2027", "second", "yearly", "Mill Lane"]) {
      expect(printed).toContain(value);
    }
    const [{ value: day } = { value: "" }] = await service.database.owner<{ value: string }>(
      "select v.value from signed_values v join envelope_fields f using (org_id, envelope_id, position) where v.envelope_id = $1 and f.field_key = 'signed_on'",
      [one.envelope_id],
    );
    const dayThere = (at: number) => new Date(at + 14 * 3_600_000).toISOString().slice(0, 10);
    expect([dayThere(before), dayThere(Date.now())], "fourteen hours before UTC").toContain(day);
  });

  test("say what is wrong with a value, and refuse to be signed with it", async () => {
    const ann = await signer(await draft());
    await ann.see();
    await ann.consent();
    await ann.save({ adopt: { signature: typedMark("Ann") } });
    await ann.fill({ Sign: true });
    expect(await errorsOf(ann, { Phone: "5", Plate: "KA12", Rent: "99", Start: "2026-12-31", Cat: true, Dog: true, Fish: true })).toEqual([
      ["invalid_value", "must be a phone number with its country code, such as +44 20 7946 0000"],
      ["invalid_value", "must have the form AA-99"],
      ["invalid_value", "must be at least 100"],
      ["invalid_value", "must not be before 2027-01-01"],
      ["invalid_value", "can have at most 2 of its group ticked"],
    ]);
    const refused = await ann.complete();
    expect([refused.status, refused.json.details.length]).toEqual([422, 5]);
    await ann.fill({ Phone: null, Plate: null, Rent: null, Start: null, Cat: false, Dog: false, Fish: false });
    const none = await ann.complete();
    expect([none.status, none.json.details]).toEqual([
      422,
      [{ location: "body", field: "f6", code: "required", message: "Cat needs at least 1 of its group ticked" }],
    ]);
  });

  test("that the service or the sender fills in cannot be changed by a signer", async () => {
    const ann = await signer(await draft());
    await ann.see();
    await ann.consent();
    for (const [name, message] of [
      ["Signed on", "is filled in when you sign"],
      ["Currency", "is locked by the sender"],
    ] as const) {
      const { status, json } = await ann.fill({ [name]: "2020-01-01" });
      expect([status, json.details[0].message]).toEqual([422, message]);
    }
    const { fields, others } = (await ann.open()).json.data;
    expect(fields.map(({ name }: { name: string }) => name)).not.toContain("Motto");
    expect(others.map(({ label, value }: { label: string; value: string }) => [label, value])).toEqual([["Motto", "Mill Lane"]]);
  });

  test("that the sender must fill in stop the envelope from being sent without a value", async () => {
    const { status, json } = await send(await draft({ prefilled_data: {} }));
    expect([status, json.details.map(({ field, code }: { field: string; code: string }) => [field, code])]).toEqual([
      422,
      [
        ["prefilled_data.Currency", "required"],
        ["prefilled_data.Motto", "required"],
      ],
    ]);
  });

  test("are covered by the hash in the audit trail: settings changed in the database stop the signature", async () => {
    const one = await draft();
    const ann = await signer(one);
    const sent = (await chainOf(service, one.org.org_id, one.envelope_id)).find(({ type }) => type === "envelope.sent");
    expect(sent?.data).toMatchObject({ content_version: 2 });
    await service.database.owner(
      "update envelope_fields set settings = settings || '{\"max\":\"9000\"}' where envelope_id = $1 and name = 'Rent'",
      [one.envelope_id],
    );
    const { status, json } = await ann.open();
    expect([status, json.details?.[0].code]).toEqual([409, "record_mismatch"]);
  });

  test.each([
    ["a role on a label", field("Motto", "label", { role: "Tenant" }), "fields[0].role", "is not allowed for a label"],
    ["no role on another field", { ...field("Name", "text"), role: undefined }, "fields[0].role", "is required"],
    [
      "a setting of another type",
      field("Name", "text", { settings: { places: 2 } }),
      "fields[0].settings.places",
      "a field of type text has no such setting",
    ],
    [
      "one choice",
      field("Floor", "select", { options: ["first"] }),
      "fields[0].options",
      "must be 2 to 100 texts of at most 200 characters",
    ],
    [
      "a default outside its limits",
      field("Rent", "number", { settings: { max: "5" }, default_value: "6" }),
      "fields[0].default_value",
      "must be at most 5",
    ],
    [
      "a key in capitals",
      field("Rent", "number", { field_key: "Rent" }),
      "fields[0].field_key",
      "must be lower-case letters, digits and _, such as start_date",
    ],
    [
      "a key that another field has",
      field("Rent 2", "number", { field_key: "rent" }),
      "fields[0].field_key",
      "names another field already",
    ],
  ])("422: %s", async (_, wanted, at, message) => {
    const { key, path } = await draft();
    const { status, json } = await key.send("POST", `${path}/fields`, { body: { fields: [wanted] } });
    expect([status, json.details?.[0].field, json.details?.[0].message]).toEqual([422, at, message]);
  });

  test("can be changed while the envelope is a draft, and keep their key", async () => {
    const { key, path } = await draft();
    const { fields } = (await key.send("GET", `${path}/fields`)).json.data;
    const keep = (name: string) => ({ keep: { position: fields.findIndex((one: { name: string }) => one.name === name), name } });
    const put = (body: readonly object[]) => key.send("PUT", `${path}/fields`, { body: { fields: body } });
    const changed = await put([
      keep("Sign"),
      { ...keep("Rent"), name: "Monthly rent", settings: { places: 0 } },
      { ...keep("Currency"), settings: {} },
    ]);
    expect([changed.status, changed.json.details]).toEqual([200, undefined]);
    const after = (await key.send("GET", `${path}/fields`)).json.data.fields;
    expect(after.map(({ field_key, settings, readonly }: Record<string, unknown>) => [field_key, settings, readonly])).toEqual([
      ["sign", undefined, false],
      ["rent", { places: 0 }, false],
      ["currency", undefined, false],
    ]);
    const wrong = await put([{ keep: { position: 1, name: "Monthly rent" }, settings: { mask: "9" } }]);
    expect([wrong.status, wrong.json.details?.[0].field]).toEqual([422, "fields[0].settings.mask"]);
  });
});
