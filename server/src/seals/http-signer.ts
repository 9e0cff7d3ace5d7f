import { createPublicKey } from "node:crypto";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { SealUnavailable } from "./seal.ts";
import type { RemoteSigner } from "./signer.ts";

export interface SignerSettings {
  /** https, or http to this machine */
  readonly url: string;
  readonly token: string | null;
  /** certificates to trust, PEM; null: those included in Node */
  readonly ca: string | null;
}

// A hardware module signs in well under a second. Callers that wait hold no lock, and their job is tried again.
export const SIGNER_TIMEOUT_MS = 10_000;

// A public key or a signature, with room for a signer that says more.
const MAX_ANSWER_BYTES = 65_536;

/**
 * The signer of SIGNER_URL. `GET /keys/:ref` answers `{"public_key"}`, the SPKI in Base64; `POST /sign` with `{"key_ref", "algorithm",
 * "input"}` answers `{"signature"}`, both in Base64: r ‖ s for ECDSA. Each failure is a SealUnavailable with a reason for readiness, which
 * contains no address and nothing of the answer.
 */
export function httpSigner(settings: SignerSettings, timeout_ms = SIGNER_TIMEOUT_MS): RemoteSigner {
  const ask = (method: "GET" | "POST", path: string, body?: object) => askSigner(settings, timeout_ms, method, path, body);
  return {
    publicKey: async (ref) => {
      const spki = bytesOf(await ask("GET", `keys/${encodeURIComponent(ref)}`), "public_key");
      if (!isPublicKey(spki)) throw new SealUnavailable(`the signer's answer about the key ${ref} is not a public key`);
      return spki;
    },
    sign: async (key_ref, algorithm, bytes) => {
      const answer = await ask("POST", "sign", { key_ref, algorithm, input: Buffer.from(bytes).toString("base64") });
      return bytesOf(answer, "signature");
    },
  };
}

function bytesOf(answer: unknown, member: string): Buffer {
  const value = (Object(answer) as Record<string, unknown>)[member];
  if (typeof value !== "string" || value === "") throw new SealUnavailable(`the signer's answer has no ${member}`);
  return Buffer.from(value, "base64");
}

function isPublicKey(der: Buffer): boolean {
  try {
    createPublicKey({ key: der, format: "der", type: "spki" });
    return true;
  } catch {
    // OpenSSL has many errors for bytes that are not a key; all of them mean false here.
    return false;
  }
}

function askSigner(
  { url, token, ca }: SignerSettings,
  timeout_ms: number,
  method: "GET" | "POST",
  path: string,
  body: object | undefined,
): Promise<unknown> {
  const target = new URL(path, url.endsWith("/") ? url : `${url}/`);
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = {
    accept: "application/json",
    ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
    ...(token !== null && { authorization: `Bearer ${token}` }),
  };
  return new Promise((resolve, reject) => {
    const fail = (reason: string, cause?: unknown): void => reject(new SealUnavailable(reason, { cause }));
    const secure = target.protocol === "https:" ? { ...(ca !== null && { ca }) } : {};
    const options = { method, headers, ...secure, signal: AbortSignal.timeout(timeout_ms) };
    const send = target.protocol === "https:" ? requestHttps : requestHttp;
    const request = send(target, options, (response) => {
      const chunks: Buffer[] = [];
      let received = 0;
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        received += chunk.length;
        if (received > MAX_ANSWER_BYTES) response.destroy(new Error("the answer is too long"));
      });
      response.on("error", (cause) => fail(reasonOf(cause, timeout_ms), cause));
      response.on("end", () => {
        if (response.statusCode === 404) return fail(`the signer does not know this: ${method} /${path}`);
        if (response.statusCode !== 200) return fail(`the signer answered with status ${response.statusCode}`);
        try {
          resolve(JSON.parse(Buffer.concat(chunks).toString("utf8")));
        } catch (cause) {
          fail("the signer's answer is not JSON", cause);
        }
      });
    });
    request.on("error", (cause) => fail(reasonOf(cause, timeout_ms), cause));
    request.end(text);
  });
}

function reasonOf(error: Error & { code?: unknown }, timeout_ms: number): string {
  if (
    error.name === "TimeoutError" ||
    error.name === "AbortError" ||
    (error.cause instanceof DOMException && error.cause.name === "TimeoutError")
  )
    return `the signer did not answer within ${timeout_ms} ms`;
  return `the signer cannot be reached (${typeof error.code === "string" ? error.code : "connection lost"})`;
}
