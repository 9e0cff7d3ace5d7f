import { DatabaseAway } from "../db/errors.ts";
import { Problem, type ProblemCode, type ProblemKind, problems } from "../shared/problems.ts";

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

// One answer names at most this many mistakes: enough to mend a request, too few to make of a small one a large answer.
export const MAX_DETAILS = 20;

// The longest a full quota takes to come back, so the wait is never too short: specification, "Limits".
const RATE_RETRY_SECONDS = 60;
const DATABASE_RETRY_SECONDS = 5;

export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly error: string; readonly details?: readonly unknown[]; readonly candidates?: readonly unknown[] };
}

export function statusOfProblem(code: ProblemCode): number {
  return statusOf[problems[code].kind];
}

// Work that waits is a few seconds old at most; a caller that comes back at once would find the queue as full.
const BUSY_RETRY_SECONDS = 5;

/** Anything that was thrown, as an answer. What is no Problem of ours is a 500 that says nothing. */
export function refusalFor(error: unknown): Refusal {
  const problem = problemOf(error);
  const retryAfter = problem.retryAfterSeconds ?? (problem.code === "rate_limited" ? RATE_RETRY_SECONDS : undefined);
  return {
    status: statusOfProblem(problem.code),
    headers: retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
    body: {
      error: problem.says,
      ...(problem.details !== undefined && { details: problem.details.slice(0, MAX_DETAILS) }),
      ...(problem.candidates !== undefined && { candidates: problem.candidates }),
    },
  };
}

export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseAway) {
    return new Problem("database_away", error.message, { retryAfterSeconds: DATABASE_RETRY_SECONDS, cause: error });
  }
  // The PDF engine when its queue is full, whichever room asked it.
  if ((error as { fault?: unknown }).fault === "busy") {
    return new Problem("pdf_busy", "", { retryAfterSeconds: BUSY_RETRY_SECONDS, cause: error });
  }
  // A part that we did not write (the files of the API reference) says so when it does not like a path.
  const { statusCode = 500 } = error as { statusCode?: number };
  if (statusCode === 403 || statusCode === 404) return new Problem("not_found", "", { cause: error });
  if (statusCode >= 400 && statusCode < 500) return new Problem("malformed_request", "", { cause: error });
  return new Problem("internal", "", { cause: error });
}
