import type { TObject } from "typebox";
import { beforeAll, describe, expect, test } from "vitest";
import { onePage } from "../../pdf/fixtures/pages.ts";
import { writePdf } from "../../pdf/fixtures/writer.ts";
import type { Endpoint, WidgetAccess } from "../src/http/endpoint.ts";
import { validator } from "../src/http/validate.ts";
import { pageQuery } from "../src/http/wire-shapes.ts";
import { declaredEndpoints } from "../src/main.ts";
import { newId } from "../src/shared/ids.ts";
import { type Detail, Problem } from "../src/shared/problems.ts";
import { newSlug } from "../src/shared/slugs.ts";
import type { Answer, Request, Send } from "./client.ts";
import { page, sentEnvelope, type TestEnvelope, tokenFor } from "./envelopes.ts";
import { form } from "./form.ts";
import { newPersonSession } from "./people.ts";
import { newSandbox } from "./sandboxes.ts";
import { type TestKey, type TestOrg, testService } from "./service.ts";

/** Sends an unknown parameter or field to every operation. Generated from the declarations, so new operations are covered automatically. */

const service = testService();
const declared = declaredEndpoints();

/** Part of unknown names and values. The whole database is searched for it afterwards. */
const MARKER = "zqx_unheard_of";
const PDF = writePdf(onePage());

interface Shape {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: unknown;
  readonly anyOf?: readonly Shape[];
}

/** An object with listed fields, at any depth of a schema. */
interface Place {
  readonly field: string;
  readonly names: readonly string[];
  /** a complete value with only these fields at this place */
  readonly put: (fields: Readonly<Record<string, unknown>>) => unknown;
}

const isObjectType = ({ type }: Shape): boolean => [type].flat().includes("object");

function placesOf(schema: Shape, field: string, put: (value: unknown) => unknown): Place[] {
  const isListed = isObjectType(schema) && schema.additionalProperties === undefined;
  const literals = literalsOf(schema);
  const here = isListed
    ? [{ field, names: Object.keys(schema.properties ?? {}), put: (fields: object) => put({ ...literals, ...fields }) }]
    : [];
  const inside = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
    placesOf(inner, field === "" ? name : `${field}.${name}`, (value) => put({ ...literals, [name]: value })),
  );
  const items = schema.items === undefined ? [] : placesOf(schema.items, `${field}[0]`, (value) => put([value]));
  return [...here, ...inside, ...items, ...(schema.anyOf ?? []).flatMap((branch) => placesOf(branch, field, put))];
}

const literalsOf = ({ properties = {} }: Shape) =>
  Object.fromEntries(Object.entries(properties).flatMap(([key, inner]) => (inner.const === undefined ? [] : [[key, inner.const]])));

const within = (field: string, name: string) => (field === "" ? name : `${field}.${name}`);
const idFor = (kind: string) =>
  kind === "slug" ? newSlug() : kind === "number" ? "1" : kind === "tag" ? "tag" : newId(kind as Parameters<typeof newId>[0]);

/** A key, and records for its forms. */
interface Office {
  readonly send: Send;
  readonly ids: Readonly<Record<string, string>>;
}

async function officeOf({ admin }: TestOrg, { send }: TestKey): Promise<Office> {
  const customer = await admin("POST", "/partner/customers", { body: { name: "Ann" } });
  const draft = { envelope_name: "Lease", customer_email: "ann@example.com", customer_name: "Ann" };
  const envelope = await admin("POST", "/partner/envelopes", { body: draft });
  const template = await admin("POST", "/partner/templates", form({ name: "Lease" }, { bytes: PDF }));
  const { template_id } = template.json.data;
  return { send, ids: { customer_id: customer.json.data.customer_id, envelope_id: envelope.json.data.envelope_id, template_id } };
}

let org: TestOrg;
let key: TestKey;
let office: Office;
/** of a sandbox, where operations for tests exist */
let tester: Pick<TestKey, "send">;
let lenientTester: Pick<TestKey, "send">;
let widgets: Record<WidgetAccess["widget"], { envelope_id: string; send: Send }>;
beforeAll(async () => {
  org = await service.newOrg();
  key = await org.newKey({ rate_limit_rpm: 100_000 });
  const signing = await sentEnvelope(service, org);
  const vaulted = await sentEnvelope(service, org, { status: "vaulted", vault_file_path: "x" });
  const holder = async ({ envelope_id }: TestEnvelope, widget: WidgetAccess["widget"]) => ({
    envelope_id,
    send: page(service, await tokenFor(org, envelope_id, "ann@example.com", widget)),
  });
  widgets = { sign: await holder(signing, "sign"), vault: await holder(vaulted, "vault") };
  office = await officeOf(org, key);
  const sandbox = await newSandbox(service, await service.newOrg());
  tester = await sandbox.newKey({ rate_limit_rpm: 100_000 });
  const old = await sandbox.newKey({ rate_limit_rpm: 100_000 });
  await lenient(old.key_id, sandbox);
  lenientTester = old;
});

/** As an authorized caller with unknown ids. Forms need an existing record. */
async function ask(endpoint: Endpoint, request: Request = {}, query = "", by = office): Promise<Answer> {
  const { access } = endpoint;
  const person = access !== "anyone" && "person" in access ? await newPersonSession(service) : null;
  const widget = access !== "anyone" && "widget" in access ? widgets[access.widget] : null;
  const given = { ...(endpoint.form !== null && by.ids), ...(widget !== null && { envelope_id: widget.envelope_id }) };
  const path = endpoint.path.replace(
    /:(\w+)/g,
    (_, name: string) => given[name as keyof typeof given] ?? idFor(endpoint.params[name] ?? ""),
  );
  const isForPeople =
    access !== "anyone" && ("permission" in access || "session" in access || ("anyScope" in access && access.sessionOnly === true));
  const session = isForPeople ? org.admin : endpoint.testOnly ? (by === office ? tester : lenientTester).send : null;
  const send = widget?.send ?? person ?? session ?? (access === "anyone" ? service.send : by.send);
  return send(endpoint.method, path + query, request);
}

const named = (endpoints: readonly Endpoint[]) => endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);
const unknown = (location: string, field: string, message: unknown): unknown =>
  expect.arrayContaining([{ location, field, code: "unknown_field", message }]);

/** A complete form of an operation, or a JSON body. */
function bodyOf(endpoint: Endpoint, value: Readonly<Record<string, unknown>>): Request {
  if (endpoint.form === null) return { body: value };
  const texts = Object.entries(value).map(([name, part]) => [name, typeof part === "string" ? part : JSON.stringify(part)]);
  const bytes = endpoint.form === "arriving" ? Buffer.from("client_id,name\nC-1,Ann\n") : PDF;
  return form({ ...(endpoint.form === "arriving" ? {} : requiredParts(endpoint.form.parts)), ...Object.fromEntries(texts) }, { bytes });
}

const requiredParts = ({ required }: TObject): Record<string, string> => Object.fromEntries((required ?? []).map((name) => [name, "x"]));

const queryOf = (endpoint: Endpoint) => (endpoint.list === null ? endpoint.query : pageQuery(endpoint.query));
const schemaOf = ({ form: parts, body }: Endpoint): Shape =>
  ((parts === "arriving" ? undefined : (parts?.parts ?? body)) ?? { type: "object", properties: {} }) as Shape;
const locationOf = ({ form: parts }: Endpoint) => (parts === null ? "body" : "form");

describe("an unknown query parameter", () => {
  test.each(named(declared))("%s returns 422 and names it", async (_name, endpoint) => {
    const { status, headers, json } = await ask(endpoint, endpoint.form === null ? {} : bodyOf(endpoint, {}), `?${MARKER}=1`);
    expect([status, headers["x-error-code"]]).toEqual([422, "invalid_request"]);
    expect(json.details).toEqual(unknown("query", MARKER, "is not a parameter of this operation"));
  });

  const asking = declared.filter((endpoint) => Object.keys(queryOf(endpoint)?.properties ?? {}).length > 0);
  test.each(named(asking))("%s suggests the intended one", async (_name, endpoint) => {
    for (const name of Object.keys(queryOf(endpoint)?.properties ?? {})) {
      const { status, json } = await ask(endpoint, {}, `?${name}z=1`);
      expect([status, json.details]).toEqual([422, unknown("query", `${name}z`, expect.stringMatching(/operation\. Did you mean \w+\?$/))]);
    }
  });

  test("is refused even for a lenient key, because an ignored filter would show another customer's envelopes", async () => {
    const { send, key_id } = await org.newKey();
    await lenient(key_id);
    expect((await send("GET", "/partner/envelopes?customerId=1")).json.details).toEqual([
      {
        location: "query",
        field: "customerId",
        code: "unknown_field",
        message: "is not a parameter of this operation. Did you mean customer_id?",
      },
    ]);
  });
});

const lenient = (key_id: string, { admin } = org) => admin("PATCH", `/partners/keys/${key_id}`, { body: { lenient_fields: true } });

async function lenientOffice(): Promise<Office> {
  const another = await service.newOrg();
  const old = await another.newKey();
  await lenient(old.key_id, another);
  return officeOf(another, old);
}

const writing = declared.filter(({ method }) => method !== "GET");

describe("an unknown field", () => {
  test.each(named(writing))("%s returns 422 at every depth of its body or form, and names it", async (_name, endpoint) => {
    const places = placesOf(schemaOf(endpoint), "", (value) => value);
    expect(places.length).toBeGreaterThan(0);
    for (const { field, put } of places) {
      const value = put({ [MARKER]: MARKER }) as Record<string, unknown>;
      const { status, json } = await ask(endpoint, bodyOf(endpoint, value), requiredQuery(endpoint));
      expect([field, status, json.details]).toEqual([
        field,
        422,
        unknown(locationOf(endpoint), within(field, MARKER), expect.stringMatching(/^is not a (known field|part of this form)$/)),
      ]);
    }
  });

  const known = writing.filter((endpoint) => Object.keys(schemaOf(endpoint).properties ?? {}).length > 0);
  test.each(named(known))("%s suggests the intended one, at every depth", async (_name, endpoint) => {
    for (const { field, names, put } of placesOf(schemaOf(endpoint), "", (value) => value)) {
      const [meant = expect.fail("no names")] = names.filter((name) => !(name in (put({}) as object)));
      const value = put({ [`${meant}z`]: MARKER }) as Record<string, unknown>;
      const { status, json } = await ask(endpoint, bodyOf(endpoint, value), requiredQuery(endpoint));
      expect([status, json.details]).toEqual([
        422,
        unknown(locationOf(endpoint), within(field, `${meant}z`), expect.stringMatching(/\. Did you mean \w+\?$/)),
      ]);
    }
  });

  test("next to a file, the payload is checked like a body, and the parts like those of a form", async () => {
    const attached = declared.filter((endpoint) => endpoint.attached !== null);
    expect(attached.map(({ name }) => name)).toEqual(["vault_in_upload"]);
    for (const endpoint of attached) {
      const file = { bytes: PDF, part: endpoint.attached ?? "" };
      const inside = await ask(endpoint, form({ payload: JSON.stringify({ certification: { [MARKER]: 1 } }) }, file));
      expect([inside.status, inside.json.details]).toEqual([422, unknown("body", `certification.${MARKER}`, "is not a known field")]);
      const beside = await ask(endpoint, form({ payload: "{}", payloads: "{}" }, file));
      expect([beside.status, beside.json.details]).toEqual([
        422,
        unknown("form", "payloads", "is not a part of this form. Did you mean payload?"),
      ]);
    }
  });

  test("that is a file with another name is refused, and so is a text part sent as a file", async () => {
    const fields = { bytes: Buffer.from("[]"), name: "fields.json", part: "fields_json" };
    const { status, json } = await key.send(
      "POST",
      "/partner/templates",
      form({ name: "Lease" }, { bytes: PDF }, { bytes: PDF, part: "fiel" }, fields),
    );
    expect([status, json.details]).toEqual([
      422,
      [
        { location: "form", field: "fiel", code: "unknown_field", message: "is not a part of this form. Did you mean file?" },
        { location: "form", field: "fields_json", code: "invalid_type", message: "must be a text part (without a file name)" },
      ],
    ]);
  });

  test("is refused in an otherwise valid body, and nothing is stored", async () => {
    const before = (await key.send("GET", "/partner/envelopes")).json.meta.total;
    const body = { envelope_name: "Lease", customer_email: "new@example.com", customer_name: "New", [MARKER]: MARKER };
    expect((await key.send("POST", "/partner/envelopes", { body })).status).toBe(422);
    expect((await key.send("GET", "/partner/envelopes")).json.meta.total).toBe(before);
    expect((await key.send("GET", "/partner/customers?email=new@example.com")).status).toBe(404);
  });

  test("can have any name in an object with the caller's own data", async () => {
    const body = { envelope_name: "Lease", customer_email: "ann@example.com", customer_name: "Ann", metadata: { colour: { deep: "red" } } };
    const { status, headers } = await key.send("POST", "/partner/envelopes", { body });
    expect([status, headers["x-ignored-fields"]]).toEqual([201, undefined]);
    const webhook = { url: "https://example.com", any: { thing: 1 } };
    expect((await org.admin("PATCH", `/partners/keys/${key.key_id}`, { body: { webhook } })).json.data.webhook).toEqual(webhook);
  });

  test("with a very long name is shortened in the response and gets no suggestion", async () => {
    const long = "n".repeat(50_000);
    const { status, json } = await org.admin("POST", "/partners/keys", {
      raw: `{"partner_name":"A","scopes":["envelopes:read"],"${long}":1,"__proto__":{"partner_name":"B"},"constructor":1}`,
      headers: { "content-type": "application/json" },
    });
    expect([status, json.details.map(({ field }: Detail) => field)]).toEqual([422, [`${"n".repeat(100)}…`, "__proto__", "constructor"]]);
  });
});

/** Required parameters, so that mistakes in the body are not hidden by missing ones. */
const requiredQuery = ({ query }: Endpoint): string =>
  (query?.required ?? []).length === 0 ? "" : `?${(query?.required ?? []).map((name: string) => `${name}=1`).join("&")}`;

/** The value with an unknown field in each of its objects with listed fields. */
function withUnknown(schema: Shape, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withUnknown(schema.items ?? {}, item));
  if (typeof value !== "object" || value === null) return value;
  const shape = branchFor(schema, value as Record<string, unknown>);
  const inside = Object.entries(value).map(([name, inner]) => [name, withUnknown(shape.properties?.[name] ?? {}, inner)]);
  const isListed = isObjectType(shape) && shape.additionalProperties === undefined;
  return { ...Object.fromEntries(inside), ...(isListed && { [MARKER]: { [MARKER]: MARKER } }) };
}

function branchFor(schema: Shape, value: Readonly<Record<string, unknown>>): Shape {
  const branches = (schema.anyOf ?? [schema]).filter(isObjectType);
  return branches.find((branch) => Object.entries(literalsOf(branch)).every(([name, literal]) => value[name] === literal)) ?? {};
}

describe("for a key that ignores unknown fields", () => {
  let old: TestKey;
  beforeAll(async () => {
    old = await org.newKey({ rate_limit_rpm: 100_000 });
    await lenient(old.key_id);
  });

  const exampled = writing.filter(
    ({ access, examples, form: parts }) =>
      access !== "anyone" && "anyScope" in access && access.sessionOnly !== true && examples.request !== undefined && parts !== "arriving",
  );

  test.each(named(exampled))("%s responds as if they were not there, and lists them in a header", async (_name, endpoint) => {
    const example = endpoint.examples.request as Record<string, unknown>;
    const parts = Object.keys(schemaOf(endpoint).properties ?? {});
    const value = Object.fromEntries(Object.entries(example).filter(([name]) => parts.includes(name)));
    const plain = await ask(endpoint, bodyOf(endpoint, value), "", await lenientOffice());
    const odd = await ask(endpoint, bodyOf(endpoint, withUnknown(schemaOf(endpoint), value) as typeof value), "", await lenientOffice());
    expect([odd.status, shapeOf(odd.json)]).toEqual([plain.status, shapeOf(plain.json)]);
    expect(plain.headers["x-ignored-fields"]).toBeUndefined();
    expect(odd.headers["x-ignored-fields"]?.split(", ")).toContain(MARKER);
  });

  test("none of them is stored anywhere", async () => {
    const tables = await service.database.owner<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
    );
    expect(tables.length).toBeGreaterThan(40);
    for (const { name } of tables) {
      const found = await service.database.owner(`select 1 from ${name} as t where t::text like '%${MARKER}%' limit 1`);
      expect([name, found]).toEqual([name, []]);
    }
  });

  test("other mistakes are reported, but unknown fields are not", async () => {
    const { status, headers, json } = await old.send("POST", "/partner/customers", { body: { email: "nobody", nmae: "Ann" } });
    expect([status, json.details.map(({ field }: Detail) => field)]).toEqual([422, ["email"]]);
    expect(headers["x-ignored-fields"]).toBeUndefined();
  });

  test("a name cannot inject a header, and the header has at most twenty names and a thousand characters", async () => {
    const body = Object.fromEntries([["name", "Ann"], ["a\r\nset-cookie: x=1, é", 1], ...many(30)]);
    const { status, headers } = await old.send("POST", "/partner/customers", { body });
    expect([status, headers["set-cookie"]]).toEqual([201, undefined]);
    const ignored = headers["x-ignored-fields"] ?? "";
    expect(ignored.startsWith("a??set-cookie??x?1???, ")).toBe(true);
    expect(ignored.length).toBeLessThanOrEqual(1_000);
    const short = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`n${n}`, 1]));
    const few = await old.send("POST", "/partner/customers", { body: { name: "Ann", ...short } });
    expect(few.headers["x-ignored-fields"]?.split(", ")).toHaveLength(20);
  });

  test("a repeated request has the header again, and a different ignored field makes a different request", async () => {
    const headers = { "idempotency-key": "once" };
    const create = (nmae: string) => old.send("POST", "/partner/customers", { headers, body: { name: "Ann", nmae } });
    const [first, second, other] = [await create("a"), await create("a"), await create("b")];
    expect(second.text).toBe(first.text);
    expect([second.headers["idempotent-replayed"], second.headers["x-ignored-fields"]]).toEqual(["true", "nmae"]);
    expect([other.status, other.headers["x-error-code"]]).toEqual([422, "idempotency_mismatch"]);
  });

  test("parts of a form are ignored too, and a part after the file of a bulk upload for every key", async () => {
    const template = await old.send("POST", "/partner/templates", form({ name: "Lease", [MARKER]: "x" }, { bytes: PDF }));
    expect([template.status, template.headers["x-ignored-fields"]]).toEqual([200, MARKER]);
    const csv = { bytes: Buffer.from("client_id,name\nC-9,Ann\n") };
    const early = await old.send("POST", "/customers/bulk", form({ [MARKER]: "x" }, csv));
    expect([early.status, early.headers["x-ignored-fields"]]).toEqual([200, MARKER]);
    const late = await key.send("POST", "/customers/bulk", form({}, csv, { bytes: csv.bytes, part: "late" }));
    expect([late.status, late.headers["x-ignored-fields"], late.json.data.updated]).toEqual([200, "late", 1]);
  });

  test("the setting belongs to keys from before the upgrade, is shown, and can be changed by an admin", async () => {
    const column = await service.database.owner<{ column_default: string }>(
      "select column_default from information_schema.columns where table_name = 'api_keys' and column_name = 'lenient_fields'",
    );
    expect(column).toEqual([{ column_default: "false" }]);
    const { key_id, send } = await org.newKey();
    const customer = () => send("POST", "/partner/customers", { body: { name: "Ann", nmae: "x" } });
    expect((await customer()).status).toBe(422);
    expect((await lenient(key_id)).json.data.lenient_fields).toBe(true);
    expect((await customer()).status).toBe(201);
    const { json } = await org.admin("PATCH", `/partners/keys/${key_id}`, { body: { lenient_fields: false } });
    expect(json.data.lenient_fields).toBe(false);
    expect((await customer()).status).toBe(422);
    const trail = (await org.admin("GET", "/org/audit-trail?limit=20")).json.data;
    const changes = trail.filter((entry: { type: string; data: { key_id: string } }) => {
      return entry.type === "key.updated" && entry.data.key_id === key_id;
    });
    expect(changes.map((entry: { data: { lenient_fields: boolean } }) => entry.data.lenient_fields).sort()).toEqual([false, true]);
  });
});

const many = (count: number) => Array.from({ length: count }, (_, n) => [`${n}${"x".repeat(90)}`, 1] as const);

/** A response without the values that differ between records. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

describe("the schemas of requests", () => {
  const schemas = declared.flatMap((endpoint) => {
    const parts = endpoint.form === null || endpoint.form === "arriving" ? [] : [endpoint.form.parts];
    return [endpoint.body, queryOf(endpoint), ...parts].flatMap((schema) =>
      schema === undefined ? [] : [[endpoint.name, schema] as const],
    );
  });

  test("distinguish the objects of a union by literals, so that the allowed fields are known", () => {
    const unions = schemas.flatMap(([name, schema]) => unionsOf(schema as Shape).map((branches) => ({ name, branches })));
    expect(unions.length).toBeGreaterThan(3);
    for (const { name, branches } of unions) {
      const literals = branches.map((branch) => JSON.stringify(literalsOf(branch)));
      expect([name, new Set(literals).size, literals.includes("{}")]).toEqual([name, branches.length, false]);
    }
  });

  test("report a missing literal that distinguishes the objects of a union", () => {
    const replace = declared.find(({ name }) => name === "replace_fields")?.body ?? expect.fail("no such operation");
    const fields = [{ name: "Signature", type: "signature", role: "Tenant", placement: { page: 1, x: 0.1, y: 0.1, w: 0.2, h: 0.1 } }];
    expect(detailsOf(() => validator(replace, "body")({ fields }))).toContainEqual({
      location: "body",
      field: "fields[0].placement.mode",
      code: "required",
      message: "is required, and must be one of: absolute, anchor",
    });
  });

  test("refuse a repeated query parameter", async () => {
    const { admin } = await service.newOrg();
    for (const query of ["external_id=A&external_id=B", "limit=5&limit=5"]) {
      const { status, json } = await admin("GET", `/partner/envelopes?${query}`);
      const detail = { location: "query", field: query.split("=")[0], code: "invalid_type", message: "must be given only once" };
      expect([status, json.details]).toEqual([422, [detail]]);
    }
  });

  test("accept every published example", () => {
    for (const { name, body, examples } of declared) {
      if (body === undefined || examples.request === undefined) continue;
      expect([name, detailsOf(() => validator(body, "body")(examples.request))]).toEqual([name, []]);
    }
  });
});

function unionsOf(schema: Shape): (readonly Shape[])[] {
  const objects = (schema.anyOf ?? []).filter(isObjectType);
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.items === undefined ? [] : [schema.items]), ...(schema.anyOf ?? [])];
  return [...(objects.length > 1 ? [objects] : []), ...inner.flatMap(unionsOf)];
}

function detailsOf(run: () => void): readonly Detail[] {
  try {
    run();
  } catch (error) {
    if (error instanceof Problem) return error.details ?? [];
    throw error;
  }
  return [];
}
