-- phase: expand
-- mode: concurrent
-- The slice of a chain, for the sweep that verifies all chains in turns. The number of slices never changes.
create index concurrently audit_heads_by_slice on audit_heads ((abs(hashtext(subject)::bigint) % 1024), org_id, subject);
