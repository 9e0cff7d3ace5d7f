-- phase: expand
-- mode: concurrent
-- The slice of a copy, for the sweep that verifies all copies in 64 slices. The number of slices never changes.
create index concurrently authoritative_copies_by_slice on authoritative_copies ((abs(hashtext(envelope_id)::bigint) % 64), verified_at nulls first)
  where state in ('active', 'escrowed', 'papering');
