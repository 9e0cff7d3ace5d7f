import { hashOfSigners, type SignerIdentity } from "@countersign/evidence";
import { describe, expect, test } from "vitest";
import { type StepReport, unzipBundle, verifyBundle } from "../../../verify/src/index.ts";
import { makeReady, type SigningSession, signAll, signingSession, typedMark } from "../../test/ceremony.ts";
import { chainOf, sentEnvelope, statusOf } from "../../test/envelopes.ts";
import { envelopeBody, newEnvelope, newTemplate, plainPdf, tenant } from "../../test/lease.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { signedValues } from "../../test/signed-values.ts";
import { until } from "../../test/until.ts";
import { DAY_MS } from "../shared/durations.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { storeEnvelope } from "../vault/store-envelope.ts";
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

async function dayOfSigning({ org, envelope_id }: Draft): Promise<string> {
  const [field] = await service.database.owner<{ position: number }>(
    "select position from envelope_fields where envelope_id = $1 and field_key = 'signed_on'",
    [envelope_id],
  );
  const signed = await signedValues(service, org.org_id, envelope_id);
  return signed.find(({ position }) => position === field?.position)?.value ?? expect.fail("no day of signing");
}

let line = 0;
const field = (name: string, type: string, more: object = {}) => ({
  name,
  type,
  ...(type !== "label" && { role: "Tenant" }),
  placement: { mode: "absolute", areas: [{ page: 1, x: 0.1, y: 0.03 * (++line % 30), w: 0.4, h: 0.025 }] },
  ...more,
});

const every = [
  field("Sign", "signature", { required: true }),
  field("Phone", "text", { settings: { format: "phone" } }),
  field("Plate", "text", { settings: { mask: "AA-99" } }),
  field("Rent", "number", { settings: { min: "100", max: "5000", places: 2, unit: "EUR" }, default_value: "750" }),
  field("Start", "date", { settings: { earliest: "2027-01-01" } }),
  field("Signed on", "date", { settings: { fill: "signing_day" }, required: true }),
  field("Cat", "checkbox", { settings: { group: "Pets", min: "1", max: "2" } }),
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

/** Vaults a finished document and verifies its evidence bundle. */
async function failedSteps(org: TestOrg, envelope_id: EnvelopeId): Promise<StepReport[]> {
  const certification = { accepted: true, terms_version: "2026-01" };
  const vaulting = org.admin("POST", `/partner/envelopes/${envelope_id}/vault-in-signed`, { body: { certification } });
  await until("the record", async () => {
    await storeEnvelope(service.features.vault, { org_id: org.org_id, envelope_id });
    return (await statusOf(service, envelope_id)) === "vaulted";
  });
  expect((await vaulting).status).toBe(200);
  const { status, bytes } = await org.admin("GET", `/partner/envelopes/${envelope_id}/vault/evidence`);
  expect(status).toBe(200);
  const { steps } = await verifyBundle(() => unzipBundle(bytes), { root: null, tsa_roots: null });
  return steps.filter(({ passed }) => !passed);
}

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
    const day = await dayOfSigning(one);
    const dayThere = (at: number) => new Date(at + 14 * 3_600_000).toISOString().slice(0, 10);
    expect([dayThere(before), dayThere(Date.now())], "fourteen hours before UTC").toContain(day);
    expect(await failedSteps(one.org, one.envelope_id), "the evidence bundle").toEqual([]);
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
    const label = await ann.save({ values: [{ field_id: "f12", value: "Other text" }] });
    expect([label.status, label.json.details[0].code], "a label is no field of the signer").toEqual([422, "unknown_field"]);
    const { fields, others } = (await ann.open()).json.data;
    const shown = (name: string) => fields.find((one: { name: string }) => one.name === name);
    expect([shown("Signed on").value, shown("Signed on").readonly], "not known before").toEqual([null, true]);
    expect([shown("Fish").settings, shown("Start").settings]).toEqual([{ group: "Pets", min: "1", max: "2" }, { earliest: "2027-01-01" }]);
    expect(fields.map(({ name }: { name: string }) => name)).not.toContain("Motto");
    expect(others.map(({ label, value }: { label: string; value: string }) => [label, value])).toEqual([["Motto", "Mill Lane"]]);
  });

  test("that the sender must fill in stop the envelope from being sent without a value", async () => {
    for (const given of [{}, { Currency: " ", Motto: "\u200b" }]) {
      const { status, json } = await send(await draft({ prefilled_data: given }));
      expect([status, json.details]).toEqual([
        422,
        [
          { location: "body", field: "prefilled_data.Currency", code: "required", message: "must be filled in by the sender" },
          { location: "body", field: "prefilled_data.Motto", code: "required", message: "is a label without a text" },
        ],
      ]);
    }
  });

  test("get only prefilled values that their settings allow, each in its own form", async () => {
    const one = await draft();
    const { template_id } = (await one.key.send("GET", one.path)).json.data;
    const more = [
      field("Rent", "text", { settings: { sender_fills: true }, default_value: "see annex" }),
      field("Deposit", "number", { settings: { places: 2, sender_fills: true }, default_value: "5" }),
    ];
    expect((await one.key.send("POST", `/partner/templates/${template_id}/fields`, { body: { fields: more } })).status).toBe(200);
    const create = (prefilled_data: object) =>
      one.key.send("POST", "/partner/envelopes", {
        body: envelopeBody({ template_id, signers: [tenant], prefilled_data: { Currency: "EUR", Motto: "Mill Lane", ...prefilled_data } }),
      });
    const wrong = { Phone: "5", Rent: 99, Start: "2026-12-31", "Signed on": "2027-01-01", Cat: "yes", Floor: "third", Deposit: "0.001" };
    const refused = await create(wrong);
    const named = (details: readonly { field: string; code: string }[]) => details.map(({ field: at, code }) => [at, code]);
    expect([refused.status, named(refused.json.details)]).toEqual([
      422,
      Object.keys(wrong).map((name) => [`prefilled_data.${name}`, "invalid_value"]),
    ]);
    const made = await create({ Rent: "100", Phone: "+44 20 7946-0000" });
    const kept = await service.database.owner(
      "select type, prefilled, default_value from envelope_fields where envelope_id = $1 and name in ('Rent', 'Phone', 'Deposit') order by position",
      [made.json.data.envelope_id],
    );
    expect(kept).toEqual([
      { type: "text", prefilled: "+442079460000", default_value: null },
      { type: "number", prefilled: "100.00", default_value: "750.00" },
      { type: "text", prefilled: "100", default_value: "see annex" },
      { type: "number", prefilled: null, default_value: "5.00" },
    ]);
  });

  test("are filled in by the sender in a draft, one value at a time, and null takes a value away", async () => {
    const one = await draft();
    const change = (prefilled_data: object) => one.key.send("PATCH", one.path, { body: { prefilled_data } });
    const prefilled = async () =>
      Object.fromEntries(
        (await one.key.send("GET", `${one.path}/fields`)).json.data.fields.flatMap((shown: { name: string; prefilled?: string }) =>
          shown.prefilled === undefined ? [] : [[shown.name, shown.prefilled]],
        ),
      );
    expect((await change({ Rent: "900", Currency: "EUR" })).status).toBe(200);
    expect((await change({ Motto: "Mill Lane", Currency: null })).status).toBe(200);
    expect(await prefilled()).toMatchObject({ Rent: "900.00", Motto: "Mill Lane" });
    expect(await prefilled()).not.toHaveProperty("Currency");
    const refused = await send(one);
    expect([refused.status, refused.json.details[0]]).toMatchObject([422, { field: "prefilled_data.Currency", code: "required" }]);
    const wrong = await change({ Currency: "EUR", Rent: "1", Ghost: "x" });
    expect([wrong.status, wrong.json.details.map(({ field: at }: { field: string }) => at)]).toEqual([
      422,
      ["prefilled_data.Rent", "prefilled_data.Ghost"],
    ]);
    expect(await prefilled(), "nothing of a refused change is kept").not.toHaveProperty("Currency");
    expect((await change({ Currency: "EUR" })).status).toBe(200);
    expect((await send(one)).status).toBe(200);
    expect((await change({ Currency: "USD" })).status).toBe(409);
  });

  test("that are locked with a value which new settings forbid stop the envelope from being sent", async () => {
    const one = await draft();
    const { fields } = (await one.key.send("GET", `${one.path}/fields`)).json.data;
    const all = fields.map(({ name }: { name: string }, position: number) => ({
      keep: { position, name },
      ...(name === "Currency" && { settings: { sender_fills: true, max_length: 2 } }),
    }));
    expect((await one.key.send("PUT", `${one.path}/fields`, { body: { fields: all } })).status).toBe(200);
    const { status, json } = await send(one);
    const message = "must be text of at most 2 characters, without control characters";
    expect([status, json.details]).toEqual([422, [{ location: "body", field: "prefilled_data.Currency", code: "invalid_value", message }]]);
  });

  test.each([
    [
      "more ticks than boxes",
      [field("A", "checkbox", { settings: { group: "G", min: "2" } })],
      "needs 2 ticks, and at most 1 are possible",
    ],
    [
      "fewer ticks than are locked",
      [
        field("A", "checkbox", { settings: { group: "G", max: "1", sender_fills: true }, default_value: "true" }),
        field("B", "checkbox", { settings: { group: "G", sender_fills: true }, default_value: "true" }),
      ],
      "can have 1 ticks, and 2 are locked",
    ],
    [
      "fewer ticks than are required",
      [
        field("A", "checkbox", { settings: { group: "G", max: "1" }, required: true }),
        field("B", "checkbox", { settings: { group: "G" }, required: true }),
      ],
      "can have 1 ticks, and 2 are required or locked",
    ],
  ])("of a group that allows %s stop the envelope from being sent", async (_, group, message) => {
    const one = await draft();
    expect((await one.key.send("POST", `${one.path}/fields`, { body: { fields: group } })).status).toBe(200);
    const { status, json } = await send(one);
    expect([status, json.details]).toEqual([
      422,
      [{ location: "body", field: "prefilled_data.A", code: "conflict", message: `the group G ${message}` }],
    ]);
  });

  test("of a group are ticked at most as often as its first field says, also if none has to be", async () => {
    const one = await draft();
    const boxes = [
      field("A", "checkbox", { settings: { group: "G", min: "0", max: "1" } }),
      field("B", "checkbox", { settings: { group: "G" } }),
    ];
    expect((await one.key.send("POST", `${one.path}/fields`, { body: { fields: boxes } })).status).toBe(200);
    const ann = await signer(one);
    await makeReady(ann, { Cat: true, Dog: true, A: true, B: true });
    const { status, json } = await ann.complete();
    expect([status, json.details.map(({ message }: { message: string }) => message)]).toEqual([
      422,
      ["A can have at most 1 of its group ticked"],
    ]);
    await ann.fill({ A: false, B: false });
    expect((await ann.complete()).status, "two of two pets, none of the others").toBe(200);
  });

  test("with the day of signing get the day of the signer's time zone, whatever day it is in UTC", async () => {
    const dayOf = async (timezone: string) => {
      const one = await draft();
      const ann = await signer(one);
      await makeReady(ann, { Cat: true });
      expect((await ann.complete({ timezone })).status).toBe(200);
      return Date.parse(await dayOfSigning(one));
    };
    // 25 hours apart: never the same day.
    const [west, east] = [await dayOf("Pacific/Pago_Pago"), await dayOf("Pacific/Kiritimati")];
    expect(east - west).toBeGreaterThanOrEqual(DAY_MS);
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
    ["a required label", field("Motto", "label", { required: true }), "fields[0].required", "is not allowed for a label"],
    [
      "a limit of ticks that is not on the first box",
      field("Bird", "checkbox", { settings: { group: "Pets", max: "3" } }),
      "fields[0].settings.max",
      "is allowed only on the first field of the group",
    ],
    [
      "a unit that cannot be written",
      field("Rent", "number", { settings: { unit: "😀" } }),
      "fields[0].settings.unit",
      expect.stringContaining("U+1F600"),
    ],
    [
      "a choice that cannot be written",
      field("Floor", "select", { options: ["first", "😀"] }),
      "fields[0].options",
      expect.stringContaining("U+1F600"),
    ],
    [
      "a default at signing",
      field("Day", "date", { settings: { fill: "signing_day" }, default_value: "2027-01-01" }),
      "fields[0].default_value",
      "is filled in with the day of signing",
    ],
    [
      "a setting that no type has",
      field("Name", "text", { settings: { regex: "a*" } }),
      "fields[0].settings.regex",
      "is not a known field",
    ],
    [
      "a setting of the wrong kind",
      field("Name", "text", { settings: { multiline: "yes" } }),
      "fields[0].settings.multiline",
      "must be true or false",
    ],
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
    const rent = { keep: { position: 1, name: "Monthly rent" } };
    const refused = async (...body: readonly object[]) => {
      const { status, json } = await put(body);
      return [status, json.details?.map((one: { field: string; message: string }) => [one.field, one.message])];
    };
    expect(await refused({ ...rent, settings: { mask: "9" } })).toEqual([
      422,
      [["fields[0].settings.mask", "a field of type number has no such setting"]],
    ]);
    expect(await refused({ ...rent, settings: { max: "5" } }), "its default is 750").toEqual([
      422,
      [["fields[0].default_value", "must be at most 5"]],
    ]);
    expect(await refused(rent, field("Rent 2", "number", { field_key: "rent" })), "the kept field has this key").toEqual([
      422,
      [["fields[1].field_key", "names another field already"]],
    ]);
    const renamed = await put([keep("Sign"), { ...rent, field_key: "monthly" }, field("Rent 2", "number", { field_key: "rent" })]);
    expect([renamed.status, renamed.json.details]).toEqual([200, undefined]);
    const keys = (await key.send("GET", `${path}/fields`)).json.data.fields.map((one: { field_key: string }) => one.field_key);
    expect(keys).toEqual(["sign", "monthly", "rent"]);
  });

  test("of a template are returned as a request takes them, and keys are made from names", async () => {
    const { key, path } = await draft();
    const { template_id } = (await key.send("GET", path)).json.data;
    const fields = `/partner/templates/${template_id}/fields`;
    const wanted = [
      field("Start date", "date", { settings: { latest: "2028-02-29" } }),
      field("Start date", "date"),
      field("Größe (m²)", "number", { settings: { unit: "m²", places: 1 } }),
      field("2nd name", "text", { settings: { max_length: 2_000, multiline: true } }),
      field("日付", "date"),
      field("Colour", "radio", { options: ["red", "blue"], field_key: "start_date_2" }),
      field("Remark", "label", { default_value: "Two\nlines" }),
    ];
    const put = await key.send("PUT", fields, { body: { fields: wanted } });
    expect([put.status, put.json.details]).toEqual([200, undefined]);
    const found: Record<string, unknown>[] = (await key.send("GET", `/partner/templates/${template_id}`)).json.data.fields;
    expect(found.map((one) => one.field_key)).toEqual([
      ...["start_date", "start_date_3", "grosse_m2", "f_2nd_name", "field", "start_date_2", "remark"],
    ]);
    const again = found.map(({ name, type, role, required, default_value, options, settings, field_key, areas }) => {
      return { name, type, role, required, default_value, options, settings, field_key, placement: { mode: "absolute", areas } };
    });
    expect((await key.send("PUT", fields, { body: { fields: again } })).json.details).toBeUndefined();
    expect((await key.send("GET", `/partner/templates/${template_id}`)).json.data.fields).toEqual(found);
  });

  test("do not change the life of an envelope that an earlier release sent: it is corrected, signed, vaulted and verified", async () => {
    const org = await service.newOrg();
    const { envelope_id, signers } = await sentEnvelope(service, org, {
      signers: ["ann@example.com", "sam@example.com"],
      content_version: 1,
    });
    const corrected = await org.admin("PATCH", `/partner/envelopes/${envelope_id}/signers/${signers[1]?.slug}`, {
      body: { name: "Samuel" },
    });
    expect([corrected.status, corrected.json.details]).toEqual([200, undefined]);
    await signAll(service, org, envelope_id, [["ann@example.com"], ["sam@example.com"]]);
    await finishDocument(service.features.envelopes, { org_id: org.org_id, envelope_id });
    expect(await failedSteps(org, envelope_id)).toEqual([]);
    const entry = (await chainOf(service, org.org_id, envelope_id)).find(({ type }) => type === "signer.corrected");
    const named = ["Ann", "Samuel"].map((name, index) => ({ ...signers[index], turn: index + 1, name }));
    expect(entry?.data.signers_sha256).toBe(hashOfSigners(named as SignerIdentity[], 1));
  });
});

describe("POST /partner/envelopes/:envelope_id/preview", () => {
  const preview = ({ key, path }: Draft, body: object) => key.send("POST", `${path}/preview`, { body });

  test("shows what the signing page will show, and what is wrong with values, and stores nothing", async () => {
    const one = await draft({ message: "Please sign" });
    const entries = await chainOf(service, one.org.org_id, one.envelope_id);
    const { status, json } = await preview(one, { role: "Tenant", lang: "de" });
    expect(status).toBe(200);
    const { name, sender, message, recipient, disclosure, intent, pages, documents, fields, others, branding } = json.data;
    const wrong = await preview(one, {
      role: "Tenant",
      values: [{ field_id: fields.find((field: { name: string }) => field.name === "Rent").field_id, value: "7" }],
    });
    expect(wrong.json.data.fields.find((field: { name: string }) => field.name === "Rent")).toMatchObject({
      value: "7",
      error: { code: "invalid_value" },
    });
    expect(await chainOf(service, one.org.org_id, one.envelope_id)).toEqual(entries);

    const { send: ask } = await signer(one);
    const opened = (await ask("GET", "?lang=de")).json.data;
    expect(opened.envelope).toMatchObject({ name, sender, message });
    expect({ disclosure, intent, pages, documents, fields, others, branding }).toEqual({
      disclosure: opened.consent.disclosure,
      intent: opened.intent,
      pages: opened.document.pages,
      documents: opened.documents,
      fields: opened.fields,
      others: opened.others,
      branding: opened.branding,
    });
    expect(recipient).toEqual({ name: opened.you.name, role: "Tenant", kind: "signer" });
    expect((await preview(one, { role: "Tenant" })).status).toBe(409);
  });

  test("refuses a role without fields, and a draft without a document", async () => {
    const one = await draft();
    const { status, json } = await preview(one, { role: "Landlord" });
    expect([status, json.details]).toEqual([
      422,
      [{ location: "body", field: "role", code: "unknown_role", message: "has no field here; roles with fields: Tenant" }],
    ]);
    const { envelope_id } = (await one.key.send("POST", "/partner/envelopes", { body: envelopeBody() })).json.data;
    const empty = await preview({ ...one, path: `/partner/envelopes/${envelope_id}` }, { role: "Tenant" });
    expect(empty.status).toBe(409);
  });
});
