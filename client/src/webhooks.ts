import type { WebhookEvent } from "./generated/types.ts";
import { type VerifyOptions, verifyWebhook, type WebhookHeaders, WebhookVerificationError } from "./verify-webhook.ts";

export { type EventOfType, sentEventTypes } from "./generated/events.ts";
export { type VerifyOptions, verifyWebhook, type WebhookHeaders, WebhookVerificationError } from "./verify-webhook.ts";
export { type TestHeaderOptions, webhookTestHeaders } from "./webhook-test-headers.ts";
export type { WebhookEvent };

/**
 * Verifies a delivery as `verifyWebhook` does, and returns its event with typed `data`. `secret` can be several secrets: those of several
 * endpoints, or the old and the new one. Always have a `default` case: later versions send types that this one does not know.
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
  if (secrets.length === 0) throw new TypeError("at least one secret is required");
  let lastError: unknown;
  for (const one of secrets) {
    try {
      const event: unknown = await verifyWebhook(body, headers, one, options);
      // The service signed it, so it has one of the types in the union.
      return event as WebhookEvent;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError && error.reason === "wrong_signature")) throw error;
      lastError = error;
    }
  }
  throw lastError;
}

export const webhooks = { unwrap };
