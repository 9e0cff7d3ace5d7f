-- Passkeys of people with an account. One replaces the password and the second factor, because its device checks the person.
create table passkeys (
  factor_id text collate "C" primary key,
  user_id text collate "C" not null references users,
  name text not null check (length(name) between 1 and 60),
  -- base64url, as browsers name it
  credential_id text collate "C" not null unique,
  spki bytea not null,
  algorithm text not null check (algorithm in ('ES256', 'EdDSA', 'RS256')),
  -- how often the authenticator says that it has signed; 0: it does not count
  sign_count bigint not null check (sign_count >= 0),
  backed_up boolean not null,
  -- the host that browsers bound it to
  rp_id text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

-- What browsers were asked to sign. Each works once. `subject` says what for.
create table account_challenges (
  challenge_hash bytea primary key,
  subject text not null,
  expires_at timestamptz not null
);
create index account_challenges_age on account_challenges (expires_at);

-- Doors ----------------------------------------------------------------------------------------------------------------

create function has_factor(p_user_id text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from factors f where f.user_id = p_user_id and f.confirmed_at is not null)
    or exists (select from passkeys k where k.user_id = p_user_id)
$$;
create function passkeys_of_user(p_user_id text) returns table (
  factor_id text, name text, credential_id text, created_at timestamptz, last_used_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select k.factor_id, k.name, k.credential_id, k.created_at, k.last_used_at from passkeys k where k.user_id = p_user_id order by k.factor_id
$$;
-- The person's lock makes those who add at once take turns, and makes log-ins wait. `first`: the person had no factor before.
create function add_account_passkey(p_factor_id text, p_user_id text, p_name text, p_credential_id text, p_spki bytea, p_algorithm text,
  p_sign_count bigint, p_backed_up boolean, p_rp_id text, p_most integer) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  others boolean;
begin
  perform from users u where u.user_id = p_user_id for no key update;
  if (select count(*) from passkeys k where k.user_id = p_user_id) >= p_most then
    return 'too_many';
  end if;
  others := has_factor(p_user_id);
  insert into passkeys (factor_id, user_id, name, credential_id, spki, algorithm, sign_count, backed_up, rp_id)
    values (p_factor_id, p_user_id, p_name, p_credential_id, p_spki, p_algorithm, p_sign_count, p_backed_up, p_rp_id) on conflict do nothing;
  if not found then
    return 'taken';
  end if;
  return case when others then 'added' else 'first' end;
end $$;
create function find_account_passkey(p_credential_id text) returns table (
  factor_id text, user_id text, email text, spki bytea, algorithm text, sign_count bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select k.factor_id, k.user_id, u.email, k.spki, k.algorithm, k.sign_count from passkeys k join users u using (user_id)
  where k.credential_id = p_credential_id
$$;
-- Records a use. `gone`: it was removed. `behind`: its count did not grow, so it may have been copied. The person's lock comes first, as
-- for other log-ins: what ends sessions waits until the session exists, or is seen here.
create function advance_account_passkey(p_factor_id text, p_user_id text, p_sign_count bigint) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from users u where u.user_id = p_user_id for share;
  update passkeys k set sign_count = p_sign_count, last_used_at = now()
    where k.factor_id = p_factor_id and k.user_id = p_user_id
      and (k.sign_count < p_sign_count or (k.sign_count = 0 and p_sign_count = 0));
  if found then
    return 'advanced';
  end if;
  return case when exists (select from passkeys k where k.factor_id = p_factor_id and k.user_id = p_user_id) then 'behind' else 'gone' end;
end $$;
create function add_account_challenge(p_challenge_hash bytea, p_subject text, p_life interval) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from account_challenges where expires_at < now() - interval '1 hour';
  insert into account_challenges (challenge_hash, subject, expires_at) values (p_challenge_hash, p_subject, now() + p_life)
$$;
create function take_account_challenge(p_challenge_hash bytea, p_subject text) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with taken as (
    delete from account_challenges where challenge_hash = p_challenge_hash and subject = p_subject and expires_at > now() returning 1)
  select exists (select from taken)
$$;

create or replace function confirm_factor(p_factor_id text, p_user_id text, p_step bigint) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  others boolean;
begin
  perform from users u where u.user_id = p_user_id for no key update;
  others := has_factor(p_user_id);
  update factors f set confirmed_at = now(), last_used_at = now(), last_step = p_step
    where f.factor_id = p_factor_id and f.user_id = p_user_id and f.confirmed_at is null and f.created_at > now() - interval '15 minutes';
  return case when found then not others end;
end $$;
create or replace function rename_factor(p_factor_id text, p_user_id text, p_name text) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with renamed as (
    update factors f set name = p_name where f.factor_id = p_factor_id and f.user_id = p_user_id and f.confirmed_at is not null returning 1),
  renamed_key as (
    update passkeys k set name = p_name where k.factor_id = p_factor_id and k.user_id = p_user_id returning 1)
  select exists (select from renamed) or exists (select from renamed_key)
$$;
create or replace function remove_factor(p_factor_id text, p_user_id text) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  removed text;
begin
  perform from users u where u.user_id = p_user_id for no key update;
  delete from factors f where f.factor_id = p_factor_id and f.user_id = p_user_id and f.confirmed_at is not null returning f.name into removed;
  if removed is null then
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
create or replace function forget_factors(p_user_id text) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  delete from pending_logins where user_id = p_user_id;
  delete from recovery_codes where user_id = p_user_id;
  update devices set remembered_at = null where user_id = p_user_id;
  with gone as (delete from factors where user_id = p_user_id returning confirmed_at),
  gone_keys as (delete from passkeys where user_id = p_user_id returning 1)
  select (select count(*) from gone where confirmed_at is not null) + (select count(*) from gone_keys)
$$;
create or replace function factor_due_at(p_org_id text, p_user_id text) returns timestamptz
language sql stable security definer set search_path = public, pg_temp as $$
  select greatest(o.second_factor_since, m.created_at) + o.grace_days * interval '1 day'
  from org_security o join members m using (org_id)
  where o.org_id = p_org_id and o.second_factor = 'required' and m.user_id = p_user_id and not has_factor(p_user_id)
$$;
create or replace function members_with_factor() returns table (user_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select m.user_id from members m where m.org_id = app_org() and has_factor(m.user_id)
$$;

revoke all on function has_factor, passkeys_of_user, add_account_passkey, find_account_passkey, advance_account_passkey, add_account_challenge,
  take_account_challenge from public;
grant execute on function passkeys_of_user, add_account_passkey, find_account_passkey, advance_account_passkey, add_account_challenge,
  take_account_challenge to countersign_app;
