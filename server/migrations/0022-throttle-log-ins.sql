-- Browsers that are known to an account, links for log-ins, and fewer open reset links.

-- A browser that logged in, or that opened a mailed link. It holds a cookie with 256 random bits; only the hash is here. One browser can
-- be known to several accounts: the cookie is the same, with a row for each.
create table devices (
  device_id text collate "C" primary key,
  user_id text collate "C" not null references users,
  token_hash bytea not null,
  label text not null,
  first_ip text not null,
  last_ip text not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  known_until timestamptz not null,
  revoked_at timestamptz,
  unique (token_hash, user_id)
);
create index devices_user on devices (user_id, last_seen_at);
create index devices_age on devices (known_until);

-- known_browser: makes the browser that uses it known. not_me: ends the session that it names.
create table account_links (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('known_browser', 'not_me')),
  user_id text collate "C" not null references users,
  session_id text collate "C",
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index account_links_age on account_links (expires_at);

-- null: a program, or a session from before devices.
alter table sessions add column device_id text collate "C";

-- Doors -----------------------------------------------------------------------------------------------------------------

create function find_device(p_token_hash bytea, p_email text) returns table (device_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select d.device_id from devices d join users u using (user_id)
  where d.token_hash = p_token_hash and email_key(u.email) = email_key(p_email) and d.revoked_at is null and d.known_until > now()
$$;

-- The browser is known to the person from now on. It keeps the cookie that it showed if that is one of ours and alive; a value that only
-- the caller chose is never taken over. A person's browsers beyond p_most are forgotten, longest unseen first.
create function keep_device(
  p_device_id text, p_user_id text, p_shown bytea, p_fresh bytea, p_label text, p_ip text, p_life interval, p_most integer
) returns table (device_id text, keeps_cookie boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  keeps constant boolean := exists (select from devices d where d.token_hash = p_shown and d.revoked_at is null and d.known_until > now());
begin
  return query
    insert into devices as d (device_id, user_id, token_hash, label, first_ip, last_ip, known_until)
    values (p_device_id, p_user_id, case when keeps then p_shown else p_fresh end, p_label, p_ip, p_ip, now() + p_life)
    on conflict (token_hash, user_id) do update
      set label = excluded.label, last_ip = excluded.last_ip, last_seen_at = now(), known_until = excluded.known_until, revoked_at = null
    returning d.device_id, keeps;
  delete from devices where device_id in (
    select d.device_id from devices d where d.user_id = p_user_id order by d.last_seen_at desc offset p_most
  );
end $$;

create function revoke_device(p_device_id text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update devices set revoked_at = now() where device_id = p_device_id and revoked_at is null
$$;

create function devices_of_user(p_user_id text) returns table (device_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select d.device_id from devices d where d.user_id = p_user_id order by d.device_id
$$;

create function add_account_link(p_token_hash bytea, p_purpose text, p_user_id text, p_session_id text, p_life interval) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into account_links (token_hash, purpose, user_id, session_id, expires_at)
  values (p_token_hash, p_purpose, p_user_id, p_session_id, now() + p_life)
$$;

-- One use; no row when it was not good.
create function use_account_link(p_token_hash bytea, p_purpose text)
returns table (user_id text, session_id text, org_id text, device_id text)
language sql security definer set search_path = public, pg_temp as $$
  with used as (
    update account_links l set used_at = now()
    where l.token_hash = p_token_hash and l.purpose = p_purpose and l.used_at is null and l.expires_at > now()
    returning l.user_id, l.session_id
  )
  select u.user_id, u.session_id, s.org_id, s.device_id from used u left join sessions s using (session_id)
$$;

create function clear_quotas(p_subjects text[]) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (delete from quotas where subject = any(p_subjects) returning 1) select count(*) from gone
$$;

-- At most three links of a person are open: the newest. The person's lock makes those who ask at once take turns.
create or replace function add_password_reset(p_email text, p_token_hash bytea, p_life interval) returns table (user_id text, email text)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  person record;
begin
  select u.user_id, u.email into person from users u where email_key(u.email) = email_key(p_email) for no key update;
  if not found then
    return;
  end if;
  insert into password_resets (token_hash, user_id, created_at, expires_at)
    values (p_token_hash, person.user_id, clock_timestamp(), now() + p_life);
  update password_resets r set used_at = now() where r.token_hash in (
    select o.token_hash from password_resets o
    where o.user_id = person.user_id and o.used_at is null and o.expires_at > now() order by o.created_at desc offset 3
  );
  return query select person.user_id::text, person.email::text;
end $$;

create or replace function forget_sessions(p_age interval) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with old_resets as (delete from password_resets where expires_at < now() - p_age returning 1),
  old_links as (delete from account_links where expires_at < now() - p_age returning 1),
  old_devices as (delete from devices where known_until < now() - p_age or revoked_at < now() - p_age returning 1),
  gone as (delete from sessions where expires_at < now() - p_age or ended_at < now() - p_age returning 1)
  select count(*) from gone
$$;

revoke all on function find_device, keep_device, revoke_device, devices_of_user, add_account_link, use_account_link, clear_quotas from public;
grant execute on function find_device, keep_device, revoke_device, devices_of_user, add_account_link, use_account_link, clear_quotas
  to countersign_app;
