import { iso, isoOrNull } from "../http/shapes.ts";
import type { EndpointId } from "../shared/ids.ts";
import type { Attempt, Delivery } from "./delivery.ts";
import type { DeliveryWithPayload } from "./delivery-store.ts";
import type { WebhookEndpoint } from "./endpoint.ts";
import { isReservedOnly } from "./event-filter.ts";
import type { EventBody } from "./event-store.ts";
import { requestOnRecord } from "./request-on-record.ts";
import type { RotatedSecret } from "./rotate-secret.ts";
import type { TimedDay } from "./statistics-store.ts";

/** Members are listed explicitly, so that no other column leaves. */
export const presentEndpoint = (endpoint: WebhookEndpoint) => ({
  endpoint_id: endpoint.endpoint_id,
  url: endpoint.url,
  description: endpoint.description,
  event_types: endpoint.event_types,
  enabled: endpoint.enabled,
  disabled_reason: endpoint.disabled_reason,
  disabled_at: isoOrNull(endpoint.disabled_at),
  failing_since: isoOrNull(endpoint.failing_since),
  last_success_at: isoOrNull(endpoint.last_success_at),
  secret_rotated_at: isoOrNull(endpoint.secret_rotated_at),
  previous_secret_expires_at: isoOrNull(endpoint.previous_secret_expires_at),
  created_at: iso(endpoint.created_at),
  updated_at: iso(endpoint.updated_at),
});

/** After creating or changing an endpoint: with warnings. */
export const presentWritten = (endpoint: WebhookEndpoint) => ({
  ...presentEndpoint(endpoint),
  ...(isReservedOnly(endpoint.event_types) && { warnings: [RESERVED_ONLY] }),
});

const RESERVED_ONLY = {
  code: "reserved_events_only",
  message: "All chosen event types are reserved and are not sent. The endpoint gets only tests. See GET /webhooks/event-types",
} as const;

export const presentNewEndpoint = (endpoint: WebhookEndpoint & { secret: string }) => ({
  ...presentWritten(endpoint),
  secret: endpoint.secret,
});

export const presentRotated = (rotated: RotatedSecret) => ({
  endpoint_id: rotated.endpoint_id,
  secret: rotated.secret,
  previous_secret_expires_at: isoOrNull(rotated.previous_secret_expires_at),
});

/** As it was sent. Written as JSON again it has the same bytes. */
export const presentEvent = (body: EventBody) => JSON.parse(body.toString()) as Record<string, unknown>;

export const presentAttempt = (attempt: Attempt) => ({
  attempt_id: attempt.attempt_id,
  delivery_id: attempt.delivery_id,
  endpoint_id: attempt.endpoint_id,
  event_id: attempt.event_id,
  event_type: attempt.event_type,
  envelope_id: attempt.envelope_id,
  status: attempt.status,
  response_code: attempt.response_code,
  response_body: attempt.response_body,
  response_body_truncated: attempt.response_body_truncated,
  attempt_count: attempt.attempt_count,
  duration_ms: attempt.duration_ms,
  next_retry_at: isoOrNull(attempt.next_retry_at),
  error: attempt.error,
  trigger: attempt.trigger,
  url: attempt.url,
  created_at: iso(attempt.created_at),
  attempted_at: isoOrNull(attempt.attempted_at),
});

export const presentDelivery = (delivery: Delivery) => ({
  delivery_id: delivery.delivery_id,
  endpoint_id: delivery.endpoint_id,
  event_id: delivery.event_id,
  event_type: delivery.event_type,
  envelope_id: delivery.envelope_id,
  status: delivery.status,
  attempt_count: delivery.attempt_count,
  next_attempt_at: isoOrNull(delivery.next_attempt_at),
  created_at: iso(delivery.created_at),
});

export const presentWithPayload = (delivery: DeliveryWithPayload) => ({
  ...presentDelivery(delivery),
  payload: JSON.parse(delivery.body.toString("utf8")) as Record<string, unknown>,
  payload_text: delivery.body.toString("utf8"),
  attempts: delivery.attempts.map((attempt) => ({ ...presentAttempt(attempt), request: requestOnRecord(attempt, delivery.body) })),
});

export function presentStatistics(endpoint_id: EndpointId, days: readonly TimedDay[]) {
  const succeeded = days.reduce((sum, day) => sum + day.succeeded, 0);
  const failed = days.reduce((sum, day) => sum + day.failed, 0);
  const ended = succeeded + failed;
  return {
    endpoint_id,
    days: days.map(({ day, succeeded, failed, p50_ms, p95_ms }) => ({ day, succeeded, failed, p50_ms, p95_ms })),
    succeeded,
    failed,
    success_rate: ended === 0 ? null : succeeded / ended,
  };
}
