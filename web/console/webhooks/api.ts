/** What the screens show of endpoints and deliveries. */

export interface Endpoint {
  readonly endpoint_id: string;
  readonly url: string;
  readonly description: string | null;
  readonly event_types: readonly string[];
  readonly enabled: boolean;
  readonly disabled_reason: "manual" | "gone" | "failing" | null;
  readonly disabled_at: string | null;
  readonly failing_since: string | null;
  readonly last_success_at: string | null;
  readonly secret_rotated_at: string | null;
  readonly previous_secret_expires_at: string | null;
  readonly created_at: string;
}

export interface NewEndpoint extends Endpoint {
  readonly secret: string;
}

export interface EventType {
  readonly event_type: string;
  readonly status: "dispatched" | "reserved";
}

export const deliveryStatuses = ["pending", "succeeded", "failed", "cancelled"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface Attempt {
  readonly attempt_id: string;
  readonly delivery_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly status: DeliveryStatus;
  readonly response_code: number | null;
  readonly response_body: string | null;
  readonly response_body_truncated: boolean;
  readonly attempt_count: number;
  readonly duration_ms: number | null;
  readonly next_retry_at: string | null;
  readonly error: AttemptError | null;
  readonly trigger: "event" | "retry" | "replay" | "test";
  readonly url: string;
  readonly created_at: string;
  readonly attempted_at: string | null;
}

export interface SentAttempt extends Attempt {
  /** null: nothing was sent */
  readonly request: { readonly method: string; readonly headers: Readonly<Record<string, string>> } | null;
}

export interface Delivery {
  readonly delivery_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly envelope_id: string | null;
  readonly status: DeliveryStatus;
  readonly attempt_count: number;
  readonly next_attempt_at: string | null;
  readonly created_at: string;
  /** the exact bytes, as text */
  readonly payload_text: string;
  readonly attempts: readonly SentAttempt[];
}

export interface EndpointStatistics {
  readonly days: readonly { readonly day: string; readonly succeeded: number; readonly failed: number; readonly p95_ms: number | null }[];
  readonly succeeded: number;
  readonly failed: number;
  readonly success_rate: number | null;
}

export interface Replayed {
  readonly matched: number;
  readonly queued: number;
  readonly next_after: string | null;
}

export type AttemptError =
  | "timeout"
  | "dns_error"
  | "connection_error"
  | "tls_error"
  | "blocked_address"
  | "redirect"
  | "http_error"
  | "endpoint_disabled"
  | "interrupted";
