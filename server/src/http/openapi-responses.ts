import { Type } from "typebox";
import { codesInDetails, detailLocations, type ProblemCode, problems } from "../shared/problems.ts";
import type { Access, Endpoint } from "./endpoint.ts";
import type { Components, Json } from "./openapi-components.ts";
import { statusOfProblem } from "./problem.ts";
import { named, nullable } from "./shapes.ts";

/** Error responses: each status once, plus the codes of each operation. */

const answers: Readonly<Record<number, { readonly name?: string; readonly description?: string; readonly waits?: boolean }>> = {
  400: { name: "BadRequest", description: "The request body is not valid JSON or not a valid form" },
  401: { name: "Unauthorized", description: "The credential is missing, wrong or expired" },
  403: { name: "Forbidden", description: "The credential does not allow this" },
  404: { name: "NotFound", description: "The record does not exist or belongs to another organization" },
  409: { name: "Conflict", description: "The record is not in a state that allows this", waits: true },
  412: { name: "PreconditionFailed", description: "The record has changed: If-Match does not match" },
  422: { name: "Invalid", description: "A value is not allowed; `details` lists each field" },
  429: { name: "RateLimited", description: "Too many requests; try again after Retry-After seconds", waits: true },
};

const integer = { schema: { type: "integer" } };

const ErrorCode = named("ErrorCode", Type.Enum(Object.keys(problems), { description: "The same code as in the header X-Error-Code" }));
const ErrorDetail = named(
  "ErrorDetail",
  Type.Object({
    location: Type.Enum([...detailLocations]),
    field: nullable(Type.String()),
    code: named("DetailCode", Type.Enum([...codesInDetails])),
    message: Type.String(),
    connection_id: Type.Optional(Type.String({ description: "Only with `sso_required`: the connection for POST /auth/sso/start" })),
  }),
);
const Candidate = named(
  "CustomerCandidate",
  Type.Object({ customer_id: Type.String(), name: nullable(Type.String()), client_id: nullable(Type.String()) }),
);
const ErrorBody = named(
  "Error",
  Type.Object({
    error: Type.String({ description: "Human-readable message" }),
    details: Type.Optional(Type.Array(ErrorDetail)),
    candidates: Type.Optional(
      Type.Array(Candidate, { description: "Only if several customers share an e-mail address: these customers, oldest first" }),
    ),
  }),
);

/** A reference to the shared response with this name. */
function shared(components: Components, name: string, description: string, waits: boolean): Json {
  const names = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", ...(waits ? ["Retry-After"] : [])];
  const code = components.share("headers", "X-Error-Code", { schema: components.publish(ErrorCode, "answer") });
  const headers = { "X-Error-Code": code, ...Object.fromEntries(names.map((name) => [name, components.share("headers", name, integer)])) };
  const content = { "application/json": { schema: components.publish(ErrorBody, "answer") } };
  return components.share("responses", name, { description, headers, content });
}

/** References to the shared responses, and the codes of this operation. */
export function refusalsOf(components: Components, endpoint: Endpoint): { readonly responses: Json; readonly codes: Json } {
  const statuses = new Set([...generalRefusals(endpoint), ...ownRefusals(endpoint)].map(statusOfProblem));
  const known = [...statuses]
    .sort((a, b) => a - b)
    .flatMap((status) => {
      const { name, description, waits = false } = answers[status] ?? {};
      return name === undefined || description === undefined ? [] : [[status, shared(components, name, description, waits)]];
    });
  return {
    responses: { ...Object.fromEntries(known), default: shared(components, "Error", "Any other error", true) },
    codes: byStatus(ownRefusals(endpoint)),
  };
}

function byStatus(codes: readonly ProblemCode[]): Json {
  const statuses = [...new Set(codes.map(statusOfProblem))].sort((a, b) => a - b);
  return Object.fromEntries(statuses.map((status) => [status, codes.filter((code) => statusOfProblem(code) === status)]));
}

function ownRefusals(endpoint: Endpoint): ProblemCode[] {
  const missing = Object.keys(endpoint.params).length > 0 ? [endpoint.missing] : [];
  const confirmed: ProblemCode[] = endpoint.stepUp ? ["reauthentication_required"] : [];
  const managed: ProblemCode[] = [
    ...(endpoint.ownAccount ? (["managed_by_sso"] as const) : []),
    ...(endpoint.followsLive ? (["sandbox_follows_live"] as const) : []),
    ...(endpoint.testOnly ? (["not_found"] as const) : []),
  ];
  return [...new Set([...missing, ...confirmed, ...managed, ...refusalsOfDrafts(endpoint.access), ...endpoint.problems])];
}

function refusalsOfDrafts(access: Access): ProblemCode[] {
  const isForDrafts = access !== "anyone" && "anyScope" in access && access.ownDraft === true;
  return isForDrafts ? ["draft_of_another", "envelope_wrong_status"] : [];
}

function generalRefusals(endpoint: Endpoint): ProblemCode[] {
  const codes: ProblemCode[] = refusalsOfAccess(endpoint.access);
  if (endpoint.form !== null || endpoint.attached !== null) codes.push("malformed_form");
  if ((endpoint.form === null || endpoint.body !== undefined) && endpoint.method !== "GET") codes.push("malformed_json");
  if (endpoint.ifMatch) codes.push("precondition_failed");
  if (endpoint.idempotent) codes.push("idempotency_in_progress");
  // Every operation refuses unknown query parameters.
  return [...codes, "invalid_request"];
}

function refusalsOfAccess(access: Access): ProblemCode[] {
  if (access === "anyone") return ["rate_limited"];
  if ("widget" in access) return ["invalid_token", "rate_limited"];
  if ("person" in access) return ["invalid_session", "rate_limited"];
  return ["invalid_api_key", "rate_limited", "scope_missing"];
}
