import { type TObject, type TSchema, Type } from "typebox";
import { idPattern } from "../shared/ids.ts";
import { detailCodes, type ProblemCode, problems } from "../shared/problems.ts";
import { SLUG_PATTERN } from "../shared/slugs.ts";
import type { Access, Endpoint, ParamKind } from "./endpoint.ts";
import { statusOfProblem } from "./problem.ts";

/** OpenAPI 3.1, made from the endpoint declarations. `openapi.json` in the repository is this, held equal by a test. */

const Meta = Type.Object({ page: Type.Integer(), limit: Type.Integer(), total: Type.Integer() }, { additionalProperties: false });

/** The whole 2xx body of an endpoint, closed: a field that is not declared does not leave. */
export function answerSchema(endpoint: Endpoint): TSchema {
  const data = closed(endpoint.answer);
  if (endpoint.list === null) return Type.Object({ data }, { additionalProperties: false });
  return Type.Object({ data: Type.Array(data), meta: Meta }, { additionalProperties: false });
}

/** The query of a list: the endpoint's own filters and the two that every list has. */
// Beyond it the offset of a page would no longer be a number that the database takes.
const LAST_PAGE = 1_000_000;

export function pageQuery(filters: TObject | undefined): TObject {
  return Type.Object({
    ...filters?.properties,
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: LAST_PAGE })),
    limit: Type.Optional(Type.Integer({ minimum: 1 })),
  });
}

/** An object admits no properties but those listed, unless its schema says that it does. */
function closed(schema: TSchema): TSchema {
  return JSON.parse(JSON.stringify(schema), (_name, value) =>
    value !== null && typeof value === "object" && value.type === "object" && value.additionalProperties === undefined
      ? { ...value, additionalProperties: false }
      : value,
  );
}

const INTRODUCTION = `Electronic signatures with a compliance vault.

Every 2xx body has its payload under \`data\`; lists add \`meta\`. Every error body is \`{ error, details? }\`; where several customers share an e-mail it adds \`candidates\`. A path that is not here is 404, another method of one
that is 405 with \`Allow\`. Every response has \`X-Request-Id\` and the three rate-limit headers.`;

export function openApiDocument(endpoints: readonly Endpoint[], version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
    const item = paths[path] ?? {};
    paths[path] = item;
    item[endpoint.method.toLowerCase()] = operationOf(endpoint);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Countersign",
      version,
      description: INTRODUCTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/api/v2" }],
    paths,
    components: {
      securitySchemes: {
        api_key: { type: "apiKey", in: "header", name: "X-API-Key", description: "A key of one org, `lk_` and 40 hexadecimal characters." },
        session: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "The token of POST /auth/login." },
        widget_token: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "The token of POST /embed/token or POST /embed/links/{slug}/token: one envelope, one widget, 15 minutes.",
        },
      },
      schemas: { Error: errorSchema() },
    },
  };
}

function errorSchema(): unknown {
  const detail = Type.Object({
    location: Type.Enum(["body", "form", "query", "path", "header"]),
    field: Type.Union([Type.String(), Type.Null()]),
    code: Type.Enum([...detailCodes]),
    message: Type.String(),
  });
  const candidate = Type.Object({
    customer_id: Type.String(),
    name: Type.Union([Type.String(), Type.Null()]),
    client_id: Type.Union([Type.String(), Type.Null()]),
  });
  return Type.Object({
    error: Type.String(),
    details: Type.Optional(Type.Array(detail)),
    candidates: Type.Optional(Type.Array(candidate, { description: "The customers who share an e-mail, oldest first; in that 409 only" })),
  });
}

function operationOf(endpoint: Endpoint): Record<string, unknown> {
  const parameters = [...pathParameters(endpoint), ...queryParameters(endpoint), ...headerParameters(endpoint)];
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    tags: [endpoint.path.split("/")[1]],
    ...securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(endpoint),
    responses: {
      [endpoint.status]: {
        description: "Success",
        headers: answerHeaders(endpoint),
        content: endpoint.file === null ? jsonAnswer(endpoint) : fileAnswer(endpoint.file),
      },
      ...(endpoint.goesOn && {
        202: { description: "It goes on by itself", headers: answerHeaders(endpoint), content: jsonAnswer(endpoint) },
      }),
      ...(endpoint.alternative !== null && {
        [endpoint.alternative.status]: {
          description: "Success",
          headers: answerHeaders(endpoint),
          content: { "application/json": { schema: answerSchema({ ...endpoint, answer: endpoint.alternative.answer }) } },
        },
      }),
      ...(isTagged(endpoint) && { 304: { description: "What you have is still so", headers: rateHeaders } }),
      ...refusalsOf(endpoint),
    },
  };
}

function jsonAnswer(endpoint: Endpoint): Record<string, unknown> {
  const example = endpoint.examples.answer === undefined ? {} : { example: answerExample(endpoint) };
  return { "application/json": { schema: answerSchema(endpoint), ...example } };
}

function fileAnswer(types: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(types.map((type) => [type, { schema: { type: "string", format: "binary" } }]));
}

/** The example in its wrapping, as it goes over the wire. */
export function answerExample({ list, examples }: Endpoint): unknown {
  if (list === null) return { data: examples.answer };
  return { data: [examples.answer], meta: { page: 1, limit: list.limit, total: 1 } };
}

function requestBodyOf({ body, form, attached, examples }: Endpoint): Record<string, unknown> {
  const example = examples.request === undefined ? {} : { example: examples.request };
  if (form !== null)
    return { requestBody: { required: true, content: { "multipart/form-data": { schema: formSchema(form), ...example } } } };
  if (body === undefined) return {};
  const required = (body.required ?? []).length > 0;
  const json = { "application/json": { schema: body, ...example } };
  const withFile = attached === null ? {} : { "multipart/form-data": { schema: attachedSchema(body, attached) } };
  return { requestBody: { required, content: { ...json, ...withFile } } };
}

const FILE = { type: "string", format: "binary", description: "At most 50 MB" } as const;
const asText = (schema: unknown) => ({ type: "string", contentMediaType: "application/json", contentSchema: schema });

function attachedSchema(body: TObject, attached: string): unknown {
  return { type: "object", properties: { [attached]: FILE, payload: asText(body) }, required: [attached, "payload"] };
}

/** As it is sent: the file as bytes, JSON parts as the text that holds them. */
function formSchema(form: NonNullable<Endpoint["form"]>): unknown {
  if (form === "arriving") return { type: "object", properties: { file: FILE }, required: ["file"] };
  const parts = Object.entries(form.parts.properties).map(([name, schema]) => [
    name,
    form.json[name] === undefined ? schema : asText(schema),
  ]);
  return { type: "object", properties: { file: FILE, ...Object.fromEntries(parts) }, required: ["file", ...(form.parts.required ?? [])] };
}

const retryAfter = { "Retry-After": { schema: { type: "integer" } } };
const rateHeaders = Object.fromEntries(
  ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"].map((name) => [name, { schema: { type: "integer" } }]),
);

function answerHeaders(endpoint: Endpoint): Record<string, unknown> {
  const text = { schema: { type: "string" } };
  return {
    ...rateHeaders,
    ...(isTagged(endpoint) && { ETag: text }),
    ...(endpoint.idempotent && !endpoint.secret && { "Idempotent-Replayed": text }),
  };
}

function pathParameters(endpoint: Endpoint): unknown[] {
  return Object.entries(endpoint.params).map(([name, kind]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", pattern: patternOf(kind) },
  }));
}

/** A whole number from 1, short enough to be one for PostgreSQL too. */
export const NUMBER_PATTERN = "^[1-9][0-9]{0,8}$";

function patternOf(kind: ParamKind): string {
  if (kind === "slug") return SLUG_PATTERN;
  return kind === "number" ? NUMBER_PATTERN : idPattern(kind);
}

function queryParameters(endpoint: Endpoint): unknown[] {
  const schema = endpoint.list === null ? endpoint.query : pageQuery(endpoint.query);
  const required = new Set<string>(schema?.required ?? []);
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    in: "query",
    required: required.has(name),
    schema:
      name === "limit" && endpoint.list !== null
        ? { ...property, default: endpoint.list.limit, description: `at most ${endpoint.list.max}` }
        : property,
  }));
}

const signingSession = {
  name: "X-Signing-Session",
  in: "header",
  required: true,
  description:
    "What the page calls this sitting: 128 random bits that it makes once. It opens nothing; what is done under it is recorded together.",
  schema: { type: "string", pattern: "^[0-9a-f]{32}$" },
};

function headerParameters(endpoint: Endpoint): unknown[] {
  const ofWidget = endpoint.access !== "anyone" && "widget" in endpoint.access;
  return [...(ofWidget ? [signingSession] : []), ...repeatParameters(endpoint)];
}

function repeatParameters(endpoint: Endpoint): unknown[] {
  if (isTagged(endpoint))
    return [{ name: "If-None-Match", in: "header", required: false, description: "The ETag that you have", schema: { type: "string" } }];
  if (!endpoint.idempotent) return [];
  const description = endpoint.secret
    ? "Repeat a request safely: it is carried out once. Its answer holds a secret and is not shown again: a repeat is 409."
    : "Repeat a request safely: the same key and body give the first answer again, for 24 hours.";
  return [
    { name: "Idempotency-Key", in: "header", required: false, description, schema: { type: "string", minLength: 1, maxLength: 255 } },
  ];
}

/** Single records carry an ETag. */
export const isTagged = (endpoint: Endpoint): boolean => endpoint.method === "GET" && endpoint.list === null && !endpoint.acting;

function securityOf({ access }: Endpoint): Record<string, unknown> {
  if (access === "anyone") return { security: [] };
  if ("widget" in access) return { security: [{ widget_token: [] }], "x-widget": access.widget };
  if ("role" in access) return { security: [{ session: [] }], "x-role": access.role };
  return {
    security: [{ api_key: [] }, { session: [] }],
    "x-any-scope": access.anyScope,
    ...(access.leastRole !== undefined && { "x-role": access.leastRole }),
  };
}

function refusalsOfAccess(access: Access): ProblemCode[] {
  if (access === "anyone") return ["rate_limited"];
  if ("widget" in access) return ["invalid_token", "rate_limited", "invalid_request"];
  if ("role" in access) return ["invalid_session", "rate_limited", access.role === "admin" ? "admin_required" : "role_too_low"];
  return ["invalid_api_key", "rate_limited", "scope_missing", ...(access.leastRole === undefined ? [] : (["role_too_low"] as const))];
}

/** What every endpoint of a kind can answer, and its own problems, by status. */
function refusalsOf(endpoint: Endpoint): Record<string, unknown> {
  const codes = new Set<ProblemCode>([...endpoint.problems, ...refusalsOfAccess(endpoint.access)]);
  if (Object.keys(endpoint.params).length > 0) codes.add(endpoint.missing);
  if (endpoint.form !== null || endpoint.attached !== null)
    codes.add("malformed_form").add("form_part_missing").add("file_twice").add("file_too_large").add("wrong_form_type");
  if (endpoint.form === null && endpoint.method !== "GET") codes.add("malformed_json").add("body_too_large").add("wrong_media_type");
  if (endpoint.method !== "GET" || endpoint.query !== undefined || endpoint.list !== null) codes.add("invalid_request");
  if (endpoint.idempotent) codes.add("idempotency_in_progress").add("idempotency_mismatch");
  if (endpoint.idempotent && endpoint.secret) codes.add("idempotency_secret");
  codes.add("internal").add("database_away");
  const byStatus = new Map<number, string[]>();
  for (const code of codes) {
    const status = statusOfProblem(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), problems[code].says]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, says]) => [
        status,
        {
          description: says.join("; "),
          headers: status === 429 || status === 503 || status === 409 ? { ...rateHeaders, ...retryAfter } : rateHeaders,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
        },
      ]),
  );
}
