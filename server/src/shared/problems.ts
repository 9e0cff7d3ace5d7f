/** What the caller can do about it; `http/problem.ts` alone turns a kind into a status code. */
export type ProblemKind =
  | "malformed"
  | "unauthenticated"
  | "forbidden"
  | "missing"
  | "wrong_method"
  | "conflict"
  | "too_large"
  | "headers_too_large"
  | "wrong_type"
  | "misdirected"
  | "invalid"
  | "rate_limited"
  | "internal"
  | "unavailable";

/** `says` is what the caller reads: it names no id of another org, no SQL, no path. Held equal to docs/errors.md by a test. */
export const problems = {
  malformed_request: { kind: "malformed", says: "Bad request" },
  malformed_json: { kind: "malformed", says: "The request body is not valid JSON" },

  invalid_api_key: { kind: "unauthenticated", says: "Invalid or missing API key" },
  invalid_session: { kind: "unauthenticated", says: "Invalid or expired session" },
  invalid_credentials: { kind: "unauthenticated", says: "Wrong e-mail or password" },
  invalid_refresh_token: { kind: "unauthenticated", says: "Invalid or expired refresh token" },

  scope_missing: { kind: "forbidden", says: "Missing required scope: {scope}" },
  admin_required: { kind: "forbidden", says: "Admin role required" },
  role_too_low: { kind: "forbidden", says: "Your role does not allow this" },
  origin_refused: { kind: "forbidden", says: "This request must come from the console" },

  not_found: { kind: "missing", says: "Not found" },
  key_not_found: { kind: "missing", says: "Key not found" },
  member_not_found: { kind: "missing", says: "Member not found" },
  invitation_not_found: { kind: "missing", says: "Invitation not found" },
  session_not_found: { kind: "missing", says: "Session not found" },

  method_not_allowed: { kind: "wrong_method", says: "Method not allowed" },

  setup_done: { kind: "conflict", says: "This installation is already set up. Sign in, or ask an admin for an invitation" },
  key_deactivated: { kind: "conflict", says: "The key is deactivated. Create a new one" },
  last_admin: { kind: "conflict", says: "The last admin cannot be removed or demoted. Make somebody else admin first" },
  already_member: { kind: "conflict", says: "This person is already a member" },
  invitation_ended: { kind: "conflict", says: "The invitation was already accepted or revoked" },
  idempotency_in_progress: { kind: "conflict", says: "A request with this Idempotency-Key is still running. Try again" },
  idempotency_secret: { kind: "conflict", says: "This request already succeeded, and its answer held a secret that is shown only once" },

  headers_too_large: { kind: "headers_too_large", says: "The request's headers are too large" },
  body_too_large: { kind: "too_large", says: "The request body is too large" },
  wrong_media_type: { kind: "wrong_type", says: "The body must be application/json in UTF-8, without a Content-Encoding" },
  wrong_host: { kind: "misdirected", says: "This service answers only to loopback names. Set PUBLIC_URL to the address that people use" },

  invalid_request: { kind: "invalid", says: "Validation failed" },
  idempotency_mismatch: { kind: "invalid", says: "This Idempotency-Key was used with a different request" },
  invalid_link: { kind: "invalid", says: "The link is not valid, was used already, or has expired" },

  rate_limited: { kind: "rate_limited", says: "Rate limit exceeded" },
  internal: { kind: "internal", says: "Internal server error" },
  database_away: { kind: "unavailable", says: "Service unavailable" },
} as const satisfies Record<string, { kind: ProblemKind; says: string }>;

export type ProblemCode = keyof typeof problems;

/** Why a value was refused: a closed list that clients can switch on. */
export const detailCodes = [
  "required",
  "invalid_type",
  "invalid_format",
  "invalid_value",
  "too_small",
  "too_big",
  "too_long",
  "duplicate",
  "not_found",
  "out_of_range",
  "conflict",
  "insufficient_scope",
] as const;

export type DetailCode = (typeof detailCodes)[number];

export interface Detail {
  readonly location: "body" | "form" | "query" | "path" | "header";
  /** `fields[0].placement.w`; null for the whole body */
  readonly field: string | null;
  readonly code: DetailCode;
  readonly message: string;
}

export interface ProblemOptions {
  readonly details?: readonly Detail[];
  /** fills the `{…}` of the public sentence */
  readonly words?: Readonly<Record<string, string>>;
  readonly retryAfterSeconds?: number;
  /** the quota that was used up, when it is not the credential's own */
  readonly quota?: { readonly limit: number; readonly remaining: number; readonly reset: number };
  readonly cause?: unknown;
}

/** The caller's mistake, or a record whose state forbids the act. `why` is for our log and holds no customer text. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly details: readonly Detail[] | undefined;
  readonly says: string;
  readonly retryAfterSeconds: number | undefined;
  readonly quota: ProblemOptions["quota"];

  constructor(code: ProblemCode, why = "", options: ProblemOptions = {}) {
    super(why === "" ? code : `${code}: ${why}`, { cause: options.cause });
    this.name = "Problem";
    this.code = code;
    this.details = options.details;
    this.says = problems[code].says.replace(/\{(\w+)\}/g, (_, word: string) => options.words?.[word] ?? "");
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.quota = options.quota;
  }
}

/** One value of the body is wrong: 422 with its place. */
export function invalidField(field: string, code: DetailCode, message: string): Problem {
  return new Problem("invalid_request", `${field} ${code}`, { details: [{ location: "body", field, code, message }] });
}
