export type { ApiResponse, Call, RateLimit } from "./call.ts";
export { Countersign } from "./client.ts";
export type { Download } from "./download.ts";
export {
  AuthenticationError,
  type Code,
  ConflictError,
  ConnectionError,
  CountersignError,
  EnvelopeEndedError,
  isCode,
  LiveModeError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  ValidationError,
  WaitTimeoutError,
} from "./errors.ts";
export type { FileAtPath, FileInput, NamedFile } from "./files.ts";
export type { ClientOptions, ConditionalOptions, IdempotentOptions, RequestOptions } from "./options.ts";
export type { List, Page } from "./pager.ts";
export { type VerifyOptions, verifyWebhook, type WebhookEvent, type WebhookHeaders, WebhookVerificationError } from "./verify-webhook.ts";
export type { StatusView, WaitOptions } from "./wait.ts";
export { type TestHeaderOptions, webhookTestHeaders } from "./webhook-test-headers.ts";
export { webhooks } from "./webhooks.ts";
