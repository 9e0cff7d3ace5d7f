const sink_id = "snk_01h2xcejqtf2nbrexx3vqjhp41";

export const wanted = { kind: "webhook", target: "https://logs.example.com/countersign", from: "now" };

export const sink = {
  sink_id,
  kind: "webhook",
  target: wanted.target,
  enabled: true,
  state: "ok",
  after: 48_213,
  last_success_at: "2026-01-05T10:12:00.000Z",
  failing_since: null,
  last_error: null,
  next_attempt_at: null,
  created_at: "2026-01-05T09:30:00.000Z",
  updated_at: "2026-01-05T09:30:00.000Z",
};

export const newSink = { ...sink, last_success_at: null, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0l3N4b5c6d8=" };

export const change = { enabled: false };

export const changed = { ...sink, ...change, state: "off" };

export const deleted = { sink_id, deleted: true };

export const tested = { sink_id, accepted: false, error: "connection_error" };
