import { beforeAll, describe, expect, test } from "vitest";
import { onePage, text } from "../../../pdf/fixtures/pages.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { sentEnvelope } from "../../test/envelopes.ts";
import { form } from "../../test/form.ts";
import { envelopeBody, landlord, newEnvelope, newTemplate, tenant } from "../../test/lease.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { vaultedCopy } from "../../test/vaulted.ts";
import { DAY_MS, HOUR_MS } from "../shared/durations.ts";
import { nextReminder } from "./next-reminder.ts";
import { expireEnvelope, sweepEnvelopes } from "./sweep-envelopes.ts";

const service = testService();
let org: TestOrg;
let key: TestKey;
let template_id: string;
beforeAll(async () => {
  org = await service.newOrg();
  key = await org.newKey({ rate_limit_rpm: 100_000 });
  template_id = await newTemplate(key);
});

const path = (envelope_id: string) => `/partner/envelopes/${envelope_id}`;
const post = (at: string, body: object = {}) => key.send("POST", at, { body });
const get = async (at: string) => (await key.send("GET", at)).json.data;
const send = (envelope_id: string, body: object = {}) => post(`${path(envelope_id)}/send`, body);
const trailOf = async (envelope_id: string): Promise<{ type: string; data: object }[]> =>
  (await get(`${path(envelope_id)}/audit-trail`)).map(({ type, data }: { type: string; data: object }) => ({ type, data }));

describe("a duplicate", () => {
  test("of a sent envelope is a draft with its document as uploaded, fields, people, choices and tags, and can be sent", async () => {
    const choices = {
      message: "Please sign.",
      expires_in_days: 14,
      reminders: { every_days: 3, first_after_days: 5, last_days_before: 2 },
      signing_order: "parallel",
    };
    const from = await newEnvelope(key, template_id, {
      ...choices,
      tags: ["North"],
      external_id: "case-7",
      metadata: { case: 7 },
      prefilled_data: { Rent: 900 },
      kba_required: false,
    });
    expect((await send(from)).status).toBe(200);
    const [before, trail] = [await get(path(from)), await trailOf(from)];
    const { status, json } = await post(`${path(from)}/duplicate`);
    expect(status).toBe(201);
    expect(json.data).toMatchObject({
      envelope_name: "Lease",
      status: "preparing",
      customer_id: before.customer_id,
      external_id: null,
      template_id,
      metadata: { ...choices, custom: null, tags: ["North"], sent_at: null, expires_at: null, signers: [tenant, landlord] },
    });
    const copy = json.data.envelope_id;
    const [fields, original] = [await get(`${path(copy)}/fields`), await get(`${path(from)}/fields`)];
    const named = ({ documents }: { documents: { name: string; pages: unknown }[] }) =>
      documents.map(({ name, pages }) => ({ name, pages }));
    expect(named(fields)).toEqual(named(original));
    const unfilled = original.fields.map(({ prefilled: _, ...field }: { prefilled?: string }) => field);
    expect({ ...fields, envelope_id: from, documents: original.documents }).toEqual({ ...original, fields: unfilled });
    expect(await trailOf(copy)).toMatchObject([{ type: "envelope.created", data: { duplicate_of: from, is_upload: false } }]);
    const [filled] = await service.database.owner<{ n: string }>(
      "select count(prefilled) as n from envelope_fields where envelope_id = $1",
      [copy],
    );
    expect(filled?.n, "no value is copied").toBe("0");
    expect((await send(copy)).status).toBe(200);
    expect(await get(path(from)), "the source stays as it is").toEqual(before);
    expect(await trailOf(from)).toEqual(trail);
  });

  test("has neither the signature page that sending added nor its fields, and its steps", async () => {
    const made = await post("/partner/envelopes", envelopeBody());
    const from = made.json.data.envelope_id;
    const bytes = writePdf(onePage({ content: text("Please read and sign.", 72, 700) }));
    await key.send("POST", `${path(from)}/upload`, form({}, { bytes }));
    const recipients = [
      { kind: "signer", email: "ann@example.com", name: "Ann", role: "Buyer", step: 1 },
      { kind: "approver", email: "bo@example.com", name: "Bo", step: 1, message: "Check the price." },
      { kind: "signer", email: "cy@example.com", name: "Cy", role: "Seller", step: 2, delivery: "link" },
      { kind: "cc", email: "di@example.com", name: "Di", step: 2 },
    ];
    expect((await send(from, { recipients })).status).toBe(200);
    expect((await get(`${path(from)}/fields`)).pages).toHaveLength(2);
    const copy = (await post(`${path(from)}/duplicate`)).json.data;
    expect(copy.metadata.signing_order).toBe("steps");
    expect(copy.metadata.recipients).toMatchObject(recipients);
    const { pages, fields } = await get(`${path(copy.envelope_id)}/fields`);
    expect([pages.length, fields]).toEqual([1, []]);
    expect((await send(copy.envelope_id)).status).toBe(200);
    expect((await get(`${path(copy.envelope_id)}/fields`)).fields).toHaveLength(4);
    const again = (await post(`${path(copy.envelope_id)}/duplicate`)).json.data;
    expect((await get(`${path(again.envelope_id)}/fields`)).pages, "a copy of a copy").toHaveLength(1);
  });

  test("of a draft without a document has none; a deposited original is not copied", async () => {
    const draft = (await post("/partner/envelopes", envelopeBody({ tags: ["North"] }))).json.data.envelope_id;
    expect((await post(`${path(draft)}/duplicate`)).json.data).toMatchObject({ status: "pending", metadata: { tags: ["North"] } });
    expect((await post(`${path(draft)}/template`, { name: "x" })).headers["x-error-code"]).toBe("envelope_without_document");
    const { envelope_id } = await vaultedCopy(service, org);
    await service.database.owner("update envelopes set submission_id = null where envelope_id = $1", [envelope_id]);
    for (const act of ["duplicate", "template"]) {
      const refused = await post(`${path(envelope_id)}/${act}`, act === "template" ? { name: "x" } : {});
      expect([refused.status, refused.headers["x-error-code"]]).toEqual([409, "document_not_reusable"]);
    }
  });
});

describe("an envelope saved as a template", () => {
  test("gives its fields, roles and choices to new envelopes, and its people only if asked", async () => {
    const from = await newEnvelope(key, template_id, { message: "Please sign.", expires_in_days: 9, reminders: { every_days: 2 } });
    await send(from);
    const plain = await post(`${path(from)}/template`, { name: "Lease of flats" });
    expect(plain.status).toBe(201);
    const place = { kind: "signer", step: null, locale: null, message: null, delivery: "email" };
    expect(plain.json.data).toMatchObject({
      name: "Lease of flats",
      roles: ["Tenant", "Landlord"],
      recipients: [
        { ...place, role: "Tenant", name: null, email: null },
        { ...place, role: "Landlord", name: null, email: null },
      ],
      defaults: { message: "Please sign.", expires_in_days: 9, reminders: { every_days: 2 }, signing_order: "sequential" },
    });
    const { fields } = await get(`/partner/templates/${template_id}`);
    expect(plain.json.data.fields).toEqual(fields);
    const kept = (await post(`${path(from)}/template`, { name: "Lease of Sam", keep_people: true })).json.data;
    expect(kept.recipients).toEqual([
      { ...place, ...tenant },
      { ...place, ...landlord },
    ]);
    const made = (await post("/partner/envelopes", envelopeBody({ template_id: kept.template_id, expires_in_days: 5 }))).json.data;
    expect(made.metadata).toMatchObject({
      message: "Please sign.",
      expires_in_days: 5,
      reminders: { every_days: 2 },
      signers: [tenant, landlord],
    });
    expect((await send(made.envelope_id)).status).toBe(200);
  });
});

describe("a sent envelope", () => {
  const patch = (envelope_id: string, body: object) => key.send("PATCH", path(envelope_id), { body });
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

  test("gets another date of expiry and other reminders, each with an entry in the audit trail", async () => {
    const envelope_id = await newEnvelope(key, template_id);
    await send(envelope_id);
    const { expires_at: from } = (await get(path(envelope_id))).metadata;
    const to = inMs(100 * DAY_MS);
    const reminders = { every_days: 7, first_after_days: 10, last_days_before: 3 };
    const changed = await patch(envelope_id, { expires_at: to, reminders });
    expect([changed.status, changed.json.data.metadata]).toMatchObject([200, { expires_at: to, reminders }]);
    expect((await trailOf(envelope_id)).slice(0, 2)).toMatchObject([
      { type: "envelope.reminders_changed", data: { from: null, to: reminders } },
      { type: "envelope.expiry_changed", data: { from, to } },
    ]);
    expect((await patch(envelope_id, { reminders: null })).json.data.metadata.reminders).toBeNull();
    for (const [body, code] of [
      [{ expires_at: inMs(HOUR_MS - 60_000) }, "too_small"],
      [{ expires_at: inMs(365 * DAY_MS + 60_000) }, "too_big"],
    ] as const) {
      const refused = await patch(envelope_id, body);
      expect([refused.status, refused.json.details[0]]).toMatchObject([422, { field: "expires_at", code }]);
    }
    const mixed = await patch(envelope_id, { expires_at: to, message: "x" });
    expect([mixed.status, mixed.headers["x-error-code"]]).toEqual([409, "envelope_wrong_status"]);
    const draft = await newEnvelope(key, template_id);
    expect((await patch(draft, { expires_at: to })).status, "a draft has days, not a date").toBe(409);
    const done = await sentEnvelope(service, org, { status: "completed" });
    expect((await patch(done.envelope_id, { reminders: { every_days: 1 } })).status).toBe(409);
  });

  test("is either extended or expired, never both, when both are tried at once", async () => {
    const envelopes = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const envelope_id = await newEnvelope(key, template_id);
        await send(envelope_id);
        return envelope_id;
      }),
    );
    // Some expire while the requests are on their way, some before.
    await service.database.owner(
      "update envelopes e set expires_at = now() + n * interval '15 ms' from unnest($1::text[]) with ordinality as t (id, n) where e.envelope_id = t.id",
      [envelopes],
    );
    const outcomes = await Promise.all(
      envelopes.map(async (envelope_id) => {
        const [changed, isExpired] = await Promise.all([
          patch(envelope_id, { expires_at: inMs(DAY_MS) }),
          expireEnvelope(service.features.envelopes, org.org_id as never, envelope_id as never),
        ]);
        return { envelope_id, changed: changed.status, isExpired };
      }),
    );
    await sweepEnvelopes(service.features.envelopes);
    for (const { envelope_id, changed, isExpired } of outcomes) {
      const { status } = await get(path(envelope_id));
      const types = (await trailOf(envelope_id)).map(({ type }) => type);
      expect([changed, status]).toEqual(changed === 200 ? [200, "sent"] : [409, "expired"]);
      expect(isExpired && changed === 200, "both").toBe(false);
      expect(types.filter((type) => type === "envelope.expired" || type === "envelope.expiry_changed")).toHaveLength(1);
    }
  });
});

describe("the next reminder", () => {
  const day = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * DAY_MS);
  const envelope = { sent_at: day(0), expires_at: day(30), remind_every_days: 7, remind_first_after_days: 3, remind_last_days_before: 2 };

  test("is the first, then one every few days, then the last before the expiry, and none after that", () => {
    const all: Date[] = [];
    for (let next = nextReminder(envelope, day(0)); next !== null; next = nextReminder(envelope, next, next)) all.push(next);
    expect(all).toEqual([3, 10, 17, 24, 28].map(day));
  });

  test("comes every few days without the other choices, and never with none", () => {
    const plain = { ...envelope, remind_first_after_days: null, remind_last_days_before: null };
    expect([nextReminder(plain, day(0)), nextReminder(plain, day(7), day(7))]).toEqual([day(7), day(14)]);
    expect(nextReminder({ ...plain, remind_every_days: null }, day(0))).toBeNull();
    expect(nextReminder({ ...envelope, expires_at: day(1) }, day(0)), "a last reminder before the sending is left out").toEqual(day(3));
    expect(nextReminder(envelope, day(12)), "counted from the change, if the first is over").toEqual(day(19));
  });
});
