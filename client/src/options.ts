/** The options of a client. */
export interface ClientOptions {
  /** the address of the service, such as `https://sign.example.com`, with or without `/api/v2` */
  readonly baseUrl: string;
  /** an API key (`lk_…`); use either this or `token` */
  readonly apiKey?: string | undefined;
  /** returns the access token of a session, called before every request; use either this or `apiKey` */
  readonly token?: (() => Promise<string> | string) | undefined;
  /** timeout for each attempt; default 60,000 */
  readonly timeoutMs?: number | undefined;
  /** timeout for each attempt that uploads or downloads a file; default 300,000 */
  readonly fileTimeoutMs?: number | undefined;
  /** how many times a failed request is retried; default 2 */
  readonly maxRetries?: number | undefined;
  /** `wait` (default): retry a 429 once, after its Retry-After, if that is at most 90 s; `throw`: throw a RateLimitError immediately */
  readonly onRateLimit?: "wait" | "throw" | undefined;
  /** true: throw a LiveModeError, before anything else is sent, unless the key or session is of a sandbox; default false */
  readonly requireTestMode?: boolean | undefined;
  /** used instead of the global `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** The last argument of every method. */
export interface RequestOptions {
  /** aborts the request and its retries; the call then throws the signal's reason */
  readonly signal?: AbortSignal | undefined;
  /** overrides the client's option */
  readonly timeoutMs?: number | undefined;
  /** overrides the client's option */
  readonly maxRetries?: number | undefined;
  /** additional headers */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface IdempotentOptions extends RequestOptions {
  /** 1 to 255 printable characters; random by default. Pass your own key to repeat a call safely after your program restarts. */
  readonly idempotencyKey?: string | undefined;
}

export interface ConditionalOptions extends RequestOptions {
  /** the ETag you read; if the record has changed since, the call throws a ConflictError with the code `precondition_failed` */
  readonly ifMatch?: string | undefined;
}

/** Time and randomness, so that tests can control both. */
export interface Clock {
  now(): number;
  /** from 0 up to, but not including, 1 */
  random(): number;
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** calls `run` after `ms`; returns a function that cancels it */
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
    // In Node a timer keeps the process alive; a download that is never read must not do that.
    (timer as { unref?: () => void }).unref?.();
    return () => clearTimeout(timer);
  },
};
