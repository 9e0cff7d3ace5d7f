-- Failed and blocked log-ins, refused API keys and requests that were not allowed (403). They are not in the audit chains, because a flood of
-- them would queue at the head of a chain.

-- As they happen: a row for each minute, group of addresses, person or key, and reason. A job moves those of past minutes to
-- sign_in_events. It concerns no org, or several, and one person at most.
create table sign_in_attempts (
  minute timestamptz not null,
  address_group cidr not null,
  -- the person, the key, or the hash of an e-mail address, whether or not it has an account
  who text not null,
  method text not null,
  result text not null check (result in ('failed', 'blocked', 'refused', 'forbidden')),
  reason text not null,
  -- the org that the key or the session belongs to; empty: every org of the person
  only_org text not null,
  -- null for an address without an account
  user_id text,
  key_id text,
  ip inet not null,
  user_agent text not null,
  attempts integer not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (minute, address_group, who, method, result, reason, only_org)
);

create table sign_in_events (
  org_id text collate "C" not null,
  event_no bigint not null generated always as identity,
  user_id text,
  key_id text,
  ip inet not null,
  user_agent text not null,
  method text not null,
  result text not null,
  reason text not null,
  attempts integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (org_id, event_no)
);
create index sign_in_events_by_age on sign_in_events (last_at);
alter table sign_in_events enable row level security;
create policy own_org on sign_in_events using (org_id = app_org());
grant select on sign_in_events to countersign_app;

-- Does the same for an address with and without an account, so that the time of an answer does not tell which it is.
create function note_sign_in(p_org_id text, p_user_id text, p_key_id text, p_email text, p_ip inet, p_user_agent text, p_method text,
  p_result text, p_reason text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_at timestamptz := clock_timestamp();
  v_minute timestamptz := date_trunc('minute', v_at);
  v_group cidr := network(set_masklen(p_ip, case family(p_ip) when 4 then 32 else 64 end));
  v_user text := coalesce(p_user_id, (select l.user_id from find_login(p_email) l));
begin
  perform set_config('synchronous_commit', 'off', true);
  -- Many people at once from one group of addresses are one attack: the first 200 rows of a minute are recorded.
  if p_ip is null or (select count(*) from sign_in_attempts a where a.minute = v_minute and a.address_group = v_group) >= 200 then
    return;
  end if;
  insert into sign_in_attempts as a (minute, address_group, who, method, result, reason, only_org, user_id, key_id, ip, user_agent,
      first_at, last_at)
    values (v_minute, v_group, coalesce(p_user_id, p_key_id, encode(sha256(convert_to(email_key(p_email), 'UTF8')), 'hex')), p_method,
      p_result, p_reason, coalesce(p_org_id, ''), v_user, p_key_id, p_ip, left(p_user_agent, 500), v_at, v_at)
    on conflict on constraint sign_in_attempts_pkey do update set attempts = a.attempts + 1, last_at = v_at;
end $$;

-- Refusals of keys are counted where they are decided, in authenticate_key.
create function note_key_refusal() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note_sign_in(new.org_id, null, new.key_id, null, new.ip, new.user_agent, 'api_key', 'refused', new.reason);
  return null;
end $$;
create trigger note_key_refusal after insert or update of requests on key_refusals for each row execute function note_key_refusal();

-- Gives the attempts of past minutes a number in each org that they concern. The lock makes numbers visible in their order, so that a reader
-- who continues after a number misses nothing.
create function move_sign_ins(p_most integer) returns table (placed bigint, dropped bigint, unknown bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('sign_in_events', 0));
  return query
    with taken as (
      delete from sign_in_attempts a where a.minute < date_trunc('minute', now()) returning a.*
    ), concerned as (
      select o.org_id, row_number() over (partition by o.org_id, t.minute order by t.first_at, t.who, t.reason) as nth, t.*
      from taken t cross join lateral (
        select t.only_org as org_id where t.only_org <> ''
        union all
        select m.org_id from members m where t.only_org = '' and m.user_id = t.user_id
      ) o
    ), kept as (
      insert into sign_in_events (org_id, user_id, key_id, ip, user_agent, method, result, reason, attempts, first_at, last_at)
      select c.org_id, c.user_id, c.key_id, c.ip, c.user_agent, c.method, c.result, c.reason, c.attempts, c.first_at, c.last_at
      from concerned c where c.nth <= p_most order by c.first_at, c.org_id, c.nth
      returning 1
    )
    select (select count(*) from kept), (select count(*) from concerned c where c.nth > p_most),
      (select coalesce(sum(t.attempts), 0)::bigint from taken t where t.only_org = '' and t.user_id is null);
end $$;

-- Returns how many were removed.
create function forget_sign_ins(p_days integer) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (delete from sign_in_events where last_at < now() - p_days * interval '1 day' returning 1) select count(*) from gone
$$;

-- The last number that was given to any org; 0 before the first one.
create function last_sign_in_event() returns bigint
language sql stable security definer set search_path = public, pg_temp as $$
  select case when is_called then last_value else 0 end from sign_in_events_event_no_seq
$$;

revoke all on function note_sign_in, note_key_refusal, move_sign_ins, forget_sign_ins, last_sign_in_event from public;
grant execute on function note_sign_in, move_sign_ins, forget_sign_ins, last_sign_in_event to countersign_app;
