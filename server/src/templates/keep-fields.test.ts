import { describe, expect, test } from "vitest";
import { onePage, text } from "../../../pdf/fixtures/pages.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { form } from "../../test/form.ts";
import { testProvider } from "../../test/provider.ts";
import { testService } from "../../test/service.ts";
import { newMember } from "../../test/vaulted.ts";
import type { TemplateId } from "../shared/ids.ts";
import type { Field } from "../signing/field.ts";
import { placeFields } from "./place-fields.ts";

const provider = testProvider();
const service = testService({}, provider);

const tagged = writePdf(
  onePage({
    content: [
      text("{{Rent;role=Tenant;type=number;default=100}}", 72, 700),
      text("{{Floor;role=Tenant;type=select;options=first,second;required=true}}", 72, 650),
      text("{{Pet;role=Tenant;type=radio;options=cat,dog}}", 72, 600),
      text("{{House;role=Landlord;type=text;readonly=true;default=Mill}}", 72, 550),
      text("{{Signature;role=Tenant;type=signature}}", 72, 500),
      text("Sign here", 72, 450),
    ].join(" "),
  }),
);

/** With the fields of the tags, followed by one next to an anchor. */
async function newTemplate() {
  const org = await service.newOrg();
  const key = await org.newKey({ rate_limit_rpm: 100_000 });
  const { json } = await key.send("POST", "/partner/templates", form({ name: "Lease" }, { bytes: tagged }));
  const path = `/partner/templates/${json.data.template_id}`;
  const placement = { mode: "anchor", anchor_text: "Sign here", w: 0.3, h: 0.05 };
  await key.send("POST", `${path}/fields`, { body: { fields: [{ name: "Witness", type: "initials", role: "Landlord", placement }] } });
  const read = async (): Promise<Field[]> => (await key.send("GET", path)).json.data.fields;
  const put = (fields: readonly unknown[], query = "") => key.send("PUT", `${path}/fields${query}`, { body: { fields } });
  return {
    org,
    key,
    path,
    template_id: json.data.template_id as TemplateId,
    provider_template_id: json.data.provider_template_id,
    read,
    put,
  };
}

const area = { page: 1, x: 0.1, y: 0.2, w: 0.3, h: 0.05 };
const placed = (name = "Place") => ({ name, type: "text", role: "Tenant", placement: { mode: "absolute", areas: [area] } });
const kept = (fields: readonly Pick<Field, "name">[], position: number, more: object = {}) => ({
  keep: { position, name: fields[position]?.name },
  ...more,
});

const refusalOf = async (answer: ReturnType<Awaited<ReturnType<typeof newTemplate>>["put"]>) => {
  const { status, json } = await answer;
  return [status, json.error, json.details?.map(({ location, field, code }: Record<string, string>) => `${location} ${field} ${code}`)];
};

describe("PUT of a template's fields with kept ones", () => {
  test("leaves each as it is, whatever its type: options, lock, default, anchor and areas; the order is the request's", async () => {
    const { read, put } = await newTemplate();
    const before = await read();
    expect(before.map(({ name, type }) => `${name} ${type}`)).toEqual([
      "Rent number",
      "Floor select",
      "Pet radio",
      "House text",
      "Signature signature",
      "Witness initials",
    ]);
    const { status, json } = await put([kept(before, 5), placed(), ...[4, 3, 2, 1, 0].map((position) => kept(before, position))]);
    expect([status, json.data.fields_added]).toEqual([200, 7]);
    const names = ["Witness", "Place", "Signature", "House", "Pet", "Floor", "Rent"];
    expect(json.data.fields.map(({ name }: Field) => name)).toEqual(names);
    const after = await read();
    expect(after.filter(({ name }) => name !== "Place")).toEqual([5, 4, 3, 2, 1, 0].map((position) => before[position]));
    expect(after.map(({ name }) => name)).toEqual(names);
    expect(after[0]?.anchor_match, "an anchor field that was not moved stays one").toMatchObject({ page: 1 });
    expect(after[3]).toMatchObject({ readonly: true, default_value: "Mill" });
  });

  test("changes only the members in the request; areas turn an anchor field into an absolute one", async () => {
    const { read, put } = await newTemplate();
    const before = await read();
    const change = { name: "Rent a month", role: "Landlord", required: true, default_value: "250.50" };
    const { status } = await put([
      kept(before, 0, change),
      kept(before, 5, { areas: [area] }),
      kept(before, 1, { default_value: "second" }),
    ]);
    expect(status).toBe(200);
    const { anchor_match, ...witness } = before[5] as Field;
    expect(anchor_match).toBeDefined();
    expect(await read()).toEqual([
      { ...before[0], ...change },
      { ...witness, areas: [area] },
      { ...before[1], default_value: "second" },
    ]);
    const [rent] = await read();
    await put([kept([rent as Field], 0, { default_value: null })]);
    expect(await read()).toEqual([{ ...rent, default_value: null }]);
  });

  test("replaces all fields at the provider, as every PUT does", async () => {
    const { read, put, provider_template_id } = await newTemplate();
    const before = await read();
    await put([kept(before, 1, { name: "Storey" }), placed()]);
    const sent = provider.counterparts.get(provider_template_id)?.fields ?? [];
    expect(sent.map(({ name, type, options }) => [name, type, options])).toEqual([
      ["Storey", "select", ["first", "second"]],
      ["Place", "text", null],
    ]);
  });

  test("cuts areas to their page with a warning; one outside all pages is 422 with its place", async () => {
    const { read, put } = await newTemplate();
    const before = await read();
    const { json } = await put([placed(), kept(before, 0, { areas: [{ ...area, x: 0.9 }] })]);
    expect(json.data.fields[1].areas[0].w).toBeCloseTo(0.1);
    expect(json.data.warnings).toEqual([{ code: "area_clipped", message: expect.stringContaining("fields[1].areas[0]") }]);
    const now = await read();
    expect(await refusalOf(put([kept(now, 0, { areas: [area, { ...area, page: 2 }] })]))).toEqual([
      422,
      "Validation failed",
      ["body fields[0].areas[1].page out_of_range"],
    ]);
    expect(await read()).toEqual(now);
  });

  test("is 409 when another field is at that position, or none, and changes nothing", async () => {
    const { read, put, provider_template_id } = await newTemplate();
    const before = await read();
    const changed = [409, "The fields have changed in the meantime. Read them again"];
    expect(await refusalOf(put([placed(), { keep: { position: 1, name: "Rent" } }]))).toEqual([
      ...changed,
      ["body fields[1].keep conflict"],
    ]);
    expect(await refusalOf(put([{ keep: { position: 6, name: "Rent" } }]))).toEqual([...changed, ["body fields[0].keep conflict"]]);
    expect(await read()).toEqual(before);
    expect(provider.counterparts.get(provider_template_id)?.fields).toHaveLength(6);
  });

  test("is 409 when a field changes between reading and writing, even if its name is the same", async () => {
    const { org, read, put, template_id } = await newTemplate();
    const before = await read();
    const actor = { kind: "user", id: org.user_id } as const;
    const caller = { org: org.org_id, actor, scopes: [], session: null, ip: "127.0.0.1", user_agent: "test", request_id: "test" };
    const { templates } = service.features;
    const prepared = await placeFields.prepare(templates, caller, template_id, [kept(before, 0) as never], "replace");
    await put([kept(before, 0, { default_value: "7" })]);
    await expect(placeFields.save(templates, caller, template_id, prepared, "replace")).rejects.toMatchObject({ code: "fields_changed" });
    expect((await read()).map(({ default_value }) => default_value)).toEqual(["7"]);
  });

  test("of ten at once that keep and rename the same field, one wins, the others are 409, and the provider has the result", async () => {
    const { read, put, provider_template_id } = await newTemplate();
    const before = await read();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => put([kept(before, 0, { name: `Rent ${n}` })])));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(9);
    const names = (await read()).map(({ name }) => name);
    expect(names).toHaveLength(1);
    expect(provider.counterparts.get(provider_template_id)?.fields.map(({ name }) => name)).toEqual(names);
  });

  test("422: a field that is kept twice, a default that its type cannot hold, roles that differ only in case, an incomplete new field", async () => {
    const { read, put } = await newTemplate();
    const before = await read();
    const refused = (fields: readonly unknown[]) => refusalOf(put(fields));
    const invalid = (...details: string[]) => [422, "Validation failed", details];
    expect(await refused([kept(before, 0), kept(before, 0)])).toEqual(invalid("body fields[1].keep.position duplicate"));
    expect(await refused([kept(before, 0, { default_value: "much" }), kept(before, 1, { default_value: "third" })])).toEqual(
      invalid("body fields[0].default_value invalid_value", "body fields[1].default_value invalid_value"),
    );
    expect(await refused([kept(before, 3, { default_value: "Mill 😀" })])).toEqual(invalid("body fields[0].default_value invalid_value"));
    expect(await refused([kept(before, 4, { default_value: "Ann" })])).toEqual(invalid("body fields[0].default_value invalid_value"));
    expect(await refused([kept(before, 0), placed(), kept(before, 3, { role: "tenant" })])).toEqual(
      invalid("body fields[2].role conflict"),
    );
    expect(await refused([kept(before, 0), { ...placed(), role: "TENANT" }])).toEqual(invalid("body fields[1].role conflict"));
    expect(await refused([{ name: "Place", type: "text" }])).toEqual(
      invalid("body fields[0].role required", "body fields[0].placement required"),
    );
    expect(await refused([{ ...placed(), type: "stamp" }])).toEqual(invalid("body fields[0].type invalid_value"));
    expect(await refused([{ keep: { position: -1, name: "Rent" } }])).toEqual(invalid("body fields[0].keep.position too_small"));
    expect(await refused([{ keep: { name: "Rent" } }])).toEqual(invalid("body fields[0].keep.position required"));
    expect(await refused([kept(before, 0, { areas: [] })])).toEqual(invalid("body fields[0].areas too_small"));
    expect(await read()).toEqual(before);
  });

  test("is only for PUT: POST and a new template refuse it", async () => {
    const { key, path, read } = await newTemplate();
    const before = await read();
    for (const field of [kept(before, 0), { ...placed(), ...kept(before, 0) }]) {
      const { status, json } = await key.send("POST", `${path}/fields`, { body: { fields: [field] } });
      expect([status, json.details.map((detail: { field: string }) => detail.field)]).toEqual([
        422,
        expect.arrayContaining(["fields[0].keep"]),
      ]);
    }
    const parts = { name: "Lease", fields_json: JSON.stringify([{ ...placed(), ...kept(before, 0) }]) };
    expect((await key.send("POST", "/partner/templates", form(parts, { bytes: tagged }))).status).toBe(422);
    expect(await read()).toEqual(before);
  });

  test("403 for a viewer and a read-only key, 404 for another org", async () => {
    const { org, path, read } = await newTemplate();
    const body = { fields: [kept(await read(), 0)] };
    const viewer = await newMember(service, org, "viewer");
    const reader = await org.newKey({ scopes: ["envelopes:read"] });
    const stranger = await (await service.newOrg()).newKey();
    const statuses = [viewer.send, reader.send, stranger.send].map(async (send) => (await send("PUT", `${path}/fields`, { body })).status);
    expect(await Promise.all(statuses)).toEqual([403, 403, 404]);
    expect(await read()).toHaveLength(6);
  });
});
