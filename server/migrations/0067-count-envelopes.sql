-- The figures of an org, without reading its envelopes: how many are in each status now (on the day -infinity), and how many were created,
-- sent, completed, vaulted, declined, voided or have expired on each day (UTC). Every change adds rows to envelope_count_changes, so that
-- two changes never wait for each other; the sweep adds them up every minute. A figure is the sum of both tables.
create table envelope_counts (
  org_id text collate "C" not null references orgs,
  day date not null,
  kind text collate "C" not null,
  n integer not null,
  primary key (org_id, day, kind)
);
create table envelope_count_changes (
  org_id text collate "C" not null,
  day date not null,
  kind text collate "C" not null,
  n integer not null
);
create index envelope_count_changes_of_org on envelope_count_changes (org_id) include (day, kind, n);

alter table envelope_counts enable row level security;
alter table envelope_count_changes enable row level security;
create policy own_org on envelope_counts using (org_id = app_org());
create policy own_org on envelope_count_changes using (org_id = app_org());
grant select on envelope_counts, envelope_count_changes to countersign_app;

-- What the envelope counts as now, less what it counted as before. An envelope expires on the day of its expiry
-- date, not on the day on which the sweep ran. A discarded draft is not voided on any day.
create function count_envelope() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into envelope_count_changes (org_id, day, kind, n)
  select new.org_id, c.day, c.kind, sum(c.n) from (values
    (new.status, date '-infinity', 1), (old.status, date '-infinity', -1),
    (case when new.discarded_at is not null then 'discarded' end, date '-infinity', 1),
    (case when old.discarded_at is not null then 'discarded' end, date '-infinity', -1),
    ('created', (new.created_at at time zone 'UTC')::date, 1), ('created', (old.created_at at time zone 'UTC')::date, -1),
    ('sent', (new.sent_at at time zone 'UTC')::date, 1), ('sent', (old.sent_at at time zone 'UTC')::date, -1),
    ('completed', (new.completed_at at time zone 'UTC')::date, 1), ('completed', (old.completed_at at time zone 'UTC')::date, -1),
    (case when new.status in ('declined', 'voided') and new.discarded_at is null then new.status end, (new.ended_at at time zone 'UTC')::date, 1),
    (case when old.status in ('declined', 'voided') and old.discarded_at is null then old.status end, (old.ended_at at time zone 'UTC')::date, -1),
    (case when new.status = 'expired' then new.status end, (new.expires_at at time zone 'UTC')::date, 1),
    (case when old.status = 'expired' then old.status end, (old.expires_at at time zone 'UTC')::date, -1)
  ) as c (kind, day, n) where c.kind is not null and c.day is not null group by c.day, c.kind having sum(c.n) <> 0;
  return null;
end $$;
-- Many that are inserted at once add one row for each figure.
create function count_new_envelopes() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into envelope_count_changes (org_id, day, kind, n)
  select e.org_id, c.day, c.kind, count(*) from made e cross join lateral (values
    (e.status, date '-infinity'),
    (case when e.discarded_at is not null then 'discarded' end, date '-infinity'),
    ('created', (e.created_at at time zone 'UTC')::date),
    ('sent', (e.sent_at at time zone 'UTC')::date),
    ('completed', (e.completed_at at time zone 'UTC')::date),
    (case when e.status in ('declined', 'voided') and e.discarded_at is null then e.status end, (e.ended_at at time zone 'UTC')::date),
    (case when e.status = 'expired' then e.status end, (e.expires_at at time zone 'UTC')::date)
  ) as c (kind, day) where c.kind is not null and c.day is not null group by e.org_id, c.day, c.kind;
  return null;
end $$;
create trigger counted_when_made after insert on envelopes referencing new table as made
  for each statement execute function count_new_envelopes();
create trigger counted_when_changed after update on envelopes for each row
  when ((old.status, old.created_at, old.sent_at, old.completed_at, old.ended_at, old.expires_at, old.discarded_at)
    is distinct from (new.status, new.created_at, new.sent_at, new.completed_at, new.ended_at, new.expires_at, new.discarded_at))
  execute function count_envelope();

-- A record is vaulted when it has its first certificate, and counts on the day on which the vault stored it.
create function count_vaulted() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into envelope_count_changes (org_id, day, kind, n)
  select c.org_id, (c.stored_at at time zone 'UTC')::date, 'vaulted', c.n
  from (values (new.org_id, new.stored_at, new.vault_no, 1), (old.org_id, old.stored_at, old.vault_no, -1)) as c (org_id, stored_at, vault_no, n)
  where c.vault_no is not null;
  return null;
end $$;
create trigger counted_when_stored after insert on authoritative_copies for each row
  when (new.vault_no is not null) execute function count_vaulted();
create trigger counted_when_vaulted after update on authoritative_copies for each row
  when ((old.vault_no is null, old.stored_at) is distinct from (new.vault_no is null, new.stored_at)) execute function count_vaulted();

-- Adds up to p_limit changes to the figures. Returns how many there were. A reader sees a change in one of the tables and never in both,
-- because this is one statement.
create function sum_envelope_counts(p_limit integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  summed integer;
begin
  -- One at a time: two could wait for each other's rows.
  if not pg_try_advisory_xact_lock(hashtextextended('envelope-counts', 0)) then return 0; end if;
  with gone as (
    delete from envelope_count_changes where ctid = any(array(select ctid from envelope_count_changes limit p_limit))
    returning org_id, day, kind, n
  ), added as (
    insert into envelope_counts as c (org_id, day, kind, n)
    select org_id, day, kind, sum(n) from gone group by org_id, day, kind
    on conflict (org_id, day, kind) do update set n = c.n + excluded.n
  )
  select count(*)::int into summed from gone;
  return summed;
end $$;

revoke all on function count_envelope, count_new_envelopes, count_vaulted, sum_envelope_counts from public;
grant execute on function sum_envelope_counts to countersign_app;

-- Creating the triggers has locked both tables against writers, so that these are all rows until the commit.
insert into envelope_counts (org_id, day, kind, n)
select org_id, day, kind, count(*) from (
  select org_id, date '-infinity' as day, status as kind from envelopes
  union all select org_id, '-infinity', 'discarded' from envelopes where discarded_at is not null
  union all select org_id, (created_at at time zone 'UTC')::date, 'created' from envelopes
  union all select org_id, (sent_at at time zone 'UTC')::date, 'sent' from envelopes where sent_at is not null
  union all select org_id, (completed_at at time zone 'UTC')::date, 'completed' from envelopes where completed_at is not null
  union all select org_id, (ended_at at time zone 'UTC')::date, status from envelopes where status in ('declined', 'voided') and discarded_at is null and ended_at is not null
  union all select org_id, (expires_at at time zone 'UTC')::date, status from envelopes where status = 'expired' and expires_at is not null
  union all select org_id, (stored_at at time zone 'UTC')::date, 'vaulted' from authoritative_copies where vault_no is not null
) counted group by org_id, day, kind;

-- How long signing takes is worked out from the latest envelopes that were completed.
create index envelopes_by_completion on envelopes (org_id, completed_at) include (sent_at) where completed_at is not null;
