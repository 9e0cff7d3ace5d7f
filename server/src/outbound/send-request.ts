import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIPv6, type LookupFunction, type Socket } from "node:net";
import type { MayLeave } from "../shared/departures.ts";
import { type Fence, isReachable } from "./address-fence.ts";
import { addressOf, faultOfUrl } from "./fault-of-url.ts";
import type { ResolveName } from "./name-resolver.ts";

export interface OutboundRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** null: none */
  readonly body: Uint8Array | null;
}

export interface Limits {
  /** for resolving the name and connecting to one of its addresses */
  readonly connect_ms: number;
  /** from the connection to the end of the response */
  readonly exchange_ms: number;
  /** from the status line to the end of the response */
  readonly body_ms: number;
  /** of the response that are kept */
  readonly body_bytes: number;
}

export interface Outbound {
  readonly mayLeave: MayLeave;
  readonly fence: Fence;
  readonly resolve: ResolveName;
  readonly limits: Limits;
}

export type Failure = "timeout" | "dns_error" | "connection_error" | "tls_error" | "blocked_address" | "interrupted";

/** A failure is a value: callers record it. */
export type Result =
  | {
      readonly kind: "answered";
      readonly code: number;
      readonly headers: IncomingHttpHeaders;
      /** the first `body_bytes` of what arrived in time */
      readonly body: Buffer;
      /** whether `body` is the whole body */
      readonly complete: boolean;
    }
  | { readonly kind: "failed"; readonly error: Failure };

/**
 * Sends one request. Resolves the name, checks every address against the fence, and connects to one of the checked addresses, so a later
 * DNS change has no effect. Redirects are not followed. An abort returns "interrupted", and so does a held installation.
 */
export async function sendRequest(peer: Outbound, wanted: OutboundRequest, signal: AbortSignal): Promise<Result> {
  if (!(await peer.mayLeave())) return failed("interrupted");
  const began = performance.now();
  // A URL that was checked on input may have been checked under other settings. One that cannot be parsed is refused here too.
  if (faultOfUrl(peer.fence, wanted.url) !== null) return failed("blocked_address");
  const url = new URL(wanted.url);
  const literal = addressOf(url);
  const addresses = literal === null ? await peer.resolve(url.hostname, peer.limits.connect_ms).catch(noAddress) : [literal];
  if (addresses.length === 0) return failed("dns_error");
  if (!addresses.every((address) => isReachable(peer.fence, address))) return failed("blocked_address");
  if (signal.aborted) return failed("interrupted");
  const connectBy = Math.max(1, peer.limits.connect_ms - (performance.now() - began));
  const exchangeBy = peer.limits.exchange_ms - (performance.now() - began);
  return exchange(url, addresses, wanted, { ...peer.limits, connect_ms: connectBy, exchange_ms: exchangeBy }, signal);
}

/** Any error of the resolver means that there is no address to connect to. */
function noAddress(): string[] {
  return [];
}

function failed(error: Failure): Result {
  return { kind: "failed", error };
}

function exchange(url: URL, addresses: readonly string[], wanted: OutboundRequest, limits: Limits, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve) => {
    const secure = url.protocol === "https:";
    const request = open(url, secure, addresses, wanted);
    let stage: "connecting" | "handshake" | "asking" = "connecting";
    /** set when the status line arrives; from then on that is the result, however the body ends */
    let answer: (() => Result) | null = null;
    const end = (result: Result) => {
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener("abort", interrupt);
      request.destroy();
      resolve(answer?.() ?? result);
    };
    const interrupt = () => end(failed("interrupted"));
    const timeOut = () => end(failed("timeout"));
    const timers = [setTimeout(() => stage === "connecting" && timeOut(), limits.connect_ms), setTimeout(timeOut, limits.exchange_ms)];
    const broken = () => end(failed(stage === "handshake" ? "tls_error" : "connection_error"));
    signal.addEventListener("abort", interrupt);
    request.once("socket", (socket: Socket) => {
      socket.once("connect", () => {
        stage = secure ? "handshake" : "asking";
      });
      socket.once("secureConnect", () => {
        stage = "asking";
      });
    });
    // The error event may occur more than once, and after the end. Without a listener it would end the process.
    request.on("error", broken);
    request.once("close", broken);
    request.once("response", (response) => {
      const finish = () => end(failed("connection_error"));
      answer = listen(response, limits.body_bytes, finish);
      timers.push(setTimeout(finish, limits.body_ms));
    });
    request.end(wanted.body ?? undefined);
  });
}

function open(url: URL, secure: boolean, addresses: readonly string[], { method, headers, body }: OutboundRequest): ClientRequest {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const lookup: LookupFunction = (_name, { all }, callback) => {
    const [first] = found;
    if (all === true) callback(null, found);
    else callback(null, first?.address ?? "", first?.family);
  };
  const length = body === null ? {} : { "content-length": String(body.byteLength) };
  // No agent, because a kept-alive connection would be reused for a name that has moved since.
  return (secure ? httpsRequest : httpRequest)(url, { method, agent: false, lookup, headers: { ...headers, ...length } });
}

/** Reads the part of a body that is kept, and calls `finish` when it is complete. Returns a function for what has arrived so far. */
function listen(response: IncomingMessage, body_bytes: number, finish: () => void): () => Result {
  const chunks: Buffer[] = [];
  let [received, ended] = [0, false];
  response.on("data", (chunk: Buffer) => {
    received += chunk.length;
    chunks.push(chunk);
    // Some bodies never end.
    if (received > body_bytes) finish();
  });
  response.once("end", () => {
    ended = response.complete;
    finish();
  });
  response.once("error", finish);
  response.once("close", finish);
  return () => ({
    kind: "answered",
    code: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks).subarray(0, body_bytes),
    complete: ended && received <= body_bytes,
  });
}
