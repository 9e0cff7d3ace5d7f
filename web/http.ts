import type { ErrorDetail } from "@countersign/client/types";

/** An error answer of the service. Pages act on `code`; the message is that of the API. */
export class ApiError extends Error {
  readonly status: number;
  /** the name of the problem, as in docs/errors.md */
  readonly problem: string;
  /** details in addition to the message */
  readonly details: readonly ErrorDetail[];
  readonly request_id: string;
  readonly retry_after_s: number | null;

  constructor(response: Response, body: { readonly error?: string; readonly details?: readonly ErrorDetail[] }) {
    super(body.error ?? `HTTP ${response.status}`);
    this.status = response.status;
    this.problem = response.headers.get("x-error-code") ?? "";
    // Errors without details repeat their message as a detail.
    this.details = (body.details ?? []).filter(({ location, message }) => location === "body" || message !== body.error);
    this.request_id = response.headers.get("x-request-id") ?? "";
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
    this.retry_after_s = Number.isFinite(seconds) ? seconds : null;
  }

  get code(): ErrorDetail["code"] | "" {
    return this.details[0]?.code ?? "";
  }

  /** Whether the same request may succeed later. */
  get isTemporary(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

/** No answer: no network, or the service is down. */
export class Unreachable extends Error {}

export async function expectOk(asked: Promise<Response>): Promise<Response> {
  const response = await asked.catch((cause: unknown) => {
    throw new Unreachable("no answer", { cause });
  });
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw new ApiError(response, body);
}

/** Parses the body of an answer. */
export async function readJson<T>(answered: Promise<Response>): Promise<T> {
  const response = await answered;
  return response.json().catch((cause: unknown) => {
    throw new Unreachable("incomplete answer", { cause });
  });
}

export async function readData<T>(asked: Promise<Response>): Promise<T> {
  return (await readJson<{ readonly data: T }>(expectOk(asked))).data;
}

const RETRY_AFTER_MS = [1_000, 2_000, 4_000, 8_000, 15_000];

/** How long to wait before the next attempt, at least as long as the service asks. */
export function retryDelayMs(error: unknown, attempts: number): number {
  const asked_s = error instanceof ApiError ? (error.retry_after_s ?? 0) : 0;
  return Math.max(asked_s * 1_000, RETRY_AFTER_MS[Math.min(attempts, RETRY_AFTER_MS.length - 1)] ?? 0);
}

/** Whether retrying can help. Such errors are shown as a delay, not as a failure. */
export function isTemporary(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof ApiError && error.isTemporary);
}
