-- phase: expand
-- mode: transaction
-- The list of events by type and by envelope, newest first. Without a filter it is read by the key. An index on a partitioned table cannot be
-- created concurrently; writers of events wait for it.
create index events_by_type on events (org_id, event_type, event_id);
create index events_by_envelope on events (org_id, envelope_id, event_id) where envelope_id is not null;
