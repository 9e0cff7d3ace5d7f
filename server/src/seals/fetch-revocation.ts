import { X509Certificate } from "node:crypto";
import { isShownUnrevoked, nextUpdateOf, ocspRequest, revocationSources } from "@countersign/pdf/pool";
import { type Limits, type Outbound, type OutboundRequest, sendRequest } from "../outbound/send-request.ts";
import { sha256 } from "../shared/secrets.ts";

/** A list or response that shows that a certificate was not revoked. */
export interface Revocation {
  readonly kind: "crl" | "ocsp";
  /** DER */
  readonly bytes: Uint8Array;
}

/** One certificate below a root. `at`: the proven time of the signature. */
export interface RevocationQuestion {
  readonly certificate: Uint8Array;
  readonly issuer: Uint8Array;
  readonly at: Date;
}

// The largest lists in use have a few megabytes. The worker that seals a document waits for at most three times this long.
export const REVOCATION_LIMITS: Limits = { connect_ms: 5_000, exchange_ms: 10_000, body_ms: 10_000, body_bytes: 5 * 1024 * 1024 };

const ATTEMPTS = 3;

// While an issuer's server is down, each document would otherwise wait half a minute for it.
const FAILURE_REMEMBERED_MS = 60_000;

// Of one process. An installation uses a handful of certificates.
const MAX_REMEMBERED = 50;

interface Remembered {
  readonly until: number;
  readonly answer: Promise<Answer>;
}

type Answer = { readonly bytes: Uint8Array } | { readonly error: string };

/** What was fetched, by address and request, until the next one is due. */
export type RevocationCache = Map<string, Remembered>;

export interface RevocationDeps {
  readonly outbound: Outbound;
  readonly cache: RevocationCache;
  readonly now: () => number;
}

/**
 * Asks the addresses in the certificate, OCSP before lists because a response is smaller. Each is tried three times. Throws
 * RevocationMissing if none shows that the certificate was not revoked.
 */
export async function fetchRevocation(deps: RevocationDeps, question: RevocationQuestion): Promise<Revocation> {
  const sources = sourcesOf(question);
  const reasons: string[] = [];
  for (const source of sources) {
    const answer = await lookUpAnswer(deps, source);
    if ("error" in answer) reasons.push(answer.error);
    else if (shows(question, { kind: source.kind, bytes: answer.bytes })) return { kind: source.kind, bytes: answer.bytes };
    else reasons.push(`${wordsFor[source.kind]} does not show that the certificate is valid`);
  }
  throw new RevocationMissing(reasons.at(-1) ?? "the certificate names no address of revocation data");
}

/** There is no usable revocation data. The message is for the record: it contains no address and nothing of a response. */
export class RevocationMissing extends Error {
  override readonly name = "RevocationMissing";
}

interface Source {
  readonly kind: Revocation["kind"];
  readonly request: OutboundRequest;
}

const wordsFor = { crl: "the revocation list", ocsp: "the OCSP response" } as const;

function sourcesOf({ certificate, issuer }: RevocationQuestion): Source[] {
  const { ocsps, crls } = revocationSources(certificate);
  const body = ocsps.length === 0 ? null : ocspRequest(certificate, issuer);
  const headers = { "content-type": "application/ocsp-request", accept: "application/ocsp-response" };
  return [
    ...ocsps.map((url): Source => ({ kind: "ocsp", request: { method: "POST", url, headers, body } })),
    ...crls.map((url): Source => ({ kind: "crl", request: { method: "GET", url, headers: {}, body: null } })),
  ];
}

/** Whether it proves that the certificate was not revoked at the time of the signature. */
export function shows({ certificate, issuer, at }: RevocationQuestion, { kind, bytes }: Revocation): boolean {
  const question = { certificate: new X509Certificate(certificate), issuer: new X509Certificate(issuer), at };
  return isShownUnrevoked(question, { crls: kind === "crl" ? [bytes] : [], ocsps: kind === "ocsp" ? [bytes] : [] });
}

/** Concurrent questions share one request. */
function lookUpAnswer(deps: RevocationDeps, source: Source): Promise<Answer> {
  const { url, body } = source.request;
  const key = body === null ? url : `${url} ${sha256(body).toString("hex")}`;
  const known = deps.cache.get(key);
  if (known !== undefined && known.until > deps.now()) return known.answer;
  const answer = ask(deps, source);
  const remember = (until: number): void => void deps.cache.set(key, { until, answer });
  for (const oldest of [...deps.cache.keys()].slice(0, Math.max(0, deps.cache.size - MAX_REMEMBERED))) deps.cache.delete(oldest);
  remember(Number.POSITIVE_INFINITY);
  return answer.then(
    (got) => {
      // Without a next date, the next signature needs a new response.
      remember("error" in got ? deps.now() + FAILURE_REMEMBERED_MS : (nextUpdateOf(source.kind, got.bytes)?.getTime() ?? 0));
      return got;
    },
    (error: unknown) => {
      deps.cache.delete(key);
      throw error;
    },
  );
}

async function ask({ outbound }: RevocationDeps, { kind, request }: Source): Promise<Answer> {
  let error = "";
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const result = await sendRequest(outbound, request, new AbortController().signal);
    if (result.kind === "answered" && result.code === 200 && result.complete) return { bytes: new Uint8Array(result.body) };
    error = `${wordsFor[kind]} was not available (${reasonOf(result, outbound.limits)})`;
    // The fence gives the same answer every time.
    if (result.kind === "failed" && result.error === "blocked_address") break;
  }
  return { error };
}

function reasonOf(result: Awaited<ReturnType<typeof sendRequest>>, { body_bytes }: Limits): string {
  if (result.kind === "failed") return result.error;
  if (result.code !== 200) return `status ${result.code}`;
  return result.body.length >= body_bytes ? `more than ${body_bytes} bytes` : "the response is incomplete";
}
