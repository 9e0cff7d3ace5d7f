-- People who act for parties of vaulted records. A person can belong to parties of several organizations and has no console access, so
-- nothing here has an organization; the app reaches all of it through the functions below.

create table people (
  person_id text collate "C" primary key,
  -- as it was first written; mail is sent to it
  email text not null,
  email_key text not null unique,
  created_at timestamptz not null default now(),
  check (email_key = email_key(email))
);

create table person_passkeys (
  passkey_id text collate "C" primary key,
  person_id text collate "C" not null references people,
  -- base64url, as browsers name it
  credential_id text collate "C" not null unique,
  spki bytea not null,
  algorithm text not null check (algorithm in ('ES256', 'EdDSA', 'RS256')),
  -- how often the authenticator says that it has signed; 0: it does not count
  sign_count bigint not null check (sign_count >= 0),
  backed_up boolean not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index person_passkeys_person on person_passkeys (person_id);

-- One code a person and purpose: log-in, or one act. Only the argon2id hash is stored.
create table person_codes (
  person_id text collate "C" not null references people,
  -- null: for log-in
  act_sha256 text collate "C" check (act_sha256 ~ '^[0-9a-f]{64}$'),
  code_hash text not null,
  -- the e-mail that contains it
  message_id text collate "C" not null,
  tries integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  unique nulls not distinct (person_id, act_sha256)
);

-- What a browser must sign. Each works once. Only the hash is stored.
create table person_challenges (
  challenge_hash bytea primary key,
  -- null: for log-in, before it is known who it is
  person_id text collate "C" references people,
  expires_at timestamptz not null
);
create index person_challenges_expiry on person_challenges (expires_at);

create table person_sessions (
  token_hash bytea primary key,
  person_id text collate "C" not null references people,
  began_with text not null check (began_with in ('code', 'passkey')),
  passkey_id text collate "C" references person_passkeys,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  check ((began_with = 'passkey') = (passkey_id is not null))
);
create index person_sessions_passkey on person_sessions (passkey_id) where passkey_id is not null;
create index person_sessions_expiry on person_sessions (expires_at);

-- Doors ----------------------------------------------------------------------------------------------------------------

-- The person with this address, who is added under the given id if there is none.
create function ensure_person(p_person_id text, p_email text) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  known text;
begin
  insert into people (person_id, email, email_key) values (p_person_id, p_email, email_key(p_email)) on conflict (email_key) do nothing;
  select p.person_id into known from people p where p.email_key = email_key(p_email);
  return known;
end $$;
create function find_person(p_email text) returns table (person_id text, email text)
language sql stable security definer set search_path = public, pg_temp as $$
  select p.person_id, p.email from people p where p.email_key = email_key(p_email)
$$;
-- The person's lock makes two codes for one purpose follow each other.
create function add_person_code(p_person_id text, p_act_sha256 text, p_code_hash text, p_message_id text, p_life interval) returns void
language sql security definer set search_path = public, pg_temp as $$
  select from people where person_id = p_person_id for update;
  delete from person_codes where expires_at < now() - interval '1 day'
    or (person_id = p_person_id and act_sha256 is not distinct from p_act_sha256);
  insert into person_codes (person_id, act_sha256, code_hash, message_id, expires_at)
    values (p_person_id, p_act_sha256, p_code_hash, p_message_id, now() + p_life)
$$;
-- Counts one attempt and gives the hash to compare with; nothing without a code that can still be tried. The row's lock counts attempts
-- that come at once. By address, so that an unknown one takes one statement too.
create function try_person_code(p_email text, p_act_sha256 text, p_tries integer) returns table (person_id text, code_hash text)
language sql security definer set search_path = public, pg_temp as $$
  update person_codes c set tries = c.tries + 1 from people p
  where p.email_key = email_key(p_email) and c.person_id = p.person_id and c.act_sha256 is not distinct from p_act_sha256
    and c.expires_at > now() and c.tries < p_tries
  returning c.person_id, c.code_hash
$$;
-- Uses up a code whose hash was compared. Nothing if it was replaced, used or has expired in the meantime.
create function use_person_code(p_person_id text, p_act_sha256 text, p_code_hash text)
returns table (email text, message_id text, made_at timestamptz, mail_accepted_at timestamptz)
language sql security definer set search_path = public, pg_temp as $$
  with used as (
    delete from person_codes c
    where c.person_id = p_person_id and c.act_sha256 is not distinct from p_act_sha256 and c.code_hash = p_code_hash and c.expires_at > now()
    returning c.message_id, c.created_at)
  select m.to_address, u.message_id, u.created_at, m.sent_at from used u join mail_messages m on m.message_id = u.message_id
$$;
create function find_passkey(p_credential_id text)
returns table (passkey_id text, person_id text, spki bytea, algorithm text, sign_count bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select k.passkey_id, k.person_id, k.spki, k.algorithm, k.sign_count from person_passkeys k where k.credential_id = p_credential_id and k.revoked_at is null
$$;
-- Records a use. False if the passkey was revoked, or if the count did not grow: it may have been copied.
create function advance_passkey(p_passkey_id text, p_sign_count bigint) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with advanced as (
    update person_passkeys set sign_count = p_sign_count, last_used_at = now()
    where passkey_id = p_passkey_id and revoked_at is null and (sign_count < p_sign_count or (sign_count = 0 and p_sign_count = 0))
    returning 1)
  select exists (select from advanced)
$$;
create function passkeys_of_person(p_person_id text)
returns table (passkey_id text, credential_id text, name text, algorithm text, backed_up boolean, created_at timestamptz, last_used_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select k.passkey_id, k.credential_id, k.name, k.algorithm, k.backed_up, k.created_at, k.last_used_at
  from person_passkeys k where k.person_id = p_person_id and k.revoked_at is null order by k.passkey_id
$$;
-- The first passkey needs a session that began with a code, every further one a session that began with a passkey. The person's lock comes
-- first, so that two at once are not both the first.
create function add_passkey(p_person_id text, p_began_with text, p_most integer, p_passkey_id text, p_credential_id text, p_spki bytea, p_algorithm text,
  p_sign_count bigint, p_backed_up boolean, p_name text) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  held integer;
begin
  perform from people p where p.person_id = p_person_id for update;
  select count(*) into held from person_passkeys k where k.person_id = p_person_id and k.revoked_at is null;
  if held > 0 and p_began_with = 'code' then
    return 'passkey_required';
  elsif held = 0 and p_began_with = 'passkey' then
    return 'code_required';
  elsif held >= p_most then
    return 'too_many';
  end if;
  insert into person_passkeys (passkey_id, credential_id, person_id, spki, algorithm, sign_count, backed_up, name)
    values (p_passkey_id, p_credential_id, p_person_id, p_spki, p_algorithm, p_sign_count, p_backed_up, p_name) on conflict do nothing;
  return case when found then 'added' else 'taken' end;
end $$;
-- Also ends the sessions that began with it. Its name, or null if the person has no such passkey.
create function revoke_passkey(p_person_id text, p_passkey_id text) returns text
language sql security definer set search_path = public, pg_temp as $$
  select from people where person_id = p_person_id for update;
  update person_sessions set ended_at = now() where passkey_id = p_passkey_id and person_id = p_person_id and ended_at is null;
  update person_passkeys set revoked_at = now()
    where passkey_id = p_passkey_id and person_id = p_person_id and revoked_at is null returning name
$$;
create function add_person_challenge(p_challenge_hash bytea, p_person_id text, p_life interval) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from person_challenges where expires_at < now() - interval '1 hour';
  insert into person_challenges (challenge_hash, person_id, expires_at) values (p_challenge_hash, p_person_id, now() + p_life)
$$;
create function take_person_challenge(p_challenge_hash bytea, p_person_id text) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with taken as (
    delete from person_challenges
    where challenge_hash = p_challenge_hash and person_id is not distinct from p_person_id and expires_at > now() returning 1)
  select exists (select from taken)
$$;
create function start_person_session(p_token_hash bytea, p_person_id text, p_passkey_id text, p_life interval) returns timestamptz
language sql security definer set search_path = public, pg_temp as $$
  delete from person_sessions where expires_at < now() - interval '1 day';
  insert into person_sessions (token_hash, person_id, began_with, passkey_id, expires_at)
    values (p_token_hash, p_person_id, case when p_passkey_id is null then 'code' else 'passkey' end, p_passkey_id, now() + p_life)
    returning expires_at
$$;
-- A person has no organization: the connection sees the rows of none.
create function authenticate_person(p_token_hash bytea, p_quota integer)
returns table (person_id text, email text, began_with text, expires_at timestamptz, accepted boolean, quota integer, remaining integer, reset_at bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  s record;
begin
  perform set_config('synchronous_commit', 'off', true), set_config('app.org', '', false);
  select se.person_id, p.email, se.began_with, se.expires_at into s
    from person_sessions se join people p on p.person_id = se.person_id
    where se.token_hash = p_token_hash and se.ended_at is null and se.expires_at > now();
  if not found then
    return;
  end if;
  return query select s.person_id, s.email, s.began_with, s.expires_at, q.accepted, p_quota, q.remaining, q.reset_at
    from take_quota('person:' || s.person_id, p_quota, interval '1 minute') q;
end $$;
create function end_person_session(p_token_hash bytea) returns void
language sql security definer set search_path = public, pg_temp as $$
  update person_sessions set ended_at = now() where token_hash = p_token_hash and ended_at is null
$$;

revoke all on function ensure_person, find_person, add_person_code, try_person_code, use_person_code, find_passkey, advance_passkey,
  passkeys_of_person, add_passkey, revoke_passkey, add_person_challenge, take_person_challenge, start_person_session, authenticate_person,
  end_person_session from public;
grant execute on function ensure_person, find_person, add_person_code, try_person_code, use_person_code, find_passkey, advance_passkey,
  passkeys_of_person, add_passkey, revoke_passkey, add_person_challenge, take_person_challenge, start_person_session, authenticate_person,
  end_person_session to countersign_app;
