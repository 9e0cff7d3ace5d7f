/** The PostgreSQL error codes (appendix A of its manual) that we handle. */
const RETRY = new Set(["40001", "40P01"]);
const AWAY = new Set(["57P01", "57P02", "57P03", "53300", "08000", "08003", "08006", "08001", "08004"]);
const AWAY_NODE = new Set(["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENOTFOUND", "EAI_AGAIN"]);

export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : undefined;
}

/** Deadlock or serialization failure. The transaction had no effect and can run again. */
export function isRetryable(error: unknown): boolean {
  return RETRY.has(codeOf(error) ?? "");
}

export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === "23505";
}

export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === "55P03";
}

/**
 * Thrown in a transaction that needs something which must not be waited for inside it, such as a key from another machine. The transaction
 * is rolled back, `prepare` runs while it holds no connection and no lock, and then it runs again.
 */
export class PrepareFirst extends Error {
  override readonly name = "PrepareFirst";
  readonly prepare: () => Promise<void>;

  constructor(message: string, prepare: () => Promise<void>) {
    super(message);
    this.prepare = prepare;
  }
}

/** The database cannot be reached, or it closed the connection. Only thrown by connecting and querying. */
export class DatabaseAway extends Error {
  constructor(cause: unknown) {
    super(`database away: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = "DatabaseAway";
  }
}

/**
 * PgBouncer reports everything as a protocol violation: a server that it cannot log in to, a connection that broke, a query that waited too
 * long. What PostgreSQL reports under this code is a mistake of ours, and names the routine that found it.
 */
const isOfPooler = (error: unknown): boolean => codeOf(error) === "08P01" && (error as { routine?: unknown }).routine === undefined;

export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error) ?? "";
  if (AWAY.has(code) || AWAY_NODE.has(code) || isOfPooler(error)) return true;
  // `pg` throws these errors without a code.
  const message = error instanceof Error ? error.message : "";
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/.test(
    message,
  );
}
