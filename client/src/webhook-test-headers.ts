import { base64Of, importSecret, signedBytes } from "./signature.ts";

export interface TestHeaderOptions {
  /** `webhook-id`; the event's `event_id` in a real delivery */
  readonly id?: string;
  /** the time of the signature; default: now */
  readonly at?: Date;
}

/**
 * The headers that a delivery of this body would have, so that you can test your receiver without the service. Throws a TypeError if the
 * secret is malformed.
 *
 *     const headers = await webhookTestHeaders(body, secret, { at: new Date(0) }); // your receiver must reject this one as too old
 */
export async function webhookTestHeaders(
  body: string | Uint8Array,
  secret: string,
  { id = "evt_00000000000000000000000000", at = new Date() }: TestHeaderOptions = {},
): Promise<Record<"content-type" | "webhook-id" | "webhook-timestamp" | "webhook-signature", string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signature = await crypto.subtle.sign("HMAC", await importSecret(secret), signedBytes(id, timestamp, bytes));
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${base64Of(signature)}`,
  };
}
