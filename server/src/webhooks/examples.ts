const endpoint_id = "we_01h2xcejqtf2nbrexx3vqjhp41";
const delivery_id = "whd_01h2xcejqtf2nbrexx3vqjhp41";
const event_id = "evt_01h2xcejqtf2nbrexx3vqjhp41";
const envelope_id = "env_01h2xcejqtf2nbrexx3vqjhp41";

export const wanted = {
  url: "https://example.com/countersign",
  description: "Contracts",
  event_types: ["envelope.*", "vault.stored"],
  enabled: true,
};

export const change = { description: "Contracts and vault", event_types: ["envelope.*", "vault.*"] };

export const endpoint = {
  endpoint_id,
  ...wanted,
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  last_success_at: "2026-01-05T10:12:00.000Z",
  secret_rotated_at: null,
  previous_secret_expires_at: null,
  created_at: "2026-01-05T09:30:00.000Z",
  updated_at: "2026-01-05T09:30:00.000Z",
};

export const secret = { endpoint_id, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0l3N4b5c6d8=" };

export const newEndpoint = { ...endpoint, last_success_at: null, secret: secret.secret };

export const rotated = {
  endpoint_id,
  secret: "whsec_p2Yw6vT1mXb9Qe4RkZs7Uc0HnGd3Jf5LaViOx8BtN1E=",
  previous_secret_expires_at: "2026-01-06T10:30:00.000Z",
};

export const deleted = { endpoint_id, deleted: true };

export const tested = { endpoint_id, event_id, delivery_id };

export const statistics = {
  endpoint_id,
  days: [
    { day: "2026-01-04", succeeded: 0, failed: 0, p50_ms: null, p95_ms: null },
    { day: "2026-01-05", succeeded: 117, failed: 3, p50_ms: 84, p95_ms: 412 },
  ],
  succeeded: 117,
  failed: 3,
  success_rate: 0.975,
};

const delivery = {
  delivery_id,
  endpoint_id,
  event_id,
  event_type: "envelope.sent",
  envelope_id,
  status: "succeeded",
  attempt_count: 1,
  next_attempt_at: null,
  created_at: "2026-01-05T10:12:00.000Z",
};

export const replayed = { ...delivery, status: "pending", next_attempt_at: "2026-01-06T09:30:00.000Z" };

export const attempt = {
  attempt_id: "wha_01h2xcejqtf2nbrexx3vqjhp41",
  delivery_id,
  endpoint_id,
  event_id,
  event_type: "envelope.sent",
  envelope_id,
  status: "succeeded",
  response_code: 200,
  response_body: "ok",
  response_body_truncated: false,
  attempt_count: 1,
  duration_ms: 84,
  next_retry_at: null,
  error: null,
  trigger: "event",
  url: wanted.url,
  created_at: "2026-01-05T10:12:00.400Z",
  attempted_at: "2026-01-05T10:12:00.412Z",
};

export const event = {
  event_type: "envelope.sent",
  event_id,
  org_id: "org_01h2xcejqtf2nbrexx3vqjhp41",
  envelope_id,
  timestamp: "2026-01-05T10:12:00.000Z",
  data: {
    envelope_id,
    sent_at: "2026-01-05T10:12:00.000Z",
    submission_id: "sub_01h2xcejqtf2nbrexx3vqjhp41",
    customer_id: "cust_01h2xcejqtf2nbrexx3vqjhp41",
    external_id: "LEASE-2026-17",
  },
};
const payload_text = JSON.stringify(event);

export const deliveryWithPayload = {
  ...delivery,
  payload: event,
  payload_text,
  attempts: [
    {
      ...attempt,
      request: {
        method: "POST",
        headers: {
          host: "example.com",
          "content-type": "application/json",
          "content-length": String(Buffer.byteLength(payload_text)),
          "webhook-id": event_id,
          "webhook-timestamp": "1767607920",
        },
      },
    },
  ],
};

export const range = { since: "2026-01-05T09:30:00.000Z", event_types: ["vault.*"] };

export const replayedRange = { matched: 12, queued: 12, next_after: null };

export const eventType = {
  event_type: "webhook.test",
  status: "dispatched",
  schema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
};
