import { Validator } from "@seriousme/openapi-schema-validator";
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { apiDocuments, declaredEndpoints } from "../main.ts";
import { isForIntegrators } from "./openapi.ts";
import { Components } from "./openapi-components.ts";
import { named } from "./shapes.ts";

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly "x-sdk"?: string;
  readonly security: readonly unknown[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}
interface Media {
  readonly schema: unknown;
  readonly examples?: object;
}

const documents = JSON.parse(JSON.stringify(apiDocuments())) as Record<"api" | "pages", Record<string, unknown>>;
const operationsOf = (document: Record<string, unknown>): Operation[] =>
  Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap(Object.values);
const operations = operationsOf(documents.api);

/** Every object in a part of the document, with its path. */
function* walk(part: unknown, way = ""): Generator<readonly [way: string, object: Record<string, unknown>]> {
  if (typeof part !== "object" || part === null) return;
  if (!Array.isArray(part)) yield [way, part as Record<string, unknown>];
  for (const [name, inner] of Object.entries(part)) yield* walk(inner, `${way}/${name}`);
}

const refsIn = (part: unknown): string[] => [...walk(part)].flatMap(([, { $ref }]) => (typeof $ref === "string" ? [$ref] : []));

describe.each(["api", "pages"] as const)("the document for %s", (which) => {
  const document = documents[which];

  test("is valid OpenAPI 3.1", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect([valid, errors]).toEqual([true, undefined]);
  });

  test("has no broken references and no unused components", () => {
    const refs = new Set(refsIn(document));
    const parts = Object.entries(document.components as Record<string, object>)
      .filter(([kind]) => kind !== "securitySchemes")
      .flatMap(([kind, all]) => Object.keys(all).map((name) => `#/components/${kind}/${name}`));
    expect([...refs].filter((ref) => !parts.includes(ref))).toEqual([]);
    // A type for webhook receivers. The document itself references the single events.
    expect(parts.filter((part) => !refs.has(part) && part !== "#/components/schemas/WebhookEvent")).toEqual([]);
  });

  test("has no unnamed objects", () => {
    const components = (document.components as { schemas: Record<string, unknown> }).schemas;
    const inner = Object.entries(components).flatMap(([name, schema]) => [...walk(schema, name)].filter(([way]) => way !== name));
    const outside = [...walk({ paths: document.paths, webhooks: document.webhooks })].filter(([way]) => !way.includes("/example"));
    const anonymous = [...inner, ...outside].filter(([, part]) => part.type === "object" && part.properties !== undefined);
    expect(anonymous.map(([way]) => way)).toEqual([]);
  });

  test("has no named object that can be null: null is added where it is referenced", () => {
    const { schemas } = document.components as { schemas: Record<string, Record<string, unknown>> };
    const orNull = Object.entries(schemas).filter(([, { type }]) => Array.isArray(type) && type.includes("null"));
    expect(orNull.map(([name]) => name)).toEqual([]);
  });

  test("describes no JSON response as bytes", () => {
    const answers = operationsOf(document).flatMap(({ responses }) => Object.values(responses));
    const media = answers.flatMap(({ content = {} }) => Object.entries(content)).filter(([type]) => /[/+]json$/.test(type));
    expect(media.filter(([, { schema }]) => (schema as { format?: string }).format === "binary")).toEqual([]);
  });

  test("names each operation once, with its access and a summary of at most 60 characters", () => {
    const all = operationsOf(document);
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
    for (const { security, operationId, summary } of all) {
      expect(security, operationId).toBeInstanceOf(Array);
      expect(summary.length, `${operationId}: ${summary}`).toBeLessThanOrEqual(60);
    }
  });

  test("publishes closed request schemas and open response schemas", () => {
    const schemas = (document.components as { schemas: Record<string, Record<string, unknown>> }).schemas;
    const media = operationsOf(document).flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
    const incoming = new Set(media.flatMap(({ schema }) => reached(schemas, schema)));
    for (const [name, schema] of Object.entries(schemas)) {
      if (schema.type !== "object" || Object.keys((schema.properties as object) ?? {}).length === 0) continue;
      expect([name, schema.additionalProperties === false]).toEqual([name, incoming.has(name)]);
    }
  });
});

/** The names of all components that a schema references, directly or indirectly. */
function reached(schemas: Record<string, unknown>, schema: unknown, found: string[] = []): string[] {
  for (const ref of refsIn(schema)) {
    const name = ref.split("/").at(-1) ?? "";
    if (found.includes(name)) continue;
    found.push(name);
    reached(schemas, schemas[name], found);
  }
  return found;
}

describe("the document for integrators", () => {
  test("describes every operation, with its tag and the name of its method", () => {
    for (const { operationId, description, tags, "x-sdk": sdk } of operations) {
      expect(description?.length, operationId).toBeGreaterThan(20);
      expect(tags, operationId).toHaveLength(1);
      expect(sdk, operationId).toMatch(/^[a-z]\w*(\.[a-z]\w*)+$/);
    }
    const names = operations.map((operation) => operation["x-sdk"]);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test("has an example for each JSON request body and response", () => {
    const bodies = operations.flatMap(({ operationId, requestBody }) =>
      Object.entries(requestBody?.content ?? {})
        .slice(0, 1)
        .map(([type, media]) => [`${operationId} takes ${type}`, media] as const),
    );
    const answers = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .slice(0, 1)
        .flatMap(([, { content }]) =>
          // The others are files.
          Object.entries(content ?? {})
            .filter(([type]) => type === "application/json")
            .map(([type, media]) => [`${operationId} gives ${type}`, media] as const),
        ),
    );
    const without = [...bodies, ...answers].filter(([, media]) => media.examples === undefined);
    expect(without.map(([which]) => which)).toEqual([]);
  });

  test("contains every operation that a key or a session can call", () => {
    const missing = declaredEndpoints().filter(
      (endpoint) => isForIntegrators(endpoint) && !operations.some(({ operationId }) => operationId === endpoint.name),
    );
    expect(missing).toEqual([]);
    expect(operations.length + operationsOf(documents.pages).length).toBe(declaredEndpoints().length);
  });

  test("has only unions that can be told apart by null or by a member with a literal", () => {
    const unions = [...walk(documents.api)].filter(([, { anyOf, oneOf }]) => Array.isArray(anyOf) || Array.isArray(oneOf));
    const isTold = ({ anyOf, oneOf, discriminator }: Record<string, unknown>) => {
      const branches = (anyOf ?? oneOf) as { readonly type?: unknown }[];
      return discriminator !== undefined || branches.filter(({ type }) => type !== "null").length === 1;
    };
    expect(unions.length).toBeGreaterThan(20);
    expect(unions.filter(([, union]) => !isTold(union)).map(([way]) => way)).toEqual([]);
  });

  test("says of each value what it is, because generators fail at a schema without a type", () => {
    const schemas = [...walk(documents.api)].filter(([, part]) => "not" in part);
    expect(schemas.map(([way]) => way)).toEqual([]);
  });

  test("takes at most 3.4 KB per operation", () => {
    expect(JSON.stringify(documents.api).length / operations.length).toBeLessThanOrEqual(3.4 * 1024);
  });
});

describe("components", () => {
  const Party = named("Party", Type.Object({ name: Type.String() }));

  test("a name used in requests and responses becomes two schemas, one closed and one open", () => {
    const components = new Components([
      { schema: Party, side: "request" },
      { schema: Party, side: "answer" },
    ]);
    expect(components.publish(Party, "request")).toEqual({ $ref: "#/components/schemas/PartyInput" });
    expect(components.publish(Party, "answer")).toEqual({ $ref: "#/components/schemas/Party" });
    expect(components.all()).toMatchObject({ schemas: { PartyInput: { additionalProperties: false }, Party: { required: ["name"] } } });
  });

  test("two different schemas with the same name stop the build", () => {
    const components = new Components([]);
    components.publish(Party, "answer");
    expect(() => components.publish(named("Party", Type.Object({ city: Type.String() })), "answer")).toThrow(
      /two different components are called Party/,
    );
  });

  test("an object without a name stops the build", () => {
    const components = new Components([]);
    expect(() => components.publish(Type.Array(Type.Object({ city: Type.String() })), "answer")).toThrow(/has no name/);
  });
});
