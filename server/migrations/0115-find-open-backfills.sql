-- phase: expand
-- mode: transaction
-- Backfills of these names that are not done, for the job that fills in. A program leaves those that it does not know to the newer one that
-- declared them. find_backfills, which returns all of them, is for earlier versions of the program.
create function find_open_backfills(p_names text[], p_limit integer) returns table (org_id text, name text)
language sql stable security definer set search_path = public, pg_temp as $$
  select b.org_id, b.name from backfills b where b.done_at is null and b.name = any(p_names) order by b.name, b.org_id limit p_limit
$$;
revoke all on function find_open_backfills(text[], integer) from public;
grant execute on function find_open_backfills(text[], integer) to countersign_app;
