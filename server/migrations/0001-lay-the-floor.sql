-- The floor: tenancy, quotas, idempotent answers, outbox, events, audit chain.
-- The app connects as countersign_app, a role that owns no table; `migrate` makes the role before the first file runs.

grant usage on schema public to countersign_app;

-- The org of the connection: set by the authentication functions or by tx(). Without it every org table is empty.
create function app_org() returns text language sql stable parallel safe
  as $$ select current_setting('app.org', true) $$;

-- Rolling quotas ---------------------------------------------------------------------------------------------------
-- 61 buckets, each a sixtieth of the window wide: a count and the time of its last accepted call. A bucket counts until
-- one whole window after that time, so no window holds more than the quota. 60 plain buckets would admit nearly double
-- across an edge; with 61 a slot is only reused when all it holds has left the window.
create function quota_take(
  inout counts integer[], inout ats timestamptz[], quota integer, span interval,
  out accepted boolean, out remaining integer, out reset_at bigint
) language plpgsql volatile as $$
declare
  -- Read after the caller has locked the row, so times only grow from one accepted call to the next.
  at constant timestamptz := clock_timestamp();
  slot constant integer := 1 + (floor(extract(epoch from at) * 60 / extract(epoch from span))::bigint % 61)::integer;
  used integer;
  latest timestamptz;
begin
  -- A time in the future means that the clock was set back: such buckets are void, which costs at most one extra quota.
  select coalesce(sum(b.n), 0), max(b.t) into used, latest
    from unnest(counts, ats) as b(n, t) where b.t > at - span and b.t <= at + interval '1 second';
  accepted := used < quota;
  if accepted then
    if ats[slot] > at - span and ats[slot] <= at + interval '1 second' then
      counts[slot] := counts[slot] + 1;
    else
      counts[slot] := 1;
    end if;
    ats[slot] := at;
    used := used + 1;
    latest := at;
  end if;
  remaining := greatest(quota - used, 0);
  reset_at := ceil(extract(epoch from coalesce(latest + span, at)));
end $$;

create function quota_counts() returns integer[] language sql immutable parallel safe
  as $$ select array_fill(0, array[61]) $$;
create function quota_ats() returns timestamptz[] language sql immutable parallel safe
  as $$ select array_fill('-infinity'::timestamptz, array[61]) $$;

-- Quotas that belong to no key: refused credentials by address, log-on tries, sessions by user.
create table quotas (
  subject text collate "C" primary key,
  counts integer[] not null default quota_counts(),
  ats timestamptz[] not null default quota_ats(),
  forget_at timestamptz not null
) with (fillfactor = 50);
create index quotas_forget on quotas (forget_at);

create function take_quota(p_subject text, p_quota integer, p_span interval)
returns table (accepted boolean, remaining integer, reset_at bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  q quotas;
  r record;
begin
  perform set_config('synchronous_commit', 'off', true);
  loop
    select * into q from quotas where subject = p_subject for no key update;
    exit when found;
    -- Whoever loses this race, or finds the row cleaned away, reads again.
    insert into quotas (subject, forget_at) values (p_subject, now() + p_span) on conflict do nothing;
  end loop;
  r := quota_take(q.counts, q.ats, p_quota, p_span);
  if r.accepted then
    update quotas set counts = r.counts, ats = r.ats, forget_at = clock_timestamp() + p_span where subject = p_subject;
  end if;
  return query select r.accepted, r.remaining, r.reset_at;
end $$;
-- Takes back the latest act, for those that turned out not to be what the quota is about (a log-on that succeeded).
create function give_back_quota(p_subject text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update quotas q set counts[latest.slot] = greatest(q.counts[latest.slot] - 1, 0)
  from (select u.slot::integer from quotas o, unnest(o.ats) with ordinality as u(t, slot)
        where o.subject = p_subject order by u.t desc limit 1) as latest
  where q.subject = p_subject
$$;
revoke all on function take_quota, give_back_quota from public;
grant execute on function take_quota, give_back_quota to countersign_app;

-- Idempotent answers -------------------------------------------------------------------------------------------------
-- Inserted first and filled last in the transaction of the effect: a second call waits on the key and finds the answer.
create table idempotent_answers (
  org_id text collate "C" not null,
  credential text collate "C" not null,
  idempotency_key text collate "C" not null,
  fingerprint bytea not null,
  status smallint,
  body text,
  created_at timestamptz not null default now(),
  primary key (org_id, credential, idempotency_key)
);
create index idempotent_answers_age on idempotent_answers (created_at);
alter table idempotent_answers enable row level security;
create policy own_org on idempotent_answers using (org_id = app_org());
grant select, insert, update (status, body) on idempotent_answers to countersign_app;

-- Jobs ---------------------------------------------------------------------------------------------------------------
-- Business transactions only insert here; a relay of the owner's moves rows into the queue in batches. A notify inside
-- the business transaction would serialise all commits.
create table outbox (
  outbox_id bigint generated always as identity primary key,
  task text not null,
  payload jsonb not null,
  job_key text,
  run_at timestamptz,
  created_at timestamptz not null default now()
);
grant insert on outbox to countersign_app;

create table worker_heartbeats (
  worker_id text collate "C" primary key,
  beat_at timestamptz not null
);

-- Events -------------------------------------------------------------------------------------------------------------
-- The body is frozen as bytes: every delivery, retry and replay sends exactly these.
create table events (
  org_id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text not null,
  envelope_id text collate "C",
  occurred_at timestamptz not null,
  body bytea not null check (octet_length(body) <= 65536),
  primary key (org_id, event_id)
);
alter table events enable row level security;
create policy own_org on events using (org_id = app_org());
grant select, insert on events to countersign_app;

-- Audit chain --------------------------------------------------------------------------------------------------------
create table audit_heads (
  org_id text collate "C" not null,
  subject text collate "C" not null,
  seq integer not null,
  hash text not null,
  at timestamptz(3) not null,
  primary key (org_id, subject)
) with (fillfactor = 70);
create table audit_entries (
  org_id text collate "C" not null,
  subject text collate "C" not null,
  seq integer not null,
  type text not null,
  at timestamptz(3) not null,
  actor jsonb not null,
  commitment text not null,
  prev text not null,
  hash text not null,
  primary key (org_id, subject, seq)
);
create table audit_entry_data (
  org_id text collate "C" not null,
  subject text collate "C" not null,
  seq integer not null,
  salt bytea not null check (octet_length(salt) = 32),
  data jsonb not null,
  primary key (org_id, subject, seq),
  foreign key (org_id, subject, seq) references audit_entries
);
-- Entries in the order in which the log will take them in; hashes only.
create table log_queue (
  log_queue_id bigint generated always as identity primary key,
  hash text not null
);
alter table audit_heads enable row level security;
alter table audit_entries enable row level security;
alter table audit_entry_data enable row level security;
create policy own_org on audit_heads using (org_id = app_org());
create policy own_org on audit_entries using (org_id = app_org());
create policy own_org on audit_entry_data using (org_id = app_org());
grant select, insert, update (seq, hash, at) on audit_heads to countersign_app;
grant select, insert on audit_entries, audit_entry_data to countersign_app;
grant insert on log_queue to countersign_app;

-- What has had its day. Each returns how many rows went.
create function forget_idempotent_answers(p_age interval) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (delete from idempotent_answers where created_at < now() - p_age returning 1) select count(*) from gone
$$;
create function forget_quotas() returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (delete from quotas where forget_at < now() returning 1) select count(*) from gone
$$;
revoke all on function forget_idempotent_answers, forget_quotas from public;
grant execute on function forget_idempotent_answers, forget_quotas to countersign_app;
