/** How a client is made. */
export interface ClientOptions {
  /** where the service is, `https://sign.example.com`; `/api/v2` may be left out */
  readonly baseUrl: string;
  /** `lk_…`; either this or `token` */
  readonly apiKey?: string | undefined;
  /** gives the access token of a session, for every request anew; either this or `apiKey` */
  readonly token?: (() => Promise<string> | string) | undefined;
  /** how long one attempt may take; 60,000 */
  readonly timeoutMs?: number | undefined;
  /** how long one attempt may take that carries a file, in either direction; 300,000 */
  readonly fileTimeoutMs?: number | undefined;
  /** how often a failed request is sent again; 2 */
  readonly maxRetries?: number | undefined;
  /** `wait`: a 429 is sent again once, after its Retry-After, if that is at most 90 s; `throw`: a RateLimitError at once */
  readonly onRateLimit?: "wait" | "throw" | undefined;
  /** instead of the global `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** What every method takes last. */
export interface RequestOptions {
  /** ends the request and its retries; the call then throws the signal's reason */
  readonly signal?: AbortSignal | undefined;
  /** instead of the client's */
  readonly timeoutMs?: number | undefined;
  /** instead of the client's */
  readonly maxRetries?: number | undefined;
  /** more headers */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface IdempotentOptions extends RequestOptions {
  /** 1 to 255 printable characters; random unless given. Give your own to repeat a call after your program was restarted. */
  readonly idempotencyKey?: string | undefined;
}

export interface ConditionalOptions extends RequestOptions {
  /** the ETag that was read; the call throws a ConflictError with the code `precondition_failed` if the record has changed since */
  readonly ifMatch?: string | undefined;
}

/** Time and chance, so that tests can have both in their hands. */
export interface Clock {
  now(): number;
  /** 0 up to 1 */
  random(): number;
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** calls `run` after `ms`; the answer calls it off */
  timer(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", abort);
        resolve();
      }, ms);
      signal?.addEventListener("abort", abort, { once: true });
    }),
  timer: (ms, run) => {
    const timer = setTimeout(run, ms);
    // In Node a timer keeps the process alive; a download that is never read must not.
    (timer as { unref?: () => void }).unref?.();
    return () => clearTimeout(timer);
  },
};
