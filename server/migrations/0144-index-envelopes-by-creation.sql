-- phase: expand
-- mode: concurrent
-- Lists of envelopes that were created in a span of time, newest first, with or without discarded drafts.
create index concurrently envelopes_by_creation on envelopes (org_id, created_at, envelope_id) include (discarded_at);
