-- phase: expand
-- mode: transaction
-- What a job belongs to: the trace (W3C Trace Context) and the request that queued it. Null for rows of programs of before, and where there is
-- none.
alter table outbox add column traceparent text, add column request_id text;
