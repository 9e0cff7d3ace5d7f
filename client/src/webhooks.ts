import type { WebhookEvent } from "./generated/types.ts";
import { type VerifyOptions, verifyWebhook, type WebhookHeaders, WebhookVerificationError } from "./verify-webhook.ts";

export { type EventOfType, sentEventTypes } from "./generated/events.ts";
export { type VerifyOptions, verifyWebhook, type WebhookHeaders, WebhookVerificationError } from "./verify-webhook.ts";
export { type TestHeaderOptions, webhookTestHeaders } from "./webhook-test-headers.ts";
export type { WebhookEvent };

/**
 * Checks a delivery as `verifyWebhook` does, and gives its event with the type of its `data`. `secret` may be several: those of several
 * endpoints, or the old one and the new one. Always have a `default`: a later version sends types that this one does not know.
 *
 *     const event = await webhooks.unwrap(await request.arrayBuffer(), request.headers, secret);
 *     switch (event.event_type) {
 *       case "vault.stored": return keep(event.data.path, event.data.hash);
 *       default: return;
 *     }
 */
async function unwrap(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const secrets = typeof secret === "string" ? [secret] : secret;
  if (secrets.length === 0) throw new TypeError("give at least one secret");
  let refusal: unknown;
  for (const each of secrets) {
    try {
      const event: unknown = await verifyWebhook(body, headers, each, options);
      // Who signed it is the service, and the union is what it sends.
      return event as WebhookEvent;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError && error.reason === "wrong_signature")) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

export const webhooks = { unwrap };
