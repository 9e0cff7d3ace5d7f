import { DatabaseAway } from "../db/errors.ts";
import { type Detail, Problem, type ProblemCode, type ProblemKind, problems } from "../shared/problems.ts";

/** The only place that knows status codes. */
const statusOf: Record<ProblemKind, number> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  wrong_method: 405,
  timeout: 408,
  conflict: 409,
  precondition: 412,
  too_large: 413,
  headers_too_large: 431,
  wrong_type: 415,
  misdirected: 421,
  invalid: 422,
  rate_limited: 429,
  internal: 500,
  bad_peer: 502,
  unavailable: 503,
};

// The maximum number of mistakes in one response: enough to correct a request, but a small request cannot cause a large response.
export const MAX_DETAILS = 20;
// A batch is proposed for thousands of records at once; its caller removes those that are named and sends the rest again.
const MAX_NAMED_RECORDS = 100;

// The longest time until the full quota is back, so that the wait is never too short (specification, "Limits").
const RATE_RETRY_SECONDS = 60;
const DATABASE_RETRY_SECONDS = 5;

export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly error: string; readonly details?: readonly Detail[]; readonly candidates?: readonly unknown[] };
}

/** The parts of a request that decide which field a problem is reported for. */
export interface ProblemContext {
  /** the header that contained the accepted credential */
  readonly credential: "X-API-Key" | "Authorization";
  /** the names of the path's parameters */
  readonly params: readonly string[];
}

const NO_CONTEXT: ProblemContext = { credential: "Authorization", params: [] };

export function statusOfProblem(code: ProblemCode): number {
  return statusOf[problems[code].kind];
}

// Queued work waits at most a few seconds. A caller that retries at once would find the queue just as full.
const BUSY_RETRY_SECONDS = 5;

/** Turns any thrown value into a response. An error that is not a Problem becomes a 500 without details. */
export function refusalFor(error: unknown, context: ProblemContext = NO_CONTEXT): Refusal {
  const problem = problemOf(error);
  const retryAfter = problem.retryAfterSeconds ?? (problem.code === "rate_limited" ? RATE_RETRY_SECONDS : undefined);
  const details = detailsOf(problem, context);
  return {
    status: statusOfProblem(problem.code),
    headers: { "x-error-code": problem.code, ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }) },
    body: {
      error: problem.says,
      ...(details !== null && { details }),
      ...(problem.candidates !== undefined && { candidates: problem.candidates }),
    },
  };
}

/** The problem's own details, or one detail made from its code. Null for 429, whose whole body is fixed by the specification. */
function detailsOf({ code, says, details = [] }: Problem, context: ProblemContext): readonly Detail[] | null {
  if (details.length > 0) return details.slice(0, code === "control_batch_refused" ? MAX_NAMED_RECORDS : MAX_DETAILS);
  return code === "rate_limited" ? null : [{ ...placeOf(code, context), code, message: says }];
}

type Place = Pick<Detail, "location" | "field">;

const headers: Partial<Record<ProblemCode, "credential" | ProblemContext["credential"]>> = {
  invalid_api_key: "X-API-Key",
  api_key_in_authorization: "Authorization",
  invalid_session: "Authorization",
  invalid_token: "Authorization",
  scope_missing: "credential",
  admin_required: "credential",
  insufficient_permission: "credential",
  role_too_low: "credential",
  reauthentication_required: "Authorization",
};

/** The path parameter that names the missing record. */
const parameters: Partial<Record<ProblemCode, string>> = {
  key_not_found: "key_id",
  member_not_found: "user_id",
  invitation_not_found: "invitation_id",
  envelope_not_found: "envelope_id",
  recipient_not_found: "recipient_id",
  document_not_found: "document_id",
  signer_not_found: "slug",
  template_not_found: "template_id",
  session_not_found: "session_id",
  customer_not_found: "customer_id",
  tag_not_found: "tag",
  view_not_found: "view_id",
  form_not_found: "form_id",
  message_not_found: "message_id",
  party_not_found: "party_id",
  person_not_found: "person_id",
  act_not_found: "act_id",
  batch_not_found: "batch_id",
  control_batch_not_found: "control_batch_id",
  audit_grant_not_found: "grant_id",
  link_not_found: "slug",
  page_not_found: "page",
  audit_sink_not_found: "sink_id",
  endpoint_not_found: "endpoint_id",
  event_not_found: "event_id",
  delivery_not_found: "delivery_id",
  transfer_not_found: "permission_id",
  export_not_found: "export_id",
  ending_not_found: "ending_id",
  remote_vault_not_found: "vault_id",
  sandbox_not_found: "org_id",
  vault_transfer_not_found: "transfer_id",
  remote_request_not_found: "request_id",
  hold_not_found: "hold_id",
  factor_not_found: "factor_id",
  domain_not_found: "domain_id",
  connection_not_found: "connection_id",
  device_not_found: "device_id",
  problem_not_found: "problem_id",
};

/** Depends only on the code and the route, so that another organization's record looks like a missing one. */
function placeOf(code: ProblemCode, { credential, params }: ProblemContext): Place {
  const header = headers[code];
  if (header !== undefined) return { location: "header", field: header === "credential" ? credential : header };
  const parameter = parameters[code];
  if (parameter !== undefined && params.includes(parameter)) return { location: "path", field: parameter };
  return { location: "request", field: null };
}

export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseAway) {
    return new Problem("database_away", error.message, { retryAfterSeconds: DATABASE_RETRY_SECONDS, cause: error });
  }
  // The PDF engine's queue is full, whichever feature called it.
  if ((error as { fault?: unknown }).fault === "busy") {
    return new Problem("pdf_busy", "", { retryAfterSeconds: BUSY_RETRY_SECONDS, cause: error });
  }
  // Thrown by third-party code that serves the files of the API reference, for paths that it refuses.
  const { statusCode = 500 } = error as { statusCode?: number };
  if (statusCode === 403 || statusCode === 404) return new Problem("not_found", "", { cause: error });
  if (statusCode >= 400 && statusCode < 500) return new Problem("malformed_request", "", { cause: error });
  return new Problem("internal", "", { cause: error });
}
