import type { ProblemCode } from "../shared/problems.ts";
import type { Access, Endpoint } from "./endpoint.ts";
import type { Components, Json } from "./openapi-components.ts";
import { statusOfProblem } from "./problem.ts";

/** What can be refused: each status once, and for each operation the codes of its own. */

const shared: Readonly<Record<number, { readonly name: string; readonly description: string; readonly waits?: true }>> = {
  400: { name: "BadRequest", description: "The request cannot be read: its body is no JSON, or no form" },
  401: { name: "Unauthorized", description: "The credential is missing, wrong or expired" },
  403: { name: "Forbidden", description: "The credential does not allow this" },
  404: { name: "NotFound", description: "There is no such record, or it belongs to another organization" },
  409: { name: "Conflict", description: "The record is not in a state that allows this", waits: true },
  412: { name: "PreconditionFailed", description: "The record has changed: If-Match does not match" },
  422: { name: "Invalid", description: "A value is not allowed; details name each place" },
  429: { name: "RateLimited", description: "Too many requests; come back after Retry-After seconds", waits: true },
};

const integer = { schema: { type: "integer" } };

export function addResponses(components: Components, body: Json): void {
  const headersOf = (waits: boolean) => {
    const names = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", ...(waits ? ["Retry-After"] : [])];
    const code = components.share("headers", "X-Error-Code", { schema: { $ref: "#/components/schemas/ErrorCode" } });
    return { "X-Error-Code": code, ...Object.fromEntries(names.map((name) => [name, components.share("headers", name, integer)])) };
  };
  const content = { "application/json": { schema: body } };
  for (const { name, description, waits = false } of Object.values(shared)) {
    components.share("responses", name, { description, headers: headersOf(waits), content });
  }
  components.share("responses", "Error", { description: "Any other error", headers: headersOf(true), content });
}

/** References to the shared answers, and what this operation adds to them. */
export function refusalsOf(endpoint: Endpoint): { readonly responses: Json; readonly codes: Json } {
  const statuses = new Set([...generalRefusals(endpoint), ...ownRefusals(endpoint)].map(statusOfProblem));
  const known = [...statuses]
    .sort((a, b) => a - b)
    .flatMap((status) => (shared[status] === undefined ? [] : [[status, shared[status].name]]));
  const ref = (name: string) => ({ $ref: `#/components/responses/${name}` });
  return {
    responses: { ...Object.fromEntries(known.map(([status, name]) => [status, ref(String(name))])), default: ref("Error") },
    codes: byStatus(ownRefusals(endpoint)),
  };
}

function byStatus(codes: readonly ProblemCode[]): Json {
  const statuses = [...new Set(codes.map(statusOfProblem))].sort((a, b) => a - b);
  return Object.fromEntries(statuses.map((status) => [status, codes.filter((code) => statusOfProblem(code) === status)]));
}

function ownRefusals(endpoint: Endpoint): ProblemCode[] {
  const missing = Object.keys(endpoint.params).length > 0 ? [endpoint.missing] : [];
  return [...new Set([...missing, ...endpoint.problems])];
}

function generalRefusals(endpoint: Endpoint): ProblemCode[] {
  const codes: ProblemCode[] = refusalsOfAccess(endpoint.access);
  if (endpoint.form !== null || endpoint.attached !== null) codes.push("malformed_form");
  if (endpoint.form === null && endpoint.method !== "GET") codes.push("malformed_json");
  if (endpoint.idempotent) codes.push("idempotency_in_progress");
  // Every operation refuses a query parameter that it does not know.
  return [...codes, "invalid_request"];
}

function refusalsOfAccess(access: Access): ProblemCode[] {
  if (access === "anyone") return ["rate_limited"];
  if ("widget" in access) return ["invalid_token", "rate_limited"];
  return ["invalid_api_key", "rate_limited", "scope_missing"];
}
