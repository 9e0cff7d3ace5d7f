import { createHmac, randomBytes } from "node:crypto";

export interface Signed {
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
}

const SECRET_BYTES = 32;

/** In the format of Standard Webhooks. */
export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/** Unix time in whole seconds. */
export const timestampOf = (at: Date): string => String(Math.floor(at.getTime() / 1000));

/** Standard Webhooks, version 1: HMAC-SHA256 over `id.timestamp.body`, one signature for each valid secret. */
export function signDelivery(secrets: readonly string[], event_id: string, at: Date, body: Uint8Array): Signed {
  const timestamp = timestampOf(at);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    return `v1,${createHmac("sha256", key).update(`${event_id}.${timestamp}.`).update(body).digest("base64")}`;
  });
  return { "webhook-id": event_id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
