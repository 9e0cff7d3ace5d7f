-- Second factors of people: codes of an authenticator app (RFC 6238), and recovery codes for a lost one.
create table factors (
  factor_id text collate "C" primary key,
  user_id text collate "C" not null references users,
  kind text not null check (kind in ('totp')),
  name text not null check (length(name) between 1 and 60),
  -- encrypted with a key of the application secret
  secret_enc bytea not null,
  -- of the last code that was accepted: a code works once
  last_step bigint not null default 0,
  created_at timestamptz not null default now(),
  -- null: the person has not entered a code of it yet. Such a factor counts for nothing, and is deleted after 15 minutes
  confirmed_at timestamptz,
  last_used_at timestamptz
);
create index factors_user on factors (user_id);
create index factors_unconfirmed on factors (created_at) where confirmed_at is null;

create table recovery_codes (
  user_id text collate "C" not null references users,
  code_hash bytea not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Log-ins whose password was right and that wait for the second factor. They belong to a person; the organization is the one to log in to.
create table pending_logins (
  token_hash bytea primary key,
  user_id text collate "C" not null references users,
  chosen_org_id text collate "C" not null references orgs,
  failures integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index pending_logins_user on pending_logins (user_id);
create index pending_logins_age on pending_logins (expires_at);

alter table sessions
  -- what proved the second factor at log-in; empty if there was none
  add column factors text[] not null default '{}',
  -- when the person last proved who they are: at log-in, or again since. Null in sessions from before
  add column confirmed_at timestamptz;

-- Doors ----------------------------------------------------------------------------------------------------------------

create function find_factors(p_user_id text) returns table (
  factor_id text, kind text, name text, secret_enc bytea, created_at timestamptz, confirmed_at timestamptz, last_used_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select f.factor_id, f.kind, f.name, f.secret_enc, f.created_at, f.confirmed_at, f.last_used_at
  from factors f where f.user_id = p_user_id and (f.confirmed_at is not null or f.created_at > now() - interval '15 minutes')
  order by f.factor_id
$$;
-- The person's lock makes those who add at once take turns. A person has one factor that is not confirmed: the newest.
create function add_factor(p_factor_id text, p_user_id text, p_name text, p_secret_enc bytea, p_most integer) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from users u where u.user_id = p_user_id for no key update;
  if (select count(*) from factors f where f.user_id = p_user_id and f.confirmed_at is not null) >= p_most then
    return false;
  end if;
  delete from factors f where f.user_id = p_user_id and f.confirmed_at is null;
  insert into factors (factor_id, user_id, kind, name, secret_enc) values (p_factor_id, p_user_id, 'totp', p_name, p_secret_enc);
  return true;
end $$;
-- Whether it is the person's first factor; null if it was confirmed before, removed, or not confirmed in time. Log-ins wait, so that none
-- is completed without the factor once it is there.
create function confirm_factor(p_factor_id text, p_user_id text, p_step bigint) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  others bigint;
begin
  perform from users u where u.user_id = p_user_id for no key update;
  select count(*) into others from factors f where f.user_id = p_user_id and f.confirmed_at is not null;
  update factors f set confirmed_at = now(), last_used_at = now(), last_step = p_step
    where f.factor_id = p_factor_id and f.user_id = p_user_id and f.confirmed_at is null and f.created_at > now() - interval '15 minutes';
  return case when found then others = 0 end;
end $$;
-- A code works once: of two callers with the same one, the second finds its step used.
create function advance_totp(p_factor_id text, p_user_id text, p_step bigint) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with advanced as (
    update factors f set last_step = p_step, last_used_at = now()
    where f.factor_id = p_factor_id and f.user_id = p_user_id and f.confirmed_at is not null and f.last_step < p_step returning 1)
  select exists (select from advanced)
$$;
create function rename_factor(p_factor_id text, p_user_id text, p_name text) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with renamed as (
    update factors f set name = p_name where f.factor_id = p_factor_id and f.user_id = p_user_id and f.confirmed_at is not null returning 1)
  select exists (select from renamed)
$$;
-- Its name, or null if the person has no such factor. Log-ins that wait for a code end. With the last factor the recovery codes go too.
create function remove_factor(p_factor_id text, p_user_id text) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  removed text;
begin
  perform from users u where u.user_id = p_user_id for no key update;
  delete from factors f where f.factor_id = p_factor_id and f.user_id = p_user_id and f.confirmed_at is not null returning f.name into removed;
  if removed is not null then
    delete from pending_logins l where l.user_id = p_user_id;
    if not exists (select from factors f where f.user_id = p_user_id and f.confirmed_at is not null) then
      delete from recovery_codes c where c.user_id = p_user_id;
    end if;
  end if;
  return removed;
end $$;
-- How many factors the person had.
create function forget_factors(p_user_id text) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  delete from pending_logins where user_id = p_user_id;
  delete from recovery_codes where user_id = p_user_id;
  with gone as (delete from factors where user_id = p_user_id returning confirmed_at)
  select count(*) from gone where confirmed_at is not null
$$;
create function set_recovery_codes(p_user_id text, p_code_hashes bytea[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from recovery_codes where user_id = p_user_id;
  insert into recovery_codes (user_id, code_hash) select p_user_id, unnest(p_code_hashes)
$$;
-- How many are left; null if the code is not one of the person's, or was used.
create function use_recovery_code(p_user_id text, p_code_hash bytea) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update recovery_codes c set used_at = now() where c.user_id = p_user_id and c.code_hash = p_code_hash and c.used_at is null;
  if not found then
    return null;
  end if;
  return (select count(*) from recovery_codes c where c.user_id = p_user_id and c.used_at is null);
end $$;
create function count_recovery_codes(p_user_id text) returns bigint
language sql stable security definer set search_path = public, pg_temp as $$
  select count(*) from recovery_codes where user_id = p_user_id and used_at is null
$$;
create function add_pending_login(p_token_hash bytea, p_user_id text, p_org_id text, p_life interval) returns timestamptz
language sql security definer set search_path = public, pg_temp as $$
  insert into pending_logins (token_hash, user_id, chosen_org_id, expires_at) values (p_token_hash, p_user_id, p_org_id, now() + p_life)
  returning expires_at
$$;
create function find_pending_login(p_token_hash bytea) returns table (user_id text, email text)
language sql stable security definer set search_path = public, pg_temp as $$
  select u.user_id, u.email from pending_logins l join users u using (user_id) where l.token_hash = p_token_hash and l.expires_at > now()
$$;
-- The person's lock comes first: a new password and a removed factor, which end the log-in, wait until its session exists, or are seen here.
create function take_pending_login(p_token_hash bytea, p_user_id text) returns table (org_id text)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from users u where u.user_id = p_user_id for share;
  return query select l.chosen_org_id from pending_logins l
    where l.token_hash = p_token_hash and l.user_id = p_user_id and l.expires_at > now() for update;
end $$;
-- Counts a wrong code. True if the log-in is over with it.
create function fail_pending_login(p_token_hash bytea, p_failures integer) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update pending_logins l set failures = l.failures + 1 where l.token_hash = p_token_hash;
  delete from pending_logins l where l.token_hash = p_token_hash and l.failures >= p_failures;
  return found;
end $$;
create function end_pending_login(p_token_hash bytea) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from pending_logins where token_hash = p_token_hash
$$;

-- Log-ins that wait for a code end with the sessions.
create or replace function end_sessions_of_user(p_user_id text) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  delete from pending_logins where user_id = p_user_id;
  with ended as (update sessions set ended_at = now() where user_id = p_user_id and ended_at is null returning 1)
  select count(*) from ended
$$;
create or replace function forget_sessions(p_age interval) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with old_resets as (delete from password_resets where expires_at < now() - p_age returning 1),
  old_links as (delete from account_links where expires_at < now() - p_age returning 1),
  old_devices as (delete from devices where known_until < now() - p_age or revoked_at < now() - p_age returning 1),
  old_logins as (delete from pending_logins where expires_at < now() returning 1),
  old_factors as (delete from factors where confirmed_at is null and created_at < now() - interval '15 minutes' returning 1),
  gone as (delete from sessions where expires_at < now() - p_age or ended_at < now() - p_age returning 1)
  select count(*) from gone
$$;
create or replace function renew_account(p_user_id text, p_name text, p_password_hash text, p_verified_by text, p_bound_org_id text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from users u where u.user_id = p_user_id for update;
  if exists (select from members m where m.user_id = p_user_id) then
    return false;
  end if;
  update users u set name = p_name, password_hash = p_password_hash, bound_org_id = p_bound_org_id, updated_at = now(),
      email_verified_by = p_verified_by, email_verified_at = case when p_verified_by is null then null else now() end
    where u.user_id = p_user_id;
  update sessions s set ended_at = now() where s.user_id = p_user_id and s.ended_at is null;
  update password_resets r set used_at = now() where r.user_id = p_user_id and r.used_at is null;
  delete from email_codes c where c.user_id = p_user_id;
  delete from devices d where d.user_id = p_user_id;
  delete from account_links l where l.user_id = p_user_id;
  perform forget_factors(p_user_id);
  return true;
end $$;

-- Also says whether the person proved in the last ten minutes who they are.
drop function authenticate_session(text, integer);
create function authenticate_session(p_session_id text, p_quota integer) returns table (
  org_id text, user_id text, role text, accepted boolean, quota integer, remaining integer, reset_at bigint, confirmed boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  s record;
begin
  perform set_config('synchronous_commit', 'off', true), set_config('app.org', '', false);
  select se.org_id, se.user_id, m.role, coalesce(se.confirmed_at > now() - interval '10 minutes', false) as confirmed into s
    from sessions se join members m on m.org_id = se.org_id and m.user_id = se.user_id
    where se.session_id = p_session_id and se.ended_at is null and se.expires_at > now();
  if not found then
    return;
  end if;
  -- Once a minute is fine enough for a list of sessions, and saves a write per call.
  update sessions se set last_used_at = now()
    where se.org_id = s.org_id and se.session_id = p_session_id and se.last_used_at < now() - interval '1 minute';
  perform set_config('app.org', s.org_id, false);
  return query select s.org_id, s.user_id, s.role, q.accepted, p_quota, q.remaining, q.reset_at, s.confirmed
    from take_quota('user:' || s.user_id, p_quota, interval '1 minute') q;
end $$;

-- The secrets of factors are encrypted again with the others when APP_SECRET is replaced.
create or replace view encrypted_values as
  select v.*, (v.place || ' ' || coalesce(v.org_id, '') || ' ' || v.id) collate "C" as "position" from (
    select 'instance_keys.private_key_enc' as place, null as org_id, purpose || ' ' || generation as id, 'seals' as label,
      'instance key ' || purpose || case when generation = 1 then '' else ' ' || generation end as context, private_key_enc as value
      from instance_keys where private_key_enc is not null
    union all
    select 'factors.secret_enc', null, factor_id, 'factors', 'factor ' || factor_id, secret_enc from factors
    union all
    select 'mail_messages.body_enc', org_id, message_id, 'mail', body_context, body_enc from mail_messages where body_enc is not null
    union all
    select 'mail_senders.dkim_key_enc', org_id, org_id, 'mail', 'mail sender ' || org_id || ' dkim', dkim_key_enc from mail_senders
    union all
    select 'mail_senders.smtp_enc', org_id, org_id, 'mail', 'mail sender ' || org_id || ' smtp', smtp_enc from mail_senders
      where smtp_enc is not null
    union all
    select 'registries.secret_enc', org_id, org_id, 'webhooks', 'registry secret ' || org_id, secret_enc from registries
    union all
    select 'seal_keys.private_key_enc', org_id, seal_id, 'seals', 'seal key ' || org_id || ' ' || seal_id, private_key_enc from seal_keys
      where private_key_enc is not null
    union all
    select 'vault_exports.key_enc', org_id, export_id, 'exports', 'key of ' || export_id, key_enc from vault_exports
      where key_enc is not null
    union all
    select 'vault_transfers.k_enc', org_id, transfer_id, 'exports', 'package key of ' || transfer_id, k_enc from vault_transfers
      where k_enc is not null
    union all
    select 'webhook_endpoints.previous_secret_enc', org_id, endpoint_id, 'webhooks', 'webhook secret ' || org_id || ' ' || endpoint_id,
      previous_secret_enc from webhook_endpoints where previous_secret_enc is not null
    union all
    select 'webhook_endpoints.secret_enc', org_id, endpoint_id, 'webhooks', 'webhook secret ' || org_id || ' ' || endpoint_id, secret_enc
      from webhook_endpoints where secret_enc is not null
  ) v;
create or replace function re_wrap_value(p_place text, p_org_id text, p_id text, p_old bytea, p_new bytea) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from secret_versions where version = secret_version(p_new) and used_from is not null and retired_at is null) then
    raise exception 'the value is not encrypted under a version that is in use';
  end if;
  case p_place
    when 'instance_keys.private_key_enc' then
      update instance_keys set private_key_enc = p_new where purpose || ' ' || generation = p_id and private_key_enc = p_old;
    when 'factors.secret_enc' then
      update factors set secret_enc = p_new where factor_id = p_id and secret_enc = p_old;
    when 'mail_messages.body_enc' then
      update mail_messages set body_enc = p_new where message_id = p_id and body_enc = p_old;
    when 'mail_senders.dkim_key_enc' then
      update mail_senders set dkim_key_enc = p_new where org_id = p_org_id and dkim_key_enc = p_old;
    when 'mail_senders.smtp_enc' then
      update mail_senders set smtp_enc = p_new where org_id = p_org_id and smtp_enc = p_old;
    when 'registries.secret_enc' then
      update registries set secret_enc = p_new where org_id = p_org_id and secret_enc = p_old;
    when 'seal_keys.private_key_enc' then
      update seal_keys set private_key_enc = p_new where org_id = p_org_id and seal_id = p_id and private_key_enc = p_old;
    when 'vault_exports.key_enc' then
      update vault_exports set key_enc = p_new where org_id = p_org_id and export_id = p_id and key_enc = p_old;
    when 'vault_transfers.k_enc' then
      update vault_transfers set k_enc = p_new where org_id = p_org_id and transfer_id = p_id and direction = 'out' and k_enc = p_old;
    when 'webhook_endpoints.previous_secret_enc' then
      update webhook_endpoints set previous_secret_enc = p_new
      where org_id = p_org_id and endpoint_id = p_id and previous_secret_enc = p_old;
    when 'webhook_endpoints.secret_enc' then
      update webhook_endpoints set secret_enc = p_new where org_id = p_org_id and endpoint_id = p_id and secret_enc = p_old;
  end case;
  return found;
end $$;

revoke all on function find_factors, add_factor, confirm_factor, advance_totp, rename_factor, remove_factor, forget_factors, set_recovery_codes,
  use_recovery_code, count_recovery_codes, add_pending_login, find_pending_login, take_pending_login, fail_pending_login, end_pending_login,
  authenticate_session from public;
grant execute on function find_factors, add_factor, confirm_factor, advance_totp, rename_factor, remove_factor, forget_factors,
  set_recovery_codes, use_recovery_code, count_recovery_codes, add_pending_login, find_pending_login, take_pending_login, fail_pending_login,
  end_pending_login, authenticate_session to countersign_app;
