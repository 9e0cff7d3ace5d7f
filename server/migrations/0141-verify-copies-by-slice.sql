-- phase: expand
-- mode: transaction
-- The sweep of the vault in 64 slices. find_copies_to_verify and sample_copies, which look at all copies, are for earlier versions of the program.

-- Copies of a slice that were not verified for this long, the oldest first. Two parts, because a condition with "or" would read all of them.
create function find_copies_of_slice(p_slice integer, p_age interval, p_limit integer) returns table (org_id text, envelope_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select d.org_id, d.envelope_id from (
    (select c.org_id, c.envelope_id, c.verified_at from authoritative_copies c
      where abs(hashtext(c.envelope_id)::bigint) % 64 = p_slice and c.state in ('active', 'escrowed', 'papering') and c.verified_at is null
      limit p_limit)
    union all
    (select c.org_id, c.envelope_id, c.verified_at from authoritative_copies c
      where abs(hashtext(c.envelope_id)::bigint) % 64 = p_slice and c.state in ('active', 'escrowed', 'papering') and c.verified_at <= now() - p_age
      order by c.verified_at limit p_limit)) d
  order by d.verified_at nulls first limit p_limit
$$;

-- A share of the copies of a slice, at most p_most, less those that were verified since. The seed decides which, so that a sweep that goes on
-- after a crash has the same ones.
create function sample_copies_of_slice(p_slice integer, p_seed text, p_share double precision, p_most integer, p_since timestamptz, p_limit integer)
returns table (org_id text, envelope_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.org_id, s.envelope_id from (
    select c.org_id, c.envelope_id, c.verified_at from authoritative_copies c
    where abs(hashtext(c.envelope_id)::bigint) % 64 = p_slice and c.state in ('active', 'escrowed', 'papering')
      and abs(hashtext(c.envelope_id || p_seed)::bigint) < p_share * 2147483648
    order by abs(hashtext(c.envelope_id || p_seed)::bigint) limit p_most) s
  where s.verified_at is null or s.verified_at < p_since limit p_limit
$$;

-- How far the audit trails of a slice are verified in the present round. A slice has 16 of the 1,024 of find_chains_between; `reached` is the
-- last one that was verified, and `failed` those that could not be.
create table verify_slices (
  slice smallint primary key check (slice between 0 and 63),
  began_at timestamptz not null,
  reached jsonb,
  failed jsonb not null,
  is_done boolean not null
);
create function find_verified_chains(p_slice integer) returns table (began_at timestamptz, reached jsonb, failed jsonb, is_done boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select v.began_at, v.reached, v.failed, v.is_done from verify_slices v where v.slice = p_slice
$$;
create function note_verified_chains(p_slice integer, p_began_at timestamptz, p_reached jsonb, p_failed jsonb, p_is_done boolean) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into verify_slices (slice, began_at, reached, failed, is_done) values (p_slice, p_began_at, p_reached, p_failed, p_is_done)
  on conflict (slice) do update
    set began_at = excluded.began_at, reached = excluded.reached, failed = excluded.failed, is_done = excluded.is_done
$$;

revoke all on function find_copies_of_slice, sample_copies_of_slice, find_verified_chains, note_verified_chains from public;
grant execute on function find_copies_of_slice, sample_copies_of_slice, find_verified_chains, note_verified_chains to countersign_app;
