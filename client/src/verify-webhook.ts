import { bytesOf, importSecret, type Key, signedBytes } from "./signature.ts";

/** The event envelope that every delivery carries. */
export interface WebhookEvent {
  readonly event_type: string;
  readonly event_id: string;
  readonly org_id: string;
  readonly envelope_id: string | null;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The `Headers` of fetch, or Node's plain object. Names in any case. */
export type WebhookHeaders = { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** how far the sender's clock may differ from ours, in either direction; default 300 */
  readonly toleranceSeconds?: number;
  /** the current time, for tests */
  readonly now?: Date;
}

type Reason = "missing_header" | "malformed_timestamp" | "too_old" | "too_new" | "wrong_signature" | "malformed_body";

/** The delivery could not be verified. Respond with 400 and log `reason`. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly reason: Reason;
  constructor(reason: Reason, message: string) {
    super(message);
    this.reason = reason;
  }
}

// Long enough for clocks that differ, short enough to limit replays of a recorded delivery.
const TOLERANCE_SECONDS = 300;

/**
 * Checks that a delivery comes from Countersign and is recent, and returns its event. `body` must be the raw bytes or text: parsing and
 * serializing it again would change the signature. `secret` is the endpoint's secret (`whsec_…`). Throws a WebhookVerificationError if
 * the delivery cannot be verified, and a TypeError if the secret is malformed.
 *
 *     const event = await verifyWebhook(await request.arrayBuffer(), request.headers, secret);
 *     if (await alreadySeen(event.event_id)) return new Response(null, { status: 204 });
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const key = await importSecret(secret);
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature");
  assertRecent(timestamp, toleranceSeconds, now);
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
  if (!(await isSigned(key, signatures, signedBytes(id, timestamp, bytes))))
    throw new WebhookVerificationError("wrong_signature", "the delivery was not signed with this secret");
  return eventOf(bytes);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = typeof headers.get === "function" ? headers.get(name) : fromObject(headers as Readonly<Record<string, unknown>>, name);
  // We never send the same header twice.
  if (typeof value !== "string" || value === "") throw new WebhookVerificationError("missing_header", `the header ${name} is missing`);
  return value;
}

function fromObject(headers: Readonly<Record<string, unknown>>, name: string): unknown {
  const found = Object.keys(headers).filter((key) => key.toLowerCase() === name);
  return found.length === 1 ? headers[found[0] ?? ""] : undefined;
}

/** Digits only: a lenient parser would accept `1700000000abc`. */
function assertRecent(timestamp: string, toleranceSeconds: number, now: Date): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError("malformed_timestamp", "the header webhook-timestamp is not a number");
  const age = now.getTime() / 1000 - Number(timestamp);
  if (age > toleranceSeconds) throw new WebhookVerificationError("too_old", "the delivery was signed too long ago");
  if (age < -toleranceSeconds) throw new WebhookVerificationError("too_new", "the delivery was signed in the future");
}

// There are two during a rotation; a long list would only waste our time.
const MAX_SIGNATURES = 8;

/** During a secret rotation there are two signatures, and one match is enough. `verify` compares in constant time. */
async function isSigned(key: Key, signatures: string, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  for (const signature of signatures.split(" ").slice(0, MAX_SIGNATURES)) {
    const encoded = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(signature)?.[1];
    if (encoded !== undefined && (await crypto.subtle.verify("HMAC", key, bytesOf(encoded), bytes))) return true;
  }
  return false;
}

function eventOf(bytes: Uint8Array): WebhookEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof event === "object" && event !== null && "event_id" in event) return event as WebhookEvent;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
  throw new WebhookVerificationError("malformed_body", "the signature is valid, but the body is not an event");
}
