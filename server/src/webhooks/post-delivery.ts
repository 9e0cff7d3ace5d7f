import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIPv6, type LookupFunction, type Socket } from "node:net";
import { isReachable } from "./address-fence.ts";
import type { Failure, Outcome, Post } from "./delivery.ts";
import type { WebhookDeps } from "./endpoint.ts";
import { addressOf, faultOfUrl } from "./endpoint-url.ts";
import { parseRetryAfter } from "./retry-schedule.ts";

type Came = Omit<Extract<Outcome, { kind: "answered" }>, "duration_ms"> | { readonly kind: "failed"; readonly error: Failure };

export type Peer = Pick<WebhookDeps, "fence" | "resolve" | "limits">;

// The status line is the answer; a body that drips in must not hold a place for long.
const BODY_MS = 2_000;

// Enough to see what a receiver complains about.
const KEPT_BYTES = 16 * 1024;

/**
 * One request. The name is resolved here, every address of it is held to the fence, and the connection goes to one of those very
 * addresses: a name that changes its answer afterwards changes nothing. Redirects are not followed. Aborting is "interrupted".
 */
export async function postDelivery(peer: Peer, post: Post, signal: AbortSignal): Promise<Outcome> {
  const began = performance.now();
  const came = await reach(peer, post, began, signal);
  return { ...came, duration_ms: Math.round(performance.now() - began) };
}

async function reach(peer: Peer, post: Post, began: number, signal: AbortSignal): Promise<Came> {
  const url = new URL(post.url);
  // It was checked when it was typed, perhaps under other settings.
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

/** Whatever a resolver says against a name, it means that there is nobody to deliver to. */
function noAddress(): string[] {
  return [];
}

function failed(error: Failure): Came {
  return { kind: "failed", error };
}

function exchange(url: URL, addresses: readonly string[], post: Post, limits: Peer["limits"], signal: AbortSignal): Promise<Came> {
  return new Promise((resolve) => {
    const secure = url.protocol === "https:";
    const request = open(url, secure, addresses, post);
    let stage: "connecting" | "handshake" | "asking" = "connecting";
    /** once the status line is here, that is the answer, however its body ends */
    let answer: (() => Came) | null = null;
    const end = (came: Came) => {
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener("abort", interrupt);
      request.destroy();
      resolve(answer?.() ?? came);
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
    // The error may come more than once, and after the end; without a listener it would end the process.
    request.on("error", broken);
    request.once("close", broken);
    request.once("response", (response) => {
      const whole = () => end(failed("connection_error"));
      answer = listen(response, whole);
      timers.push(setTimeout(whole, BODY_MS));
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
  // No agent: a connection that is kept open would be used again for a name that has moved since.
  return (secure ? httpsRequest : httpRequest)(url, { method: "POST", agent: false, lookup, headers });
}

/** Reads what is worth keeping of a body and calls `whole` when there is no more to wait for. Returns what there is so far. */
function listen(response: IncomingMessage, whole: () => void): () => Came {
  const chunks: Buffer[] = [];
  let [received, complete] = [0, false];
  response.on("data", (chunk: Buffer) => {
    received += chunk.length;
    chunks.push(chunk);
    // Some bodies never end.
    if (received > KEPT_BYTES) whole();
  });
  response.once("end", () => {
    complete = response.complete;
    whole();
  });
  response.once("error", whole);
  response.once("close", whole);
  return () => ({
    kind: "answered",
    code: response.statusCode ?? 0,
    // NUL cannot be stored as text.
    body: Buffer.concat(chunks).subarray(0, KEPT_BYTES).toString("utf8").replaceAll("\0", "\ufffd"),
    body_truncated: !complete || received > KEPT_BYTES,
    retry_after_seconds: parseRetryAfter(response.headers["retry-after"], Date.now()),
  });
}
