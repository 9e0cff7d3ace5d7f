import { ConnectionError, type CountersignError, errorOf, LiveModeError, redirectError } from "./errors.ts";
import type { Body } from "./files.ts";
import type { KeyCaller } from "./generated/types.ts";
import { headerValue } from "./header.ts";
import type { ClientOptions, Clock } from "./options.ts";
import { parseBody } from "./parse-body.ts";
import { type Attempts, retryAfterOf, waitBeforeRetry } from "./retry.ts";
import { VERSION } from "./version.ts";

/** One request, for all its attempts. */
export interface WireRequest {
  readonly method: string;
  /** relative to /api/v2, with the query; `/p/api/…` is relative to the service */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body | null;
  readonly isIdempotent: boolean;
  /** the response is a file, which the caller reads */
  readonly isDownload: boolean;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
  readonly maxRetries: number | undefined;
}

export interface WireResponse {
  readonly response: Response;
  /** empty if the response is a file */
  readonly text: string;
  /** stops the timeout; call it when the file has been read or is not needed */
  readonly ended: () => void;
}

const TIMEOUT_MS = 60_000;
const FILE_TIMEOUT_MS = 300_000;
const MAX_RETRIES = 2;

/** Sends requests, with credentials, timeouts and retries. */
export class Transport {
  readonly clock: Clock;
  readonly #options: ClientOptions;
  readonly #root: string;
  readonly #fetch: typeof globalThis.fetch;
  /** the credential that is known to be of a sandbox; a session can change to another organization */
  #tested: string | null = null;

  constructor(options: ClientOptions, clock: Clock) {
    assertValidOptions(options);
    this.clock = clock;
    this.#options = options;
    this.#root = options.baseUrl.replace(/\/+$/, "").replace(/\/api\/v2$/, "");
    this.#fetch = options.fetch ?? ((...args) => globalThis.fetch(...args));
  }

  /** Throws a CountersignError. A 304 is returned, since only requests with an ETag get one. */
  async send(request: WireRequest): Promise<WireResponse> {
    if (this.#options.requireTestMode === true) await this.#refuseLive(request);
    return this.#sendRepeatedly(request);
  }

  async #refuseLive({ signal, timeoutMs, maxRetries }: WireRequest): Promise<void> {
    const credential = JSON.stringify(await this.#credential());
    if (credential === this.#tested) return;
    const asked = { method: "GET", path: "/partner/me", headers: {}, body: null, isIdempotent: false, isDownload: false };
    const { response, text } = await this.#sendRepeatedly({ ...asked, signal, timeoutMs, maxRetries });
    const data = parseBody("GET /partner/me", response, text).data as KeyCaller;
    if (data.mode !== "test") throw new LiveModeError(data.org_id, data.org_name);
    this.#tested = credential;
  }

  async #sendRepeatedly(request: WireRequest): Promise<WireResponse> {
    const attempts: Attempts = { retries: 0, hasWaitedForRate: false };
    for (;;) {
      const { answer, error, retryAfterMs } = await this.#attempt(request);
      if (answer !== undefined) return answer;
      const waitMs = waitBeforeRetry(error, retryAfterMs, attempts, {
        maxRetries: request.maxRetries ?? this.#options.maxRetries ?? MAX_RETRIES,
        onRateLimit: this.#options.onRateLimit ?? "wait",
        isRepeatable: request.method !== "POST" || request.isIdempotent,
        canSendBody: request.body?.canRepeat() ?? true,
        random: this.clock.random,
      });
      if (waitMs === null) throw error;
      await this.clock.wait(waitMs, request.signal);
    }
  }

  async #attempt(request: WireRequest): Promise<Outcome> {
    const name = nameOf(request);
    const credential = await this.#credential();
    const limit = timeLimit(this.clock, this.#timeoutOf(request), request.signal);
    const url = this.#root + (request.path.startsWith("/p/api/") ? "" : "/api/v2") + request.path;
    try {
      const response = await this.#fetch(url, {
        method: request.method,
        headers: { "user-agent": `countersign-client/${VERSION}`, ...credential, ...request.body?.headers, ...request.headers },
        // Following a redirect would send the key to another host.
        redirect: "manual",
        signal: limit.signal,
        ...(request.body !== null && openedBody(request.body)),
      });
      const isGood = response.ok || response.status === 304;
      if (isGood && request.isDownload) return { answer: { response, text: "", ended: limit.end } };
      const text = await response.text();
      limit.end();
      if (isGood) return { answer: { response, text, ended: limit.end } };
      if (isRedirect(response)) return { error: redirectError(name, url, response), retryAfterMs: null };
      const retryAfterMs = retryAfterOf(response.headers.get("retry-after"), this.clock.now());
      return { error: errorOf(name, response, text, retryAfterMs), retryAfterMs };
    } catch (cause) {
      limit.end();
      if (request.signal?.aborted) throw request.signal.reason;
      return {
        error: new ConnectionError(
          `${name}: ${limit.hasPassed() ? "no response in time" : `no response from ${this.#root}/api/v2`}`,
          cause,
        ),
        retryAfterMs: null,
      };
    }
  }

  async #credential(): Promise<Record<string, string>> {
    const { apiKey, token } = this.#options;
    if (apiKey !== undefined) return { "x-api-key": apiKey };
    return token === undefined ? {} : { authorization: `Bearer ${headerValue("token", await token())}` };
  }

  #timeoutOf({ timeoutMs, isDownload, body }: WireRequest): number {
    if (timeoutMs !== undefined) return timeoutMs;
    const carriesFile = isDownload || (body !== null && body.headers["content-type"] !== "application/json");
    return carriesFile ? (this.#options.fileTimeoutMs ?? FILE_TIMEOUT_MS) : (this.#options.timeoutMs ?? TIMEOUT_MS);
  }
}

type Outcome =
  | { readonly answer: WireResponse; readonly error?: undefined; readonly retryAfterMs?: undefined }
  | { readonly answer?: undefined; readonly error: CountersignError; readonly retryAfterMs: number | null };

export const nameOf = ({ method, path }: WireRequest) => `${method} ${path.split("?")[0]}`;

/** A browser hides the status of a redirect that is not followed. */
const isRedirect = ({ status, type }: Response) => type === "opaqueredirect" || (status >= 300 && status < 400);

function openedBody(body: Body): { body: ReturnType<Body["open"]>; duplex?: "half" } {
  const opened = body.open();
  // `fetch` requires `duplex` for a body that is sent while it is read.
  return opened instanceof ReadableStream ? { body: opened, duplex: "half" } : { body: opened };
}

function assertValidOptions({ baseUrl, apiKey, token }: ClientOptions): void {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new TypeError(`baseUrl must be the address of the service, such as https://sign.example.com; it is ${baseUrl}`);
  if (/[?#]/.test(baseUrl)) throw new TypeError(`baseUrl must have no query and no fragment; it is ${baseUrl}`);
  if (apiKey !== undefined && token !== undefined) throw new TypeError("give either apiKey or token, not both");
  if (apiKey === undefined) return;
  headerValue("apiKey", apiKey);
  // Any visitor of the page could read the key.
  if (isBrowser()) throw new TypeError("an API key must not be used in a browser. Call the service from your server instead");
}

/**
 * Detects a web page or one of its workers. Every browser worker has `importScripts`; Bun may have it too, but also has `process`.
 * `WorkerGlobalScope` does not help, because server-side workers of hosting services have it too. Deno used to have `window`.
 */
function isBrowser(): boolean {
  if ("Deno" in globalThis) return false;
  return "window" in globalThis || ("importScripts" in globalThis && !("process" in globalThis));
}

interface TimeLimit {
  readonly signal: AbortSignal;
  readonly hasPassed: () => boolean;
  readonly end: () => void;
}

/**
 * Aborts when the time is up or when the caller's signal aborts. Does not use `AbortSignal.any`: Node 20 can garbage-collect its timeouts
 * before they fire.
 */
function timeLimit(clock: Clock, ms: number, outer: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  let hasPassed = false;
  const stop = clock.timer(ms, () => {
    hasPassed = true;
    controller.abort(new DOMException(`no response within ${ms} ms`, "TimeoutError"));
  });
  const abort = () => controller.abort(outer?.reason);
  if (outer?.aborted) abort();
  outer?.addEventListener("abort", abort, { once: true });
  const end = () => {
    stop();
    outer?.removeEventListener("abort", abort);
  };
  return { signal: controller.signal, hasPassed: () => hasPassed, end };
}
