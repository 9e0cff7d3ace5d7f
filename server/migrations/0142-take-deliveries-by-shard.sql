-- phase: expand
-- mode: transaction
-- Organizations are in 16 shards by the hash of their id. Workers take due deliveries of different shards at the same time, and one of a shard
-- at a time, so the free places of an organization and of its endpoints are counted exactly. What was taken is prepared, and what succeeded is
-- recorded, for all organizations in one statement. Each of these functions looks up some rows by their key: a plan that was made while a
-- partition was empty must not read all of it later.

-- For earlier versions of the program, which have one lock for all organizations: now it takes all shards, and waits for workers that have one.
create or replace function take_due_deliveries(p_limit integer, p_per_endpoint integer, p_per_org integer, p_lease interval)
returns table (org_id text, delivery_id text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  at timestamptz;
begin
  for shard in 0..15 loop
    perform pg_advisory_xact_lock(5013, shard);
  end loop;
  at := clock_timestamp();
  return query
  with recursive waiting as (
    (select d.org_id, d.endpoint_id from webhook_deliveries d where d.status = 'pending' order by d.org_id, d.endpoint_id limit 1)
    union all
    select n.org_id, n.endpoint_id from waiting w, lateral (
      select d.org_id, d.endpoint_id from webhook_deliveries d
      where d.status = 'pending' and (d.org_id, d.endpoint_id) > (w.org_id, w.endpoint_id)
      order by d.org_id, d.endpoint_id limit 1) n
  ), places as (
    select w.org_id, w.endpoint_id, p_per_endpoint - (
      select count(*) from webhook_deliveries h
      where h.org_id = w.org_id and h.endpoint_id = w.endpoint_id and h.leased_until > at)::integer as free
    from waiting w
  ), due as (
    select t.* from places p, lateral (
      select d.org_id, d.delivery_id, d.next_attempt_at, d.event_seq from webhook_deliveries d
      where d.org_id = p.org_id and d.endpoint_id = p.endpoint_id and d.status = 'pending' and d.next_attempt_at <= at
        and (d.leased_until is null or d.leased_until <= at)
        and (d.attempt_count > 0 or d.envelope_id is null or not exists (
          select from webhook_deliveries e
          where e.org_id = d.org_id and e.endpoint_id = d.endpoint_id and e.envelope_id = d.envelope_id and e.event_seq < d.event_seq
            and e.status = 'pending' and e.attempt_count = 0))
      order by d.next_attempt_at, d.event_seq limit greatest(p.free, 0)
      for no key update skip locked) t
  ), in_turn as (
    select due.org_id, due.delivery_id, due.next_attempt_at, due.event_seq,
      row_number() over (partition by due.org_id order by due.next_attempt_at, due.event_seq) + (
        select count(*) from webhook_deliveries h where h.org_id = due.org_id and h.leased_until > at) as turn
    from due
  ), taken as (
    select t.org_id, t.delivery_id from in_turn t where t.turn <= p_per_org order by t.turn, t.next_attempt_at, t.event_seq limit p_limit
  )
  update webhook_deliveries d set leased_until = at + p_lease
  from taken where d.org_id = taken.org_id and d.delivery_id = taken.delivery_id
  returning d.org_id, d.delivery_id;
end $$;

-- The shards with pending deliveries in random order, so that workers begin with different ones. A shard that another worker has is left to it;
-- nothing waits. Ends with the shard that filled the limit, so that the others stay free.
create function take_due_of_shards(p_limit integer, p_per_endpoint integer, p_per_org integer, p_lease interval)
returns table (org_id text, event_id text, delivery_id text)
language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  shard record;
  at timestamptz;
  free_places integer := p_limit;
  found integer;
begin
  for shard in
    with recursive pending as (
      (select d.org_id from webhook_deliveries d where d.status = 'pending' order by d.org_id limit 1)
      union all
      select n.org_id from pending p, lateral (
        select d.org_id from webhook_deliveries d where d.status = 'pending' and d.org_id > p.org_id order by d.org_id limit 1) n
    )
    select abs(hashtext(p.org_id)::bigint) % 16 as no, array_agg(p.org_id) as orgs from pending p group by 1 order by random()
  loop
    exit when free_places <= 0;
    continue when not pg_try_advisory_xact_lock(5013, shard.no::integer);
    -- A value, because an index cannot be asked for a time that moves on: what waits for a later attempt would be read each time. After the
    -- lock, so that it is later than what the worker before has taken.
    at := clock_timestamp();
    return query
    with recursive waiting as (
      select f.org_id, f.endpoint_id from unnest(shard.orgs) o (org_id), lateral (
        select d.org_id, d.endpoint_id from webhook_deliveries d
        where d.status = 'pending' and d.org_id = o.org_id order by d.endpoint_id limit 1) f
      union all
      select n.org_id, n.endpoint_id from waiting w, lateral (
        select d.org_id, d.endpoint_id from webhook_deliveries d
        where d.status = 'pending' and d.org_id = w.org_id and d.endpoint_id > w.endpoint_id order by d.endpoint_id limit 1) n
    ), places as (
      select w.org_id, w.endpoint_id, p_per_endpoint - (
        select count(*) from webhook_deliveries h
        where h.org_id = w.org_id and h.endpoint_id = w.endpoint_id and h.leased_until > at)::integer as free
      from waiting w
    ), due as (
      select t.* from places p, lateral (
        select d.org_id, d.event_id, d.delivery_id, d.next_attempt_at, d.event_seq from webhook_deliveries d
        where d.org_id = p.org_id and d.endpoint_id = p.endpoint_id and d.status = 'pending' and d.next_attempt_at <= at
          and (d.leased_until is null or d.leased_until <= at)
          and (d.attempt_count > 0 or d.envelope_id is null or not exists (
            select from webhook_deliveries e
            where e.org_id = d.org_id and e.endpoint_id = d.endpoint_id and e.envelope_id = d.envelope_id and e.event_seq < d.event_seq
              and e.status = 'pending' and e.attempt_count = 0))
        order by d.next_attempt_at, d.event_seq limit greatest(p.free, 0)
        for no key update skip locked) t
    ), in_turn as (
      select due.*, row_number() over (partition by due.org_id order by due.next_attempt_at, due.event_seq) + (
          select count(*) from webhook_deliveries h where h.org_id = due.org_id and h.leased_until > at) as turn
      from due
    ), taken as (
      select t.org_id, t.event_id, t.delivery_id from in_turn t where t.turn <= p_per_org
      order by t.turn, t.next_attempt_at, t.event_seq limit free_places
    )
    update webhook_deliveries d set leased_until = at + p_lease
    from taken where d.org_id = taken.org_id and d.event_id = taken.event_id and d.delivery_id = taken.delivery_id
    returning d.org_id, d.event_id, d.delivery_id;
    get diagnostics found = row_count;
    free_places := free_places - found;
  end loop;
end $$;

-- Records an attempt of each of these deliveries, which the caller has taken, and returns what their requests need. Left out, for a transaction
-- of their organization: those that are pending no longer, those that someone else has locked, and those whose endpoint is disabled.
create function begin_attempts(p_orgs text[], p_events text[], p_deliveries text[], p_attempts text[])
returns table (org_id text, delivery_id text, attempt_id text, endpoint_id text, event_id text, run integer, failures integer, url text,
  secret_enc bytea, previous_secret_enc bytea, body bytea)
language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  locked text[];
begin
  select array_agg(l.delivery_id) into locked from (
    select d.delivery_id from unnest(p_orgs, p_events, p_deliveries) as n (org_id, event_id, delivery_id)
    join webhook_deliveries d on d.org_id = n.org_id and d.event_id = n.event_id and d.delivery_id = n.delivery_id
    where d.status = 'pending' for no key update of d skip locked) l;
  return query
  with ready as materialized (
    select n.*, d.endpoint_id, d.run, d.failures, e.url, e.secret_enc,
      case when e.previous_secret_expires_at > now() then e.previous_secret_enc end as previous_secret_enc, v.body
    from unnest(p_orgs, p_events, p_deliveries, p_attempts) as n (org_id, event_id, delivery_id, attempt_id)
    join webhook_deliveries d on d.org_id = n.org_id and d.event_id = n.event_id and d.delivery_id = n.delivery_id
    join webhook_endpoints e on e.org_id = d.org_id and e.endpoint_id = d.endpoint_id
    join events v on v.org_id = n.org_id and v.event_id = n.event_id
    where n.delivery_id = any(locked) and e.enabled and e.deleted_at is null
  ), cut_off as (
    -- An earlier attempt that a crash interrupted, whose result is unknown.
    update webhook_attempts a set status = 'failed', error = 'interrupted' from ready r
    where a.org_id = r.org_id and a.event_id = r.event_id and a.delivery_id = r.delivery_id and a.status = 'pending'
  ), counted as (
    update webhook_deliveries d set attempt_count = d.attempt_count + 1 from ready r
    where d.org_id = r.org_id and d.event_id = r.event_id and d.delivery_id = r.delivery_id
    returning d.org_id, d.delivery_id, d.event_type, d.envelope_id, d.trigger, d.attempt_count
  ), begun as (
    insert into webhook_attempts (org_id, attempt_id, delivery_id, endpoint_id, event_id, event_type, envelope_id, status, trigger, run,
      attempt_count, url, attempted_at)
    select r.org_id, r.attempt_id, r.delivery_id, r.endpoint_id, r.event_id, c.event_type, c.envelope_id, 'pending', c.trigger, r.run,
      c.attempt_count, r.url, clock_timestamp()
    from ready r join counted c on c.org_id = r.org_id and c.delivery_id = r.delivery_id
  )
  select r.org_id, r.delivery_id, r.attempt_id, r.endpoint_id, r.event_id, r.run, r.failures, r.url, r.secret_enc, r.previous_secret_enc, r.body
  from ready r;
end $$;

-- Records attempts that succeeded. Returns those that it left out, for a transaction of their organization, because someone else has locked
-- their endpoint: one organization that changes an endpoint must not make the others wait.
create function settle_successes(p_succeeded json) returns table (attempt_id text)
language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  locked text[];
begin
  select array_agg(l.endpoint_id) into locked from (
    select e.endpoint_id from webhook_endpoints e
    where (e.org_id, e.endpoint_id) in (
      select s.org_id, s.endpoint_id from json_to_recordset(p_succeeded) as s (org_id text, endpoint_id text))
    order by e.org_id, e.endpoint_id for no key update of e skip locked) l;
  return query
  with given as materialized (
    select s.*, s.endpoint_id = any(coalesce(locked, '{}')) as is_locked
    from json_to_recordset(p_succeeded) as s (org_id text, attempt_id text, delivery_id text, endpoint_id text, event_id text, run integer,
      failures integer, url text, response_code smallint, response_body text, response_body_truncated boolean, duration_ms integer)
  ), ended as (
    update webhook_attempts a set status = 'succeeded', error = null, response_code = s.response_code, response_body = s.response_body,
      response_body_truncated = s.response_body_truncated, duration_ms = s.duration_ms, next_retry_at = null
    from given s
    where s.is_locked and a.org_id = s.org_id and a.event_id = s.event_id and a.attempt_id = s.attempt_id and a.status = 'pending'
    returning a.org_id, a.attempt_id
  ), counted as materialized (
    select s.* from given s join ended e on e.org_id = s.org_id and e.attempt_id = s.attempt_id
  ), let_go as (
    -- The result of an earlier run releases the delivery and changes nothing else.
    update webhook_deliveries d set leased_until = null,
      status = case when d.run = c.run then 'succeeded' else d.status end,
      failures = case when d.run = c.run then c.failures else d.failures end,
      trigger = case when d.run = c.run and c.failures > d.failures then 'retry' else d.trigger end,
      next_attempt_at = case when d.run = c.run then null else d.next_attempt_at end
    from counted c where d.org_id = c.org_id and d.event_id = c.event_id and d.delivery_id = c.delivery_id
  ), of_day as (
    insert into webhook_days as d (org_id, day, endpoint_id, succeeded, failed)
    select c.org_id, (now() at time zone 'UTC')::date, c.endpoint_id, count(*), 0 from counted c group by c.org_id, c.endpoint_id
    on conflict (org_id, day, endpoint_id) do update set succeeded = d.succeeded + excluded.succeeded
  ), noted as (
    -- A response of an old URL says nothing about the new one.
    update webhook_endpoints e set last_success_at = now(), failing_since = null, failing_told_at = null
    from (select distinct c.org_id, c.endpoint_id, c.url from counted c) c
    where e.org_id = c.org_id and e.endpoint_id = c.endpoint_id and e.url = c.url and e.enabled and e.deleted_at is null
  )
  select s.attempt_id from given s where not s.is_locked;
end $$;

revoke all on function take_due_of_shards, begin_attempts, settle_successes from public;
grant execute on function take_due_of_shards, begin_attempts, settle_successes to countersign_app;
