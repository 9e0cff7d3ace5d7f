export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: Date;
}

/** The data of a response, with its status and headers. */
export interface ApiResponse<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: Headers;
  /** include it when you ask for help */
  readonly requestId: string | null;
  /** null if the response has no rate-limit headers */
  readonly rateLimit: RateLimit | null;
}

/** A request in progress. `await` gives the data; `withResponse` gives the data with status and headers. */
export class Call<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = "Call";
  readonly #answered: Promise<ApiResponse<T>>;

  constructor(answered: Promise<ApiResponse<T>>) {
    this.#answered = answered;
  }

  withResponse(): Promise<ApiResponse<T>> {
    return this.#answered;
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is awaited like the promise that it wraps
  then<A = T, B = never>(
    fulfilled?: ((data: T) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answered.then(({ data }) => data).then(fulfilled, rejected);
  }

  catch<B = never>(rejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(null, rejected);
  }

  finally(settled?: (() => void) | null): Promise<T> {
    return this.then().finally(settled);
  }
}

export function toApiResponse<T>(data: T, { status, headers }: Response): ApiResponse<T> {
  return { data, status, headers, requestId: headers.get("x-request-id"), rateLimit: rateLimitOf(headers) };
}

function rateLimitOf(headers: Headers): RateLimit | null {
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));
  if (limit == null || remaining == null || reset == null) return null;
  return { limit: Number(limit), remaining: Number(remaining), reset: new Date(Number(reset) * 1000) };
}
