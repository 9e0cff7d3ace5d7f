-- phase: expand
-- mode: concurrent
-- The same for chains whose head is gone.
create index concurrently audit_first_entries_by_slice on audit_entries ((abs(hashtext(subject)::bigint) % 1024), org_id, subject) where seq = 1;
