import type { Failure } from "../outbound/send-request.ts";
import type { AttemptId, DeliveryId, EndpointId, EnvelopeId, EventId } from "../shared/ids.ts";

export const statuses = ["pending", "succeeded", "failed", "cancelled"] as const;
export type Status = (typeof statuses)[number];

export const triggers = ["event", "retry", "replay", "test"] as const;
export type Trigger = (typeof triggers)[number];

export const attemptErrors = [
  "timeout",
  "dns_error",
  "connection_error",
  "tls_error",
  "blocked_address",
  "redirect",
  "http_error",
  "endpoint_disabled",
  "cancelled_by_operator",
  "interrupted",
] as const;
export type AttemptError = (typeof attemptErrors)[number];

/** One event for one endpoint. */
export interface Delivery {
  readonly delivery_id: DeliveryId;
  readonly endpoint_id: EndpointId;
  readonly event_id: EventId;
  readonly event_type: string;
  readonly envelope_id: EnvelopeId | null;
  readonly status: Status;
  readonly attempt_count: number;
  readonly next_attempt_at: Date | null;
  readonly created_at: Date;
}

/**
 * One request, or the record that none will be sent. Inserted before the request is sent, so an attempt that a crash interrupted is
 * visible.
 */
export interface Attempt {
  readonly attempt_id: AttemptId;
  readonly delivery_id: DeliveryId;
  readonly endpoint_id: EndpointId;
  readonly event_id: EventId;
  readonly event_type: string;
  readonly envelope_id: EnvelopeId | null;
  readonly status: Status;
  readonly response_code: number | null;
  readonly response_body: string | null;
  readonly response_body_truncated: boolean;
  /** the number of this attempt within its delivery */
  readonly attempt_count: number;
  readonly duration_ms: number | null;
  readonly next_retry_at: Date | null;
  readonly error: AttemptError | null;
  readonly trigger: Trigger;
  readonly url: string;
  readonly created_at: Date;
  readonly attempted_at: Date | null;
}

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A refusal of the receiver is a value like a success: it is recorded, never thrown. */
export type Outcome =
  | {
      readonly kind: "answered";
      readonly code: number;
      readonly body: string;
      readonly body_truncated: boolean;
      readonly retry_after_seconds: number | null;
      readonly duration_ms: number;
    }
  | { readonly kind: "failed"; readonly error: Failure; readonly duration_ms: number };

/** A recorded attempt with everything that its request needs. */
export interface Prepared {
  readonly attempt_id: AttemptId;
  readonly delivery_id: DeliveryId;
  readonly endpoint_id: EndpointId;
  readonly event_id: EventId;
  readonly run: number;
  /** in this run, before this attempt */
  readonly failures: number;
  readonly post: Post;
}

export interface Attempted {
  readonly prepared: Prepared;
  readonly outcome: Outcome;
}

/** Only 200 to 299 is a success. */
export function errorOf(outcome: Outcome): AttemptError | null {
  if (outcome.kind === "failed") return outcome.error;
  if (outcome.code >= 200 && outcome.code < 300) return null;
  return outcome.code >= 300 && outcome.code < 400 ? "redirect" : "http_error";
}

const GONE = 410;

/** 410: the receiver is gone for good. */
export function reportsGone(outcome: Outcome): boolean {
  return outcome.kind === "answered" && outcome.code === GONE;
}
