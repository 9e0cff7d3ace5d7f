-- What an organization demands of log-ins, sessions, passwords and keys.
create table org_security (
  org_id text collate "C" primary key references orgs,
  second_factor text not null default 'off' check (second_factor in ('off', 'required')),
  -- when it was last turned on; the days of grace count from then
  second_factor_since timestamptz,
  grace_days integer not null default 7 check (grace_days between 0 and 30),
  -- how long a browser in which a second factor was proved needs no other; 0: not at all
  remember_device_days integer not null default 0 check (remember_device_days between 0 and 90),
  idle_minutes integer not null default 1440 check (idle_minutes between 5 and 1440),
  max_hours integer not null default 168 check (max_hours between 1 and 168),
  min_password integer not null default 12 check (min_password between 12 and 64),
  -- null: keys may last for any time
  max_key_days integer check (max_key_days between 1 and 1825),
  updated_at timestamptz not null default now(),
  check ((second_factor = 'required') = (second_factor_since is not null))
);
insert into org_security (org_id) select org_id from orgs;
alter table org_security enable row level security;
create policy own_org on org_security using (org_id = app_org());
grant select, insert on org_security to countersign_app;
grant update (second_factor, second_factor_since, grace_days, remember_device_days, idle_minutes, max_hours, min_password, max_key_days,
  updated_at) on org_security to countersign_app;

-- When the person proved a second factor in this browser and asked not to be asked again.
alter table devices add column remembered_at timestamptz;

-- Whether the limits of the organization let the session go on. A use is noted once a minute, so an idle session ends at most a minute
-- late. With the longest idle time, the life of the refresh token alone decides.
create function session_holds(p_org_id text, p_created_at timestamptz, p_last_used_at timestamptz) returns boolean
language sql stable as $$
  select coalesce((
    select now() < p_created_at + o.max_hours * interval '1 hour'
      and (o.idle_minutes = 1440 or now() < p_last_used_at + (o.idle_minutes + 1) * interval '1 minute')
    from org_security o where o.org_id = p_org_id), true)
$$;

-- Doors ----------------------------------------------------------------------------------------------------------------

-- When the member must have a second factor. Null if the organization demands none, or the member has one.
create function factor_due_at(p_org_id text, p_user_id text) returns timestamptz
language sql stable security definer set search_path = public, pg_temp as $$
  select greatest(o.second_factor_since, m.created_at) + o.grace_days * interval '1 day'
  from org_security o join members m using (org_id)
  where o.org_id = p_org_id and o.second_factor = 'required' and m.user_id = p_user_id
    and not exists (select from factors f where f.user_id = p_user_id and f.confirmed_at is not null)
$$;
-- The members of the connection's organization who have a second factor.
create function members_with_factor() returns table (user_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select m.user_id from members m
  where m.org_id = app_org() and exists (select from factors f where f.user_id = m.user_id and f.confirmed_at is not null)
$$;
-- The longest minimum of the person's organizations.
create function min_password_of(p_user_id text) returns integer
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(max(o.min_password), 12) from members m join org_security o using (org_id) where m.user_id = p_user_id
$$;
-- Whether the person proved a second factor in this browser, within the days that the organization allows.
create function is_device_remembered(p_token_hash bytea, p_user_id text, p_org_id text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from devices d join org_security o on o.org_id = p_org_id
    where d.token_hash = p_token_hash and d.user_id = p_user_id and d.revoked_at is null and d.known_until > now()
      and d.remembered_at > now() - o.remember_device_days * interval '1 day')
$$;
create function remember_device(p_device_id text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update devices set remembered_at = now() where device_id = p_device_id and revoked_at is null
$$;

create or replace function revoke_device(p_device_id text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update devices set revoked_at = now(), remembered_at = null where device_id = p_device_id and revoked_at is null
$$;
-- The next log-in in every browser needs a factor that the person still has.
create or replace function remove_factor(p_factor_id text, p_user_id text) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  removed text;
begin
  perform from users u where u.user_id = p_user_id for no key update;
  delete from factors f where f.factor_id = p_factor_id and f.user_id = p_user_id and f.confirmed_at is not null returning f.name into removed;
  if removed is not null then
    delete from pending_logins l where l.user_id = p_user_id;
    update devices d set remembered_at = null where d.user_id = p_user_id;
    if not exists (select from factors f where f.user_id = p_user_id and f.confirmed_at is not null) then
      delete from recovery_codes c where c.user_id = p_user_id;
    end if;
  end if;
  return removed;
end $$;
create or replace function forget_factors(p_user_id text) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  delete from pending_logins where user_id = p_user_id;
  delete from recovery_codes where user_id = p_user_id;
  update devices set remembered_at = null where user_id = p_user_id;
  with gone as (delete from factors where user_id = p_user_id returning confirmed_at)
  select count(*) from gone where confirmed_at is not null
$$;
create or replace function end_sessions_of_user(p_user_id text) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  delete from pending_logins where user_id = p_user_id;
  update devices set remembered_at = null where user_id = p_user_id;
  with ended as (update sessions set ended_at = now() where user_id = p_user_id and ended_at is null returning 1)
  select count(*) from ended
$$;

-- Also ends a session that is over by the limits of its organization, and says whether its member must set up a second factor first.
drop function authenticate_session(text, integer);
create function authenticate_session(p_session_id text, p_quota integer) returns table (
  org_id text, user_id text, role text, accepted boolean, quota integer, remaining integer, reset_at bigint, confirmed boolean, limited boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  s record;
begin
  perform set_config('synchronous_commit', 'off', true), set_config('app.org', '', false);
  select se.org_id, se.user_id, m.role, coalesce(se.confirmed_at > now() - interval '10 minutes', false) as confirmed,
      coalesce(o.second_factor = 'required' and factor_due_at(se.org_id, se.user_id) <= now(), false) as limited into s
    from sessions se join members m on m.org_id = se.org_id and m.user_id = se.user_id left join org_security o on o.org_id = se.org_id
    where se.session_id = p_session_id and se.ended_at is null and se.expires_at > now()
      and session_holds(se.org_id, se.created_at, se.last_used_at);
  if not found then
    return;
  end if;
  -- Once a minute is fine enough for a list of sessions, and saves a write per call.
  update sessions se set last_used_at = now()
    where se.org_id = s.org_id and se.session_id = p_session_id and se.last_used_at < now() - interval '1 minute';
  perform set_config('app.org', s.org_id, false);
  return query select s.org_id, s.user_id, s.role, q.accepted, p_quota, q.remaining, q.reset_at, s.confirmed, s.limited
    from take_quota('user:' || s.user_id, p_quota, interval '1 minute') q;
end $$;

revoke all on function factor_due_at, members_with_factor, min_password_of, is_device_remembered, remember_device, authenticate_session
  from public;
grant execute on function factor_due_at, members_with_factor, min_password_of, is_device_remembered, remember_device, authenticate_session
  to countersign_app;
