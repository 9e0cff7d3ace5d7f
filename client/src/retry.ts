import { ConflictError, ConnectionError, type CountersignError, RateLimitError } from "./errors.ts";

/** What has happened to one request so far. */
export interface Attempts {
  /** sent again; a wait for the rate limit does not count */
  retries: number;
  hasWaitedForRate: boolean;
}

export interface RetryRules {
  readonly maxRetries: number;
  readonly onRateLimit: "wait" | "throw";
  /** it does no harm if it is carried out twice: GET, PUT, PATCH, DELETE, or a POST with an Idempotency-Key */
  readonly isRepeatable: boolean;
  /** the body can be sent once more */
  readonly canSendBody: boolean;
  readonly random: () => number;
}

// The service asks for 60 s. A caller that waits longer should rather know why.
const LONGEST_WAIT_MS = 90_000;
const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;
const REPEATED_STATUSES = [408, 502, 503, 504];
// Nothing was done, and a moment later it can be.
const REPEATED_CONFLICTS = ["idempotency_in_progress", "document_not_ready"];

/** How long to wait before the request is sent again; null: it failed. Counts what it decides. */
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

/** A request over the limit was not carried out, so this is safe for every method. */
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

// Each happens before there is a connection, so the service cannot have seen the request. A reset is not among them: `fetch` does not say
// whether it came before the first byte was sent, and a POST that is carried out twice is worse than one that failed. The codes are
// Node's, Bun's and undici's; where a runtime gives none, nothing is sent again.
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

/** Seconds, or a date: RFC 9110, 10.2.3. */
export function retryAfterOf(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
