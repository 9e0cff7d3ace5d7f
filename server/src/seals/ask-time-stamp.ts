import { randomBytes, X509Certificate } from "node:crypto";
import { rootCertificates } from "node:tls";
import { readTimestampAnswer, timestampRequest } from "@countersign/pdf/pool";
import { alwaysLeaves } from "../shared/departures.ts";
import { noteOutcome, trackOutcomes } from "../shared/outcomes.ts";
import { SealSettingRefused, type TimeStamps } from "./seal.ts";

// An authority usually responds within a second. Otherwise the document waits for three attempts, then it is sealed without a time-stamp.
export const TIME_STAMP_TIMEOUT_MS = 10_000;

const NONCE_BYTES = 8;

// A token with its certificates has 4 to 6 KB.
const MAX_ANSWER_BYTES = 65_536;

/** The authorities in a PEM file (TSA_CA_FILE), or those included in Node. */
export function timeStampRoots(pem: string | null): Uint8Array[] {
  // Parsed only when used: most installations ask no authority, and there are more than a hundred.
  if (pem === null) return rootCertificates.map((one) => Buffer.from(one.replace(/-----[^-]+-----/g, ""), "base64"));
  return certificatesIn("TSA_CA_FILE", pem);
}

/** The certificates of the PEM file that a setting names. Throws SealSettingRefused if it contains anything else. */
export function certificatesIn(setting: string, pem: string): Uint8Array[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    const roots = blocks.map((block) => new X509Certificate(block).raw);
    if (roots.length > 0) return roots;
  } catch (cause) {
    throw new SealSettingRefused(`${setting} contains something that is not a certificate`, { cause });
  }
  throw new SealSettingRefused(`${setting} must contain certificates in PEM format`);
}

/**
 * Returns a verified token over this SHA-256. Throws with a reason for the record, which contains no address and nothing of the response.
 */
export async function askTimeStamp(stamps: TimeStamps & { url: string }, imprint: Uint8Array): Promise<Uint8Array> {
  const { outcomes = trackOutcomes() } = stamps;
  return noteOutcome(outcomes, () => ask(stamps, imprint));
}

async function ask(
  { mayLeave = alwaysLeaves, url, roots, timeout_ms }: TimeStamps & { url: string },
  imprint: Uint8Array,
): Promise<Uint8Array> {
  if (!(await mayLeave())) throw new Refused("this installation is held, so no time-stamp authority was asked");
  const nonce = randomBytes(NONCE_BYTES);
  const answer = await post(url, timestampRequest({ imprint, nonce }), timeout_ms);
  return readTimestampAnswer(answer, { imprint, nonce, roots }).token;
}

async function post(url: string, body: Uint8Array, timeout_ms: number): Promise<Uint8Array> {
  const headers = { "content-type": "application/timestamp-query", accept: "application/timestamp-reply" };
  try {
    const signal = AbortSignal.timeout(timeout_ms);
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Refused(`the time-stamp authority answered with status ${response.status}`);
    }
    return await readAll(response);
  } catch (cause) {
    throw cause instanceof Refused ? cause : new Refused(reasonOf(cause, timeout_ms), { cause });
  }
}

class Refused extends Error {}

async function readAll(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let received = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    received += chunk.length;
    // Some responses never end; leaving the loop closes the connection.
    if (received > MAX_ANSWER_BYTES) throw new Refused(`the time-stamp authority's answer is longer than ${MAX_ANSWER_BYTES} bytes`);
  }
  return Buffer.concat(chunks);
}

function reasonOf(error: unknown, timeout_ms: number): string {
  if (error instanceof DOMException && error.name === "TimeoutError")
    return `the time-stamp authority did not answer within ${timeout_ms} ms`;
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  return `the time-stamp authority cannot be reached (${typeof cause?.code === "string" ? cause.code : "connection lost"})`;
}
