-- phase: expand
-- mode: transaction
-- Which processes run, and of which version, so that nothing is taken away that one of them still uses. Workers write their own row, as before;
-- without a version it is a worker of before. Processes that serve have no queue login and write theirs by these functions. Workers delete rows
-- without a recent heartbeat.
alter table worker_heartbeats
  add column role text,
  add column version text,
  -- the number of the newest migration that the program knows
  add column migration integer;

create function note_process(p_process text, p_version text, p_migration integer) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into worker_heartbeats as h (worker_id, beat_at, role, version, migration)
  values (p_process, clock_timestamp(), 'serve', p_version, p_migration)
  on conflict (worker_id) do update set beat_at = excluded.beat_at where h.role = 'serve'
$$;
create function forget_process(p_process text) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from worker_heartbeats where worker_id = p_process and role = 'serve'
$$;
revoke all on function note_process(text, text, integer), forget_process(text) from public;
grant execute on function note_process(text, text, integer), forget_process(text) to countersign_app;
