import type { CustomerCandidate, ErrorCode, ErrorDetail } from "./generated/types.ts";

/** Later versions of the service may add codes. Handle those you know and rethrow the others. */
export type Code = ErrorCode | (string & {});

interface ErrorFields {
  readonly status: number;
  readonly code: Code | null;
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | null;
}

/** The service rejected a request or could not be reached. `message` names the request and the reason. */
export class CountersignError extends Error {
  override readonly name: string = "CountersignError";
  /** 0 if there was no response */
  readonly status: number;
  /** a code from docs/errors.md; null if there was no response, or if it did not come from the service */
  readonly code: Code | null;
  readonly details: readonly ErrorDetail[];
  /** quote it when you ask for help */
  readonly requestId: string | null;

  constructor(message: string, { status, code, details, requestId }: ErrorFields, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
  }
}

/** 401: the key is wrong or deactivated, or the session has ended. */
export class AuthenticationError extends CountersignError {
  override readonly name = "AuthenticationError";
}

/** 403: the key lacks a scope, or the person's role does not allow it. */
export class PermissionError extends CountersignError {
  override readonly name = "PermissionError";
}

/** 404: the record does not exist or belongs to another organization. */
export class NotFoundError extends CountersignError {
  override readonly name = "NotFoundError";
}

/** 409: the state of the record does not allow it. 412: the record has changed since it was read. */
export class ConflictError extends CountersignError {
  override readonly name = "ConflictError";
  /** the customers that share an e-mail address, with the code `several_customers` */
  readonly candidates: readonly CustomerCandidate[];

  constructor(message: string, refusal: ErrorFields, candidates: readonly CustomerCandidate[]) {
    super(message, refusal);
    this.candidates = candidates;
  }
}

/** 400, 413, 415, 422: the request is invalid. `details` says where. */
export class ValidationError extends CountersignError {
  override readonly name = "ValidationError";

  /** The errors for one field: `error.for("signers[0].email")`. */
  for(field: string): readonly ErrorDetail[] {
    return this.details.filter((detail) => detail.field === field);
  }
}

/** 429: the key has reached its rate limit for this minute. */
export class RateLimitError extends CountersignError {
  override readonly name = "RateLimitError";
  readonly retryAfterMs: number;

  constructor(message: string, refusal: ErrorFields, retryAfterMs: number) {
    super(message, refusal);
    this.retryAfterMs = retryAfterMs;
  }
}

/** 500 and above. */
export class ServerError extends CountersignError {
  override readonly name = "ServerError";
}

/**
 * There was no response: the service could not be reached, the connection was lost, or the request timed out. `cause` is the error that
 * `fetch` threw.
 */
export class ConnectionError extends CountersignError {
  override readonly name = "ConnectionError";

  constructor(message: string, cause: unknown) {
    super(message, { status: 0, code: null, details: [], requestId: null }, { cause });
  }
}

/** The client has `requireTestMode`, and its key or session is not of a sandbox. Only the question about the key was sent. */
export class LiveModeError extends Error {
  override readonly name = "LiveModeError";
  readonly org_id: string;

  constructor(org_id: string, org_name: string) {
    super(`This needs a key of a sandbox, and the key is of ${org_name} (${org_id}), which is live. Nothing was changed`);
    this.org_id = org_id;
  }
}

/** `waitFor` stopped because the envelope was declined, was voided or has expired. */
export class EnvelopeEndedError extends Error {
  override readonly name = "EnvelopeEndedError";
  readonly envelope_id: string;
  readonly status: string;

  constructor(envelope_id: string, status: string) {
    super(`${envelope_id} is ${status}`);
    this.envelope_id = envelope_id;
    this.status = status;
  }
}

/** `waitFor` stopped because the envelope did not reach the status in time. */
export class WaitTimeoutError extends Error {
  override readonly name = "WaitTimeoutError";
  readonly envelope_id: string;
  readonly status: string;

  constructor(envelope_id: string, status: string, timeoutMs: number) {
    super(`${envelope_id} is still ${status} after ${timeoutMs / 1000} s`);
    this.envelope_id = envelope_id;
    this.status = status;
  }
}

/**
 * Whether an error is a CountersignError with this code.
 *
 *     if (isCode(error, "envelope_wrong_status")) return; // voided already
 */
export function isCode<C extends ErrorCode>(error: unknown, code: C): error is CountersignError & { readonly code: C } {
  return error instanceof CountersignError && error.code === code;
}

// The service always sends Retry-After: 60. A proxy in front of it may not.
const RETRY_AFTER_MS = 60_000;

/** The error for an unsuccessful response. */
export function errorOf(request: string, response: Response, text: string, retryAfterMs: number | null): CountersignError {
  const { error, details, candidates } = parseErrorBody(text);
  const refusal = {
    status: response.status,
    code: response.headers.get("x-error-code") ?? null,
    details,
    requestId: response.headers.get("x-request-id"),
  };
  const message = `${request}: ${response.status} ${error}${fieldErrors(error, details)}`;
  if (response.status === 401) return new AuthenticationError(message, refusal);
  if (response.status === 403) return new PermissionError(message, refusal);
  if (response.status === 404) return new NotFoundError(message, refusal);
  if (response.status === 409 || response.status === 412) return new ConflictError(message, refusal, candidates);
  if ([400, 413, 415, 422].includes(response.status)) return new ValidationError(message, refusal);
  if (response.status === 429) return new RateLimitError(message, refusal, retryAfterMs ?? RETRY_AFTER_MS);
  return response.status >= 500 ? new ServerError(message, refusal) : new CountersignError(message, refusal);
}

/** Redirects are not followed, because they would send the key to another host. `url` is where the request was sent. */
export function redirectError(request: string, url: string, response: Response): CountersignError {
  const { status, headers } = response;
  const location = headers.get("location");
  const message = `${request}: ${status} redirects to ${location ?? "another address"}. Redirects are not followed. ${baseUrlFor(url, location)}`;
  return new CountersignError(message, { status, code: null, details: [], requestId: headers.get("x-request-id") });
}

function baseUrlFor(url: string, location: string | null): string {
  const path = /\/api\/v2\/[^?]*/.exec(url)?.[0] ?? "";
  const target = location !== null && URL.canParse(location, url) ? new URL(location, url) : null;
  if (target === null || !target.pathname.endsWith(path)) return "Is baseUrl the address of Countersign?";
  return `Set baseUrl to ${target.origin}${target.pathname.slice(0, -path.length)}`;
}

interface ErrorBody {
  readonly error: string;
  readonly details: readonly ErrorDetail[];
  readonly candidates: readonly CustomerCandidate[];
}

// A longer text is an error page of a proxy; its beginning is enough.
const SHOWN_CHARACTERS = 200;

function parseErrorBody(text: string): ErrorBody {
  const unparsed = { error: text.slice(0, SHOWN_CHARACTERS), details: [], candidates: [] };
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return unparsed;
    throw error;
  }
  if (typeof body !== "object" || body === null || !("error" in body) || typeof body.error !== "string") return unparsed;
  const { details, candidates } = body as Partial<ErrorBody>;
  return { error: body.error, details: details ?? [], candidates: candidates ?? [] };
}

const SHOWN_DETAILS = 3;

/** Lists the invalid fields, unless the message already says the same. */
function fieldErrors(sentence: string, details: readonly ErrorDetail[]): string {
  const named = details
    .filter(({ field, message }) => field !== null && message !== sentence)
    .map(({ field, message }) => `${field} ${message}`);
  if (named.length === 0) return "";
  const more = named.length > SHOWN_DETAILS ? `; ${named.length - SHOWN_DETAILS} more` : "";
  return ` (${named.slice(0, SHOWN_DETAILS).join("; ")}${more})`;
}
