export { type VerifyOptions, verifyWebhook, type WebhookEvent, type WebhookHeaders, WebhookVerificationError } from "./verify-webhook.ts";
export { type TestHeaderOptions, webhookTestHeaders } from "./webhook-test-headers.ts";
