import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import type { Origin } from "../shared/caller.ts";
import { isLoopback } from "../shared/loopback.ts";
import { Problem } from "../shared/problems.ts";
import { plainAddress } from "./address.ts";
import type { Credentials } from "./authenticate.ts";
import type { Visitor } from "./endpoint.ts";

/** What is read off a request besides its body. */

/** What a Host header names, as a URL shows it; the port does not matter. */
export function hostnameOf(host: string | undefined): string {
  return (host ?? "").replace(/:\d+$/, "").toLowerCase();
}

/** node:http keeps the first of two; something in front of us may have gone by the second. */
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

// Longer ones are cut: user agents are kept as evidence, and nobody may fill the database with them.
const MAX_USER_AGENT = 500;

export function addressOf(request: FastifyRequest): string {
  return plainAddress(request.ip, request.socket.remoteAddress ?? "");
}

export function originOf(request: FastifyRequest): Origin {
  return { ip: addressOf(request), user_agent: (request.headers["user-agent"] ?? "").slice(0, MAX_USER_AGENT), request_id: request.id };
}

export function visitorOf(request: FastifyRequest): Visitor {
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim().split("=", 2));
  const cookies = Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair.length === 2));
  return { ...originOf(request), cookies, origin: request.headers.origin ?? null, bearer: credentialsOf(request).bearer ?? null };
}

/** The 128-bit nonce that a signing page made for itself; 422 without it. */
export function signingSessionOf(request: FastifyRequest): string {
  const given = request.headers["x-signing-session"];
  if (typeof given === "string" && /^[0-9a-f]{32}$/.test(given)) return given;
  const message = "must be 32 hexadecimal characters in lower case, made by the page at random";
  const code = given === undefined ? "required" : "invalid_format";
  throw new Problem("invalid_request", "", { details: [{ location: "header", field: "X-Signing-Session", code, message }] });
}

// After an early answer (401, 413, …) the rest of a body is read and thrown away this long, so that the caller can read the
// answer; then the connection closes.
const DRAIN_MS = 5_000;

export function drain(request: IncomingMessage): void {
  if (request.complete) return;
  request.resume();
  closeLater(request);
}

/**
 * The same for a body that is too large, of which no more than this is thrown away: a caller who is a little above the limit reads the
 * answer and goes on, and nobody makes us read for nothing. To be called before the answer goes out, because node:http reads and throws
 * away whatever no one has begun to read by then.
 */
export function drainAtMost(request: IncomingMessage, bytes: number): void {
  if (request.complete) return;
  let left = bytes;
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left >= 0 || request.isPaused()) return;
    // What comes now is not read, and the connection closes over it.
    request.pause();
    closeLater(request, UNREAD_MS);
  });
  closeLater(request);
}

// Time enough for the answer to arrive; a connection that is closed over unread bytes is reset.
const UNREAD_MS = 1_000;

function closeLater(request: IncomingMessage, after_ms = DRAIN_MS): void {
  const timer = setTimeout(() => request.socket.destroy(), after_ms).unref();
  request.once("close", () => clearTimeout(timer));
}
