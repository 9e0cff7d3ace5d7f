import { ConflictError, ConnectionError, type CountersignError, RateLimitError } from "./errors.ts";

/** The attempts of one request so far. */
export interface Attempts {
  /** how many times it was retried; waiting for the rate limit does not count */
  retries: number;
  hasWaitedForRate: boolean;
}

export interface RetryRules {
  readonly maxRetries: number;
  readonly onRateLimit: "wait" | "throw";
  /** whether it is safe to carry out twice: GET, PUT, PATCH, DELETE, or a POST with an Idempotency-Key */
  readonly isRepeatable: boolean;
  /** whether the body can be sent again */
  readonly canSendBody: boolean;
  readonly random: () => number;
}

// The service asks for 60 s. Beyond 90 s, the caller should get the error instead of waiting.
const LONGEST_WAIT_MS = 90_000;
const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;
const REPEATED_STATUSES = [408, 502, 503, 504];
// Conflicts that end by themselves: nothing was carried out, and a retry can succeed.
const REPEATED_CONFLICTS = ["idempotency_in_progress", "document_not_ready"];

/** Returns how long to wait before the next attempt, or null if the request has failed. Updates `attempts`. */
export function waitBeforeRetry(
  error: CountersignError,
  retryAfterMs: number | null,
  attempts: Attempts,
  rules: RetryRules,
): number | null {
  if (!rules.canSendBody) return null;
  if (error instanceof RateLimitError) return waitForRate(error, attempts, rules);
  if (attempts.retries >= rules.maxRetries || !isWorthRetrying(error, rules)) return null;
  const backoffMs = Math.min(FIRST_WAIT_MS * 2 ** attempts.retries, LONGEST_BACKOFF_MS) * (0.5 + rules.random());
  attempts.retries++;
  return within(retryAfterMs ?? backoffMs);
}

/** A request over the limit was not carried out, so retrying is safe for every method. */
function waitForRate({ retryAfterMs }: RateLimitError, attempts: Attempts, { onRateLimit }: RetryRules): number | null {
  if (onRateLimit === "throw" || attempts.hasWaitedForRate) return null;
  attempts.hasWaitedForRate = true;
  return within(retryAfterMs);
}

const within = (ms: number) => (ms > LONGEST_WAIT_MS ? null : ms);

function isWorthRetrying(error: CountersignError, { isRepeatable }: RetryRules): boolean {
  if (error instanceof ConnectionError) return isRepeatable || neverConnected(error.cause);
  if (error instanceof ConflictError) return REPEATED_CONFLICTS.includes(error.code ?? "");
  return isRepeatable && REPEATED_STATUSES.includes(error.status);
}

// Errors that occur before a connection exists, so the service cannot have received the request. A reset is not among them: `fetch` does
// not say whether it came before the first byte was sent, and carrying out a POST twice is worse than failing. The codes are those of
// Node, Bun and undici; if a runtime gives no code, there is no retry.
const BEFORE_CONNECTION = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "ConnectionRefused",
];

function neverConnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall, errors } = error as Error & { code?: unknown; syscall?: unknown; errors?: unknown };
  if (Array.isArray(errors) && errors.length > 0) return errors.every(neverConnected);
  if (syscall === "connect" || (typeof code === "string" && BEFORE_CONNECTION.includes(code))) return true;
  return neverConnected(error.cause);
}

/** The header contains seconds or a date (RFC 9110, 10.2.3). */
export function retryAfterOf(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
