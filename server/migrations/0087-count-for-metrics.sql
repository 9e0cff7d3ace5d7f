-- For metrics, each 15 seconds, by one worker. Counts of the whole installation, no row of any organization.
create index authoritative_copies_tampered on authoritative_copies (org_id) where state = 'tampered';

create function operations_gauges() returns table (name text, task text, value double precision)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query
    select 'outbox_rows', null::text, count(*)::double precision from outbox
    union all
    select 'outbox_oldest_seconds', null, coalesce(extract(epoch from now() - min(o.created_at)), 0)::double precision from outbox o
      where o.run_at is null or o.run_at <= now()
    union all
    select 'webhook_due', null, count(*)::double precision from webhook_deliveries d where d.status = 'pending' and d.next_attempt_at <= now()
    union all
    select 'webhook_oldest_due_seconds', null, coalesce(extract(epoch from now() - min(d.next_attempt_at)), 0)::double precision
      from webhook_deliveries d where d.status = 'pending' and d.next_attempt_at <= now()
    union all
    select 'mail_oldest_due_seconds', null, coalesce(extract(epoch from now() - min(m.next_attempt_at)), 0)::double precision
      from mail_messages m where m.state = 'queued' and m.next_attempt_at <= now()
    union all
    select 'vault_sweep_lag_seconds', null, coalesce((select extract(epoch from now() - coalesce(c.verified_at, c.state_since))
      from authoritative_copies c where c.state in ('active', 'escrowed') order by c.verified_at nulls first limit 1), 0)::double precision
    union all
    select 'vault_tampered', null, count(*)::double precision from authoritative_copies c where c.state = 'tampered'
    union all
    select 'log_queue', null, count(*)::double precision from log_queue
    union all
    select 'log_fault', null, coalesce((select (l.fault is not null)::int from log_checks l order by l.log_check_id desc limit 1), 0)::double precision;
  -- The queue's tables are created after these.
  if to_regclass('graphile_worker._private_jobs') is null then return; end if;
  return query
    with counted as (
      select t.identifier,
        count(*) filter (where j.attempts < j.max_attempts and j.run_at <= now() and j.locked_at is null) as ready,
        min(j.run_at) filter (where j.attempts < j.max_attempts and j.run_at <= now() and j.locked_at is null) as oldest,
        count(*) filter (where j.attempts >= j.max_attempts and j.locked_at is null) as failed
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id group by 1
    )
    select 'jobs_ready', c.identifier, c.ready::double precision from counted c
    union all
    select 'jobs_oldest_ready_seconds', c.identifier, coalesce(extract(epoch from now() - c.oldest), 0)::double precision from counted c
    union all
    select 'jobs_failed', c.identifier, c.failed::double precision from counted c;
end $$;
revoke all on function operations_gauges from public;
grant execute on function operations_gauges to countersign_app;
