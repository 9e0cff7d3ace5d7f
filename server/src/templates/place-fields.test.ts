import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { onePage, text } from "../../../pdf/fixtures/pages.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { form } from "../../test/form.ts";
import { testProvider } from "../../test/provider.ts";
import { refusalText } from "../../test/refused-with.ts";
import { type TestKey, testService } from "../../test/service.ts";
import { newId } from "../shared/ids.ts";

const provider = testProvider();
const service = testService({}, provider);

const anchored = (more: object = {}) => ({
  name: "Signature",
  type: "signature",
  role: "Buyer",
  placement: { mode: "anchor", anchor_text: "sign  HERE", w: 0.3, h: 0.05, ...more },
});
const absolute = (more: object = {}) => ({
  name: "Place",
  type: "text",
  role: "Buyer",
  placement: { mode: "absolute", areas: [{ page: 1, x: 0.1, y: 0.2, w: 0.3, h: 0.05 }] },
  ...more,
});

async function newTemplate(fields: readonly object[] = []): Promise<{ key: TestKey; org_id: string; template_id: string; path: string }> {
  const org = await service.newOrg();
  const key = await org.newKey();
  const parts = { name: "Lease", fields_json: JSON.stringify(fields) };
  const { json } = await key.send("POST", "/partner/templates", form(parts, { bytes: writePdf(onePage()) }));
  const { template_id } = json.data;
  return { key, org_id: org.org_id, template_id, path: `/partner/templates/${template_id}` };
}

const namesOf = (fields: readonly { name: string }[]) => fields.map((field) => field.name);

describe("placing fields on a template", () => {
  test("adds to the existing ones; the response shows what was added", async () => {
    const { key, template_id, path } = await newTemplate([absolute({ name: "First" })]);
    const { status, json } = await key.send("POST", `${path}/fields`, { body: { fields: [anchored(), absolute()] } });
    expect([status, json.data.template_id, json.data.fields_added]).toEqual([200, template_id, 2]);
    expect(Object.keys(json.data).sort()).toEqual(["fields", "fields_added", "template_id"]);
    expect(json.data.fields[0].anchor_match).toMatchObject({ page: 1 });
    expect(json.data.fields[1]).not.toHaveProperty("anchor_match");
    const whole = await key.send("GET", path);
    expect(namesOf(whole.json.data.fields)).toEqual(["First", "Signature", "Place"]);
  });

  test("PUT replaces all, even with none", async () => {
    const { key, path } = await newTemplate([absolute({ name: "First" })]);
    const replaced = await key.send("PUT", `${path}/fields`, { body: { fields: [absolute({ name: "Second", role: "buyer" })] } });
    expect([replaced.status, replaced.json.data.fields_added]).toEqual([200, 1]);
    expect(namesOf((await key.send("GET", path)).json.data.fields)).toEqual(["Second"]);
    expect((await key.send("PUT", `${path}/fields`, { body: { fields: [] } })).json.data.fields).toEqual([]);
    expect((await key.send("GET", path)).json.data.fields).toEqual([]);
  });

  test("fields placed at the same time are all kept", async () => {
    const { key, path } = await newTemplate();
    const names = Array.from({ length: 8 }, (_, index) => `Field ${index}`);
    const answers = await Promise.all(names.map((name) => key.send("POST", `${path}/fields`, { body: { fields: [absolute({ name })] } })));
    expect(answers.map((answer) => answer.status)).toEqual(names.map(() => 200));
    expect(namesOf((await key.send("GET", path)).json.data.fields).sort()).toEqual(names);
  });

  test("the same Idempotency-Key places them once", async () => {
    const { key, path } = await newTemplate();
    const send = () => key.send("POST", `${path}/fields`, { body: { fields: [anchored()] }, headers: { "idempotency-key": "once" } });
    const [first, again] = [await send(), await send()];
    expect([again.text, again.headers["idempotent-replayed"]]).toEqual([first.text, "true"]);
    expect((await key.send("GET", path)).json.data.fields).toHaveLength(1);
  });

  test("403 without the scope, 404 for a template that is missing or of another org", async () => {
    const { path } = await newTemplate();
    const other = await service.newOrg();
    const reader = await other.newKey({ scopes: ["envelopes:read"] });
    expect((await reader.send("POST", `${path}/fields`, { body: { fields: [absolute()] } })).status).toBe(403);
    const writer = await other.newKey();
    for (const where of [path, `/partner/templates/${newId("template")}`]) {
      const { status, text } = await writer.send("POST", `${where}/fields`, { body: { fields: [absolute()] } });
      expect([status, text]).toEqual([404, refusalText("Template not found", "path", "template_id")]);
    }
  });

  test("409: archived, without a document, without a counterpart at this provider", async () => {
    const { key, template_id, path } = await newTemplate();
    const refusal = async () => {
      const { status, json } = await key.send("POST", `${path}/fields`, { body: { fields: [absolute()] } });
      return [status, json.error];
    };
    const set = (what: string) => service.database.owner(`update templates set ${what} where template_id = $1`, [template_id]);
    await set("provider = 'another'");
    expect(await refusal()).toEqual([409, "The template does not exist at the signing provider. Create a new one"]);
    await set("provider = 'test', provider_template_id = null");
    expect(await refusal()).toEqual([409, "The template does not exist at the signing provider. Create a new one"]);
    await service.database.owner("update template_documents set pdf_sha256 = null where template_id = $1", [template_id]);
    expect(await refusal()).toEqual([409, "The template has no document"]);
    await key.send("DELETE", path);
    expect(await refusal()).toEqual([409, "The template is archived. Restore it first"]);
  });

  test("422: validation, an anchor that is not found, an occurrence beyond the last match", async () => {
    const { key, path } = await newTemplate();
    const refusal = async (fields: unknown) => {
      const { status, json } = await key.send("POST", `${path}/fields`, { body: { fields } });
      return [status, json.error, json.details.map(({ location, field, code }: Record<string, string>) => `${location} ${field} ${code}`)];
    };
    expect(await refusal([absolute(), anchored({ anchor_text: "Nowhere" })])).toEqual([
      422,
      "Anchor text not found",
      ["body fields[1].placement.anchor_text not_found"],
    ]);
    expect(await refusal([anchored({ occurrence: 3 })])).toEqual([
      422,
      "The anchor text occurs fewer times than requested",
      ["body fields[0].placement.occurrence out_of_range"],
    ]);
    expect(await refusal([anchored({ offset_x: 1.1 })])).toEqual([422, "Validation failed", ["body fields[0].placement.offset_x too_big"]]);
    expect(await refusal("all")).toEqual([422, "Validation failed", ["body fields invalid_type"]]);
    expect((await key.send("GET", path)).json.data.fields).toEqual([]);
  });

  test("422: a role that differs from an existing one only in case, and more than 2,000 fields in total", async () => {
    const { key, path } = await newTemplate([absolute()]);
    const roles = await key.send("POST", `${path}/fields`, { body: { fields: [absolute({ role: "BUYER" })] } });
    expect([roles.status, roles.json.details[0].code]).toEqual([422, "conflict"]);
    const many = await key.send("POST", `${path}/fields`, { body: { fields: Array.from({ length: 2_000 }, () => absolute()) } });
    expect([many.status, many.json.details[0].code]).toEqual([422, "too_long"]);
  });

  test("502: the template's PDF cannot be read, or the provider rejects the change", async () => {
    const { key, org_id, path } = await newTemplate();
    provider.failing = { kind: "rejected", reason: "no" };
    const rejected = await key.send("POST", `${path}/fields`, { body: { fields: [absolute()] } });
    provider.failing = null;
    expect([rejected.status, rejected.json.error]).toEqual([502, "The signing provider rejected the request"]);
    rmSync(join(service.config.dataDir, "blobs", org_id), { recursive: true, force: true });
    const gone = await key.send("POST", `${path}/fields`, { body: { fields: [anchored()] } });
    expect([gone.status, gone.json.error]).toEqual([502, "The template's PDF could not be fetched"]);
    expect((await key.send("GET", path)).json.data.fields).toEqual([]);
  });

  test("fields that were placed at the provider but not recorded are removed there", async () => {
    const { key, path } = await newTemplate([absolute({ name: "First" })]);
    const { provider_template_id } = (await key.send("GET", path)).json.data;
    await service.database.owner("alter table template_fields add constraint refused check (name <> 'Refused')");
    const { status } = await key.send("POST", `${path}/fields`, { body: { fields: [absolute({ name: "Refused" })] } });
    expect(status).toBe(500);
    expect(namesOf(provider.counterparts.get(provider_template_id)?.fields ?? [])).toEqual(["First"]);
  });
});

describe("a dry run", () => {
  const thrice = writePdf(onePage({ content: [700, 500, 300].map((y) => text("Sign here", 72, y)).join(" ") }));
  const threeSigns = async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const parts = { name: "Lease", fields_json: JSON.stringify([absolute({ name: "First" })]) };
    const { json } = await key.send("POST", "/partner/templates", form(parts, { bytes: thrice }));
    const { template_id, provider_template_id } = json.data;
    const path = `/partner/templates/${template_id}`;
    return { org, key, template_id, provider_template_id, path };
  };

  test("responds as usual and shows all matches of each anchor; nothing is stored, recorded or sent to the provider", async () => {
    const { org, key, path, provider_template_id } = await threeSigns();
    const entries = () =>
      service.database.owner("select seq, type from audit_entries where org_id = $1 order by subject, seq", [org.org_id]);
    const before = [(await key.send("GET", path)).text, await entries(), provider.counterparts.get(provider_template_id)?.fields];
    const fields = [absolute(), anchored({ occurrence: 2 }), anchored({ page: 1, offset_y: 0.1 })];
    for (const method of ["POST", "PUT"]) {
      const { status, json } = await key.send(method, `${path}/fields?dry_run=true`, { body: { fields } });
      expect([status, json.data.fields_added, namesOf(json.data.fields)]).toEqual([200, 3, ["Place", "Signature", "Signature"]]);
      const [second, first] = [json.data.fields[1].anchor_match, json.data.fields[2].anchor_match];
      expect(json.data.anchors.map(({ field }: { field: number }) => field)).toEqual([1, 2]);
      const { matches } = json.data.anchors[0];
      expect(matches).toHaveLength(3);
      expect(matches.slice(0, 2), "the nth match is occurrence n").toEqual([first, second]);
      expect(json.data.anchors[1].matches).toEqual(matches);
      expect([(await key.send("GET", path)).text, await entries(), provider.counterparts.get(provider_template_id)?.fields]).toEqual(
        before,
      );
    }
    const real = await key.send("POST", `${path}/fields?dry_run=false`, { body: { fields } });
    expect(real.json.data).not.toHaveProperty("anchors");
    expect((await key.send("GET", path)).json.data.fields).toHaveLength(4);
  });

  test("without anchors has an empty list of them, and works while the provider is unavailable", async () => {
    const { key, path } = await threeSigns();
    provider.failing = { kind: "unreachable", reason: "away" };
    const { status, json } = await key.send("POST", `${path}/fields?dry_run=true`, { body: { fields: [absolute()] } });
    provider.failing = null;
    expect([status, json.data.anchors]).toEqual([200, []]);
  });

  test("shows as many matches as the engine looks for at once", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const lines = Array.from({ length: 40 }, (_, n) => text(Array.from({ length: 20 }, () => "x").join(" "), 72, 760 - n * 18));
    const { json } = await key.send(
      "POST",
      "/partner/templates",
      form({ name: "Many" }, { bytes: writePdf(onePage({ content: lines.join(" ") })) }),
    );
    const path = `/partner/templates/${json.data.template_id}/fields?dry_run=true`;
    const counts = async (fields: readonly object[]) =>
      (await key.send("POST", path, { body: { fields } })).json.data.anchors.map(({ matches }: { matches: unknown[] }) => matches.length);
    expect(await counts([anchored({ anchor_text: "x" })])).toEqual([500]);
    expect(await counts([anchored({ anchor_text: "x", occurrence: 800 }), anchored({ anchor_text: "x" })])).toEqual([250, 250]);
  });

  test("refuses what the real request would refuse: mistakes, anchors that are not found, a state that does not allow it", async () => {
    const { key, template_id, path } = await threeSigns();
    const refusal = async (fields: readonly object[], query = "?dry_run=true") => {
      const { status, json } = await key.send("PUT", `${path}/fields${query}`, { body: { fields } });
      return [status, json.error];
    };
    expect(await refusal([anchored({ anchor_text: "Nowhere" })])).toEqual([422, "Anchor text not found"]);
    expect(await refusal([anchored({ occurrence: 4 })])).toEqual([422, "The anchor text occurs fewer times than requested"]);
    expect(await refusal([anchored({ page: 2 })])).toEqual([422, "The document has no such page"]);
    expect(await refusal([anchored({ offset_x: -1 })])).toEqual([422, "The area is outside the page"]);
    expect(await refusal([absolute({ default_value: 5 })])).toEqual([422, "Validation failed"]);
    expect(await refusal([{ keep: { position: 3, name: "First" } }])).toEqual([
      409,
      "The fields have changed in the meantime. Read them again",
    ]);
    expect(await refusal([absolute()], "?dry_run=maybe")).toEqual([422, "Validation failed"]);
    await service.database.owner("update templates set provider = 'another' where template_id = $1", [template_id]);
    expect((await refusal([absolute()]))[0]).toBe(409);
    await key.send("DELETE", path);
    expect(await refusal([absolute()])).toEqual([409, "The template is archived. Restore it first"]);
  });
});

describe("templates", () => {
  test("are listed newest first, can be filtered by the caller's own reference, and are not listed once archived", async () => {
    const { key, template_id } = await newTemplate([absolute(), absolute({ role: "Seller" }), absolute({ role: "Agent" })]);
    const parts = { name: "Second", external_id: "ref-2" };
    const second = await key.send("POST", "/partner/templates", form(parts, { bytes: writePdf(onePage()) }));
    const listed = await key.send("GET", "/partner/templates");
    expect(listed.json.meta).toEqual({ page: 1, limit: 50, total: 2 });
    expect(namesOf(listed.json.data)).toEqual(["Second", "Lease"]);
    expect(listed.json.data[1]).toMatchObject({ field_count: 3, roles: ["Buyer", "Seller", "Agent"], page_count: 1 });
    const found = await key.send("GET", "/partner/templates?external_id=ref-2");
    expect([found.json.meta.total, found.json.data[0].template_id]).toEqual([1, second.json.data.template_id]);
    await key.send("DELETE", `/partner/templates/${template_id}`);
    expect(namesOf((await key.send("GET", "/partner/templates")).json.data)).toEqual(["Second"]);
  });

  test("are archived once, and can still be read", async () => {
    const { key, template_id, path } = await newTemplate();
    const [first, again] = [await key.send("DELETE", path), await key.send("DELETE", path)];
    expect(first.json.data).toEqual({ template_id, status: "archived", archived_at: expect.any(String) });
    expect(again.text).toBe(first.text);
    expect((await key.send("GET", path)).json.data.archived_at).toBe(first.json.data.archived_at);
  });
});
