-- phase: expand
-- mode: transaction
-- works-with: 0120
-- Events, webhook deliveries and their attempts, and the leaves of the log are kept in partitions, so that what is past its retention is
-- dropped with its table instead of deleted row by row. Their keys are ordered by time, or by place in the log, so no column is added. What
-- there is becomes the oldest partition of each: it is read once and not written anew. Programs of before must be stopped: they delete
-- deliveries row by row, and count on attempts that go with them. There is no default partition, because one with rows would have to be
-- searched whenever another is added. The phase is `expand` because this program needs it from its start, and no program of before runs beside it.

-- Rows of three tables that are dropped at different times cannot refer to each other. `drop_partition` keeps what is still needed.
alter table webhook_attempts drop constraint webhook_attempts_org_id_delivery_id_fkey;
alter table webhook_deliveries drop constraint webhook_deliveries_org_id_event_id_fkey;
drop index webhook_deliveries_age;
drop function forget_webhook_deliveries(interval, integer);

-- Identity columns of partitioned tables need PostgreSQL 17. The numbers go on where they were.
do $$
declare
  last bigint;
  called boolean;
begin
  select last_value, is_called into last, called from events_event_seq_seq;
  alter table events alter column event_seq drop identity;
  create sequence events_event_seq_seq;
  perform setval('events_event_seq_seq', last, called);
end $$;
alter table events alter column event_seq set default nextval('events_event_seq_seq');
grant usage on sequence events_event_seq_seq to countersign_app;

-- The app's role has rights only on the partitioned tables, and their policies apply to it. On a partition it has none.
do $$
declare
  parent text;
  index_name text;
begin
  foreach parent in array array['events', 'webhook_deliveries', 'webhook_attempts', 'log_leaves'] loop
    for index_name in select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = parent::regclass loop
      execute format('alter index %I rename to %I', index_name, replace(index_name, parent, parent || '_oldest'));
    end loop;
    execute format('drop policy if exists own_org on %I', parent);
    execute format('revoke all on %I from countersign_app', parent);
    execute format('alter table %I enable row level security', parent);
    execute format('alter table %I rename to %I', parent, parent || '_oldest');
  end loop;
end $$;

-- A key of a partitioned table includes the column that it is partitioned by.
alter table webhook_deliveries_oldest drop constraint webhook_deliveries_oldest_pkey;
alter table webhook_attempts_oldest drop constraint webhook_attempts_oldest_pkey;

create table events (
  like events_oldest including defaults including constraints including storage,
  primary key (org_id, event_id)
) partition by range (event_id);
alter sequence events_event_seq_seq owned by events.event_seq;
create index events_to_fan_out on events (org_id, event_seq) where fanned_out_at is null;

create table webhook_deliveries (
  like webhook_deliveries_oldest including defaults including constraints including storage,
  unique (org_id, event_id, endpoint_id),
  foreign key (org_id, endpoint_id) references webhook_endpoints
) partition by range (event_id);
create index webhook_deliveries_by_id on webhook_deliveries (org_id, delivery_id);
create index webhook_deliveries_due on webhook_deliveries (org_id, endpoint_id, next_attempt_at, event_seq) where status = 'pending';
create index webhook_deliveries_in_hand on webhook_deliveries (org_id, endpoint_id, leased_until) where leased_until is not null;
create index webhook_deliveries_untried on webhook_deliveries (org_id, endpoint_id, envelope_id, event_seq)
  where status = 'pending' and attempt_count = 0;
create index webhook_deliveries_by_endpoint on webhook_deliveries (org_id, endpoint_id, delivery_id);
create index webhook_deliveries_failed on webhook_deliveries (org_id, endpoint_id) where status = 'failed';

create table webhook_attempts (
  like webhook_attempts_oldest including defaults including constraints including storage,
  unique (org_id, event_id, attempt_id)
) partition by range (event_id);
create index webhook_attempts_by_endpoint on webhook_attempts (org_id, endpoint_id, attempt_id);
create index webhook_attempts_by_delivery on webhook_attempts (org_id, delivery_id, attempt_id);

create table log_leaves (
  like log_leaves_oldest including constraints including storage,
  primary key (leaf_index)
) partition by range (leaf_index);
create index log_leaves_by_hash on log_leaves using hash (hash);

alter table events enable row level security;
alter table webhook_deliveries enable row level security;
alter table webhook_attempts enable row level security;
create policy own_org on events using (org_id = app_org());
create policy own_org on webhook_deliveries using (org_id = app_org());
create policy own_org on webhook_attempts using (org_id = app_org());
grant select, insert, update (fanned_out_at) on events to countersign_app;
grant select, insert, update on webhook_deliveries, webhook_attempts to countersign_app;
grant select on log_leaves to countersign_app;

-- Smaller than every id of an event from this time on, and larger than every one before: the first ten of an id's 26 digits are its time.
create function first_event_id(p_at timestamptz) returns text
language sql stable strict parallel safe as $$
  select 'evt_' || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + ((floor(extract(epoch from p_at) * 1000)::bigint >> (5 * n)) & 31)::integer, 1),
    '' order by n desc)
  from generate_series(0, 9) n
$$;

-- Of all four tables. `starts` is null for the oldest, which has no lower bound; `ends` is not part of the partition.
create function list_partitions() returns table (parent text, name text, starts text, ends text)
language sql stable set search_path = pg_catalog, public as $$
  select p.relname::text, c.relname::text,
    nullif(substring(b.bound from '^FOR VALUES FROM \(''?([^'')]+)''?\)'), 'MINVALUE'),
    substring(b.bound from ' TO \(''?([^'')]+)''?\)$')
  from pg_inherits i
    join pg_class p on p.oid = i.inhparent and p.relnamespace = 'public'::regnamespace
      and p.relname in ('events', 'webhook_deliveries', 'webhook_attempts', 'log_leaves')
    join pg_class c on c.oid = i.inhrelid
    cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
$$;

-- Adds the partition from where the last one ends to `p_ends`. Bounds become part of a statement, so they must be of one form. Readers and
-- writers go on meanwhile; if something else has a lock, this gives up soon, because others would wait behind it.
create function add_partition(p_parent text, p_ends text) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  last text;
  added text;
  now_at text;
begin
  set local lock_timeout = '2s';
  if p_parent in ('events', 'webhook_deliveries', 'webhook_attempts') and p_ends ~ '^evt_[0-7][0-9a-hjkmnp-tv-z]{9}$' then
    now_at := first_event_id(now());
  elsif p_parent = 'log_leaves' and p_ends ~ '^[1-9][0-9]{0,17}$' then
    now_at := (select coalesce(max(leaf_index), 0)::text from log_leaves);
  else
    raise exception 'no partition of % can end at %', p_parent, p_ends using errcode = 'invalid_parameter_value';
  end if;
  -- Bounds of one table have the same number of characters, except numbers.
  select l.ends into last from list_partitions() l where l.parent = p_parent order by length(l.ends) desc, l.ends collate "C" desc limit 1;
  if (length(p_ends), p_ends collate "C") <= (length(last), last collate "C") then
    raise exception 'the partitions of % end at %, after %', p_parent, last, p_ends using errcode = 'invalid_parameter_value';
  end if;
  if (select count(*) from list_partitions() l
      where l.parent = p_parent and (length(l.starts), l.starts collate "C") > (length(now_at), now_at collate "C")) >= 8 then
    raise exception '% has enough partitions for later', p_parent using errcode = 'invalid_parameter_value';
  end if;
  added := p_parent || coalesce('_from_' || replace(last, 'evt_', ''), '_oldest');
  execute format('create table %I (like %I including defaults including constraints including storage)%s', added, p_parent,
    case when p_parent like 'webhook%' then ' with (fillfactor = 70)' else '' end);
  execute format('alter table %I enable row level security', added);
  execute format('revoke all on %I from public, countersign_app, countersign_queue', added);
  execute format('alter table %I attach partition %I for values from (%s) to (%L)', p_parent, added, coalesce(quote_literal(last), 'minvalue'),
    p_ends);
  return added;
end $$;

-- Drops the partition that ends there if all of it is older than `p_age` and nothing in it is still needed: no event that was not fanned out
-- or has deliveries, and no delivery that is pending or yet to come of such an event. Attempts go with their deliveries. False: it is kept.
create function drop_partition(p_parent text, p_ends text, p_age interval) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  dropped record;
  is_needed boolean;
begin
  set local lock_timeout = '2s';
  if p_parent not in ('events', 'webhook_deliveries') or p_ends !~ '^evt_[0-7][0-9a-hjkmnp-tv-z]{9}$' or p_age < interval '1 day' then
    raise exception 'no partition of % that ends at % is dropped', p_parent, p_ends using errcode = 'invalid_parameter_value';
  end if;
  select l.name, coalesce(l.starts, '') as starts into dropped from list_partitions() l where l.parent = p_parent and l.ends = p_ends;
  if dropped is null or p_ends collate "C" > first_event_id(now() - p_age) then return false; end if;
  if p_parent = 'events' then
    if exists (select from webhook_deliveries d where d.event_id >= dropped.starts and d.event_id < p_ends) then return false; end if;
    lock table only events in access exclusive mode;
  else
    lock table only webhook_deliveries, only webhook_attempts in access exclusive mode;
    execute format('select exists (select from %I where status = ''pending'')', dropped.name) into is_needed;
    if is_needed then return false; end if;
  end if;
  if exists (select from events e where e.fanned_out_at is null and e.event_id >= dropped.starts and e.event_id < p_ends) then return false; end if;
  execute format('drop table %I', dropped.name);
  if p_parent = 'webhook_deliveries' then
    for dropped in select l.name from list_partitions() l where l.parent = 'webhook_attempts' and l.ends = p_ends loop
      execute format('drop table %I', dropped.name);
    end loop;
  end if;
  return true;
end $$;

revoke all on function first_event_id, list_partitions, add_partition, drop_partition from public;
grant execute on function first_event_id, list_partitions, add_partition, drop_partition to countersign_app;

-- What there is ends with its month or week, or a later one if its ids are later. Three more follow. Later ones are added by the job
-- `db.partitions`.
do $$
declare
  latest constant text := (select max(event_id) from events_oldest);
  period record;
  ends timestamp;
  leaves bigint := 50000000 * ((select coalesce(max(leaf_index), 0) from log_leaves_oldest) / 50000000 + 1);
begin
  for period in select * from (values
    ('events', 'month', interval '1 month'), ('webhook_deliveries', 'week', interval '1 week'), ('webhook_attempts', 'week', interval '1 week')
  ) as p (parent, name, span) loop
    ends := date_trunc(period.name, now() at time zone 'UTC') + period.span;
    while first_event_id(ends at time zone 'UTC') collate "C" <= latest loop
      ends := ends + period.span;
      if ends > timestamp '2200-01-01' then raise exception 'the event % is of the far future', latest; end if;
    end loop;
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', period.parent, period.parent || '_oldest',
      first_event_id(ends at time zone 'UTC'));
    for n in 1..3 loop
      perform add_partition(period.parent, first_event_id((ends + n * period.span) at time zone 'UTC'));
    end loop;
  end loop;
  execute format('alter table log_leaves attach partition log_leaves_oldest for values from (minvalue) to (%s)', leaves);
  for n in 1..3 loop
    perform add_partition('log_leaves', (leaves + n * 50000000)::text);
  end loop;
end $$;
