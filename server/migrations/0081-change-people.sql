-- What people change about their own accounts: the language, the e-mail address, known browsers, and whether there is a password.

alter table users
  -- null: the person chose none
  add column locale text check (locale in ('en', 'es', 'fr', 'de')),
  -- null: the person logs in with passkeys alone
  alter column password_hash drop not null;
grant select (locale), update (locale) on users to countersign_app;

-- A change of an address. It happens when the link that was mailed to the new address is used. The link that is then mailed to the old
-- address reverses it. One per person waits.
create table email_changes (
  token_hash bytea primary key,
  user_id text collate "C" not null references users,
  new_email text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  confirmed_at timestamptz,
  old_email text,
  -- what had verified the old address; null if it was unverified
  old_verified_by text,
  undo_hash bytea unique,
  undo_until timestamptz,
  undone_at timestamptz
);
create unique index email_changes_open on email_changes (user_id) where confirmed_at is null;
create index email_changes_user on email_changes (user_id);

-- Doors ----------------------------------------------------------------------------------------------------------------

-- The change that waited before is replaced. False: another account has the address, and nothing waits.
create function begin_email_change(p_token_hash bytea, p_user_id text, p_new_email text, p_life interval) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from users u where u.user_id = p_user_id for no key update;
  delete from email_changes c where c.user_id = p_user_id and c.confirmed_at is null;
  if exists (select from users u where email_key(u.email) = email_key(p_new_email)) then
    return false;
  end if;
  insert into email_changes (token_hash, user_id, new_email, expires_at) values (p_token_hash, p_user_id, p_new_email, now() + p_life);
  return true;
end $$;
create function cancel_email_change(p_user_id text) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from email_changes where user_id = p_user_id and confirmed_at is null
$$;
-- Links and codes that were mailed to the address before. Links that end a session keep working.
create function void_mailed_links(p_user_id text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update password_resets set used_at = now() where user_id = p_user_id and used_at is null;
  update account_links set used_at = now() where user_id = p_user_id and used_at is null and purpose in ('known_browser', 'factor_reset');
  delete from email_codes where user_id = p_user_id
$$;
-- `changed`, or `taken` if another account has the address by now; no row if the link is not good. The person's lock comes first, as for
-- log-ins and resets.
create function confirm_email_change(p_token_hash bytea, p_undo_hash bytea, p_undo_life interval)
returns table (outcome text, user_id text, old_email text, new_email text)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  person record;
  change record;
begin
  select c.user_id into change from email_changes c where c.token_hash = p_token_hash;
  select u.user_id, u.email, u.email_verified_by into person from users u where u.user_id = change.user_id for no key update;
  select c.new_email into change from email_changes c
    where c.token_hash = p_token_hash and c.confirmed_at is null and c.expires_at > now() for update;
  if not found then
    return;
  end if;
  begin
    update users u set email = change.new_email, email_verified_at = now(), email_verified_by = 'mail', bound_org_id = null, updated_at = now()
      where u.user_id = person.user_id;
  exception when unique_violation then
    return query select 'taken', person.user_id::text, person.email::text, change.new_email::text;
    return;
  end;
  update email_changes c set confirmed_at = now(), old_email = person.email, old_verified_by = person.email_verified_by,
      undo_hash = p_undo_hash, undo_until = now() + p_undo_life
    where c.token_hash = p_token_hash;
  perform void_mailed_links(person.user_id);
  return query select 'changed', person.user_id::text, person.email::text, change.new_email::text;
end $$;
-- The account has the old address again, verified as it was then; it cannot be confirmed or reversed again by a link of the meantime.
create function undo_email_change(p_undo_hash bytea) returns table (outcome text, user_id text, email text, undone_email text)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  person record;
  change record;
begin
  select c.user_id into change from email_changes c where c.undo_hash = p_undo_hash;
  select u.user_id, u.email into person from users u where u.user_id = change.user_id for no key update;
  select c.old_email, c.old_verified_by into change from email_changes c
    where c.undo_hash = p_undo_hash and c.undone_at is null and c.undo_until > now() for update;
  if not found then
    return;
  end if;
  begin
    update users u set email = change.old_email, email_verified_by = change.old_verified_by,
        email_verified_at = case when change.old_verified_by is null then null else now() end, updated_at = now()
      where u.user_id = person.user_id;
  exception when unique_violation then
    return query select 'taken', person.user_id::text, person.email::text, person.email::text;
    return;
  end;
  perform cancel_email_change(person.user_id);
  update email_changes c set undone_at = now() where c.user_id = person.user_id and c.undone_at is null;
  perform void_mailed_links(person.user_id);
  return query select 'undone', person.user_id::text, change.old_email::text, person.email::text;
end $$;

create function has_password(p_user_id text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select u.password_hash is not null from users u where u.user_id = p_user_id
$$;
-- False if there are fewer passkeys than this, or no unused recovery code: the person could not log in again after losing a device.
create function remove_password(p_user_id text, p_passkeys integer) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from users u where u.user_id = p_user_id for no key update;
  if (select count(*) from passkeys k where k.user_id = p_user_id) < p_passkeys
    or not exists (select from recovery_codes c where c.user_id = p_user_id and c.used_at is null) then
    return false;
  end if;
  update users u set password_hash = null, updated_at = now() where u.user_id = p_user_id;
  update password_resets r set used_at = now() where r.user_id = p_user_id and r.used_at is null;
  delete from pending_logins l where l.user_id = p_user_id;
  return true;
end $$;

-- Known browsers.
create function browsers_of_user(p_user_id text) returns table (
  device_id text, label text, first_ip text, last_ip text, created_at timestamptz, last_seen_at timestamptz, known_until timestamptz,
  remembered_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select d.device_id, d.label, d.first_ip, d.last_ip, d.created_at, d.last_seen_at, d.known_until, d.remembered_at
  from devices d where d.user_id = p_user_id and d.revoked_at is null and d.known_until > now()
  order by d.last_seen_at desc, d.device_id desc
$$;
-- The browser is a new one at its next log-in. False if the person knows no such browser.
create function forget_device(p_device_id text, p_user_id text) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with forgotten as (
    update devices set revoked_at = now(), remembered_at = null
    where device_id = p_device_id and user_id = p_user_id and revoked_at is null and known_until > now() returning 1)
  select exists (select from forgotten)
$$;

-- The person's lock comes first, as everywhere. A link that is waited for may have been used or voided meanwhile.
create or replace function use_password_reset(p_token_hash bytea) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  found_user text;
begin
  select r.user_id into found_user from password_resets r where r.token_hash = p_token_hash;
  perform from users u where u.user_id = found_user for no key update;
  update password_resets set used_at = now()
    where token_hash = p_token_hash and used_at is null and expires_at > now() returning user_id into found_user;
  update password_resets set used_at = now() where user_id = found_user and used_at is null;
  return found_user;
end $$;
-- Whose link it is, without using it up.
create function find_password_reset(p_token_hash bytea) returns table (user_id text, email text, name text)
language sql stable security definer set search_path = public, pg_temp as $$
  select u.user_id, u.email, u.name from password_resets r join users u using (user_id)
  where r.token_hash = p_token_hash and r.used_at is null and r.expires_at > now()
$$;
drop function is_password_reset(bytea);

-- A person without a password keeps two passkeys: null is returned, and the passkey stays, if fewer would be left.
create or replace function remove_factor(p_factor_id text, p_user_id text) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  removed text;
begin
  perform from users u where u.user_id = p_user_id for no key update;
  delete from factors f where f.factor_id = p_factor_id and f.user_id = p_user_id and f.confirmed_at is not null returning f.name into removed;
  if removed is null and (has_password(p_user_id) or (select count(*) from passkeys k where k.user_id = p_user_id) > 2) then
    delete from passkeys k where k.factor_id = p_factor_id and k.user_id = p_user_id returning k.name into removed;
  end if;
  if removed is not null then
    delete from pending_logins l where l.user_id = p_user_id;
    update devices d set remembered_at = null where d.user_id = p_user_id;
    if not has_factor(p_user_id) then
      delete from recovery_codes c where c.user_id = p_user_id;
    end if;
  end if;
  return removed;
end $$;

create or replace function renew_account(p_user_id text, p_name text, p_password_hash text, p_verified_by text, p_bound_org_id text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from users u where u.user_id = p_user_id for update;
  if exists (select from members m where m.user_id = p_user_id) then
    return false;
  end if;
  update users u set name = p_name, password_hash = p_password_hash, bound_org_id = p_bound_org_id, locale = null, updated_at = now(),
      email_verified_by = p_verified_by, email_verified_at = case when p_verified_by is null then null else now() end
    where u.user_id = p_user_id;
  update sessions s set ended_at = now() where s.user_id = p_user_id and s.ended_at is null;
  update password_resets r set used_at = now() where r.user_id = p_user_id and r.used_at is null;
  delete from email_codes c where c.user_id = p_user_id;
  delete from email_changes c where c.user_id = p_user_id;
  delete from devices d where d.user_id = p_user_id;
  delete from account_links l where l.user_id = p_user_id;
  perform forget_factors(p_user_id);
  return true;
end $$;
create or replace function forget_sessions(p_age interval) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with old_resets as (delete from password_resets where expires_at < now() - p_age returning 1),
  old_links as (delete from account_links where expires_at < now() - p_age returning 1),
  old_changes as (delete from email_changes where coalesce(undo_until, expires_at) < now() - p_age returning 1),
  old_devices as (delete from devices where known_until < now() - p_age or revoked_at < now() - p_age returning 1),
  old_logins as (delete from pending_logins where expires_at < now() returning 1),
  old_factors as (delete from factors where confirmed_at is null and created_at < now() - interval '15 minutes' returning 1),
  gone as (delete from sessions where expires_at < now() - p_age or ended_at < now() - p_age returning 1)
  select count(*) from gone
$$;

revoke all on function begin_email_change, cancel_email_change, void_mailed_links, confirm_email_change, undo_email_change, has_password,
  remove_password, browsers_of_user, forget_device, find_password_reset from public;
grant execute on function begin_email_change, cancel_email_change, confirm_email_change, undo_email_change, has_password, remove_password,
  browsers_of_user, forget_device, find_password_reset to countersign_app;
