import type { TObject } from "typebox";
import { type Endpoint, resources } from "./endpoint.ts";
import { type EventTypes, eventShape } from "./event-shapes.ts";
import { Components, type Json } from "./openapi-components.ts";
import { operationOf, schemasOf } from "./openapi-operation.ts";
import { pascalCase } from "./shapes.ts";

/** Generates OpenAPI 3.1 from the endpoint declarations. A test keeps `openapi.json` and `openapi-pages.json` in the repository equal to it. */

const INTRODUCTION = `Electronic signatures with a compliance vault.

**Responses.** Every 2xx body has its payload under \`data\`; lists add \`meta\`. Later versions can add fields, enum values and event types. Clients must accept values that they do not know.

**Errors.** Every error body is \`{ error, details }\` and every error has the header \`X-Error-Code\`. 429 has no details, except for log-ins. Unknown paths return 404; unsupported methods return 405 with \`Allow\`.

**Rate limits.** Every response to a valid HTTP request has \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (the Unix time in seconds at which the full quota is available again). 429 has \`Retry-After\`.

**Conditions.** Operations with an \`If-Match\` parameter return 412 if the record has changed since its ETag was read. Other writes refuse the header with 422.

**Deprecation.** Responses of a deprecated operation have \`Deprecation\` (since when), \`Sunset\` (from when on it may be removed, at least 12 months later) and \`Link\` with \`rel="deprecation"\`.

**Requests.** Unknown query parameters and body fields are refused with 422 (\`unknown_field\`). For a key with \`lenient_fields\`, unknown body fields are ignored and listed in the header \`X-Ignored-Fields\`. \`X-Request-Id\` in a response identifies the request in the service's log.`;

const PAGES_INTRODUCTION = `The protocol of Countersign's own pages: signing, the vault widget, the pages of people who act for parties, set-up, invitations and password reset. It can change in any release; integrations should use openapi.json.`;

const license = { name: "MIT", identifier: "MIT" };
const api_key = {
  type: "apiKey",
  in: "header",
  name: "X-API-Key",
  description: "An API key of one organization: `lk_` and 40 hexadecimal characters.",
};
const session = { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "The token from POST /auth/login." };
const widget_token = {
  type: "http",
  scheme: "bearer",
  bearerFormat: "JWT",
  description: "The token from POST /embed/token or POST /embed/links/{slug}/token, valid for one envelope and one widget for 15 minutes.",
};

const person_session = { type: "http", scheme: "bearer", description: "The token from POST /p/api/session, valid for 30 minutes." };

/** Every operation that a key or a console session can call, plus log-in and sign-out. */
export const isForIntegrators = ({ access, sdk }: Endpoint): boolean =>
  sdk !== null || (access !== "anyone" && !("widget" in access) && !("person" in access));

export function openApiDocument(endpoints: readonly Endpoint[], eventTypes: EventTypes, version: string): Json {
  const operations = endpoints.filter(isForIntegrators);
  refuseUnknownReplacement(operations);
  const events = Object.entries(eventTypes).filter(([, { dispatched }]) => dispatched);
  const eventSchemas = events.map(([, { data }]) => ({ schema: data, side: "answer" as const }));
  const components = new Components([...operations.flatMap(schemasOf), ...eventSchemas]);
  const used = new Set(operations.map(({ resource }) => resource));
  const paths = pathsOf(components, operations);
  const webhooks = Object.fromEntries(events.map(([type, { about, data }]) => [type, webhookOf(components, type, about, data)]));
  addWebhookEvent(components, Object.keys(webhooks));
  return {
    openapi: "3.1.0",
    info: { title: "Countersign", version, description: INTRODUCTION, license },
    servers: [{ url: "/api/v2" }],
    tags: resources.filter((resource) => used.has(resource)).map((name) => ({ name })),
    paths,
    webhooks,
    components: { ...components.all(), securitySchemes: { api_key, session } },
  };
}

function refuseUnknownReplacement(operations: readonly Endpoint[]): void {
  for (const { name, stability } of operations) {
    if (stability === null || stability === "beta") continue;
    if (!operations.some((other) => other.name === stability.use && other.name !== name))
      throw new Error(`${name}: ${stability.use} is no other operation`);
  }
}

export function pagesDocument(endpoints: readonly Endpoint[], version: string): Json {
  const operations = endpoints.filter((endpoint) => !isForIntegrators(endpoint));
  const components = new Components(operations.flatMap(schemasOf));
  const paths = pathsOf(components, operations);
  return {
    openapi: "3.1.0",
    info: { title: "Countersign pages", version, description: PAGES_INTRODUCTION, license },
    servers: [{ url: "/api/v2" }],
    paths,
    components: { ...components.all(), securitySchemes: { widget_token, person_session } },
  };
}

function pathsOf(components: Components, endpoints: readonly Endpoint[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
    const item = paths[path] ?? {};
    paths[path] = item;
    item[endpoint.method.toLowerCase()] = operationOf(components, endpoint);
  }
  return paths;
}

const webhookHeaders = {
  "webhook-id": "The event's ID. It is the same on each attempt, so a receiver can ignore duplicates",
  "webhook-timestamp": "The Unix time of this attempt in seconds",
  "webhook-signature": "One or more signatures of ID, timestamp and body, separated by spaces; see Standard Webhooks",
};

function webhookOf(components: Components, type: string, about: string, data: TObject): Json {
  const parameters = Object.entries(webhookHeaders).map(([header, description]) =>
    components.share("parameters", pascalCase(header), {
      name: header,
      in: "header",
      required: true,
      description,
      schema: { type: "string" },
    }),
  );
  return {
    post: {
      operationId: `on_${type.replaceAll(".", "_")}`,
      summary: about,
      tags: ["Events and deliveries"],
      parameters,
      requestBody: { required: true, content: { "application/json": { schema: components.publish(eventShape(type, data), "answer") } } },
      responses: { "2XX": { description: "Received. Any other response, or none within 15 seconds, causes a retry" } },
    },
  };
}

function addWebhookEvent(components: Components, types: readonly string[]): void {
  const refOf = (type: string) => `#/components/schemas/${pascalCase(type)}Event`;
  components.add("WebhookEvent", {
    oneOf: types.map((type) => ({ $ref: refOf(type) })),
    discriminator: { propertyName: "event_type", mapping: Object.fromEntries(types.map((type) => [type, refOf(type)])) },
  });
}
