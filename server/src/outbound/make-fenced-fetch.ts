import { alwaysLeaves } from "../shared/departures.ts";
import { type Limits, type Outbound, sendRequest } from "./send-request.ts";

/** The other machine could not be reached, answered too late or too much, or failed itself. */
export class PeerAway extends Error {
  override readonly name = "PeerAway";
}

export type FencedFetch = (url: string, options?: RequestInit) => Promise<Response>;

const LIMITS: Limits = { connect_ms: 5_000, exchange_ms: 5_000, body_ms: 5_000, body_bytes: 1024 * 1024 };

/**
 * `fetch` for libraries that take one, through the fence: only addresses that it allows, no redirects, 5 seconds, 1 MiB. Bodies are texts or
 * forms. It works in a held installation too, because people log in through it. Throws `PeerAway` if there is no whole answer, or the peer reports a failure of its own.
 */
export function makeFencedFetch({ fence, resolve }: Pick<Outbound, "fence" | "resolve">): FencedFetch {
  return async (url, { method = "GET", headers, body = null, signal } = {}) => {
    if (method !== "GET" && method !== "POST") throw new Error(`${method} is not supported`);
    const bytes = body === null ? null : Buffer.from(textOf(body));
    const request = { method, url, headers: Object.fromEntries(new Headers(headers)), body: bytes } as const;
    const result = await sendRequest(
      { mayLeave: alwaysLeaves, fence, resolve, limits: LIMITS },
      request,
      signal ?? new AbortController().signal,
    );
    if (result.kind === "failed") throw new PeerAway(result.error);
    if (!result.complete) throw new PeerAway("incomplete");
    if (result.code >= 500) throw new PeerAway(`status ${result.code}`);
    const { code: status, body: answered } = result;
    const type = result.headers["content-type"];
    // These statuses have no body.
    const content = status === 204 || status === 205 || status === 304 ? null : new Uint8Array(answered);
    return new Response(content, { status, headers: type === undefined ? {} : { "content-type": type } });
  };
}

function textOf(body: NonNullable<RequestInit["body"]>): string {
  if (typeof body === "string" || body instanceof URLSearchParams) return String(body);
  throw new Error("the body must be a text or a form");
}
