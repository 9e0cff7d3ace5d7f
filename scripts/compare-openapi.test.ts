import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { faultsOf, faultsOfDocument, readLastRelease, shapeOfDocument } from "./compare-openapi.mjs";
import { differencesOf } from "./openapi-differences.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const openapi = JSON.parse(readFileSync(join(root, "openapi.json"), "utf8"));

type Json = Record<string, unknown>;
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: "string" };
const object = (properties: Json, required: string[] = [], more: Json = {}) => ({ type: "object", properties, required, ...more });
const closed = { additionalProperties: false };
const json = (schema: Json) => ({ content: { "application/json": { schema } } });

/** A document with one operation. */
function documentOf(operation: Json, schemas: Record<string, Json> = {}, more: Json = {}): Json {
  return {
    openapi: "3.1.0",
    paths: { "/things/{thing_id}": { post: { operationId: "make", ...operation } } },
    components: { schemas },
    ...more,
  };
}
const taking = (schema: Json) => documentOf({ requestBody: json(schema), responses: { 201: json(text) } });
const answering = (schema: Json) => documentOf({ responses: { 200: json(schema) } });
const asked = (parameter: Json) => documentOf({ parameters: [{ name: "q", in: "query", required: false, schema: text, ...parameter }] });
const textsOf = (before: Json, after: Json) => differencesOf(before, after).map((one) => one.text);

const AT = "POST /things/{thing_id}";
const kinds = { type: "string", enum: ["a", "b"] };
const shapes = (names: string[]) => ({
  oneOf: names.map(ref),
  discriminator: { propertyName: "kind", mapping: Object.fromEntries(names.map((name) => [name, ref(name).$ref])) },
});
const kindsOf = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, object({ kind: { type: "string", const: name } }, ["kind"])]));

describe("what a caller sends", () => {
  test.each([
    ["a new optional field", object({ a: text }, [], closed), object({ a: text, b: text }, [], closed)],
    ["a field that is no longer required", object({ a: text }, ["a"]), object({ a: text })],
    ["a new value", kinds, { type: "string", enum: ["a", "b", "c"] }],
    ["any value instead of some", kinds, text],
    ["a number instead of an integer", { type: "integer" }, { type: "number" }],
    ["null as well", text, { type: ["string", "null"] }],
    ["another variant", { anyOf: [text, { type: "null" }] }, { anyOf: [text, { type: "null" }, { type: "integer" }] }],
    ["longer texts", { type: "string", maxLength: 10 }, { type: "string", maxLength: 20 }],
    ["texts of any form", { type: "string", pattern: "^a$" }, text],
  ])("can be %s", (_name, before, after) => {
    expect(textsOf(taking(before), taking(after))).toEqual([]);
  });

  test.each([
    ["a field that is gone", object({ a: text }, [], closed), object({}, [], closed), "body.a: was removed"],
    ["a field that is new and required", object({}, [], closed), object({ a: text }, ["a"], closed), "body.a: is new and required"],
    ["a field that is now required", object({ a: text }), object({ a: text }, ["a"]), "body.a: is now required"],
    ["other fields that were taken", object({ a: text }), object({ a: text }, [], closed), "body: refuses other properties"],
    ["a value that is gone", kinds, { type: "string", enum: ["a"] }, 'body: the value "b" was removed'],
    ["some values of any", text, kinds, "body: takes only some values"],
    ["another type", text, { type: "integer" }, "body: no longer takes the type string"],
    ["null no longer", { type: ["string", "null"] }, text, "body: no longer takes the type null"],
    ["shorter texts", text, { type: "string", maxLength: 5 }, "body: maxLength was not set and is 5"],
    ["larger numbers only", { type: "integer", minimum: 0 }, { type: "integer", minimum: 1 }, "body: minimum was 0 and is 1"],
    ["another form", text, { type: "string", format: "email" }, "body: format was not set and is email"],
    ["another default", { ...text, default: "a" }, { ...text, default: "b" }, 'body: default was "a" and is "b"'],
    ["elements of another type", { type: "array", items: text }, { type: "array", items: kinds }, "body[]: takes only some values"],
    [
      "values of another type",
      { type: "object", additionalProperties: text },
      { type: "object", additionalProperties: kinds },
      "body.*: takes only some values",
    ],
    [
      "a variant less",
      { anyOf: [text, { type: "boolean" }, { type: "integer" }] },
      { anyOf: [text, { type: "boolean" }] },
      "body: no longer takes integer",
    ],
  ])("cannot become %s", (_name, before, after, says) => {
    expect(textsOf(taking(before), taking(after))).toEqual([`${AT} ${says}`]);
  });

  test("can be left out of a query only if it could be before", () => {
    expect(textsOf(asked({ required: true }), asked({}))).toEqual([]);
    expect(textsOf(asked({}), asked({ required: true }))).toEqual([`${AT} query q: is now required`]);
    expect(textsOf(documentOf({}), asked({ required: true }))).toEqual([`${AT} query q: is new and required`]);
    expect(textsOf(documentOf({}), asked({}))).toEqual([]);
    expect(textsOf(asked({}), documentOf({}))).toEqual([`${AT} query q: was removed`]);
    expect(textsOf(asked({}), asked({ schema: { type: "string", maxLength: 3 } }))).toEqual([
      `${AT} query q: maxLength was not set and is 3`,
    ]);
  });

  test("can be a form as long as it could be one", () => {
    const form = { content: { "multipart/form-data": { schema: object({ file: text }) } } };
    expect(textsOf(documentOf({ requestBody: form }), documentOf({ requestBody: json(object({})) }))).toEqual([
      `${AT}: no longer takes a body of the type multipart/form-data`,
    ]);
    expect(textsOf(documentOf({}), documentOf({ requestBody: { ...form, required: true } }))).toEqual([`${AT}: the body is now required`]);
  });
});

describe("what a client reads", () => {
  test.each([
    ["a new field", object({ a: text }, ["a"]), object({ a: text, b: text }, ["a", "b"])],
    ["a field that is always there now", object({ a: text }), object({ a: text }, ["a"])],
    ["a new value", kinds, { type: "string", enum: ["a", "b", "c"] }],
    ["an integer instead of a number", { type: "number" }, { type: "integer" }],
    ["null no longer", { type: ["string", "null"] }, text],
    ["a longer text", { type: "string", maxLength: 5 }, { type: "string", maxLength: 9 }],
  ])("can be %s", (_name, before, after) => {
    expect(textsOf(answering(before), answering(after))).toEqual([]);
  });

  test.each([
    ["a field that is gone", object({ a: text }, ["a"]), object({}), "200.a: was removed"],
    ["a field that can be absent", object({ a: text }, ["a"]), object({ a: text }), "200.a: can now be absent"],
    ["null", text, { type: ["string", "null"] }, "200: can now have the type null"],
    ["another type", text, { type: "integer" }, "200: can now have the type integer"],
    ["a value that is gone or has another name", kinds, { type: "string", enum: ["a", "c"] }, '200: the value "b" was removed'],
    ["another form", { type: "string", format: "date-time" }, { type: "string", format: "date" }, "200: format was date-time and is date"],
    [
      "null beside a variant",
      { anyOf: [kinds, { type: "boolean" }] },
      { anyOf: [kinds, { type: "boolean" }, { type: "null" }] },
      "200: can now be null",
    ],
  ])("cannot become %s", (_name, before, after, says) => {
    expect(textsOf(answering(before), answering(after))).toEqual([`${AT} ${says}`]);
  });

  test("can be a new variant if a member tells it apart, and an old one stays", () => {
    const of = (names: string[]) => documentOf({ responses: { 200: json(shapes(names)) } }, kindsOf(["Cat", "Dog", "Bird"]));
    expect(textsOf(of(["Cat", "Dog"]), of(["Cat", "Dog", "Bird"]))).toEqual([]);
    expect(textsOf(of(["Cat", "Dog"]), of(["Cat", "Bird"]))).toEqual([`${AT} 200: is no longer Dog`]);
  });

  test("has the same status, headers, and errors", () => {
    const of = (responses: Json, more: Json = {}) => documentOf({ responses, ...more });
    expect(textsOf(of({ 200: json(text) }), of({ 201: json(text) }))).toEqual([
      `${AT}: can now answer 201`,
      `${AT}: no longer answers 200`,
    ]);
    expect(textsOf(of({ 200: { headers: { ETag: {} } } }), of({ 200: {} }))).toEqual([`${AT}: 200 no longer has the header ETag`]);
    const codes = (given: Json) => of({}, { "x-error-codes": given });
    expect(textsOf(codes({ 409: ["taken"] }), codes({ 409: ["taken", "gone"] }))).toEqual([]);
    expect(textsOf(codes({ 409: ["taken"] }), codes({ 422: ["taken"] }))).toEqual([`${AT}: the error taken was 409 and is 422`]);
    expect(textsOf(codes({ 409: ["taken"] }), codes({}))).toEqual([`${AT}: no longer has the error taken`]);
  });
});

describe("an operation", () => {
  test("stays, with its credentials", () => {
    const api = (more: Json) => documentOf({ security: [{ api_key: [] }, { session: [] }], "x-any-scope": ["read"], ...more });
    expect(textsOf(api({}), { paths: {} })).toEqual([`${AT}: was removed`]);
    expect(textsOf(api({}), api({ "x-any-scope": ["read", "write"] }))).toEqual([]);
    expect(textsOf(api({}), api({ "x-any-scope": ["write"] }))).toEqual([`${AT}: the scope read is no longer enough`]);
    expect(textsOf(api({}), api({ security: [{ session: [] }] }))).toEqual([`${AT}: no longer takes the credential api_key`]);
    expect(textsOf(api({}), api({ "x-permission": "audit:read" }))).toEqual([`${AT}: a session now needs the permission audit:read`]);
    expect(textsOf(api({}), api({ "x-step-up": true }))).toEqual([`${AT}: a session now needs a recent confirmation`]);
    expect(textsOf(api({ security: [] }), api({}))).toEqual([`${AT}: now needs a credential`]);
  });

  test("in beta can change, and one that was not cannot become beta", () => {
    const beta = documentOf({ "x-stability": "beta", parameters: [{ name: "q", in: "query", schema: text }] });
    expect(textsOf(beta, documentOf({}))).toEqual([]);
    expect(textsOf(documentOf({}), documentOf({ "x-stability": "beta" }))).toEqual([`${AT}: is now in beta`]);
  });

  test("keeps the names of generated code, which are differences of their own kind", () => {
    const named = (operation: Json, name: string) =>
      documentOf({ ...operation, responses: { 200: json(ref(name)) } }, { [name]: object({}) });
    expect(
      differencesOf(named({ "x-sdk": "things.make" }, "Thing"), named({ operationId: "create", "x-sdk": "things.create" }, "Item")),
    ).toEqual([
      { kind: "name", text: `${AT} 200: the schema Thing is now Item` },
      { kind: "name", text: `${AT}: operationId was make and is create` },
      { kind: "name", text: `${AT}: x-sdk was things.make and is things.create` },
    ]);
  });

  test("is the same with another name of a parameter in its path", () => {
    const { "/things/{thing_id}": item } = documentOf({}).paths as Record<string, Json>;
    const after = { ...documentOf({}), paths: { "/things/{id}": item } };
    expect(differencesOf(documentOf({}), after)).toEqual([{ kind: "name", text: `${AT}: is now /things/{id}` }]);
  });
});

test("a change of a schema is one difference, wherever the schema is used", () => {
  const of = (thing: Json) => {
    const uses = {
      requestBody: json(ref("Thing")),
      responses: { 200: json(ref("Thing")), 201: json(object({ things: { type: "array", items: ref("Thing") } })) },
    };
    return documentOf(uses, { Thing: thing });
  };
  expect(textsOf(of(object({ a: text }, ["a"])), of(object({ b: text }, ["b"])))).toEqual([
    "Thing (answer).a: was removed",
    "Thing (request).a: was removed",
    "Thing (request).b: is new and required",
  ]);
});

test("a schema that contains itself is compared", () => {
  const of = (leaf: Json) =>
    documentOf({ responses: { 200: json(ref("Tree")) } }, { Tree: object({ trees: { type: "array", items: ref("Tree") }, leaf }) });
  expect(textsOf(of(text), of({ type: "integer" }))).toEqual(["Tree (answer).leaf: can now have the type integer"]);
});

test("an event keeps its type and what it says", () => {
  const of = (data: Json) => ({ paths: {}, webhooks: { "thing.made": { post: { requestBody: json(data) } } } });
  expect(textsOf(of(object({ a: text }, ["a"])), of(object({ a: text, b: text }, ["a"])))).toEqual([]);
  expect(textsOf(of(object({ a: text }, ["a"])), of(object({})))).toEqual(["webhook thing.made.a: was removed"]);
  expect(textsOf(of(object({})), { paths: {}, webhooks: {} })).toEqual(["webhook thing.made: was removed"]);
});

describe("a difference that breaks", () => {
  const difference = { kind: "breaking", text: "GET /things: was removed" } as const;
  const accepted = { difference: difference.text, reason: "It never worked.", changelog: "`GET /things` is gone" };
  const unreleased = "- `GET /things` is gone: use `GET /items`.";
  const last = { version: "0.2.0", unreleased };

  test("is a fault unless it is accepted with a reason and a line in the changelog", () => {
    expect(faultsOf([difference], [], last)).toEqual([difference.text]);
    expect(faultsOf([difference], [accepted], last)).toEqual([]);
    expect(faultsOf([difference], [{ ...accepted, reason: " " }], last)).toEqual([`${difference.text}: is accepted without a reason`]);
    expect(faultsOf([difference], [accepted], { ...last, unreleased: "" })).toEqual([
      `${difference.text}: its line is not under Unreleased in CHANGELOG.md`,
    ]);
  });

  test("is accepted no longer than it exists", () => {
    expect(faultsOf([], [accepted], last)).toEqual([`${difference.text}: is accepted, but is no difference`]);
  });

  test("cannot be another name after 1.0", () => {
    const name = { ...difference, kind: "name" } as const;
    expect(faultsOf([name], [accepted], last)).toEqual([]);
    expect(faultsOf([name], [accepted], { ...last, version: "1.0.0" })).toEqual([
      `${difference.text}: names do not change after 1.0, so this cannot be accepted`,
    ]);
  });
});

describe("the API of this repository", () => {
  test("is compatible with the last release, except for what was accepted", () => {
    expect(faultsOfDocument(root)).toEqual([]);
  });

  test("is compared with the newest version of the changelog that was released", () => {
    const sections = [...readFileSync(join(root, "CHANGELOG.md"), "utf8").matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version);
    const [newest] = sections.filter((version) => version !== "0.1.0"); // the state before the first release
    expect(readLastRelease(root)?.version).toBe(newest);
  });

  test("differs from what is kept of it in no more than a field that is taken away", () => {
    const shape = shapeOfDocument(openapi);
    delete shape.components.schemas.CreateKeyRequest.properties.scopes;
    expect(differencesOf(openapi, shape).map((one) => one.text)).toEqual(["CreateKeyRequest (request).scopes: was removed"]);
  });
});

describe("a repository after a release", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "countersign-compat-"));
    mkdirSync(join(folder, "compat"));
    cpSync(join(root, "openapi.json"), join(folder, "openapi.json"));
    writeFileSync(join(folder, "CHANGELOG.md"), "# Changelog\n\n## Unreleased\n**Do this**: nothing.\n\n## 9.0.0\n");
    writeFileSync(join(folder, "compat/accepted.json"), "[]\n");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("is told of every break since", () => {
    const before = structuredClone(openapi);
    before.paths["/partner/lost"] = { get: { operationId: "find_lost" } };
    writeFileSync(join(folder, "compat/openapi-9.0.0.json"), JSON.stringify(before));
    expect(faultsOfDocument(folder)).toEqual(["GET /partner/lost: was removed"]);
  });

  test("has the document of one release", () => {
    for (const version of ["8.0.0", "9.0.0"]) writeFileSync(join(folder, `compat/openapi-${version}.json`), "{}");
    expect(() => readLastRelease(folder)).toThrow("several releases");
  });

  test("accepts nothing before there is one", () => {
    writeFileSync(join(folder, "compat/accepted.json"), JSON.stringify([{ difference: "x: was removed", reason: "y", changelog: "z" }]));
    expect(faultsOfDocument(folder)).toEqual(["compat/accepted.json has entries, but there is no release to compare with"]);
  });
});
