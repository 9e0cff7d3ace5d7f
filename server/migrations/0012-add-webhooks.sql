-- Webhooks: endpoints of an org, one delivery per event and endpoint, and every attempt.

-- The order in which events were appended. Whoever appends an event about an envelope holds that envelope's lock, so for one
-- envelope this is the order of the commits. (An id's time is the start of its transaction, which says nothing of the end.)
alter table events
  add column event_seq bigint generated always as identity,
  add column fanned_out_at timestamptz;
-- There was no endpoint yet that could have wanted them.
update events set fanned_out_at = now();
create index events_to_fan_out on events (org_id, event_seq) where fanned_out_at is null;
grant update (fanned_out_at) on events to countersign_app;

create table webhook_endpoints (
  org_id text collate "C" not null references orgs,
  endpoint_id text collate "C" not null,
  url text not null,
  description text,
  -- names, `prefix.*`, or `*` alone
  event_types text[] not null,
  enabled boolean not null,
  disabled_reason text check (disabled_reason in ('manual', 'gone', 'failing')),
  disabled_at timestamptz,
  failing_since timestamptz,
  -- when the admins were told that it fails, once for each time that it begins to
  failing_told_at timestamptz,
  last_success_at timestamptz,
  -- encrypted; gone with the endpoint
  secret_enc bytea,
  secret_rotated_at timestamptz,
  previous_secret_enc bytea,
  previous_secret_expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- the row stays for its deliveries
  deleted_at timestamptz,
  primary key (org_id, endpoint_id),
  check (enabled = (disabled_at is null)),
  check ((disabled_at is null) = (disabled_reason is null)),
  check ((previous_secret_enc is null) = (previous_secret_expires_at is null)),
  check ((secret_enc is null) = (deleted_at is not null))
) with (fillfactor = 70);

create table webhook_deliveries (
  org_id text collate "C" not null,
  delivery_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text not null,
  envelope_id text collate "C",
  event_seq bigint not null,
  status text not null check (status in ('pending', 'succeeded', 'failed', 'cancelled')),
  -- what the next attempt will be
  trigger text not null check (trigger in ('event', 'retry', 'replay', 'test')),
  -- counts replays: what an attempt of an earlier run comes to changes nothing any more
  run integer not null default 1,
  -- attempts ever, and failed ones of this run that the receiver is to blame for
  attempt_count integer not null default 0,
  failures integer not null default 0,
  next_attempt_at timestamptz check ((status = 'pending') = (next_attempt_at is not null)),
  -- a worker has it in hand; past this time the worker is taken for dead
  leased_until timestamptz,
  created_at timestamptz not null default now(),
  primary key (org_id, delivery_id),
  -- so that a fan-out may run twice
  unique (org_id, event_id, endpoint_id),
  foreign key (org_id, endpoint_id) references webhook_endpoints,
  foreign key (org_id, event_id) references events
) with (fillfactor = 70);
create index webhook_deliveries_due on webhook_deliveries (org_id, endpoint_id, next_attempt_at, event_seq) where status = 'pending';
create index webhook_deliveries_in_hand on webhook_deliveries (org_id, endpoint_id, leased_until) where leased_until is not null;
create index webhook_deliveries_untried on webhook_deliveries (org_id, endpoint_id, envelope_id, event_seq)
  where status = 'pending' and attempt_count = 0;
create index webhook_deliveries_by_endpoint on webhook_deliveries (org_id, endpoint_id, delivery_id);
create index webhook_deliveries_age on webhook_deliveries (created_at) where status <> 'pending';

create table webhook_attempts (
  org_id text collate "C" not null,
  attempt_id text collate "C" not null,
  delivery_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text not null,
  envelope_id text collate "C",
  status text not null check (status in ('pending', 'succeeded', 'failed', 'cancelled')),
  trigger text not null,
  run integer not null,
  attempt_count integer not null,
  url text not null,
  response_code smallint,
  response_body text,
  response_body_truncated boolean not null default false,
  duration_ms integer,
  next_retry_at timestamptz,
  error text,
  created_at timestamptz not null default now(),
  -- null for a record that no request belongs to: the delivery was cancelled
  attempted_at timestamptz,
  primary key (org_id, attempt_id),
  foreign key (org_id, delivery_id) references webhook_deliveries on delete cascade
) with (fillfactor = 70);
create index webhook_attempts_by_endpoint on webhook_attempts (org_id, endpoint_id, attempt_id);
create index webhook_attempts_by_delivery on webhook_attempts (org_id, delivery_id, attempt_id);

alter table webhook_endpoints enable row level security;
alter table webhook_deliveries enable row level security;
alter table webhook_attempts enable row level security;
create policy own_org on webhook_endpoints using (org_id = app_org());
create policy own_org on webhook_deliveries using (org_id = app_org());
create policy own_org on webhook_attempts using (org_id = app_org());
grant select, insert, update on webhook_endpoints, webhook_deliveries, webhook_attempts to countersign_app;

-- Due deliveries of all orgs, taken in hand until the lease ends. Goes from endpoint to endpoint, never over a backlog: one that
-- hangs has its few places taken and costs nobody a look at what waits behind them. Orgs take turns, and none has more than its own
-- places, however much waits there. A first attempt waits while an earlier delivery of the same endpoint and envelope has had none.
create function take_due_deliveries(p_limit integer, p_per_endpoint integer, p_per_org integer, p_lease interval)
returns table (org_id text, delivery_id text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  at timestamptz;
begin
  -- Workers take turns; two that count the places of an endpoint at once would both fill them.
  perform pg_advisory_xact_lock(5012003);
  -- A value, because an index cannot be asked for a time that moves on: what waits for a later attempt would be read each time.
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

create function forget_webhook_deliveries(p_age interval) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (delete from webhook_deliveries where status <> 'pending' and created_at < now() - p_age returning 1) select count(*) from gone
$$;
revoke all on function take_due_deliveries, forget_webhook_deliveries from public;
grant execute on function take_due_deliveries, forget_webhook_deliveries to countersign_app;
