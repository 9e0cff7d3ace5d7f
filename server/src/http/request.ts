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

/** Whether a Host header names this machine. */
export function isLoopbackHost(host: string | undefined): boolean {
  return isLoopback(hostnameOf(host));
}

export function credentialsOf(request: FastifyRequest): Credentials {
  const apiKey = request.headers["x-api-key"];
  const bearer = /^Bearer +([\w.-]+)$/i.exec(request.headers.authorization ?? "")?.[1];
  return { apiKey: Array.isArray(apiKey) ? apiKey[0] : apiKey, bearer };
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
  const timer = setTimeout(() => request.socket.destroy(), DRAIN_MS).unref();
  request.once("close", () => clearTimeout(timer));
}
