import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIPv6, type LookupFunction, type Socket } from "node:net";
import { isReachable } from "./address-fence.ts";
import type { Failure, Outcome, Post } from "./delivery.ts";
import type { WebhookDeps } from "./endpoint.ts";
import { addressOf, faultOfUrl } from "./endpoint-url.ts";
import { parseRetryAfter } from "./retry-schedule.ts";

type Result = Omit<Extract<Outcome, { kind: "answered" }>, "duration_ms"> | { readonly kind: "failed"; readonly error: Failure };

export type Peer = Pick<WebhookDeps, "fence" | "resolve" | "limits">;

// The status line decides; a slow body must not occupy a place for long.
const BODY_MS = 2_000;

// Enough to see a receiver's error message.
const KEPT_BYTES = 16 * 1024;

/**
 * Sends one request. Resolves the name, checks every address against the fence, and connects to one of the checked addresses, so a later
 * DNS change has no effect. Redirects are not followed. An abort returns "interrupted".
 */
export async function postDelivery(peer: Peer, post: Post, signal: AbortSignal): Promise<Outcome> {
  const began = performance.now();
  const result = await reach(peer, post, began, signal);
  return { ...result, duration_ms: Math.round(performance.now() - began) };
}

async function reach(peer: Peer, post: Post, began: number, signal: AbortSignal): Promise<Result> {
  const url = new URL(post.url);
  // The URL was checked on input, perhaps under other settings.
  if (faultOfUrl(peer.fence, post.url) !== null) return failed("blocked_address");
  const literal = addressOf(url);
  const addresses = literal === null ? await peer.resolve(url.hostname, peer.limits.connect_ms).catch(noAddress) : [literal];
  if (addresses.length === 0) return failed("dns_error");
  if (!addresses.every((address) => isReachable(peer.fence, address))) return failed("blocked_address");
  if (signal.aborted) return failed("interrupted");
  const connectBy = Math.max(1, peer.limits.connect_ms - (performance.now() - began));
  return exchange(
    url,
    addresses,
    post,
    { connect_ms: connectBy, exchange_ms: peer.limits.exchange_ms - (performance.now() - began) },
    signal,
  );
}

/** Any error of the resolver means that there is no address to deliver to. */
function noAddress(): string[] {
  return [];
}

function failed(error: Failure): Result {
  return { kind: "failed", error };
}

function exchange(url: URL, addresses: readonly string[], post: Post, limits: Peer["limits"], signal: AbortSignal): Promise<Result> {
  return new Promise((resolve) => {
    const secure = url.protocol === "https:";
    const request = open(url, secure, addresses, post);
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
      answer = listen(response, finish);
      timers.push(setTimeout(finish, BODY_MS));
    });
    request.end(post.body);
  });
}

function open(url: URL, secure: boolean, addresses: readonly string[], post: Post): ClientRequest {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const lookup: LookupFunction = (_name, { all }, callback) => {
    const [first] = found;
    if (all === true) callback(null, found);
    else callback(null, first?.address ?? "", first?.family);
  };
  const headers = { ...post.headers, "content-length": String(post.body.byteLength) };
  // No agent, because a kept-alive connection would be reused for a name that has moved since.
  return (secure ? httpsRequest : httpRequest)(url, { method: "POST", agent: false, lookup, headers });
}

/** Reads the part of a body that is kept, and calls `finish` when it is complete. Returns a function for what has arrived so far. */
function listen(response: IncomingMessage, finish: () => void): () => Result {
  const chunks: Buffer[] = [];
  let [received, complete] = [0, false];
  response.on("data", (chunk: Buffer) => {
    received += chunk.length;
    chunks.push(chunk);
    // Some bodies never end.
    if (received > KEPT_BYTES) finish();
  });
  response.once("end", () => {
    complete = response.complete;
    finish();
  });
  response.once("error", finish);
  response.once("close", finish);
  return () => ({
    kind: "answered",
    code: response.statusCode ?? 0,
    // PostgreSQL cannot store NUL in text.
    body: Buffer.concat(chunks).subarray(0, KEPT_BYTES).toString("utf8").replaceAll("\0", "\ufffd"),
    body_truncated: !complete || received > KEPT_BYTES,
    retry_after_seconds: parseRetryAfter(response.headers["retry-after"], Date.now()),
  });
}
