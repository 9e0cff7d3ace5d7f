import { describe, expect, test } from "vitest";
import { onePage, text } from "../../../pdf/fixtures/pages.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { chainOf, statusOf } from "../../test/envelopes.ts";
import { form } from "../../test/form.ts";
import { envelopeBody, newEnvelope, newTemplate } from "../../test/lease.ts";
import { testService } from "../../test/service.ts";
import { newMember } from "../../test/vaulted.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import type { EnvelopeField } from "./document-store.ts";

const service = testService();

/** A document whose tags name no role. */
const roleless = writePdf(
  onePage({
    content: `${text("{{Rent;type=number}} {{Sig;type=signature}}", 72, 700)} ${text("Sign here", 72, 500)} ${text("Sign here", 72, 300)}`,
  }),
);
const area = { page: 1, x: 0.1, y: 0.2, w: 0.3, h: 0.05 };
const placed = (more: object = {}) => ({
  name: "Place",
  type: "text",
  role: "Tenant",
  placement: { mode: "absolute", areas: [area] },
  ...more,
});
const anchored = (more: object = {}) =>
  placed({ name: "Anchored", placement: { mode: "anchor", anchor_text: "sign here", w: 0.2, h: 0.05, ...more } });

async function newOrg() {
  const org = await service.newOrg();
  return { org, key: await org.newKey({ rate_limit_rpm: 100_000 }) };
}
type Owner = Awaited<ReturnType<typeof newOrg>>;

function at({ key }: Owner, envelope_id: string) {
  const path = `/partner/envelopes/${envelope_id}`;
  return {
    envelope_id: envelope_id as EnvelopeId,
    path,
    read: async (): Promise<EnvelopeField[]> => (await key.send("GET", `${path}/fields`)).json.data.fields,
    put: (fields: readonly unknown[], query = "") => key.send("PUT", `${path}/fields${query}`, { body: { fields } }),
  };
}

async function uploaded(owner: Owner) {
  const { customer_id } = (await owner.key.send("POST", "/partner/customers", { body: { name: "Ann", email: "ann@example.com" } })).json
    .data;
  const { json } = await owner.key.send("POST", `/partner/customers/${customer_id}/documents`, form({}, { bytes: roleless }));
  return at(owner, json.data.envelope_id);
}

const kept = (fields: readonly EnvelopeField[], position: number, more: object = {}) => ({
  keep: { position, name: fields[position]?.name },
  ...more,
});

describe("GET /partner/envelopes/:envelope_id/fields", () => {
  test("shows pages, complete fields and the roles that they name", async () => {
    const owner = await newOrg();
    const { envelope_id, path } = at(owner, await newEnvelope(owner.key, await newTemplate(owner.key)));
    const { status, json, headers } = await owner.key.send("GET", `${path}/fields`);
    expect([status, headers.etag]).toEqual([200, expect.any(String)]);
    const { fields, ...rest } = json.data;
    const pages = [{ w_pt: 612, h_pt: 792, rotate: 0, has_text: true, scan_dpi: null }];
    const documents = [{ document_id: expect.stringMatching(/^doc_/), document_no: 1, name: "Lease", pages }];
    expect(rest).toEqual({ envelope_id, roles: ["Tenant", "Landlord"], pages, documents });
    expect(fields).toHaveLength(7);
    expect(fields[4]).toEqual({
      name: "Floor",
      type: "select",
      role: "Tenant",
      required: false,
      areas: [expect.objectContaining({ page: 1 })],
      readonly: false,
      default_value: null,
      options: ["first", "second"],
      field_key: "floor",
    });
  });

  test("has neither without a document, and has no role until it is sent if no tag names one", async () => {
    const owner = await newOrg();
    const envelope_id = (await owner.key.send("POST", "/partner/envelopes", { body: envelopeBody() })).json.data.envelope_id;
    const pending = await owner.key.send("GET", `/partner/envelopes/${envelope_id}/fields`);
    expect([pending.status, pending.json.data]).toEqual([200, { envelope_id, roles: [], pages: [], documents: [], fields: [] }]);
    const { path, read } = await uploaded(owner);
    expect((await read()).map(({ role }) => role)).toEqual([null, null]);
    expect((await owner.key.send("GET", `${path}/fields`)).json.data.roles).toEqual([]);
    await owner.key.send("POST", `${path}/send`, { body: { signers: [{ email: "ann@example.com", name: "Ann", role: "Tenant" }] } });
    expect((await owner.key.send("GET", `${path}/fields`)).json.data.roles).toEqual(["Tenant"]);
  });

  test("requires access to envelopes: a viewer has it, a key for customers and another org do not", async () => {
    const owner = await newOrg();
    const { path } = await uploaded(owner);
    const viewer = await newMember(service, owner.org, "viewer");
    const elsewhere = await owner.org.newKey({ scopes: ["customers:read"] });
    const stranger = await newOrg();
    const statuses = [viewer.send, elsewhere.send, stranger.key.send].map(async (send) => (await send("GET", `${path}/fields`)).status);
    expect(await Promise.all(statuses)).toEqual([200, 403, 404]);
  });
});

describe("PUT of an envelope's fields with kept ones", () => {
  test("leaves each as it is, with the sender's value; the other fields of the request are placed around them", async () => {
    const owner = await newOrg();
    const { envelope_id, read, put } = at(
      owner,
      await newEnvelope(owner.key, await newTemplate(owner.key), { prefilled_data: { Rent: 900, Floor: "second" } }),
    );
    const before = await read();
    const { status, json } = await put([placed(), kept(before, 4), kept(before, 1, { name: "Rent a month", required: true })]);
    expect(status).toBe(200);
    expect(json.data.fields.map(({ name }: EnvelopeField) => name)).toEqual(["Place", "Floor", "Rent a month"]);
    expect((await read()).slice(1)).toEqual([before[4], { ...before[1], name: "Rent a month", required: true }]);
    const rows = await service.database.owner("select name, prefilled from envelope_fields where envelope_id = $1 order by position", [
      envelope_id,
    ]);
    expect(rows).toEqual([
      { name: "Place", prefilled: null },
      { name: "Floor", prefilled: "second" },
      { name: "Rent a month", prefilled: "900" },
    ]);
  });

  test("leaves a field without a role until the request names one", async () => {
    const { read, put } = await uploaded(await newOrg());
    const before = await read();
    const { status, json } = await put([kept(before, 1), kept(before, 0, { role: "Buyer" }), anchored({ occurrence: 2 })]);
    expect([status, json.data.fields.map(({ role }: EnvelopeField) => role)]).toEqual([200, [null, "Buyer", "Tenant"]]);
    const now = await read();
    expect(now.slice(0, 2)).toEqual([before[1], { ...before[0], role: "Buyer" }]);
    expect(now[2]?.anchor_match).toMatchObject({ page: 1 });
    await put([kept(now, 2), kept(now, 1, { areas: [area] })]);
    expect(await read()).toEqual([now[2], { ...now[1], areas: [area] }]);
  });

  test("is 409 when another field is at that position; of ten at once that rename the same one, nine are 409", async () => {
    const { envelope_id, read, put } = await uploaded(await newOrg());
    const before = await read();
    const stale = await put([{ keep: { position: 1, name: "Rent" } }]);
    expect([stale.status, stale.json]).toEqual([
      409,
      {
        error: "The fields have changed in the meantime. Read them again",
        details: [
          { location: "body", field: "fields[0].keep", code: "conflict", message: "does not match the current field at this position" },
        ],
      },
    ]);
    expect([await read(), await statusOf(service, envelope_id)]).toEqual([before, "uploaded"]);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => put([kept(before, 0, { name: `Rent ${n}` })])));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    expect(await read()).toHaveLength(1);
  });

  test("is only for PUT, and 422 with the place of each mistake", async () => {
    const owner = await newOrg();
    const { path, read, put } = await uploaded(owner);
    const before = await read();
    const added = await owner.key.send("POST", `${path}/fields`, { body: { fields: [{ ...placed(), ...kept(before, 0) }] } });
    expect([added.status, added.json.details[0].field]).toEqual([422, "fields[0].keep"]);
    const { status, json } = await put([kept(before, 0, { default_value: "much" }), kept(before, 1, { default_value: "Ann" })]);
    expect([status, json.details.map(({ field }: { field: string }) => field)]).toEqual([
      422,
      ["fields[0].default_value", "fields[1].default_value"],
    ]);
    expect(await read()).toEqual(before);
  });
});

describe("a dry run on an envelope", () => {
  test("responds as usual and shows all matches of each anchor; no move, nothing stored or recorded", async () => {
    const owner = await newOrg();
    const { envelope_id, path, read } = await uploaded(owner);
    const standing = async () => [
      await read(),
      await statusOf(service, envelope_id),
      await chainOf(service, owner.org.org_id, envelope_id),
    ];
    const before = await standing();
    for (const method of ["POST", "PUT"]) {
      const { status, json } = await owner.key.send(method, `${path}/fields?dry_run=true`, {
        body: { fields: [placed(), anchored({ occurrence: 2 })] },
      });
      expect([status, json.data.envelope_id, json.data.fields_added]).toEqual([200, envelope_id, 2]);
      expect(json.data.anchors).toEqual([{ field: 1, matches: [expect.objectContaining({ page: 1 }), json.data.fields[1].anchor_match] }]);
      expect(await standing()).toEqual(before);
    }
    const real = await owner.key.send("PUT", `${path}/fields`, { body: { fields: [placed()] } });
    expect(Object.keys(real.json.data)).toEqual(["envelope_id", "fields_added", "fields"]);
    expect(await statusOf(service, envelope_id)).toBe("preparing");
  });

  test("refuses what the real request would refuse, by state and by value; a viewer cannot use it", async () => {
    const owner = await newOrg();
    const { envelope_id, path, put } = await uploaded(owner);
    const refusal = async (fields: readonly unknown[]) => {
      const { status, json } = await put(fields, "?dry_run=true");
      return [status, json.error];
    };
    expect(await refusal([anchored({ anchor_text: "Nowhere" })])).toEqual([422, "Anchor text not found"]);
    expect(await refusal([anchored({ occurrence: 3 })])).toEqual([422, "The anchor text occurs fewer times than requested"]);
    expect(await refusal([{ keep: { position: 5, name: "Rent" } }])).toEqual([
      409,
      "The fields have changed in the meantime. Read them again",
    ]);
    const viewer = await newMember(service, owner.org, "viewer");
    expect((await viewer.send("PUT", `${path}/fields?dry_run=true`, { body: { fields: [] } })).status).toBe(403);
    const stranger = await newOrg();
    expect((await stranger.key.send("PUT", `${path}/fields?dry_run=true`, { body: { fields: [] } })).status).toBe(404);
    await service.database.owner("update envelopes set status = 'voided' where envelope_id = $1", [envelope_id]);
    expect(await refusal([placed()])).toEqual([409, "The envelope is voided, which does not allow this"]);
    const pending = (await owner.key.send("POST", "/partner/envelopes", { body: envelopeBody() })).json.data.envelope_id;
    const early = await at(owner, pending).put([placed()], "?dry_run=true");
    expect([early.status, early.json.error]).toEqual([409, "The envelope has no document yet. Upload one first"]);
  });
});
