import { type TObject, type TSchema, Type } from "typebox";
import { MAX_TAG_NAME } from "../shared/tag-names.ts";
import type { Endpoint, ParamKind, Stability } from "./endpoint.ts";
import type { Components, Json, Side } from "./openapi-components.ts";
import { refusalsOf } from "./openapi-responses.ts";
import { servedPath } from "./paths.ts";
import { idOf, named, pascalCase, Slug } from "./shapes.ts";
import { answerExample, isTagged, Meta, NUMBER_PATTERN, pageQuery } from "./wire-shapes.ts";

/** Every schema of an operation, with its side (request or response). */
export function schemasOf(endpoint: Endpoint): { readonly schema: TSchema; readonly side: Side }[] {
  const { body, form, query, answer, alternative } = endpoint;
  const parts = form === null || form === "arriving" ? [] : [form.parts];
  const incoming = [body, query, ...parts].filter((schema) => schema !== undefined);
  const outgoing = [answer, ...(alternative === null ? [] : [alternative.answer])];
  return [
    ...incoming.map((schema) => ({ schema, side: "request" as const })),
    ...outgoing.map((schema) => ({ schema, side: "answer" as const })),
  ];
}

export function operationOf(components: Components, endpoint: Endpoint): Json {
  const parameters = [
    ...pathParameters(components, endpoint),
    ...queryParameters(components, endpoint),
    ...headerParameters(components, endpoint),
  ];
  const { responses, codes } = refusalsOf(components, endpoint);
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    ...(endpoint.description !== null && { description: endpoint.description }),
    ...(endpoint.resource !== null && { tags: [endpoint.resource] }),
    ...(endpoint.sdk !== null && { "x-sdk": endpoint.sdk }),
    ...stabilityOf(endpoint.stability),
    // Some pages have their API beside them, not under the usual prefix.
    ...(servedPath(endpoint.path) === endpoint.path && { servers: [{ url: "/" }] }),
    ...securityOf(endpoint),
    ...(endpoint.stepUp && { "x-step-up": true }),
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(components, endpoint),
    responses: { ...successesOf(components, endpoint), ...responses },
    ...(Object.keys(codes).length > 0 && { "x-error-codes": codes }),
  };
}

function stabilityOf(stability: Stability | null): Json {
  if (stability === null) return {};
  if (stability === "beta") return { "x-stability": "beta" };
  const { since, until, use } = stability;
  return { deprecated: true, "x-stability": `deprecated since ${since}: may be removed from ${until} on; use ${use}` };
}

function securityOf({ access }: Endpoint): Json {
  if (access === "anyone") return { security: [] };
  if ("widget" in access) return { security: [{ widget_token: [] }], "x-widget": access.widget };
  if ("person" in access) return { security: [{ person_session: [] }] };
  if ("session" in access) return { security: [{ session: [] }] };
  if ("permission" in access) return { security: [{ session: [] }], "x-permission": access.permission };
  return {
    security: [{ api_key: [] }, { session: [] }],
    "x-any-scope": access.anyScope,
    ...(access.alsoNeeds !== undefined && { "x-permission": access.alsoNeeds }),
  };
}

function successesOf(components: Components, endpoint: Endpoint): Json {
  const headers = answerHeaders(components, endpoint);
  const described = { description: "Success", ...(Object.keys(headers).length > 0 && { headers }) };
  const content = {
    ...(endpoint.file !== null && fileAnswer(endpoint.file)),
    ...((endpoint.file === null || endpoint.fileOrData) && jsonAnswer(components, endpoint)),
  };
  const { alternative } = endpoint;
  return {
    [endpoint.status]: { ...described, content },
    ...(endpoint.mayContinue && { 202: { ...described, description: "Accepted; the work continues after this response", content } }),
    ...(alternative !== null && {
      [alternative.status]: {
        ...described,
        content: {
          "application/json": { schema: responseOf(components, alternative.answer, null, `${pascalCase(endpoint.name)}Alternative`) },
        },
      },
    }),
    ...(isTagged(endpoint) && { 304: { description: "Unchanged since the ETag that you sent" } }),
  };
}

function answerHeaders(components: Components, endpoint: Endpoint): Json {
  const text = (name: string, description: string) => ({
    [name]: components.share("headers", name, { description, schema: { type: "string" } }),
  });
  return {
    ...(isTagged(endpoint) && text("ETag", "Changes whenever the response does")),
    ...(endpoint.idempotent && !endpoint.secret && text("Idempotent-Replayed", "true: this is the response to an earlier request")),
  };
}

function jsonAnswer(components: Components, endpoint: Endpoint): Json {
  const schema = responseOf(components, endpoint.answer, endpoint.list, pascalCase(endpoint.name));
  if (endpoint.examples.answer === undefined) return { "application/json": { schema } };
  const examples = exampleOf(components, endpoint, "Response", String(schema.$ref), answerExample(endpoint));
  return { "application/json": { schema, examples } };
}

/** `{ data }`, or `{ data, meta }` for a list, named after its content. */
function responseOf(components: Components, answer: TSchema, list: Endpoint["list"], otherwise: string): Json {
  const data = components.publish(answer, "answer", otherwise);
  const held = typeof data.$ref === "string" ? (data.$ref.split("/").at(-1) ?? otherwise) : otherwise;
  if (list === null) {
    return components.add(`${held}Response`, { type: "object", properties: { data }, required: ["data"] });
  }
  const meta = components.publish(Meta, "answer");
  const properties = { data: { type: "array", items: data }, meta };
  return components.add(`${held}ListResponse`, { type: "object", properties, required: ["data", "meta"] });
}

/** A JSON file is described as an object, because clients parse it before they apply the schema. */
const fileSchema = (type: string): Json => (type.endsWith("+json") ? { type: "object" } : { type: "string", format: "binary" });

const fileAnswer = (types: readonly string[]): Json => Object.fromEntries(types.map((type) => [type, { schema: fileSchema(type) }]));

/** Named after its schema, or after the operation if that schema already has a different example. */
function exampleOf(components: Components, endpoint: Endpoint, ending: string, ref: string, value: unknown): Json {
  const usual = ref.split("/").at(-1) ?? "";
  const example = JSON.parse(JSON.stringify({ value })) as Json;
  const name = components.isTaken("examples", usual, example) ? `${pascalCase(endpoint.name)}${ending}Example` : usual;
  return { default: components.share("examples", name, example) };
}

function requestBodyOf(components: Components, endpoint: Endpoint): Json {
  const { body, form, attached, examples } = endpoint;
  const name = `${pascalCase(endpoint.name)}Request`;
  const withExample = (schema: Json): Json =>
    examples.request === undefined
      ? { schema }
      : { schema, examples: exampleOf(components, endpoint, "Request", String(schema.$ref), examples.request) };
  if (form !== null) {
    const schema = components.publish(formSchema(form), "request", body === undefined ? name : `${name}Form`);
    const instead = body === undefined ? {} : { "application/json": withExample(components.publish(body, "request", name)) };
    const asForm = body === undefined ? withExample(schema) : { schema };
    return { requestBody: { required: true, content: { ...instead, "multipart/form-data": asForm } } };
  }
  if (body === undefined) return {};
  const schema = components.publish(body, "request", name);
  const json = { "application/json": withExample(schema) };
  const withFile = attached === null ? {} : { "multipart/form-data": { schema: attachedForm(components, schema, attached, name) } };
  return { requestBody: { required: (body.required ?? []).length > 0, content: { ...json, ...withFile } } };
}

const FILE = { type: "string", format: "binary", description: "At most 50 MB" };
const asText = (schema: Json): Json => ({ type: "string", contentMediaType: "application/json", contentSchema: schema });

function attachedForm(components: Components, body: Json, attached: string, name: string): Json {
  const properties = { [attached]: FILE, payload: asText(body) };
  return components.add(`${name}Form`, { type: "object", properties, required: [attached, "payload"], additionalProperties: false });
}

/** A form as it is sent: the file as bytes, JSON parts as text. */
function formSchema(form: NonNullable<Endpoint["form"]>): Json {
  if (form === "arriving") return { type: "object", properties: { file: FILE }, required: ["file"] };
  const parts = Object.entries(form.parts.properties as Record<string, Json>).map(([name, schema]) => [
    name,
    form.json[name] === undefined ? schema : asText(schema),
  ]);
  return { type: "object", properties: { file: FILE, ...Object.fromEntries(parts) }, required: ["file", ...(form.parts.required ?? [])] };
}

function pathParameters(components: Components, endpoint: Endpoint): Json[] {
  return Object.entries(endpoint.params).map(([name, kind]) => {
    const schema = components.publish(schemaOfParam(kind), "request");
    const named =
      kind === name.replace(/_id$/, "") || kind === "slug" || kind === "tag" ? pascalCase(name) : `${pascalCase(kind)}${pascalCase(name)}`;
    return components.share("parameters", `${named}Path`, { name, in: "path", required: true, schema });
  });
}

const PageNumber = named(
  "PageNumber",
  Type.String({ pattern: NUMBER_PATTERN, description: "A whole number from 1", "x-message": "must be a whole number from 1" }),
);

const TagInPath = named("TagInPath", Type.String({ minLength: 1, maxLength: MAX_TAG_NAME, description: "The name of a tag" }));

function schemaOfParam(kind: ParamKind): TSchema {
  if (kind === "slug") return Slug;
  if (kind === "tag") return TagInPath;
  return kind === "number" ? PageNumber : idOf(kind);
}

function queryParameters(components: Components, { query, list }: Endpoint): Json[] {
  const own = parametersOf(components, query ?? Type.Object({}));
  if (list === null) return own;
  const { page, limit } = pageQuery(undefined).properties as { readonly page: Json; readonly limit: Json };
  const shared = { in: "query", required: false };
  const limits = { ...limit, maximum: list.max, default: list.limit };
  const description = "A larger value is reduced to the maximum; meta.limit shows the value used";
  return [
    ...own,
    components.share("parameters", "Page", { name: "page", ...shared, schema: { ...page, default: 1 } }),
    components.share("parameters", `Limit${list.limit}Max${list.max}`, { name: "limit", ...shared, description, schema: limits }),
  ];
}

function parametersOf(components: Components, query: TObject): Json[] {
  const required = new Set<string>(query.required ?? []);
  return Object.entries(query.properties as Record<string, TSchema>).map(([name, property]) => {
    const { description, deprecated, ...schema } = components.publish(property, "request");
    const shown = { ...(description !== undefined && { description }), ...(deprecated === true && { deprecated }) };
    return { name, in: "query", required: required.has(name), ...shown, schema };
  });
}

const IF_MATCH = "The ETag that GET returned for this record. If the record has changed since, nothing is changed and the response is 412.";

function headerParameters(components: Components, endpoint: Endpoint): Json[] {
  const ofWidget = endpoint.access !== "anyone" && "widget" in endpoint.access;
  const header = (part: string, name: string, description: string, schema: Json, required = false) =>
    components.share("parameters", part, { name, in: "header", required, description, schema });
  return [
    ...(ofWidget
      ? [
          header(
            "SigningSession",
            "X-Signing-Session",
            "128 random bits that the page creates once per visit. It gives no access; actions with the same value are recorded as one signing session.",
            { type: "string", pattern: "^[0-9a-f]{32}$" },
            true,
          ),
        ]
      : []),
    ...(endpoint.ifMatch ? [header("IfMatch", "If-Match", IF_MATCH, { type: "string" })] : []),
    ...(isTagged(endpoint)
      ? [header("IfNoneMatch", "If-None-Match", "The ETag of the response that you already have", { type: "string" })]
      : []),
    ...(endpoint.idempotent ? [idempotencyKey(header, endpoint)] : []),
  ];
}

function idempotencyKey(header: (part: string, name: string, description: string, schema: Json) => Json, { secret }: Endpoint): Json {
  const schema = { type: "string", minLength: 1, maxLength: 255 };
  return secret
    ? header(
        "IdempotencyKeyOfSecret",
        "Idempotency-Key",
        "Makes retries safe: the request runs only once. The response contains a secret and is not shown again, so a retry returns 409.",
        schema,
      )
    : header(
        "IdempotencyKey",
        "Idempotency-Key",
        "Makes retries safe: a request with the same key and body returns the first response again, for 24 hours.",
        schema,
      );
}
