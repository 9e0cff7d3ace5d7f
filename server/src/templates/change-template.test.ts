import { beforeAll, describe, expect, test } from "vitest";
import { envelopeBody, landlord, newTemplate } from "../../test/lease.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";

const service = testService();
let org: TestOrg;
let key: TestKey;
beforeAll(async () => {
  org = await service.newOrg();
  key = await org.newKey({ rate_limit_rpm: 100_000 });
});

const at = (template_id: string) => `/partner/templates/${template_id}`;
const get = (template_id: string) => key.send("GET", at(template_id));
const change = (template_id: string, body: object, headers: Record<string, string> = {}) =>
  key.send("PATCH", at(template_id), { body, headers });
const roles = [
  { kind: "signer", role: "Tenant", step: 1 },
  { kind: "approver", email: "bo@example.com", name: "Bo", step: 1 },
  { kind: "signer", ...landlord, step: 2, message: "Last one" },
  { kind: "cc", email: "cy@example.com", name: "Cy" },
];

describe("a template", () => {
  test("gets another name, people, defaults and tags, and gives them to new envelopes", async () => {
    const template_id = await newTemplate(key);
    const defaults = { message: "Please sign.", expires_in_days: 7, auto_vault_enabled: true };
    const { status, json } = await change(template_id, { name: "Lease 2", roles, defaults, tags: ["Flats", "flats", "North"] });
    const place = { role: null, step: null, name: null, email: null, locale: null, message: null, delivery: "email" };
    expect([status, json.data]).toMatchObject([
      200,
      { name: "Lease 2", revision: 2, recipients: roles.map((role) => ({ ...place, ...role })), defaults, tags: ["Flats", "North"] },
    ]);
    expect((await get(template_id)).json.data).toEqual(json.data);
    const made = (await key.send("POST", "/partner/envelopes", { body: envelopeBody({ template_id }) })).json.data;
    expect(made.metadata).toMatchObject({ message: "Please sign.", expires_in_days: 7, auto_vault_enabled: true, signing_order: "steps" });
    const people = made.metadata.recipients.map(({ kind, email, step }: Record<string, unknown>) => [kind, email, step]);
    expect(people, "the customer takes the one open place").toEqual([
      ["signer", "ann@example.com", 1],
      ["approver", "bo@example.com", 1],
      ["signer", "sam@example.com", 2],
      ["cc", "cy@example.com", null],
    ]);
    const own = { template_id, message: null, auto_vault_enabled: false, signers: [landlord] };
    const other = (await key.send("POST", "/partner/envelopes", { body: envelopeBody(own) })).json.data;
    expect(other.metadata, "a request decides").toMatchObject({ message: null, auto_vault_enabled: false, signers: [landlord] });
  });

  test("is not changed by a request that was made for an earlier state", async () => {
    const template_id = await newTemplate(key);
    const { headers } = await get(template_id);
    const match = { "if-match": String(headers.etag) };
    expect((await change(template_id, { name: "First" }, match)).status).toBe(200);
    const late = await change(template_id, { name: "Second" }, match);
    expect([late.status, late.headers["x-error-code"]]).toEqual([412, "precondition_failed"]);
    expect((await get(template_id)).json.data).toMatchObject({ name: "First", revision: 2 });
    expect((await change(template_id, { name: "Third" })).status, "without If-Match the last request wins").toBe(200);
  });

  test.each([
    ["an unknown role", [{ kind: "signer", role: "Guest" }], "roles[0].role", "unknown_role"],
    ["a signer without a role", [{ kind: "signer" }], "roles[0].role", "required"],
    ["a viewer with one", [{ kind: "viewer", role: "Tenant" }], "roles[0].role", "conflict"],
    ["a name without an address", [{ kind: "cc", name: "Cy" }], "roles[0].email", "required"],
    ["one role twice", [roles[0], { ...roles[0], role: "tenant" }], "roles[1].role", "duplicate"],
    ["one step of two", [roles[0], { kind: "signer", role: "Landlord" }], "roles[1].step", "step_missing"],
  ])("refuses %s", async (_name, given, field, code) => {
    const template_id = await newTemplate(key);
    const { status, json } = await change(template_id, { name: "Other", roles: given });
    expect([status, json.details[0]]).toMatchObject([422, { location: "body", field, code }]);
    expect((await get(template_id)).json.data).toMatchObject({ name: "Lease", revision: 1 });
  });

  test("is found by its tag, archived and restored", async () => {
    const own = await service.newOrg();
    const mine = await own.newKey();
    const [first, second] = [await newTemplate(mine), await newTemplate(mine)];
    const listed = async (query: string) =>
      (await mine.send("GET", `/partner/templates?${query}`)).json.data.map(({ template_id }: { template_id: string }) => template_id);
    await mine.send("PATCH", at(first), { body: { tags: ["Flats"] } });
    expect([await listed("tag=FLATS"), await listed("tag=none"), await listed("")]).toEqual([[first], [], [second, first]]);
    await mine.send("DELETE", at(first));
    expect([await listed(""), await listed("archived=only"), await listed("archived=only&tag=flats")]).toEqual([
      [second],
      [first],
      [first],
    ]);
    for (const [method, path] of [
      ["PATCH", at(first)],
      ["POST", `${at(first)}/copy`],
    ] as const) {
      const refused = await mine.send(method, path, { body: { name: "x" } });
      expect([refused.status, refused.headers["x-error-code"]]).toEqual([409, "template_archived"]);
    }
    for (let times = 0; times < 2; times++) {
      const restored = await mine.send("POST", `${at(first)}/restore`);
      expect([restored.status, restored.json.data.archived_at]).toEqual([200, null]);
    }
    expect(await listed("")).toEqual([second, first]);
    const trail = await own.admin("GET", "/org/audit-trail");
    const types = trail.json.data.map(({ type }: { type: string }) => type);
    expect(
      types.filter((type: string) => type === "template.restored"),
      "once",
    ).toHaveLength(1);
  });

  test("is copied with everything but its external id, and the copy is on its own", async () => {
    const template_id = await newTemplate(key);
    const source = (await change(template_id, { roles, defaults: { expires_in_days: 3 }, tags: ["North"] })).json.data;
    const { status, json } = await key.send("POST", `${at(template_id)}/copy`, { body: {} });
    const { template_id: copy_id, name, revision, provider_template_id, created_at, updated_at, documents, ...rest } = json.data;
    expect([status, name, revision]).toEqual([201, "Lease (copy)", 1]);
    expect(documents).toMatchObject([{ document_no: 1, name: "Lease (copy)", pages: source.documents[0].pages }]);
    expect({ ...source, ...rest, external_id: null }).toEqual(source);
    await change(copy_id, { name: "Mine", tags: [] });
    expect((await get(template_id)).json.data).toEqual(source);
    const made = await key.send("POST", "/partner/envelopes", { body: envelopeBody({ template_id: copy_id }) });
    expect(made.status).toBe(201);
  });
});

describe("a template that is used", () => {
  test("counts its envelopes, drafts, forms and bulk sends, which lists show by its id", async () => {
    const own = await service.newOrg();
    const ownKey = await own.newKey();
    const [template_id, unused] = [await newTemplate(ownKey), await newTemplate(ownKey)];
    const draft = () => ownKey.send("POST", "/partner/envelopes", { body: envelopeBody({ template_id }) });
    const [one, two] = [(await draft()).json.data.envelope_id, (await draft()).json.data.envelope_id];
    await ownKey.send("DELETE", `/partner/envelopes/${one}`);
    await ownKey.send("DELETE", `/partner/envelopes/${(await draft()).json.data.envelope_id}`);
    await service.database.owner("update envelopes set status = 'expired', discarded_at = null where envelope_id = $1", [one]);
    await service.database.owner(
      "insert into public_forms (org_id, form_id, slug, template_id, name, settings, created_by) values ($1, 'frm_x', 'x', $2, 'x', '{}', 'x')",
      [own.org_id, template_id],
    );
    await service.database.owner(
      "insert into bulk_batches (org_id, batch_id, template_id, name, state, options, file_sha256, created_by) values ($1, 'bat_x', $2, 'x', 'ended', '{}', '', '{}')",
      [own.org_id, template_id],
    );
    const usage = async (id: string, send = ownKey.send) => (await send("GET", `${at(id)}/usage`)).json;
    expect(await usage(template_id)).toEqual({ data: { template_id, envelopes: 2, drafts: 1, forms: 1, bulk_batches: 1 } });
    expect(await usage(unused)).toEqual({ data: { template_id: unused, envelopes: 0, drafts: 0, forms: 0, bulk_batches: 0 } });
    expect((await key.send("GET", `${at(template_id)}/usage`)).status).toBe(404);
    const listed = (await ownKey.send("GET", `/partner/envelopes?template_id=${template_id}&stage=draft`)).json.data;
    expect(listed.map(({ envelope_id }: { envelope_id: string }) => envelope_id)).toEqual([two]);
  });

  test("is found by text in its name or external id, also among archived ones", async () => {
    const own = await service.newOrg();
    const ownKey = await own.newKey();
    const [a, b] = [await newTemplate(ownKey), await newTemplate(ownKey)];
    await ownKey.send("PATCH", at(a), { body: { name: "Lease for Flats" } });
    await ownKey.send("PATCH", at(b), { body: { name: "100% offer" } });
    await service.database.owner("update templates set external_id = 'HR-7' where template_id = $1", [b]);
    const found = async (query: string) =>
      (await ownKey.send("GET", `/partner/templates?${query}`)).json.data.map((one: { template_id: string }) => one.template_id);
    expect(await found("q=FLATS")).toEqual([a]);
    expect(await found("q=hr-7")).toEqual([b]);
    expect(await found("q=0%25")).toEqual([b]);
    expect(await found("q=nothing")).toEqual([]);
    await ownKey.send("DELETE", at(a));
    expect([await found("q=flats"), await found("q=flats&archived=only")]).toEqual([[], [a]]);
  });
});
