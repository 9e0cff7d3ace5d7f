import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import type { Origin } from "../shared/caller.ts";
import { isLoopback } from "../shared/loopback.ts";
import { Problem } from "../shared/problems.ts";
import { plainAddress } from "./address.ts";
import type { Credentials } from "./authenticate.ts";
import type { Visitor } from "./endpoint.ts";

/** Reads everything from a request except its body. */

/** The host name of a Host header in lower case, without the port. */
export function hostnameOf(host: string | undefined): string {
  return (host ?? "").replace(/:\d+$/, "").toLowerCase();
}

/** node:http uses the first of two Host headers, but a proxy in front of us may have used the second. */
export function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  return hosts > 1;
}

/** Whether a Host header names this machine. */
export function isLoopbackHost(host: string | undefined): boolean {
  return isLoopback(hostnameOf(host));
}

export function credentialsOf(request: FastifyRequest): Credentials {
  const apiKey = request.headers["x-api-key"];
  const authorization = request.headers.authorization ?? "";
  const bearer = /^Bearer +([\w.-]+)$/i.exec(authorization)?.[1];
  return { apiKey: Array.isArray(apiKey) ? apiKey[0] : apiKey, bearer, isKeyMisplaced: /\blk_[0-9a-f]{40}\b/.test(authorization) };
}

// Longer user agents are cut. They are kept as evidence and must not fill the database.
const MAX_USER_AGENT = 500;

export function addressOf(request: FastifyRequest): string {
  return plainAddress(request.ip, request.socket.remoteAddress ?? "");
}

export function originOf(request: FastifyRequest): Origin {
  return { ip: addressOf(request), user_agent: (request.headers["user-agent"] ?? "").slice(0, MAX_USER_AGENT), request_id: request.id };
}

/** Only the blanks of RFC 6265. `trim` would also remove U+00A0, with which a cookie of a neighbouring host could pass for one with a prefix. */
const withoutBlanks = (pair: string): string => pair.replace(/^[ \t]+|[ \t]+$/g, "");

export function visitorOf(request: FastifyRequest): Visitor {
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => withoutBlanks(pair).split("=", 2));
  const cookies = Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair.length === 2));
  return { ...originOf(request), cookies, origin: request.headers.origin ?? null, bearer: credentialsOf(request).bearer ?? null };
}

/** The 128-bit nonce that a signing page created for this visit. 422 without it. */
export function signingSessionOf(request: FastifyRequest): string {
  const given = request.headers["x-signing-session"];
  if (typeof given === "string" && /^[0-9a-f]{32}$/.test(given)) return given;
  const message = "must be 32 random lower-case hexadecimal characters, created by the page";
  const code = given === undefined ? "required" : "invalid_format";
  throw new Problem("invalid_request", "", { details: [{ location: "header", field: "X-Signing-Session", code, message }] });
}

// After an early response (401, 413, …) the rest of the body is read and discarded for this long, so that the caller can read the
// response. Then the connection closes.
const DRAIN_MS = 5_000;

export function drain(request: IncomingMessage): void {
  if (request.complete) return;
  request.resume();
  closeLater(request);
}

/**
 * The same for a body that is too large, but discards at most this many bytes. A caller slightly above the limit can read the response and
 * keep the connection, and no one can make us read without end. Must be called before the response is sent, because node:http by itself
 * discards a body that no one has started to read.
 */
export function drainAtMost(request: IncomingMessage, bytes: number): void {
  if (request.complete) return;
  let left = bytes;
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left >= 0 || request.isPaused()) return;
    // The rest is not read, and the connection is closed.
    request.pause();
    closeLater(request, UNREAD_MS);
  });
  closeLater(request);
}

// Enough time for the response to arrive. Closing a connection with unread bytes resets it.
const UNREAD_MS = 1_000;

function closeLater(request: IncomingMessage, after_ms = DRAIN_MS): void {
  const timer = setTimeout(() => request.socket.destroy(), after_ms).unref();
  request.once("close", () => clearTimeout(timer));
}
